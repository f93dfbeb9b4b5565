"""Marked-up text: what Telegram makes of HTML, of entities, and of plain text."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.demo.html_markup import parse_html
from bot.demo.refusals import bad_request

MAX_RAW_BYTES = 32768
Entity = dict[str, Any]

# Control characters become spaces; carriage returns, line and paragraph separators, directional
# marks and three combining lines vanish.
_CLEANED: dict[int, str | None] = (
    {code: " " for code in range(32) if chr(code) not in "\n\r"}
    | {ord("\r"): None}
    | dict.fromkeys(range(0x2028, 0x202F))
    | dict.fromkeys((0x0333, 0x033F, 0x030A))
)
_INVISIBLE = re.compile(
    "[ \n\u00a0\u1680\u180e\u2000-\u200f\u202e\u202f\u205f\u2800\u3000\ufeff\ufffc"
    "\U000e0080\U000e0081]*"
)
_MARKS = re.compile("[\u200e\u200f]{2,}")
_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>\"]*[^\s<>\".,:;!?'()\[\]{}])"
    r"|(?<![\w/@.])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?)(?![\w/])"
    r"|(?<![\w/@.])(?P<mention>@[A-Za-z]\w{3,31})\b"
    r"|(?<![\w#])(?P<hashtag>\#(?=\w*[^\W\d])\w{1,256})"
)
_IN_WHICH_NOTHING_IS_FOUND = frozenset({"code", "pre", "text_link", "text_mention", "url"})
_QUOTES = ("blockquote", "expandable_blockquote")
_STYLES = ("bold", "italic", "underline", "strikethrough", "spoiler")
_OTHER_RANK = 50
_RANKS = (
    dict.fromkeys(_QUOTES, 0)
    | {"pre": 10, "code": 20, "text_link": 49, "custom_emoji": 99}
    | {style: 90 + position for position, style in enumerate(_STYLES)}
)
"""Which of several entities with the same span comes first."""
_GIVEN = frozenset({*_RANKS, "mention", "hashtag", "bot_command", "url", "email"})
"""The kinds that a request may name itself; others are passed over."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text and what stands out in it; offsets and lengths count UTF-16 units."""

    plain: str = ""
    entities: tuple[Entity, ...] = ()


EMPTY = Text()


def read_text(raw: str, parse_mode: str, entities: Any = None) -> Text:
    """What stands in a request, before cleaning: HTML, or plain text with given entities.

    Markdown is not spoken here: its parse modes are refused like unknown ones.
    """
    if parse_mode.strip().lower() not in ("", "none", "html"):
        raise bad_request("unsupported parse_mode")
    if len(raw.encode("utf-8", "surrogatepass")) > MAX_RAW_BYTES:
        raise bad_request("text is too long")
    if parse_mode.strip().lower() == "html":
        return Text(*parse_html(raw))
    return Text(raw, tuple(_given(entities)) if isinstance(entities, list) else ())


def tidy(text: Text, *, find: bool = True, keep: frozenset[str] | None = None) -> Text:
    """The text as Telegram keeps it: cleaned, trimmed, with links and commands found.

    `keep` names the only kinds of entities that stay. Empty when nothing visible is left.
    """
    kept = [entity for entity in text.entities if keep is None or entity["type"] in keep]
    plain, moved = _clean(text.plain, kept)
    plain, moved = _trim(plain, moved)
    if _INVISIBLE.fullmatch(plain):
        return EMPTY
    if find:
        moved += _found(plain, moved)
    return Text(plain, tuple(_nested(moved)))


def written_by_person(raw: str) -> Text:
    """What a person's app sends for what they typed."""
    return tidy(Text(raw))


def utf16_length(text: str) -> int:
    """How many UTF-16 units a text has: two for an emoji."""
    return len(text) + sum(character > "\uffff" for character in text)


def _given(entities: Iterable[Any]) -> Iterable[Entity]:
    for entity in entities:
        if not isinstance(entity, dict):
            raise bad_request("can't parse MessageEntity: expected an Object")
        for name in ("offset", "length"):
            if not isinstance(entity.get(name), int):
                raise bad_request(
                    f'can\'t parse MessageEntity: Field "{name}" must be of type Number'
                )
        if entity.get("type") in _GIVEN:
            yield entity


