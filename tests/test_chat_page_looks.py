"""How the chat page looks, and how it is used without a mouse."""

from collections.abc import AsyncIterator
from typing import Literal

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.chat_page import NEEDS_CHROMIUM, WEAK_CONTRAST, Demo, chatting, chromium
from tests.test_chat_page import QUIZ

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module"), NEEDS_CHROMIUM]

PYTHON = """import math  # pi
@cached
async def area(r: float = 1_000.5) -> str:
    '''It isn't "long".'''
    return f"{math.pi * r ** 2:.1e}" if r is not None else rb'\\'' + "no end
print(0xFF, 1e-5, bare, naïve_1)"""
PYTHON_TOKENS = {
    "comment": ["# pi"],
    "keyword": ["import", "async", "def", "return", "if", "is", "not", "None", "else"],
    "string": [
        "'''It isn't \"long\".'''",
        'f"{math.pi * r ** 2:.1e}"',
        "rb'\\''",
        '"no end',
    ],
    "number": ["1_000.5", "0xFF", "1e-5"],
}
SHELL = """# start
for f in "$dir"/*.txt; do echo ${f%.txt} a#b 'it # is' 12; done"""
SHELL_TOKENS = {
    "comment": ["# start"],
    "keyword": ["for", "in", "do", "done"],
    "string": ['"$dir"', "'it # is'"],
    "number": ["${f%.txt}", "12"],
}
YAML = """# a quiz
- id: one-1
  ask: What's it?
  right: true # yes
  "odd": 'it''s' """
YAML_TOKENS = {
    "comment": ["# a quiz", "# yes"],
    "keyword": ["id", "ask", "right", "true"],
    "string": ['"odd"', "'it''s'"],
    "number": [],
}
JSON = '{"a": [1, -2.5e3, "x: \\"y\\""], "b": null}'
JSON_TOKENS = {
    "keyword": ['"a"', '"b"', "null"],
    "string": ['"x: \\"y\\""'],
    "number": ["1", "-2.5e3"],
    "comment": [],
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def demo(browser: Browser) -> AsyncIterator[Demo]:
    async with chatting(browser) as demo:
        yield demo


async def shows_code(demo: Demo, code: str, language: str) -> None:
    escaped = code.replace("&", "&amp;").replace("<", "&lt;")
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        parse_mode="HTML",
        text=f'<pre><code class="language-{language}">{escaped}</code></pre>',
    )
    await expect(demo.bubbles.last.locator("figcaption")).to_have_text(language)


@pytest.mark.parametrize(
    ("language", "code", "tokens"),
    [
        ("python", PYTHON, PYTHON_TOKENS),
        ("py", PYTHON, PYTHON_TOKENS),
        ("bash", SHELL, SHELL_TOKENS),
        ("yaml", YAML.rstrip(), YAML_TOKENS),
        ("json", JSON, JSON_TOKENS),
        ("cobol", "MOVE 1 TO x. # not", {}),
    ],
)
async def test_code_is_coloured_by_kind_and_stays_what_it_is(
    demo: Demo, language: str, code: str, tokens: dict[str, list[str]]
) -> None:
    await demo.writes("/start")
    await shows_code(demo, code, language)
    shown = demo.bubbles.last.locator("pre code")
    assert await shown.text_content() == code
    kinds = ("comment", "keyword", "string", "number")
    found = {
        kind: await shown.locator(f'[data-token="{kind}"]').all_text_contents() for kind in kinds
    }
    assert found == {kind: tokens.get(kind, []) for kind in kinds}


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_text_stands_out_from_its_ground(
    demo: Demo, scheme: Literal["light", "dark"]
) -> None:
    await demo.tab.emulate_media(color_scheme=scheme)
    await demo.bot.does("setMyCommands", commands=[{"command": "quiz", "description": "a quiz"}])
    await demo.writes("/start and https://example.org/")
    await shows_code(demo, PYTHON, "python")
    keys = [
        {"text": style, "callback_data": "x"} | ({"style": style} if style != "plain" else {})
        for style in ("plain", "primary", "success", "danger")
    ]
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        parse_mode="HTML",
        text='<blockquote>quoted</blockquote><code>c</code> <a href="https://example.org">a</a>',
        reply_parameters={"message_id": 1},
        reply_markup={"inline_keyboard": [keys]},
    )
    await demo.bot.uploads("sendDocument", "data.json", b"x", chat_id=str(demo.ann.id))
    for picked in ("A week", "A day"):
        await demo.bot.does("sendPoll", chat_id=demo.ann.id, open_period=300, **QUIZ)
        option = demo.log.locator('[data-poll="open"]').get_by_role("radio", name=picked)
        await option.click()
        await expect(option).to_have_count(0)
    await demo.button("Explanation").last.click()
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, open_period=5, **QUIZ)
    group = demo.telegram.add_group("Class", [demo.ann, demo.oles], supergroup=True)
    demo.telegram.post(group, demo.ann, service={"supergroup_chat_created": True})
    demo.telegram.send(demo.oles, group.id, "Hello")
    assert await demo.tab.evaluate(WEAK_CONTRAST) == []
    await demo.button("Commands").click()
    await expect(demo.tab.get_by_role("menuitem")).to_have_count(1)
    assert await demo.tab.evaluate(WEAK_CONTRAST) == []
    await demo.chat("Class").click()
    await expect(demo.bubbles).to_contain_text(["Hello"])
    assert await demo.tab.evaluate(WEAK_CONTRAST) == []


