"""The rules of a round, as tables: what follows, who is where, what was hard."""

from dataclasses import replace

import pytest

from quizzes.attempt import QuestionRef
from quizzes.round import (
    MESSAGES_A_MINUTE,
    Round,
    Standing,
    Status,
    Vote,
    after_reveal,
    everybody_voted,
    fastest,
    hardest,
    ranking,
    seconds_between_questions,
)

ADA, BOB, CLEO, DAN = 1, 2, 3, 2**52 - 1
FRANCE, SPAIN, ITALY = (QuestionRef("capitals", name) for name in ("france", "spain", "italy"))
ALL = (FRANCE, SPAIN, ITALY)
ROUND = Round(
    id=1,
    chat_id=-100,
    thread_id=None,
    quiz_id="capitals",
    language="en",
    opener_id=ADA,
    status="closing",
    seconds=30,
    questions=ALL,
    asked=0,
    silent=0,
    pause_wanted=False,
)


def right(learner_id: int, seconds: float, question: QuestionRef = FRANCE) -> Vote:
    return Vote(learner_id, question, right=True, seconds=seconds)


def wrong(learner_id: int, seconds: float = 1.0, question: QuestionRef = FRANCE) -> Vote:
    return Vote(learner_id, question, right=False, seconds=seconds)


@pytest.mark.parametrize(
    ("questions", "asked", "current", "place"),
    [
        (ALL, 0, FRANCE, "1/3"),
        (ALL, 2, ITALY, "3/3"),
        (ALL, 3, None, "4/3"),
        ((), 0, None, "1/0"),
    ],
)
def test_the_current_question_is_the_first_that_was_not_revealed(
    questions: tuple[QuestionRef, ...], asked: int, current: QuestionRef | None, place: str
) -> None:
    now = replace(ROUND, questions=questions, asked=asked)
    assert (now.current, now.place) == (current, place)


@pytest.mark.parametrize(
    ("asked", "silent", "pause_wanted", "following"),
    [
        pytest.param(1, 0, False, "between", id="more to ask"),
        pytest.param(1, 1, False, "between", id="one silent question"),
        pytest.param(2, 2, False, "paused", id="two silent questions"),
        pytest.param(2, 3, False, "paused", id="more silent questions"),
        pytest.param(1, 0, True, "paused", id="a pause was asked for"),
        pytest.param(3, 0, False, "ended", id="the last"),
        pytest.param(3, 2, False, "ended", id="the last, in silence"),
        pytest.param(3, 0, True, "ended", id="the last, and a pause was asked for"),
        pytest.param(4, 0, False, "ended", id="questions were dropped"),
    ],
)
def test_after_a_reveal_comes_the_next_question_a_pause_or_the_end(
    asked: int, silent: int, pause_wanted: bool, following: Status
) -> None:
    revealed = replace(ROUND, asked=asked, silent=silent, pause_wanted=pause_wanted)
    assert after_reveal(revealed) == following


@pytest.mark.parametrize(
    ("joined", "voters", "everybody"),
    [
        ([], [], False),
        ([], [ADA], False),
        ([ADA], [], False),
        ([ADA, BOB], [ADA], False),
        ([ADA, BOB], [BOB, ADA], True),
        ([ADA, BOB], [ADA, CLEO], False),
        ([ADA], [CLEO, ADA], True),
    ],
)
def test_everybody_has_voted_when_all_who_joined_have_and_somebody_did(
    joined: list[int], voters: list[int], everybody: bool
) -> None:
    assert everybody_voted(joined, voters) is everybody


@pytest.mark.parametrize(
    ("messages_each", "rounds_in_chat", "seconds"),
    [
        (2, 1, 60 * 2 / 18),
        (3, 1, 10.0),
        (3, 2, 20.0),
        (2, 5, 60 * 10 / 18),
        (3, 0, 10.0),  # the round that asks has just ended
    ],
)
def test_questions_are_as_far_apart_as_the_chats_messages_allow(
    messages_each: int, rounds_in_chat: int, seconds: float
) -> None:
    assert seconds_between_questions(messages_each, rounds_in_chat) == pytest.approx(seconds)


@pytest.mark.parametrize("messages_each", [2, 3])
@pytest.mark.parametrize("rounds_in_chat", [1, 2, 7])
def test_no_minute_has_more_messages_than_planned(messages_each: int, rounds_in_chat: int) -> None:
    gap = seconds_between_questions(messages_each, rounds_in_chat)
    assert messages_each * rounds_in_chat * 60 / gap == pytest.approx(MESSAGES_A_MINUTE)


