"""Which handler takes an update, what is due, or what became of a send."""

import re
from datetime import datetime, time
from typing import Any

from telegram.constants import ChatType

from bot import buttons, messages
from bot.commands import ALL_GROUP_COMMANDS, COMMANDS
from bot.handlers import (
    answers,
    data,
    groups,
    language,
    menus,
    pace,
    progress,
    questions,
    quiz,
    reminders,
    rounds,
    votes,
)
from bot.handlers.stage import Stage
from bot.turn import Hint, Turn, World
from bot.updates import CallbackQuery, ChatMemberUpdated, Message, Place, PollAnswer, Update, User
from storage.learners import Learner
from storage.store import Store

_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w+))?(?:\s+(.*))?", re.DOTALL)

GONE = ("kicked", "left")
"""What my_chat_member says of a bot that was blocked or removed."""

_SPEAKING = (
    buttons.ListQuizzes,
    buttons.BeginQuiz,
    buttons.FullList,
    buttons.Rematch,
    buttons.ChooseLanguage,
)
"""Buttons of a group that bring a new message; the others are heard however fast they come."""


def take_update(
    world: World, store: Store, update: Update, received_at: datetime, now: datetime
) -> Hint | None:
    """Decide what an update leads to. Raises NotYetError for what must wait."""
    if update.poll_answer:
        _vote(world, store, update.poll_answer, received_at, now)
    elif update.poll:
        if store.polls.unknown_sends():
            store.polls.sight(update.poll.id, update.poll.sighting, now)
            store.inbox.release()
    elif update.callback_query:
        return _press(world, store, update.callback_query, received_at, now)
    elif update.message:
        _message(world, store, update.message, now)
    elif update.my_chat_member:
        _membership(world, store, update.my_chat_member, now)
    return None


def take_outcome(world: World, store: Store, event: dict[str, Any], now: datetime) -> None:
    """Decide what follows from what became of a send."""
    match event:
        case {"refused_poll": poll_id, "reason": reason}:
            _refused_poll(world, store, poll_id, reason, now)
        case {"stopped_poll": poll_id, "voters": voters}:
            poll = store.polls.find(poll_id)
            if poll and (stage := _stage(world, store, poll.round_id, now)):
                questions.telegram_closed(stage, poll, voters)
        case {"lost_chat": chat_id, "reason": reason}:
            _break_off_all(world, store, chat_id, reason, now)
        case {"refused_chat": chat_id, "thread_id": thread_id, "reason": reason}:
            if current := store.rounds.running(chat_id, thread_id):
                _break_off(Stage(world, store, current, now), reason)


def take_due(world: World, store: Store, kind: str, subject: int, now: datetime) -> None:
    """Decide what follows from something that is due."""
    if kind == reminders.REMIND:
        if turn := _turn_of(world, store, subject, now):
            reminders.remind(turn)
    elif kind == answers.DOUBT:
        poll = store.polls.find(subject)
        if poll and (turn := _turn_of(world, store, poll.chat_id, now)):
            answers.doubted(turn, poll)
    elif kind == questions.CLOSE:
        poll = store.polls.find(subject)
        if poll and (stage := _stage(world, store, poll.round_id, now)):
            questions.time_is_over(stage, poll)
    elif stage := _stage(world, store, subject, now):
        match kind:
            case questions.REVEAL:
                questions.reveal(stage)
            case questions.NEXT:
                questions.go_on(stage)
            case questions.PAUSED:
                questions.paused_too_long(stage)
            case rounds.LOBBY:
                rounds.close_lobby(stage)


def apologise(world: World, store: Store, update: Update, now: datetime) -> None:
    """Tell who sent an update that it could not be handled."""
    user, chat = update.user, update.chat
    if user and (update.poll_answer or (chat and chat.type == ChatType.PRIVATE)):
        turn = _private_turn(world, store, user, now)
        turn.say(messages.say(turn.words("trouble")))


def _message(world: World, store: Store, message: Message, now: datetime) -> None:
    chat = message.chat
    if message.migrate_to_chat_id:
        store.move_chat(chat.id, message.migrate_to_chat_id)
    if not message.says_something or message.sender is None:
        return
    if chat.type == ChatType.PRIVATE:
        _private_message(world, store, message, message.sender, now)
    elif chat.type in (ChatType.GROUP, ChatType.SUPERGROUP):
        _group_message(world, store, message, message.sender, now)


