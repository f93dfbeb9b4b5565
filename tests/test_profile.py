"""What Telegram shows before anybody writes: menu and descriptions in each language."""

import logging
from pathlib import Path

import pytest
from telegram.constants import BotCommandLimit

from bot.commands import ADMIN_COMMANDS, COMMANDS, GROUP_COMMANDS
from bot.demo.chats import Person
from bot.demo.telegram import LocalTelegram
from storage.database import Database
from storage.store import Store
from tests.conversation import Learner, Talk, talking

NAMES = [name for name in COMMANDS if name != "start"]
GROUP_NAMES = [name for name in GROUP_COMMANDS if name != "start"]

SETTERS = ("setMyCommands", "setMyDescription", "setMyShortDescription")


def set_by(talk: Talk) -> list[int]:
    """How often each of the SETTERS was called so far."""
    return [len(talk.telegram.calls(method)) for method in SETTERS]


def menu_languages(talk: Talk) -> list[str]:
    """The bot's languages as far as Telegram tells them apart: by two letters."""
    return [language for language in talk.texts.languages if len(language) == 2]


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
    # Three menus for each language and for all others; the English descriptions are for all.
    languages = len(menu_languages(talk))
    assert before == [3 * (languages + 1), languages, languages]
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
        assert sorted(written) == sorted({"", *menu_languages(talk)} - {"en", "uk"})


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


# Trouble


def fails(telegram: LocalTelegram) -> None:
    telegram.faults.refuse("setMyCommands", 500, "Internal Server Error", times=None)


def asks_for_silence(telegram: LocalTelegram) -> None:
    telegram.faults.refuse(
        *("setMyDescription", 429, "Too Many Requests: retry after 3600"),
        parameters={"retry_after": 3600},
    )


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_trouble_with_the_menu_does_not_keep_the_bot_from_working(tmp_path: Path) -> None:
    async with talking(tmp_path, prepare=fails) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/help")
        assert len(ada.messages) == 1


async def test_after_an_outage_all_is_set_without_a_start_and_one_line_told_of_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with talking(tmp_path, prepare=fails) as talk:
        await talk.clock.advance(600)
        tries = len(talk.telegram.calls("setMyCommands"))
        assert talk.telegram.profile.commands == {}

        talk.telegram.faults.clear()
        await talk.clock.advance(30)

        assert 20 < tries < 30
        languages = len(menu_languages(talk))
        assert len(talk.telegram.profile.commands) == 3 * (languages + 1)
        assert len(talk.telegram.profile.descriptions) == languages
    assert complaints(caplog) == [
        "The command menu can't be set: Internal Server Error; trying again."
    ]


async def test_telegram_is_left_alone_for_as_long_as_it_asks_and_not_told_anything_twice(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, prepare=asks_for_silence) as talk:
        at_first = set_by(talk)
        await talk.clock.advance(3599)
        assert set_by(talk) == at_first
        await talk.clock.advance(1)
        # The description that was refused is the one call that is made twice.
        languages = len(menu_languages(talk))
        assert set_by(talk) == [3 * (languages + 1), languages + 1, languages]


async def test_what_telegram_refuses_is_not_tried_again_before_the_next_start(
    tmp_path: Path,
) -> None:
    def refuses(telegram: LocalTelegram) -> None:
        telegram.faults.refuse("setMyCommands", 400, "Bad Request: BOT_COMMAND_INVALID")

    async with talking(tmp_path, prepare=refuses) as talk:
        await talk.clock.advance(3600)
        assert set_by(talk) == [1, 0, 0]
        await talk.stop()
        await talk.start()
        languages = len(menu_languages(talk))
        assert set_by(talk) == [1 + 3 * (languages + 1), languages, languages]


# The menu of a chat whose language was chosen


def shown(talk: Talk, person: Person, chat_id: int) -> list[str]:
    """What a chat's command menu says."""
    return [row["description"] for row in talk.telegram.commands(person, chat_id)]


def said(talk: Talk, language: str) -> list[str]:
    """What it should say in a private chat."""
    return [talk.texts.words(language)(f"command-{name}") for name in NAMES]


def menus_set(learner: Learner) -> int:
    """How often the menu of a chat was set for it alone."""
    calls = learner.talk.telegram.calls("setMyCommands")
    return sum(str(learner.chat_id) in str(call.parameters.get("scope")) for call in calls)


async def left_by_an_older_version(learner: Learner) -> None:
    """The chat's menu has fewer commands, and the bot remembers having set those."""
    talk = learner.talk
    await talk.stop()
    for (scope, language), menu in talk.telegram.profile.commands.items():
        if learner.chat_id in scope:
            talk.telegram.profile.commands[scope, language] = menu[1:]

    def remember(store: Store) -> None:
        assert store.notes.get(f"menu {learner.chat_id}")
        store.notes.put(f"menu {learner.chat_id}", "older")

    database = await Database.open(talk.settings.database_path, talk.clock)
    try:
        await database.transaction(remember)
    finally:
        await database.close()
    await talk.start()


async def test_a_chats_own_menu_is_set_anew_with_the_next_command_after_a_change(
    talk: Talk, ada: Learner
) -> None:
    await ada.sends("/language uk")
    await left_by_an_older_version(ada)
    assert shown(talk, ada.person, ada.id) == said(talk, "uk")[1:]

    await ada.sends("/help")
    assert shown(talk, ada.person, ada.id) == said(talk, "uk")

    await ada.sends("/help")
    assert menus_set(ada) == 2


async def test_a_groups_own_menu_is_set_anew_with_the_next_command_after_a_change(
    talk: Talk, ada: Learner
) -> None:
    group = ada.within(talk.telegram.add_group("Class", [ada.person]))
    await group.sends("/language uk")
    before = shown(talk, ada.person, group.chat_id)
    await left_by_an_older_version(group)
    assert shown(talk, ada.person, group.chat_id) == before[1:]

    await group.sends("/help")
    assert shown(talk, ada.person, group.chat_id) == before

    await group.sends("/language ro")
    assert (menus_set(group), menus_set(ada)) == (3, 0)
    assert shown(talk, ada.person, group.chat_id) != before


async def test_a_chat_without_a_chosen_language_has_no_menu_of_its_own(ada: Learner) -> None:
    await ada.sends("/help")
    assert menus_set(ada) == 0


async def test_a_menu_that_was_chosen_again_is_set_again(talk: Talk, ada: Learner) -> None:
    for _ in range(2):
        await ada.sends("/language uk")
    assert menus_set(ada) == 2
