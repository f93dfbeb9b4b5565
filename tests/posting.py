"""What stands between Telegram and a bot with a webhook, and where the bot listens."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web

from bot.demo.telegram import LocalTelegram
from bot.settings import Address, Hook

SECRET = "s3cret_-"
PATH = "/hook"


def free_address(host: str = "127.0.0.1") -> Address:
    """An address where nobody listens yet."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as unused:
        unused.bind((host, 0))
        return Address(host, unused.getsockname()[1])


def takes_local_webhooks(telegram: LocalTelegram) -> None:
    """Let the local Telegram post to plain HTTP on this machine."""
    telegram.local_webhooks = True


class Proxy:
    """A reverse proxy before the bot, as most bots with a webhook have one. It can fail."""

    def __init__(self, behind: Address) -> None:
        self.hook = Hook("", SECRET, behind)
        """What the bot is to be told."""
        self.loses_answers = False
        """Whether the bot gets what is posted, and Telegram never hears of it."""
        self.fails_with: int | None = None
        """A status that Telegram gets, and the bot nothing."""
        self.passed = asyncio.Event()
        """Set when the bot has answered."""

    async def passes_on(self, request: web.BaseRequest) -> web.Response:
        if self.fails_with is not None:
            return web.Response(status=self.fails_with)
        async with (
            aiohttp.ClientSession() as http,
            http.post(
                f"http://{self.hook.listen}{request.path}",
                data=await request.read(),
                headers=request.headers,
            ) as answer,
        ):
            status = answer.status
        self.passed.set()
        if self.loses_answers:
            assert request.transport is not None
            request.transport.abort()
        return web.Response(status=status)


@asynccontextmanager
async def proxied() -> AsyncIterator[Proxy]:
    """A proxy that listens before a bot which need not be there yet."""
    proxy = Proxy(free_address())
    runner = web.ServerRunner(web.Server(proxy.passes_on, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}{PATH}"
    proxy.hook = Hook(url, SECRET, proxy.hook.listen)
    try:
        yield proxy
    finally:
        await runner.cleanup()
