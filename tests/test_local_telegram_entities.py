"""What Telegram makes of HTML: the text, the entities, and the errors with byte offsets."""

import html
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.demo.entities import Text, read_text, tidy, utf16_length
from bot.demo.refusals import RefusedError
from tests.local_telegram import serving


def kept(markup: str) -> tuple[str, list[Any]]:
    """The text as Telegram keeps it; an entity as its kind, offset, length, and the rest."""
    text = tidy(read_text(markup, "HTML"))
    entities: list[Any] = []
    for entity in text.entities:
        kind, offset, length, *rest = entity.values()
        entities.append((kind, offset, length, *rest))
    return text.plain, entities


@pytest.mark.parametrize(
    ("markup", "text", "entities"),
    [
        ("plain", "plain", []),
        ("a < b".replace("<", "&lt;"), "a < b", []),
        ("&lt;&gt;&amp;&quot;", '<>&"', []),
        ("&lt&gt", "<>", []),
        ("&laquo;&nbsp;&apos;", "&laquo;&nbsp;&apos;", []),
        ("&#65;&#x42;&#x1F600;", "AB😀", []),
        ("&#0;&#1114111;&#;&", "&#0;&#1114111;&#;&", []),
        ("a > b", "a > b", []),
        *(
            (f"x<{tag}>y</{tag}>", "xy", [(kind, 1, 1)])
            for kind, tags in {
                "bold": ("b", "strong"),
                "italic": ("i", "em"),
                "underline": ("u", "ins"),
                "strikethrough": ("s", "strike", "del"),
                "spoiler": ("tg-spoiler",),
                "code": ("code",),
                "pre": ("pre",),
                "blockquote": ("blockquote",),
            }.items()
            for tag in tags
        ),
        ("<B>x</b>", "x", [("bold", 0, 1)]),
        ("<b>x</>", "x", [("bold", 0, 1)]),
        ("<b  >x</b  >", "x", [("bold", 0, 1)]),
        ('<b class = "x" data-y=1.5>x</b>', "x", [("bold", 0, 1)]),
        ("<b x y>z</b>", "z", [("bold", 0, 1)]),
        ('<tg-time unix="1">noon</tg-time>', "noon", []),
        ("<b></b>x", "x", []),
        ("😀<b>😀</b>", "😀😀", [("bold", 2, 2)]),
        ("<b>a<i>b</i></b>", "ab", [("bold", 0, 2), ("italic", 1, 1)]),
        ("<i><b>a</b></i>", "a", [("bold", 0, 1), ("italic", 0, 1)]),
        ("<b>a</b><b>b</b>", "ab", [("bold", 0, 2)]),
        ('<span class="tg-spoiler">x</span>', "x", [("spoiler", 0, 1)]),
        ("<blockquote expandable>x</blockquote>", "x", [("expandable_blockquote", 0, 1)]),
        (
            '<pre><code class="language-python">x = 1\n</code></pre>.',
            "x = 1\n.",
            [("pre", 0, 6, "python")],
        ),
        ('<code class="language-c"><pre>x</pre></code>', "x", [("pre", 0, 1, "c")]),
        ('<code class="language-c">x</code>', "x", [("code", 0, 1)]),
        ('<pre>x <code class="language-c">y</code></pre>', "x y", [("pre", 0, 3)]),
        ("<pre><code>x</code></pre>", "x", [("pre", 0, 1)]),
        ("<b>a <code>x</code> b</b>", "a x b", [("bold", 0, 2), ("code", 2, 1), ("bold", 3, 2)]),
        (
            "<blockquote><b>a</b> <code>b</code></blockquote>",
            "a b",
            [("blockquote", 0, 3), ("bold", 0, 1), ("code", 2, 1)],
        ),
        ('<a href="https://a.io/?x=1&amp;y">x</a>', "x", [("text_link", 0, 1, "https://a.io/?x=1&y")]),
        ("<a href=a.io>x</a>", "x", [("text_link", 0, 1, "http://a.io/")]),
        ("<a href='a.io?q'>x</a>", "x", [("text_link", 0, 1, "http://a.io/?q")]),
        ("<a href='tg://resolve?domain=x'>x</a>", "x", [("text_link", 0, 1, "tg://resolve?domain=x")]),
        ("<a href='nowhere'>x</a>", "x", []),
        ("<a>x</a>", "x", []),
        ("<a>https://a.io/b</a>", "https://a.io/b", [("text_link", 0, 14, "https://a.io/b")]),
        ('<tg-emoji emoji-id="5">😀</tg-emoji>', "😀", [("custom_emoji", 0, 2, "5")]),
        ("  <b>  x </b> ", "x", [("bold", 0, 1)]),
        ("<b>x</b>\n\n", "x", [("bold", 0, 1)]),
        ("<b> </b>x", "x", []),
        ("a<b>\r\u202eb</b>", "ab", [("bold", 1, 1)]),
        ("\ta\tb", "a b", []),
        ("a\u030ab", "ab", []),
        ("say /quiz or /quiz@a_bot, not a/b", "say /quiz or /quiz@a_bot, not a/b",
            [("bot_command", 4, 5), ("bot_command", 13, 11)]),
        ("see https://a.io/b. @user_name #topic", "see https://a.io/b. @user_name #topic",
            [("url", 4, 14), ("mention", 20, 10), ("hashtag", 31, 6)]),
        ("<code>/quiz</code> <b>/quiz</b>", "/quiz /quiz",
            [("code", 0, 5), ("bot_command", 6, 5), ("bold", 6, 5)]),
    ],
)  # fmt: skip
def test_html_becomes_a_text_and_its_entities(markup: str, text: str, entities: list[Any]) -> None:
    assert kept(markup) == (text, entities)


