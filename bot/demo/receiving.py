"""The methods by which a bot gets its updates: it fetches them, or has them posted to it."""

import re
from typing import Any
from urllib.parse import urlsplit

from bot.demo.parameters import Parameters
from bot.demo.refusals import RefusedError, bad_request
from bot.demo.telegram import LocalTelegram
from bot.demo.updates import KINDS, NOT_BY_DEFAULT
from bot.demo.webhook import Hook

MAX_UPDATES = 100
MAX_TIMEOUT = 50
MAX_OFFSET = 2**31 - 1
MAX_SECRET = 256
MAX_CONNECTIONS = 100
DEFAULT_CONNECTIONS = 40
PORTS = (80, 88, 443, 8443)

_SECRET = re.compile(r"[A-Za-z0-9_-]*")
_HERE = "127.0.0.1"


async def get_updates(telegram: LocalTelegram, parameters: Parameters) -> list[dict[str, Any]]:
    """getUpdates. Of two calls that wait, the older one ends with a 409."""
    if telegram.webhook.hook is not None:
        raise RefusedError(
            409,
            "Conflict: can't use getUpdates method while webhook is active; "
            "use deleteWebhook to delete the webhook first",
        )
    _choose_kinds(telegram, parameters)
    return await telegram.updates.fetch(
        parameters.integer("offset", least=-MAX_OFFSET, most=MAX_OFFSET),
        parameters.integer("limit", default=MAX_UPDATES, least=1, most=MAX_UPDATES),
        parameters.integer("timeout", least=0, most=MAX_TIMEOUT),
    )


async def set_webhook(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """setWebhook, with the description that its answer has. An empty address deletes it."""
    if not parameters.text("url"):
        return await delete_webhook(telegram, parameters)
    secret = parameters.text("secret_token")
    if len(secret) > MAX_SECRET:
        raise bad_request("secret token is too long")
    if not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    hook = Hook(
        _checked_url(parameters.text("url"), may_be_here=telegram.local_webhooks),
        secret,
        parameters.integer(
            "max_connections", default=DEFAULT_CONNECTIONS, least=1, most=MAX_CONNECTIONS
        ),
    )
    _choose_kinds(telegram, parameters)
    if parameters.boolean("drop_pending_updates"):
        telegram.updates.forget()
    if hook == telegram.webhook.hook:
        return {"result": True, "description": "Webhook is already set"}
    telegram.flood.admit_webhook()
    telegram.updates.end_fetching("Conflict: terminated by setWebhook request")
    await telegram.webhook.set(hook)
    return {"result": True, "description": "Webhook was set"}


async def delete_webhook(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """deleteWebhook, with the description that its answer has."""
    if parameters.boolean("drop_pending_updates"):
        telegram.updates.forget()
    if telegram.webhook.hook is None:
        return {"result": True, "description": "Webhook is already deleted"}
    await telegram.webhook.set(None)
    return {"result": True, "description": "Webhook was deleted"}


def get_webhook_info(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """getWebhookInfo."""
    webhook, hook = telegram.webhook, telegram.webhook.hook
    info: dict[str, Any] = {
        "url": hook.url if hook is not None else "",
        "has_custom_certificate": False,
        "pending_update_count": len(telegram.updates.unconfirmed),
    }
    if hook is not None:
        info["max_connections"] = hook.max_connections
    if webhook.last_error is not None:
        info["last_error_date"], info["last_error_message"] = webhook.last_error
    if telegram.updates.allowed != KINDS - NOT_BY_DEFAULT:
        info["allowed_updates"] = sorted(telegram.updates.allowed)
    return info


def _choose_kinds(telegram: LocalTelegram, parameters: Parameters) -> None:
    if not parameters.text("allowed_updates"):
        return
    try:
        kinds = parameters.json("allowed_updates")
    except ValueError:
        return
    if isinstance(kinds, list):
        telegram.updates.allow(kind for kind in kinds if isinstance(kind, str))


def _checked_url(url: str, *, may_be_here: bool) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise bad_request("invalid webhook URL specified") from None
    if not parts.hostname:
        raise bad_request("invalid webhook URL specified")
    if may_be_here and parts.scheme in ("http", "https") and parts.hostname == _HERE:
        return url
    if parts.scheme != "https":
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if port is not None and port not in PORTS:
        raise bad_request("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
    return url
