"""The demo as a newcomer meets it: one command, a page, a quiz played alone and one in a group.

The bot, the local Telegram and the page run in a process of their own, started by the real command.
"""

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page, expect

from bot.texts import Texts
from tests.chat_page import NEEDS_CHROMIUM, WEAK_CONTRAST, chromium, watched
from tests.conversation import BANKS
from tests.demo_page import bubbles, demo, opens, plays, polls, shipped, writes

SLOW_MS = 30_000
"""For what takes seconds: a reveal waits for late votes, the first picture loads what draws it."""

pytestmark = [pytest.mark.browser, NEEDS_CHROMIUM]


@asynccontextmanager
async def opened(folder: Path, *options: str) -> AsyncIterator[Page]:
    """The demo's page in a fresh browser, which reaches nothing outside this machine."""
    async with demo(folder, *options) as url, chromium() as browser:
        tab = await browser.new_page()
        problems = watched(tab, url)
        await tab.goto(url)
        yield tab
        await browser.close()
        assert problems == []


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Page]:
    """The page of a demo with the shipped quizzes."""
    async with opened(tmp_path) as tab:
        yield tab


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """An author's bank with one quiz, which bears the id of a shipped one."""
    shutil.copytree(BANKS / "talk" / "capitals", tmp_path / "mine" / "gradient-clipping")
    return tmp_path / "mine"


async def test_a_quiz_is_played_in_ukrainian_to_its_results(page: Page) -> None:
    quiz = shipped("uk")
    await plays(page, "Олена")
    await page.get_by_role("button", name="Start", exact=True).click()
    await page.get_by_role("button", name=quiz.title).click()
    for number, question in enumerate(quiz.questions, 1):
        poll = polls(page).last
        await expect(poll).to_contain_text(question.ask)
        picked = next(c for c in question.choices if c.correct is (number > 1))
        option = poll.get_by_role("radio", name=picked.text)
        await option.click()
        mark = "right" if picked.correct else "wrong"
        await expect(option).to_have_attribute("data-mark", mark)
        explanation = bubbles(page).last
        await expect(explanation).to_contain_text(question.explain or "")
        await expect(explanation.locator("pre").first).to_be_visible()
        if picked.why:
            await expect(explanation).to_contain_text(picked.why)
        onward = f"Далі {number + 1}/8" if number < 8 else "Результати"
        await explanation.get_by_role("button", name=onward).click()
    await expect(bubbles(page).last).to_contain_text("7")
    await expect(bubbles(page).last).to_contain_text(quiz.questions[0].ask)
    await page.reload()
    await expect(bubbles(page).last).to_contain_text(quiz.questions[0].ask)


async def test_a_round_is_played_by_three_learners_in_the_group(page: Page) -> None:
    """Alex opens and starts it, two join; one of them reads the answer in her own language."""
    quiz = shipped("en")
    await opens(page, "Study group")
    await expect(page.get_by_role("log")).to_contain_text("Alex created “Study group”")
    await writes(page, "/quiz gradient-clipping")
    lobby = bubbles(page).filter(has_text="A round of")
    await expect(lobby).to_contain_text("In (1): Alex")
    for name, players in (
        ("Ioana", "In (2): Alex, Ioana"),
        ("Олена", "In (3): Alex, Ioana, Олена"),
    ):
        await plays(page, name)
        await lobby.get_by_role("button", name="Join").click()
        await expect(lobby).to_contain_text(players)
        await expect(page.get_by_role("status")).not_to_be_empty()
    await plays(page, "Alex")
    await lobby.get_by_role("button", name="Start").click()
    await expect(lobby).to_contain_text("The round has begun.")

    first = quiz.questions[0]
    await expect(polls(page)).to_contain_text([first.ask])
    await expect(polls(page).get_by_role("timer")).to_be_visible()
    for name, is_right in (("Alex", True), ("Ioana", False), ("Олена", True)):
        await plays(page, name)
        picked = next(choice for choice in first.choices if choice.correct is is_right)
        option = polls(page).get_by_role("radio", name=picked.text, exact=True)
        await option.click()
        await expect(option).to_have_attribute("data-mark", "right" if is_right else "wrong")
    reveal = bubbles(page).filter(has_text="2 of 3 right. Fastest: Alex")
    await expect(reveal).to_contain_text(first.explain or "", timeout=SLOW_MS)
    await expect(reveal.locator("pre").first).to_be_visible()
    await expect(polls(page)).to_contain_text(["Final results"])

    await reveal.get_by_role("button", name="In my language").click()
    await expect(page.get_by_role("heading")).to_have_text("Quiz tutor")
    await expect(page.get_by_label("Client language")).to_have_value("uk")
    await expect(bubbles(page).last).to_contain_text(shipped("uk").questions[0].explain or "")

    await opens(page, "Study group")
    await plays(page, "Alex")
    await writes(page, "/stop")
    results = bubbles(page).filter(has_text="Results of")
    ranking = re.compile("Alex – 1 of .*Олена – 1 of .*Ioana – 0 of", re.DOTALL)
    await expect(results).to_contain_text(ranking, timeout=SLOW_MS)
    await expect(results.get_by_role("button", name="Rematch")).to_be_visible()

    await writes(page, "/stats")
    await page.get_by_role("link", name="My own progress").click()
    await expect(page.get_by_role("heading")).to_have_text("Quiz tutor")
    await expect(bubbles(page).first).to_contain_text("/start stats_")
    await expect(bubbles(page).last).to_contain_text("Your progress")


