"""The demo's chat page: learners on this machine talk to the bot in a browser."""

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit

from aiohttp import web

from bot.demo.backstage import Backstage
from bot.demo.chats import Person
from bot.demo.files import File
from bot.demo.tabs import Tabs
from bot.demo.telegram import LocalTelegram

_FILES = Path(__file__).with_name("page")
_CONTENT_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

_PNG = b"\x89PNG\r\n\x1a\n"

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_routes(
    app: web.Application,
    telegram: LocalTelegram,
    *,
    bot_name: str,
    learners: Sequence[Person],
    backstage: Backstage | None = None,
) -> None:
    """Serve the chat page at `/`, for these learners of `telegram`; at least one is needed.

    With a `backstage` the page also offers what is behind the chats. Only a browser on this
    machine is served: a request under another host name or from another site's page gets a 403.
    """
    tabs = Tabs(telegram, bot_name, learners, backstage)
    app.router.add_get("/", _only_from_here(_page_file("index.html")))
    app.router.add_get("/page/socket", _only_from_here(tabs.talk))
    app.router.add_get("/page/files/{id}", _only_from_here(_chat_file(telegram)))
    for path in sorted(_FILES.iterdir()):
        if path.suffix in _CONTENT_TYPES:
            app.router.add_get(f"/page/{path.name}", _only_from_here(_page_file(path.name)))
    app.on_shutdown.append(tabs.close)


def _only_from_here(handler: _Handler) -> _Handler:
    # Any site's page may send requests to this machine, by a name of its own that leads here
    # or across origins. Host and Origin tell, since a page cannot forge them.
    async def guarded(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if not _is_here(f"http://{request.host}", request):
            raise web.HTTPForbidden(text="This page is served to this machine alone.")
        if origin is not None and not _is_here(origin, request):
            raise web.HTTPForbidden(text="This page does not talk to other sites.")
        return await handler(request)

    return guarded


def _is_here(origin: str, request: web.Request) -> bool:
    assert request.transport is not None
    port = request.transport.get_extra_info("sockname")[1]
    with contextlib.suppress(ValueError):
        parts = urlsplit(origin)
        return (
            parts.scheme == "http"
            and parts.hostname in ("127.0.0.1", "localhost")
            and (parts.port or 80) == port
        )
    return False


def _page_file(name: str) -> _Handler:
    path = _FILES / name

    async def respond(request: web.Request) -> web.StreamResponse:
        # Not every browser counts a WebSocket among what 'self' allows.
        policy = (
            f"default-src 'self'; connect-src 'self' ws://{request.host}; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'; object-src 'none'"
        )
        content_type = f"{_CONTENT_TYPES[path.suffix]}; charset=utf-8"
        return web.FileResponse(path, headers=_headers(content_type, policy))

    return respond


def _chat_file(telegram: LocalTelegram) -> _Handler:
    """A photo to be shown, or a document to be saved, by any of its ids."""

    async def respond(request: web.Request) -> web.StreamResponse:
        file = telegram.files.get(request.match_info["id"])
        if file is None:
            raise web.HTTPNotFound
        # Whatever the bot sent, it may not act as a page of this server.
        headers = _headers(_content_type(file), "default-src 'none'; sandbox")
        if file.kind == "document":
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file.name)}"
        return web.Response(body=file.content, headers=headers)

    return respond


def _headers(content_type: str, policy: str) -> dict[str, str]:
    return {
        "Cache-Control": "no-store",
        "Content-Security-Policy": policy,
        "Content-Type": content_type,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def _content_type(file: File) -> str:
    # Telegram calls every photo a JPEG, but here the bytes stay as they were sent.
    is_png = file.kind == "photo" and file.content.startswith(_PNG)
    return "image/png" if is_png else file.mime_type
