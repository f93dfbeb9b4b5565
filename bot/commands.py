"""The commands: the router, /help and the menu in Telegram's clients all read these tables."""

from collections.abc import Callable, Mapping

from bot.handlers import groups, help, language, quiz, rounds, stats
from bot.turn import Turn

Command = Callable[[Turn, str], None]
"""What carries a command out, given what follows its name. Its description is the text
`command-<name>`."""

COMMANDS: Mapping[str, Command] = {
    "quiz": quiz.choose,
    "stop": quiz.stop,
    "stats": stats.show,
    "language": language.command,
    "help": help.show,
    "start": quiz.start,
}
"""The commands of a private chat."""

GROUP_COMMANDS: Mapping[str, Command] = {
    "quiz": rounds.quiz_command,
    "skip": rounds.skip,
    "pause": rounds.pause,
    "stop": rounds.stop,
    "top": groups.top,
    "stats": groups.stats,
    "language": groups.language_command,
    "help": groups.show_help,
    "start": rounds.quiz_command,
}
"""The commands of a group."""

ADMIN_COMMANDS = ("settings",)
"""What only a group's admins find in the menu."""

ALL_GROUP_COMMANDS: Mapping[str, Command] = {**GROUP_COMMANDS, "settings": groups.settings}
