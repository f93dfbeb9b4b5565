"""Telegram's HTML, with its leniencies and its errors. Errors count bytes, not characters."""

import re
from dataclasses import dataclass
from typing import Any

from bot.demo.refusals import RefusedError

_KINDS = {
    "a": "text_link",
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "u": "underline",
    "ins": "underline",
    "tg-spoiler": "spoiler",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
    "span": "spoiler",
    "pre": "pre",
    "code": "code",
    "blockquote": "blockquote",
}
_NAMED = {b"lt": "<", b"gt": ">", b"amp": "&", b"quot": '"'}
_SPACES = b" \t\r\n\v"
_HALVES_OF_A_PAIR = range(0xD800, 0xE000)
_MOST_REFERENCE_BYTES = 10


@dataclass(slots=True)
class _OpenTag:
    name: str
    argument: str
    offset: int
    """Where its text begins, in UTF-16 units."""
    begins_at: int
    """Where its text begins, in characters."""


def parse_html(markup: str) -> tuple[str, tuple[dict[str, Any], ...]]:
    """The text without its tags, and the entities; raises RefusedError for what is not HTML."""
    return _Parser(markup).parse()


def _cannot_parse(detail: str) -> RefusedError:
    return RefusedError(400, f"Bad Request: can't parse entities: {detail}")