def _private_message(
    world: World, store: Store, message: Message, user: User, now: datetime
) -> None:
    store.lost_chats.remove(message.chat.id)
    turn = _private_turn(world, store, user, now)
    name, argument = _command(message.text or "", world.username)
    own_link = buttons.read_payload(argument) if name == "start" else None
    if pace.is_too_fast(turn):
        pace.slow_down(turn)
    elif not world.allows(message.chat.id):
        turn.say(messages.say(turn.words("chat-not-allowed")))
    elif isinstance(own_link, buttons.InMyLanguage):
        answers.in_own_language(turn, own_link.poll_id)
    elif own_link:
        progress.show_stats(turn)
    elif name in COMMANDS:
        menus.renew(turn)
        COMMANDS[name](turn, argument)
    elif message.holds("poll"):
        turn.say(messages.say(turn.words("forwarded-poll")))
    else:
        turn.say(messages.say(turn.words("hint")))


def _group_message(world: World, store: Store, message: Message, user: User, now: datetime) -> None:
    name, argument = _command(message.text or "", world.username)
    anonymous = message.sender_chat is not None and message.sender_chat.id == message.chat.id
    if name not in ALL_GROUP_COMMANDS or (user.is_bot and not anonymous):
        return
    if pace.is_stale(message.sent_at, now, name):
        return
    store.lost_chats.remove(message.chat.id)
    who = None if anonymous else user
    turn = _group_turn(world, store, who, message, now)
    if pace.is_too_fast(turn, name):
        return
    if world.allows(message.chat.id):
        menus.renew(turn)
        ALL_GROUP_COMMANDS[name](turn, argument)
    else:
        turn.say(messages.say(turn.words("chat-not-allowed")))


def _command(text: str, username: str) -> tuple[str, str]:
    """The command that a text gives to this bot, and what follows it; "" where there is none."""
    found = _COMMAND.fullmatch(text)
    name, addressee, argument = found.groups(default="") if found else ("", "", "")
    if addressee and addressee.casefold() != username.casefold():
        return "", ""
    return name.lower(), argument.strip()


def _vote(
    world: World, store: Store, answer: PollAnswer, received_at: datetime, now: datetime
) -> None:
    if answer.user is None or answer.voter_chat:
        return
    turn = _private_turn(world, store, answer.user, now)
    votes.vote(turn, answer.poll_id, answer.option_ids, min(received_at, now))


def _press(
    world: World, store: Store, query: CallbackQuery, received_at: datetime, now: datetime
) -> Hint | None:
    place = query.message
    if place is None or place.chat.type == ChatType.PRIVATE:
        turn = _private_turn(world, store, query.sender, now)
    else:
        turn = _group_turn(world, store, query.sender, place, now)
    turn.hint = Hint(query.id)
    press = buttons.read(query.data or "")
    if not world.allows(turn.chat_id):
        turn.alert(turn.words("chat-not-allowed"))
    elif (not turn.group or isinstance(press, _SPEAKING)) and pace.is_too_fast(turn):
        turn.alert(turn.words("too-fast-button"))
    elif turn.group and pace.is_stale(received_at, now):
        turn.alert(turn.words("button-old-in-group"))
    elif turn.group:
        _press_in_group(turn, press)
    else:
        store.lost_chats.remove(turn.chat_id)
        _press_in_private(turn, press)
    return turn.hint


def _press_in_private(turn: Turn, press: buttons.Press | None) -> None:
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
        case buttons.Review():
            progress.review(turn)
        case buttons.ReviewAnew(attempt_id):
            progress.review_anew(turn, attempt_id)
        case buttons.ShowPicture():
            progress.show_picture(turn)
        case buttons.ChooseZone(zone):
            reminders.choose_zone(turn, zone)
        case buttons.RemindAt(hour, minute):
            reminders.remind_at(turn, time(hour, minute))
        case buttons.RemindOff():
            reminders.turn_off(turn)
        case buttons.Forget():
            data.forget_confirmed(turn)
        case buttons.ReportQuestion(poll_id):
            data.report(turn, poll_id)
        case _:
            turn.alert(turn.words("button-old"))


