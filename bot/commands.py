"""The commands: the router, /help and the menu in Telegram's clients all read these tables."""

from collections.abc import Callable, Mapping

from bot.handlers import data, groups, help, language, progress, quiz, reminders, rounds
from bot.turn import Turn

Command = Callable[[Turn, str], None]
"""What carries a command out, given what follows its name. Its description is the text
`command-<name>`, in groups `command-<name>-group` for what does something else there."""

COMMANDS: Mapping[str, Command] = {
    "quiz": quiz.choose,
    "stop": quiz.stop,
    "review": progress.review,
    "stats": progress.show_stats,
    "remind": reminders.remind_command,
    "timezone": reminders.timezone_command,
    "language": language.command,
    "mydata": data.mydata,
    "forget": data.forget,
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
    "help": help.show,
    "start": rounds.quiz_command,
}
"""The commands of a group."""

ADMIN_COMMANDS = ("settings",)
"""What only a group's admins find in the menu."""

ALL_GROUP_COMMANDS: Mapping[str, Command] = {
    **dict.fromkeys(COMMANDS, groups.private_only),
    **GROUP_COMMANDS,
    "settings": groups.settings,
}
"""What is understood in a group: what is a learner's own business gets a link."""
