"""Whose poll a vote is in, also when Telegram's answer to sending it is still unknown."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.handlers import answers, questions
from bot.handlers.stage import Stage
from bot.turn import NotYetError, Turn
from storage.polls import Poll, Sighting, UnknownSend

SECOND = timedelta(seconds=1)
"""Nearer than this Telegram does not tell when a poll was opened."""

CLOCKS_APART = timedelta(seconds=30)
"""What may lie between sending a poll by our clock and its opening by Telegram's."""

SIGHTING_WAIT = timedelta(seconds=3)
"""How long a vote in an unknown poll waits for the `poll` update that usually comes with it."""


def vote(turn: Turn, telegram_id: str, option_ids: Sequence[int], cast_at: datetime) -> None:
    """A person's vote, stored at `cast_at`. One in a poll that is nobody's is ignored.

    Raises NotYetError while something on its way may still turn out to be its poll.
    """
    poll = turn.store.polls.by_telegram_id(telegram_id) or _adopt(turn, telegram_id, cast_at)
    picked = poll.picked(option_ids) if poll else None
    if poll is None or not picked or not turn.world.allows(poll.chat_id):
        return
    if poll.round_id:
        current = turn.store.rounds.get(poll.round_id)
        stage = Stage(turn.world, turn.store, current, turn.now)
        questions.vote(stage, poll, turn.learner, picked, cast_at)
    elif poll.chat_id == turn.learner.id:
        # Who votes in their own chat is there, whatever Telegram said of it before.
        turn.store.lost_chats.remove(poll.chat_id)
        answers.vote(turn, poll, picked)


def _adopt(turn: Turn, telegram_id: str, cast_at: datetime) -> Poll | None:
    """The poll that a vote in an unknown one must belong to; None when it is nobody's."""
    waited = turn.now - cast_at
    candidates = turn.store.polls.unknown_sends()
    mine = [send for send in candidates if send.chat_id == turn.learner.id]
    possible = mine + [send for send in candidates if send.chat_id < 0]
    if sighted := turn.store.polls.sighted(telegram_id):
        same = [send for send in possible if _may_be(send, sighted)]
        if len(same) > 1 and all(send.doubtful for send in same):
            # Many groups may be asked the same at once: people vote where they play.
            places = {turn.learner.id, *turn.store.rounds.played_in(turn.learner.id)}
            same = [send for send in same if send.chat_id in places] or same
            same = _sent_when(same, sighted.opened_at)
            if len({send.chat_id for send in same}) == 1:
                # The same to the letter, in one chat, within a second: they are graded alike.
                same = same[:1]
        if len(same) == 1:
            return _take(turn, same[0], telegram_id)
        possible = same
    elif waited >= SIGHTING_WAIT and len(mine) == 1 and len(possible) == 1 and mine[0].doubtful:
        return _take(turn, mine[0], telegram_id)
    if not possible:
        return None
    if waited < SIGHTING_WAIT:
        raise NotYetError(at=cast_at + SIGHTING_WAIT)
    if all(send.doubtful for send in possible):
        return None
    raise NotYetError


def _may_be(send: UnknownSend, poll: Sighting) -> bool:
    """Whether a poll is what was sent, by all that it says.

    One like it may have been given up: an attempt's, which is open without end, or an earlier
    round's. A vote in that must not be taken for one in a question that is asked now.
    """
    if (send.question, send.options) != (poll.question, poll.options):
        return False
    if poll.open_seconds not in (None, send.open_seconds):
        return False
    return poll.opened_at is None or abs(send.sent_at - poll.opened_at) < CLOCKS_APART


def _sent_when(sends: list[UnknownSend], opened_at: datetime | None) -> list[UnknownSend]:
    """Those of equal sends that went out when a poll was opened, as near as can be told."""
    if opened_at is None:
        return sends
    nearest = min(abs(send.sent_at - opened_at) for send in sends)
    return [send for send in sends if abs(send.sent_at - opened_at) - nearest < SECOND]


def _take(turn: Turn, send: UnknownSend, telegram_id: str) -> Poll | None:
    turn.store.polls.asked(send.poll_id, telegram_id, None, turn.now)
    turn.store.agenda.remove(answers.DOUBT, send.poll_id)
    if send.doubtful:
        turn.store.outbox.give_up(send.poll_id)
    # Others may have voted in the same poll, or in one that is the only other like it.
    turn.store.inbox.release()
    return turn.store.polls.find(send.poll_id)
