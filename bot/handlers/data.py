"""A learner's data are theirs: handed out, deleted; and what they report."""

from datetime import timedelta

import orjson

from bot import buttons, messages
from bot.messages import Button
from bot.turn import Turn

SCRUB = "scrub"
"""The agenda's word for clearing deleted data out of the database's files."""

SCRUB_AFTER = timedelta(minutes=1)
"""By then the farewell, too, has been sent and deleted."""


def mydata(turn: Turn, _argument: str = "") -> None:
    """`/mydata`: all that is stored of the learner, as a JSON file."""
    stored = turn.store.personal.gather(turn.learner.id)
    written = orjson.dumps(stored, option=orjson.OPT_INDENT_2).decode()
    document = {"file_name": "quiz-tutor-data.json", "text": written}
    turn.send("sendDocument", {"written": document, "caption": turn.words("mydata-caption")})


def forget(turn: Turn, _argument: str = "") -> None:
    """`/forget`: ask first."""
    yes = Button(turn.words("button-forget"), buttons.Forget())
    no = Button(turn.words("button-keep"), buttons.ListQuizzes(0))
    turn.say(messages.say(turn.words("forget-ask"), [[yes], [no]]))


def forget_confirmed(turn: Turn) -> None:
    """The button that confirms: delete all of it, then say so."""
    turn.store.personal.forget(turn.learner.id)
    turn.store.agenda.put(SCRUB, 0, turn.now + SCRUB_AFTER)
    turn.say(messages.say(turn.words("forget-done")))


def report(turn: Turn, poll_id: int) -> None:
    """The button under an explanation that says that something is wrong with the question."""
    poll = turn.store.polls.find(poll_id)
    if poll is None or turn.chat_id != poll.chat_id:
        return turn.alert(turn.words("button-old"))
    turn.notify(turn.words("report-thanks"))
    if turn.store.reports.add(turn.learner.id, poll, turn.now):
        turn.world.tell_operators(
            turn.store,
            f"A learner reports the question {poll.question} ({poll.language}). "
            "`quiz-tutor reports` lists all reports.",
        )
