"""From the outbox to Telegram: refusals, silence, doubt, and order, seen from the chat."""

import asyncio
from pathlib import Path

import pytest

from bot.demo.flood import FloodLimits
from bot.hints import HINTS_AT_ONCE, HINTS_WAITING
from storage.outbox import Letter
from storage.store import Store
from tests.conversation import Learner, Talk, talking

FRANCE = "What is the capital of France?"
DOUBT = (
    "The connection failed while I was sending a question. "
    "If you don't see it above, I can show it again."
)
REFUSED = "Telegram would not take this question, so it is left out."


def questions(learner: Learner) -> list[str]:
    """The questions of the polls in the learner's chat."""
    return [m.json["poll"]["question"] for m in learner.messages if m.poll]


# 429, 5xx, 400, 403


async def test_a_429_delays_its_chat_and_no_other(ada: Learner, talk: Talk) -> None:
    bob = talk.learner("Bob")
    talk.telegram.faults.refuse(
        "sendMessage",
        429,
        "Too Many Requests: retry after 7",
        parameters={"retry_after": 7},
        chat_id=ada.id,
    )
    await ada.sends("/help")
    await bob.sends("/help")
    assert (len(ada.messages), len(bob.messages)) == (0, 1)
    await talk.clock.advance(6.9)
    assert len(talk.telegram.calls("sendMessage")) == 2
    await talk.clock.advance(0.2)
    assert len(ada.messages) == 1


async def test_a_429_is_obeyed_across_a_restart(ada: Learner, talk: Talk) -> None:
    talk.telegram.faults.refuse(
        "sendMessage", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7}
    )
    await ada.sends("/help")
    await talk.crashes()
    await talk.start()
    await talk.clock.advance(6.9)
    assert ada.messages == []
    await talk.clock.advance(0.2)
    assert len(ada.messages) == 1


async def test_a_5xx_is_tried_again_with_growing_pauses_and_asks_once(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.refuse("sendPoll", 502, "Bad Gateway", times=5)
    await ada.sends("/quiz capitals")
    assert questions(ada) == []
    await talk.clock.advance(31.5)
    assert questions(ada) == [FRANCE]
    assert len(talk.telegram.calls("sendPoll")) == 6


async def test_a_400_is_never_repeated_and_the_learner_goes_on(ada: Learner, talk: Talk) -> None:
    talk.telegram.faults.refuse("sendPoll", 400, "Bad Request: POLL_OPTION_INVALID")
    await ada.sends("/quiz capitals")
    assert ada.hears[1:] == [REFUSED]
    assert len(talk.telegram.calls("sendPoll")) == 1
    await ada.taps("Next 1/2")
    assert questions(ada) == ["What is the capital of Australia?"]
    await ada.votes_right()
    await ada.taps("Next 2/2")
    await ada.votes_right()
    await ada.taps("Results")
    assert "Right answers: 2 of 2" in ada.hears[0]


async def test_operators_are_told_of_a_refused_question(tmp_path: Path) -> None:
    async with talking(tmp_path, operator_ids=(1001,)) as talk:
        operator, bob = talk.learner("Op"), talk.learner("Bob")
        await operator.sends("/help")
        talk.telegram.faults.refuse("sendPoll", 400, "Bad Request: POLL_OPTION_INVALID")
        await bob.sends("/quiz capitals")
        assert operator.messages[-1].text == (
            "Telegram refused the question capitals/france: Poll_option_invalid"
        )


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (403, "Forbidden: bot was blocked by the user"),
        (403, "Forbidden: user is deactivated"),
        (400, "Bad Request: chat not found"),
    ],
)
async def test_a_lost_chat_is_left_alone_until_it_writes_again(
    ada: Learner, talk: Talk, code: int, text: str
) -> None:
    bob = talk.learner("Bob")
    talk.telegram.faults.refuse("sendMessage", code, text, times=1, chat_id=ada.id)
    await ada.sends("/quiz capitals")
    assert ada.messages == []
    assert talk.telegram.calls("sendPoll") == []
    await bob.sends("/help")
    assert len(bob.messages) == 1
    await ada.sends("/quiz")
    await ada.taps("Go on 1/3")
    assert questions(ada) == [FRANCE]


