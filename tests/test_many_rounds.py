"""Many rounds at once while Telegram fails and the bot is killed: no vote is lost or counted twice.

Each group plays a round by a script that a seed decides: who joins, who votes when and for what.
Whatever happens meanwhile, the results in the chat and the answers in the database are exactly
the votes that Telegram took in time.

A failed run names its seed. MANY_ROUNDS_SEED=<seed> runs every test with that one.
"""

import asyncio
import os
import random
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.demo.chats import Change, Chat, Message, Person
from bot.demo.telegram import LocalTelegram, Request, VoteRefusedError
from tests.conversation import Talk, talking
from tests.process import BotProcess, served

LIMIT = 240.0
"""Seconds of the machine's clock that a run may take before it counts as stuck."""

SECONDS = 5
"""The time for a question."""

RIGHT = {
    "What is the capital of France?": "Paris",
    "What is the capital of Australia?": "Canberra",
    "What is the capital of Brazil?": "Brasília",
}

RACE_SECONDS = 0.1
"""On the machine's clock, a vote so shortly before the reveal may come too late to count."""

# What Telegram says of polls that close by themselves, and of a change that it has made already
# when the answer to that was lost.
EXPECTED_REFUSALS = ("poll can't be stopped", "has already been closed", "is not modified")

GIVEN_SEED = os.environ.get("MANY_ROUNDS_SEED")
SEEDS = [int(GIVEN_SEED)] if GIVEN_SEED else list(range(8))
SOME_SEED = SEEDS[0]

Answer = tuple[str, int, bool]
"""A question, who answered it, and whether rightly."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A vote that Telegram took."""

    question: str
    learner_id: int
    right: bool
    after: int
    """How many calls of the Bot API had come by then."""
    at: float


@dataclass(slots=True)
class Group:
    """A group that plays a round and then opens the next, and what it has seen."""

    number: int
    chat: Chat
    members: list[Person]
    """The first opens the round."""
    joining: list[Person]
    first_lobby: Message | None = None
    taken: list[Taken] = field(default_factory=list)
    sends: dict[str, int] = field(default_factory=dict)
    """How many polls have asked each question."""
    results: str | None = None
    is_over: bool = False

    @property
    def reveals(self) -> dict[str, str]:
        """What the group was told of how many were right, by question."""
        told = {}
        for question, city in RIGHT.items():
            reveal = next(m.text for m in self.chat.messages if m.text.startswith(f"Right: {city}"))
            count = re.search(r"^(\d+ of \d+ right\.|Nobody voted\.)", reveal, re.MULTILINE)
            told[question] = count[0] if count else reveal
        return told

    @property
    def table(self) -> dict[str, int]:
        """Everybody's right answers, by name, as the results say."""
        lines = re.findall(r"^\S+ (L\S+) – (\d+) of 3, ", self.results or "", re.MULTILINE)
        return {name: int(right) for name, right in lines}


