"""Choosing a quiz, going through its questions, stopping, practising what was missed.

learner: /quiz gradient-clipping
bot:     Gradient clipping · 8 questions
bot:     [poll] What does clipping by norm keep?
learner: (votes)
bot:     ✅ Right … [Next 2/8]
"""

from bot import buttons, messages
from bot.handlers import answers, polls
from bot.messages import Button
from bot.turn import Turn
from quizzes.attempt import Attempt, Kind, QuestionRef


def start(turn: Turn, argument: str) -> None:
    """`/start`, alone or with a quiz id."""
    if argument:
        begin_named(turn, argument)
    else:
        turn.say(messages.greeting(turn.words, turn.learner.name, turn.quizzes()))


def choose(turn: Turn, argument: str) -> None:
    """`/quiz`, alone or with a quiz id."""
    if argument:
        begin_named(turn, argument)
    elif attempt := unfinished(turn):
        offer_to_go_on(turn, attempt, attempt.quiz_id, with_list=True)
    else:
        list_quizzes(turn)


def list_quizzes(turn: Turn, page: int = 0, text: str | None = None) -> None:
    """Offer the quizzes."""
    turn.say(messages.quiz_list(turn.words, turn.quizzes(), page, text))


def begin_named(turn: Turn, quiz_id: str) -> None:
    """Begin the quiz that somebody named, if there is one and nothing else is running."""
    quiz = turn.quiz(quiz_id)
    if quiz is None:
        list_quizzes(turn, text=turn.words("quiz-unknown"))
    elif attempt := unfinished(turn):
        offer_to_go_on(turn, attempt, quiz_id)
    else:
        questions = (QuestionRef(quiz_id, question.id) for question in quiz.questions)
        begin(turn, "quiz", quiz_id, *questions)


def offer_to_go_on(
    turn: Turn, attempt: Attempt, wanted_quiz_id: str | None, *, with_list: bool = False
) -> None:
    """Ask whether to go on with what is running or to begin a quiz, or a review (None), anew."""
    place = _next_place(turn, attempt)
    text = turn.words("attempt-running", quiz=title(turn, attempt), place=place)
    resume = buttons.Resume(attempt.id, len(attempt.answers))
    rows = [[Button(turn.words("button-go-on", place=place), resume)]]
    wanted = turn.quiz(wanted_quiz_id) if wanted_quiz_id else None
    if not wanted_quiz_id:
        anew = turn.words("button-anew", quiz=turn.words("review-title"))
        rows.append([Button(anew, buttons.ReviewAnew(attempt.id))])
    elif wanted:
        anew = turn.words("button-anew", quiz=wanted.title)
        rows.append([Button(anew, buttons.BeginAnew(attempt.id, wanted.id))])
    if with_list:
        turn.say(messages.quiz_list(turn.words, turn.quizzes(), 0, text, rows))
    else:
        turn.say(messages.say(text, rows))


def begin_anew(turn: Turn, attempt_id: int, quiz_id: str) -> None:
    """The button that gives up what is running for a new attempt."""
    attempt = running_attempt(turn, attempt_id)
    if attempt is None:
        return turn.alert(turn.words("button-old"))
    end(turn, attempt)
    begin_named(turn, quiz_id)


def go_on(turn: Turn, poll_id: int) -> None:
    """The button under an explanation: the next question, or the results."""
    poll = turn.store.polls.find(poll_id)
    attempt = running_attempt(turn, poll.attempt_id if poll else None)
    if poll is None or attempt is None or poll.question not in attempt.answers:
        return turn.alert(turn.words("button-old"))
    if turn.store.polls.has_later_question(poll):
        return turn.alert(turn.words("button-old"))
    ask_next(turn, attempt)


def resume(turn: Turn, attempt_id: int, answered: int) -> None:
    """The button that shows the running attempt's question again."""
    attempt = running_attempt(turn, attempt_id)
    if attempt is None or len(attempt.answers) != answered:
        return turn.alert(turn.words("button-old"))
    ask_next(turn, attempt)


def ask_next(turn: Turn, attempt: Attempt) -> None:
    """Ask the first unanswered question, or show the results when there is none left."""
    ref = attempt.next_question(turn.world)
    if ref is None:
        show_results(turn, attempt)
    else:
        quiz = turn.quiz(ref.quiz_id)
        question = quiz.question(ref.question_id) if quiz else None
        assert quiz is not None
        assert question is not None, f"{ref} was in the bank a moment ago"
        polls.send(turn, quiz, question, _next_place(turn, attempt), attempt_id=attempt.id)


def stop(turn: Turn, _argument: str = "") -> None:
    """`/stop`: the results of what is running."""
    attempt = turn.store.attempts.running(turn.learner.id)
    if attempt is None:
        list_quizzes(turn, text=turn.words("attempt-nothing-to-stop"))
    else:
        show_results(turn, attempt)


def show_results(turn: Turn, attempt: Attempt) -> None:
    """End an attempt and say how it went."""
    end(turn, attempt)
    missed = list(turn.questions(attempt.missed()))
    shared = turn.quiz(attempt.quiz_id)
    link = turn.world.link(shared.id) if shared else None
    turn.say(messages.results(turn.words, title(turn, attempt), attempt, missed, link))


def practise(turn: Turn, attempt_id: int) -> None:
    """The button that asks again what was missed."""
    attempt = turn.store.attempts.find(attempt_id)
    if attempt is None or attempt.learner_id != turn.learner.id:
        return turn.alert(turn.words("button-old"))
    if running := unfinished(turn):
        return offer_to_go_on(turn, running, attempt.quiz_id)
    missed = [ref for ref in attempt.missed() if ref in turn.world]
    if not missed:
        return turn.alert(turn.words("button-old"))
    begin(turn, "practice", attempt.quiz_id, *missed)


def begin(turn: Turn, kind: Kind, quiz_id: str, *questions: QuestionRef) -> None:
    """Begin an attempt at these questions; `quiz_id` is "" where they are of several quizzes."""
    attempt = turn.store.attempts.start(turn.learner.id, kind, quiz_id, questions, turn.now)
    heading = title(turn, attempt)
    turn.say(messages.attempt_begins(turn.words, heading, turn.quiz(quiz_id), attempt))
    ask_next(turn, attempt)


def end(turn: Turn, attempt: Attempt) -> None:
    """End an attempt and close its polls."""
    turn.store.attempts.end(attempt.id, turn.now)
    if attempt.kind == "quiz" and attempt.next_question(turn.world) is None:
        turn.store.learners.count_finished(turn.learner.id)
    answers.close_all(turn, attempt.id)


def title(turn: Turn, attempt: Attempt) -> str:
    """What an attempt is called: its quiz, or a review."""
    quiz = turn.quiz(attempt.quiz_id)
    if quiz:
        return quiz.title
    return attempt.quiz_id or turn.words("review-title")


def unfinished(turn: Turn) -> Attempt | None:
    """The learner's running attempt. One whose last question is answered ends here instead."""
    attempt = turn.store.attempts.running(turn.learner.id)
    if attempt and attempt.next_question(turn.world) is None:
        end(turn, attempt)
        return None
    return attempt


def running_attempt(turn: Turn, attempt_id: int | None) -> Attempt | None:
    """The attempt, if it is the learner's own and has not ended."""
    attempt = turn.store.attempts.running(turn.learner.id)
    return attempt if attempt and attempt.id == attempt_id else None


def _next_place(turn: Turn, attempt: Attempt) -> str:
    ref = attempt.next_question(turn.world)
    if ref is None:
        return ""
    number, total = attempt.place(ref, turn.world)
    return f"{number}/{total}"