async def test_progress_is_shown_as_a_picture(page: Page) -> None:
    await writes(page, "/quiz gradient-clipping")
    await polls(page).get_by_role("radio").first.click()
    await expect(bubbles(page).last.get_by_role("button", name="Next 2/8")).to_be_visible()
    await writes(page, "/stats")
    await page.get_by_role("button", name="As a picture").click()
    picture = bubbles(page).get_by_role("img")
    await expect(picture).to_be_visible(timeout=SLOW_MS)
    await expect(picture).to_have_js_property("complete", True)
    assert await picture.evaluate("each => each.naturalWidth") == 1080


async def test_a_group_offers_the_commands_of_groups_and_settings_to_its_creator_alone(
    page: Page,
) -> None:
    commands = page.get_by_role("menuitem")
    field = page.get_by_role("textbox", name="Message")
    await opens(page, "Study group")
    await field.press_sequentially("/s")
    for name in ("/skip", "/stop", "/stats", "/settings"):
        await expect(commands.filter(has_text=name)).to_have_count(1)
    await plays(page, "Ioana")
    await field.press_sequentially("/s")
    await expect(commands.filter(has_text="/skip")).to_have_count(1)
    await expect(commands.filter(has_text="/settings")).to_have_count(0)
    await opens(page, "Quiz tutor")
    await field.press_sequentially("/")
    await expect(commands.filter(has_text="/review")).to_have_count(1)
    await expect(commands.filter(has_text="/skip")).to_have_count(0)


async def test_a_switched_client_language_changes_the_menu_and_what_the_bot_says(
    page: Page,
) -> None:
    commands = page.get_by_role("menuitem")
    for language in ("ro", "uk", "en"):
        words = Texts.shipped("en").words(language)
        await page.get_by_label("Client language").select_option(language)
        await page.get_by_role("button", name="Commands").click()
        await expect(commands.filter(has_text="/quiz ")).to_contain_text(words("command-quiz"))
        await commands.filter(has_text="/help").click()
        await expect(bubbles(page).last).to_contain_text(words("command-review"))


async def sets_trouble(page: Page, often: str, method: str, what: str) -> None:
    panel = page.get_by_role("region", name="Faults")
    await panel.get_by_label("How often").select_option(often)
    await panel.get_by_label("Which call").select_option(method)
    await panel.get_by_label("What happens to it").select_option(what)
    await panel.get_by_role("button", name="Set").click()


async def test_what_is_answered_while_the_bot_is_dead_is_explained_when_it_is_back(
    page: Page,
) -> None:
    panel = page.get_by_role("region", name="Faults")
    await writes(page, "/quiz gradient-clipping")
    await expect(polls(page).last).to_be_visible()
    await page.get_by_role("button", name="Faults").click()
    await panel.get_by_role("button", name="Kill").click()
    await expect(panel.get_by_role("status")).to_have_text("The bot is off.")
    await expect(page.locator("#status")).to_have_text("bot, off")
    right = next(c for c in shipped("en").questions[0].choices if c.correct)
    await polls(page).get_by_role("radio", name=right.text).click()
    await expect(polls(page)).to_contain_text(["1 answered"])
    await expect(bubbles(page).last.get_by_role("radio")).to_have_count(4)
    await panel.get_by_role("button", name="Start").click()
    await expect(panel.get_by_role("status")).to_have_text("The bot is running.")
    await expect(bubbles(page).last).to_contain_text("✅ Right")
    await panel.get_by_role("button", name="Restart").click()
    await page.get_by_role("button", name="Next 2/8").click()
    await expect(polls(page).last).to_contain_text(shipped("en").questions[1].ask)


