"""A round's questions: asking, votes, closing, the reveal, pauses, results."""

from datetime import datetime, timedelta

from bot import messages, round_messages
from bot.handlers import counting, polls
from bot.handlers.stage import Stage, lobby_name
from bot.messages import Message
from bot.round_messages import Names
from quizzes import round as rules
from quizzes.attempt import is_right
from quizzes.round import Standing, Vote
from storage.learners import Learner
from storage.polls import Poll
from storage.times import to_ms

LATE_VOTES = timedelta(seconds=2)
"""How long a reveal waits for votes that Telegram has counted and we don't know."""

UNCOUNTED_VOTES = timedelta(seconds=1)
"""The same where Telegram's count is not known, or not all of it."""

PAUSED_AT_MOST = timedelta(days=1)
"""After so long a paused round ends."""

CLOSE = "close"
"""The agenda's word for a round's poll whose time is over."""

REVEAL = "reveal"
NEXT = "next"
PAUSED = "paused"
"""The agenda's words for a round: reveal what is closed, go on, end a long pause."""

_SENDS_OF_A_QUESTION = 2
"""A question that nothing proves to have arrived is asked once more."""


def ask_current(stage: Stage) -> None:
    """Ask the question that comes next; one that has left the bank is passed over."""
    while (ref := stage.round.current) and ref not in stage.world:
        stage.store.rounds.drop_question(stage.round, ref)
        stage = stage.fresh()
    if ref is None:
        return finish(stage)
    quiz, question = stage.quiz(), stage.question(ref)
    assert quiz is not None
    assert question is not None, f"{ref} was in the bank a moment ago"
    stage.store.rounds.set_status(stage.round.id, "asking")
    polls.send(
        stage,
        quiz,
        question,
        stage.round.place,
        round_id=stage.round.id,
        open_seconds=stage.round.seconds,
    )


def vote(
    stage: Stage, poll: Poll, learner: Learner, picked: frozenset[int], cast_at: datetime
) -> None:
    """Anybody's first vote in the question that is asked counts, if it comes before the reveal."""
    current = stage.round
    if current.status not in ("asking", "closing") or poll.question != current.current:
        return
    voters = {vote.learner_id for vote in _votes(stage)}
    if learner.id in voters:
        return
    right = is_right(picked, poll.correct, len(poll.choices))
    stage.store.answers.add(poll.id, learner.id, picked, right, cast_at, in_round=True)
    counting.count(stage.store, learner, poll.question, right, cast_at)
    asked_at = poll.asked_at or cast_at
    milliseconds = max(0, to_ms(cast_at) - to_ms(asked_at))
    stage.store.groups.count_answer(current.chat_id, learner.id, right, milliseconds, stage.now)
    joined = stage.store.rounds.joined(current.id)
    if current.status == "asking" and rules.everybody_voted(joined, voters | {learner.id}):
        close(stage)


def time_is_over(stage: Stage, poll: Poll) -> None:
    """A poll's time is over: close it. One that may never have arrived is asked once more."""
    if stage.round.status != "asking" or poll.question != stage.round.current or poll.closed:
        return
    sends = _sends(stage)
    if poll.telegram_id is None and not _votes(stage) and len(sends) < _SENDS_OF_A_QUESTION:
        # It stays open: if it did arrive after all, its votes may be under way.
        return ask_current(stage)
    close(stage)


def close(stage: Stage) -> None:
    """Take no more votes; the reveal follows when those under way are in."""
    current = stage.round
    stage.store.rounds.set_status(current.id, "closing")
    _close_polls(stage)
    stage.store.agenda.put(REVEAL, current.id, stage.now + LATE_VOTES)


def telegram_closed(stage: Stage, poll: Poll, voters: int | None) -> None:
    """Telegram has closed a poll and counts so many voters; None where it does not say."""
    if stage.round.status != "closing" or poll.question != stage.round.current:
        return
    if voters is None or len(_sends(stage)) > 1:
        # Of several sends, another may have votes under way, too.
        stage.store.agenda.put(REVEAL, stage.round.id, stage.now + UNCOUNTED_VOTES)
    elif len(_votes(stage)) >= voters:
        reveal(stage)


def reveal(stage: Stage) -> None:
    """Say what was right and how the group did, and decide what follows."""
    if stage.round.status != "closing":
        return
    votes = _votes(stage)
    poll = sends[-1] if (sends := _sends(stage)) else None
    stage.store.agenda.remove(REVEAL, stage.round.id)
    _give_up_doubts(stage)
    stage.store.rounds.count_revealed(stage.round.id, len(votes))
    if poll:
        stage.say(_reveal_message(stage, poll, votes), reply_to_poll=poll.id)
    after = stage.fresh()
    if rules.after_reveal(after.round) == "paused":
        return pause(after)
    stage.store.rounds.set_status(stage.round.id, "between")
    stage.store.agenda.put(NEXT, stage.round.id, _next_at(after, poll))


