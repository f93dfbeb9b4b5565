"""The life of a quiz poll in the local Telegram: votes, the end, and what the bot hears."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from bot.demo.chats import Change
from bot.demo.polls import VoteRefusedError
from tests.local_telegram import Bench, serving

ANN, BOB = 7, 8


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        for person_id, name in ((ANN, "Ann"), (BOB, "Bob")):
            bench.telegram.send(bench.telegram.add_person(name, id=person_id), person_id, "/start")
        await bench.updates(offset=3)
        yield bench


async def vote(bench: Bench, message: dict[str, Any], picks: Sequence[int], who: int = ANN) -> None:
    person = bench.telegram.people[who]
    bench.telegram.vote(person, message["chat"]["id"], message["message_id"], picks)


def kinds(updates: list[dict[str, Any]]) -> list[str]:
    return [next(name for name in update if name != "update_id") for update in updates]


async def test_a_quiz_comes_back_with_every_field(bench: Bench) -> None:
    sent = await bench.quiz(ANN, explanation="<b>Four</b>.", explanation_parse_mode="HTML")
    poll = sent["poll"]
    ids = [option.pop("persistent_id") for option in poll["options"]]
    assert len({*ids, poll["id"]}) == 4
    assert poll == {
        "id": poll["id"],
        "question": "2 + 2?",
        "options": [{"text": text, "voter_count": 0} for text in ("3", "4", "5")],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": False,
        "allows_multiple_answers": False,
        "allows_revoting": False,
        "members_only": False,
        "type": "quiz",
        "correct_option_id": 1,
        "correct_option_ids": [1],
        "explanation": "Four.",
        "explanation_entities": [{"type": "bold", "offset": 0, "length": 4}],
    }


async def test_polls_are_anonymous_regular_and_can_be_voted_in_again_unless_told_otherwise(
    bench: Bench,
) -> None:
    sent = await bench.call("sendPoll", chat_id=ANN, question="Tea?", options=["yes", "no"])
    poll = sent["poll"]
    assert (poll["is_anonymous"], poll["type"], poll["allows_revoting"]) == (True, "regular", True)


async def test_a_vote_brings_the_poll_and_the_answer(bench: Bench) -> None:
    sent = await bench.quiz(ANN)
    await vote(bench, sent, [2])
    updates = await bench.updates()
    persistent_id = sent["poll"]["options"][2]["persistent_id"]
    assert kinds(updates) == ["poll", "poll_answer"]
    assert updates[0]["poll"]["options"][2] == {
        "persistent_id": persistent_id,
        "text": "5",
        "voter_count": 1,
    }
    assert updates[1]["poll_answer"] == {
        "poll_id": sent["poll"]["id"],
        "user": {"id": ANN, "is_bot": False, "first_name": "Ann"},
        "option_ids": [2],
        "option_persistent_ids": [persistent_id],
    }


@pytest.mark.parametrize(
    ("where", "heard"),
    [
        ("before answers", ["poll", "poll_answer"]),
        ("after answers", ["poll_answer", "poll"]),
        ("never", ["poll_answer"]),
    ],
)
async def test_the_order_of_both_updates_can_be_chosen(
    bench: Bench, where: Any, heard: list[str]
) -> None:
    bench.telegram.poll_updates = where
    await vote(bench, await bench.quiz(ANN), [2])
    assert kinds(await bench.updates()) == heard


async def test_a_vote_in_an_anonymous_poll_names_nobody(bench: Bench) -> None:
    await vote(bench, await bench.quiz(ANN, is_anonymous=True), [1])
    assert kinds(await bench.updates()) == ["poll"]


async def test_several_right_options_are_picked_in_one_vote(bench: Bench) -> None:
    sent = await bench.quiz(ANN, allows_multiple_answers=True, correct_option_ids=[0, 2])
    assert "correct_option_id" not in sent["poll"]
    await vote(bench, sent, [2, 0])
    answer = (await bench.updates())[-1]["poll_answer"]
    assert answer["option_ids"] == [0, 2]


@pytest.mark.parametrize(
    ("votes", "sentence"),
    [
        ([[0], [1]], "Can't revote in a quiz"),
        ([[0], [0]], "Can't revote in a quiz"),
        ([[0], []], "Can't retract vote in the poll"),
        ([[0, 1]], "Can't choose more than 1 option in the poll"),
        ([[3]], "Invalid option ID specified"),
        ([[-1]], "Invalid option ID specified"),
    ],
)
async def test_a_quiz_takes_one_vote_and_no_other(
    bench: Bench, votes: list[list[int]], sentence: str
) -> None:
    sent = await bench.quiz(ANN)
    *taken, refused = votes
    for picks in taken:
        await vote(bench, sent, picks)
    with pytest.raises(VoteRefusedError, match=sentence):
        await vote(bench, sent, refused)
    assert len(await bench.updates()) == 2 * len(taken)


async def test_where_revoting_is_allowed_votes_are_changed_and_taken_back(bench: Bench) -> None:
    sent = await bench.quiz(ANN, allows_revoting=True)
    await vote(bench, sent, [0])
    await vote(bench, sent, [1])
    bench.telegram.retract(bench.telegram.people[ANN], ANN, sent["message_id"])
    answers = [
        update["poll_answer"]["option_ids"]
        for update in await bench.updates()
        if "poll_answer" in update
    ]
    assert answers == [[0], [1], []]


async def test_a_poll_ends_by_the_clock_and_the_bot_is_not_told(bench: Bench) -> None:
    sent = await bench.quiz(ANN, open_period=30)
    assert (sent["poll"]["open_period"], sent["poll"]["close_date"]) == (30, sent["date"] + 30)
    await bench.clock.advance(29.9)
    await vote(bench, sent, [1])
    await bench.clock.advance(0.1)
    with pytest.raises(VoteRefusedError, match="Can't answer closed poll"):
        await vote(bench, sent, [1], who=BOB)
    poll = bench.telegram.chat(ANN).messages[-1].json["poll"]
    assert (poll["is_closed"], "close_date" in poll, "open_period" in poll) == (True, False, False)
    assert kinds(await bench.updates()) == ["poll", "poll_answer"]
    refusal = await bench.refusal("stopPoll", chat_id=ANN, message_id=sent["message_id"])
    assert refusal == (400, "Bad Request: poll can't be stopped")


async def test_a_close_date_ends_a_poll_and_an_open_period_wins_over_it(bench: Bench) -> None:
    now = bench.telegram.now
    dated = await bench.quiz(ANN, close_date=now + 60)
    both = await bench.quiz(ANN, close_date=now + 60, open_period=10)
    ends = [(sent["poll"]["open_period"], sent["poll"]["close_date"]) for sent in (dated, both)]
    assert ends == [(60, now + 60), (10, now + 10)]


async def test_the_end_of_a_poll_is_shown_to_those_who_look(bench: Bench) -> None:
    changes: list[Change] = []
    await bench.quiz(ANN, open_period=5)
    stop = bench.telegram.on_change(changes.append)
    await bench.clock.advance(5)
    await bench.call("getMe")
    stop()
    await bench.quiz(ANN)
    assert [(change.kind, change.chat_id) for change in changes] == [("poll", ANN)]


async def test_a_deleted_poll_is_not_shown_again_when_it_ends_or_its_copy_takes_a_vote(
    bench: Bench,
) -> None:
    sent = await bench.quiz(ANN, open_period=5)
    copy = bench.telegram.forward_poll(bench.telegram.people[ANN], ANN, sent["message_id"], BOB)
    await bench.call("deleteMessage", chat_id=ANN, message_id=sent["message_id"])
    changes: list[Change] = []
    bench.telegram.on_change(changes.append)
    bench.telegram.vote(bench.telegram.people[BOB], BOB, copy.id, [1])
    await bench.clock.advance(5)
    await bench.call("getMe")
    assert [(change.kind, change.message) for change in changes] == [("poll", copy)] * 2


async def test_stopping_a_poll_gives_the_counts_and_a_poll_update(bench: Bench) -> None:
    sent = await bench.quiz(ANN, open_period=30, description="Sums")
    await vote(bench, sent, [1])
    keyboard = {"inline_keyboard": [[{"text": "Next", "callback_data": "next"}]]}
    stopped = await bench.call(
        "stopPoll", chat_id=ANN, message_id=sent["message_id"], reply_markup=keyboard
    )
    (*_, update) = await bench.updates()
    assert (stopped["is_closed"], stopped["total_voter_count"]) == (True, 1)
    assert (stopped["description"], "description" in update["poll"]) == ("Sums", False)
    assert update["poll"]["is_closed"]
    assert bench.telegram.chat(ANN).messages[-1].buttons == ["Next"]


async def test_a_forwarded_poll_is_the_same_poll(bench: Bench) -> None:
    sent = await bench.quiz(ANN)
    ann, bob = bench.telegram.people[ANN], bench.telegram.people[BOB]
    copy = bench.telegram.forward_poll(ann, ANN, sent["message_id"], BOB)
    await vote(bench, sent, [0])
    bench.telegram.vote(bob, BOB, copy.id, [1])
    updates = await bench.updates()
    assert updates[0]["message"]["forward_origin"]["sender_user"]["username"] == "quiz_tutor_bot"
    assert {update["poll"]["id"] for update in updates if "poll" in update} == {sent["poll"]["id"]}
    assert copy.json["poll"]["total_voter_count"] == 2


async def test_a_question_loses_its_markup_and_an_explanation_keeps_it(bench: Bench) -> None:
    sent = await bench.quiz(
        ANN,
        question=" <b>2</b> + 2?\n",
        question_parse_mode="HTML",
        options=[{"text": "<i>3</i>", "text_parse_mode": "HTML"}, " 4\t", "https://a.io"],
        explanation="<code>4</code>",
        explanation_parse_mode="HTML",
    )
    poll = sent["poll"]
    assert (poll["question"], "question_entities" in poll) == ("2 + 2?", False)
    assert [option["text"] for option in poll["options"]] == ["3", "4", "https://a.io"]
    assert all("text_entities" not in option for option in poll["options"])
    assert poll["explanation_entities"] == [{"type": "code", "offset": 0, "length": 1}]


async def test_in_a_group_everybody_votes_and_stopping_counts_them_all(bench: Bench) -> None:
    crowd = [bench.telegram.add_person(f"P{number}") for number in range(40)]
    group = bench.telegram.add_group("Class", crowd, supergroup=True)
    quiz = await bench.quiz(group.id)
    for number, person in enumerate(crowd):
        bench.telegram.vote(person, group.id, quiz["message_id"], [number % 3])
    updates = await bench.updates()
    stopped = await bench.call("stopPoll", chat_id=group.id, message_id=quiz["message_id"])
    voters = [update["poll_answer"]["user"]["id"] for update in updates if "poll_answer" in update]
    assert voters == [person.id for person in crowd]
    assert [option["voter_count"] for option in stopped["options"]] == [14, 13, 13]
    assert stopped["total_voter_count"] == 40


async def test_a_copy_in_another_chat_takes_votes_until_the_poll_ends_and_brings_no_end(
    bench: Bench,
) -> None:
    ann, bob = bench.telegram.people[ANN], bench.telegram.people[BOB]
    group = bench.telegram.add_group("Class", [ann, bob])
    other = bench.telegram.add_group("Club", [bob])
    quiz = await bench.quiz(group.id, open_period=30)
    copy = bench.telegram.forward_poll(bob, group.id, quiz["message_id"], other.id)
    bench.telegram.vote(bob, other.id, copy.id, [1])
    with pytest.raises(VoteRefusedError, match="Can't revote in a quiz"):
        bench.telegram.vote(bob, group.id, quiz["message_id"], [1])
    await bench.clock.advance(30)
    with pytest.raises(VoteRefusedError, match="Can't answer closed poll"):
        bench.telegram.vote(ann, group.id, quiz["message_id"], [1])
    told = [update for update in await bench.updates() if "my_chat_member" not in update]
    assert kinds(told) == ["poll", "poll_answer"]
    assert copy.json["poll"]["is_closed"]
    with pytest.raises(PermissionError, match="Ann is not in Club"):
        bench.telegram.forward_poll(ann, group.id, quiz["message_id"], other.id)
