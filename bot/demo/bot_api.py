"""The Bot API without its transport: a method's name and parameters in, a reply out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.demo import about, editing, members, receiving, send_file, send_poll, sending
from bot.demo.older_server import without
from bot.demo.parameters import Parameters
from bot.demo.refusals import RefusedError
from bot.demo.telegram import LocalTelegram, Request

METHODS: dict[str, Callable[[LocalTelegram, Parameters], Any]] = {
    "getMe": about.get_me,
    "getWebhookInfo": receiving.get_webhook_info,
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
    "sendPhoto": send_file.send_photo,
    "sendDocument": send_file.send_document,
    "sendChatAction": sending.send_chat_action,
    "editMessageText": editing.edit_message_text,
    "editMessageCaption": editing.edit_message_caption,
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
    name.lower(): name for name in ("getUpdates", "setWebhook", "deleteWebhook")
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP status and a JSON body, or a web page instead of it."""

    status: int
    body: dict[str, Any]
    page: str = ""


BAD_GATEWAY = Reply(502, {}, "<html><head><title>502 Bad Gateway</title></head></html>")
"""What a server in between says while there is no Telegram behind it."""


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
    """Carry a call out, with the trouble that was asked for; None hangs up instead."""
    method = _BY_LOWER_CASE.get(name.lower())
    if method is None:
        return refusal(RefusedError(404, "Not Found: method not found"))
    request = Request(method, parameters.decoded, telegram.clock.now())
    telegram.requests.append(request)
    fault = telegram.faults.next(method, parameters.text("chat_id"))
    kind = fault.kind if fault is not None else None
    if kind == "cut":
        return None
    if kind == "garble":
        return BAD_GATEWAY
    try:
        if fault is not None and fault.refusal is not None:
            raise fault.refusal
        body = await _carry_out(telegram, method, parameters)
        reply = Reply(200, {"ok": True, **without(body, telegram.left_out)})
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
            return {"result": await receiving.get_updates(telegram, parameters)}
        case "setWebhook":
            return await receiving.set_webhook(telegram, parameters)
        case "deleteWebhook":
            return await receiving.delete_webhook(telegram, parameters)
    return {"result": METHODS[method](telegram, parameters)}