async def test_a_learner_who_blocks_and_comes_back_goes_on(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    talk.telegram.block(ada.person)
    await talk.settles()
    await ada.sends("/start capitals")
    assert ada.hears == ["You are in the middle of “Capitals”, question 1/3."]


async def test_a_deleted_question_does_not_keep_its_explanation_back(
    ada: Learner, talk: Talk
) -> None:
    await ada.sends("/quiz capitals")
    message = ada.poll_message
    talk.telegram.vote(ada.person, ada.id, message.id, [0])
    del talk.telegram.chat(ada.id).shown[message.id]
    await talk.settles()
    assert ada.messages[-1].buttons[0] == "Next 2/3"
    assert ada.messages[-1].reply_to is None


# Requests that never went out, answers that never came


async def test_what_never_went_out_is_sent_when_telegram_is_back(ada: Learner, talk: Talk) -> None:
    talk.telegram.faults.refuse("sendPoll", 500, "Internal Server Error", times=2)
    await ada.sends("/quiz capitals")
    await talk.clock.advance(3.1)
    assert questions(ada) == [FRANCE]


async def test_a_question_without_an_answer_from_telegram_is_not_sent_twice(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz capitals")
    await talk.clock.advance(9.9)
    assert questions(ada) == [FRANCE]
    assert len(talk.telegram.calls("sendPoll")) == 1


async def test_a_vote_proves_a_question_of_unknown_fate(ada: Learner, talk: Talk) -> None:
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")
    await talk.clock.advance(60)
    assert len(ada.news) == 1
    await ada.taps("Next 2/3")
    assert ada.hears == ["What is the capital of Australia?"]


async def test_without_a_poll_update_the_voter_alone_proves_it(ada: Learner, talk: Talk) -> None:
    talk.telegram.poll_updates = "never"
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    assert ada.hears == []
    await talk.clock.advance(3.1)
    assert ada.hears[0].startswith("✅ Right")


@pytest.mark.parametrize("order", ["before answers", "after answers"])
async def test_the_poll_update_may_come_before_or_after_the_vote(
    ada: Learner, talk: Talk, order: str
) -> None:
    talk.telegram.poll_updates = order  # type: ignore[assignment]
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz capitals")
    await ada.votes("Lyon")
    assert ada.hears[0].startswith("❌ Not quite")


async def test_a_doubtful_question_that_nothing_proves_gets_a_line_with_a_button(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.cut("sendPoll")
    await ada.sends("/quiz capitals")
    assert questions(ada) == []
    await talk.clock.advance(10.1)
    assert ada.hears[-1] == DOUBT
    await ada.taps("Show the question")
    assert questions(ada) == [FRANCE]
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")


async def test_both_copies_of_a_doubtful_question_are_graded_and_one_counts(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz capitals")
    first = ada.poll_message
    await talk.clock.advance(10.1)
    await ada.taps("Show the question")
    assert questions(ada) == [FRANCE, FRANCE]
    await ada.votes("Lyon", poll=first)
    assert ada.hears[0].startswith("❌ Not quite")
    await ada.taps("Next 2/3")
    assert ada.hears == ["What is the capital of Australia?"]
    await ada.sends("/stats")
    assert "Answers: 1\nRight answers: 0" in ada.hears[0]


async def test_a_vote_that_comes_before_the_answer_to_its_poll_waits_for_it(
    ada: Learner, talk: Talk
) -> None:
    held = talk.telegram.faults.hold("sendPoll")
    await ada.sends("/quiz capitals")
    talk.telegram.poll_updates = "never"
    await ada.votes("Paris")
    assert ada.hears == []
    held.release()
    await talk.settles()
    assert ada.hears[0].startswith("✅ Right")
    assert ada.news[0].reply_to is ada.poll_message


async def test_what_a_learner_does_after_a_waiting_vote_waits_behind_it(
    ada: Learner, talk: Talk
) -> None:
    held = talk.telegram.faults.hold("sendPoll")
    talk.telegram.poll_updates = "never"
    await ada.sends("/quiz capitals")
    talk.telegram.vote(ada.person, ada.id, ada.poll_message.id, [ada.options.index("Paris")])
    await ada.sends("/stop")
    held.release()
    await talk.settles()
    assert [text.split("\n")[0] for text in ada.hears] == ["✅ Right", "Results: Capitals"]
    assert "Right answers: 1 of 3" in ada.hears[1]


async def test_an_answer_that_takes_too_long_leaves_doubt_and_no_second_poll(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.delay("sendPoll", 60)
    await ada.sends("/quiz capitals")
    await talk.clock.advance(29)
    assert questions(ada) == [FRANCE]
    await talk.clock.advance(2)
    assert ada.hears[-1] == DOUBT
    assert questions(ada) == [FRANCE]


async def test_a_text_of_unknown_fate_is_sent_once_more_and_then_given_up(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.faults.drop("sendMessage", times=5)
    await ada.sends("/help")
    assert len(ada.messages) == 1
    await talk.clock.advance(120)
    assert len(ada.messages) == 2


async def test_a_text_with_buttons_is_not_given_up_so_soon(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    talk.telegram.faults.cut("sendMessage", times=3)
    await ada.votes("Paris")
    await talk.clock.advance(40)
    assert ada.buttons[0] == "Next 2/3"


async def test_while_one_chat_waits_for_telegram_others_are_answered(
    ada: Learner, talk: Talk
) -> None:
    bob = talk.learner("Bob")
    held = talk.telegram.faults.hold("sendMessage", chat_id=ada.id)
    await ada.sends("/help")
    await ada.sends("/stats")
    await bob.sends("/help")
    assert len(bob.messages) == 1
    assert len(ada.messages) == 1  # its answer is held, and what follows waits behind it
    held.release()
    await talk.settles()
    assert [text.split("\n")[0] for text in [m.text for m in ada.messages]] == [
        "What I understand:",
        "You have not answered a question yet. Choose a quiz:",
    ]


# Crashes


@pytest.mark.parametrize("lost", ["answer", "request"])
async def test_after_a_crash_while_sending_a_question_a_vote_or_a_button_goes_on(
    ada: Learner, talk: Talk, lost: str
) -> None:
    held = talk.telegram.faults.hold("sendPoll")
    await ada.sends("/quiz capitals")
    await held.reached.wait()
    await talk.crashes()
    held.release()
    if lost == "request":
        del talk.telegram.chat(ada.id).shown[ada.poll_message.id]
    await talk.start()
    assert len(talk.telegram.calls("sendPoll")) == 1
    if lost == "answer":
        await ada.votes("Paris")
        assert ada.hears[0].startswith("✅ Right")
    else:
        await talk.clock.advance(10.1)
        await ada.taps("Show the question")
        assert ada.hears == [FRANCE]


async def test_what_was_decided_before_a_crash_is_said_after_it(ada: Learner, talk: Talk) -> None:
    held = talk.telegram.faults.hold("sendMessage")
    await ada.sends("/quiz capitals")
    await held.reached.wait()
    await talk.crashes()
    held.release()
    await talk.start()
    await talk.clock.advance(1.1)
    # The first text had an unknown fate and was sent again; the poll had not gone out.
    assert questions(ada) == [FRANCE]
    assert [m.text.split(" ·")[0] for m in ada.messages if not m.poll] == ["Capitals", "Capitals"]


# Flood limits


async def test_a_busy_chat_never_meets_telegrams_limits(tmp_path: Path) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        ada = talk.learner("Ada")
        for _ in range(12):
            await ada.sends("/help")
            await talk.clock.advance(0.5)
        await talk.clock.advance(20)
        assert len(ada.messages) == 12
        assert {r.response["ok"] for r in talk.telegram.requests if r.response} == {True}


async def test_a_crowd_is_served_within_telegrams_limit_for_all(tmp_path: Path) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        crowd = [talk.learner(f"L{number}") for number in range(90)]
        for learner in crowd:
            talk.telegram.send(learner.person, learner.id, "/help")
        await talk.settles()
        assert sum(len(learner.messages) for learner in crowd) == 30
        await talk.clock.advance(2.3)
        assert sum(len(learner.messages) for learner in crowd) == 90
        assert {r.response["ok"] for r in talk.telegram.requests if r.response} == {True}


async def test_a_group_that_became_a_supergroup_gets_its_message_at_the_new_id(
    talk: Talk,
) -> None:
    ada = talk.learner("Ada")
    group = talk.telegram.add_group("Class", [ada.person])
    upgraded = talk.telegram.add_group("Class", [ada.person], supergroup=True)
    talk.telegram.faults.refuse(
        "sendMessage",
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
        parameters={"migrate_to_chat_id": upgraded.id},
        chat_id=group.id,
    )
    talk.telegram.send(ada.person, group.id, "/quiz")
    await talk.settles()
    said = [m.text for m in upgraded.messages if m.sender is talk.telegram.bot]
    assert said == ["Which quiz would you like?"]


@pytest.mark.parametrize("goes_to", ["itself", "abc"])
async def test_a_chat_that_moves_nowhere_is_a_refusal_and_goes_on(
    ada: Learner, talk: Talk, goes_to: str
) -> None:
    talk.telegram.faults.refuse(
        "sendMessage",
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
        parameters={"migrate_to_chat_id": ada.id if goes_to == "itself" else goes_to},
    )
    await ada.sends("/help")
    assert ada.hears == []
    assert len(talk.telegram.calls("sendMessage")) == 1
    await ada.sends("/help")
    assert len(ada.hears) == 1


async def test_stopping_waits_for_an_answer_under_way(ada: Learner, talk: Talk) -> None:
    held = talk.telegram.faults.hold("sendPoll")
    await ada.sends("/quiz capitals")
    stopping = asyncio.create_task(talk.stop())
    await asyncio.sleep(0)
    held.release()
    await stopping
    await talk.start()
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")
    assert ada.news[0].reply_to is ada.poll_message  # nothing was left in doubt


async def test_an_answer_that_does_not_say_what_was_sent_leaves_doubt(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.left_out = frozenset({"poll"})
    await ada.sends("/quiz capitals")
    talk.telegram.left_out = frozenset()
    assert questions(ada) == [FRANCE]
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")


async def test_a_picture_that_cannot_be_drawn_keeps_nothing_else_back(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    assert talk.app is not None

    def decide(store: Store) -> list[Letter]:
        store.outbox.add(ada.id, "sendPhoto", {"chat_id": ada.id, "drawing": {}})
        return store.outbox.added

    talk.app.delivery.accept(await talk.app.database.insist(decide))
    await ada.sends("/help")
    assert len(ada.messages) == 1
    assert [record.getMessage() for record in caplog.records] == [
        "What goes with a sendPhoto can't be made: it is left out."
    ]
    await talk.crashes()
    await talk.start()
    assert len(caplog.records) == 1


# Hints


async def test_of_a_flood_of_pressed_buttons_a_few_are_answered_at_a_time_and_the_newest_at_all(
    ada: Learner, talk: Talk
) -> None:
    await ada.sends("/quiz")
    menu = ada.messages[-1]
    assert menu.keyboard
    data = menu.keyboard[0][0]["callback_data"]
    held = talk.telegram.faults.hold("answerCallbackQuery", times=None)
    number = HINTS_AT_ONCE + HINTS_WAITING + 5
    presses = [talk.telegram.tap(ada.person, ada.id, menu.id, data) for _ in range(number)]
    await talk.settles()
    assert len(talk.telegram.calls("answerCallbackQuery")) == HINTS_AT_ONCE

    held.release()
    await talk.settles()

    unanswered = [at for at, press in enumerate(presses) if press.answer is None]
    assert unanswered == list(range(HINTS_AT_ONCE, HINTS_AT_ONCE + 5))
