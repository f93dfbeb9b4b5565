"""A round's lobby and its steering: opening, joining, choosing, starting, stopping.

Ada: /quiz capitals
Bot: Round: Capitals · easy · 3 questions · 30 s each. In: Ada   [Join] [10 s] … [Start]
Bob: (presses Join)
Ada: (presses Start)
Bot: [quiz poll, 30 s] What is the capital of France?
"""

from collections.abc import Iterable
from datetime import timedelta

from bot import messages, round_messages
from bot.handlers import questions
from bot.handlers.quiz import list_quizzes
from bot.handlers.stage import Stage, full_list_note, lobby_name
from bot.turn import Turn
from quizzes.attempt import QuestionRef
from quizzes.quiz import Quiz
from quizzes.round import SECONDS_OFFERED, SHORT_ROUND, Round

LOBBY_IDLE = timedelta(minutes=15)
"""After so long without a press a lobby closes."""

LOBBY = "lobby"
"""The agenda's word for a round whose lobby closes when nobody presses anything."""


def quiz_command(turn: Turn, argument: str) -> None:
    """`/quiz` in a group, alone or with a quiz id; also what a `?startgroup=` link sends."""
    if running := turn.store.rounds.running(turn.chat_id, turn.thread_id):
        _say_running(turn, running)
    elif not argument:
        list_quizzes(turn)
    elif turn.quiz(argument) is None:
        list_quizzes(turn, text=turn.words("quiz-unknown"))
    else:
        open_lobby(turn, argument)


def open_lobby(
    turn: Turn, quiz_id: str, *, seconds: int | None = None, short: bool = False
) -> None:
    """Open a lobby, if the group lets this person and nothing runs. Who opened it has joined."""
    quiz = turn.quiz(quiz_id)
    if running := turn.store.rounds.running(turn.chat_id, turn.thread_id):
        return _say_running(turn, running)
    if quiz is None:
        return quiz_command(turn, quiz_id)
    assert turn.group is not None
    if turn.group.openers == "admins" and not turn.is_admin():
        return turn.refuse(turn.words("round-admins-only"))
    opened = turn.store.rounds.open(
        turn.chat_id,
        turn.thread_id,
        quiz_id,
        turn.words.language,
        turn.learner.id,
        seconds or turn.world.seconds_per_question,
        _refs(quiz, SHORT_ROUND if short else None),
        turn.now,
    )
    if turn.learner.id:
        turn.store.rounds.join(opened.id, turn.learner.id, turn.now)
    _keep_open(turn, opened)
    turn.say(_lobby(turn, opened, quiz), name=lobby_name(opened.id))


def join(turn: Turn, round_id: int) -> None:
    """The button that joins."""
    current = _here(turn, round_id)
    if current is None:
        return turn.alert(turn.words("button-old-in-group"))
    if not turn.store.rounds.join(round_id, turn.learner.id, turn.now):
        return turn.notify(turn.words("round-joined-already"))
    turn.notify(turn.words("round-joined"))
    if current.status == "lobby":
        _show_lobby(turn, current)


def set_seconds(turn: Turn, round_id: int, seconds: int) -> None:
    """The buttons that choose the time for a question."""
    current = _steered_lobby(turn, round_id)
    if current and seconds != current.seconds and seconds in _seconds_offered(turn):
        turn.store.rounds.set_seconds(round_id, seconds)
        _show_lobby(turn, turn.store.rounds.get(round_id))


def set_questions(turn: Turn, round_id: int, number: int) -> None:
    """The buttons that choose how many questions; 0 is all."""
    current = _steered_lobby(turn, round_id)
    quiz = turn.quiz(current.quiz_id) if current else None
    if current and quiz and number in (0, SHORT_ROUND):
        turn.store.rounds.set_questions(round_id, _refs(quiz, number or None))
        _show_lobby(turn, turn.store.rounds.get(round_id))


def start(turn: Turn, round_id: int) -> None:
    """The button that starts."""
    current = _steered_lobby(turn, round_id)
    if current is None:
        return
    turn.store.agenda.remove(LOBBY, round_id)
    stage = Stage(turn.world, turn.store, current, turn.now)
    if quiz := stage.quiz():
        names = stage.joined_names()
        begun = round_messages.lobby_started(stage.words, quiz, current, names)
        stage.edit(begun, lobby_name(round_id))
    questions.ask_current(stage)


def close_lobby(stage: Stage) -> None:
    """Nobody started it: close the lobby."""
    if stage.round.status != "lobby":
        return
    stage.store.agenda.remove(LOBBY, stage.round.id)
    stage.store.rounds.end(stage.round.id, stage.now)
    if quiz := stage.quiz():
        closed = round_messages.lobby_closed(stage.words, quiz, stage.round)
        stage.edit(closed, lobby_name(stage.round.id))


def stop(turn: Turn, _argument: str = "") -> None:
    """`/stop`: the results so far."""
    stage = _steered(turn)
    if stage is None:
        return
    if stage.round.status == "lobby":
        close_lobby(stage)
        turn.say(messages.say(turn.words("lobby-closed")))
    else:
        questions.finish(stage)


