"""What people do in the local Telegram, and what the bot and the onlookers see of it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.demo.chats import CallbackAnswer, Change, Chat, Person
from bot.demo.polls import VoteRefusedError
from tests.local_telegram import Bench, serving

KEYBOARD = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        yield bench


@pytest.fixture
def ann(bench: Bench) -> Person:
    ann = bench.telegram.add_person("Ann", id=7, language_code="uk")
    bench.telegram.send(ann, 7, "/start@quiz_tutor_bot  now ")
    return ann


@pytest.fixture
def group(bench: Bench, ann: Person) -> Chat:
    return bench.telegram.add_group("Study", [ann, bench.telegram.add_person("Bob", id=8)])


def heard(updates: list[dict[str, Any]], kind: str) -> list[Any]:
    """The updates of one kind."""
    return [update[kind] for update in updates if kind in update]


async def test_what_a_person_writes_reaches_the_bot_with_its_command(
    bench: Bench, ann: Person
) -> None:
    assert await bench.updates() == [
        {
            "update_id": 1,
            "message": {
                "message_id": 1,
                "from": {"id": 7, "is_bot": False, "first_name": "Ann", "language_code": "uk"},
                "chat": {"id": 7, "first_name": "Ann", "type": "private"},
                "date": bench.telegram.now,
                "text": "/start@quiz_tutor_bot  now",
                "entities": [{"type": "bot_command", "offset": 0, "length": 21}],
            },
        }
    ]


async def test_people_count_up_and_a_new_language_shows_in_what_they_send(bench: Bench) -> None:
    first, second = bench.telegram.add_person("A"), bench.telegram.add_person("B")
    bench.telegram.set_language(second, "ru")
    bench.telegram.send(second, second.id, "hi")
    assert second.id == first.id + 1
    assert (await bench.updates())[0]["message"]["from"]["language_code"] == "ru"


async def test_an_edited_message_is_told_as_such(bench: Bench, ann: Person) -> None:
    bench.telegram.edit(ann, 7, 1, "/stop")
    (edited,) = heard(await bench.updates(), "edited_message")
    assert (edited["text"], edited["edit_date"]) == ("/stop", bench.telegram.now)


async def test_a_reply_carries_the_message_it_answers(bench: Bench, ann: Person) -> None:
    sent = await bench.call("sendMessage", chat_id=7, text="x", reply_parameters={"message_id": 1})
    bench.telegram.send(ann, 7, "y", reply_to=sent["message_id"])
    (_, reply) = heard(await bench.updates(), "message")
    assert sent["reply_to_message"]["message_id"] == 1
    assert reply["reply_to_message"]["text"] == "x"
    assert "reply_to_message" not in reply["reply_to_message"]


async def test_blocking_is_told_and_ends_when_the_person_writes_again(
    bench: Bench, ann: Person
) -> None:
    bench.telegram.block(ann)
    bench.telegram.block(ann)
    bench.telegram.send(ann, 7, "back")
    updates = await bench.updates()
    changes = [
        (change["old_chat_member"]["status"], change["new_chat_member"]["status"])
        for change in heard(updates, "my_chat_member")
    ]
    assert changes == [("member", "kicked"), ("kicked", "member")]
    assert updates[-1]["message"]["text"] == "back"
    assert (await bench.call("sendMessage", chat_id=7, text="x"))["text"] == "x"


async def test_a_pressed_button_waits_150_seconds_for_answers(bench: Bench, ann: Person) -> None:
    sent = await bench.call("sendMessage", chat_id=7, text="x", reply_markup=KEYBOARD)
    query = bench.telegram.tap(ann, 7, sent["message_id"], "go")
    (told,) = heard(await bench.updates(), "callback_query")
    assert (told["id"], told["data"], told["message"]) == (query.id, "go", sent)
    assert query.answer is None
    await bench.call("answerCallbackQuery", callback_query_id=query.id, text="Hm", show_alert=True)
    assert query.answer == CallbackAnswer("Hm", show_alert=True, url="")
    await bench.clock.advance(150)
    await bench.call("answerCallbackQuery", callback_query_id=query.id)
    assert query.answer == CallbackAnswer("", show_alert=False, url="")
    await bench.clock.advance(0.1)
    refusal = await bench.refusal("answerCallbackQuery", callback_query_id=query.id)
    assert refusal[1].endswith(
        "query is too old and response timeout expired or query ID is invalid"
    )


@pytest.mark.parametrize(
    ("url", "is_own"),
    [
        ("https://t.me/quiz_tutor_bot?start=s", True),
        ("t.me/Quiz_Tutor_Bot?start=a_B-9", True),
        ("https://t.me/quiz_tutor_bot", False),
        ("https://t.me/another_bot?start=s", False),
        ("https://example.org/?start=s", False),
    ],
)
async def test_a_pressed_button_may_lead_into_the_bots_own_private_chat_and_nowhere_else(
    bench: Bench, ann: Person, url: str, is_own: bool
) -> None:
    query = bench.telegram.tap(ann, 7, 1, "go")
    answer = await bench.ask("answerCallbackQuery", callback_query_id=query.id, url=url)
    assert query.answer == (CallbackAnswer("", show_alert=False, url=url) if is_own else None)
    assert answer.body.get("description") == (None if is_own else "Bad Request: URL_INVALID")


async def test_editing_changes_text_and_keyboard_and_takes_a_missing_keyboard_away(
    bench: Bench, ann: Person
) -> None:
    sent = await bench.call("sendMessage", chat_id=7, text="x", reply_markup=KEYBOARD)
    where = {"chat_id": 7, "message_id": sent["message_id"]}
    text = await bench.call("editMessageText", text="<b>y</b>", parse_mode="HTML", **where)
    assert (text["text"], text["entities"], "reply_markup" in text) == (
        "y",
        [{"type": "bold", "offset": 0, "length": 1}],
        False,
    )
    both = await bench.call("editMessageReplyMarkup", reply_markup=KEYBOARD, **where)
    assert (both["text"], both["reply_markup"]) == ("y", KEYBOARD)
    assert await bench.call("deleteMessage", **where)
    assert [message.id for message in bench.telegram.chat(7).messages] == [1]


async def test_onlookers_hear_of_every_visible_change(bench: Bench, ann: Person) -> None:
    changes: list[Change] = []
    stop = bench.telegram.on_change(changes.append)
    sent = await bench.call("sendMessage", chat_id=7, text="x", reply_markup=KEYBOARD)
    where = {"chat_id": 7, "message_id": sent["message_id"]}
    await bench.call("editMessageText", text="y", **where)
    query = bench.telegram.tap(ann, 7, sent["message_id"], "go")
    await bench.call("answerCallbackQuery", callback_query_id=query.id)
    await bench.call("sendChatAction", chat_id=7, action="typing")
    await bench.call("deleteMessage", **where)
    await bench.call("setMyCommands", commands=[])
    quiz = await bench.quiz(7)
    bench.telegram.vote(ann, 7, quiz["message_id"], [0])
    stop()
    bench.telegram.send(ann, 7, "unheard")
    assert [change.kind for change in changes] == [
        "message",
        "edited",
        "callback",
        "action",
        "deleted",
        "profile",
        "message",
        "poll",
    ]


async def test_private_chats_and_groups_share_a_counter_and_supergroups_have_their_own(
    bench: Bench, ann: Person, group: Chat
) -> None:
    forum = bench.telegram.add_group("Forum", [ann], forum=True)
    chats = (7, group.id, forum.id, forum.id, 7)
    sent = [await bench.call("sendMessage", chat_id=chat_id, text="x") for chat_id in chats]
    assert [message["message_id"] for message in sent] == [2, 3, 1, 2, 4]
    assert (group.id, forum.id) == (-1, -1_000_000_000_002)


@pytest.mark.parametrize(
    ("text", "is_heard"),
    [
        ("/quiz", True),
        ("/quiz@Quiz_Tutor_Bot tensors", True),
        ("/quiz@another_bot", False),
        ("good morning", False),
        ("see /quiz", False),
    ],
)
@pytest.mark.parametrize("hears_everything", [False, True])
async def test_in_a_group_the_bot_hears_commands_unless_it_may_hear_everything(
    bench: Bench, ann: Person, group: Chat, text: str, is_heard: bool, hears_everything: bool
) -> None:
    group.hears_everything = hears_everything
    bench.telegram.send(ann, group.id, text)
    messages = heard(await bench.updates(), "message")
    assert [message["text"] for message in messages[1:]] == [text] * (is_heard or hears_everything)


async def test_in_a_group_the_bot_hears_replies_to_it_and_everybodys_votes(
    bench: Bench, ann: Person, group: Chat
) -> None:
    quiz = await bench.quiz(group.id)
    bench.telegram.send(ann, group.id, "hm", reply_to=quiz["message_id"])
    for person in (ann, bench.telegram.people[8]):
        bench.telegram.vote(person, group.id, quiz["message_id"], [1])
    updates = await bench.updates()
    assert heard(updates, "message")[-1]["text"] == "hm"
    assert [answer["user"]["id"] for answer in heard(updates, "poll_answer")] == [7, 8]


async def test_custom_emoji_are_the_only_markup_that_a_question_keeps(
    bench: Bench, ann: Person
) -> None:
    emoji = '<tg-emoji emoji-id="5">😀</tg-emoji>'
    sent = await bench.quiz(
        7,
        question=emoji,
        question_parse_mode="HTML",
        options=[{"text": emoji, "text_parse_mode": "HTML"}, "x"],
    )
    entity = {"type": "custom_emoji", "offset": 0, "length": 2, "custom_emoji_id": "5"}
    assert sent["poll"]["question_entities"] == [entity]
    assert sent["poll"]["options"][0]["text_entities"] == [entity]


async def test_a_private_chat_has_two_members(bench: Bench, ann: Person) -> None:
    assert await bench.call("getChatMemberCount", chat_id=7) == 2
    assert (await bench.call("getChatMember", chat_id=7, user_id=7))["status"] == "member"


async def test_whoever_acts_on_what_is_not_there_is_told_so(bench: Bench, ann: Person) -> None:
    with pytest.raises(KeyError, match="There is no chat 99"):
        bench.telegram.send(ann, 99, "x")
    with pytest.raises(KeyError, match="There is no message 99 in chat 7"):
        bench.telegram.tap(ann, 7, 99, "go")
    with pytest.raises(VoteRefusedError, match="The message is not a poll"):
        bench.telegram.vote(ann, 7, 1, [0])
    sent = await bench.call("sendMessage", chat_id=7, text="x")
    with pytest.raises(PermissionError, match="was not written by Ann"):
        bench.telegram.edit(ann, 7, sent["message_id"], "y")


@pytest.mark.parametrize(
    ("status", "description"),
    [
        ("left", "Forbidden: bot is not a member of the group chat"),
        ("kicked", "Forbidden: bot was kicked from the group chat"),
    ],
)
async def test_a_bot_that_is_out_of_a_group_cannot_write_there(
    bench: Bench, group: Chat, status: str, description: str
) -> None:
    group.statuses[bench.telegram.bot.id] = status
    refusal = await bench.refusal("sendMessage", chat_id=group.id, text="x")
    assert refusal == (403, description)


async def test_a_bot_that_is_out_of_a_group_hears_nothing_of_it(
    bench: Bench, ann: Person, group: Chat
) -> None:
    group.statuses[bench.telegram.bot.id] = "left"
    bench.telegram.send(ann, group.id, "/quiz")
    assert [message["chat"]["id"] for message in heard(await bench.updates(), "message")] == [7]


async def test_topics_exist_once_somebody_has_written_in_them(bench: Bench, ann: Person) -> None:
    forum = bench.telegram.add_group("Forum", [ann], forum=True)
    bench.telegram.send(ann, forum.id, "/quiz", thread_id=5)
    sent = await bench.call("sendMessage", chat_id=forum.id, text="x", message_thread_id=5)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (5, True)
    for thread_id in (1, 6):
        refusal = await bench.refusal(
            "sendMessage", chat_id=forum.id, text="x", message_thread_id=thread_id
        )
        assert refusal == (400, "Bad Request: message thread not found")


async def test_members_and_administrators_are_told_with_their_status(
    bench: Bench, ann: Person, group: Chat
) -> None:
    cid = bench.telegram.add_person("Cid", id=9)
    dan = bench.telegram.add_person("Dan", id=10)
    group.statuses |= {8: "administrator", dan.id: "kicked"}
    statuses = [
        (await bench.call("getChatMember", chat_id=group.id, user_id=user_id))["status"]
        for user_id in (7, 8, cid.id, dan.id, bench.telegram.bot.id)
    ]
    admins = await bench.call("getChatAdministrators", chat_id=group.id)
    assert statuses == ["creator", "administrator", "left", "kicked", "member"]
    assert [admin["user"]["id"] for admin in admins] == [7, 8]
    assert await bench.call("getChatMemberCount", chat_id=group.id) == 3
    assert (await bench.call("getChat", chat_id=group.id))["title"] == "Study"


def menu(name: str) -> list[dict[str, str]]:
    return [{"command": name, "description": name}]


async def test_the_menu_is_that_of_the_narrowest_scope_and_the_persons_language(
    bench: Bench, ann: Person, group: Chat
) -> None:
    async def put(name: str, scope: dict[str, Any], language: str = "") -> list[str]:
        """What Ann sees in private, Ann in the group, and Bob there."""
        await bench.call("setMyCommands", commands=menu(name), scope=scope, language_code=language)
        seen = [(ann, 7), (ann, group.id), (bench.telegram.people[8], group.id)]
        return [
            command["command"]
            for person, chat_id in seen
            for command in bench.telegram.commands(person, chat_id)
        ]

    in_group = {"chat_id": group.id}
    assert bench.telegram.commands(ann, 7) == []
    assert await put("a", {"type": "default"}) == ["a", "a", "a"]
    assert await put("b", {"type": "default"}, "uk") == ["b", "b", "a"]
    assert await put("c", {"type": "all_private_chats"}) == ["c", "b", "a"]
    assert await put("d", {"type": "chat", "chat_id": 7}) == ["d", "b", "a"]
    assert await put("e", {"type": "all_group_chats"}) == ["d", "e", "e"]
    assert await put("f", {"type": "all_chat_administrators"}) == ["d", "f", "e"]
    assert await put("g", {"type": "chat", **in_group}) == ["d", "g", "g"]
    assert await put("h", {"type": "chat_administrators", **in_group}) == ["d", "h", "g"]
    assert await put("i", {"type": "chat_member", **in_group, "user_id": 8}) == ["d", "h", "i"]
    await bench.call("deleteMyCommands", scope={"type": "chat", "chat_id": 7})
    assert bench.telegram.commands(ann, 7) == menu("c")
    assert await bench.call("getMyCommands", language_code="uk") == menu("b")
    assert await bench.call("getMyCommands", scope={"type": "chat", "chat_id": 7}) == []


@pytest.mark.parametrize(
    ("method", "field", "most", "unset"),
    [
        ("MyName", "name", 64, "Quiz tutor"),
        ("MyDescription", "description", 512, ""),
        ("MyShortDescription", "short_description", 120, ""),
    ],
)
async def test_name_and_descriptions_are_kept_by_language(
    bench: Bench, method: str, field: str, most: int, unset: str
) -> None:
    async def told(language: str) -> str:
        return str((await bench.call(f"get{method}", language_code=language))[field])

    assert await told("uk") == unset
    await bench.call(f"set{method}", **{field: "x" * most})
    await bench.call(f"set{method}", **{field: "вікторина", "language_code": "uk"})
    assert (await told("uk"), await told("ru")) == ("вікторина", "x" * most)
    await bench.call(f"set{method}", **{field: "", "language_code": "uk"})
    assert await told("uk") == "x" * most
    assert (await bench.refusal(f"set{method}", **{field: "x" * (most + 1)}))[0] == 400
