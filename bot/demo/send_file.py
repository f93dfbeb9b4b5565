"""sendPhoto and sendDocument, with their checks in Telegram's order."""

import mimetypes
from typing import Any

from bot.demo.entities import tidy
from bot.demo.files import File
from bot.demo.parameters import Parameters, Upload
from bot.demo.pictures import picture_size
from bot.demo.refusals import bad_request
from bot.demo.sending import CAPTION_TOO_LONG, MAX_CAPTION, check_place, find_place, formatted, post
from bot.demo.telegram import LocalTelegram

MAX_PHOTO_BYTES = 10 * 1024 * 1024
MAX_SIDES = 10_000
"""Width and height of a photo together, in pixels."""
MAX_RATIO = 20
UNKNOWN_TYPE = "application/octet-stream"
_ATTACHED = "attach://"


def send_photo(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """sendPhoto. PNG and JPEG count as images, all else does not."""
    return _send(telegram, parameters, "photo")


def send_document(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """sendDocument."""
    return _send(telegram, parameters, "document")


def _send(telegram: LocalTelegram, parameters: Parameters, kind: str) -> dict[str, Any]:
    source = _source(parameters, kind)
    raw = formatted(parameters, "caption", entities="caption_entities")
    place = find_place(telegram, parameters)
    file = _known(telegram, source, kind) if isinstance(source, str) else None
    if isinstance(source, Upload) and not source.content:
        raise bad_request("file must be non-empty")
    caption = tidy(raw)
    if len(caption.plain) > MAX_CAPTION:
        raise bad_request(CAPTION_TOO_LONG)
    check_place(telegram, place, f"{kind}s")
    if isinstance(source, Upload):
        file = _stored(telegram, source, kind)
    return post(telegram, place, content=caption, file=file)


def _source(parameters: Parameters, kind: str) -> Upload | str:
    """An uploaded file, or what names one that Telegram has."""
    named = parameters.text(kind)
    is_attached = named.startswith(_ATTACHED)
    if named and not is_attached:
        return named
    upload = parameters.uploads.get(named.removeprefix(_ATTACHED) if is_attached else kind)
    if upload is None:
        raise bad_request(f"there is no {kind} in the request")
    return upload


def _known(telegram: LocalTelegram, named: str, kind: str) -> File:
    if "://" in named:
        # Nothing is fetched from elsewhere: no address can be reached from here.
        raise bad_request("failed to get HTTP URL content")
    file = telegram.files.get(named)
    if file is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    if file.kind != kind:
        found, wanted = file.kind.capitalize(), kind.capitalize()
        raise bad_request(f"can't use file of type {found} as {wanted}")
    return file


def _stored(telegram: LocalTelegram, upload: Upload, kind: str) -> File:
    file_id = f"{telegram.random.getrandbits(128):032x}"
    if kind == "document":
        mime_type = mimetypes.guess_type(upload.name)[0] or UNKNOWN_TYPE
        return telegram.keep(File("document", file_id, upload.name, mime_type, upload.content))
    size = len(upload.content)
    if size > MAX_PHOTO_BYTES:
        raise bad_request(
            f"file of size {size} bytes is too big for a photo; "
            f"the maximum size is {MAX_PHOTO_BYTES} bytes"
        )
    sides = picture_size(upload.content)
    if sides is None or 0 in sides:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if sum(sides) > MAX_SIDES or max(sides) > MAX_RATIO * min(sides):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return telegram.keep(File("photo", file_id, upload.name, "image/jpeg", upload.content, *sides))
