"""Forgetting a learner, as a conversation: afterwards no table and no file knows them.

Ada: /forget
Bot: Delete everything?   [Delete everything] [Keep it]
Ada: (presses the first button)
Bot: Everything is deleted. When you write to me again, we begin anew.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.demo.chats import Chat
from tests.conversation import Learner, Talk

FAREWELL = "Everything is deleted. When you write to me again, we begin anew."

LONG_AFTER = 2 * 3600
"""Seconds, after which all that was deleted must be gone from the files, too."""


async def practises(learner: Learner) -> None:
    """Leave traces of one's own: answers, a zone, a reminder, a report, a quiz under way."""
    await learner.sends("/quiz capitals")
    await learner.votes_right()
    await learner.taps("Report a mistake")
    await learner.taps_first()
    await learner.votes_wrong()
    await learner.sends("/stop")
    await learner.sends("/timezone Europe/Kyiv")
    await learner.sends("/remind 19:00")
    await learner.sends("some words for the tutor")
    await learner.sends("/quiz odd-forms")


async def plays(ada: Learner, bob: Learner, group: Chat) -> None:
    """One question of a round that Ada opened."""
    ada, bob = ada.within(group), bob.within(group)
    await ada.sends("/quiz capitals")
    await bob.taps_first()
    await ada.taps_last()
    await bob.votes_wrong()
    await ada.votes_right()
    await ada.sends("/stop")


def tables(talk: Talk) -> dict[str, list[tuple[object, ...]]]:
    """All that the database holds, by table."""
    with closing(sqlite3.connect(talk.settings.database_path)) as raw:
        names = [
            name
            for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not name.startswith("sqlite_")
        ]
        return {name: raw.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def traces(learner: Learner) -> tuple[str, ...]:
    """What tells who somebody is."""
    user = learner.person
    assert user.last_name is not None
    return (str(learner.id), user.first_name, user.last_name)


def tables_that_know(learner: Learner) -> list[str]:
    return [
        name
        for name, rows in tables(learner.talk).items()
        if any(trace in str(value) for row in rows for value in row for trace in traces(learner))
    ]


def files_that_know(learner: Learner) -> list[str]:
    """Files in the database's folder: the database, its log, and the log's index."""
    folder = Path(learner.talk.settings.database_path).parent
    return [
        file.name
        for file in sorted(folder.iterdir())
        if any(trace.encode() in file.read_bytes() for trace in traces(learner))
    ]


async def forgets(learner: Learner) -> None:
    await learner.sends("/forget")
    await learner.taps_first()
    assert learner.hears == [FAREWELL]


@pytest.fixture
def ada(talk: Talk) -> Learner:
    return talk.learner("Adelgunde", "en", id=7_101_010_101, last_name="Quastenflosser")


@pytest.fixture
def bob(talk: Talk) -> Learner:
    return talk.learner("Bartholomew", "en", id=7_202_020_202, last_name="Nachtigall")


@pytest.fixture
async def group(talk: Talk, ada: Learner, bob: Learner) -> Chat:
    """A group in which both have played, and in private both have practised."""
    group = talk.telegram.add_group("Class", [ada.person, bob.person], supergroup=True)
    await talk.settles()
    for learner in (ada, bob):
        await practises(learner)
    await plays(ada, bob, group)
    return group


async def test_no_table_knows_who_is_forgotten(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    assert {"learners", "answers", "memories", "reminders", "scores"} <= set(tables_that_know(ada))
    bobs = tables_that_know(bob)
    await forgets(ada)
    assert tables_that_know(ada) == []
    assert tables_that_know(bob) == bobs


async def test_no_file_knows_who_is_forgotten(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    assert files_that_know(ada) != []
    await forgets(ada)
    await talk.clock.advance(LONG_AFTER)
    assert files_that_know(ada) == []
    assert files_that_know(bob) != []


async def test_no_file_knows_who_is_forgotten_when_the_bot_has_ended(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await forgets(ada)
    await talk.stop()
    assert files_that_know(ada) == []
    assert files_that_know(bob) != []


async def test_a_crash_after_the_farewell_leaves_nothing_behind_either(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await forgets(ada)
    await talk.crashes()
    await talk.start()
    await talk.clock.advance(LONG_AFTER)
    assert (tables_that_know(ada), files_that_know(ada)) == ([], [])


async def test_forgetting_leaves_another_learner_as_they_were(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await bob.sends("/stats")
    before = bob.hears
    await forgets(ada)
    await bob.sends("/stats")
    assert bob.hears == before


async def test_the_groups_table_keeps_the_numbers_without_the_name(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    member = bob.within(group)
    await member.sends("/stats")
    (numbers,) = member.hears
    await member.sends("/top")
    (table,) = member.hears
    assert "Adelgunde Quastenflosser" in table
    await forgets(ada)
    await member.sends("/stats")
    assert member.hears == [numbers]
    await member.sends("/top")
    unknown = talk.texts.words("en")("name-unknown")
    assert member.hears == [table.replace("Adelgunde Quastenflosser", unknown)]


async def test_who_was_forgotten_begins_anew(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await forgets(ada)
    await ada.sends("/stats")
    assert ada.hears == ["You have not answered a question yet. Choose a quiz:"]
    await ada.sends("/quiz capitals")
    await ada.votes_right()
    await ada.sends("/stats")
    assert "All time\nAnswers: 1\nRight answers: 1" in ada.hears[0]


async def test_nobody_is_reminded_who_was_forgotten(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await forgets(ada)
    bob.look()
    for _ in range(3):
        await talk.skips(days=1)
    assert len(bob.news) == 3
    assert ada.hears == [FAREWELL]


async def test_a_vote_in_an_old_poll_of_the_forgotten_counts_nowhere(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    old = ada.poll_message
    await forgets(ada)
    await ada.votes(ada.options[0], poll=old)
    assert ada.hears == []
    await ada.sends("/stats")
    assert ada.hears == ["You have not answered a question yet. Choose a quiz:"]


async def test_a_button_press_that_comes_twice_forgets_once(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await forgets(ada)
    talk.telegram.repeat_last_update()
    await talk.settles()
    assert ada.hears == [FAREWELL]
    assert tables_that_know(ada) == []


async def test_an_anonymous_admins_round_that_ends_badly_troubles_nobody_after_a_forgetting(
    talk: Talk, ada: Learner, bob: Learner, group: Chat
) -> None:
    await forgets(ada)
    talk.telegram.set_status(group, bob.person, "administrator", is_anonymous=True)
    await talk.settles()
    admin = bob.within(group)
    await admin.sends("/quiz capitals")
    talk.telegram.faults.refuse("sendPoll", 400, "Bad Request: CHAT_RESTRICTED")
    await admin.taps_last()
    addressees = [request.parameters["chat_id"] for request in talk.telegram.calls("sendMessage")]
    assert set(addressees) == {str(one.id) for one in (ada, bob, group)}
