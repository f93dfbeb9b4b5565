"""The chat page in a real browser: learners see and do there what Telegram's apps offer them."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.demo.chats import Chat
from tests.chat_page import NEEDS_CHROMIUM, Demo, chatting, chromium, new_telegram, served
from tests.clock import ManualClock
from tests.test_local_telegram_files import png

QUIZ = {
    "question": "What does the leap year add?",
    "options": ["A day", "A week", "An hour"],
    "type": "quiz",
    "is_anonymous": False,
    "correct_option_ids": [0],
    "explanation": "It is the 29th of February.",
}

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module"), NEEDS_CHROMIUM]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def demo(browser: Browser) -> AsyncIterator[Demo]:
    async with chatting(browser) as demo:
        yield demo


@pytest_asyncio.fixture(loop_scope="module")
async def group(demo: Demo) -> Chat:
    """A group of Ann, who has just made it, and Олесь; it is open in the page, as Ann sees it."""
    group = demo.telegram.add_group("Class", [demo.ann, demo.oles], supergroup=True)
    assert "my_chat_member" in await demo.bot.hears()
    demo.telegram.post(group, demo.ann, service={"supergroup_chat_created": True})
    await demo.chat("Class").click()
    return group


async def test_start_in_an_empty_chat_reaches_the_bot_and_its_reply_is_shown(demo: Demo) -> None:
    await demo.button("Start").click()
    update = await demo.bot.hears()
    assert update["message"]["text"] == "/start"
    await demo.bot.does("sendMessage", chat_id=demo.ann.id, text="Welcome!")
    await expect(demo.bubbles).to_contain_text(["/start", "Welcome!"])
    await expect(demo.button("Start")).to_be_hidden()


async def test_own_messages_stand_on_the_right_and_the_bots_on_the_left(demo: Demo) -> None:
    await demo.writes("Hello")
    await demo.bot.does("sendMessage", chat_id=demo.ann.id, text="Hi")
    await expect(demo.bubbles).to_have_count(2)
    own, reply = [await bubble.bounding_box() for bubble in await demo.bubbles.all()]
    assert own is not None
    assert reply is not None
    assert own["x"] > reply["x"] + reply["width"]


async def test_a_wrong_vote_turns_red_the_right_option_green_and_the_explanation_opens(
    demo: Demo,
) -> None:
    await demo.writes("/quiz")
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **QUIZ)
    await demo.tab.get_by_role("radio", name="A week").click()
    right = demo.tab.get_by_role("radio", name="A day")
    wrong = demo.tab.get_by_role("radio", name="A week")
    await expect(right).to_have_attribute("data-mark", "right")
    await expect(wrong).to_have_attribute("data-mark", "wrong")
    await expect(wrong).to_be_checked()
    await expect(wrong).to_contain_text("100%")
    await expect(demo.log.get_by_text("It is the 29th of February.")).to_be_visible()
    colours = [
        await option.evaluate("each => getComputedStyle(each, '::after').backgroundColor")
        for option in (right, wrong)
    ]
    assert colours == ["rgb(26, 127, 55)", "rgb(192, 43, 43)"]


async def test_a_right_vote_keeps_the_explanation_behind_the_lamp(demo: Demo) -> None:
    await demo.writes("/quiz")
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **QUIZ)
    await expect(demo.button("Explanation")).to_have_count(0)
    await demo.tab.get_by_role("radio", name="A day").click()
    explanation = demo.log.get_by_text("It is the 29th of February.")
    await expect(demo.button("Explanation")).to_be_visible()
    await expect(explanation).to_be_hidden()
    await demo.button("Explanation").click()
    await expect(explanation).to_be_visible()


async def test_several_right_options_are_picked_first_and_sent_as_one_vote(demo: Demo) -> None:
    await demo.writes("/quiz")
    await demo.bot.hears()
    several = QUIZ | {"allows_multiple_answers": True, "correct_option_ids": [0, 2]}
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **several)
    await expect(demo.button("Vote")).to_be_disabled()
    await demo.tab.get_by_role("checkbox", name="An hour").click()
    await demo.tab.get_by_role("checkbox", name="A day").click()
    await demo.button("Vote").click()
    updates = [await demo.bot.hears(), await demo.bot.hears()]
    [answer] = [update["poll_answer"] for update in updates if "poll_answer" in update]
    assert answer["option_ids"] == [0, 2]
    await expect(demo.button("Vote")).to_have_count(0)


async def test_a_poll_can_be_answered_by_keyboard_alone(demo: Demo) -> None:
    await demo.writes("/quiz")
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **QUIZ)
    await demo.tab.get_by_role("radio", name="A day").focus()
    await demo.tab.keyboard.press("ArrowDown")
    await expect(demo.tab.get_by_role("radio", name="A week")).to_be_focused()
    await expect(demo.tab.get_by_role("radio", name="A week")).not_to_be_checked()
    await demo.tab.keyboard.press("Space")
    await expect(demo.tab.get_by_role("radio", name="A week")).to_be_checked()
    await expect(demo.tab.get_by_role("radio", name="A week")).to_be_focused()


async def test_a_poll_out_of_time_shows_its_final_results(demo: Demo) -> None:
    await demo.writes("/quiz")
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, open_period=30, **QUIZ)
    await expect(demo.log.get_by_role("timer")).to_have_text(re.compile(r"0:\d\d"))
    await demo.clock.advance(30)
    await expect(demo.log.get_by_text("Final results")).to_be_visible()
    await expect(demo.log.get_by_role("timer")).to_have_count(0)
    await expect(demo.tab.get_by_role("radio", name="A day")).to_be_disabled()


async def test_the_time_left_for_a_poll_ticks_by(demo: Demo) -> None:
    now = demo.clock.now()
    await demo.tab.clock.set_fixed_time(now)
    await demo.tab.reload()
    await demo.writes("/quiz")
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, open_period=30, **QUIZ)
    timer = demo.log.get_by_role("timer")
    for passed, left, is_ending in ((0, "0:30", False), (7, "0:23", False), (27, "0:03", True)):
        await demo.tab.clock.set_fixed_time(now + timedelta(seconds=passed))
        await expect(timer).to_have_text(left)
        assert (await timer.get_attribute("data-ending") is not None) == is_ending
    ring = float(await timer.evaluate("each => each.style.getPropertyValue('--left')"))
    assert ring == pytest.approx(0.1, abs=0.01)


async def test_a_photo_stands_above_its_caption_and_a_click_shows_it_larger(demo: Demo) -> None:
    await demo.writes("/stats")
    await demo.bot.uploads(
        "sendPhoto",
        "progress.png",
        png(900, 600),
        chat_id=str(demo.ann.id),
        caption="<b>Your progress</b>\nKeep on",
        parse_mode="HTML",
    )
    photo = demo.bubbles.last.get_by_role("img", name="Photo: Your progress")
    await expect(photo).to_be_visible()
    await expect(photo).to_have_js_property("naturalWidth", 900)
    await expect(demo.bubbles.last.locator("strong")).to_have_text("Your progress")
    small = await photo.bounding_box()
    assert small is not None
    assert small["width"] <= 352
    assert small["width"] / small["height"] == pytest.approx(1.5, abs=0.05)
    await photo.click()
    dialog = demo.tab.get_by_role("dialog", name="Photo")
    large = await dialog.get_by_role("img").bounding_box()
    assert large is not None
    assert large["width"] > 2 * small["width"]
    await demo.tab.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(demo.chat("Quiz tutor")).to_contain_text("Your progress")


async def test_a_photo_without_a_caption_says_whose_it_is(demo: Demo) -> None:
    await demo.writes("/stats")
    await demo.bot.uploads("sendPhoto", "x.png", png(8, 8), chat_id=str(demo.ann.id))
    await expect(demo.bubbles.last.get_by_role("img", name="Photo from Quiz tutor")).to_be_visible()
    await expect(demo.chat("Quiz tutor")).to_contain_text("Photo")


async def test_a_document_is_a_link_that_saves_it_with_name_and_size(demo: Demo) -> None:
    await demo.writes("/mydata")
    content = b"x" * 3400
    await demo.bot.uploads("sendDocument", "дані.json", content, chat_id=str(demo.ann.id))
    link = demo.bubbles.last.get_by_role("link", name="дані.json")
    await expect(link).to_contain_text("3.4 kB")
    async with demo.tab.expect_download() as saving:
        await link.click()
    saved = await saving.value
    assert saved.suggested_filename == "дані.json"
    assert (await saved.path()).read_bytes() == content


async def test_marked_up_text_becomes_elements_and_the_rest_stays_text(demo: Demo) -> None:
    await demo.writes("/start")
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        parse_mode="HTML",
        text="🧠 <b>bold <i>both</i></b> &lt;img src=x&gt;\n"
        '<pre><code class="language-python">if a &lt; b:\n    print("🐍")</code></pre>\n'
        'end, <a href="https://example.org/">link</a>',
    )
    bubble = demo.bubbles.last
    await expect(bubble.locator("strong")).to_have_text("bold both")
    await expect(bubble.locator("strong em")).to_have_text("both")
    await expect(bubble.locator("img")).to_have_count(0)
    await expect(bubble).to_contain_text("<img src=x>")
    await expect(bubble.locator("figcaption")).to_have_text("python")
    assert await bubble.locator("pre").text_content() == 'if a < b:\n    print("🐍")'
    link = bubble.get_by_role("link", name="link")
    await expect(link).to_have_attribute("href", "https://example.org/")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")


async def test_a_reply_quotes_the_message_that_it_answers(demo: Demo) -> None:
    await demo.writes("/quiz")
    poll = await demo.bot.does("sendPoll", chat_id=demo.ann.id, **QUIZ)
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        text="Right.",
        reply_parameters={"message_id": poll["message_id"]},
    )
    quote = demo.bubbles.last.get_by_role("button", name="In reply to")
    await expect(quote).to_contain_text("What does the leap year add?")


async def test_a_quote_leads_to_its_message_and_only_the_conversation_scrolls(demo: Demo) -> None:
    await demo.writes("/quiz")
    first = await demo.bot.does("sendMessage", chat_id=demo.ann.id, text="Begin here")
    for number in range(20):
        await demo.bot.does("sendMessage", chat_id=demo.ann.id, text=f"line\n{number}")
    poll = await demo.bot.does("sendPoll", chat_id=demo.ann.id, **QUIZ)
    demo.telegram.vote(demo.ann, demo.ann.id, poll["message_id"], [1])
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        text="Read the beginning again.",
        reply_parameters={"message_id": first["message_id"]},
    )
    quoted = demo.bubbles.filter(has_text="Begin here").first
    await expect(demo.bubbles.last).to_contain_text("Read the beginning again.")
    await expect(quoted).not_to_be_in_viewport()
    await demo.bubbles.last.get_by_role("button", name="In reply to").click()
    await expect(quoted).to_be_in_viewport()
    room = await demo.tab.evaluate(
        "() => document.scrollingElement.scrollHeight - document.scrollingElement.clientHeight"
    )
    assert room == 0


async def test_the_newest_message_stays_in_sight_when_the_page_gets_lower(demo: Demo) -> None:
    await demo.writes("/start")
    for number in range(12):
        await demo.bot.does("sendMessage", chat_id=demo.ann.id, text=f"line\n{number}")
    newest = demo.bubbles.last
    await expect(newest).to_contain_text("11")
    await demo.tab.set_viewport_size({"width": 1000, "height": 400})
    await expect(newest).to_be_in_viewport(ratio=1)
    await demo.log.evaluate("log => log.scrollTo(0, 0)")
    await expect(newest).not_to_be_in_viewport()
    await demo.bot.does("sendMessage", chat_id=demo.ann.id, text="news")
    await expect(demo.bubbles).to_have_count(14)
    await expect(demo.bubbles.first).to_be_in_viewport()


async def test_a_tap_reaches_the_bot_and_its_alert_and_its_notice_are_shown(demo: Demo) -> None:
    await demo.writes("/start")
    await demo.bot.hears()
    keyboard = [[{"text": "Next", "callback_data": "next"}, {"text": "Old", "callback_data": "o"}]]
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        text="Well?",
        reply_markup={"inline_keyboard": keyboard},
    )
    await demo.button("Next").click()
    query = (await demo.bot.hears())["callback_query"]
    assert query["data"] == "next"
    await demo.bot.does("answerCallbackQuery", callback_query_id=query["id"], text="On we go")
    await expect(demo.tab.get_by_role("status")).to_have_text("On we go")
    await demo.button("Old").click()
    query = (await demo.bot.hears())["callback_query"]
    await demo.bot.does(
        "answerCallbackQuery", callback_query_id=query["id"], text="Too old.", show_alert=True
    )
    await expect(demo.tab.get_by_role("alertdialog")).to_contain_text("Too old.")
    await demo.button("OK").click()
    await expect(demo.tab.get_by_role("alertdialog")).to_be_hidden()


async def test_a_link_that_starts_the_bot_sends_its_payload(demo: Demo) -> None:
    await demo.writes("/start")
    await demo.bot.hears()
    link = {"text": "Play", "url": "https://t.me/quiz_tutor_bot?start=leap-years"}
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        text="Shared",
        reply_markup={"inline_keyboard": [[link]]},
    )
    await demo.tab.get_by_role("link", name="Play").click()
    update = await demo.bot.hears()
    assert update["message"]["text"] == "/start leap-years"


@pytest.mark.parametrize("host", ["https://t.me", "telegram.me"])
async def test_a_pressed_button_can_lead_from_a_group_into_the_private_chat(
    demo: Demo, group: Chat, host: str
) -> None:
    await demo.learner("Олесь").click()
    keyboard = [[{"text": "Mine", "callback_data": "mine"}]]
    await demo.bot.does(
        "sendMessage",
        chat_id=group.id,
        text="Right: A day",
        reply_markup={"inline_keyboard": keyboard},
    )
    await demo.button("Mine").click()
    query = (await demo.bot.hears())["callback_query"]
    url = f"{host}/quiz_tutor_bot?start=e_7"
    await demo.bot.does("answerCallbackQuery", callback_query_id=query["id"], url=url)
    message = (await demo.bot.hears())["message"]
    assert message["chat"]["id"] == demo.oles.id
    assert message["text"] == "/start e_7"
    await expect(demo.tab.get_by_role("heading")).to_have_text("Quiz tutor")
    await expect(demo.bubbles).to_contain_text(["/start e_7"])


async def test_in_a_group_names_stand_above_the_messages_of_others_in_colours_of_their_own(
    demo: Demo, group: Chat
) -> None:
    await demo.writes("/quiz from Ann")
    await demo.bot.does("sendMessage", chat_id=group.id, text="A round")
    await demo.learner("Олесь").click()
    await demo.writes("/quiz from Олесь")
    names = demo.bubbles.locator(".sender")
    await expect(names).to_have_text(["Ann", "Quiz tutor"])
    await expect(demo.tab.locator("#status")).to_have_text("2 learners and the bot")
    await demo.learner("Ann").click()
    await expect(names).to_have_text(["Quiz tutor", "Олесь"])
    colours = await names.evaluate_all("all => all.map((each) => getComputedStyle(each).color)")
    avatar = demo.learner("Олесь").locator(".avatar")
    assert colours[0] != colours[1]
    assert colours[1] == await avatar.evaluate("each => getComputedStyle(each).backgroundColor")


async def test_what_happens_to_a_group_stands_in_the_middle_of_its_conversation(
    demo: Demo, group: Chat
) -> None:
    await expect(demo.log.get_by_text("Ann created “Class”")).to_be_visible()
    await expect(demo.chat("Class")).to_contain_text("Ann created “Class”")
    demo.telegram.set_status(group, demo.oles, "left")
    await expect(demo.log.get_by_text("Олесь left the group")).to_be_visible()
    await expect(demo.tab.locator("#status")).to_have_text("1 learner and the bot")
    demo.telegram.set_status(group, demo.oles, "member", by=demo.ann)
    await expect(demo.log.get_by_text("Ann added Олесь")).to_be_visible()
    demo.telegram.set_status(group, demo.oles, "kicked")
    await expect(demo.log.get_by_text("Ann removed Олесь")).to_be_visible()
    demo.telegram.set_status(group, demo.oles, "member")
    line = demo.log.get_by_text("Олесь joined the group")
    box, log = await line.bounding_box(), await demo.log.bounding_box()
    assert box is not None
    assert log is not None
    assert box["x"] + box["width"] / 2 == pytest.approx(log["x"] + log["width"] / 2, abs=10)
    await expect(demo.bubbles).to_have_count(0)


async def test_who_is_chosen_stays_in_the_group_that_is_open(demo: Demo, group: Chat) -> None:
    await demo.bot.does("sendPoll", chat_id=group.id, **QUIZ)
    await demo.tab.get_by_role("radio", name="A week").click()
    await expect(demo.tab.get_by_role("radio", name="A week")).to_have_attribute(
        "data-mark", "wrong"
    )
    await demo.learner("Олесь").click()
    await expect(demo.tab.get_by_role("heading")).to_have_text("Class")
    await expect(demo.tab.get_by_role("radio", name="A week")).not_to_have_attribute(
        "data-mark", "wrong"
    )
    await demo.tab.get_by_role("radio", name="A day").click()
    await expect(demo.log.get_by_text("2 answered")).to_be_visible()


async def test_a_member_who_may_not_write_is_told_so(demo: Demo, group: Chat) -> None:
    demo.telegram.deny(group, "can_send_messages")
    await demo.learner("Олесь").click()
    await demo.tab.get_by_role("textbox", name="Message").fill("Hello")
    await demo.tab.keyboard.press("Enter")
    await expect(demo.tab.get_by_role("status")).to_have_text("Олесь may not write in Class.")
    await demo.learner("Ann").click()
    await expect(demo.tab.get_by_role("status")).to_be_empty()


async def test_edited_and_deleted_messages_change_in_place(demo: Demo) -> None:
    await demo.writes("/start")
    sent = [
        await demo.bot.does("sendMessage", chat_id=demo.ann.id, text=text)
        for text in ("first", "second")
    ]
    ids = [message["message_id"] for message in sent]
    await demo.bot.does(
        "editMessageText", chat_id=demo.ann.id, message_id=ids[0], text="first, mended"
    )
    await demo.bot.does("deleteMessage", chat_id=demo.ann.id, message_id=ids[1])
    await expect(demo.bubbles).to_contain_text(["/start", "first, mended"])


async def test_the_command_menu_speaks_the_language_that_the_learner_switches_to(
    demo: Demo,
) -> None:
    for language, description in (("", "choose a quiz"), ("uk", "вибрати вікторину")):
        commands = [{"command": "quiz", "description": description}]
        await demo.bot.does("setMyCommands", commands=commands, language_code=language)
    await demo.button("Commands").click()
    await expect(demo.tab.get_by_role("menuitem")).to_have_text(["/quiz choose a quiz"])
    await demo.tab.keyboard.press("Escape")
    await expect(demo.button("Commands")).to_be_focused()
    await demo.tab.get_by_label("Client language").select_option("uk")
    await demo.button("Commands").click()
    await expect(demo.tab.get_by_role("menuitem")).to_have_text(["/quiz вибрати вікторину"])
    await demo.tab.get_by_role("menuitem").click()
    update = await demo.bot.hears()
    assert update["message"]["from"]["language_code"] == "uk"
    assert update["message"]["text"] == "/quiz"


async def test_typing_a_slash_offers_the_commands_of_the_chat_that_begin_so(
    demo: Demo, group: Chat
) -> None:
    for scope, names in (
        ("all_private_chats", ["quiz", "remind"]),
        ("all_group_chats", ["quiz", "skip", "stop"]),
        ("all_chat_administrators", ["quiz", "skip", "stop", "settings"]),
    ):
        commands = [{"command": name, "description": f"do {name}"} for name in names]
        await demo.bot.does("setMyCommands", commands=commands, scope={"type": scope})
    field, items = demo.tab.get_by_role("textbox", name="Message"), demo.tab.get_by_role("menuitem")
    await field.press_sequentially("/s")
    await expect(items).to_have_text(["/skip do skip", "/stop do stop", "/settings do settings"])
    await expect(field).to_be_focused()
    await field.press_sequentially("x")
    await expect(items).to_have_count(0)
    await field.press("Backspace")
    await expect(items).to_have_count(3)
    await field.press("Escape")
    await expect(items).to_have_count(0)
    await demo.learner("Олесь").click()
    await field.press_sequentially("/")
    await expect(items).to_have_text(["/quiz do quiz", "/skip do skip", "/stop do stop"])
    await field.press("ArrowDown")
    await demo.tab.keyboard.press("ArrowDown")
    await demo.tab.keyboard.press("Enter")
    await expect(demo.bubbles).to_contain_text(["/skip"])
    await expect(field).to_have_value("")
    await expect(field).to_be_focused()
    await expect(items).to_have_count(0)
    await demo.chat("Quiz tutor").click()
    await field.press_sequentially("/")
    await expect(items).to_have_text(["/quiz do quiz", "/remind do remind"])


async def test_each_learner_has_a_conversation_of_their_own(demo: Demo) -> None:
    await demo.writes("I am Ann")
    await expect(demo.bubbles).to_contain_text(["I am Ann"])
    await demo.learner("Олесь").click()
    await expect(demo.bubbles).to_have_count(0)
    await expect(demo.tab.get_by_label("Client language")).to_have_value("uk")
    await demo.bot.does("sendMessage", chat_id=demo.ann.id, text="Hi Ann")
    await expect(demo.learner("Ann")).to_contain_text("new messages")
    await demo.learner("Ann").click()
    await expect(demo.bubbles).to_contain_text(["I am Ann", "Hi Ann"])
    await expect(demo.learner("Ann")).not_to_contain_text("new messages")


async def test_a_reload_keeps_the_learner_the_conversation_and_the_votes(demo: Demo) -> None:
    await demo.learner("Олесь").click()
    await demo.writes("Привіт")
    await demo.bot.does("sendPoll", chat_id=demo.oles.id, **QUIZ)
    await demo.tab.get_by_role("radio", name="A day").click()
    await expect(demo.tab.get_by_role("radio", name="A day")).to_be_checked()
    await demo.tab.reload()
    await expect(demo.bubbles).to_contain_text(["Привіт", "What does the leap year add?"])
    await expect(demo.tab.get_by_role("radio", name="A day")).to_be_checked()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_nothing_moves_sideways_on_a_screen_of_360_pixels(demo: Demo, scheme: str) -> None:
    await demo.tab.set_viewport_size({"width": 360, "height": 640})
    await demo.tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await demo.writes("w" * 300)
    await demo.bot.does(
        "sendMessage",
        chat_id=demo.ann.id,
        parse_mode="HTML",
        text=f"<pre>{'code ' * 60}</pre><code>{'c' * 200}</code>",
        reply_markup={"inline_keyboard": [[{"text": "b" * 60, "callback_data": "b"}] * 3]},
    )
    here = {"chat_id": str(demo.ann.id), "caption": "c" * 300}
    await demo.bot.uploads("sendPhoto", "wide.png", png(1600, 100), **here)
    await demo.bot.uploads("sendDocument", "d" * 200, b"x", **here)
    long = QUIZ | {"question": "q" * 300, "options": ["o" * 100, "p" * 100]}
    await demo.bot.does("sendPoll", chat_id=demo.ann.id, **long)
    await demo.tab.get_by_role("radio").first.click()
    await expect(demo.tab.get_by_role("radio").first).to_be_checked()
    sideways = await demo.tab.evaluate(
        """() => [document.documentElement, document.querySelector('[role=log]')]
            .map((each) => each.scrollWidth - each.clientWidth)"""
    )
    assert sideways == [0, 0]


async def test_the_page_comes_back_by_itself_when_the_server_starts_again(
    browser: Browser,
) -> None:
    clock = ManualClock()
    tab = await browser.new_page()
    before, after = new_telegram(clock), new_telegram(clock)
    async with served(before) as url:
        await tab.goto(url)
        before.send(before.people[1001], 1001, "before")
        await expect(tab.get_by_role("article")).to_contain_text(["before"])
    await expect(tab.get_by_text("Connecting…")).to_be_visible()
    after.send(after.people[1001], 1001, "after")
    async with served(after, port=int(url.rstrip("/").rpartition(":")[2])):
        await expect(tab.get_by_role("article")).to_contain_text(["after"])
        await expect(tab.get_by_text("Connecting…")).to_be_hidden()
        await tab.close()