async def test_a_refused_question_is_seen_in_the_panel_and_comes_all_the_same(page: Page) -> None:
    panel = page.get_by_role("region", name="Faults")
    calls = panel.get_by_role("log").get_by_role("listitem")
    await page.get_by_role("button", name="Faults").click()
    await sets_trouble(page, "next", "sendPoll", "refuse")
    pending = panel.get_by_role("list", name="Trouble to come").get_by_role("listitem")
    await expect(pending).to_have_text(["The next sendPoll: refused (429, retry after 3 s)"])
    await writes(page, "/quiz gradient-clipping")
    await expect(calls.last).to_contain_text("429 Too Many Requests: retry after 3")
    await expect(pending).to_have_count(0)
    await expect(polls(page)).to_have_count(1, timeout=SLOW_MS)
    await expect(calls.last).to_have_text(re.compile("sendPoll Alex done"))
    await sets_trouble(page, "every", "*", "drop")
    await panel.get_by_role("button", name="Clear").click()
    await expect(pending).to_have_count(0)


async def test_a_learner_blocks_the_bot_and_unblocks_it_by_writing(page: Page) -> None:
    panel = page.get_by_role("region", name="Faults")
    await writes(page, "/start")
    quiz = page.get_by_role("button", name=shipped("en").title)
    await expect(quiz).to_be_visible()
    await page.get_by_role("button", name="Faults").click()
    await panel.get_by_role("button", name="Let Alex block it").click()
    await expect(page.locator("#status")).to_have_text("bot, blocked")
    await expect(panel.get_by_role("button", name="Let Alex unblock it")).to_be_visible()
    await plays(page, "Ioana")
    await expect(panel.get_by_role("button", name="Let Ioana block it")).to_be_visible()
    await plays(page, "Alex")
    await writes(page, "/help")
    await expect(page.locator("#status")).to_have_text("bot")
    await expect(bubbles(page).last).to_contain_text("/stats")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_panel_is_used_by_keyboard_on_a_phone_and_leaves_by_escape(
    page: Page, scheme: Literal["light", "dark"]
) -> None:
    await page.set_viewport_size({"width": 360, "height": 640})
    await page.emulate_media(color_scheme=scheme)
    button = page.get_by_role("button", name="Faults")
    await button.focus()
    await page.keyboard.press("Enter")
    await expect(button).to_have_attribute("aria-expanded", "true")
    await sets_trouble(page, "every", "sendMessage", "delay")
    await writes(page, "/help")
    await expect(page.get_by_role("log", name="What the bot asks")).to_contain_text(
        "answered after 3."
    )
    sideways = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert await page.evaluate(sideways) == 0
    assert await page.evaluate(WEAK_CONTRAST) == []
    await page.get_by_role("button", name="Clear").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("What happens to it")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("region", name="Faults")).to_be_hidden()
    await expect(button).to_be_focused()


async def test_an_authors_quiz_is_played_alone_and_read_again_when_it_is_saved(
    tmp_path: Path, bank: Path
) -> None:
    """It bears the id of a shipped quiz; while it is broken its last sound version is played."""
    file = bank / "gradient-clipping" / "quiz.yaml"
    sound = file.read_text("utf-8")
    async with opened(tmp_path, "--quiz", "mine") as page:
        report = page.get_by_role("status", name="Your quizzes")
        await expect(report).to_contain_text("Playing 1 quiz of mine.")
        await writes(page, "/quiz")
        offered = bubbles(page).last.get_by_role("button")
        await expect(offered).to_have_text([re.compile("Capitals")])
        await offered.click()
        await expect(polls(page).last).to_contain_text("What is the capital of France?")

        broken = sound.replace("correct: true", "corect: true", 1)
        file.write_text(broken, "utf-8")
        line = 1 + broken[: broken.index("corect")].count("\n")
        await expect(report).to_contain_text("1 fault. The last sound version is still played.")
        faults = report.get_by_role("listitem")
        place = f"mine/gradient-clipping/quiz.yaml:{line}"
        await expect(faults.last).to_contain_text(f"{place} unknown key `corect`")
        assert await page.evaluate(WEAK_CONTRAST) == []
        await page.reload()
        await expect(faults.last).to_contain_text(place)
        await polls(page).last.get_by_role("radio", name="Paris").click()
        await expect(bubbles(page).last).to_contain_text("✅ Right")

        file.write_text(sound.replace("title: Capitals", "title: Cities"), "utf-8")
        await expect(report).to_contain_text(re.compile("^Reloaded [0-9:]+"))
        await bubbles(page).last.get_by_role("button", name="Next 2/3").click()
        await expect(polls(page)).to_have_count(2)
        await writes(page, "/quiz")
        await expect(bubbles(page).last.get_by_text("Begin anew: Cities")).to_be_visible()
