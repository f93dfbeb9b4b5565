"""The commands: the router, /help and the menu in Telegram's clients all read this table."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.handlers import help, language, quiz, stats
from bot.turn import Turn


@dataclass(frozen=True, slots=True)
class Command:
    """A command and who carries it out; its description is the text `command-<name>`."""

    name: str
    run: Callable[[Turn, str], None]


COMMANDS = {
    command.name: command
    for command in (
        Command("quiz", quiz.choose),
        Command("stop", quiz.stop),
        Command("stats", stats.show),
        Command("language", language.command),
        Command("help", help.show),
        Command("start", quiz.start),
    )
}