class Crowd:
    """All the groups. Everybody acts on what they see in the chat, in the moment they see it."""

    def __init__(self, telegram: LocalTelegram, seed: int, groups: int, learners: int) -> None:
        self.telegram = telegram
        self.seed = seed
        self.over = asyncio.Event()
        """Every group has its results and has opened and closed a further lobby."""
        self._acts: set[asyncio.Task[None]] = set()
        self._changes = 0
        self._moments: dict[int, asyncio.Event] = {}
        self._by_chat: dict[int | None, Group] = {}
        for number in range(groups):
            group = self._gather(number, learners)
            self._by_chat[group.chat.id] = group
        telegram.on_change(self._note)

    @property
    def groups(self) -> list[Group]:
        return list(self._by_chat.values())

    def begin(self) -> None:
        """In each group somebody opens a round."""
        for group in self.groups:
            self.telegram.send(group.members[0], group.chat.id, "/quiz capitals")

    def after(self, changes: int) -> asyncio.Event:
        """The moment in which so many changes have been seen in all chats."""
        return self._moments.setdefault(changes, asyncio.Event())

    async def finished_acting(self) -> None:
        """Raise what went wrong in somebody's act."""
        await asyncio.gather(*self._acts)

    def votes(self, group: Group, race_seconds: float) -> tuple[list[Answer], set[Answer]]:
        """The votes that must be counted in a group, and those that may or may not be."""
        must: dict[tuple[str, int], Answer] = {}
        may: set[Answer] = set()
        stops, reveals = self._calls_about(group)
        for vote in group.taken:
            answer = vote.question, vote.learner_id, vote.right
            revealed = reveals[vote.question]
            if answer[:2] in must or vote.after > self.telegram.requests.index(revealed):
                continue
            spare = revealed.at.timestamp() - vote.at
            stopped = stops.get(vote.question, revealed)
            if vote.after > self.telegram.requests.index(stopped) or spare < race_seconds:
                may.add(answer)
            else:
                must[answer[:2]] = answer
        return sorted(must.values()), may

    def stand(self) -> str:
        """Where each unfinished group is, for who wonders why."""
        lines = [f"seed {self.seed}:"]
        for group in self.groups:
            if not group.is_over:
                said = [m.json["poll"]["question"] if m.poll else m.text for m in self._said(group)]
                lines.append(f"group {group.number} ends with {said[-3:]}")
        return "\n".join(lines)

    def _gather(self, number: int, learners: int) -> Group:
        dice = random.Random(f"{self.seed} joining {number}")
        names = [f"L{number}.{i}" for i in range(learners)]
        members = [self.telegram.add_person(name, language_code="en") for name in names]
        chat = self.telegram.add_group(f"Group {number}", members, supergroup=True)
        joining = [member for member in members[1:] if dice.random() < 0.6]
        return Group(number, chat, members, joining)

    def _said(self, group: Group) -> Iterator[Message]:
        return (m for m in group.chat.messages if m.sender is self.telegram.bot)

    def _note(self, change: Change) -> None:
        self._changes += 1
        if moment := self._moments.get(self._changes):
            moment.set()
        group, message = self._by_chat.get(change.chat_id), change.message
        is_new = change.kind == "message" and message and message.sender is self.telegram.bot
        if group and message and is_new:
            self._see(group, message)

    def _see(self, group: Group, message: Message) -> None:
        if message.poll:
            self._vote_all(group, message)
        elif message.text.startswith("A round of"):
            self._see_lobby(group, message)
        elif message.text.startswith("Results of") and group.results is None:
            group.results = message.text
            self.telegram.send(group.members[0], group.chat.id, "/quiz capitals")
        elif message.text == "Closed: nobody started it." and not group.is_over:
            group.is_over = True
            if all(one.is_over for one in self.groups):
                self.over.set()

    def _see_lobby(self, group: Group, lobby: Message) -> None:
        if group.results is not None:
            self.telegram.send(group.members[0], group.chat.id, "/stop")
        elif group.first_lobby is None:  # else it is there twice, as an answer was lost
            group.first_lobby = lobby
            for person in group.joining:
                self._press(person, lobby, 0)
            self._press(group.members[0], lobby, -1)

    def _press(self, person: Person, message: Message, row: int) -> None:
        assert message.keyboard is not None
        data = message.keyboard[row][0]["callback_data"]
        self.telegram.tap(person, message.chat.id, message.id, data)

    def _vote_all(self, group: Group, message: Message) -> None:
        question = message.json["poll"]["question"]
        send = group.sends[question] = group.sends.get(question, 0) + 1
        for member in group.members:
            dice = random.Random(f"{self.seed} vote {member.first_name} {question} {send}")
            pick = dice.randrange(len(message.json["poll"]["options"]))
            share = dice.random()
            # Where Telegram's answer to a question was lost, only the vote of somebody who has
            # joined can tell which group's it is, as all groups are asked the same.
            if share < 0.45 or member is group.members[0]:
                self._vote(group, member, message, pick)
            elif share < 0.9:
                seconds = SECONDS * dice.uniform(0.02, 0.5)
                act = self._vote_later(group, member, message, pick, seconds)
                self._acts.add(asyncio.create_task(act))

    async def _vote_later(
        self, group: Group, member: Person, message: Message, pick: int, seconds: float
    ) -> None:
        await self.telegram.clock.sleep(seconds)
        self._vote(group, member, message, pick)

    def _vote(self, group: Group, member: Person, message: Message, pick: int) -> None:
        poll = message.json["poll"]
        right = pick in poll["correct_option_ids"]
        after, at = len(self.telegram.requests), self.telegram.clock.now().timestamp()
        try:
            self.telegram.vote(member, group.chat.id, message.id, [pick])
        except VoteRefusedError:
            return  # the question was closed meanwhile
        group.taken.append(Taken(poll["question"], member.id, right, after, at))

    def _calls_about(self, group: Group) -> tuple[dict[str, Request], dict[str, Request]]:
        """By question, the first call that would stop a poll, and the first that would reveal."""
        stops: dict[str, Request] = {}
        reveals: dict[str, Request] = {}
        for request in self.telegram.requests:
            if str(request.parameters.get("chat_id")) != str(group.chat.id):
                continue
            if request.method == "stopPoll":
                message = group.chat.message(int(request.parameters["message_id"]))
                stops.setdefault(message.json["poll"]["question"], request)
            elif request.method == "sendMessage":
                text = request.parameters["text"]
                for question, city in RIGHT.items():
                    if f"Right: {city}" in text:
                        reveals.setdefault(question, request)
        return stops, reveals


