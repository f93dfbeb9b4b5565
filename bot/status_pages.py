"""/healthz and /metrics: whether the bot works, and its figures."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

import orjson
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.health import Health
from bot.listener import respond
from bot.metrics import Metrics

METHODS = ("GET", "HEAD")


class StatusPages:
    """What is served at LISTEN."""

    def __init__(self, health: Health, metrics: Metrics) -> None:
        self._health = health
        self._metrics = metrics
        self._pages: dict[str, Callable[[], Awaitable[web.Response]]] = {
            "/healthz": self._healthz,
            "/metrics": self._figures,
        }

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """The page that is asked for."""
        page = self._pages.get(request.path)
        if page is None:
            return respond(HTTPStatus.NOT_FOUND)
        if request.method not in METHODS:
            return respond(HTTPStatus.METHOD_NOT_ALLOWED, allow=", ".join(METHODS))
        return await page()

    async def _healthz(self) -> web.Response:
        troubles = await self._health.troubles()
        status = HTTPStatus.SERVICE_UNAVAILABLE if troubles else HTTPStatus.OK
        body = {"status": "trouble" if troubles else "ok", "reasons": troubles}
        return respond(status, orjson.dumps(body), "application/json")

    async def _figures(self) -> web.Response:
        text = self._metrics.page(await self._health.backlog())
        return respond(HTTPStatus.OK, text, CONTENT_TYPE_LATEST)
