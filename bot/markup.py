"""Text as Telegram's HTML, cut into messages that Telegram takes."""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import regex

from quizzes.wording import MESSAGE_LENGTH, is_blank, utf16_length

_GAP = "\n\n"
"""Between two blocks."""

# Searched backwards. Telegram strips the spaces that a message begins with, so that code is best
# cut before a line that is not indented.
_BEFORE_A_FLUSH_LINE = regex.compile(r"(?r)\n(?=[^ \n])")
_LINE_BREAK = regex.compile(r"(?r)\n")
_AFTER_A_SPACE = regex.compile(r"(?r)(?<= )(?!\p{M})")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words, in one style."""

    text: str
    style: Literal["plain", "bold", "italic"] = "plain"


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of a program, or of its output where no language is given."""

    text: str
    language: str = ""


Block = Paragraph | Code


def escape(text: str) -> str:
    """Text that reads back exactly as written from Telegram's HTML."""
    return html.escape(text, quote=False)


def render(blocks: Sequence[Block]) -> str:
    """The blocks as one message in Telegram's HTML, with an empty line between them."""
    return _GAP.join(_render(block) for block in blocks)


def split(blocks: Iterable[Block], limit: int = MESSAGE_LENGTH) -> list[list[Block]]:
    """The blocks spread over as few messages as their order allows, none over the limit.

    The limit is in UTF-16 units. A block moves to the next message as a whole where it fits one;
    else it is cut between lines, between words where a line alone is too long, and inside a word
    only where a word is.
    """
    messages: list[list[Block]] = []
    room = 0
    for block in blocks:
        for part, text in enumerate(_cut(block.text, limit)):
            if is_blank(text):
                continue  # Telegram refuses a message in which there is nothing to see.
            needed = utf16_length(text) + len(_GAP)
            # Two parts of a block in one message would have a gap between them.
            if part or needed > room:
                messages.append([])
                room = limit + len(_GAP)
            messages[-1].append(replace(block, text=text))
            room -= needed
    return messages


def fit(text: str, limit: int) -> str:
    """The text in at most so many characters: cut after a word, with an ellipsis, if it must be."""
    if len(text) <= limit:
        return text
    head = _graphemes_within(text, limit - 1, len)
    space = head.rfind(" ")
    if not text[len(head)].isspace() and space > len(head) // 2:
        head = head[:space]
    return head.rstrip() + "…"


def _render(block: Block) -> str:
    text = escape(block.text)
    match block:
        case Code(language=""):
            return f"<pre>{text}</pre>"
        case Code(language=language):
            return f'<pre><code class="language-{html.escape(language)}">{text}</code></pre>'
        case Paragraph(style="bold"):
            return f"<b>{text}</b>"
        case Paragraph(style="italic"):
            return f"<i>{text}</i>"
        case _:
            return text


def _cut(text: str, limit: int) -> Iterator[str]:
    """Parts of at most `limit` units; all that is left out is a line break between two of them."""
    while utf16_length(text) > limit:
        end = _end_of_part(text, len(_graphemes_within(text, limit, utf16_length)))
        yield text[:end]
        text = text[end:].removeprefix("\n")
    yield text


def _end_of_part(text: str, reach: int) -> int:
    """Where best to cut within so many characters: as late as possible, but not inside a word."""
    half = reach // 2
    cut = (
        _BEFORE_A_FLUSH_LINE.search(text, max(half, 1), reach + 2)
        or _LINE_BREAK.search(text, 1, reach + 1)
        or _AFTER_A_SPACE.search(text, half, reach)
    )
    return cut.start() if cut else reach


def _graphemes_within(text: str, limit: int, measure: Callable[[str], int]) -> str:
    """The longest start of a text, in whole graphemes, within a limit."""
    end = 0
    left = limit
    for grapheme in regex.finditer(r"\X", text, endpos=limit + 1):
        left -= measure(grapheme[0])
        if left < 0:
            break
        end = grapheme.end()
    # One grapheme may be longer than the limit (marks can be stacked without end): cut inside it.
    return text[:end] if end else text[: max(1, limit // 2)]
