"""A round in trouble: it ends or moves with its results, people are told, nothing stays blocked."""

from pathlib import Path

import pytest

from tests.classroom import AUSTRALIA, FRANCE, Class, first_line, gathered, shown
from tests.conversation import Learner, Talk, talking

LOBBY = "A round of “Capitals”"
RESULTS = "Results of “Capitals”"
ENDED = "The round that you opened had to end: Telegram does not let me go on there"


@pytest.fixture
async def group(talk: Talk) -> Class:
    return await gathered(talk)


async def begun(group: Class) -> Learner:
    """A round whose first question is asked; Ada, who opened it, in her private chat."""
    ada = Learner(group.talk, group.ada.person)
    await ada.sends("/help")
    ada.look()
    await group.begins()
    return ada


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (400, "Bad Request: not enough rights to send polls to the chat"),
        (400, "Bad Request: CHAT_RESTRICTED"),
        (400, "Bad Request: have no rights to send a message"),
        (400, "Bad Request: POLL_OPTION_INVALID"),
    ],
)
async def test_a_refused_question_ends_the_round_with_its_results(
    group: Class, code: int, text: str
) -> None:
    ada = await begun(group)
    await group.ada.votes("Paris")
    group.talk.telegram.faults.refuse("sendPoll", code, text)
    await group.bob.votes("Lyon")
    await group.passes(10)
    assert first_line(group.said[-1]) == RESULTS
    assert len(group.talk.telegram.calls("sendPoll")) == 2
    assert ada.hears[0].startswith(ENDED)
    await group.ada.sends("/quiz capitals")
    assert first_line(group.ada.hears[0]) == LOBBY


async def test_operators_are_told_once(tmp_path: Path) -> None:
    async with talking(tmp_path, operator_ids=(1001,)) as talk:
        operator = talk.learner("Op")
        await operator.sends("/help")
        operator.look()
        group = await gathered(talk)
        await group.begins()
        talk.telegram.remove_bot(group.group)
        await talk.settles()
        await group.passes(120)
        assert len(operator.hears) == 1
        assert operator.hears[0].startswith(f"A round in chat {group.group.id} ended: ")


async def test_a_bot_that_is_removed_and_added_again_opens_a_new_round(group: Class) -> None:
    ada = await begun(group)
    group.talk.telegram.remove_bot(group.group)
    await group.talk.settles()
    assert ada.hears[0].startswith(ENDED)
    await group.passes(120)
    group.talk.telegram.join_by_startgroup(group.ada.person, group.group, "capitals")
    await group.talk.settles()
    assert first_line(group.said[-1]) == LOBBY


async def test_a_403_without_any_notice_ends_the_round(group: Class) -> None:
    ada = await begun(group)
    group.talk.telegram.faults.refuse(
        "sendMessage", 403, "Forbidden: bot was kicked from the supergroup chat",
        chat_id=group.group.id,
    )  # fmt: skip
    await group.ada.votes("Paris")
    await group.bob.votes("Paris")
    await group.passes(3)
    assert ada.hears[0].startswith(ENDED)
    assert AUSTRALIA not in group.said


async def test_rights_to_write_that_are_taken_end_the_round(group: Class) -> None:
    ada = await begun(group)
    group.talk.telegram.deny(group.group, "can_send_messages")
    await group.passes(40)
    assert ada.hears[0].startswith(ENDED)
    group.talk.telegram.deny(group.group)
    await group.passes(300)
    await group.ada.sends("/quiz capitals")
    assert first_line(group.said[-1]) == LOBBY


async def test_a_closed_topic_ends_its_round_and_no_other(talk: Talk) -> None:
    ada = talk.learner("Ada")
    forum = talk.telegram.add_group("Forum", [ada.person], forum=True)
    first, second = ada.within(forum, 7), ada.within(forum, 8)
    for topic in (first, second):
        await topic.sends("/quiz capitals")
        await topic.taps("Start")
    talk.telegram.close_topic(forum, 7)
    await first.votes("Paris")
    await talk.clock.advance(10)
    assert len(first.messages) == 2
    await second.votes("Paris")
    await talk.clock.advance(20)
    assert shown(second.messages[-1]) == AUSTRALIA


@pytest.mark.parametrize("tells", [True, False])
async def test_a_group_that_becomes_a_supergroup_keeps_its_round_and_table(
    talk: Talk, tells: bool
) -> None:
    people = [talk.learner("Teacher"), talk.learner("Ada"), talk.learner("Bob")]
    old = talk.telegram.add_group("Class", [one.person for one in people])
    teacher, ada, bob = (one.within(old) for one in people)
    group = Class(talk, old, ada, bob, teacher)
    await teacher.sends("/language uk")
    await group.ada.sends("/quiz capitals")
    await group.bob.taps_first()
    await group.ada.taps_last()
    await group.ada.votes("Париж")
    upgraded = talk.telegram.upgrade(old, tells=tells)
    await talk.settles()
    await group.bob.votes("Ліон")
    await talk.clock.advance(20)
    after = ada.within(upgraded)
    assert [first_line(shown(m)) for m in after.messages][-1] == "Яке місто є столицею Австралії?"
    assert len([m for m in after.messages if m.poll]) == 1
    await after.votes("Канберра")
    await bob.within(upgraded).votes("Сідней")
    await talk.clock.advance(60)
    await after.sends("/stop")
    await after.sends("/top")
    assert "1. Ada – " in after.hears[0]
    assert "Bob" in after.hears[0]


