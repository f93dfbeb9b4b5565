"""Groups in the local Telegram: places, rights, names to hide behind, and becoming a supergroup."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import telegram

from bot.demo.chats import Chat, Person
from bot.demo.polls import VoteRefusedError
from tests.local_telegram import TOKEN, Bench, serving

MIGRATED = "Bad Request: group chat was upgraded to a supergroup chat"


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        yield bench


@pytest.fixture
def ann(bench: Bench) -> Person:
    return bench.telegram.add_person("Ann", id=7)


@pytest.fixture
def bob(bench: Bench) -> Person:
    return bench.telegram.add_person("Bob", id=8)


@pytest.fixture
def group(bench: Bench, ann: Person, bob: Person) -> Chat:
    return bench.telegram.add_group("Study", [ann, bob], supergroup=True)


async def news(bench: Bench, kind: str) -> list[Any]:
    """The updates of one kind that the bot has not confirmed."""
    return [update[kind] for update in await bench.updates() if kind in update]


async def places(bench: Bench, kind: str = "my_chat_member") -> list[tuple[str, str, int]]:
    """How somebody's place has changed: from what, to what, and by whom."""
    return [
        (
            change["old_chat_member"]["status"],
            change["new_chat_member"]["status"],
            change["from"]["id"],
        )
        for change in await news(bench, kind)
    ]


PLACES: list[tuple[str, dict[str, Any], type[telegram.ChatMember]]] = [
    ("administrator", {}, telegram.ChatMemberAdministrator),
    ("administrator", {"is_anonymous": True}, telegram.ChatMemberAdministrator),
    ("member", {}, telegram.ChatMemberMember),
    ("restricted", {"denied": ["can_send_polls"]}, telegram.ChatMemberRestricted),
    ("left", {}, telegram.ChatMemberLeft),
    ("kicked", {}, telegram.ChatMemberBanned),
]


@pytest.mark.parametrize(("status", "more", "kind"), PLACES)
async def test_every_place_in_a_group_is_told_as_bots_expect_it(
    bench: Bench,
    bob: Person,
    group: Chat,
    status: str,
    more: dict[str, Any],
    kind: type[telegram.ChatMember],
) -> None:
    bench.telegram.set_status(group, bob, status, **more)
    member = await bench.call("getChatMember", chat_id=group.id, user_id=bob.id)
    parsed = telegram.ChatMember.de_json(member, None)
    assert (type(parsed), parsed.status, parsed.api_kwargs) == (kind, status, {})
    for name in more.get("denied", ()):
        assert not member[name]
    assert member.get("is_anonymous", False) == more.get("is_anonymous", False)


