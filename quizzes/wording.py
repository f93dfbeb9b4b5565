"""What Telegram makes of a text: what it deletes, how long it may be, what looks the same.

The rules are those of TDLib, which the Bot API server is built on (`clean_input_string`,
`strip_empty_characters`), and of the Bot API's `sendPoll` and `sendMessage`.
"""

import re
import unicodedata

QUESTION_LENGTH = 300
"""What a poll's question holds, in code points."""
QUESTION_LINES = 3
"""What of a poll's question clients show, in lines."""
CHOICE_LENGTH = 100
"""What a poll's option holds, in code points."""
FEWEST_CHOICES = 2
MOST_CHOICES = 12
MESSAGE_LENGTH = 4096
"""What a message holds, in UTF-16 units: the stricter of the two readings of the limit."""
LOOKALIKE_LENGTH = 97
"""Code points by which two choices must differ: what is left of a choice that is shortened."""
SNIPPET_LINES = 12
SNIPPET_WIDTH = 46
"""Code points of a line that a narrow phone shows without breaking it."""
TAB_WIDTH = 4

_DELETED = re.compile("[\r\u2028-\u202e\u030a\u0333\u033f]")
_MADE_SPACES = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f]")
_MARK_RUNS = re.compile("[\u200e\u200f](?=[\u200e\u200f])")
_CHANGED = re.compile("[\x00-\x09\x0b-\x1f\u200e\u200f\u2028-\u202e\u030a\u0333\u033f]")
"""All that the three above look for: most texts hold none of it."""
_NOTHING_TO_SEE = re.compile(
    "[ \n\u00a0\u1680\u180e\u2000-\u200f\u202e\u202f\u205f\u2060-\u2064\u2066-\u2069\u2800\u3000"
    "\ufeff\ufffc\U000e0000-\U000e007f]*"
)
# Without the joiners, which change how emoji and many scripts look.
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u2060-\u2064\u2066-\u2069\ufeff]")


def clean(text: str) -> str:
    """The text as it arrives after Telegram has cleaned it. Line breaks inside stay."""
    return _without_what_telegram_deletes(text).strip(" \n")


def clean_code(code: str) -> str:
    """Code as it arrives, columns kept: tabs are spaces, blank lines around it are gone."""
    lines = _without_what_telegram_deletes(code.expandtabs(TAB_WIDTH)).split("\n")
    return "\n".join(line.rstrip(" ") for line in lines).strip("\n")


def _without_what_telegram_deletes(text: str) -> str:
    if _CHANGED.search(text) is None:
        return text
    if "\u030a" in text:
        # Composed first, "å" keeps the ring that Telegram deletes where it stands by itself.
        text = unicodedata.normalize("NFC", text)
    text = _MADE_SPACES.sub(" ", _DELETED.sub("", text))
    return _MARK_RUNS.sub("\u200c", text)


def is_blank(text: str) -> bool:
    """Whether Telegram would refuse the text as empty, or a reader would see nothing."""
    return _NOTHING_TO_SEE.fullmatch(text) is not None


def looks(text: str) -> str:
    """Equal for cleaned texts that a reader cannot tell apart."""
    visible = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return visible.replace("\u00a0", " ").strip(" \n")


def utf16_length(text: str) -> int:
    """The length in UTF-16 units, by which Telegram counts entities and we count messages."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def long_form_length(ask: str, code: str | None, choices: list[str]) -> int:
    """UTF-16 units of the message before a poll that cannot hold its question; 0 without one.

    That message holds the question, the code and, where one choice is too long for a poll, a line
    `A. ...` for each choice.
    """
    lettered = any(len(choice) > CHOICE_LENGTH for choice in choices)
    if code is None and len(ask) <= QUESTION_LENGTH and not lettered:
        return 0
    blocks = [ask]
    if code is not None:
        blocks.append(code)
    if lettered:
        blocks.append("\n".join(f"A. {choice}" for choice in choices))
    return utf16_length("\n\n".join(blocks))
