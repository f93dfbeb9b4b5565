"""Nobody acts for another: a copied or forged button, another chat, another's round."""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from bot import buttons
from bot.buttons import Press
from bot.demo.chats import CallbackQuery
from tests.classroom import Class, gathered
from tests.conversation import Learner, Talk, talking

COPIED: tuple[Press, ...] = (
    buttons.ListQuizzes(0),
    buttons.BeginQuiz("capitals"),
    buttons.GoOn(2),
    buttons.Resume(2, 1),
    buttons.BeginAnew(2, "capitals"),
    buttons.Practise(1),
    buttons.ChooseLanguage("uk"),
    buttons.JoinRound(1),
    buttons.SetSeconds(1, 10),
    buttons.SetQuestions(1, 5),
    buttons.StartRound(1),
    buttons.ResumeRound(1),
    buttons.FullList(1),
    buttons.Rematch(1),
    buttons.InMyLanguage(3),
    buttons.SetOpeners("admins"),
    buttons.Review(),
    buttons.ReviewAnew(2),
    buttons.ShowPicture(),
    buttons.ChooseZone("Asia/Tokyo"),
    buttons.RemindAt(19, 0),
    buttons.RemindOff(),
    buttons.Forget(),
    buttons.ReportQuestion(2),
)
"""Each kind of button with the ids that it has in Ada's chat, or in the group."""

OF_ADA = {
    "learners": "id = :ada",
    "attempts": "learner_id = :ada",
    "polls": "chat_id IN (:ada, :group)",
    "answers": "learner_id = :ada",
    "memories": "learner_id = :ada",
    "reminders": "learner_id = :ada",
    "rounds": "chat_id = :group",
    "players": "round_id = 1",
    "groups": "chat_id = :group",
    "outbox": "chat_id IN (:ada, :group)",
    "agenda": "subject = :ada OR (subject = 1 AND kind != 'scrub')",
    "reports": "1",
    "notes": "name IN ('menu ' || :ada, 'menu ' || :group, 'full list 1')",
}
"""Which rows are Ada's and her group's."""


@dataclass(slots=True)
class Scene:
    """Ada is in the middle of her second attempt and has opened a lobby in her group."""

    talk: Talk
    folder: Path
    ada: Learner
    eve: Learner
    group: Class

    def rows(self) -> dict[str, list[Any]]:
        """What is stored of Ada and of her group, and what they see."""
        ids = {"ada": self.ada.id, "group": self.group.group.id}
        with closing(sqlite3.connect(self.folder / "bot.sqlite3")) as database:
            stored = {
                table: database.execute(f"SELECT * FROM {table} WHERE {mine}", ids).fetchall()
                for table, mine in OF_ADA.items()
            }
        shown = [(m.id, m.text, m.buttons) for m in (*self.ada.messages, *self.group.ada.messages)]
        return stored | {"shown": shown}

    async def forges(self, learner: Learner, press: Press) -> CallbackQuery:
        """Press a button that carries this under the newest message of a chat of one's own."""
        message = learner.messages[-1]
        data = buttons.write(press)
        query = self.talk.telegram.tap(learner.person, learner.chat_id, message.id, data)
        await self.talk.settles()
        return query


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with talking(tmp_path) as talk:
        ada, eve = talk.learner("Ada"), talk.learner("Eve")
        await ada.sends("/quiz capitals")
        await ada.votes_wrong()
        await ada.sends("/stop")
        await ada.taps("Practise what I missed (1)")
        await ada.votes_wrong()
        await ada.sends("/remind 08:00")
        await eve.sends("/help")
        group = await gathered(talk)
        group.ada = ada.within(group.group)
        group.group.statuses[ada.id] = "member"
        await group.ada.sends("/quiz capitals")
        yield Scene(talk, tmp_path, ada, eve, group)


def test_the_tables_name_each_kind_of_button() -> None:
    assert {type(press) for press in COPIED} == set(get_args(Press))
    assert len(COPIED) == len(get_args(Press))


async def test_a_button_that_was_copied_into_ones_own_chat_does_nothing_to_others(
    scene: Scene,
) -> None:
    before = scene.rows()
    for press in COPIED:
        query = await scene.forges(scene.eve, press)
        assert scene.rows() == before, press
        assert query.answer is not None


async def test_a_button_that_was_copied_into_another_group_does_nothing_to_the_first(
    scene: Scene,
) -> None:
    other = scene.talk.telegram.add_group("Eve's", [scene.eve.person], supergroup=True)
    there = scene.eve.within(other)
    await there.sends("/help")
    before = scene.rows()
    for press in COPIED:
        query = await scene.forges(there, press)
        assert scene.rows() == before, press
        assert query.answer is not None


