"""Asking Telegram who a chat's admins are: a letter whose answer goes back to the inbox."""

from collections.abc import Iterable
from datetime import datetime

from storage.outbox import Letter
from storage.store import Store

ASK_ADMINS = "getChatAdministrators"

_OWN_LANE = 0
"""The outbox's chat for such letters: they don't wait behind a chat's messages."""


def ask_admins(store: Store, chat_id: int) -> None:
    """Ask Telegram who a chat's admins are; what waits for that goes on then."""
    store.outbox.add_once(_OWN_LANE, ASK_ADMINS, {"chat_id": chat_id})


def admins_known(store: Store, letter: Letter, admin_ids: Iterable[int], now: datetime) -> bool:
    """Keep who they are, and let what waited for it go on; whether anything did."""
    store.groups.keep_admins(letter.params["chat_id"], list(admin_ids), now)
    return store.inbox.release()
