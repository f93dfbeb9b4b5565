"""Which handler an update goes to: the whole routing on one screen."""

import re
from datetime import datetime, timedelta

from telegram import CallbackQuery, ChatMemberUpdated, Message, PollAnswer, Update, User
from telegram.constants import ChatType
from telegram.ext import filters

from bot import buttons, messages
from bot.commands import COMMANDS
from bot.handlers import language, polls, quiz
from bot.messages import Button
from bot.turn import Hint, Turn, World, tell_operators
from storage.polls import Poll
from storage.store import Store

_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w+))?(?:\s+(.*))?", re.DOTALL)

GONE = ("kicked", "left")
"""What my_chat_member says of a bot that was blocked or removed."""


def take_update(
    world: World, store: Store, update: Update, received_at: datetime, now: datetime
) -> Hint | None:
    """Decide what an update leads to. Raises NotYetError for a vote that must wait."""
    if update.poll_answer:
        _vote(world, store, update.poll_answer, received_at, now)
    elif update.poll:
        options = [option.text for option in update.poll.options]
        if store.polls.unknown_sends():
            store.polls.sight(update.poll.id, update.poll.question, options, now)
            store.inbox.release()
    elif update.callback_query:
        return _press(world, store, update.callback_query, now)
    elif update.message:
        _message(world, store, update.message, now)
    elif update.my_chat_member:
        _membership(store, update.my_chat_member, now)
    return None


def take_outcome(world: World, store: Store, poll_id: int, reason: str, now: datetime) -> None:
    """Decide what follows from a question that Telegram refused."""
    if (poll := store.polls.find(poll_id)) and (turn := _turn_of(world, store, poll, now)):
        polls.refused(turn, poll)
        tell_operators(world, store, f"Telegram refused the question {poll.question}: {reason}")


def take_due(world: World, store: Store, kind: str, subject: int, now: datetime) -> None:
    """Decide what follows from something that is due."""
    poll = store.polls.find(subject) if kind == polls.DOUBT else None
    if poll and (turn := _turn_of(world, store, poll, now)):
        polls.doubted(turn, poll)


def apologise(world: World, store: Store, update: Update, now: datetime) -> None:
    """Tell who sent an update that it could not be handled."""
    user, chat = update.effective_user, update.effective_chat
    if user and (update.poll_answer or (chat and chat.type == ChatType.PRIVATE)):
        turn = _turn(world, store, user, user.id, now)
        turn.say(messages.say(turn.words("trouble")))


def _message(world: World, store: Store, message: Message, now: datetime) -> None:
    user, chat = message.from_user, message.chat
    if message.migrate_to_chat_id:
        store.move_chat(chat.id, message.migrate_to_chat_id)
    if (
        user is None
        or user.is_bot
        or filters.StatusUpdate.ALL.check_update(Update(0, message=message))
    ):
        return
    private = chat.type == ChatType.PRIVATE
    command, argument = _command(message.text or "", world.username)
    if not private and command is None:
        return
    turn = _turn(world, store, user, chat.id, now)
    if private:
        store.lost_chats.remove(chat.id)
    if not world.allows(chat.id):
        turn.say(messages.say(turn.words("chat-not-allowed")))
    elif not private:
        link = Button(turn.words("button-open-private"), url=world.link())
        turn.say(messages.say(turn.words("group-private"), [[link]]))
    elif command:
        COMMANDS[command].run(turn, argument)
    elif message.poll:
        turn.say(messages.say(turn.words("forwarded-poll")))
    else:
        turn.say(messages.say(turn.words("hint")))


def _command(text: str, username: str) -> tuple[str | None, str]:
    """The known command that a text gives to this bot, and what follows it."""
    found = _COMMAND.fullmatch(text)
    if not found:
        return None, ""
    name, addressee, argument = found.groups(default="")
    if addressee and addressee.casefold() != username.casefold():
        return None, ""
    return (name.lower() if name.lower() in COMMANDS else None), argument.strip()


def _vote(
    world: World, store: Store, answer: PollAnswer, received_at: datetime, now: datetime
) -> None:
    if answer.user is None or answer.voter_chat or not world.allows(answer.user.id):
        return
    turn = _turn(world, store, answer.user, answer.user.id, now)
    polls.vote(turn, answer.poll_id, answer.option_ids, max(timedelta(), now - received_at))


def _press(world: World, store: Store, query: CallbackQuery, now: datetime) -> Hint | None:
    chat_id = query.message.chat.id if query.message else query.from_user.id
    turn = _turn(world, store, query.from_user, chat_id, now)
    turn.hint = Hint(query.id)
    press = buttons.read(query.data or "")
    if not world.allows(chat_id):
        turn.alert(turn.words("chat-not-allowed"))
        return turn.hint
    if chat_id != query.from_user.id:
        turn.alert(turn.words("button-old"))
        return turn.hint
    store.lost_chats.remove(chat_id)
    match press:
        case buttons.ListQuizzes(page):
            quiz.list_quizzes(turn, page)
        case buttons.BeginQuiz(quiz_id):
            quiz.begin_named(turn, quiz_id)
        case buttons.GoOn(poll_id):
            quiz.go_on(turn, poll_id)
        case buttons.Resume(attempt_id, answered):
            quiz.resume(turn, attempt_id, answered)
        case buttons.BeginAnew(attempt_id, quiz_id):
            quiz.begin_anew(turn, attempt_id, quiz_id)
        case buttons.Practise(attempt_id):
            quiz.practise(turn, attempt_id)
        case buttons.ChooseLanguage(tag):
            language.choose(turn, tag)
        case None:
            turn.alert(turn.words("button-old"))
    return turn.hint


def _membership(store: Store, change: ChatMemberUpdated, now: datetime) -> None:
    if change.new_chat_member.status in GONE:
        store.lost_chats.add(change.chat.id, change.new_chat_member.status, now)
        store.outbox.remove_chat(change.chat.id)
    else:
        store.lost_chats.remove(change.chat.id)


def _turn(world: World, store: Store, user: User, chat_id: int, now: datetime) -> Turn:
    learner = store.learners.meet(user.id, user.first_name, user.language_code or "", now)
    return Turn(world, store, learner, chat_id, now)


def _turn_of(world: World, store: Store, poll: Poll, now: datetime) -> Turn | None:
    """A turn of the learner in whose private chat a poll was asked."""
    learner = store.learners.find(poll.chat_id)
    return Turn(world, store, learner, learner.id, now) if learner else None