def skip(turn: Turn, _argument: str = "") -> None:
    """`/skip`: reveal now, or go to the next question at once."""
    stage = _steered(turn)
    if stage is None:
        return
    if stage.round.status in ("asking", "closing"):
        questions.close(stage)
        questions.reveal(stage.fresh())
    elif stage.round.status == "between":
        questions.go_on(stage)
    else:
        turn.say(messages.say(turn.words("round-nothing-to-skip")))


def pause(turn: Turn, _argument: str = "") -> None:
    """`/pause`: after this question."""
    stage = _steered(turn)
    if stage is None:
        return
    if stage.round.status in ("asking", "closing"):
        turn.store.rounds.want_pause(stage.round.id, True)
        turn.say(messages.say(turn.words("round-will-pause")))
    elif stage.round.status == "between":
        questions.pause(stage)
    else:
        turn.say(messages.say(turn.words("round-nothing-to-pause")))


def resume(turn: Turn, round_id: int) -> None:
    """The button that goes on after a pause, for all who joined and for admins."""
    current = _here(turn, round_id)
    if current is None or current.status != "paused":
        return turn.alert(turn.words("button-old-in-group"))
    joined = turn.store.rounds.joined(round_id)
    if turn.learner.id not in joined and not turn.may_steer(current):
        return turn.alert(turn.words("round-not-yours"))
    questions.resume(Stage(turn.world, turn.store, current, turn.now))


def full_list(turn: Turn, round_id: int) -> None:
    """The button that shows everybody's place, once."""
    before = turn.store.rounds.find(round_id)
    shown = full_list_note(round_id)
    if before is None or before.chat_id != turn.chat_id or turn.store.notes.get(shown):
        return turn.alert(turn.words("button-old-in-group"))
    turn.store.notes.put(shown, "shown")
    stage = Stage(turn.world, turn.store, before, turn.now)
    stage.say(round_messages.full_list(stage.words, *questions.standings(stage)))


def rematch(turn: Turn, round_id: int) -> None:
    """The button that opens a lobby for the same quiz."""
    before = turn.store.rounds.find(round_id)
    if before is None or before.chat_id != turn.chat_id or before.status != "ended":
        return turn.alert(turn.words("button-old-in-group"))
    quiz = turn.quiz(before.quiz_id)
    short = quiz is not None and len(before.questions) < len(quiz.questions)
    open_lobby(turn, before.quiz_id, seconds=before.seconds, short=short)


def _say_running(turn: Turn, running: Round) -> None:
    """Point to the round that runs."""
    text = messages.say(turn.words("round-running"))
    if polls := turn.store.polls.of_round(running.id):
        turn.say(text, reply_to_poll=polls[-1].id)
    else:
        turn.say(text, reply_to=lobby_name(running.id))


def _refs(quiz: Quiz, number: int | None) -> Iterable[QuestionRef]:
    return [QuestionRef(quiz.id, question.id) for question in quiz.questions[:number]]


def _seconds_offered(turn: Turn) -> list[int]:
    return sorted({*SECONDS_OFFERED, turn.world.seconds_per_question})


def _lobby(turn: Turn, current: Round, quiz: Quiz) -> messages.Message:
    stage = Stage(turn.world, turn.store, current, turn.now)
    names = stage.joined_names()
    return round_messages.lobby(stage.words, quiz, current, names, _seconds_offered(turn))


def _show_lobby(turn: Turn, current: Round) -> None:
    stage = Stage(turn.world, turn.store, current, turn.now)
    _keep_open(turn, current)
    if quiz := stage.quiz():
        stage.edit(_lobby(turn, current, quiz), lobby_name(current.id))


def _keep_open(turn: Turn, current: Round) -> None:
    turn.store.agenda.put(LOBBY, current.id, turn.now + LOBBY_IDLE)


def _here(turn: Turn, round_id: int) -> Round | None:
    """The round, if it runs in the chat where the button was pressed."""
    current = turn.store.rounds.find(round_id)
    if current is None or current.status == "ended" or current.chat_id != turn.chat_id:
        return None
    return current


def _steered_lobby(turn: Turn, round_id: int) -> Round | None:
    """The round, if it is in its lobby and this person may steer it; else they are told."""
    current = _here(turn, round_id)
    if current is None or current.status != "lobby":
        turn.alert(turn.words("button-old-in-group"))
    elif not turn.may_steer(current):
        turn.alert(turn.words("round-not-yours"))
    else:
        return current
    return None


def _steered(turn: Turn) -> Stage | None:
    """The round that runs here, if this person may steer it; else they are told."""
    current = turn.store.rounds.running(turn.chat_id, turn.thread_id)
    if current is None:
        turn.say(messages.say(turn.words("round-none")))
    elif not turn.may_steer(current):
        turn.say(messages.say(turn.words("round-not-yours")))
    else:
        return Stage(turn.world, turn.store, current, turn.now)
    return None
