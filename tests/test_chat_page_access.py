"""Who is let in to the chat page: a browser on this machine, and no other site's page."""

import random
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from bot.demo.files import File
from bot.demo.page import add_routes
from bot.demo.telegram import LocalTelegram
from tests.clock import ManualClock
from tests.test_local_telegram_files import jpeg, png


@pytest.fixture
def telegram() -> LocalTelegram:
    return LocalTelegram(ManualClock(), token="1:x", random=random.Random(1))


@pytest.fixture
async def port(telegram: LocalTelegram) -> AsyncIterator[int]:
    """Where the page alone is served."""
    app = web.Application()
    add_routes(app, telegram, bot_name="Quiz tutor", learners=[telegram.add_person("Ann")])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield runner.addresses[0][1]
    await runner.cleanup()


async def status(port: int, path: str, **headers: str) -> int:
    url = f"http://127.0.0.1:{port}{path}"
    async with aiohttp.ClientSession() as http, http.get(url, headers=headers) as response:
        return response.status


@pytest.mark.parametrize("path", ["/", "/page/chat.js", "/page/socket", "/page/files/x"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1.evil.example:{port}"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:nonsense"},
        {"Origin": "http://evil.example:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "null"},
    ],
)
async def test_another_host_or_origin_is_refused(
    port: int, path: str, headers: dict[str, str]
) -> None:
    named = {name: value.format(port=port) for name, value in headers.items()}
    assert await status(port, path, **named) == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_is_let_in_by_both_of_its_names(port: int, host: str) -> None:
    here = f"{host}:{port}"
    assert await status(port, "/", Host=here, Origin=f"http://{here}") == 200


async def test_the_page_may_load_and_reach_nothing_but_its_own_server(port: int) -> None:
    url = f"http://127.0.0.1:{port}/"
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        policy = response.headers["Content-Security-Policy"].split("; ")
    assert policy[:2] == ["default-src 'self'", f"connect-src 'self' ws://127.0.0.1:{port}"]


async def test_the_socket_tells_a_tab_everything_at_once(port: int) -> None:
    url = f"ws://127.0.0.1:{port}/page/socket"
    async with aiohttp.ClientSession() as http, http.ws_connect(url) as socket:
        state = await socket.receive_json()
    assert [learner["name"] for learner in state["learners"]] == ["Ann"]
    assert state["bot"] == {"name": "Quiz tutor", "username": "quiz_tutor_bot"}


@pytest.mark.parametrize(
    ("content", "content_type"), [(png(), "image/png"), (jpeg(2, 1), "image/jpeg")]
)
async def test_a_photo_is_given_as_what_its_bytes_are_by_the_id_of_each_of_its_sizes(
    telegram: LocalTelegram, port: int, content: bytes, content_type: str
) -> None:
    photo = telegram.keep(File("photo", "chart", "x.png", "image/jpeg", content, 200, 100))
    url = f"http://127.0.0.1:{port}/page/files"
    async with aiohttp.ClientSession() as http:
        for file_id in photo.ids:
            async with http.get(f"{url}/{file_id}") as response:
                assert response.content_type == content_type
                assert await response.read() == content


async def test_a_document_is_only_ever_saved_and_can_do_nothing_as_a_page(
    telegram: LocalTelegram, port: int
) -> None:
    name = 'a "b"\r\nX: y.html'
    telegram.keep(File("document", "page", name, "text/html", b"<script>alert(1)</script>"))
    url = f"http://127.0.0.1:{port}/page/files/page"
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        headers = response.headers
        assert response.content_disposition is not None
        assert response.content_disposition.type == "attachment"
        assert response.content_disposition.filename == name
    assert headers["Content-Type"] == "text/html"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "X" not in headers


async def test_a_file_that_was_never_sent_is_not_found(port: int) -> None:
    assert await status(port, "/page/files/nothing") == 404
