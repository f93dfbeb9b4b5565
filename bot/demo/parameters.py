"""The parameters of one Bot API request, and how leniently Telegram reads them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_INTEGER = re.compile(r"\s*(-?)(\d*)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    name: str
    content: bytes


class Parameters:
    """All parameters as text, what each was read as, and the files that came along."""

    def __init__(self, raw: Mapping[str, str], uploads: Mapping[str, Upload] | None = None) -> None:
        self._raw = dict(raw)
        self.uploads = dict(uploads or {})
        self._read: dict[str, Any] = {}

    @property
    def decoded(self) -> dict[str, Any]:
        """Every parameter that was sent, as the method read it; unread ones as text. Files too."""
        return self.uploads | {
            name: self._read.get(name, value) for name, value in self._raw.items()
        }

    def text(self, name: str) -> str:
        """The text; empty when missing."""
        return self._raw.get(name, "")

    def boolean(self, name: str, *, default: bool = False) -> bool:
        """True for true, yes and 1 alone."""
        if name not in self._raw:
            return default
        value = self._raw[name].strip().lower() in ("true", "yes", "1")
        self._read[name] = value
        return value

    def integer(
        self, name: str, *, default: int = 0, least: int = -(2**63), most: int = 2**63 - 1
    ) -> int:
        """The digits that the value begins with, moved into the range; never an error."""
        if name not in self._raw:
            return default
        match = _INTEGER.match(self._raw[name])
        digits = match[1] + match[2] if match and match[2] else "0"
        value = min(max(int(digits[:40]), least), most)
        self._read[name] = value
        return value

    def json(self, name: str) -> Any:
        """The value that the text holds; raises ValueError when it is no JSON."""
        value = json.loads(self._raw.get(name, ""))
        self._read[name] = value
        return value
