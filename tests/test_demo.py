"""The demo as a newcomer meets it: one command, a page, a quiz played alone and one in a group.

The bot, the local Telegram and the page run in a process of their own, started by the real command.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, async_playwright, expect

from quizzes.catalog import SHIPPED_BANK, load
from quizzes.quiz import Quiz
from tests.test_chat_page import CHROMIUM, FLAGS

SLOW_MS = 30_000
"""For what takes seconds: a reveal waits for late votes, the first picture loads what draws it."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing"),
]


@asynccontextmanager
async def demo(folder: Path) -> AsyncIterator[str]:
    """The address that `quiz-tutor demo` prints; it must end well when it is asked to."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "demo", "--no-browser", "--port", "0"),
        cwd=folder,
        env={"PYTHONPATH": str(SHIPPED_BANK.parent.parent), "PATH": "/usr/bin:/bin"},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
        yield next(word for word in line.split() if word.startswith("http://127.0.0.1:"))
    finally:
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 5) == 0


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Page]:
    """The demo's page in a fresh browser, which reaches nothing outside this machine."""
    async with demo(tmp_path) as url, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        tab = await browser.new_page()
        problems: list[str] = []
        tab.on("console", lambda message: problems.append(message.text))
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on(
            "request",
            lambda request: None if request.url.startswith(url) else problems.append(request.url),
        )
        await tab.goto(url)
        yield tab
        await browser.close()
        assert problems == []


def shipped(language: str) -> Quiz:
    """A quiz of the shipped bank."""
    catalog, _ = load([SHIPPED_BANK])
    quiz = catalog.quiz("gradient-clipping", language, None)
    assert quiz is not None
    return quiz


async def plays(page: Page, name: str) -> None:
    """One of the learners acts from now on."""
    await page.get_by_role("navigation", name="Learners").get_by_role("button", name=name).click()


async def opens(page: Page, chat: str) -> None:
    await page.get_by_role("navigation", name="Chats").get_by_role("button", name=chat).click()
    await expect(page.get_by_role("heading")).to_have_text(chat)


async def writes(page: Page, text: str) -> None:
    await page.get_by_role("textbox", name="Message").fill(text)
    await page.keyboard.press("Enter")
    await expect(bubbles(page).filter(has_text=text).last).to_be_visible()


def polls(page: Page) -> Locator:
    return bubbles(page).filter(has=page.get_by_role("radio"))


def bubbles(page: Page) -> Locator:
    return page.get_by_role("log").get_by_role("article")


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
