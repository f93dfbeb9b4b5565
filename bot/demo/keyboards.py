"""The `reply_markup` of a request."""

from typing import Any
from urllib.parse import urlsplit

from bot.demo.entities import Text, tidy
from bot.demo.parameters import Parameters
from bot.demo.refusals import RefusedError, bad_request

Rows = list[list[dict[str, Any]]]

MAX_CALLBACK_BYTES = 64
MAX_BUTTONS = 100
STYLES = ("", "danger", "success", "primary")
_ACTIONS = (
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)


def read_keyboard(parameters: Parameters, *, inline_only: bool = False) -> Rows | None:
    """The rows of inline buttons; None when there are none.

    The other keyboards are let through and not shown; `inline_only` refuses them.
    """
    if not parameters.text("reply_markup"):
        return None
    try:
        markup = parameters.json("reply_markup")
    except ValueError:
        raise bad_request("can't parse reply keyboard markup JSON object") from None
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" not in markup:
        if inline_only and any(
            name in markup for name in ("keyboard", "remove_keyboard", "force_reply")
        ):
            raise bad_request("inline keyboard expected")
        return None
    return _rows(markup["inline_keyboard"]) or None


def check_buttons(rows: Rows | None) -> None:
    """What only Telegram's own servers check, after everything else."""
    buttons = [button for row in rows or [] for button in row]
    for button in buttons:
        if len(button.get("callback_data", "").encode()) > MAX_CALLBACK_BYTES:
            raise bad_request("BUTTON_DATA_INVALID")
    if len(buttons) > MAX_BUTTONS:
        raise bad_request("reply markup is too long")


def _rows(value: Any) -> Rows:
    if not isinstance(value, list):
        raise bad_request('Field "inline_keyboard" must be of type Array')
    rows = []
    for row in value:
        if not isinstance(row, list):
            raise bad_request(
                'Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays'
            )
        if row:
            rows.append([_button(button) for button in row])
    return rows


def _button(button: Any) -> dict[str, Any]:
    if not isinstance(button, dict):
        raise _cannot_parse("InlineKeyboardButton must be an Object")
    if "text" not in button:
        raise _cannot_parse('Can\'t find field "text"')
    if not isinstance(button["text"], str):
        raise _cannot_parse('Field "text" must be of type String')
    if button.get("style", "") not in STYLES:
        raise _cannot_parse("invalid button style specified")
    action = next((name for name in _ACTIONS if button.get(name) not in (None, "")), None)
    if action is None:
        raise _cannot_parse("Text buttons are unallowed in the inline keyboard")
    text = tidy(Text(button["text"]), find=False).plain
    if not text:
        raise bad_request("inline keyboard button text must be non-empty")
    shown = {"text": text, action: button[action]}
    if action == "url":
        shown["url"] = _checked_url(str(button["url"]))
    return shown | {
        name: button[name] for name in ("style", "icon_custom_emoji_id") if button.get(name)
    }


def _checked_url(url: str) -> str:
    link = url.strip()
    if link.lower().startswith(("tg:", "ton:")):
        return link
    parts = urlsplit(link if "://" in link else f"http://{link}")
    wrong = None
    if parts.scheme not in ("http", "https"):
        wrong = "Unsupported URL protocol"
    elif not parts.netloc:
        wrong = "URL host is empty"
    elif "." not in (parts.hostname or "") or " " in link:
        wrong = "Wrong HTTP URL"
    if wrong is not None:
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: {wrong}")
    return parts._replace(path=parts.path or "/").geturl()


def _cannot_parse(detail: str) -> RefusedError:
    return bad_request(f"can't parse inline keyboard button: {detail}")