def plan_trouble(telegram: LocalTelegram, dice: random.Random, groups: int) -> None:
    """Let Telegram refuse some calls, fail at some, and lose some answers."""
    strike = telegram.faults
    for _ in range(max(2, groups // 4)):
        strike.refuse(
            dice.choice(["sendMessage", "sendPoll", "stopPoll"]),
            429,
            "Too Many Requests: retry after 1",
            parameters={"retry_after": 1},
            skip=dice.randrange(3 * groups),
        )
        strike.refuse(
            dice.choice(["sendMessage", "sendPoll", "stopPoll"]),
            dice.choice([500, 502]),
            "Internal Server Error",
            skip=dice.randrange(3 * groups),
        )
        for method in ("sendMessage", "stopPoll"):
            strike.drop(method, skip=dice.randrange(3 * groups))
    for _ in range(max(1, groups // 10)):
        strike.drop("sendPoll", skip=dice.randrange(3 * groups))


def stored_answers(raw: sqlite3.Connection, chat_id: int) -> list[Answer]:
    """What the database says was answered in a group."""
    asked = {question.split()[-1].rstrip("?").lower(): question for question in RIGHT}
    rows = raw.execute(
        "SELECT question_id, learner_id, is_right FROM answers"
        " JOIN polls ON polls.id = answers.poll_id WHERE polls.chat_id = ?",
        (chat_id,),
    )
    return sorted(
        (asked[question], learner_id, bool(right)) for question, learner_id, right in rows
    )


def check(crowd: Crowd, database: Path, race_seconds: float = 0) -> None:
    """Hold the bot to its promises, when it has ended."""
    because = f"seed {crowd.seed}"
    assert [text for r in crowd.telegram.requests if (text := _fault_of_ours(r))] == [], because
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        left = raw.execute("SELECT kind, subject FROM agenda").fetchall()
        assert left == [("housekeeping", 0)], because
        # The very last line of a chat may be on its way once more, if its answer was lost.
        unsent = raw.execute("SELECT chat_id, method FROM outbox WHERE poll_id IS NOT NULL")
        assert unsent.fetchall() == [], because
        states = raw.execute("SELECT DISTINCT state FROM inbox").fetchall()
        assert states == [("done",)], because
        for group in crowd.groups:
            must, may = crowd.votes(group, race_seconds)
            stored = stored_answers(raw, group.chat.id)
            racing = [answer for answer in stored if answer in may and answer not in must]
            why = f"{because}, group {group.number}"
            assert stored == sorted([*must, *racing]), why
            assert len({answer[:2] for answer in stored}) == len(stored), why
            assert group.reveals == _reveals(stored), why
            assert group.table == _right_answers(group, stored), why


def _fault_of_ours(request: Request) -> str:
    """What Telegram says is wrong with a call that should not have been made."""
    answer = request.response or {}
    if answer.get("error_code") != 400:
        return ""
    description = str(answer["description"])
    return "" if any(text in description for text in EXPECTED_REFUSALS) else description


def _reveals(answers: list[Answer]) -> dict[str, str]:
    """What each reveal must say of how many were right."""
    said = {}
    for question in RIGHT:
        rights = [right for asked, _, right in answers if asked == question]
        said[question] = f"{sum(rights)} of {len(rights)} right." if rights else "Nobody voted."
    return said


def _right_answers(group: Group, answers: list[Answer]) -> dict[str, int]:
    names = {member.id: member.first_name for member in group.members}
    table = {names[learner_id]: 0 for _, learner_id, _ in answers}
    for _, learner_id, right in answers:
        table[names[learner_id]] += right
    return table


# On a clock of our own


@pytest.mark.parametrize("seed", SEEDS)
async def test_rounds_outlive_crashes_and_a_failing_telegram(tmp_path: Path, seed: int) -> None:
    groups, dice = 6, random.Random(seed)
    async with talking(tmp_path, seconds_per_question=SECONDS, pause_seconds=0.2) as talk:
        crowd = Crowd(talk.telegram, seed, groups, learners=6)
        plan_trouble(talk.telegram, dice, groups)
        crashes = [crowd.after(changes) for changes in sorted(dice.sample(range(10, 170), 4))]
        crowd.begin()
        for crash in crashes:
            await plays_until(talk, crowd, crash)
            assert crash.is_set(), crowd.stand()
            await talk.crashes()
            await talk.clock.advance(dice.choice([0, 0, 0.5, 2, 4, 8]))
            await talk.start()
        await plays_until(talk, crowd, crowd.over)
        assert crowd.over.is_set(), crowd.stand()
        await talk.clock.advance(20)  # somebody may still be about to vote
        await crowd.finished_acting()
        await talk.stop()
        check(crowd, talk.settings.database_path)


async def plays_until(talk: Talk, crowd: Crowd, moment: asyncio.Event) -> None:
    """Let time pass until the moment comes, and stop in the middle of whatever it meets."""
    passing = asyncio.create_task(talk.clock.advance(300))
    waiting = asyncio.create_task(moment.wait())
    async with asyncio.timeout(LIMIT):
        await asyncio.wait([passing, waiting], return_when=asyncio.FIRST_COMPLETED)
    for task in (passing, waiting):
        task.cancel()
    await asyncio.gather(passing, waiting, return_exceptions=True)
    if passing.done() and not passing.cancelled():
        passing.result()


# The real process


@pytest.mark.slow
async def test_thirty_rounds_outlive_kill_9_and_a_failing_telegram(tmp_path: Path) -> None:
    seed, groups = SOME_SEED, 30
    dice = random.Random(seed)
    async with served() as (telegram, url):
        bot = BotProcess(
            telegram, url, tmp_path, SECONDS_PER_QUESTION=str(SECONDS), PAUSE_SECONDS="0.2"
        )
        crowd = Crowd(telegram, seed, groups, learners=10)
        plan_trouble(telegram, dice, groups)
        kills = [crowd.after(changes) for changes in sorted(dice.sample(range(50, 900), 3))]
        try:
            await bot.start()
            crowd.begin()
            for kill in kills:
                await comes(kill, crowd, bot)
                await bot.kill()
                await bot.start()
            await comes(crowd.over, crowd, bot)
            await crowd.finished_acting()
            await telegram.idle()
            assert (await bot.ends_by(signal.SIGTERM)).code == 0, f"seed {seed}\n{bot.log}"
        finally:
            await bot.close()
        assert "Traceback" not in bot.log, f"seed {seed}\n{bot.log}"
        check(crowd, tmp_path / "data" / "quiz-tutor.sqlite3", RACE_SECONDS)


async def comes(moment: asyncio.Event, crowd: Crowd, bot: BotProcess) -> None:
    """Wait for a moment; if it never comes, say where everything stands."""
    try:
        async with asyncio.timeout(LIMIT):
            await moment.wait()
    except TimeoutError:
        raise AssertionError(f"{crowd.stand()}\n{bot.log}") from None
