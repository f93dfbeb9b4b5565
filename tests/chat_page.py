"""The chat page in a real browser, before a local Telegram whose bot does what a test says."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from bot.demo.chats import Person
from bot.demo.page import add_routes
from bot.demo.server import make_application, serve
from bot.demo.telegram import LocalTelegram
from tests.clock import ManualClock

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
TOKEN = "123456:chat-page"

NEEDS_CHROMIUM = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing")

WEAK_CONTRAST = """() => {
  // The browser itself turns any colour into red, green, blue and opacity, from 0 to 255.
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const mixed = (...layers) => {
    brush.clearRect(0, 0, 1, 1);
    layers.forEach((layer) => { brush.fillStyle = layer; brush.fillRect(0, 0, 1, 1); });
    return [...brush.getImageData(0, 0, 1, 1).data];
  };
  const light = ([...rgb]) => rgb.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const grounds = (element) => element === null ? ["white"]
    : [...grounds(element.parentElement), getComputedStyle(element).backgroundColor];
  const weak = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const text = walk.currentNode.data.trim();
    const seen = element.checkVisibility() && element.getClientRects().length > 0;
    if (text === "" || !seen || element.closest(":disabled, .unseen, noscript, script")) continue;
    const behind = grounds(element);
    const [one, other] = [mixed(...behind), mixed(...behind, getComputedStyle(element).color)]
      .map(light).sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) weak.push(`${text.slice(0, 30)} (${element.className}): ${ratio.toFixed(2)}`);
  }
  return weak;
}"""
"""The texts in sight that stand out less than WCAG 2.2 asks for (1.4.3, level AA)."""


@dataclass(slots=True)
class ScriptedBot:
    """A bot that does over HTTP what a test says, and nothing else."""

    http: aiohttp.ClientSession
    url: str
    next_update: int = 0

    async def does(self, method: str, **parameters: Any) -> Any:
        """Call a method of the Bot API; returns its result."""
        async with self.http.post(f"{self.url}bot{TOKEN}/{method}", json=parameters) as response:
            reply = await response.json()
        assert reply["ok"], reply
        return reply["result"]

    async def uploads(self, method: str, name: str, content: bytes, **parameters: Any) -> Any:
        """Call a method with one file, the photo or the document; returns its result."""
        form = aiohttp.FormData(parameters, quote_fields=False)
        form.add_field(method.removeprefix("send").lower(), content, filename=name)
        async with self.http.post(f"{self.url}bot{TOKEN}/{method}", data=form) as response:
            reply = await response.json()
        assert reply["ok"], reply
        return reply["result"]

    async def hears(self) -> dict[str, Any]:
        """The next update, awaited."""
        [update] = await self.does("getUpdates", offset=self.next_update, limit=1, timeout=50)
        self.next_update = update["update_id"] + 1
        return dict(update)


@dataclass(slots=True)
class Demo:
    """The page in one tab, and the bot that the learners there talk to."""

    clock: ManualClock
    telegram: LocalTelegram
    bot: ScriptedBot
    tab: Page
    ann: Person
    oles: Person

    @property
    def url(self) -> str:
        return self.bot.url

    @property
    def log(self) -> Locator:
        return self.tab.get_by_role("log")

    @property
    def bubbles(self) -> Locator:
        return self.log.get_by_role("article")

    def button(self, name: str) -> Locator:
        return self.tab.get_by_role("button", name=name, exact=True)

    def learner(self, name: str) -> Locator:
        learners = self.tab.get_by_role("navigation", name="Learners")
        return learners.get_by_role("button", name=name)

    def chat(self, title: str) -> Locator:
        chats = self.tab.get_by_role("navigation", name="Chats")
        return chats.get_by_role("button", name=title)

    async def writes(self, text: str) -> None:
        """The chosen learner writes to the bot; returns when the message has been sent."""
        await self.tab.get_by_role("textbox", name="Message").fill(text)
        await self.tab.keyboard.press("Enter")
        await expect(self.bubbles.last).to_contain_text(text)


def new_telegram(clock: ManualClock) -> LocalTelegram:
    telegram = LocalTelegram(clock, token=TOKEN, random=random.Random(1))
    telegram.add_person("Ann", language_code="en")
    telegram.add_person("Олесь", language_code="uk")
    return telegram


@asynccontextmanager
async def served(telegram: LocalTelegram, port: int = 0) -> AsyncIterator[str]:
    """The address of the page, served together with the Bot API."""
    app = make_application(telegram)
    add_routes(app, telegram, bot_name="Quiz tutor", learners=list(telegram.people.values()))
    async with serve(telegram, port=port, application=app) as server:
        yield f"{server.url}/"


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser with a fresh profile."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


def watched(tab: Page, home: str) -> list[str]:
    """What goes wrong in a tab from now on: errors, and requests to another machine."""
    problems: list[str] = []

    def note_foreign(address: str) -> None:
        if not address.replace("ws://", "http://").startswith(home):
            problems.append(f"A request to {address}")

    tab.on("console", lambda said: problems.append(said.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("request", lambda sent: note_foreign(sent.url))
    tab.on("websocket", lambda opened: note_foreign(opened.url))
    return problems


@asynccontextmanager
async def chatting(browser: Browser) -> AsyncIterator[Demo]:
    """The page in a tab of its own; it also proves that nothing goes wrong there."""
    clock = ManualClock()
    telegram = new_telegram(clock)
    ann, oles = telegram.people.values()
    context = await browser.new_context(viewport={"width": 1000, "height": 700})
    async with served(telegram) as url, aiohttp.ClientSession() as http:
        tab = await context.new_page()
        problems = watched(tab, url)
        await tab.goto(url)
        await expect(tab.get_by_role("heading")).to_have_text("Quiz tutor")
        yield Demo(clock, telegram, ScriptedBot(http, url), tab, ann, oles)
        await context.close()
    assert problems == []
