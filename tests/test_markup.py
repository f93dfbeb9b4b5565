"""Text as Telegram's HTML: it reads back as written, in messages that Telegram takes."""

import time
from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.demo.entities import read_text
from bot.markup import Block, Code, Paragraph, escape, fit, render, split
from quizzes.wording import MESSAGE_LENGTH, clean, is_blank, utf16_length

FAMILY = "👩‍👩‍👧"
"""One grapheme of five code points, eight UTF-16 units."""

# Telegram takes a zero byte for the end of a text, and half a surrogate pair is none.
written = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
long_texts = st.lists(
    st.sampled_from(
        ["a", "word", " ", "\n", "\n\n", "    ", "<b>", "&lt;", "😀", FAMILY, "e\u0301"]
    ),
    max_size=80,
).map("".join)


def seen(blocks: list[Block]) -> str:
    """What a learner reads of one message."""
    return read_text(render(blocks), "HTML").plain


@pytest.mark.parametrize(
    "text",
    [
        'if (a < b && c > d) printf("<b>%d</b>\\n");',
        "List<String>?",
        "&amp; &lt; &#60; &quot &",
        "<?php echo 1; ?>",
        "<!DOCTYPE html>",
        "*a* _b_ [c](d) `e` ~f~ ||g||",
    ],
)
def test_markup_in_a_text_is_shown_as_written(text: str) -> None:
    assert seen([Paragraph(text)]) == text
    assert seen([Code(text, "c++")]) == text


@settings(deadline=None)
@given(written)
def test_any_text_reads_back_as_written(text: str) -> None:
    assert read_text(escape(text), "HTML").plain == text


@settings(deadline=None)
@given(written, written.filter(bool), st.sampled_from(["plain", "bold", "italic"]))
def test_any_program_in_any_language_reads_back_with_its_language(
    code: str, language: str, style: str
) -> None:
    paragraph = Paragraph(code, style)  # type: ignore[arg-type]
    text = read_text(render([paragraph, Code(f"{code}.", language)]), "HTML")
    assert text.plain == f"{code}\n\n{code}."
    assert text.entities[-1] == {
        "type": "pre",
        "offset": utf16_length(code) + 2,
        "length": utf16_length(code) + 1,
        "language": language,
    }


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = 1  # as it was\n" * 263, id="many short lines"),
        pytest.param("word " * 1000, id="one line of words"),
        pytest.param("x" * 5000, id="one line without a space"),
        pytest.param("x" * 4095 + "😀" * 500, id="an emoji at the border"),
        pytest.param("x" * 4090 + FAMILY * 500, id="a family at the border"),
        pytest.param("a" + "\u0301" * 9000, id="one letter with 9000 accents"),
        pytest.param("x" + "\n" * 9000 + "y", id="nothing but line breaks in the middle"),
        pytest.param("x\n" + "    y\n" * 1500, id="indented lines"),
    ],
)
def test_a_long_program_is_several_messages_each_a_program_in_its_language(text: str) -> None:
    started = time.perf_counter()
    messages = split([Code(text, "python")])
    assert time.perf_counter() - started < 1
    assert len(messages) > 1
    for blocks in messages:
        read = read_text(render(blocks), "HTML")
        assert 0 < utf16_length(read.plain) <= MESSAGE_LENGTH
        assert read.entities == (
            {
                "type": "pre",
                "offset": 0,
                "length": utf16_length(read.plain),
                "language": "python",
            },
        )
    assert "".join(map(seen, messages)).replace("\n", "") == text.replace("\n", "")


def test_a_text_is_cut_between_lines_and_only_the_line_break_is_left_out() -> None:
    assert split([Paragraph("one two\nthree\nfour")], 14) == [
        [Paragraph("one two\nthree")],
        [Paragraph("four")],
    ]


def test_a_program_is_cut_before_a_line_that_is_not_indented() -> None:
    assert split([Code("def f():\n    x\n    y\n\ndef g():\n    z", "python")], 32) == [
        [Code("def f():\n    x\n    y\n", "python")],
        [Code("def g():\n    z", "python")],
    ]


def test_a_line_is_cut_between_words_and_a_word_between_graphemes() -> None:
    assert split([Paragraph("one two three")], 9) == [[Paragraph("one two ")], [Paragraph("three")]]
    assert split([Paragraph(FAMILY * 3)], 17) == [[Paragraph(FAMILY * 2)], [Paragraph(FAMILY)]]


def test_a_block_that_fits_a_message_is_moved_as_a_whole() -> None:
    code = Code("print(1)\nprint(2)", "python")
    assert split([Paragraph("Two lines:", "bold"), code, Paragraph("Done.")], 24) == [
        [Paragraph("Two lines:", "bold")],
        [code, Paragraph("Done.")],
    ]


@settings(deadline=None)
@given(long_texts, st.integers(8, 60))
def test_the_parts_of_any_text_make_up_the_text(text: str, limit: int) -> None:
    rest = text
    for (block,) in split([Paragraph(text)], limit):
        assert 0 < utf16_length(block.text) <= limit
        begins = rest.index(block.text)
        assert is_blank(rest[:begins])
        rest = rest[begins + len(block.text) :]
    assert is_blank(rest)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "word", "two words", "😀", FAMILY])), st.integers(9, 60))
def test_no_message_is_over_the_limit_or_has_room_for_the_next_block(
    texts: list[str], limit: int
) -> None:
    messages = split(map(Paragraph, texts), limit)
    assert [block.text for blocks in messages for block in blocks] == texts
    assert all(utf16_length(seen(blocks)) <= limit for blocks in messages)
    for blocks, following in pairwise(messages):
        assert utf16_length(seen([*blocks, following[0]])) > limit


@settings(deadline=None)
@given(written.map(clean).filter(lambda text: not is_blank(text)), st.integers(2, 20))
def test_a_fitted_text_is_the_text_or_its_beginning_and_an_ellipsis(text: str, limit: int) -> None:
    fitted = fit(text, limit)
    assert len(fitted) <= limit
    if fitted != text:
        assert fitted.endswith("…")
        assert text.startswith(fitted.removesuffix("…"))


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("Gradient clipping", 17, "Gradient clipping"),
        ("Gradient clipping", 16, "Gradient…"),
        ("Gradient clipping", 10, "Gradient…"),
        ("Gradient clipping", 9, "Gradient…"),
        ("Gradient clipping", 8, "Gradien…"),
        ("A verylongwordindeed", 15, "A verylongword…"),
        (f"{FAMILY}{FAMILY}", 9, f"{FAMILY}…"),
        (f"1234 {FAMILY}", 9, "1234…"),
        ("a" + "\u0301" * 30, 9, "a\u0301\u0301\u0301…"),
        ("word", 2, "w…"),
    ],
)
def test_what_is_too_long_ends_after_a_word_or_a_grapheme(
    text: str, limit: int, expected: str
) -> None:
    assert fit(text, limit) == expected


@settings(deadline=None)
@given(long_texts, st.integers(8, 60))
def test_fitting_never_cuts_inside_a_grapheme(text: str, limit: int) -> None:
    head = fit(text, limit).removesuffix("…")
    borders = {0, *(grapheme.end() for grapheme in regex.finditer(r"\X", text))}
    assert len(head) in borders