class _Parser:
    def __init__(self, markup: str) -> None:
        # Telegram's parser takes a zero byte for the end; a text never holds one.
        self._bytes = markup.encode("utf-8", "surrogatepass").replace(b"\0", b" ")
        self._at = 0
        self._result: list[str] = []
        self._units = 0
        self._open: list[_OpenTag] = []
        self._entities: list[dict[str, Any]] = []

    def parse(self) -> tuple[str, tuple[dict[str, Any], ...]]:
        while self._at < len(self._bytes):
            if self._peek() == b"&" and (character := self._reference()):
                self._add(character)
            elif self._peek() != b"<":
                self._add(self._character())
            elif self._bytes[self._at + 1 : self._at + 2] == b"/":
                self._end_tag()
            else:
                self._start_tag()
        if self._open:
            name = self._open[-1].name
            raise _cannot_parse(f'Can\'t find end tag corresponding to start tag "{name}"')
        text = "".join(self._result)
        if any(ord(character) in _HALVES_OF_A_PAIR for character in text):
            raise _cannot_parse(
                "Text contains invalid Unicode characters after decoding HTML entities, "
                "check for unmatched surrogate code units"
            )
        for entity in self._entities:
            if entity["type"] == "code":
                entity.pop("language", None)
        return text, tuple(self._entities)

    def _peek(self) -> bytes:
        """The next byte; empty at the end."""
        return self._bytes[self._at : self._at + 1]

    def _is_space(self) -> bool:
        return self._peek() != b"" and self._peek() in _SPACES

    def _skip_spaces(self) -> None:
        while self._is_space():
            self._at += 1

    def _until(self, stops: bytes) -> str:
        """What stands before a space or one of these bytes, in lower case (ASCII alone)."""
        start = self._at
        while self._peek() and not self._is_space() and self._peek() not in stops:
            self._at += 1
        return self._bytes[start : self._at].lower().decode("utf-8", "replace")

    def _add(self, character: str) -> None:
        self._result.append(character)
        self._units += 1 + (character > "\uffff")

    def _character(self) -> str:
        first = self._bytes[self._at]
        width = 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
        start, self._at = self._at, self._at + width
        return self._bytes[start : self._at].decode("utf-8", "surrogatepass")

    def _reference(self) -> str | None:
        """The character that a reference such as `&lt;` stands for; None leaves it as it is."""
        start = end = self._at + 1
        if self._bytes[start : start + 1] == b"#":
            is_hex = self._bytes[start + 1 : start + 2] == b"x"
            digits = b"0123456789abcdefABCDEF" if is_hex else b"0123456789"
            start = end = start + 1 + is_hex
            while self._bytes[end : end + 1] and self._bytes[end] in digits:
                end += 1
            if start == end or end - self._at >= _MOST_REFERENCE_BYTES:
                return None
            code = int(self._bytes[start:end], 16 if is_hex else 10)
            if not 0 < code < 0x10FFFF:
                return None
            character: str | None = chr(code)
        else:
            while self._bytes[end : end + 1].isalpha():
                end += 1
            character = _NAMED.get(self._bytes[start:end])
        if character is not None:
            self._at = end + (self._bytes[end : end + 1] == b";")
        return character

    def _start_tag(self) -> None:
        begin = self._at
        self._at += 1
        name = self._until(b">")
        if not self._peek():
            raise _cannot_parse(f"Unclosed start tag at byte offset {begin}")
        if name not in _KINDS:
            raise _cannot_parse(f'Unsupported start tag "{name}" at byte offset {begin}')
        argument = ""
        while True:
            self._skip_spaces()
            if self._peek() == b">":
                break
            attribute, value = self._attribute(name, begin)
            argument = _argument(name, attribute, value, argument)
        self._at += 1
        if name == "span" and argument != "spoiler":
            raise _cannot_parse(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self._open.append(_OpenTag(name, argument, self._units, len(self._result)))

    def _attribute(self, tag: str, begin: int) -> tuple[str, str | None]:
        """An attribute's name and value; None for one without a value."""
        attribute = self._until(b"=>")
        if not attribute:
            raise _cannot_parse(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        self._skip_spaces()
        if self._peek() != b"=":
            if not self._peek():
                raise _cannot_parse(f'Unclosed start tag "{tag}" at byte offset {begin}')
            return attribute, None
        self._at += 1
        self._skip_spaces()
        if not self._peek():
            raise _cannot_parse(f'Unclosed start tag "{tag}" at byte offset {begin}')
        value = self._quoted() if self._peek() in b"'\"" else self._name_token()
        if not self._peek():
            raise _cannot_parse(f"Unclosed start tag at byte offset {begin}")
        return attribute, value

    def _name_token(self) -> str:
        start = self._at
        while self._peek().isalnum() or self._peek() in (b".", b"-"):
            self._at += 1
        if not self._is_space() and self._peek() != b">":
            raise _cannot_parse(f"Unexpected end of name token at byte offset {start}")
        return self._bytes[start : self._at].lower().decode()

    def _quoted(self) -> str:
        quote = self._peek()
        self._at += 1
        value = []
        while self._peek() and self._peek() != quote:
            reference = self._reference() if self._peek() == b"&" else None
            value.append(reference or self._character())
        if self._peek():
            self._at += 1
        return "".join(value)

    def _end_tag(self) -> None:
        begin = self._at
        if not self._open:
            raise _cannot_parse(f"Unexpected end tag at byte offset {begin}")
        self._at += 2
        name = self._until(b">")
        self._skip_spaces()
        if self._peek() != b">":
            raise _cannot_parse(f"Unclosed end tag at byte offset {begin}")
        self._at += 1
        opened = self._open[-1]
        if name and name != opened.name:
            raise _cannot_parse(
                f"Unmatched end tag at byte offset {begin}, "
                f'expected "</{opened.name}>", found "</{name}>"'
            )
        self._open.pop()
        if self._units > opened.offset:
            self._close(opened)

    def _close(self, tag: _OpenTag) -> None:
        entity: dict[str, Any] = {
            "type": _KINDS[tag.name],
            "offset": tag.offset,
            "length": self._units - tag.offset,
        }
        if tag.name == "a":
            url = _checked_url(tag.argument or "".join(self._result[tag.begins_at :]))
            if url is None:
                return
            entity["url"] = url
        elif tag.name == "tg-emoji":
            if not tag.argument.isdecimal() or int(tag.argument) == 0:
                raise _cannot_parse("Invalid custom emoji identifier specified")
            entity["custom_emoji_id"] = tag.argument
        elif tag.name == "tg-time":
            return  # read, but not shown in any way
        elif tag.name == "blockquote" and tag.argument:
            entity["type"] = "expandable_blockquote"
        elif tag.name == "code" and tag.argument:
            entity["language"] = tag.argument
        if tag.name in ("pre", "code") and self._joins_last(entity):
            return
        self._entities.append(entity)

    def _joins_last(self, entity: dict[str, Any]) -> bool:
        """`pre` and `code` with a language around the same text are one `pre`."""
        last = self._entities[-1] if self._entities else {}
        if {last.get("type"), entity["type"]} != {"pre", "code"}:
            return False
        language = last.get("language") or entity.get("language")
        same_span = (last["offset"], last["length"]) == (entity["offset"], entity["length"])
        if not same_span or not language:
            return False
        last |= {"type": "pre", "language": language}
        return True


def _argument(tag: str, attribute: str, value: str | None, before: str) -> str:
    """What a tag's attribute tells about it; other attributes are passed over."""
    if (tag, attribute) == ("blockquote", "expandable"):
        return "expandable"
    if value is None:
        return before
    match tag, attribute:
        case ("a", "href") | ("tg-emoji", "emoji-id"):
            return value
        case "code", "class" if value.startswith("language-"):
            return value.removeprefix("language-")
        case "span", "class" if value.startswith("tg-"):
            return value.removeprefix("tg-")
    return before


_HTTP_URL = re.compile(
    r"(?:(?P<scheme>https?)://)?(?P<host>[^\s/?#<>\"'@:]+(?::\d+)?)(?P<rest>.*)", re.I
)


def _checked_url(url: str) -> str | None:
    """A link as Telegram keeps it; None for what it silently drops."""
    link = url.strip()
    if link.lower().startswith(("tg://", "ton://")) and not link.startswith("tg://user"):
        return link
    match = _HTTP_URL.fullmatch(link)
    if match is None or ("." not in match["host"].strip(".") and match["host"] != "localhost"):
        return None
    scheme, rest = (match["scheme"] or "http").lower(), match["rest"]
    return f"{scheme}://{match['host']}{rest if rest.startswith('/') else '/' + rest}"