async def test_hebrew_and_arabic_run_from_right_to_left_and_code_does_not(demo: Demo) -> None:
    await demo.writes("שלום, Telegram!")
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        text="مرحبا!",
        reply_markup={"inline_keyboard": [[{"text": "שאלה 2/8", "callback_data": "x"}]]},
    )
    rtl = QUIZ | {"question": "מה בירת צרפת?", "options": ["פריז", "Lyon"]}
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **rtl)
    directions = await demo.log.evaluate(
        """log => [".own .text", ".message:not(.own) .text", ".key", ".question",
             ".option:nth-child(1) .text", ".option:nth-child(2) .text"]
           .map((each) => getComputedStyle(log.querySelector(each)).direction)"""
    )
    assert directions == ["rtl", "rtl", "rtl", "rtl", "rtl", "ltr"]
    await shows_code(demo, 'print("שלום")', "python")
    code = demo.bubbles.last.locator("pre")
    assert await code.evaluate("each => getComputedStyle(each).direction") == "ltr"


async def test_tab_completes_a_command_that_was_begun(demo: Demo) -> None:
    commands = [{"command": name, "description": name} for name in ("start", "stats", "stop")]
    await demo.bot.does("setMyCommands", commands=commands)
    field = demo.tab.get_by_role("textbox", name="Message")
    await field.press_sequentially("/sto")
    await expect(demo.tab.get_by_role("menuitem")).to_have_count(1)
    await field.press("Tab")
    await expect(field).to_have_value("/stop ")
    await expect(field).to_be_focused()
    await expect(demo.tab.get_by_role("menuitem")).to_have_count(0)
    await field.press("Tab")
    await expect(demo.button("Send")).to_be_focused()


async def test_everything_can_be_reached_by_tab_in_the_order_in_which_it_stands(
    demo: Demo,
) -> None:
    await demo.writes("/quiz")
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **QUIZ)
    await demo.tab.get_by_role("radio", name="A week").click()
    await expect(demo.button("Explanation")).to_be_visible()
    keyboard = [[{"text": "Next", "callback_data": "next"}]]
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        text="Right",
        reply_markup={"inline_keyboard": keyboard},
    )
    await expect(demo.button("Next")).to_be_visible()
    await demo.learner("Олесь").focus()
    await demo.tab.keyboard.press("Shift+Tab")
    reached: list[str] = []
    while len(reached) < 20:
        name: str = await demo.tab.evaluate(
            """() => { const at = document.activeElement; return at.id || at.dataset.key
                 || at.textContent; }"""
        )
        reached.append(name)
        ring = await demo.tab.evaluate(
            "() => getComputedStyle(document.activeElement).outlineStyle"
        )
        assert (name, ring) == (name, "solid")
        if name == "text":
            break
        await demo.tab.keyboard.press("Tab")
    ann, oles = str(demo.ann.id), str(demo.oles.id)
    assert reached == [
        *(ann, oles, ann, "language", "log", "/quiz", "lamp"),
        *("option-0", "option-1", "option-2", "key-0-0", "commands", "text"),
    ]


async def test_a_long_name_is_cut_with_dots_and_moves_nothing(demo: Demo) -> None:
    demo.ann.first_name = "A" * 40 + " " + "B" * 40
    demo.telegram.set_language(demo.ann, "en")
    await demo.tab.set_viewport_size({"width": 360, "height": 640})
    await expect(demo.learner("A" * 40)).to_be_visible()
    sideways = await demo.tab.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll("aside, main, header")]
             .map((each) => each.scrollWidth - each.clientWidth)"""
    )
    assert set(sideways) == {0}