async def test_a_press_that_claims_anothers_private_chat_is_the_pressers_own(scene: Scene) -> None:
    before = scene.rows()
    for press in COPIED:
        shown, data = scene.ada.messages[-1], buttons.write(press)
        forged = CallbackQuery("1", scene.eve.person, shown, data, pressed_at=0.0)
        scene.talk.telegram.give({"callback_query": forged.json})
        await scene.talk.settles()
        assert scene.rows() == before, press


async def test_commands_tell_and_change_nothing_of_others(scene: Scene) -> None:
    before = scene.rows()
    for text in ("/start e_1", "/start stats_", "/mydata", "/stats", "/stop", "/review"):
        await scene.eve.sends(text)
        assert scene.rows() == before, text
        assert "capital of France" not in "".join(scene.eve.hears)


# Who steers a round


ROLES = ("outsider", "player", "former admin", "opener", "admin", "anonymous admin")
STEERERS = frozenset({"opener", "admin", "anonymous admin"})
ADMINS = STEERERS - {"opener"}

REFUSALS = ("round-not-yours", "group-admins-only")

Act = Callable[[Learner], Awaitable[object]]


def taps(button: str) -> Act:
    return lambda learner: learner.taps(button)


def sends(text: str) -> Act:
    return lambda learner: learner.sends(text)


ACTS: dict[str, tuple[Act, frozenset[str]]] = {
    "seconds": (taps("10 s"), STEERERS),
    "start": (taps("Start"), STEERERS),
    "stop the lobby": (sends("/stop"), STEERERS),
    "skip": (sends("/skip"), STEERERS),
    "pause": (sends("/pause"), STEERERS),
    "stop": (sends("/stop"), STEERERS),
    "resume": (taps("Go on 2/3"), STEERERS | {"player"}),
    "language": (sends("/language uk"), ADMINS),
    "openers": (taps("Only admins"), ADMINS),
}
"""What steers a round or sets something for a group, and who may."""


async def set_stage(talk: Talk, act: str) -> dict[str, Learner]:
    """A group with somebody in each role, at the moment in which the act is due."""
    people = {role: talk.learner(role) for role in ROLES}
    owner = talk.learner("Owner")
    members = [owner.person, *(one.person for one in people.values())]
    chat = talk.telegram.add_group("Class", members, supergroup=True)
    talk.telegram.set_status(chat, people["admin"].person, "administrator")
    anonymous = people["anonymous admin"].person
    talk.telegram.set_status(chat, anonymous, "administrator", is_anonymous=True)
    talk.telegram.set_status(chat, people["former admin"].person, "administrator")
    there = {role: one.within(chat) for role, one in people.items()}
    # The bot sees the former admin as one, who then is one no more.
    await there["former admin"].sends("/settings")
    talk.telegram.set_status(chat, people["former admin"].person, "member")
    await talk.clock.advance(61)
    await there["opener"].sends("/quiz capitals")
    await there["player"].taps("Join")
    if act in ("skip", "pause", "stop", "resume"):
        await there["opener"].taps("Start")
    if act == "resume":
        await there["opener"].sends("/pause")
        await there["opener"].sends("/skip")
    return there


STEERED = ("rounds", "groups", "agenda")


def chosen(folder: Path) -> list[Any]:
    """The round and the group as they are stored."""
    with closing(sqlite3.connect(folder / "bot.sqlite3")) as database:
        return [database.execute(f"SELECT * FROM {table}").fetchall() for table in STEERED]


@pytest.mark.parametrize(
    ("act", "role"), [(act, role) for act, (_, allowed) in ACTS.items() for role in sorted(allowed)]
)
async def test_only_who_may_steers(talk: Talk, tmp_path: Path, act: str, role: str) -> None:
    there = await set_stage(talk, act)
    before = chosen(tmp_path)
    does, allowed = ACTS[act]
    for other in sorted(set(ROLES) - allowed):
        assert await is_refused(talk, there[other], does), other
        assert chosen(tmp_path) == before, other
    assert not await is_refused(talk, there[role], does)
    assert chosen(tmp_path) != before


async def is_refused(talk: Talk, learner: Learner, does: Act) -> bool:
    """Whether somebody is told that they may not do this."""
    answered = await does(learner)
    told = list(learner.hears)
    if isinstance(answered, CallbackQuery) and answered.answer:
        told.append(answered.answer.text)
    return any(talk.texts.words("en")(name) in told for name in REFUSALS)
