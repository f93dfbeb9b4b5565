"""More than can be answered: floods, and what waited while the bot was off."""

import asyncio
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from bot.demo.chats import Change
from bot.demo.flood import FloodLimits
from bot.demo.telegram import LocalTelegram
from bot.handlers.pace import ENOUGH, STALE
from tests.classroom import FRANCE, Class, first_line, gathered
from tests.conversation import Learner, Talk, talking
from tests.process import BotProcess, served

log = logging.getLogger(__name__)

FEW = 2 * ENOUGH + 4
"""Messages that a chat gets at most for any flood: what was on its way, what waited, a line."""

HOURS = 6


def floods(learner: Learner, text: str, times: int) -> None:
    """Write the same again and again, before the bot can do anything about it."""
    for _ in range(times):
        learner.talk.telegram.send(learner.person, learner.chat_id, text)


def refused(talk: Talk) -> list[object]:
    answers = [request.response for request in talk.telegram.requests if request.response]
    return [answer for answer in answers if not answer["ok"]]


# One who floods


@pytest.mark.parametrize("language", ["en", "ro", "uk", "ru"])
async def test_a_flood_of_commands_gets_few_answers_and_one_line(
    tmp_path: Path, language: str
) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        eve, ada = talk.learner("Eve", language), talk.learner("Ada")
        floods(eve, "/help", 300)
        await ada.sends("/help")
        assert len(ada.hears) == 1  # at once, on a clock that stands still
        await talk.clock.advance(60)
        line = talk.texts.words(language)("too-fast")
        assert len(eve.messages) <= FEW
        assert [message.text for message in eve.messages].count(line) == 1
        await eve.sends("/help")
        assert eve.hears[0] != line
        assert refused(talk) == []


async def test_talk_is_bounded_as_commands_are(tmp_path: Path) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        ada = talk.learner("Ada")
        floods(ada, "hello", 300)
        await talk.settles()
        await talk.clock.advance(60)
        assert len(ada.messages) <= FEW


async def test_a_vote_in_the_middle_of_a_flood_counts_and_is_explained(tmp_path: Path) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz capitals")
        floods(ada, "/help", 100)
        await ada.votes_right()
        await talk.clock.advance(30)
        (explained,) = [m for m in ada.news if m.text.startswith("✅ Right")]
        assert explained.buttons[0] == "Next 2/3"


async def test_each_of_500_presses_is_answered_and_few_are_obeyed(tmp_path: Path) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        eve, ada = talk.learner("Eve"), talk.learner("Ada")
        await eve.sends("/start")
        message = eve.messages[0]
        presses = [talk.telegram.tap(eve.person, eve.id, message.id, "list:0") for _ in range(500)]
        await ada.sends("/help")
        assert len(ada.hears) == 1
        alerts = Counter(press.answer and press.answer.text for press in presses)
        assert None not in alerts
        assert alerts[talk.texts.words("en")("too-fast-button")] >= 500 - FEW
        await talk.clock.advance(30)
        assert len(eve.messages) <= FEW
        assert refused(talk) == []


async def test_votes_in_ended_attempts_get_few_lines(tmp_path: Path) -> None:
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz capitals")
        await ada.sends("/stop")
        ended = ada.poll.id
        for _ in range(200):
            vote = {"poll_id": ended, "user": ada.person.json, "option_ids": [0]}
            talk.telegram.give({"poll_answer": vote | {"option_persistent_ids": ["0"]}})
        await talk.settles()
        await talk.clock.advance(60)
        said = [message.text for message in ada.messages]
        line = talk.texts.words("en")("vote-not-counted")
        assert 1 <= said.count(line) <= FEW


# A group that floods


@pytest.fixture
async def busy(tmp_path: Path) -> AsyncIterator[Class]:
    """A group in which a round is open, under Telegram's limits."""
    async with talking(tmp_path, flood=FloodLimits(), messages_per_second=30) as talk:
        group = await gathered(talk)
        await group.ada.sends("/quiz capitals")
        yield group


@pytest.mark.parametrize("text", ["/quiz", "/quiz capitals", "/help", "/stop", "/mydata"])
async def test_a_flood_in_a_group_gets_few_answers_and_no_line(busy: Class, text: str) -> None:
    floods(busy.bob, text, 300)
    await busy.passes(300)
    assert len(busy.said) <= FEW
    assert busy.talk.texts.words("uk")("too-fast") not in busy.said
    assert refused(busy.talk) == []


async def test_a_flood_cannot_keep_people_from_joining_and_who_may_from_stopping(
    busy: Class,
) -> None:
    floods(busy.bob, "/help", 300)
    await busy.teacher.taps("Join")
    await busy.ada.sends("/stop")
    await busy.passes(60)
    assert "Closed: nobody started it." in busy.ada.messages[0].text
    # The button was pressed before that.
    assert busy.talk.telegram.calls("editMessageText") != []


@pytest.mark.parametrize("data", ["begin:capitals", "list:0"])
async def test_presses_that_bring_messages_to_a_group_are_bounded(busy: Class, data: str) -> None:
    lobby = busy.ada.messages[0]
    presses = [
        busy.talk.telegram.tap(busy.bob.person, busy.group.id, lobby.id, data) for _ in range(200)
    ]
    await busy.passes(60)
    assert [press for press in presses if press.answer is None] == []
    assert len(busy.said) <= FEW


# After the bot was off


