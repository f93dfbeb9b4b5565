"""The demo as the real command serves it, and what is done on its page."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from quizzes.catalog import SHIPPED_BANK
from quizzes.quiz import Quiz
from tests.conversation import sound_catalog

expect.set_options(timeout=20_000)  # ms; a busy machine draws slowly


@asynccontextmanager
async def demo(folder: Path, *options: str) -> AsyncIterator[str]:
    """The address that `quiz-tutor demo` prints; it must end well when it is asked to."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "demo", "--no-browser", "--port", "0", *options),
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


def shipped(language: str) -> Quiz:
    """The shipped quiz on gradient clipping, which these tests play."""
    quiz = sound_catalog(SHIPPED_BANK).quiz("gradient-clipping", language, None)
    assert quiz is not None
    return quiz


async def plays(page: Page, name: str) -> None:
    """One of the learners acts from now on."""
    await page.get_by_role("navigation", name="Learners").get_by_role("button", name=name).click()


async def opens(page: Page, chat: str) -> None:
    """The learner's chat of this title is open from now on."""
    await page.get_by_role("navigation", name="Chats").get_by_role("button", name=chat).click()
    await expect(page.get_by_role("heading")).to_have_text(chat)


async def writes(page: Page, text: str) -> None:
    """The learner sends a message to the open chat."""
    await page.get_by_role("textbox", name="Message").fill(text)
    await page.keyboard.press("Enter")
    await expect(bubbles(page).filter(has_text=text).last).to_be_visible()


def polls(page: Page) -> Locator:
    """The messages of the open chat that are polls."""
    return bubbles(page).filter(has=page.get_by_role("radio"))


def bubbles(page: Page) -> Locator:
    """The messages of the open chat."""
    return page.get_by_role("log").get_by_role("article")
