"""What the local Telegram refuses, in Telegram's own words."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.local_telegram import Bench, serving

Check = tuple[str, dict[str, Any], int, str]
"""A call, and the status and the sentence that refuse it."""

ANN, BOB, EVE, FAY = 7, 8, 9, 10
"""Ann talks to the bot; Bob never wrote; Eve has blocked it; Fay is only met in the group."""
ANNS_MESSAGE, TEXT, POLL, CLOSED_POLL = 1, 4, 5, 6
GROUP = -1


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        telegram = bench.telegram
        ann = telegram.add_person("Ann", id=ANN)
        telegram.add_person("Bob", id=BOB)
        eve = telegram.add_person("Eve", id=EVE)
        fay = telegram.add_person("Fay", id=FAY)
        telegram.send(ann, ANN, "/start")
        telegram.send(eve, EVE, "/start")
        telegram.block(eve)
        telegram.add_group("Study", [ann, fay])
        telegram.send(ann, GROUP, "hello, all")
        keyboard = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
        await bench.call("sendMessage", chat_id=ANN, text="*Hi*", reply_markup=keyboard)
        await bench.quiz(ANN)
        await bench.quiz(ANN)
        await bench.call("stopPoll", chat_id=ANN, message_id=CLOSED_POLL)
        yield bench


def keyboard(**button: Any) -> str:
    return json.dumps({"inline_keyboard": [[button]]})


def check(method: str, description: str, /, **parameters: Any) -> Check:
    status = {"Forb": 403, "Not ": 404}.get(description[:4], 400)
    full = description if status != 400 else f"Bad Request: {description}"
    return method, parameters, status, full


NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly "
    "the same as a current content and reply markup of the message"
)

SENDING = [
    check("sendMessage", "message text is empty", chat_id=ANN),
    check("sendMessage", "text must be non-empty", chat_id=ANN, text=" \n\t "),
    check("sendMessage", "text must be non-empty", chat_id=ANN, text="\u200b"),
    check("sendMessage", "message is too long", chat_id=ANN, text="x" * 4097),
    check("sendMessage", "text is too long", chat_id=ANN, text="x" * 32769),
    check("sendMessage", "unsupported parse_mode", chat_id=ANN, text="x", parse_mode="BBCode"),
    check(
        "sendMessage",
        'can\'t parse entities: Unsupported start tag "t" at byte offset 1',
        chat_id=ANN,
        text="a<t>",
        parse_mode="HTML",
    ),
    check("sendMessage", "chat_id is empty", text="x"),
    check("sendMessage", "chat not found", chat_id=99, text="x"),
    check("sendMessage", "chat not found", chat_id="@ann", text="x"),
    check("sendMessage", "chat not found", chat_id=BOB, text="x"),
    check("sendMessage", "Forbidden: bot was blocked by the user", chat_id=EVE, text="x"),
    check(
        "sendMessage",
        "Forbidden: bot can't initiate conversation with a user",
        chat_id=FAY,
        text="x",
    ),
    check("sendMessage", "message thread not found", chat_id=ANN, text="x", message_thread_id=1),
    check(
        "sendMessage",
        "message to be replied not found",
        chat_id=ANN,
        text="x",
        reply_parameters={"message_id": 99},
    ),
    check(
        "sendMessage",
        "message to be replied not found",
        chat_id=ANN,
        text="x",
        reply_to_message_id=99,
    ),
    *(
        check("sendMessage", description, chat_id=ANN, text="x", reply_parameters=reply)
        for description, reply in [
            ("can't parse reply parameters JSON object", "{"),
            ("object expected as reply parameters", "[]"),
            ('field "message_id" must be a valid Number', {"message_id": "one"}),
        ]
    ),
    *(
        check(
            "sendMessage",
            f"can't parse MessageEntity: {detail}",
            chat_id=ANN,
            text="x",
            entities=[e],
        )
        for detail, e in [
            ("expected an Object", "bold"),
            ('Field "length" must be of type Number', {"type": "bold", "offset": 0}),
        ]
    ),
    check("sendChatAction", "wrong parameter action in request", chat_id=ANN, action="dance"),
    check("sendChatAction", "Forbidden: bot was blocked by the user", chat_id=EVE, action="typing"),
]

KEYBOARDS = [
    check("sendMessage", description, chat_id=ANN, text="x", reply_markup=markup)
    for description, markup in [
        ("can't parse reply keyboard markup JSON object", "{"),
        ("object expected as reply markup", "[]"),
        ('field "inline_keyboard" must be of type Array', '{"inline_keyboard": 1}'),
        (
            'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
            '{"inline_keyboard": [1]}',
        ),
        (
            "can't parse inline keyboard button: InlineKeyboardButton must be an Object",
            '{"inline_keyboard": [["Go"]]}',
        ),
        (
            "inline keyboard button URL 'https://' is invalid: URL host is empty",
            keyboard(text="Go", url="https://"),
        ),
        (
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
            keyboard(text="Go"),
        ),
        (
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
            keyboard(text="Go", callback_data=""),
        ),
        ("can't parse inline keyboard button: Can't find field \"text\"", keyboard(url="a.io")),
        (
            'can\'t parse inline keyboard button: Field "text" must be of type String',
            keyboard(text=1, callback_data="go"),
        ),
        (
            "can't parse inline keyboard button: invalid button style specified",
            keyboard(text="Go", callback_data="go", style="pink"),
        ),
        ("inline keyboard button text must be non-empty", keyboard(text=" ", callback_data="x")),
        ("BUTTON_DATA_INVALID", keyboard(text="Go", callback_data="ж" * 33)),
        (
            "inline keyboard button URL 'ftp://a.io' is invalid: Unsupported URL protocol",
            keyboard(text="Go", url="ftp://a.io"),
        ),
        (
            "inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL",
            keyboard(text="Go", url="nowhere"),
        ),
        (
            "reply markup is too long",
            json.dumps({"inline_keyboard": [[{"text": "x", "callback_data": "x"}] * 101]}),
        ),
    ]
]

QUIZ = {
    "chat_id": ANN,
    "question": "2 + 2?",
    "options": ["3", "4"],
    "type": "quiz",
    "correct_option_ids": [1],
}
POLL_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("text must be non-empty", {"question": " \n "}),
    ("poll question length must not exceed 300", {"question": "😀" * 301}),
    ("text is too long", {"question": "x" * 32769}),
    ("unsupported parse_mode", {"question_parse_mode": "BBCode"}),
    (
        'can\'t parse entities: Unsupported start tag "string" at byte offset 4',
        {"question": "List<String>?", "question_parse_mode": "HTML"},
    ),
    (
        "can't parse entities: Can't find end tag corresponding to start tag \"b\"",
        {"explanation": "<b>", "explanation_parse_mode": "HTML"},
    ),
    ("can't parse options JSON object", {"options": "3, 4"}),
    ("can't parse options JSON object", {"options": ""}),
    ("expected an Array of String as options", {"options": {"a": 1}}),
    ("expected an option to be of type String", {"options": [3, 4]}),
    ("unsupported parse_mode", {"options": [{"text": "3", "text_parse_mode": "x"}]}),
    ("text must be non-empty", {"options": ["3", "\t"]}),
    ("poll options length must not exceed 100", {"options": ["x" * 101, "4"]}),
    ("poll must have at least one answer option", {"options": []}),
    ("poll can't have more than 12 options", {"options": list("abcdefghijklm")}),
    ("unsupported poll type specified", {"type": "exam"}),
    (
        "can't parse correct option identifiers JSON object",
        {"correct_option_ids": "one"},
    ),
    ("expected an Array of correct option identifiers", {"correct_option_ids": {}}),
    ("correct option identifier must be of type Number", {"correct_option_ids": ["1"]}),
    ("invalid correct option identifier specified", {"correct_option_ids": [1.5]}),
    ("correct quiz option list must be non-empty", {"correct_option_ids": []}),
    ("correct quiz option list must be non-empty", {"correct_option_ids": ""}),
    ("correct quiz option list must be increasing", {"correct_option_ids": [1, 0]}),
    ("correct quiz option list must be increasing", {"correct_option_ids": [1, 1]}),
    ("wrong quiz correct_option_id", {"correct_option_ids": [2]}),
    ("wrong quiz correct_option_id", {"correct_option_ids": [-1]}),
    ("wrong quiz correct_option_id", {"correct_option_ids": "", "correct_option_id": 2}),
    ("message caption is too long", {"explanation": "x" * 201}),
    ("message caption is too long", {"explanation": "a\nb\nc\nd"}),
    ("message caption is too long", {"description": "x" * 1025}),
    ("POLL_CLOSE_PERIOD_INVALID", {"open_period": 4}),
    ("POLL_CLOSE_PERIOD_INVALID", {"close_date": 1}),
    ("too many items specified", {"country_codes": ["UA"] * 13}),
    ("poll voters can be restricted only in channel chats", {"country_codes": ["UA"]}),
    ("chat not found", {"chat_id": 99}),
    ("Forbidden: bot was blocked by the user", {"chat_id": EVE}),
]
POLLS = [check("sendPoll", description, **(QUIZ | changed)) for description, changed in POLL_FAULTS]

CHANGING = [
    check("editMessageText", "message text is empty", chat_id=ANN, message_id=TEXT),
    check("editMessageText", "message identifier is not specified", chat_id=ANN, text="x"),
    check("editMessageText", "message identifier is not specified", message_id=TEXT, text="x"),
    check("editMessageText", "chat not found", chat_id=99, message_id=TEXT, text="x"),
    check("editMessageText", "message to edit not found", chat_id=ANN, message_id=99, text="x"),
    check("editMessageText", "text must be non-empty", chat_id=ANN, message_id=TEXT, text=" "),
    check("editMessageText", "MESSAGE_TOO_LONG", chat_id=ANN, message_id=TEXT, text="x" * 4097),
    check(
        "editMessageText",
        NOT_MODIFIED,
        chat_id=ANN,
        message_id=TEXT,
        text="*Hi* ",
        reply_markup=keyboard(text="Go", callback_data="go"),
    ),
    check(
        "editMessageText", "message can't be edited", chat_id=ANN, message_id=ANNS_MESSAGE, text="x"
    ),
    check(
        "editMessageText",
        "there is no text in the message to edit",
        chat_id=ANN,
        message_id=POLL,
        text="x",
    ),
    check(
        "editMessageText",
        "inline keyboard expected",
        chat_id=ANN,
        message_id=TEXT,
        text="x",
        reply_markup={"remove_keyboard": True},
    ),
    check(
        "editMessageReplyMarkup",
        NOT_MODIFIED,
        chat_id=ANN,
        message_id=TEXT,
        reply_markup=keyboard(text="Go", callback_data="go"),
    ),
    check("editMessageReplyMarkup", "message to edit not found", chat_id=ANN, message_id=99),
    check("deleteMessage", "chat identifier is not specified", message_id=TEXT),
    check("deleteMessage", "message identifier is not specified", chat_id=ANN),
    check("deleteMessage", "message to delete not found", chat_id=ANN, message_id=99),
    check("deleteMessage", "message can't be deleted", chat_id=GROUP, message_id=3),
    check("stopPoll", "message with poll to stop not found", chat_id=ANN, message_id=99),
    check("stopPoll", "message is not a poll", chat_id=ANN, message_id=TEXT),
    check("stopPoll", "poll can't be stopped", chat_id=ANN, message_id=CLOSED_POLL),
    check(
        "answerCallbackQuery",
        "query is too old and response timeout expired or query ID is invalid",
        callback_query_id="1",
    ),
]

COMMAND_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("can't parse commands JSON object", {}),
    ("expected an Array of BotCommand", {"commands": {}}),
    ("can't parse BotCommand: expected an Object", {"commands": ["quiz"]}),
    (
        "can't parse BotCommand: Can't find field \"description\"",
        {"commands": [{"command": ""}]},
    ),
    (
        'can\'t parse BotCommand: Field "command" must be of type String',
        {"commands": [{"command": 1, "description": "x"}]},
    ),
    (
        "BOT_COMMANDS_TOO_MUCH",
        {"commands": [{"command": f"c{n}", "description": "x"} for n in range(101)]},
    ),
    ("can't parse BotCommandScope JSON object", {"commands": [], "scope": "{"}),
    (
        "can't parse BotCommandScope: BotCommandScope must be an Object",
        {"commands": [], "scope": 1},
    ),
    ("can't parse BotCommandScope: Can't find field \"type\"", {"commands": [], "scope": {}}),
    (
        "can't parse BotCommandScope: Can't find field \"user_id\"",
        {"commands": [], "scope": {"type": "chat_member", "chat_id": GROUP}},
    ),
    ("command must be non-empty", {"commands": [{"command": "/", "description": "x"}]}),
    (
        "command length must not exceed 32",
        {"commands": [{"command": "x" * 33, "description": "x"}]},
    ),
    (
        "command description must be non-empty",
        {"commands": [{"command": "quiz", "description": " "}]},
    ),
    (
        "command description length must not exceed 256",
        {"commands": [{"command": "quiz", "description": "x" * 257}]},
    ),
    ("BOT_COMMAND_INVALID", {"commands": [{"command": "Quiz", "description": "x"}]}),
    ("invalid language code specified", {"commands": [], "language_code": "pt-br"}),
    (
        "can't parse BotCommandScope: Unsupported type specified",
        {"commands": [], "scope": {"type": "all"}},
    ),
    (
        "can't parse BotCommandScope: Can't find field \"chat_id\"",
        {"commands": [], "scope": {"type": "chat"}},
    ),
    (
        "can't parse BotCommandScope: Invalid user_id specified",
        {"commands": [], "scope": {"type": "chat_member", "chat_id": GROUP, "user_id": 0}},
    ),
    ("chat not found", {"commands": [], "scope": {"type": "chat", "chat_id": 99}}),
    (
        "can't use specified scope in private chats",
        {"commands": [], "scope": {"type": "chat_administrators", "chat_id": ANN}},
    ),
]
ABOUT = [
    *(check("setMyCommands", description, **fault) for description, fault in COMMAND_FAULTS),
    check("getChat", "chat not found", chat_id=99),
    check("getChatMember", "invalid user_id specified", chat_id=GROUP),
    check("getChatMember", "user not found", chat_id=GROUP, user_id=99),
    check("getChatMember", "member not found", chat_id=ANN, user_id=BOB),
    check(
        "getChatAdministrators",
        "there are no administrators in the private chat",
        chat_id=ANN,
    ),
]


@pytest.mark.parametrize(
    ("method", "parameters", "status", "description"),
    [*SENDING, *KEYBOARDS, *POLLS, *CHANGING, *ABOUT],
)
async def test_what_telegram_refuses_is_refused_in_its_words(
    bench: Bench, method: str, parameters: dict[str, Any], status: int, description: str
) -> None:
    shown = [message.json for message in bench.telegram.chat(ANN).messages]
    assert await bench.refusal(method, **parameters) == (status, description)
    assert [message.json for message in bench.telegram.chat(ANN).messages] == shown


@pytest.mark.parametrize(
    ("parameters", "description"),
    [
        ({"text": "<x>", "parse_mode": "HTML", "reply_markup": "{"}, "can't parse entities"),
        ({"text": "x", "reply_markup": "{", "chat_id": 99}, "can't parse reply keyboard markup"),
        ({"text": "x" * 4097, "chat_id": 99}, "chat not found"),
        (
            {"text": "x" * 4097, "chat_id": ANN, "reply_parameters": {"message_id": 99}},
            "message to be replied not found",
        ),
        ({"text": "x" * 4097, "chat_id": EVE}, "message is too long"),
    ],
)
async def test_of_several_faults_the_one_that_telegram_sees_first_is_told(
    bench: Bench, parameters: dict[str, Any], description: str
) -> None:
    _, told = await bench.refusal("sendMessage", **parameters)
    assert told.removeprefix("Bad Request: ").startswith(description)


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("sendMessage", {"chat_id": ANN, "text": "😀" * 4096}),
        ("sendMessage", {"chat_id": ANN, "text": "  " + "x" * 4096 + "\n\n"}),
        ("sendMessage", {"chat_id": ANN, "text": f"<b>{'x' * 4096}</b>", "parse_mode": "HTML"}),
        ("sendMessage", {"chat_id": ANN, "text": "x", "reply_markup": {"remove_keyboard": True}}),
        (
            "sendMessage",
            {
                "chat_id": ANN,
                "text": "x",
                "reply_parameters": {"message_id": 99, "allow_sending_without_reply": True},
            },
        ),
        (
            "sendMessage",
            {
                "chat_id": ANN,
                "text": "x",
                "reply_markup": keyboard(text="x", callback_data="ж" * 32),
            },
        ),
        ("sendMessage", {"chat_id": ANN, "text": "x", "entities": "["}),
        *(
            (
                "sendMessage",
                {"chat_id": ANN, "text": "x", "reply_markup": keyboard(text="x", url=url)},
            )
            for url in ("tg://resolve?domain=a", "a.io", "https://a.io/?x#y")
        ),
        ("sendPoll", QUIZ | {"country_codes": "["}),
        ("sendPoll", QUIZ | {"question": "😀" * 300}),
        ("sendPoll", QUIZ | {"options": ["😀" * 100, {"text": "x" * 100}]}),
        ("sendPoll", QUIZ | {"options": list("abcdefghijkl"), "correct_option_ids": [11]}),
        ("sendPoll", QUIZ | {"options": ["4"], "correct_option_ids": [0]}),
        ("sendPoll", QUIZ | {"correct_option_ids": "", "correct_option_id": 0}),
        ("sendPoll", QUIZ | {"explanation": "x" * 198 + "\n\n" + "  \n"}),
        ("sendPoll", QUIZ | {"type": "regular", "explanation": "x" * 999}),
        ("sendPoll", QUIZ | {"open_period": 5}),
        ("sendPoll", QUIZ | {"open_period": 10**9}),
        ("sendPoll", {"chat_id": ANN, "question": "Tea?", "options": ["x", "x"]}),
    ],
)
async def test_what_is_just_within_the_limits_is_taken(
    bench: Bench, method: str, parameters: dict[str, Any]
) -> None:
    assert (await bench.ask(method, **parameters)).body["ok"]


async def test_an_alert_has_200_characters_at_most(bench: Bench) -> None:
    query = bench.telegram.tap(bench.telegram.people[ANN], ANN, TEXT, "go")
    refusal = await bench.refusal("answerCallbackQuery", callback_query_id=query.id, text="x" * 201)
    assert refusal == (400, "Bad Request: MESSAGE_TOO_LONG")
    await bench.call("answerCallbackQuery", callback_query_id=query.id, text="x" * 200)


async def test_after_48_hours_a_bot_can_delete_no_message(bench: Bench) -> None:
    await bench.clock.advance(48 * 3600 + 1)
    refusal = await bench.refusal("deleteMessage", chat_id=ANN, message_id=TEXT)
    assert refusal == (400, "Bad Request: message can't be deleted for everyone")