def _press_in_group(turn: Turn, press: buttons.Press | None) -> None:
    match press:
        case buttons.ListQuizzes(page):
            quiz.list_quizzes(turn, page)
        case buttons.BeginQuiz(quiz_id):
            rounds.open_lobby(turn, quiz_id)
        case buttons.JoinRound(round_id):
            rounds.join(turn, round_id)
        case buttons.SetSeconds(round_id, seconds):
            rounds.set_seconds(turn, round_id, seconds)
        case buttons.SetQuestions(round_id, number):
            rounds.set_questions(turn, round_id, number)
        case buttons.StartRound(round_id):
            rounds.start(turn, round_id)
        case buttons.ResumeRound(round_id):
            rounds.resume(turn, round_id)
        case buttons.FullList(round_id):
            rounds.full_list(turn, round_id)
        case buttons.Rematch(round_id):
            rounds.rematch(turn, round_id)
        case buttons.InMyLanguage():
            turn.open_page(turn.world.link(buttons.write_payload(press)))
        case buttons.SetOpeners(openers):
            groups.choose_openers(turn, openers)
        case buttons.ReportQuestion(poll_id):
            data.report(turn, poll_id)
        case buttons.ChooseLanguage(tag):
            groups.choose_language(turn, tag)
        case _:
            turn.alert(turn.words("button-old-in-group"))


def _membership(world: World, store: Store, change: ChatMemberUpdated, now: datetime) -> None:
    chat_id, status = change.chat.id, change.new_chat_member.status
    if status in GONE:
        store.lost_chats.add(chat_id, status, now)
        store.outbox.remove_chat(chat_id)
        _break_off_all(world, store, chat_id, f"the bot was removed ({status})", now)
    else:
        store.lost_chats.remove(chat_id)


def _refused_poll(world: World, store: Store, poll_id: int, reason: str, now: datetime) -> None:
    poll = store.polls.find(poll_id)
    if poll is None:
        return
    if stage := _stage(world, store, poll.round_id, now):
        questions.break_off(stage, reason, tell=True)
    elif turn := _turn_of(world, store, poll.chat_id, now):
        answers.refused(turn, poll)
    world.tell_operators(store, f"Telegram refused the question {poll.question}: {reason}")


def _break_off_all(world: World, store: Store, chat_id: int, reason: str, now: datetime) -> None:
    """End all rounds of a chat that can't be written to."""
    for current in store.rounds.running_in_chat(chat_id):
        _break_off(Stage(world, store, current, now), reason)


def _break_off(stage: Stage, reason: str) -> None:
    """End a round where its chat can't be written to."""
    questions.break_off(stage, reason, tell=False)
    ended = f"A round in chat {stage.chat_id} ended: {reason}"
    stage.world.tell_operators(stage.store, ended)


def _private_turn(world: World, store: Store, user: User, now: datetime) -> Turn:
    learner = _learner(store, user, now)
    return Turn(world, store, user.id, None, now, learner=learner)


def _group_turn(world: World, store: Store, user: User | None, place: Place, now: datetime) -> Turn:
    """A turn in a group; `user` is None for an admin who stays anonymous."""
    learner = _learner(store, user, now) if user else Learner(0, "", "", None)
    group = store.groups.get(place.chat.id)
    return Turn(world, store, place.chat.id, place.thread_id, now, learner=learner, group=group)


def _learner(store: Store, user: User, now: datetime) -> Learner:
    language = user.language_code
    if not language:  # not every update says it
        known = store.learners.find(user.id)
        language = known.client_language if known else ""
    return store.learners.meet(user.id, user.first_name, language, now, user.last_name or "")


def _turn_of(world: World, store: Store, learner_id: int, now: datetime) -> Turn | None:
    """A turn in a learner's private chat in which they did nothing themselves."""
    learner = store.learners.find(learner_id)
    return Turn(world, store, learner.id, None, now, learner=learner) if learner else None


def _stage(world: World, store: Store, round_id: int | None, now: datetime) -> Stage | None:
    """A round that has not ended."""
    current = store.rounds.find(round_id) if round_id else None
    return Stage(world, store, current, now) if current and current.status != "ended" else None