@pytest.mark.parametrize(
    ("markup", "detail"),
    [
        ("é<", "Unclosed start tag at byte offset 2"),
        ("é<b", "Unclosed start tag at byte offset 2"),
        ("<>", 'Unsupported start tag "" at byte offset 0'),
        ("List<String>", 'Unsupported start tag "string" at byte offset 4'),
        ("if a < b", 'Unsupported start tag "" at byte offset 5'),
        ("<?php ?>", 'Unsupported start tag "?php" at byte offset 0'),
        ("<!DOCTYPE html>", 'Unsupported start tag "!doctype" at byte offset 0'),
        ("<br/>", 'Unsupported start tag "br/" at byte offset 0'),
        ("<b =x>", 'Empty attribute name in the tag "b" at byte offset 0'),
        ("<b ", 'Empty attribute name in the tag "b" at byte offset 0'),
        ("<b x", 'Unclosed start tag "b" at byte offset 0'),
        ("<b x=", 'Unclosed start tag "b" at byte offset 0'),
        ('<b x="y>', "Unclosed start tag at byte offset 0"),
        ("😀<b x=y,>", "Unexpected end of name token at byte offset 9"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ('<span class="x">', 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("é</b>", "Unexpected end tag at byte offset 2"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<b>x</b y>", "Unclosed end tag at byte offset 4"),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<i><b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ('<tg-emoji emoji-id="x">😀</tg-emoji>', "Invalid custom emoji identifier specified"),
        (
            "&#xD83D;",
            "Text contains invalid Unicode characters after decoding HTML entities, "
            "check for unmatched surrogate code units",
        ),
    ],
)
def test_what_is_not_html_is_refused_with_the_byte_where_it_begins(
    markup: str, detail: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        read_text(markup, "HTML")
    assert refused.value.description == f"Bad Request: can't parse entities: {detail}"


def test_entities_may_be_given_instead_of_html() -> None:
    given_entities = [
        {"type": "bold", "offset": 0, "length": 2},
        {"type": "pre", "offset": 3, "length": 1, "language": "c"},
        {"type": "dream", "offset": 0, "length": 1},
        {"type": "bold", "offset": 90, "length": 1},
    ]
    text = tidy(read_text("<b x", "", given_entities))
    assert text == Text("<b x", tuple(given_entities[:2]))


WHATEVER = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(deadline=None)
@given(WHATEVER)
def test_any_text_that_is_escaped_reads_back_as_the_cleaned_text(text: str) -> None:
    # Python writes an apostrophe as &#x27;, which Telegram reads as one.
    assert tidy(read_text(html.escape(text), "HTML")) == tidy(Text(text))


@settings(deadline=None)
@given(WHATEVER)
def test_a_kept_text_stays_as_it_is_when_sent_again(text: str) -> None:
    once = tidy(Text(text))
    assert tidy(Text(once.plain)) == once


@settings(deadline=None)
@given(st.lists(st.sampled_from(["<b>", "</b>", "<i>", "</>", "<code>", " ", "\n", "x", "😀"])))
def test_entities_lie_within_the_text_and_never_begin_with_a_space(parts: list[str]) -> None:
    try:
        text = tidy(read_text("".join(parts), "HTML"))
    except RefusedError:
        return
    units = text.plain.encode("utf-16-le")
    for entity in text.entities:
        start, length = entity["offset"], entity["length"]
        assert 0 <= start < start + length <= utf16_length(text.plain)
        assert units[2 * start : 2 * start + 2] not in (b" \0", b"\n\0")


@settings(deadline=None)
@given(WHATEVER)
def test_utf_16_length_counts_units(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


async def test_over_http_an_escaped_text_comes_back_unescaped() -> None:
    async with serving() as bench:
        bench.telegram.send(bench.telegram.add_person("Ann", id=7), 7, "/start")
        code = 'if (a < b && c > d) printf("<b>%d</b>\\n");'
        sent = await bench.call(
            "sendMessage",
            chat_id=7,
            text=f'<pre><code class="language-c">{html.escape(code)}</code></pre>',
            parse_mode="HTML",
        )
    assert (sent["text"], sent["entities"]) == (
        code,
        [{"type": "pre", "offset": 0, "length": len(code), "language": "c"}],
    )
