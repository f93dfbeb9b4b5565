"""Photos and documents that the bot sends: uploads, what is kept of them, and what is refused."""

import io
import json
import zlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import telegram

from bot.demo.chats import Chat, Message
from bot.demo.flood import FloodLimits
from bot.demo.pictures import picture_size
from tests.local_telegram import TOKEN, Answer, Bench, serving

ANN = 7


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def png(width: int = 2, height: int = 1, *, padding: int = 0) -> bytes:
    """A grey picture, with so many bytes in a comment."""
    header = width.to_bytes(4) + height.to_bytes(4) + bytes((8, 0, 0, 0, 0))
    pixels = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            chunk(b"IHDR", header),
            chunk(b"tEXt", b"x\0" + bytes(padding)),
            chunk(b"IDAT", pixels),
            chunk(b"IEND", b""),
        )
    )


def jpeg(width: int, height: int) -> bytes:
    """The beginning of a JPEG: all that its size is read from."""
    application = b"\xff\xe0" + (16).to_bytes(2) + b"JFIF\0" + bytes(9)
    frame = b"\xff\xc0" + (11).to_bytes(2) + b"\x08" + height.to_bytes(2) + width.to_bytes(2)
    return b"\xff\xd8" + application + frame + bytes(4)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        bench.telegram.send(bench.telegram.add_person("Ann", id=ANN), ANN, "/start")
        yield bench


@pytest.fixture
def shown(bench: Bench) -> Chat:
    return bench.telegram.chat(ANN)


async def upload(
    bench: Bench, method: str, parts: dict[str, tuple[str, bytes]], **parameters: Any
) -> Answer:
    """Call a method with files: the part's name, then the file's name and its bytes."""
    form = aiohttp.FormData()
    for name, value in ({"chat_id": ANN} | parameters).items():
        form.add_field(name, value if isinstance(value, str) else json.dumps(value))
    for name, (file_name, content) in parts.items():
        form.add_field(name, io.BytesIO(content), filename=file_name)
    async with bench.http.post(f"{bench.url}/bot{TOKEN}/{method}", data=form) as response:
        return Answer(response.status, await response.json(), response.headers)


async def photo(bench: Bench, content: bytes, **parameters: Any) -> Answer:
    return await upload(bench, "sendPhoto", {"photo": ("x.png", content)}, **parameters)


def newest(chat: Chat) -> Message:
    return chat.messages[-1]


async def test_a_photo_is_kept_and_told_in_its_sizes(bench: Bench, shown: Chat) -> None:
    content = png(1600, 800)
    answer = await photo(bench, content, caption="<b>Loss</b>", parse_mode="HTML")
    sent, file = answer.body["result"], newest(shown).file
    assert file is not None
    assert (file.content, newest(shown).text) == (content, "Loss")
    assert [(size["width"], size["height"]) for size in sent["photo"]] == [
        (90, 45),
        (320, 160),
        (800, 400),
        (1280, 640),
    ]
    assert sent["photo"][-1]["file_size"] == len(content)
    assert (sent["caption"], sent["caption_entities"], "text" in sent) == (
        "Loss",
        [{"type": "bold", "offset": 0, "length": 4}],
        False,
    )


async def test_a_document_is_kept_with_its_name_and_type(bench: Bench, shown: Chat) -> None:
    documents = [("my-data.json", b"{}"), ("notes.zzz", b"?")]
    for document in documents:
        await upload(bench, "sendDocument", {"document": document})
    told = [message.json["document"] for message in shown.messages[1:]]
    kept = [message.file.content for message in shown.messages if message.file]
    assert [(one["file_name"], one["mime_type"], one["file_size"]) for one in told] == [
        ("my-data.json", "application/json", 2),
        ("notes.zzz", "application/octet-stream", 1),
    ]
    assert kept == [b"{}", b"?"]


async def test_a_file_may_come_under_any_name_and_be_sent_again_by_any_of_its_ids(
    bench: Bench, shown: Chat
) -> None:
    answer = await upload(
        bench, "sendPhoto", {"chart": ("x.png", png(200, 100))}, photo="attach://chart"
    )
    small, large = answer.body["result"]["photo"]
    for size in (small, large):
        again = await bench.call("sendPhoto", chat_id=ANN, photo=size["file_id"])
        assert again["photo"] == [small, large]
    assert len({id(message.file) for message in shown.messages[1:]}) == 1


