"""What may stand in a quiz file, and the line and the advice for everything that may not.

Each table row is a small file and its faults, as `line: message`.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from quizzes.catalog import load
from quizzes.format import schema
from quizzes.wording import clean, is_blank

GOOD = """\
language: en
title: Sums
questions:
  - id: one-and-one
    ask: What is 1 + 1?
    choices:
      - text: two
        correct: true
      - text: three
        why: Counted once too often.
    explain: One more than one.
    snippet:
      language: python
      code: print(1 + 1)
      prints: 2
"""
TOP_KEYS = "the file takes language, title, description, level, guide, questions"
SHARED = "1: `&a` marks a part to be used again, which quiz files do not do: write it out each time"
TRANSLATION = """\
title: Суми
questions:
  - id: one-and-one
    ask: Скільки буде 1 + 1?
    choices:
      - text: два
      - text: три
        why: Порахували зайвий раз.
    explain: На один більше за один.
"""


def faults(folder: Path, quiz: str | bytes, translation: str | bytes | None = None) -> list[str]:
    """The faults and warnings of a quiz, or of its translation where one is given."""
    folder = folder / "sums"
    folder.mkdir(parents=True, exist_ok=True)
    asked = folder / "quiz.yaml"
    asked.write_bytes(quiz.encode() if isinstance(quiz, str) else quiz)
    if translation is not None:
        asked = folder / "uk.yaml"
        asked.write_bytes(translation.encode() if isinstance(translation, str) else translation)
    _, found = load([asked])
    prefix = f"{asked}:"
    return [str(fault).removeprefix(prefix) for fault in found if fault.path == str(asked)]


def changed(old: str, new: str, source: str = GOOD) -> str:
    assert old in source
    return source.replace(old, new, 1)


def test_the_smallest_good_quiz_and_its_translation_have_no_fault(tmp_path: Path) -> None:
    assert faults(tmp_path, GOOD) == []
    assert faults(tmp_path, GOOD, TRANSLATION) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x = 1 # c", "YAML drops what follows ` #`: write text: 'x = 1 # c'"),
        ("#include <x>", "YAML drops what follows ` #`: write text: '#include <x>'"),
        ("key: v", "YAML cannot read this value: quote it, write text: 'key: v'"),
        ("else:", "YAML cannot read this value: quote it, write text: 'else:'"),
        ("{}", "`text` is read by YAML as a list or a mapping: put the text in quotes"),
        ("{{ x }}", "`text` is read by YAML as a list or a mapping: put the text in quotes"),
        ("[i for i in x]", "`text` is read by YAML as a list or a mapping: put the text in quotes"),
        ("{x for x in y", "YAML cannot read this value: quote it, write text: '{x for x in y'"),
        ("*args", "YAML reads `*args` as a reference, not as text: quote it"),
        ("*args, **kw", "YAML cannot read this value: quote it, write text: '*args, **kw'"),
        ("&x", "YAML reads `&x` as a mark, not as text: quote it"),
        ("&x + 1", "YAML reads `&x` as a mark, not as text: quote it"),
        ("%d", "YAML cannot read this value: quote it, write text: '%d'"),
        ("@dec", "YAML cannot read this value: quote it, write text: '@dec'"),
        ("`x`", "YAML cannot read this value: quote it, write text: '`x`'"),
        ("!=", "YAML reads `!=` as a tag, not as text: quote it"),
        ("!= 3", "YAML reads `!=` as a tag, not as text: quote it"),
        ("!!str x", "YAML reads `!!str` as a tag, not as text: quote it"),
        ('"a" + "b"', 'text follows the closing quote: write text: \'"a" + "b"\''),
        ("'it's'", 'an apostrophe ends the quote: write text: "it\'s"'),
        ("> 5", "YAML cannot read this value: quote it, write text: '> 5'"),
        ("| x", "YAML cannot read this value: quote it, write text: '| x'"),
        (",", "YAML cannot read this value: quote it, write text: ','"),
        ("]", "YAML cannot read this value: quote it, write text: ']'"),
        ("- x", "YAML cannot read this value: quote it, write text: '- x'"),
        ("? x", "YAML cannot read this value: quote it, write text: '? x'"),
        ('"\\d+"', "an unknown escape begins with `\\`: write `\\\\`, or use single quotes"),
        ('"open', "the quote that opens here is not closed in this line: close it"),
        ("", "`text` is empty: write a text, or leave the key out where it is optional"),
        ('"\\t"', "`text` is empty: write a text, or leave the key out where it is optional"),
        ('"\\u200B"', "`text` is empty: write a text, or leave the key out where it is optional"),
    ],
)
def test_a_text_that_yaml_takes_for_something_else_is_named(
    tmp_path: Path, value: str, expected: str
) -> None:
    assert faults(tmp_path, changed("text: three", f"text: {value}")) == [f"9: {expected}"]


def test_all_values_that_yaml_cannot_read_are_named_in_one_run(tmp_path: Path) -> None:
    values = ["%d", "@dec", "`x`", "> 5", ",", '"a" + "b"', "key: v", "*args", "!=", "#x", "{}"]
    choices = "".join(f"      - text: {value}\n" for value in values)
    quiz = changed("      - text: three\n        why: Counted once too often.\n", choices)
    lines = [int(fault.split(":")[0]) for fault in faults(tmp_path, quiz)]
    assert lines == list(range(9, 9 + len(values)))


def test_after_fifty_values_that_yaml_cannot_read_the_rest_is_left(tmp_path: Path) -> None:
    found = faults(tmp_path, "language: en\n" + "title: @x\n" * 60)
    assert len(found) == 51
    assert found[-1] == (
        "52: YAML cannot read this line either: mend those above, then check again"
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "ask: What is 1 + 1?",
            "ask: What is\n      this: 1 + 1?",
            ["5: YAML cannot read these lines as one text: write ask: | and indent them below it"],
        ),
        ("title: Sums", "title:Sums", ["2: a space is missing after the colon"]),
        ("- text: two", "- text:two", ["7: a space is missing after the colon"]),
        (
            "ask: What is 1 + 1?",
            "ask: What is 1 + 1?\n    source: '",
            ["6: the quote that opens here is not closed in this line: close it"],
        ),
        ("    choices:", "\tchoices:", ["6: indented with a tab: use spaces"]),
        (
            "ask: What is 1 + 1?\n    choices:\n      - text: two",
            'ask: "What is 1 + 1?\n    choices:\n      - text: "two"',
            ["5: the quote that opens here is not closed in this line: close it"],
        ),
        (
            "    explain: One",
            "   explain: One",
            [
                "11: not readable as YAML (did not find expected '-' indicator):"
                " check indentation and quotes of this line and the one above"
            ],
        ),
        (
            "id: one-and-one",
            'id: "\\e[31m\\n' + "x" * 99 + '"',
            [f"4: `id` ` [31m {'x' * 51}...` is no id: use a-z, 0-9 and -, at most 48 of them"],
        ),
        (
            "ask: What is 1 + 1?",
            "ask: What is\ufeff 1 + 1?\n    code: x\x07",
            [
                "5: holds the invisible character U+FEFF: delete it",
                "6: holds the invisible character U+0007: delete it",
            ],
        ),
    ],
)
def test_what_yaml_cannot_read_has_a_line_and_advice(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    assert faults(tmp_path, changed(old, new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("language: en\n", "", ["1: `language` is missing: the file needs it"]),
        ("title: Sums\n", "", ["1: `title` is missing: the file needs it"]),
        ("    ask: What is 1 + 1?\n", "", ["4: `ask` is missing: a question needs it"]),
        ("      - text: two\n        correct", "      - correct", [
            "7: `text` is missing: a choice needs it"
        ]),
        ("      code: print(1 + 1)\n", "", ["13: `code` is missing: a snippet needs it"]),
        ("why:", "hint:", ["10: unknown key `hint`: a choice takes text, correct, why"]),
        ("title: Sums", "title: Sums\n<<: x", [
            f"3: unknown key `<<`: {TOP_KEYS}"
        ]),
        ("title: Sums", "title: Sums\n{a: b}: x", [
            f"3: unknown key `{{...}}`: {TOP_KEYS}"
        ]),
        ("title: Sums", "title: Sums\ntitle: Totals", [
            "3: `title` is given twice, first in line 2: keep one"
        ]),
        ("    explain: One", "    ask: Again?\n    explain: One", [
            "11: `ask` is given twice, first in line 5: keep one"
        ]),
        ("correct: true", 'correct: "true"', [
            "8: `correct` is a text in quotes: write true without them"
        ]),
        ("correct: true", "correct: yes", ["8: `correct` is `yes`: write true or false"]),
        ("correct: true", "correct: True", ["8: `correct` is `True`: write true or false"]),
        ("correct: true", "correct: [true]", [
            "8: `correct` is a list or a mapping: write true or false"
        ]),
        ("correct: true", "correct: false", ["6: no choice is right: add `correct: true` to one"]),
        ("    ask:", "    shuffle: no\n    ask:", ["5: `shuffle` is `no`: write true or false"]),
        ("title: Sums", "title: Sums\nlevel: Easy", [
            "3: `level` is `Easy`: write 'easy', 'medium' or 'hard'"
        ]),
        ("title: Sums", "title: Sums\nguide: ftp://x.org", [
            "3: `guide` `ftp://x.org` is no address of a page: begin it with https://"
        ]),
        ("title: Sums", "title: Sums\nguide: 'http://['", [
            "3: `guide` `http://[` is no address of a page: begin it with https://"
        ]),
        ("title: Sums", "title: Sums\nguide: https://x.org/a b", [
            "3: `guide` `https://x.org/a b` holds a space: write %20"
        ]),
        ("language: en", "language: xx", ["1: `language` `xx` is no known language"]),
        ("language: en", "language: ua", [
            "1: `language` `ua` is no known language: the language of that country is uk"
        ]),
        ("language: en", "language: pt-br", ["1: `language` `pt-br` is written pt-BR"]),
        ("language: en", "language: English", [
            "1: `language` `English` is no language tag: write one such as uk or pt-BR"
        ]),
        ("id: one-and-one", "id: One", [
            "4: `id` `One` is no id: use a-z, 0-9 and -, at most 48 of them"
        ]),
        ("id: one-and-one", f"id: {'a' * 49}", [
            f"4: `id` `{'a' * 49}` is no id: use a-z, 0-9 and -, at most 48 of them"
        ]),
        ("questions:\n", "questions: none\nrest:\n", [
            "3: `questions` is no list: begin each of its entries with `- `",
            f"4: unknown key `rest`: {TOP_KEYS}",
        ]),
        ("      - text: three\n        why", "      - three\n      - text: four\n        why", [
            "9: a choice is a mapping: begin it with `text:`"
        ]),
        ("text: three", "text: ' two '", ["9: looks like the choice in line 7: change one"]),
        ("text: three", "text: \"t\\u200ewo\"", ["9: looks like the choice in line 7: change one"]),
        ("code: print(1 + 1)", 'code: "\\t\\n "', [
            "14: `code` is empty: write some code, or leave the key out"
        ]),
        ("    explain: One more than one.\n", "", ["4: warning: no explanation: add `explain`"]),
        ("    snippet:\n      language: python\n      code: print(1 + 1)\n      prints: 2\n", "", [
            "3: warning: no question has a `snippet`: add one where code explains more"
        ]),
        ("ask: What is 1 + 1?", 'ask: "a\\nb\\nc\\nd"', [
            "5: warning: `ask` has 4 lines, and a poll shows about 3:"
            " join them, or put code in `code`"
        ]),
        ("text: three", 'text: "th\\nree"', [
            "9: warning: `text` has a line break, which a poll shows as a space: remove it"
        ]),
        ("code: print(1 + 1)", f"code: {'x' * 47}", [
            "14: warning: line 1 of the snippet is 47 characters long: 46 fit on a phone"
        ]),
        ("code: print(1 + 1)", "code: |" + "\n        x" * 13, [
            "14: warning: the snippet has 13 lines: 12 fit on a phone"
        ]),
    ],
)  # fmt: skip
def test_a_quiz_file_keeps_the_rules(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    assert faults(tmp_path, changed(old, new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title:", "Title:", "2: unknown key `Title`: did you mean `title`?"),
        ("questions:", "qestions:", "3: unknown key `qestions`: did you mean `questions`?"),
        ("- id:", "- idd:", "4: unknown key `idd`: did you mean `id`?"),
        ("choices:", "choises:", "6: unknown key `choises`: did you mean `choices`?"),
        ("correct:", "corect:", "8: unknown key `corect`: did you mean `correct`?"),
        ("why:", "whi:", "10: unknown key `whi`: did you mean `why`?"),
        ("explain:", "explian:", "11: unknown key `explian`: did you mean `explain`?"),
        ("snippet:", "snipet:", "12: unknown key `snipet`: did you mean `snippet`?"),
    ],
)
def test_a_misspelt_key_is_named_once_and_its_translation_keeps_step(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    quiz = changed(old, new)
    assert faults(tmp_path, quiz) == [expected]
    assert faults(tmp_path, quiz, TRANSLATION) == []


def test_a_misspelt_description_keeps_step_with_its_translation(tmp_path: Path) -> None:
    quiz = changed("title: Sums", "title: Sums\ndescripton: Adding.")
    translation = changed("title: Суми", "title: Суми\ndescription: Додавання.", TRANSLATION)
    assert faults(tmp_path, quiz) == ["3: unknown key `descripton`: did you mean `description`?"]
    assert faults(tmp_path, quiz, translation) == []


def test_what_stands_below_a_misspelt_key_is_checked_too(tmp_path: Path) -> None:
    quiz = changed("choices:", "choises:").replace("why:", "whi:").replace("three", "two")
    assert faults(tmp_path, quiz.replace("true", "yes")) == [
        "6: unknown key `choises`: did you mean `choices`?",
        "8: `correct` is `yes`: write true or false",
        "9: looks like the choice in line 7: change one",
        "10: unknown key `whi`: did you mean `why`?",
    ]


def test_a_misspelt_key_beside_the_one_that_was_meant_is_only_unknown(tmp_path: Path) -> None:
    quiz = changed("    explain:", "    explian: Again.\n    explain:")
    assert faults(tmp_path, quiz) == ["11: unknown key `explian`: did you mean `explain`?"]
    quiz = changed("    explain: One more than one.", "    expalin: One.\n    explian: One.")
    assert faults(tmp_path, quiz) == [
        "11: unknown key `expalin`: did you mean `explain`?",
        "12: unknown key `explian`: did you mean `explain`?",
    ]


def test_a_question_id_is_used_once(tmp_path: Path) -> None:
    again = GOOD[GOOD.index("  - id:") :]
    assert faults(tmp_path, GOOD + again) == [
        "16: question `one-and-one` is there already, in line 4: choose another id"
    ]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, ["6: 0 choices: write 2 to 12", "6: no choice is right: add `correct: true` to one"]),
        (1, ["6: 1 choice: write 2 to 12"]),
        (2, []),
        (12, []),
        (13, ["6: 13 choices: write 2 to 12"]),
    ],
)
def test_a_question_has_two_to_twelve_choices(
    tmp_path: Path, count: int, expected: list[str]
) -> None:
    choices = [f"{{text: {number}, correct: true}}" for number in range(count)]
    start, end = GOOD.index("    choices:"), GOOD.index("    explain:")
    quiz = f"{GOOD[:start]}    choices: [{', '.join(choices)}]\n{GOOD[end:]}"
    assert faults(tmp_path, quiz) == expected


def test_composed_and_decomposed_letters_are_twins(tmp_path: Path) -> None:
    quiz = changed("text: two", "text: é").replace("text: three", "text: e\u0301")
    assert faults(tmp_path, quiz) == ["9: looks like the choice in line 7: change one"]


def test_choices_differ_within_their_first_97_characters(tmp_path: Path) -> None:
    quiz = changed("text: two", f"text: {'x' * 97}y").replace("text: three", f"text: {'x' * 97}z")
    assert faults(tmp_path, quiz) == [
        "9: begins with the same 97 characters as the choice in line 7: let them differ earlier"
    ]
    quiz = changed("text: two", f"text: {'x' * 96}y").replace("text: three", f"text: {'x' * 96}z")
    assert faults(tmp_path, quiz) == []


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        ("q" * 300, []),
        ("🎛" * 300, []),
        ("q" * 301, ["5: warning: `ask` is 301 characters long, over the 300 of a poll: it goes"
                     " in a message before the poll"]),
    ],
)  # fmt: skip
def test_a_question_over_300_code_points_is_warned_of(
    tmp_path: Path, ask: str, expected: list[str]
) -> None:
    assert faults(tmp_path, changed("What is 1 + 1?", ask)) == expected


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("c" * 100, []),
        ("🎛" * 100, []),
        ("c" * 101, ["9: warning: `text` is 101 characters long, over the 100 of a poll's option:"
                     " the poll shows letters, the choices go in a message before it"]),
    ],
)  # fmt: skip
def test_a_choice_over_100_code_points_is_warned_of(
    tmp_path: Path, choice: str, expected: list[str]
) -> None:
    assert faults(tmp_path, changed("text: three", f"text: {choice}")) == expected


def test_the_message_before_a_poll_holds_4096_utf16_units(tmp_path: Path) -> None:
    # The question, a blank line, and the code.
    ask = "What is 1 + 1?"
    fits = changed("    choices:", f"    code: {'🎛' * 2040}\n    choices:")
    assert len(ask) + 2 + 2 * 2040 == 4096
    assert faults(tmp_path, fits) == []
    over = changed("    choices:", f"    code: {'🎛' * 2041}\n    choices:")
    assert faults(tmp_path, over) == [
        "4: question, code and choices are 4098 characters together, over the 4096 of a message:"
        " shorten them"
    ]


def test_tabs_in_code_become_spaces_that_keep_the_columns(tmp_path: Path) -> None:
    code = "    code: |\n      all:\n      \tgcc\tx\n    choices:"
    assert faults(tmp_path, changed("    choices:", code)) == []
    catalog, _ = load([tmp_path])
    quiz = catalog.quiz("sums", "en", "en")
    assert quiz
    assert quiz.questions[0].code == "all:\n    gcc x"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title: Суми\n", "", ["1: `title` is missing: the file needs it"]),
        ("title: Суми", "title: Суми\nlanguage: uk", [
            "2: `language` belongs in quiz.yaml, not in a translation: delete it here"
        ]),
        ("      - text: два", "      - text: два\n        correct: true", [
            "7: `correct` belongs in quiz.yaml, not in a translation: delete it here"
        ]),
        ("    explain", "    code: x\n    explain", [
            "9: `code` belongs in quiz.yaml, not in a translation: delete it here"
        ]),
        ("id: one-and-one", "id: one-and-on", [
            "2: question `one-and-one` is missing: translate it",
            "3: quiz.yaml has no question `one-and-on`: did you mean `one-and-one`?",
        ]),
        ("      - text: два\n", "", [
            "5: 1 choice, but quiz.yaml has 2: translate each, in the same order"
        ]),
        ("        why: Порахували зайвий раз.\n", "", [
            "7: `why` is missing: translate line 10 of quiz.yaml"
        ]),
        ("      - text: два", "      - text: два\n        why: так", [
            "7: quiz.yaml has no `why` here: add it there, or delete this"
        ]),
        ("    explain: На один більше за один.\n", "", [
            "3: `explain` is missing: translate line 11 of quiz.yaml"
        ]),
        ("title: Суми", "title: Суми\ndescription: Додавання.", [
            "2: quiz.yaml has no `description` here: add it there, or delete this"
        ]),
        ("text: три", "text: два", ["7: looks like the choice in line 6: change one"]),
        ("text: три", f"text: {'т' * 101}", [
            "7: warning: `text` is 101 characters long, over the 100 of a poll's option:"
            " the poll shows letters, the choices go in a message before it"
        ]),
    ],
)  # fmt: skip
def test_a_translation_keeps_step_with_its_quiz(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    assert faults(tmp_path, GOOD, changed(old, new, TRANSLATION)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title:", "titel:", "1: unknown key `titel`: did you mean `title`?"),
        ("why:", "whi:", "8: unknown key `whi`: did you mean `why`?"),
        ("explain:", "explian:", "9: unknown key `explian`: did you mean `explain`?"),
    ],
)
def test_a_misspelt_key_of_a_translation_is_named_once(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert faults(tmp_path, GOOD, changed(old, new, TRANSLATION)) == [expected]


def test_a_description_is_translated_too(tmp_path: Path) -> None:
    quiz = changed("title: Sums", "title: Sums\ndescription: Adding.")
    assert faults(tmp_path, quiz, TRANSLATION) == [
        "1: `description` is missing: translate line 3 of quiz.yaml"
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ["1: the file is empty"]),
        (b"# nothing but a comment\n", ["1: the file is empty"]),
        (b"- a\n", ["1: the file is a mapping: begin it with `language:`"]),
        (b"hello", ["1: the file is a mapping: begin it with `language:`"]),
        (GOOD.encode() + b"---\n" + GOOD.encode(), [
            "16: a second document begins here: delete the `---`"
        ]),
        (GOOD.replace("Sums", "Суми").encode("cp1251"), [
            "2: not UTF-8, byte 20: save the file as UTF-8"
        ]),
        (GOOD.replace("Sums", "Résumé").encode("cp1252"), [
            "2: not UTF-8, byte 21: save the file as UTF-8"
        ]),
        (GOOD.encode("utf-16"), ["1: not UTF-8, byte 0: this is UTF-16, save the file as UTF-8"]),
        (GOOD.encode("utf-16-le"), [
            "1: not UTF-8, byte 1: this is UTF-16, save the file as UTF-8"
        ]),
        (GOOD.encode("utf-16-be"), [
            "1: not UTF-8, byte 0: this is UTF-16, save the file as UTF-8"
        ]),
        (GOOD.encode("utf-32"), ["1: not UTF-8, byte 0: this is UTF-32, save the file as UTF-8"]),
        (b"\xef\xbb\xbflanguage: \xff", ["1: not UTF-8, byte 13: save the file as UTF-8"]),
        (GOOD.encode("utf-8-sig"), []),
        (GOOD.replace("\n", "\r\n").encode(), []),
        (GOOD.replace("\n", "\r").encode(), []),
        (b"---\n" + GOOD.encode() + b"...\n", []),
    ],
)  # fmt: skip
def test_a_file_is_one_utf8_document(tmp_path: Path, content: bytes, expected: list[str]) -> None:
    assert faults(tmp_path, content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a: &a [x, x]\n" + "".join(
            f"{here}: &{here} [{', '.join(f'*{before}' for _ in range(9))}]\n"
            for before, here in zip("abcdefgh", "bcdefghi", strict=True)
        ), SHARED),
        ("a: &a [*a]\n", SHARED),
        ("[" * 2000 + "]" * 2000, "1: nested deeper than 20 levels"),
        ("a: " + "{a: " * 2000 + "1" + "}" * 2000, "1: nested deeper than 20 levels"),
        ("".join(" " * depth + "-\n" for depth in range(2000)), "21: nested deeper than 20 levels"),
        ("[" * 2000, "1: nested deeper than 20 levels"),
    ],
)  # fmt: skip
def test_a_bomb_is_refused_at_once_with_one_line(
    tmp_path: Path, content: str, expected: str
) -> None:
    started = time.perf_counter()
    assert faults(tmp_path, content) == [expected]
    assert time.perf_counter() - started < 1


def test_a_tag_runs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "made"
    quiz = changed("title: Sums", f'title: !!python/object/apply:os.system ["touch {mark}"]')
    assert faults(tmp_path, quiz) == [
        "2: YAML reads `!!python/object/apply:os.system` as a tag, not as text: quote it"
    ]
    assert not mark.exists()


@settings(deadline=None)
@given(st.text(), st.sampled_from(["json", "ascii", "yaml", "block"]))
def test_any_quoted_text_loads_as_its_cleaned_self(
    tmp_path_factory: pytest.TempPathFactory, text: str, style: str
) -> None:
    match style:
        case "json":
            quoted = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")
            quoted = "".join(
                char if char.isprintable() or char == " " else f"\\U{ord(char):08X}"
                for char in quoted
            )
        case "ascii":
            quoted = "".join(f"\\U{ord(char):08X}" for char in text).join('""')
        case _:
            style = '"' if style == "yaml" else "|"
            quoted = yaml.safe_dump(text, default_style=style, allow_unicode=True, indent=8)
    folder = tmp_path_factory.mktemp("quoted")
    found = faults(folder, changed("title: Sums", f"title: {quoted}"))
    catalog, _ = load([folder])
    if is_blank(clean(text)):
        assert [fault.split(":")[1] for fault in found] == [" `title` is empty"]
        return
    assert found == []
    quiz = catalog.quiz("sums", "en", "en")
    assert quiz
    assert quiz.title == clean(text)


@settings(deadline=None)
@given(st.binary() | st.text(alphabet="ab:-#'\"[]{}&*!|>%@`,? \n\t\\").map(str.encode))
def test_no_bytes_make_the_loader_raise(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    assert faults(folder, content) != []
    faults(folder, GOOD.encode().replace(b"three", content, 1))
    faults(folder, GOOD, content)


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_the_schema_is_a_schema_and_describes_every_key() -> None:
    described = schema()
    Draft202012Validator.check_schema(described)
    keys = [
        (name, key)
        for name, part in described["$defs"].items()
        for key, value in part["properties"].items()
        if "description" not in value
    ]
    assert keys == []


_JSON_TYPES = ("bool", "int", "float", "null")
BANK = Path(__file__).parent / "banks" / "odd"


@pytest.mark.parametrize(
    "path", sorted(BANK.rglob("*.yaml")), ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_the_schema_takes_what_the_loader_takes(path: Path) -> None:
    data = json.loads(json.dumps(yaml.load(path.read_bytes(), Loader=_EditorLoader)))
    assert [error.message for error in Draft202012Validator(schema()).iter_errors(data)] == []


class _EditorLoader(yaml.SafeLoader):
    """Reads YAML as editors do, by its JSON schema: no dates, no merging."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in resolvers if tag.split(":")[-1] in _JSON_TYPES]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


@pytest.mark.parametrize(
    "change",
    [
        ("explain:", "expalin:"),
        ("    ask: What is 1 + 1?\n", ""),
        ("correct: true", 'correct: "true"'),
        ("language: en", "language: [en]"),
        ("id: one-and-one", "id: One And One"),
        ("title: Sums", "title: Sums\nlevel: Easy"),
        ("title: Sums", "title: Sums\nguide: ftp://x.org"),
        ("title: Sums", "title: Sums\ndescription:"),
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(change: tuple[str, str]) -> None:
    data: Any = yaml.safe_load(changed(*change))
    assert not Draft202012Validator(schema()).is_valid(data)