async def test_an_anonymous_admin_opens_and_steers_in_the_groups_name(group: Class) -> None:
    group.talk.telegram.set_status(
        group.group, group.teacher.person, "administrator", is_anonymous=True
    )
    await group.talk.settles()
    await group.teacher.sends("/quiz capitals")
    assert "Nobody is in yet." in group.said[-1]
    query = await group.bob.taps("Start")
    assert query.answer is not None
    assert query.answer.text == group.not_bobs
    await group.teacher.taps("Start")
    assert group.said[-1] == FRANCE
    await group.teacher.sends("/skip")
    assert first_line(group.said[-1]) == "Right: Paris"


async def test_an_anonymous_admin_of_another_group_is_nobody_here(talk: Talk) -> None:
    group, other = await gathered(talk), await gathered(talk)
    await group.begins()
    talk.telegram.give(
        {
            "message": {
                "message_id": 999,
                "date": 1,
                "chat": group.group.json,
                "from": {"id": 1087968824, "is_bot": True, "first_name": "Group"},
                "sender_chat": other.group.json,
                "text": "/stop",
            }
        }
    )
    await talk.settles()
    assert group.said[-1] == FRANCE


async def test_while_telegram_fails_the_question_is_asked_once_when_it_is_back(
    group: Class,
) -> None:
    await group.ada.sends("/quiz capitals")
    group.talk.telegram.faults.refuse("sendPoll", 502, "Bad Gateway", times=5)
    await group.ada.taps("Start")
    await group.passes(32)
    assert group.said.count(FRANCE) == 1
    await group.ada.votes("Paris")
    assert first_line(group.said[-1]) == "Right: Paris"


async def test_a_429_delays_only_its_group(talk: Talk) -> None:
    slow, other = await gathered(talk), await gathered(talk)
    await slow.ada.sends("/quiz capitals")
    talk.telegram.faults.refuse(
        "sendPoll", 429, "Too Many Requests: retry after 9",
        parameters={"retry_after": 9}, chat_id=slow.group.id,
    )  # fmt: skip
    await slow.ada.taps("Start")
    await other.begins()
    assert other.said[-1] == FRANCE
    assert FRANCE not in slow.said
    await slow.passes(9.1)
    assert slow.said[-1] == FRANCE


async def test_votes_tell_apart_equal_questions_of_unknown_fate_in_two_groups(talk: Talk) -> None:
    one, other = await gathered(talk), await gathered(talk)
    talk.telegram.faults.drop("sendPoll", times=2)
    for group in (one, other):
        await group.begins("odd-forms")
    for group in (one, other):
        await group.teacher.votes("<b> and </b>")
        await group.ada.votes("&lt;b&gt; and False")
        await group.bob.votes("<b> and </b>")
    await talk.clock.advance(2.1)
    for group in (one, other):
        assert "1 of 3 right." in group.said[-1]
        assert len([m for m in group.ada.messages if m.poll]) == 1


async def test_the_time_tells_apart_equal_questions_of_unknown_fate_in_two_topics(
    talk: Talk,
) -> None:
    ada = talk.learner("Ada")
    forum = talk.telegram.add_group("Forum", [ada.person], forum=True)
    first, second = ada.within(forum, 7), ada.within(forum, 8)
    talk.telegram.faults.drop("sendPoll", times=2)
    for topic in (first, second):
        await topic.sends("/quiz odd-forms")
        await topic.taps("Start")
        await talk.clock.advance(2)
    await second.votes("&lt;b&gt; and False")
    await talk.clock.advance(2.1)
    assert first.messages[-1].poll
    assert "1 of 1 right." in second.messages[-1].text
    await first.votes("<b> and </b>")
    await talk.clock.advance(2.1)
    assert "0 of 1 right." in first.messages[-1].text


async def test_a_vote_in_a_private_question_that_was_given_up_counts_in_no_round(
    group: Class,
) -> None:
    cleo = group.talk.learner("Cleo")
    group.talk.telegram.faults.drop("sendPoll")
    await cleo.sends("/quiz odd-forms")
    given_up = cleo.poll_message
    await group.passes(11)
    await cleo.taps("Show the question")
    await cleo.votes("<b> and </b>")
    group.talk.telegram.faults.drop("sendPoll")
    await group.begins("odd-forms")
    await cleo.votes("<b> and </b>", poll=given_up)
    await group.ada.votes("&lt;b&gt; and False")
    await group.bob.votes("&lt;b&gt; and False")
    await group.passes(2.1)
    assert "2 of 2 right." in group.said[-1]


async def test_a_vote_in_a_question_of_an_earlier_round_counts_in_no_other(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, seconds_per_question=60) as talk:
        earlier, now = await gathered(talk), await gathered(talk)
        talk.telegram.faults.drop("sendPoll")
        await earlier.begins("odd-forms")
        await earlier.ada.sends("/stop")
        await talk.clock.advance(40)
        talk.telegram.faults.drop("sendPoll")
        await now.begins("odd-forms")
        await earlier.bob.votes("<b> and </b>")
        await now.ada.votes("&lt;b&gt; and False")
        await now.bob.votes("&lt;b&gt; and False")
        await talk.clock.advance(2.1)
        assert "2 of 2 right." in now.said[-1]