async def test_a_photo_stands_where_it_was_sent_and_has_its_buttons(bench: Bench) -> None:
    keyboard = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    forum = bench.telegram.add_group("Forum", [bench.telegram.people[ANN]], forum=True)
    bench.telegram.send(bench.telegram.people[ANN], forum.id, "/quiz", thread_id=5)
    answer = await photo(bench, png(), chat_id=forum.id, message_thread_id=5, reply_markup=keyboard)
    sent = answer.body["result"]
    assert (sent["message_thread_id"], sent["reply_markup"]) == (5, keyboard)


async def test_a_caption_can_be_changed_and_taken_away(bench: Bench, shown: Chat) -> None:
    where = {"chat_id": ANN, "message_id": (await photo(bench, png())).body["result"]["message_id"]}
    edited = await bench.call("editMessageCaption", caption=" new ", **where)
    cleared = await bench.call("editMessageCaption", **where)
    assert (edited["caption"], "caption" in cleared) == ("new", False)
    for parameters, description in (
        ({"caption": "x" * 1025}, "message caption is too long"),
        ({"message_id": 1}, "message can't be edited"),
    ):
        refusal = await bench.refusal("editMessageCaption", **(where | parameters))
        assert refusal == (400, f"Bad Request: {description}")
    refusal = await bench.refusal("editMessageText", text="x", **where)
    assert refusal == (400, "Bad Request: there is no text in the message to edit")
    text = await bench.call("sendMessage", chat_id=ANN, text="x")
    refusal = await bench.refusal(
        "editMessageCaption", caption="y", chat_id=ANN, message_id=text["message_id"]
    )
    assert refusal == (400, "Bad Request: there is no caption in the message to edit")


@pytest.mark.parametrize(
    ("method", "parameters", "description"),
    [
        ("sendPhoto", {}, "there is no photo in the request"),
        ("sendDocument", {}, "there is no document in the request"),
        ("sendPhoto", {"photo": "attach://x"}, "there is no photo in the request"),
        ("sendPhoto", {"photo": "nonsense"}, "wrong file identifier/HTTP URL specified"),
        ("sendPhoto", {"photo": "https://a.io/x.png"}, "failed to get HTTP URL content"),
        ("sendPhoto", {"chat_id": 99}, "there is no photo in the request"),
        ("sendPhoto", {"photo": "nonsense", "chat_id": 99}, "chat not found"),
    ],
)
async def test_a_file_must_be_there(
    bench: Bench, method: str, parameters: dict[str, Any], description: str
) -> None:
    refusal = await bench.refusal(method, **({"chat_id": ANN} | parameters))
    assert refusal == (400, f"Bad Request: {description}")


@pytest.mark.parametrize(
    ("content", "parameters", "description"),
    [
        (b"", {}, "file must be non-empty"),
        (b"no image", {}, "IMAGE_PROCESS_FAILED"),
        (png()[:-1], {}, "IMAGE_PROCESS_FAILED"),
        (png().replace(b"IDAT", b"IDAX"), {}, "IMAGE_PROCESS_FAILED"),
        (png(0, 0), {}, "IMAGE_PROCESS_FAILED"),
        (b"\xff\xd8\xff\xd9", {}, "IMAGE_PROCESS_FAILED"),
        (png(9999, 2), {}, "PHOTO_INVALID_DIMENSIONS"),
        (png(21, 1), {}, "PHOTO_INVALID_DIMENSIONS"),
        (png(), {"caption": "x" * 1025}, "message caption is too long"),
        (
            png(),
            {"caption": "<q>", "parse_mode": "HTML"},
            'can\'t parse entities: Unsupported start tag "q" at byte offset 0',
        ),
        (b"no image", {"reply_markup": "{"}, "can't parse reply keyboard markup JSON object"),
    ],
)
async def test_what_is_no_photo_for_telegram_is_refused(
    bench: Bench, shown: Chat, content: bytes, parameters: dict[str, Any], description: str
) -> None:
    answer = await photo(bench, content, **parameters)
    assert (answer.status, answer.body["description"]) == (400, f"Bad Request: {description}")
    assert len(shown.messages) == 1


