"""`/help`: what the bot understands."""

from bot import messages
from bot.turn import Turn


def show(turn: Turn, _argument: str = "") -> None:
    """Every command with its description, and how to invite a friend."""
    in_group = turn.group is not None
    turn.say(messages.help_text(turn.words, turn.commands, turn.world.link(), in_group=in_group))
