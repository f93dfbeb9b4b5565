"""Votes count and are answered, whatever Telegram said or did not say of the question."""

import sqlite3
from contextlib import closing

from tests.conversation import Learner, Talk

RIGHT = "&lt;b&gt; and False"


async def test_a_question_that_was_given_up_on_its_way_is_not_taken_for_the_next_one_like_it(
    talk: Talk, ada: Learner
) -> None:
    talk.telegram.faults.delay("sendPoll", 25)
    await ada.sends("/quiz odd-forms")
    await ada.sends("/stop")
    await talk.clock.advance(30)
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz odd-forms")
    await ada.votes(RIGHT)
    assert ada.hears[0].startswith("✅ Right")


async def test_nothing_is_due_for_a_question_that_was_given_up_on_its_way(
    talk: Talk, ada: Learner
) -> None:
    here = ada.within(talk.telegram.add_group("Class", [ada.person], supergroup=True))
    talk.telegram.faults.delay("sendPoll", 2)
    await here.sends("/quiz odd-forms")
    await here.taps("Start")
    await here.sends("/stop")
    await talk.clock.advance(3)
    with closing(sqlite3.connect(talk.settings.database_path)) as raw:
        due = raw.execute("SELECT kind FROM agenda WHERE kind != 'housekeeping'").fetchall()
    assert due == []


async def test_a_vote_proves_a_question_though_the_bot_was_blocked_meanwhile(
    talk: Talk, ada: Learner
) -> None:
    talk.telegram.faults.drop("sendPoll")
    await ada.sends("/quiz odd-forms")
    talk.telegram.block(ada.person)
    await talk.settles()
    talk.telegram.unblock(ada.person)
    await talk.settles()
    await ada.votes(RIGHT)
    assert ada.hears[0].startswith("✅ Right")


async def test_a_vote_is_answered_though_telegram_said_that_the_chat_is_lost(
    talk: Talk, ada: Learner
) -> None:
    await ada.sends("/quiz odd-forms")
    talk.telegram.faults.refuse("sendMessage", 403, "Forbidden: bot was blocked by the user")
    await ada.sends("/stats")
    await ada.votes(RIGHT)
    assert ada.hears[0].startswith("✅ Right")


async def test_a_vote_that_waited_for_its_poll_comes_before_what_was_done_after_it(
    talk: Talk, ada: Learner
) -> None:
    talk.telegram.poll_updates = "after answers"
    group = talk.telegram.add_group("Class", [ada.person], supergroup=True)
    here = ada.within(group)
    await here.sends("/quiz odd-forms")
    talk.telegram.faults.drop("sendPoll")
    await here.taps("Start")
    await talk.crashes()
    bob = talk.learner("Bob")
    talk.telegram.set_status(group, bob.person, "member")
    await bob.within(group).votes(RIGHT)
    talk.telegram.send(ada.person, group.id, "/skip")
    here.look()
    await talk.start()
    assert "1 of 1 right." in here.hears[0]