def go_on(stage: Stage) -> None:
    """The pause after a reveal is over: the next question, or the results."""
    if stage.round.status != "between":
        return
    stage.store.agenda.remove(NEXT, stage.round.id)
    if stage.round.current is None:
        finish(stage)
    else:
        ask_current(stage)


def pause(stage: Stage) -> None:
    """Wait until somebody presses the button."""
    stage.store.agenda.remove(NEXT, stage.round.id)
    stage.store.rounds.set_status(stage.round.id, "paused")
    stage.store.agenda.put(PAUSED, stage.round.id, stage.now + PAUSED_AT_MOST)
    stage.say(round_messages.paused(stage.words, stage.round))


def resume(stage: Stage) -> None:
    """Somebody pressed the button."""
    stage.store.agenda.remove(PAUSED, stage.round.id)
    stage.store.rounds.want_pause(stage.round.id, False)
    ask_current(stage.fresh())


def paused_too_long(stage: Stage) -> None:
    """Nobody pressed the button for a day: end with the results so far."""
    if stage.round.status == "paused":
        finish(stage)


def finish(stage: Stage, *, tell: bool = True) -> None:
    """End the round with the results so far."""
    current = stage.round
    _close_polls(stage)
    _give_up_doubts(stage)
    for kind in (REVEAL, NEXT, PAUSED):
        stage.store.agenda.remove(kind, current.id)
    stage.store.rounds.end(current.id, stage.now)
    stage.store.named_messages.forget(lobby_name(current.id))
    if tell:
        table, _, names = standings(stage)
        hardest = rules.hardest(stage.store.rounds.votes(current.id), current.questions)
        quiz = stage.quiz()
        stage.say(
            round_messages.results(
                stage.words,
                quiz.title if quiz else current.quiz_id,
                current,
                table,
                names,
                stage.question(hardest) if hardest else None,
            )
        )


def break_off(stage: Stage, reason: str, *, tell: bool) -> None:
    """Telegram lets the round go on no more: end it, and tell whoever can be told."""
    finish(stage, tell=tell)
    opener = stage.store.learners.find(stage.round.opener_id)
    if opener and opener.id not in stage.store.lost_chats:
        words = stage.world.texts.words(opener.language or opener.client_language)
        text = words("round-broken-off", reason=reason)
        stage.world.tell(stage.store, opener.id, text)


def standings(stage: Stage) -> tuple[list[Standing], int, Names]:
    """Everybody's place, of how many questions, and their names."""
    votes = stage.store.rounds.votes(stage.round.id)
    table = rules.ranking(votes)
    asked = len({vote.question for vote in votes} | set(stage.round.questions[: stage.round.asked]))
    return table, asked, stage.names([one.learner_id for one in table])


def _close_polls(stage: Stage) -> None:
    for poll in stage.store.polls.open_in_round(stage.round.id):
        stage.close_poll(poll)
        stage.store.agenda.remove(CLOSE, poll.id)


def _give_up_doubts(stage: Stage) -> None:
    """A question that is over must not be taken for one like it."""
    for poll in _sends(stage):
        stage.store.outbox.give_up(poll.id)


def _sends(stage: Stage) -> list[Poll]:
    """The polls that asked the question that is asked, oldest first."""
    polls_so_far = stage.store.polls.of_round(stage.round.id)
    return [poll for poll in polls_so_far if poll.question == stage.round.current]


def _votes(stage: Stage) -> list[Vote]:
    """The votes in the question that is asked."""
    ref = stage.round.current
    assert ref is not None
    return stage.store.rounds.votes_in_question(stage.round.id, ref)


def _reveal_message(stage: Stage, poll: Poll, votes: list[Vote]) -> Message:
    question = stage.question(poll.question)
    if question is None or not polls.as_asked(poll, question):
        return round_messages.reveal_gone(stage.words, votes)
    quickest = rules.fastest(votes)
    names = stage.names([quickest.learner_id]) if quickest else None
    return round_messages.reveal(
        stage.words,
        question,
        poll.choices,
        votes,
        (names[quickest.learner_id], quickest.seconds) if quickest and names else None,
        poll.id,
    )


def _next_at(stage: Stage, poll: Poll | None) -> datetime:
    """When the next question may come, so that the chat never needs more than Telegram takes."""
    pause = stage.now + stage.world.pause
    if poll is None or poll.asked_at is None or not stage.world.keeps_flood_limits:
        return pause
    ref = stage.round.current
    question = stage.question(ref) if ref else None
    long_form = question is not None and messages.needs_preface(question)
    rounds = len(stage.store.rounds.running_in_chat(stage.round.chat_id))
    gap = rules.seconds_between_questions(3 if long_form else 2, rounds)
    return max(pause, poll.asked_at + timedelta(seconds=gap))
