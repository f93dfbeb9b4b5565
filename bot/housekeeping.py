"""What is of no use any more goes, a little at a time, so that nobody has to wait for it.

An update's id is known for a week, a question of unknown fate for as long, what an unknown poll
said for a day, and a round for 90 days after its end. Polls, answers and what comes of them stay,
so the database grows with the answers and with nothing else. The room is used anew.
"""

from datetime import datetime, timedelta

from bot.handlers.stage import full_list_note, lobby_name
from storage.store import Store

HOUSEKEEPING = "housekeeping"
"""The agenda's word for doing this."""

AFTER_START = timedelta(minutes=5)
"""Not an hour: a bot that is often started anew must come to it, too."""

EVERY = timedelta(hours=1)

PAUSE = timedelta(seconds=1)
"""From one step to the next while there is more to do."""


def tidy(store: Store, now: datetime) -> None:
    """Do one small step, and put the next on the agenda."""
    store.polls.prune_sightings(now)
    store.outbox.prune(now)
    forgotten = store.rounds.prune(now)
    for round_id in forgotten:
        store.named_messages.forget(lobby_name(round_id))
        store.notes.forget(full_list_note(round_id))
    more = store.inbox.prune(now) or bool(forgotten)
    store.agenda.put(HOUSEKEEPING, 0, now + (PAUSE if more else EVERY))
