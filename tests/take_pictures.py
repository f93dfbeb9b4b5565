"""The README's pictures, taken in Chromium of the demo's page while the real bot is played.

    python -m tests.take_pictures [FOLDER]

Look at each for clipping and contrast before it is kept.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Locator, Page, expect

from quizzes.quiz import Question
from tests.chat_page import chromium
from tests.demo_page import bubbles, demo, opens, plays, polls, shipped, writes

FOLDER = Path(__file__).with_name("pictures")
WIDTH, HEIGHT = 900, 700
LEAST_HEIGHT = 420
MARGIN = 7
"""Pixels of the page above the first message and below the last: less than between two."""

SHARPNESS = 1.5
COLOURS = 256
"""Enough for what the page shows, and a third of the bytes."""
LARGEST_BYTES = 150_000
PATIENCE_MS = 60_000


async def take(page: Page, folder: Path, name: str, first: Locator, last: Locator) -> None:
    """Save the page with a conversation from the first to the last of these messages."""
    await page.evaluate("() => document.activeElement.blur()")
    await page.mouse.move(0, 0)
    await page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    top = await first.evaluate("each => each.offsetTop")
    bottom = await last.evaluate("each => each.offsetTop + each.offsetHeight")
    around = HEIGHT - await page.get_by_role("log").evaluate("each => each.clientHeight")
    height = max(LEAST_HEIGHT, around + bottom - top + 2 * MARGIN)
    await page.set_viewport_size({"width": WIDTH, "height": height})
    await page.get_by_role("log").evaluate("(log, to) => log.scrollTo(0, to)", top - MARGIN)
    file = folder / f"{name}.png"
    await page.screenshot(path=file, animations="disabled")
    with Image.open(file) as picture:
        few_colours = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1)
    few_colours.save(file, optimize=True)
    size = file.stat().st_size
    sys.stdout.write(f"{file}: {size / 1000:.0f} kB\n")
    if size > LARGEST_BYTES:
        sys.exit(f"{file} is larger than {LARGEST_BYTES / 1000:.0f} kB.")


async def answers(page: Page, question: Question, right: bool) -> None:
    """Vote in the newest poll."""
    picked = next(choice for choice in question.choices if choice.correct is right)
    option = polls(page).last.get_by_role("radio", name=picked.text, exact=True)
    await option.click()
    await expect(option).to_have_attribute("data-mark", "right" if right else "wrong")


async def play_alone(page: Page, folder: Path) -> None:
    """A question answered wrong, in English; an explanation with code, in Ukrainian and dark."""
    quiz = shipped("en")
    await writes(page, "/quiz gradient-clipping")
    for number, question in enumerate(quiz.questions[:3]):
        await expect(polls(page).last).to_contain_text(question.ask)
        await answers(page, question, right=number != 1)
        await expect(bubbles(page).last).to_contain_text(question.explain or "")
        if number == 1:
            await take(page, folder, "question", polls(page).last, polls(page).last)
        await bubbles(page).last.get_by_role("button", name=f"Next {number + 2}/8").click()
    await writes(page, "/stats")
    await page.get_by_role("button", name="As a picture").click()
    picture = bubbles(page).last.get_by_role("img")
    await expect(picture).to_be_visible(timeout=PATIENCE_MS)
    await expect(picture).to_have_js_property("complete", True)
    await take(page, folder, "progress", bubbles(page).last, bubbles(page).last)

    quiz = shipped("uk")
    await plays(page, "Олена")
    await writes(page, "/quiz gradient-clipping")
    await expect(polls(page).last).to_contain_text(quiz.questions[0].ask)
    await answers(page, quiz.questions[0], right=True)
    await expect(bubbles(page).last).to_contain_text(quiz.questions[0].explain or "")
    await page.emulate_media(color_scheme="dark")
    await take(page, folder, "explanation", bubbles(page).last, bubbles(page).last)
    await page.emulate_media(color_scheme="light")


async def play_in_the_group(page: Page, folder: Path) -> None:
    """The results of a round of three."""
    quiz = shipped("en")
    await plays(page, "Alex")
    await opens(page, "Study group")
    await writes(page, "/quiz gradient-clipping")
    lobby = bubbles(page).filter(has_text="A round of")
    for name in ("Ioana", "Олена"):
        await plays(page, name)
        await lobby.get_by_role("button", name="Join").click()
        await expect(lobby).to_contain_text(name)
    await plays(page, "Alex")
    await lobby.get_by_role("button", name="Start").click()
    for number, question in enumerate(quiz.questions[:2]):
        await expect(polls(page)).to_have_count(number + 1, timeout=PATIENCE_MS)
        for name, right in (("Олена", True), ("Ioana", number == 0), ("Alex", number == 1)):
            await plays(page, name)
            await answers(page, question, right)
        reveals = bubbles(page).filter(has_text="2 of 3 right")
        await expect(reveals).to_have_count(number + 1, timeout=PATIENCE_MS)
    await plays(page, "Ioana")
    await plays(page, "Alex")
    await writes(page, "/stop")
    results = bubbles(page).filter(has_text="Results of")
    await expect(results).to_be_visible(timeout=PATIENCE_MS)
    await take(page, folder, "group", bubbles(page).filter(has_text="/stop"), results)


async def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as elsewhere:
        async with demo(Path(elsewhere)) as url, chromium() as browser:
            page = await browser.new_page(device_scale_factor=SHARPNESS)
            await page.goto(url)
            await play_alone(page, folder)
            await play_in_the_group(page, folder)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
