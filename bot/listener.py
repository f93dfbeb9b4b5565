"""A small HTTP server of the bot's own, at one address and for few callers."""

import logging
import os
from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.settings import Address

SECONDS_TO_END = 0.5
"""How long a request that is under way may go on when the server closes."""

LINGER_SECONDS = 1.0
"""How long what a refused caller still sends is read, so that they hear why."""

log = logging.getLogger(__name__)

# aiohttp would log a traceback for whatever a stranger sends; our own errors are logged here.
_silent = logging.Logger("silent", logging.CRITICAL)

Answer = Callable[[web.BaseRequest], Awaitable[web.Response]]


class ListenError(OSError):
    """The server can't listen; the message names the setting and says why."""


class Listener:
    """Serves one handler, to which paths and methods are left."""

    def __init__(self, setting: str, address: Address, answer: Answer) -> None:
        """`setting` is what an operator knows the address by."""
        self._setting = setting
        self._address = address
        self._answer = answer
        self._runner: web.ServerRunner | None = None

    @property
    def port(self) -> int:
        """The port that is listened at, also where 0 let the machine choose one."""
        assert self._runner is not None
        return int(self._runner.addresses[0][1])

    async def open(self) -> None:
        """Begin to listen. Raises ListenError."""
        server = web.Server(
            self._serve, access_log=None, logger=_silent, lingering_time=LINGER_SECONDS
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=SECONDS_TO_END)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._address.host, self._address.port).start()
        except OSError as error:
            await self.close()
            raise ListenError(
                f"{self._setting} can't be used: nobody can listen at {self._address} "
                f"({_reason(error)})."
            ) from error

    async def close(self) -> None:
        """Listen no more; what is under way is ended within twice SECONDS_TO_END."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _serve(self, request: web.BaseRequest) -> web.Response:
        try:
            return await self._answer(request)
        except (web.HTTPException, ConnectionError):
            raise
        except Exception:
            log.exception("A request at %s failed.", self._setting)
            return respond(500)


def respond(
    status: int, body: bytes = b"", content_type: str = "text/plain", allow: str | None = None
) -> web.Response:
    """A response that says nothing of the program behind it; `allow` goes with a 405."""
    headers = {"Server": "", "Content-Type": content_type}
    if allow is not None:
        headers["Allow"] = allow
    return web.Response(status=status, body=body, headers=headers)


def _reason(error: OSError) -> str:
    # asyncio wraps the system's words in its own; of a name that is unknown there are no others.
    known = error.errno is not None and error.errno > 0
    return os.strerror(error.errno or 0) if known else str(error.strerror)
