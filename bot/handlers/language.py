"""`/language`: which language the bot speaks in a chat."""

from bot import messages
from bot.handlers import menus
from bot.turn import Turn
from quizzes import language as tags


def command(turn: Turn, argument: str) -> None:
    """`/language`, alone or with a language tag."""
    if argument:
        choose(turn, argument)
    else:
        turn.say(messages.languages_offered(turn.words, turn.world.texts.languages))


def choose(turn: Turn, tag: str) -> None:
    """Speak this language from now on, in messages and in the command menu."""
    offered = turn.world.texts.languages
    language = tags.best(tag, offered)
    if language is None:
        turn.say(messages.languages_offered(turn.words, offered, turn.words("language-unknown")))
        return
    turn.speak(language)
    turn.say(messages.say(turn.words("language-chosen")))
    menus.give(turn, language)
