"""What the commands write: lists for people and for tools, on whatever stream they are given."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TextIO

Format = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of a list."""

    line: str
    """As people read it."""
    fields: Mapping[str, str | int | None]
    """As tools read it."""


def write_list(
    entries: Sequence[Entry], nothing: str, output: Format, stdout: TextIO, stderr: TextIO
) -> None:
    """Write the entries, one a line or as JSON; where there are none, say `nothing` on stderr."""
    if not entries:
        stderr.write(f"{nothing}\n")
    if output == "json":
        stdout.write(f"{json.dumps([entry.fields for entry in entries], indent=2)}\n")
    else:
        stdout.writelines(f"{writable(stdout, entry.line)}\n" for entry in entries)


def minute(moment: datetime) -> str:
    """A time in UTC as lists show it."""
    return f"{moment:%Y-%m-%dT%H:%MZ}"


def writable(stream: TextIO, text: str) -> str:
    """The text with escapes for what the stream's encoding lacks, odd file names included."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
