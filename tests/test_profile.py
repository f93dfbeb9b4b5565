"""What Telegram shows before anybody writes: menu and descriptions in each language."""

from pathlib import Path

import pytest
from telegram.constants import BotCommandLimit

from bot.commands import ADMIN_COMMANDS, COMMANDS, GROUP_COMMANDS
from bot.demo.telegram import LocalTelegram
from storage.database import Database
from tests.conversation import Talk, talking

NAMES = [name for name in COMMANDS if name != "start"]
GROUP_NAMES = [name for name in GROUP_COMMANDS if name != "start"]

SETTERS = ("setMyCommands", "setMyDescription", "setMyShortDescription")


def set_by(talk: Talk) -> list[int]:
    """How often each of the SETTERS was called so far."""
    return [len(talk.telegram.calls(method)) for method in SETTERS]


# The command menu


@pytest.mark.parametrize("language", ["en", "ro", "uk", "ru", "de"])
async def test_the_menu_is_in_the_clients_language(talk: Talk, language: str) -> None:
    learner = talk.learner("Ada", language)
    menu = talk.telegram.commands(learner.person, learner.id)
    words = talk.texts.words(language)
    assert menu == [{"command": name, "description": words(f"command-{name}")} for name in NAMES]


@pytest.mark.parametrize("language", ["en", "ro", "uk", "ru", "de"])
async def test_a_groups_menu_has_the_commands_of_groups_and_for_admins_one_more(
    talk: Talk, language: str
) -> None:
    admin, ada = talk.learner("Op", language), talk.learner("Ada", language)
    group = talk.telegram.add_group("Class", [admin.person, ada.person])

    menus = [talk.telegram.commands(one.person, group.id) for one in (ada, admin)]

    words = talk.texts.words(language)
    texts = {"stats": "command-stats-group"}
    expected = [
        {"command": name, "description": words(texts.get(name, f"command-{name}"))}
        for name in (*GROUP_NAMES, *ADMIN_COMMANDS)
    ]
    assert menus == [expected[:-1], expected]
    assert max(len(row["description"]) for row in expected) <= BotCommandLimit.MAX_DESCRIPTION


@pytest.mark.parametrize("language", ["en", "ro", "uk", "ru"])
async def test_what_stats_shows_is_said_otherwise_in_a_group(talk: Talk, language: str) -> None:
    words = talk.texts.words(language)
    ada = talk.learner("Ada", language)
    group = ada.within(talk.telegram.add_group("Class", [ada.person]))

    await ada.sends("/help")
    await group.sends("/help")

    assert f"/stats – {words('command-stats')}\n" in ada.hears[0]
    assert f"/stats – {words('command-stats-group')}\n" in group.hears[0]


async def test_a_profile_that_is_as_it_should_be_is_not_set_again(talk: Talk) -> None:
    before = set_by(talk)
    # Three menus for four languages and for all others; the English descriptions are for all.
    assert before == [15, 4, 4]
    await talk.stop()
    await talk.start()
    assert set_by(talk) == before


async def test_only_the_menu_that_differs_is_set_again(talk: Talk) -> None:
    menus = talk.telegram.profile.commands
    differs = next(key for key in menus if key[0][0] == "all_group_chats" and key[1] == "uk")
    wanted = menus[differs]
    menus[differs] = wanted[1:]
    before = len(talk.telegram.calls("setMyCommands"))

    await talk.stop()
    await talk.start()

    (call,) = talk.telegram.calls("setMyCommands")[before:]
    assert call.parameters["language_code"] == "uk"
    assert menus[differs] == wanted


# Descriptions and name


async def test_a_description_of_the_operators_own_stays(tmp_path: Path) -> None:
    def described(telegram: LocalTelegram) -> None:
        telegram.profile.descriptions["uk"] = "Наш бот."

    async with talking(tmp_path, prepare=described) as talk:
        written = [
            call.parameters.get("language_code", "")
            for call in talk.telegram.calls("setMyDescription")
        ]
        assert sorted(written) == ["", "ro", "ru"]


async def test_a_description_that_the_operator_changes_later_stays(talk: Talk) -> None:
    before = set_by(talk)
    await talk.stop()
    talk.telegram.profile.short_descriptions["ro"] = "Al nostru."
    await talk.start()
    assert set_by(talk) == before
    assert talk.telegram.profile.short_descriptions["ro"] == "Al nostru."


async def test_a_description_of_ours_follows_its_text(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        own = talk.telegram.profile.descriptions
        wanted = own["uk"]
        # As an earlier version of the bot left it.
        own["uk"] = "Старий опис."
        await talk.stop()
        database = await Database.open(tmp_path / "bot.sqlite3", talk.clock)
        await database.transaction(lambda store: store.notes.put("description uk", "Старий опис."))
        await database.close()

        await talk.start()

        assert own["uk"] == wanted


async def test_the_bots_name_is_never_touched(talk: Talk) -> None:
    assert talk.telegram.calls("setMyName") == []


async def test_trouble_with_the_menu_does_not_keep_the_bot_from_working(tmp_path: Path) -> None:
    def refuses(telegram: LocalTelegram) -> None:
        telegram.faults.refuse("setMyCommands", 500, "Internal Server Error", times=None)

    async with talking(tmp_path, prepare=refuses) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/help")
        assert len(ada.messages) == 1
