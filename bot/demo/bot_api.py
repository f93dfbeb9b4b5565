"""The Bot API without its transport: a method's name and parameters in, a reply out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.demo import about, editing, members, send_poll, sending
from bot.demo.parameters import Parameters
from bot.demo.refusals import RefusedError
from bot.demo.telegram import LocalTelegram, Request

MAX_UPDATES = 100
MAX_TIMEOUT = 50
MAX_OFFSET = 2**31 - 1

METHODS: dict[str, Callable[[LocalTelegram, Parameters], Any]] = {
    "getMe": about.get_me,
    "setMyCommands": about.set_my_commands,
    "getMyCommands": about.get_my_commands,
    "deleteMyCommands": about.delete_my_commands,
    "setMyName": about.setter("name", about.MAX_NAME),
    "getMyName": about.getter("name"),
    "setMyDescription": about.setter("description", about.MAX_DESCRIPTION),
    "getMyDescription": about.getter("description"),
    "setMyShortDescription": about.setter("short_description", about.MAX_SHORT_DESCRIPTION),
    "getMyShortDescription": about.getter("short_description"),
    "sendMessage": sending.send_message,
    "sendPoll": send_poll.send_poll,
    "sendChatAction": sending.send_chat_action,
    "editMessageText": editing.edit_message_text,
    "editMessageReplyMarkup": editing.edit_message_reply_markup,
    "deleteMessage": editing.delete_message,
    "stopPoll": editing.stop_poll,
    "answerCallbackQuery": editing.answer_callback_query,
    "getChat": members.get_chat,
    "getChatMember": members.get_chat_member,
    "getChatMemberCount": members.get_chat_member_count,
    "getChatAdministrators": members.get_chat_administrators,
}
_BY_LOWER_CASE = {name.lower(): name for name in METHODS} | {
    name.lower(): name for name in ("getUpdates", "deleteWebhook", "getWebhookInfo")
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP status and a JSON body."""

    status: int
    body: dict[str, Any]


def refusal(error: RefusedError) -> Reply:
    """The reply that carries a refusal."""
    body: dict[str, Any] = {
        "ok": False,
        "error_code": error.code,
        "description": error.description,
    }
    if error.parameters:
        body["parameters"] = error.parameters
    return Reply(error.code, body)


async def call(telegram: LocalTelegram, name: str, parameters: Parameters) -> Reply | None:
    """Carry a call out, with the trouble that tests have asked for; None hangs up instead."""
    method = _BY_LOWER_CASE.get(name.lower())
    if method is None:
        return refusal(RefusedError(404, "Not Found: method not found"))
    request = Request(method, parameters.decoded, telegram.clock.now())
    telegram.requests.append(request)
    fault = telegram.faults.next(method, parameters.text("chat_id"))
    kind = fault.kind if fault is not None else None
    if kind == "cut":
        return None
    try:
        if fault is not None and fault.refusal is not None:
            raise fault.refusal
        body = await _carry_out(telegram, method, parameters)
        reply = Reply(200, {"ok": True, **_without(body, telegram.left_out)})
    except RefusedError as error:
        reply = refusal(error)
    request.parameters = parameters.decoded
    if kind == "drop":
        return None
    if fault is not None and kind in ("delay", "hold"):
        telegram.held += 1
        try:
            if kind == "delay":
                await telegram.clock.sleep(fault.seconds)
            else:
                await fault.released.wait()
        finally:
            telegram.held -= 1
    request.response = reply.body
    return reply


async def _carry_out(
    telegram: LocalTelegram, method: str, parameters: Parameters
) -> dict[str, Any]:
    match method:
        case "getUpdates":
            return {"result": await _get_updates(telegram, parameters)}
        case "deleteWebhook":
            if parameters.boolean("drop_pending_updates"):
                telegram.updates.forget()
            return {"result": True, "description": "Webhook is already deleted"}
        case "getWebhookInfo":
            waiting = len(telegram.updates.unconfirmed)
            info = {"url": "", "has_custom_certificate": False, "pending_update_count": waiting}
            return {"result": info}
    return {"result": METHODS[method](telegram, parameters)}


async def _get_updates(telegram: LocalTelegram, parameters: Parameters) -> list[dict[str, Any]]:
    if parameters.text("allowed_updates"):
        try:
            kinds = parameters.json("allowed_updates")
        except ValueError:
            kinds = None
        if isinstance(kinds, list):
            telegram.updates.allow(kind for kind in kinds if isinstance(kind, str))
    return await telegram.updates.fetch(
        parameters.integer("offset", least=-MAX_OFFSET, most=MAX_OFFSET),
        parameters.integer("limit", default=MAX_UPDATES, least=1, most=MAX_UPDATES),
        parameters.integer("timeout", least=0, most=MAX_TIMEOUT),
    )


def _without(value: Any, left_out: frozenset[str]) -> Any:
    """The value without these fields, at any depth."""
    if not left_out:
        return value
    if isinstance(value, dict):
        return {
            name: _without(field, left_out) for name, field in value.items() if name not in left_out
        }
    if isinstance(value, list):
        return [_without(item, left_out) for item in value]
    return value