def _clean(plain: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    units = [0]
    """Where each UTF-16 unit of the text before stands in the cleaned one."""
    cleaned = []
    for character in plain:
        replaced = _CLEANED.get(ord(character), character)
        width = 1 + (character > "\uffff")
        begin = units[-1]
        units += [begin + (unit + 1 if replaced else 0) for unit in range(width)]
        cleaned.append(replaced or "")
    moved = []
    for entity in entities:
        start = units[min(max(entity["offset"], 0), len(units) - 1)]
        end = units[min(max(entity["offset"] + entity["length"], 0), len(units) - 1)]
        moved.append(entity | {"offset": start, "length": end - start})
    text = "".join(cleaned)
    return _MARKS.sub(lambda run: "\u200c" * (len(run[0]) - 1) + run[0][-1], text), moved


def _trim(plain: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Cut spaces and line feeds at both ends; entities never begin with them."""
    units = plain.encode("utf-16-le", "surrogatepass")

    def is_space(unit: int) -> bool:
        return units[2 * unit : 2 * unit + 2] in (b" \0", b"\n\0")

    first, last = 0, len(units) // 2
    while last > 0 and is_space(last - 1):
        last -= 1
    while first < last and is_space(first):
        first += 1
    trimmed = []
    for entity in entities:
        start, end = entity["offset"], min(entity["offset"] + entity["length"], last)
        while start < end and is_space(start):
            start += 1
        if start < end:
            trimmed.append(entity | {"offset": start - first, "length": end - start})
    return units[2 * first : 2 * last].decode("utf-16-le", "surrogatepass"), trimmed


def _found(plain: str, entities: list[Entity]) -> list[Entity]:
    taken = [
        range(entity["offset"], entity["offset"] + entity["length"])
        for entity in entities
        if entity["type"] in _IN_WHICH_NOTHING_IS_FOUND
    ]
    found = []
    for match in _FOUND.finditer(plain):
        start = utf16_length(plain[: match.start()])
        end = start + utf16_length(match[0])
        if not any(start < span.stop and span.start < end for span in taken):
            found.append({"type": match.lastgroup, "offset": start, "length": end - start})
    return found


def _nested(entities: list[Entity]) -> list[Entity]:
    """In Telegram's order, without what cannot stand inside another.

    Links, code and the like never overlap: the outer one stays. Bold and such never cover code;
    pieces of one style that touch become one.
    """
    solid: list[Entity] = []
    for entity in sorted(entities, key=_order):
        is_solid = entity["type"] not in _STYLES and entity["type"] not in _QUOTES
        if is_solid and not any(_overlap(entity, other) for other in solid):
            solid.append(entity)
    code = [entity for entity in solid if entity["type"] in ("code", "pre")]
    kept = solid + [entity for entity in entities if entity["type"] in _QUOTES]
    for style in _STYLES:
        covered = {
            unit
            for entity in entities
            if entity["type"] == style
            for unit in range(entity["offset"], _end(entity))
        }
        for entity in code:
            covered -= set(range(entity["offset"], _end(entity)))
        kept += [
            {"type": style, "offset": start, "length": length} for start, length in _runs(covered)
        ]
    return sorted(kept, key=_order)


def _runs(units: set[int]) -> Iterable[tuple[int, int]]:
    """Where each run of neighbours begins, and how long it is."""
    start = length = 0
    for unit in sorted(units):
        if length and unit == start + length:
            length += 1
            continue
        if length:
            yield start, length
        start, length = unit, 1
    if length:
        yield start, length


def _end(entity: Entity) -> int:
    return int(entity["offset"] + entity["length"])


def _overlap(one: Entity, other: Entity) -> bool:
    return bool(one["offset"] < _end(other) and other["offset"] < _end(one))


def _order(entity: Entity) -> tuple[int, int, int]:
    return entity["offset"], -entity["length"], _RANKS.get(entity["type"], _OTHER_RANK)


def read_entities(raw: str) -> Any:
    """The entities that a request names; unreadable ones count as none, as in Telegram."""
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return None