@pytest.mark.parametrize(
    ("status", "more", "reason"),
    [
        ("king", {}, "There is no status king"),
        ("restricted", {"denied": ["can_fly"]}, "There is no permission can_fly"),
    ],
)
async def test_places_that_telegram_does_not_have_are_refused(
    bench: Bench, bob: Person, group: Chat, status: str, more: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        bench.telegram.set_status(group, bob, status, **more)


@pytest.mark.parametrize(
    ("status", "is_anonymous"), [("restricted", False), ("administrator", True)]
)
async def test_a_basic_group_restricts_and_hides_nobody(
    bench: Bench, ann: Person, status: str, is_anonymous: bool
) -> None:
    basic = bench.telegram.add_group("Class", [ann])
    with pytest.raises(ValueError, match="Only supergroups"):
        bench.telegram.set_status(basic, ann, status, is_anonymous=is_anonymous)


async def test_who_comes_and_who_goes_is_told_in_service_messages(
    bench: Bench, ann: Person, bob: Person, group: Chat
) -> None:
    cid = bench.telegram.add_person("Cid", id=9)
    bench.telegram.set_status(group, cid, "member")
    bench.telegram.set_status(group, cid, "administrator")
    bench.telegram.set_status(group, bob, "left")
    bench.telegram.set_status(group, cid, "kicked", by=ann)
    told = [
        (message["from"]["id"], message.get("new_chat_member", message.get("left_chat_member")))
        for message in await news(bench, "message")
    ]
    assert told == [(9, cid.json), (8, bob.json), (7, cid.json)]


async def test_only_an_administrating_bot_that_asks_hears_of_other_peoples_places(
    bench: Bench, ann: Person, bob: Person, group: Chat
) -> None:
    bench.telegram.set_status(group, bench.telegram.bot, "administrator")
    bench.telegram.set_status(group, bob, "administrator")
    assert await places(bench, "chat_member") == []
    await bench.updates(allowed_updates=["chat_member"])
    bench.telegram.set_status(group, bob, "administrator")
    bench.telegram.set_status(group, bob, "member", by=ann)
    bench.telegram.set_status(group, bench.telegram.bot, "member")
    bench.telegram.set_status(group, bob, "administrator")
    assert await places(bench, "chat_member") == [("administrator", "member", 7)]


async def test_administrators_are_named_without_other_bots_unless_these_are_asked_for(
    bench: Bench, bob: Person, group: Chat
) -> None:
    other = bench.telegram.add_other_bot("Dice", "dice_bot")
    for person in (bob, other, bench.telegram.bot):
        bench.telegram.set_status(group, person, "administrator")
    bench.telegram.set_status(group, bob, "administrator", is_anonymous=True)

    async def named(**parameters: Any) -> list[int]:
        found = await bench.call("getChatAdministrators", chat_id=group.id, **parameters)
        return [member["user"]["id"] for member in found]

    me = bench.telegram.bot.id
    assert sorted(await named()) == [7, 8, me]
    assert sorted(await named(return_bots=True)) == [7, 8, other.id, me]


@pytest.mark.parametrize(
    ("is_super", "status", "description"),
    [
        (False, "kicked", "Forbidden: bot was kicked from the group chat"),
        (False, "left", "Forbidden: bot is not a member of the group chat"),
        (True, "kicked", "Forbidden: bot was kicked from the supergroup chat"),
        (True, "left", "Forbidden: bot is not a member of the supergroup chat"),
    ],
)
async def test_a_bot_that_was_removed_is_told_hears_nothing_more_and_may_come_back(
    bench: Bench, ann: Person, bob: Person, is_super: bool, status: str, description: str
) -> None:
    group = bench.telegram.add_group("Class", [ann, bob], supergroup=is_super)
    if status == "kicked":
        bench.telegram.remove_bot(group, by=bob)
    else:
        bench.telegram.set_status(group, bench.telegram.bot, "left", by=bob)
    bench.telegram.send(ann, group.id, "/quiz@quiz_tutor_bot")
    refusal = await bench.refusal("sendPoll", chat_id=group.id, question="?", options=["a"])
    bench.telegram.set_status(group, bench.telegram.bot, "member")
    assert refusal == (403, description)
    assert await places(bench) == [
        ("left", "member", 7),
        ("member", status, 8),
        (status, "member", 7),
    ]
    (message,) = await news(bench, "message")
    assert message["new_chat_members"] == [bench.telegram.bot.json]
    assert (await bench.call("sendMessage", chat_id=group.id, text="x"))["text"] == "x"


async def test_a_startgroup_link_adds_the_bot_and_starts_it_there(
    bench: Bench, ann: Person
) -> None:
    group = bench.telegram.add_group("Class", [ann], with_bot=False)
    bench.telegram.join_by_startgroup(ann, group, "capitals")
    bench.telegram.join_by_startgroup(ann, group)
    assert await places(bench) == [("left", "member", 7)]
    joined, *starts = await news(bench, "message")
    assert joined["new_chat_member"]["id"] == bench.telegram.bot.id
    assert [message["text"] for message in starts] == [
        "/start@quiz_tutor_bot capitals",
        "/start@quiz_tutor_bot",
    ]


@pytest.mark.parametrize(
    ("permission", "what", "method", "parameters"),
    [
        ("can_send_messages", "text messages", "sendMessage", {"text": "x"}),
        ("can_send_polls", "polls", "sendPoll", {"question": "?", "options": ["a"]}),
    ],
)
async def test_what_members_may_not_do_the_bot_may_not_do_unless_it_is_an_administrator(
    bench: Bench, group: Chat, permission: str, what: str, method: str, parameters: dict[str, Any]
) -> None:
    me = bench.telegram.bot
    refused = (400, f"Bad Request: not enough rights to send {what} to the chat")
    bench.telegram.deny(group, permission)
    assert await bench.refusal(method, chat_id=group.id, **parameters) == refused
    assert (await bench.call("getChat", chat_id=group.id))["permissions"][permission] is False
    bench.telegram.set_status(group, me, "administrator")
    await bench.call(method, chat_id=group.id, **parameters)
    bench.telegram.deny(group)
    bench.telegram.set_status(group, me, "restricted", denied=[permission])
    assert await bench.refusal(method, chat_id=group.id, **parameters) == refused
    assert await places(bench) == [
        ("left", "member", 7),
        ("member", "administrator", 7),
        ("administrator", "restricted", 7),
    ]


async def test_people_who_are_out_or_silenced_cannot_write(
    bench: Bench, ann: Person, bob: Person, group: Chat
) -> None:
    bench.telegram.set_status(group, bob, "restricted", denied=["can_send_messages"])
    with pytest.raises(PermissionError, match="Bob may not write in Study"):
        bench.telegram.send(bob, group.id, "x")
    bench.telegram.set_status(group, bob, "left")
    with pytest.raises(PermissionError, match="Bob is not in Study"):
        bench.telegram.send(bob, group.id, "x")


async def test_a_vote_stays_when_the_voter_leaves_and_who_is_out_cannot_vote(
    bench: Bench, bob: Person, group: Chat
) -> None:
    cid = bench.telegram.add_person("Cid")
    quiz = await bench.quiz(group.id)
    bench.telegram.vote(bob, group.id, quiz["message_id"], [1])
    bench.telegram.set_status(group, bob, "left")
    with pytest.raises(VoteRefusedError, match="You are not a member"):
        bench.telegram.vote(cid, group.id, quiz["message_id"], [1])
    stopped = await bench.call("stopPoll", chat_id=group.id, message_id=quiz["message_id"])
    assert [option["voter_count"] for option in stopped["options"]] == [0, 1, 0]


async def test_an_anonymous_administrator_writes_as_the_group_presses_as_themself_and_cannot_vote(
    bench: Bench, bob: Person, group: Chat
) -> None:
    bench.telegram.set_status(group, bob, "administrator", is_anonymous=True)
    quiz = await bench.quiz(group.id)
    bench.telegram.send(bob, group.id, "/stop")
    bench.telegram.tap(bob, group.id, quiz["message_id"], "go")
    with pytest.raises(VoteRefusedError, match="anonymous administrators cannot"):
        bench.telegram.vote(bob, group.id, quiz["message_id"], [1])
    (message,) = await news(bench, "message")
    (press,) = await news(bench, "callback_query")
    assert message["from"] == {
        "id": 1087968824,
        "is_bot": True,
        "first_name": "Group",
        "username": "GroupAnonymousBot",
    }
    assert message["sender_chat"] == message["chat"] == group.json
    assert press["from"] == bob.json


async def test_people_may_write_and_vote_as_a_channel(
    bench: Bench, bob: Person, group: Chat
) -> None:
    channel = bench.telegram.add_channel("Bob's diary")
    quiz = await bench.quiz(group.id)
    bench.telegram.send(bob, group.id, "/quiz", as_channel=channel)
    bench.telegram.vote(bob, group.id, quiz["message_id"], [1], as_channel=channel)
    with pytest.raises(VoteRefusedError, match="Can't revote in a quiz"):
        bench.telegram.vote(bob, group.id, quiz["message_id"], [1], as_channel=channel)
    (message,) = await news(bench, "message")
    (answer,) = await news(bench, "poll_answer")
    assert (message["from"]["id"], message["sender_chat"]) == (136817688, channel.json)
    assert channel.json == {"id": channel.id, "title": "Bob's diary", "type": "channel"}
    assert (answer["user"]["id"], answer["voter_chat"]) == (136817688, channel.json)
    parsed = telegram.PollAnswer.de_json(answer, None)
    assert parsed.voter_chat is not None
    assert (parsed.voter_chat.id, parsed.option_ids) == (channel.id, (1,))


async def test_a_command_without_a_name_is_meant_for_the_bot_that_wrote_last(
    bench: Bench, ann: Person, group: Chat
) -> None:
    other = bench.telegram.add_other_bot("Dice", "dice_bot")
    bench.telegram.set_status(group, other, "member")
    sent = await bench.call("sendMessage", chat_id=group.id, text="x")
    bench.telegram.send(ann, group.id, "/one")
    bench.telegram.send(other, group.id, "/two@quiz_tutor_bot", reply_to=sent["message_id"])
    bench.telegram.send(ann, group.id, "/three")
    bench.telegram.send(ann, group.id, "/four@quiz_tutor_bot")
    bench.telegram.send(ann, group.id, "five", reply_to=sent["message_id"])
    await bench.call("sendMessage", chat_id=group.id, text="y")
    bench.telegram.send(ann, group.id, "/six")
    bench.telegram.send(ann, group.id, "seven")
    bench.telegram.set_status(group, bench.telegram.bot, "administrator")
    bench.telegram.send(ann, group.id, "eight")
    texts = [message.get("text") for message in await news(bench, "message")]
    assert texts[1:] == ["/one", "/four@quiz_tutor_bot", "five", "/six", "eight"]


@pytest.mark.parametrize("tells", [True, False])
async def test_a_group_that_becomes_a_supergroup_goes_by_another_id(
    bench: Bench, ann: Person, bob: Person, tells: bool
) -> None:
    group = bench.telegram.add_group("Class", [ann, bob])
    bench.telegram.set_status(group, bob, "administrator")
    quiz = [await bench.quiz(group.id) for _ in range(3)][-1]
    upgraded = bench.telegram.upgrade(group, tells=tells)
    migrations = [
        (
            message["chat"]["id"],
            message.get("migrate_to_chat_id"),
            message.get("migrate_from_chat_id"),
        )
        for message in await news(bench, "message")
    ]
    answer = await bench.ask("sendMessage", chat_id=group.id, text="x")
    sent = await bench.call("sendMessage", chat_id=upgraded.id, text="x")
    admins = await bench.call("getChatAdministrators", chat_id=upgraded.id)
    both = [(group.id, upgraded.id, None), (upgraded.id, None, group.id)]
    assert migrations == (both if tells else [])
    assert (answer.body["description"], answer.body["parameters"]) == (
        MIGRATED,
        {"migrate_to_chat_id": upgraded.id},
    )
    assert (upgraded.kind, sent["message_id"]) == ("supergroup", 2)
    assert [admin["user"]["id"] for admin in admins] == [7, 8]
    bench.telegram.vote(bob, group.id, quiz["message_id"], [1])
    assert (await news(bench, "poll_answer"))[0]["poll_id"] == quiz["poll"]["id"]
    for chat_id, description in (
        (group.id, MIGRATED),
        (upgraded.id, "Bad Request: message with poll to stop not found"),
    ):
        where = {"chat_id": chat_id, "message_id": quiz["message_id"]}
        assert await bench.refusal("stopPoll", **where) == (400, description)
    bench.telegram.send(ann, upgraded.id, "/quiz")
    with pytest.raises(PermissionError, match="is not in Class"):
        bench.telegram.send(ann, group.id, "/quiz")
    with pytest.raises(ValueError, match="is no basic group"):
        bench.telegram.upgrade(group)


async def test_all_that_happens_in_groups_is_understood_by_python_telegram_bot(
    bench: Bench, ann: Person, bob: Person
) -> None:
    engine = bench.telegram
    await bench.updates(allowed_updates=["message", "my_chat_member", "chat_member"])
    basic = engine.add_group("Class", [ann, bob])
    engine.set_status(basic, engine.bot, "administrator")
    engine.set_status(basic, bob, "left")
    upgraded = engine.upgrade(basic)
    engine.set_status(upgraded, ann, "creator", is_anonymous=True)
    engine.send(ann, upgraded.id, "hello")
    engine.set_status(upgraded, engine.bot, "restricted", denied=["can_send_polls"])
    engine.remove_bot(upgraded)
    async with telegram.Bot(TOKEN, base_url=f"{bench.url}/bot") as bot:
        parsed = await bot.get_updates()
    kinds = [next(name for name in update.to_dict() if name != "update_id") for update in parsed]
    assert kinds == [
        "my_chat_member",
        "my_chat_member",
        "chat_member",
        "message",
        "message",
        "message",
        "chat_member",
        "message",
        "my_chat_member",
        "my_chat_member",
    ]
    assert all(not update.api_kwargs for update in parsed)