async def test_a_lobby_is_not_opened_hours_after_it_was_asked_for(talk: Talk) -> None:
    group = await gathered(talk)
    await talk.stop()
    floods(group.ada, "/quiz capitals", 40)
    floods(group.bob, "/help", 40)
    await talk.clock.advance(HOURS * 3600)
    await talk.start()
    assert group.said == []
    await group.ada.sends("/quiz capitals")
    assert first_line(group.said[0]) == "A round of “Capitals”"


async def test_a_lobby_is_opened_a_few_minutes_after_it_was_asked_for(talk: Talk) -> None:
    group = await gathered(talk)
    await talk.stop()
    floods(group.ada, "/quiz capitals", 1)
    await talk.clock.advance(STALE.total_seconds() - 60)
    await talk.start()
    assert [first_line(text) for text in group.said] == ["A round of “Capitals”"]


async def test_a_round_is_stopped_also_by_a_command_that_waited_for_hours(talk: Talk) -> None:
    group = await gathered(talk)
    await group.begins()
    await talk.stop()
    floods(group.ada, "/stop", 1)
    await talk.clock.advance(HOURS * 3600)
    await talk.start()
    assert first_line(group.said[-1]) == "Results of “Capitals”"
    assert group.said.count(FRANCE) == 1


async def test_in_private_whatever_waited_takes_effect_and_one_question_comes(talk: Talk) -> None:
    ada = talk.learner("Ada")
    await ada.sends("/start")
    await talk.stop()
    floods(ada, "/quiz capitals", 40)
    floods(ada, "/remind 19:00", 1)
    await talk.clock.advance(HOURS * 3600)
    ada.look()
    await talk.start()
    assert len([message for message in ada.news if message.poll]) == 1
    assert len(ada.news) < 40


# Ten thousand updates at once, with the real process


WAITING = 10_000
LEARNERS = 300
GROUPS = 20
PATIENCE = 240.0
"""Seconds until a learner who wrote last must have an answer, on a slow machine."""

MEGABYTES = 40
"""The most that the process may need beyond what it needs to start."""

PRIVATE_TEXTS = ("/quiz capitals", "hello", "/help")


def what_waits(telegram: LocalTelegram) -> Iterator[dict[str, Any]]:
    """Six hours of a bot that was off: commands, talk, presses, votes, joins, of many people."""
    sent_at = int(telegram.clock.now().timestamp()) - HOURS * 3600
    crowd = [telegram.add_person(f"L{i}", language_code="en") for i in range(LEARNERS)]
    for person in crowd:
        telegram.chat(person.id).knows_bot = True
    for number in range(WAITING):
        person = crowd[number % LEARNERS]
        private = telegram.chat(person.id).json
        group = {"id": -70_000 - number % GROUPS, "type": "supergroup", "title": "Class"}
        happened: dict[str, Any] = {"date": sent_at, "from": person.json}
        written = happened | {"message_id": number + 1, "text": "?"}
        vote = {"poll_id": "77", "user": person.json, "option_ids": [0]}
        press = {"id": str(number), "from": person.json, "chat_instance": "1", "data": "list:0"}
        member = {"user": person.json, "status": "member"}
        match number // LEARNERS % 7:
            case 0 | 1 | 2 as which:
                yield {"message": written | {"chat": private, "text": PRIVATE_TEXTS[which]}}
            case 3:
                yield {"message": written | {"chat": group, "text": "/quiz capitals"}}
            case 4:
                yield {"callback_query": press | {"message": written | {"chat": private}}}
            case 5:
                yield {"poll_answer": vote | {"option_persistent_ids": ["0"]}}
            case _:
                change = happened | {"chat": group, "new_chat_member": member}
                yield {"my_chat_member": change | {"old_chat_member": member}}


def peak_megabytes(process_id: int) -> float:
    """The most memory that a process has had so far."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process_id}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def note(change: Change, chat_id: int, answered: asyncio.Event) -> None:
    if change.chat_id == chat_id:
        answered.set()


@pytest.mark.slow
async def test_ten_thousand_updates_are_handled_in_bounded_memory_with_few_answers(
    tmp_path: Path,
) -> None:
    async with served() as (telegram, url):
        bot = BotProcess(telegram, url, tmp_path, MESSAGES_PER_SECOND="30")
        try:
            await bot.start()
            before = peak_megabytes(bot.id)
            await bot.kill()
            for update in what_waits(telegram):
                telegram.give(update)
            ada = telegram.add_person("Ada", language_code="en")
            telegram.send(ada, ada.id, "/help")
            answered = asyncio.Event()
            telegram.on_change(lambda change: note(change, ada.id, answered))
            began = monotonic()
            await bot.start()
            async with asyncio.timeout(PATIENCE):
                await answered.wait()
            seconds = monotonic() - began
            more = peak_megabytes(bot.id) - before
            sent = sum(request.method.startswith("send") for request in telegram.requests)
        finally:
            await bot.close()
    with closing(sqlite3.connect(tmp_path / "data" / "quiz-tutor.sqlite3")) as database:
        (waiting,) = database.execute("SELECT count(*) FROM outbox").fetchone()
    figures = seconds, more, sent, waiting
    log.info("Answered after %.1f s; %.1f MB more; %d messages sent, %d waiting.", *figures)
    assert more < MEGABYTES
    assert sent + waiting < LEARNERS * FEW
    assert [request for request in telegram.requests if "-70" in str(request.parameters)] == []
