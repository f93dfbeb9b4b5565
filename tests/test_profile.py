"""What Telegram shows before anybody writes: menu and descriptions in each language."""

from pathlib import Path

import pytest

from bot.commands import COMMANDS
from bot.demo.telegram import LocalTelegram
from tests.conversation import Talk, talking

NAMES = [name for name in COMMANDS if name != "start"]


@pytest.mark.parametrize("language", ["en", "ro", "uk", "ru", "de"])
async def test_the_menu_is_in_the_clients_language(talk: Talk, language: str) -> None:
    learner = talk.learner("Ada", language)
    menu = talk.telegram.commands(learner.person, learner.id)
    words = talk.texts.words(language)
    assert menu == [{"command": name, "description": words(f"command-{name}")} for name in NAMES]


async def test_an_unchanged_menu_is_not_set_again(talk: Talk) -> None:
    setters = ("setMyCommands", "setMyDescription", "setMyShortDescription")
    before = [len(talk.telegram.calls(method)) for method in setters]
    # Three menus for four languages and for all others; the English descriptions are for all.
    assert before == [15, 4, 4]
    await talk.stop()
    await talk.start()
    assert [len(talk.telegram.calls(method)) for method in setters] == before


async def test_a_description_of_the_operators_own_stays(tmp_path: Path) -> None:
    def described(telegram: LocalTelegram) -> None:
        telegram.profile.descriptions["uk"] = "Наш бот."

    async with talking(tmp_path, prepare=described) as talk:
        written = [
            call.parameters.get("language_code", "")
            for call in talk.telegram.calls("setMyDescription")
        ]
        assert sorted(written) == ["", "ro", "ru"]


async def test_the_bots_name_is_never_touched(talk: Talk) -> None:
    assert talk.telegram.calls("setMyName") == []


async def test_trouble_with_the_menu_does_not_keep_the_bot_from_working(tmp_path: Path) -> None:
    def refuses(telegram: LocalTelegram) -> None:
        telegram.faults.refuse("setMyCommands", 500, "Internal Server Error", times=None)

    async with talking(tmp_path, prepare=refuses) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/help")
        assert len(ada.messages) == 1
