"""Which letter goes next: strictly in order within a chat, by priority across chats."""

from itertools import pairwise

import pytest

from bot.flood import FloodLimits
from bot.lanes import Lanes
from storage.outbox import Letter, Priority

REPLY, ROUND, REMINDER = Priority.REPLY, Priority.ROUND, Priority.REMINDER


def letter(
    number: int, chat: int, priority: Priority = REPLY, method: str = "sendMessage"
) -> Letter:
    return Letter(number, chat, priority, method, {"chat_id": chat})


def lanes(*letters: Letter, per_second: float = 0) -> Lanes:
    made = Lanes(FloodLimits(per_second))
    for one in letters:
        made.add(one)
    return made


def taken(made: Lanes, now: float = 0) -> list[int]:
    return [one.id for one in made.take(now)]


def test_one_letter_a_chat_is_under_way_at_a_time() -> None:
    made = lanes(letter(1, 7), letter(2, 7), letter(3, 8))
    assert taken(made) == [1, 3]
    made.done(7)
    assert taken(made) == [2]
    made.done(7)
    assert taken(made) == []


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ([letter(1, 1, REMINDER), letter(2, 2, REPLY), letter(3, 3, ROUND)], [2, 3, 1]),
        ([letter(1, 1, ROUND), letter(2, 2, ROUND)], [1, 2]),
        # A reply that lies behind a reminder pulls it forward: the order in a chat is kept.
        ([letter(1, 1, ROUND), letter(2, 2, REMINDER), letter(3, 2, REPLY)], [2, 1]),
    ],
)
def test_the_most_urgent_chat_goes_first(letters: list[Letter], expected: list[int]) -> None:
    assert taken(lanes(*letters)) == expected


def test_a_paused_chat_does_not_hold_up_another() -> None:
    made = lanes(letter(1, 1), letter(2, 2))
    assert taken(made) == [1, 2]
    made.again(letter(1, 1), 7.0)
    made.done(2)
    made.add(letter(3, 2))
    assert taken(made, 6.9) == [3]
    assert made.next_change(6.0) == pytest.approx(1.0)
    assert taken(made, 7.0) == [1]


def test_a_chat_takes_a_burst_and_then_one_message_a_second() -> None:
    made = lanes(*(letter(number, 1) for number in range(7)), per_second=30)
    order: list[int] = []
    times: list[float] = []
    for tenth in range(40):
        for one in made.take(tenth / 10):
            order.append(one.id)
            times.append(tenth / 10)
            made.done(1)
    assert order == list(range(7))
    assert times == pytest.approx([0, 0, 0, 0, 1.1, 2.2, 3.3], abs=0.101)


def test_a_group_takes_twenty_messages_a_minute() -> None:
    made = lanes(*(letter(number, -1) for number in range(25)), per_second=30)
    times: list[float] = []
    now = 0.0
    while len(times) < 25:
        for _ in made.take(now):
            times.append(now)
            made.done(-1)
        now += 0.05
    assert all(later - earlier > 60 for earlier, later in zip(times, times[20:], strict=False))


def test_all_chats_together_stay_within_the_limit() -> None:
    made = lanes(*(letter(number, number, ROUND) for number in range(1, 100)), per_second=10)
    assert len(taken(made)) == 10
    made.add(letter(500, 500, REPLY))
    assert taken(made, 0.5) == []
    assert taken(made, 1.2)[0] == 500


def test_what_nobody_waits_for_goes_evenly_and_leaves_room_for_a_burst_of_replies() -> None:
    reminders = [letter(number, number, REMINDER) for number in range(1, 200)]
    made = lanes(*reminders, per_second=30)
    times = [step / 1000 for step in range(3000) for _ in taken(made, step / 1000)]
    assert min(later - earlier for earlier, later in pairwise(times)) > 0.04
    assert len([time for time in times if time > 3 - 1.1]) == pytest.approx(25, abs=1)
    for number in range(500, 505):
        made.add(letter(number, number, REPLY))
    assert taken(made, 3.0)[:5] == [500, 501, 502, 503, 504]


def test_what_nobody_waits_for_still_goes_where_the_limit_is_one_message_a_second() -> None:
    made = lanes(*(letter(number, number, REMINDER) for number in range(4)), per_second=1)
    times = [step / 10 for step in range(40) for _ in taken(made, step / 10)]
    assert times == pytest.approx([0, 1.1, 2.2, 3.3], abs=0.101)


def test_what_telegram_does_not_count_is_not_limited_in_its_chat() -> None:
    letters = [letter(number, 1, method="stopPoll") for number in range(6)]
    made = lanes(*letters, per_second=30)
    for one in letters:
        assert taken(made) == [one.id]
        made.done(1)


def test_what_telegram_does_not_count_goes_also_when_the_second_is_used_up() -> None:
    made = lanes(*(letter(number, number, ROUND) for number in range(1, 20)), per_second=10)
    assert len(taken(made)) == 10
    made.add(letter(500, 500, ROUND, "stopPoll"))
    made.add(letter(501, 500, ROUND))
    assert taken(made, 0.5) == [500]
    made.done(500)
    assert taken(made, 0.5) == []


def test_a_chat_that_moved_keeps_its_order_at_the_new_id() -> None:
    made = lanes(letter(1, -5), letter(2, -5), letter(3, -1005))
    assert taken(made) == [1, 3]
    made.again(letter(1, -5), 0.0)
    made.done(-1005)
    made.move(-5, -1005)
    order = []
    for _ in range(2):
        (one,) = made.take(0.0)
        order.append((one.id, one.chat_id, one.params["chat_id"]))
        made.done(-1005)
    assert order == [(1, -1005, -1005), (2, -1005, -1005)]