async def test_a_photo_has_10_megabytes_at_most(bench: Bench) -> None:
    content = png(padding=10 * 1024 * 1024)
    answer = await photo(bench, content)
    assert answer.body["description"] == (
        f"Bad Request: file of size {len(content)} bytes is too big for a photo; "
        "the maximum size is 10485760 bytes"
    )


@pytest.mark.parametrize(
    ("content", "parameters"),
    [
        (png(20, 1), {}),
        (png(), {"caption": "😀" * 1024}),
        (png(), {"caption": "<b>" + "x" * 1024 + "</b>  ", "parse_mode": "HTML"}),
        (jpeg(640, 480), {}),
    ],
)
async def test_what_is_just_within_the_limits_of_a_photo_is_taken(
    bench: Bench, content: bytes, parameters: dict[str, Any]
) -> None:
    assert (await photo(bench, content, **parameters)).status == 200


async def test_a_document_is_no_photo(bench: Bench) -> None:
    answer = await upload(bench, "sendDocument", {"document": ("x.png", png())})
    file_id = answer.body["result"]["document"]["file_id"]
    refusal = await bench.refusal("sendPhoto", chat_id=ANN, photo=file_id)
    assert refusal == (400, "Bad Request: can't use file of type Document as Photo")


@pytest.mark.parametrize(("kind", "content"), [("photo", png()), ("document", b"x")])
async def test_members_may_be_denied_files(bench: Bench, kind: str, content: bytes) -> None:
    group = bench.telegram.add_group("Class", [bench.telegram.people[ANN]])
    bench.telegram.deny(group, f"can_send_{kind}s")
    answer = await upload(
        bench, f"send{kind.capitalize()}", {kind: ("x", content)}, chat_id=group.id
    )
    assert answer.body["description"] == (
        f"Bad Request: not enough rights to send {kind}s to the chat"
    )


async def test_files_count_as_messages_and_new_captions_do_not() -> None:
    async with serving(flood=FloodLimits(chat_burst=2)) as bench:
        bench.telegram.send(bench.telegram.add_person("Ann", id=ANN), ANN, "/start")
        sent = (await photo(bench, png())).body["result"]
        for number in range(9):
            await bench.call(
                "editMessageCaption",
                chat_id=ANN,
                message_id=sent["message_id"],
                caption=f"{number}",
            )
        document = {"document": ("x", b"x")}
        statuses = [(await upload(bench, "sendDocument", document)).status for _ in range(2)]
    assert statuses == [200, 429]


async def test_the_log_keeps_what_was_uploaded(bench: Bench) -> None:
    await photo(bench, png())
    (request,) = bench.telegram.calls("sendPhoto")
    assert request.parameters["photo"].content == png()


@pytest.mark.parametrize(
    ("content", "size"),
    [(png(300, 200), (300, 200)), (jpeg(640, 480), (640, 480)), (b"GIF89a", None), (b"", None)],
)
def test_the_size_of_a_picture_is_read_from_its_header(
    content: bytes, size: tuple[int, int] | None
) -> None:
    assert picture_size(content) == size


async def test_python_telegram_bot_sends_files_and_understands_what_comes_back(
    bench: Bench, shown: Chat
) -> None:
    async with telegram.Bot(TOKEN, base_url=f"{bench.url}/bot") as bot:
        picture = await bot.send_photo(ANN, png(100, 100), caption="A", filename="loss.png")
        again = await bot.send_photo(ANN, picture.photo[0].file_id)
        attached = telegram.InputFile(b"{}", filename="data.json", attach=True)
        document = await bot.send_document(ANN, attached)
        edited = await bot.edit_message_caption(ANN, picture.message_id, caption="B")
    assert (picture.photo[-1].width, again.photo) == (100, picture.photo)
    assert document.document is not None
    assert (document.document.file_name, document.document.file_size) == ("data.json", 2)
    assert isinstance(edited, telegram.Message)
    assert (edited.caption, len(shown.messages)) == ("B", 4)
