"""python-telegram-bot's request layer over aiohttp, and calls of the Bot API by name."""

import os
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import orjson
import telegram
from telegram import InputFile
from telegram.error import NetworkError, TelegramError
from telegram.request import BaseRequest, RequestData
from yarl import URL

from bot.clock import Clock
from bot.updates import read_json

# Without this python-telegram-bot warns of a coming change at every 429 (its v22.2 notes).
os.environ.setdefault("PTB_TIMEDELTA", "1")

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 20.0
"""How long an answer may take before we give up on it. Telegram has the request all the same."""

IDLE_SECONDS = 10.0
"""How long an unused connection is kept; Telegram closes them after a while of its own."""

_JSON_HEADERS = {"Content-Type": "application/json"}


class NotSentError(NetworkError):
    """The request never went out: it may be made again."""


class ResponseLostError(NetworkError):
    """The request went out and no answer came: nobody knows whether it was carried out."""


@dataclass(frozen=True, slots=True)
class _JsonData:
    """Parameters without files as one JSON object: cheaper by far than a form with JSON in it.

    The Bot API takes either ("Making requests"). Stands in for python-telegram-bot's RequestData,
    which is final: `BaseRequest.post` hands it on to `do_request` as it is.
    """

    body: bytes


class AiohttpRequest(BaseRequest):
    """HTTP by aiohttp, which stays fast where httpx slows down with parallel calls."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        return ANSWER_SECONDS

    async def initialize(self) -> None:
        if self._session is None:
            trace = aiohttp.TraceConfig()
            trace.on_request_headers_sent.append(_note_departure)
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
                trace_configs=[trace],
            )

    async def shutdown(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Make one request; status and body.

        Raises NotSentError when it never went out, ResponseLostError when it may have been
        carried out. Messages name no address: it holds the token.
        """
        if self._session is None:
            raise NotSentError("The connection to Telegram is closed.")
        seconds = ANSWER_SECONDS if read_timeout is BaseRequest.DEFAULT_NONE else read_timeout
        progress = SimpleNamespace(departed=False)
        body = _body(request_data)
        try:
            async with (
                self._clock.timeout(seconds),
                self._session.request(
                    method,
                    _address(url),
                    data=body,
                    headers=_JSON_HEADERS if isinstance(body, bytes) else None,
                    trace_request_ctx=progress,
                ) as response,
            ):
                return response.status, await response.read()
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            cause = type(error).__name__
            if progress.departed:
                raise ResponseLostError(f"No answer from Telegram ({cause})") from None
            raise NotSentError(f"Telegram is out of reach ({cause})") from None

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        try:
            parsed = read_json(payload)
        except ValueError:
            raise TelegramError("The answer is no JSON") from None
        if not isinstance(parsed, dict):
            raise TelegramError("The answer is no JSON object")
        return parsed


# To take an address apart anew takes a tenth of a call. There are as many as methods.
_address = cache(URL)


async def _note_departure(
    _session: aiohttp.ClientSession,
    context: SimpleNamespace,
    _params: aiohttp.TraceRequestHeadersSentParams,
) -> None:
    context.trace_request_ctx.departed = True


def _body(
    request_data: RequestData | _JsonData | None,
) -> bytes | dict[str, str] | aiohttp.FormData | None:
    if request_data is None:
        return None
    if isinstance(request_data, _JsonData):
        return request_data.body
    if not request_data.contains_files:
        return request_data.json_parameters
    form = aiohttp.FormData(request_data.json_parameters)
    for field, (file_name, content, mime_type) in request_data.multipart_data.items():
        form.add_field(field, content, filename=file_name, content_type=mime_type)
    return form


class BotApi(telegram.Bot):
    """python-telegram-bot's Bot, with calls by name that give back the plain JSON.

    Results stay unparsed on purpose: an older Bot API server leaves out fields that
    python-telegram-bot insists on, and a question that was sent must count as sent.
    """

    def __init__(self, token: str, clock: Clock, root: str | None = None) -> None:
        request = AiohttpRequest(clock)
        root = (root or "https://api.telegram.org").rstrip("/")
        super().__init__(
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=request,
            get_updates_request=request,
        )

    async def open(self) -> None:
        """Make ready for calls, without making one."""
        await self.request.initialize()

    async def close_connections(self) -> None:
        await self.request.shutdown()

    async def call(
        self, method: str, params: dict[str, Any] | None = None, answer_within: float | None = None
    ) -> Any:
        """Call a method of the Bot API; its `result`, as plain JSON."""
        timeout = BaseRequest.DEFAULT_NONE if answer_within is None else answer_within
        params = params or {}
        if any(isinstance(value, InputFile) for value in params.values()):
            answer = self._post(method, params, read_timeout=timeout)
        else:
            url = f"{self.base_url}/{method}"
            plain = cast(RequestData, _JsonData(orjson.dumps(params)))
            answer = self.request.post(url, plain, read_timeout=timeout)
        try:
            return await answer
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
            # What python-telegram-bot makes of an answer without what it looks for.
            raise TelegramError("The answer is none of the Bot API's") from None
