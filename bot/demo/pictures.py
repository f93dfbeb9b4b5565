"""How large a picture is, read from the headers of PNG and JPEG."""

import zlib

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_WITH_SIZE = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The JPEG segments that begin a picture, and so tell its size."""


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None for what is no whole PNG and no JPEG."""
    if content.startswith(_PNG):
        return _png_size(content)
    if content.startswith(_JPEG):
        return _jpeg_size(content)
    return None


def _png_size(content: bytes) -> tuple[int, int] | None:
    """A PNG is chunks: length, kind, data, checksum; the first has the size, the last no data."""
    size = None
    start = len(_PNG)
    while start + 12 <= len(content):
        end = start + 8 + int.from_bytes(content[start : start + 4])
        kind, data = content[start + 4 : start + 8], content[start + 8 : end]
        if int.from_bytes(content[end : end + 4]) != zlib.crc32(kind + data):
            return None
        if kind == b"IHDR":
            size = int.from_bytes(data[:4]), int.from_bytes(data[4:8])
        if kind == b"IEND":
            return size
        start = end + 4
    return None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    """A JPEG is segments: a mark of two bytes, then a length that counts itself but no mark."""
    start = len(_JPEG)
    while start + 9 <= len(content) and content[start] == 0xFF:
        if content[start + 1] in _WITH_SIZE:
            height, width = content[start + 5 : start + 7], content[start + 7 : start + 9]
            return int.from_bytes(width), int.from_bytes(height)
        start += 2 + int.from_bytes(content[start + 2 : start + 4])
    return None
