"""The demo as a newcomer meets it: one command, a page, a quiz played to its results.

The bot, the local Telegram and the page run in a process of their own, started by the real command.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, async_playwright, expect

from quizzes.catalog import SHIPPED_BANK, load
from quizzes.quiz import Quiz
from tests.test_chat_page import CHROMIUM, FLAGS

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


def ukrainian() -> Quiz:
    catalog, _ = load([SHIPPED_BANK])
    quiz = catalog.quiz("gradient-clipping", "uk", None)
    assert quiz is not None
    return quiz


def bubbles(page: Page) -> Locator:
    return page.get_by_role("log").get_by_role("article")


async def test_a_quiz_is_played_in_ukrainian_to_its_results(page: Page) -> None:
    quiz = ukrainian()
    await (
        page.get_by_role("navigation", name="Learners").get_by_role("button", name="Олена").click()
    )
    await page.get_by_role("button", name="Start", exact=True).click()
    await page.get_by_role("button", name=quiz.title).click()
    for number, question in enumerate(quiz.questions, 1):
        poll = bubbles(page).filter(has=page.get_by_role("radio")).last
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
