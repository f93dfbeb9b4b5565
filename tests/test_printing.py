"""The lists that commands write, on streams of all kinds."""

import io

from bot.printing import Entry, Format, write_list


def written(output: Format, encoding: str) -> bytes:
    """What a stream gets of a list with one entry."""
    raw = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding=encoding)
    write_list([Entry("Łódź \udcff", {"city": "Łódź \udcff"})], "", output, stdout, io.StringIO())
    stdout.flush()
    return raw.getvalue()


def test_what_a_stream_cannot_write_is_escaped_for_people_and_for_tools() -> None:
    assert written("text", "ascii") == b"\\u0141\\xf3d\\u017a \\udcff\n"
    assert written("text", "utf-8") == "Łódź \\udcff\n".encode()
    assert b'"city": "\\u0141\\u00f3d\\u017a \\udcff"' in written("json", "ascii")