@pytest.mark.parametrize(
    ("votes", "standings"),
    [
        pytest.param([], [], id="nobody voted"),
        pytest.param([wrong(ADA)], [Standing(1, ADA, 0, 0.0)], id="wrong answers have a place too"),
        pytest.param(
            [right(ADA, 9.0), right(ADA, 9.0, SPAIN), right(BOB, 1.0), wrong(BOB, 1.0, SPAIN)],
            [Standing(1, ADA, 2, 18.0), Standing(2, BOB, 1, 1.0)],
            id="right answers before time",
        ),
        pytest.param(
            [right(ADA, 5.0), right(BOB, 4.999)],
            [Standing(1, BOB, 1, 4.999), Standing(2, ADA, 1, 5.0)],
            id="a millisecond decides",
        ),
        pytest.param(
            [right(ADA, 3.0), wrong(ADA, 20.0, SPAIN), right(BOB, 4.0), wrong(BOB, 0.5, SPAIN)],
            [Standing(1, ADA, 1, 3.0), Standing(2, BOB, 1, 4.0)],
            id="wrong answers take no time",
        ),
        pytest.param(
            [right(CLEO, 3.0), right(BOB, 2.0), right(ADA, 2.0), right(DAN, 1.0), wrong(5)],
            [
                Standing(1, DAN, 1, 1.0),
                Standing(2, ADA, 1, 2.0),
                Standing(2, BOB, 1, 2.0),
                Standing(4, CLEO, 1, 3.0),
                Standing(5, 5, 0, 0.0),
            ],
            id="who ties shares a place and the next one is left out",
        ),
        pytest.param(
            [right(one, 2.0) for one in (CLEO, ADA, BOB)] + [wrong(DAN)],
            [
                Standing(1, ADA, 1, 2.0),
                Standing(1, BOB, 1, 2.0),
                Standing(1, CLEO, 1, 2.0),
                Standing(4, DAN, 0, 0.0),
            ],
            id="three share the first place",
        ),
        pytest.param(
            [right(ADA, 0.1), right(ADA, 0.2, SPAIN), right(BOB, 0.3), right(BOB, 0.0, SPAIN)],
            [Standing(1, ADA, 2, 0.3), Standing(1, BOB, 2, 0.3)],
            id="times add up in whole milliseconds",
        ),
    ],
)
def test_a_ranking_is_by_right_answers_then_by_their_time(
    votes: list[Vote], standings: list[Standing]
) -> None:
    assert ranking(votes) == standings
    assert ranking(reversed(votes)) == standings


@pytest.mark.parametrize(
    ("votes", "question"),
    [
        pytest.param([], None, id="nobody voted"),
        pytest.param([right(ADA, 1.0)], None, id="nobody was wrong"),
        pytest.param([right(ADA, 1.0), wrong(BOB), right(ADA, 1.0, SPAIN)], FRANCE, id="one"),
        pytest.param(
            # Two of four against one of one: shares count, not numbers.
            [right(ADA, 1.0), right(BOB, 1.0), wrong(CLEO), wrong(DAN), wrong(ADA, 1.0, ITALY)],
            ITALY,
            id="shares",
        ),
        pytest.param(
            [wrong(ADA, 1.0, ITALY), wrong(ADA, 1.0, SPAIN)], SPAIN, id="the first of equals"
        ),
        pytest.param(
            [wrong(ADA, 1.0, QuestionRef("capitals", "atlantis"))], None, id="one that was dropped"
        ),
    ],
)
def test_the_hardest_question_has_the_smallest_share_of_right_answers(
    votes: list[Vote], question: QuestionRef | None
) -> None:
    assert hardest(votes, ALL) == question


@pytest.mark.parametrize(
    ("votes", "first"),
    [
        pytest.param([], None, id="nobody voted"),
        pytest.param([wrong(ADA, 0.1)], None, id="nobody was right"),
        pytest.param([right(ADA, 2.0), right(BOB, 1.0)], right(BOB, 1.0), id="the quicker"),
        pytest.param([wrong(ADA, 0.1), right(BOB, 9.0)], right(BOB, 9.0), id="quick but wrong"),
        pytest.param([right(BOB, 1.0), right(ADA, 1.0)], right(ADA, 1.0), id="a tie"),
    ],
)
def test_the_fastest_is_the_quickest_right_answer(votes: list[Vote], first: Vote | None) -> None:
    assert fastest(votes) == first
