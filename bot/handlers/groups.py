"""A group's own matters: language, settings, tables."""

from bot import buttons, messages, round_messages
from bot.handlers import language
from bot.messages import Button
from bot.round_messages import TABLE_ROWS, Names
from bot.turn import Turn
from storage.groups import Openers, week_of


def language_command(turn: Turn, argument: str) -> None:
    """`/language` in a group: admins choose what the bot speaks there."""
    if _may_set(turn):
        language.command(turn, argument)


def choose_language(turn: Turn, tag: str) -> None:
    """The buttons that choose it."""
    if _may_set(turn):
        language.choose(turn, tag)


def settings(turn: Turn, _argument: str = "") -> None:
    """`/settings`: what admins can set for their group."""
    if _may_set(turn):
        assert turn.group is not None
        turn.say(round_messages.group_settings(turn.words, turn.group))


def choose_openers(turn: Turn, openers: Openers) -> None:
    """The buttons that say who may open a round."""
    if _may_set(turn):
        turn.store.groups.choose_openers(turn.chat_id, openers)
        turn.notify(turn.words(f"settings-openers-{openers}"))


def top(turn: Turn, _argument: str = "") -> None:
    """`/top`: the group's tables."""
    week = turn.store.groups.scores(turn.chat_id, TABLE_ROWS, week_of(turn.now))
    ever = turn.store.groups.scores(turn.chat_id, TABLE_ROWS)
    known = turn.store.learners.names({score.learner_id for score in (*week, *ever)})
    turn.say(round_messages.top(turn.words, week, ever, Names(turn.words, known)))


def stats(turn: Turn, _argument: str = "") -> None:
    """`/stats` in a group: the group's numbers, and the way to one's own."""
    members, answers, right = turn.store.groups.totals(turn.chat_id)
    text = turn.words("group-stats", members=members, answers=answers, right=right)
    own = Button(
        turn.words("button-own-stats"),
        url=turn.world.link(buttons.write_payload(buttons.OwnStats())),
    )
    turn.say(messages.say(text, [[own]]))


def private_only(turn: Turn, _argument: str = "") -> None:
    """What is a learner's own business: a link to the private chat."""
    link = Button(turn.words("button-open-private"), url=turn.world.link())
    turn.say(messages.say(turn.words("group-private"), [[link]]))


def _may_set(turn: Turn) -> bool:
    """Whether who did this may set something for the group; else they are told."""
    if turn.is_admin():
        return True
    turn.refuse(turn.words("group-admins-only"))
    return False
