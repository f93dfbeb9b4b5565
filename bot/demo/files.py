"""Photos and documents, as they are kept and as the Bot API writes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

LONGEST_SIDES = (90, 320, 800)
"""The copies of a photo that apps show where there is little room: their longer side at most."""

MAX_SIDE = 1280
"""The longer side of a photo at most: larger ones are scaled down."""


@dataclass(frozen=True, slots=True)
class File:
    """A file in a message. The bytes stay as they were sent, photos are not scaled."""

    kind: Literal["photo", "document"]
    id: str
    name: str
    mime_type: str
    content: bytes
    width: int = 0
    height: int = 0

    @property
    def ids(self) -> list[str]:
        """What the file may be sent by again; a photo's copies have ids of their own."""
        return [size["file_id"] for size in self._sizes()] if self.kind == "photo" else [self.id]

    @property
    def json(self) -> dict[str, Any]:
        """The field of a message that holds it: `photo` or `document`."""
        if self.kind == "photo":
            return {"photo": list(self._sizes())}
        return {
            "document": {
                "file_name": self.name,
                "mime_type": self.mime_type,
                "file_id": self.id,
                "file_unique_id": f"{self.id}-unique",
                "file_size": len(self.content),
            }
        }

    def _sizes(self) -> Iterator[dict[str, Any]]:
        longest = max(self.width, self.height)
        for most in (*(side for side in LONGEST_SIDES if side < longest), MAX_SIDE):
            scale = min(1.0, most / longest)
            file_id = self.id if most == MAX_SIDE else f"{self.id}-{most}"
            size = {
                "file_id": file_id,
                "file_unique_id": f"{file_id}-unique",
                "width": max(1, round(self.width * scale)),
                "height": max(1, round(self.height * scale)),
            }
            yield size | ({"file_size": len(self.content)} if most == MAX_SIDE else {})
