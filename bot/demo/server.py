"""The Bot API over HTTP, as the bot meets it."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.demo.bot_api import Reply, call, refusal
from bot.demo.parameters import Parameters, Upload
from bot.demo.refusals import RefusedError, bad_request
from bot.demo.telegram import LocalTelegram

MAX_BODY_BYTES = 60 * 1024 * 1024
MAX_TOKEN = 80
SECONDS_TO_END = 0.1
"""How long calls may go on when the server stops; waiting getUpdates calls end at once."""

CHAT_ID = web.RequestKey("chat_id", str)
"""Where a request that has been read keeps which chat it names, for those who watch."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; `url` is the root that `/bot<token>/<method>` is appended to."""

    url: str
    port: int


def make_application(telegram: LocalTelegram) -> web.Application:
    """An application that answers the Bot API; more routes may be added to it."""

    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            method, parameters = await _read(telegram, request)
        except RefusedError as error:
            return _respond(refusal(error))
        except web.HTTPRequestEntityTooLarge:
            return _respond(refusal(RefusedError(413, "Request Entity Too Large")))
        request[CHAT_ID] = parameters.text("chat_id")
        reply = await call(telegram, method, parameters)
        if reply is not None:
            return _respond(reply)
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    @web.middleware
    async def say_not_found(request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            response: web.StreamResponse = await handler(request)
        except web.HTTPNotFound:
            return _respond(refusal(RefusedError(404, "Not Found")))
        return response

    async def stop_updates(_: web.Application) -> None:
        telegram.updates.close()
        await telegram.webhook.close()

    application = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=[say_not_found])
    application.router.add_route("*", r"/bot{call:.*}", answer)
    application.on_shutdown.append(stop_updates)
    return application


@asynccontextmanager
async def serve(
    telegram: LocalTelegram,
    host: str = "127.0.0.1",
    port: int = 0,
    application: web.Application | None = None,
) -> AsyncIterator[Server]:
    """Serve until the block ends; port 0 picks a free one."""
    telegram.updates.open()
    telegram.webhook.open()
    runner = web.AppRunner(
        application or make_application(telegram),
        handler_cancellation=True,
        access_log=None,
        shutdown_timeout=SECONDS_TO_END,
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        bound = runner.addresses[0][1]
        yield Server(f"http://{host}:{bound}", bound)
    finally:
        await runner.cleanup()


def _respond(reply: Reply) -> web.Response:
    if reply.page:
        return web.Response(text=reply.page, status=reply.status, content_type="text/html")
    headers = {}
    wait = reply.body.get("parameters", {}).get("retry_after")
    if wait is not None:
        headers["Retry-After"] = str(wait)
    return web.json_response(reply.body, status=reply.status, headers=headers)


async def _read(telegram: LocalTelegram, request: web.Request) -> tuple[str, Parameters]:
    token, _, method = request.match_info["call"].partition("/")
    if token.startswith("0") or len(token) > MAX_TOKEN or ":" not in token:
        raise RefusedError(401, "Unauthorized: invalid token specified")
    if token != telegram.token:
        raise RefusedError(401, "Unauthorized")
    raw: dict[str, str] = {}
    uploads: dict[str, Upload] = {}
    for name, text in request.query.items():
        raw.setdefault(name, text)
    try:
        for name, value in await _body(request):
            if isinstance(value, Upload):
                uploads.setdefault(name, value)
            else:
                raw.setdefault(name, value)
    except UnicodeError:
        raise bad_request("strings must be encoded in UTF-8") from None
    method = method.removeprefix("test/") or raw.get("method", "")
    return method, Parameters(raw, uploads)


def _part(value: str | bytes | bytearray | web.FileField) -> str | Upload:
    if isinstance(value, web.FileField):
        with value.file as file:
            return Upload(value.filename.rpartition("/")[2], file.read())
    return value if isinstance(value, str) else value.decode()


async def _body(request: web.Request) -> Iterable[tuple[str, str | Upload]]:
    """The parameters and the files in the body."""
    if request.content_type != "application/json":
        form = await request.post()
        return [(name, _part(value)) for name, value in form.items()]
    text = await request.text()
    if not text.strip():
        return []
    try:
        fields = json.loads(text)
    except ValueError:
        raise bad_request("can't parse request JSON object") from None
    json.dumps(fields, ensure_ascii=False).encode()  # halves of surrogate pairs have no UTF-8
    if not isinstance(fields, dict):
        raise bad_request("expected a JSON object as request")
    return [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in fields.items()
    ]
