"""How requests reach the local Telegram: addresses, encodings, lenient values, and its log."""

import io
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.local_telegram import TOKEN, Bench, serving


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        bench.telegram.send(bench.telegram.add_person("Ann", id=7), 7, "/start")
        yield bench


def multipart(fields: dict[str, str]) -> aiohttp.MultipartWriter:
    writer = aiohttp.MultipartWriter("form-data")
    for name, value in fields.items():
        writer.append(value).set_content_disposition("form-data", name=name)
    return writer


FORM = "application/x-www-form-urlencoded"
KEYBOARD = '{"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}'
FIELDS = {"chat_id": "7", "text": "Grüße & <b>", "reply_markup": KEYBOARD}


@pytest.mark.parametrize(
    "request_options",
    [
        pytest.param({"params": FIELDS}, id="query"),
        pytest.param({"data": FIELDS}, id="form"),
        pytest.param({"json": FIELDS}, id="JSON with texts"),
        pytest.param(
            {
                "json": {
                    "chat_id": 7,
                    "text": "Grüße & <b>",
                    "reply_markup": {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]},
                }
            },
            id="JSON with objects",
        ),
        pytest.param({"data": multipart(FIELDS)}, id="multipart"),
        pytest.param(
            {"params": {"chat_id": "7"}, "data": FIELDS | {"chat_id": "8"}}, id="the query first"
        ),
    ],
)
async def test_every_encoding_of_the_same_parameters_means_the_same(
    bench: Bench, request_options: dict[str, Any]
) -> None:
    url = f"{bench.url}/bot{TOKEN}/sendMessage"
    async with bench.http.post(url, **request_options) as response:
        body = await response.json()
    result = body["result"]
    assert (result["text"], result["reply_markup"]["inline_keyboard"][0][0]["text"]) == (
        "Grüße & <b>",
        "Go",
    )


@pytest.mark.parametrize("verb", ["GET", "POST", "PUT", "DELETE"])
async def test_any_verb_and_any_case_of_the_method_is_fine(bench: Bench, verb: str) -> None:
    async with bench.http.request(verb, f"{bench.url}/bot{TOKEN}/GETme") as response:
        body = await response.json()
    assert (body["ok"], body["result"]["username"]) == (True, "quiz_tutor_bot")


@pytest.mark.parametrize(
    "path", [f"/bot{TOKEN}/test/getMe", f"/bot{TOKEN}/?method=getMe", f"/bot{TOKEN}?method=getMe"]
)
async def test_a_method_is_also_found_under_test_and_as_a_parameter(
    bench: Bench, path: str
) -> None:
    async with bench.http.get(bench.url + path) as response:
        body = await response.json()
    assert body["result"]["id"] == 4242


@pytest.mark.parametrize(
    ("path", "status", "description"),
    [
        ("/", 404, "Not Found"),
        ("/file", 404, "Not Found"),
        (f"/bot{TOKEN}/danceTango", 404, "Not Found: method not found"),
        ("/bot4242:wrong/getMe", 401, "Unauthorized"),
        ("/bot4242/getMe", 401, "Unauthorized: invalid token specified"),
        ("/bot0242:local/getMe", 401, "Unauthorized: invalid token specified"),
        (f"/bot1:{'x' * 80}/getMe", 401, "Unauthorized: invalid token specified"),
        ("/bot4242:wrong/danceTango", 401, "Unauthorized"),
    ],
)
async def test_wrong_addresses_are_refused_as_telegram_does(
    bench: Bench, path: str, status: int, description: str
) -> None:
    async with bench.http.get(bench.url + path) as response:
        assert (response.status, await response.json()) == (
            status,
            {"ok": False, "error_code": status, "description": description},
        )


@pytest.mark.parametrize(
    ("body", "content_type", "description"),
    [
        (b"{", "application/json", "can't parse request JSON object"),
        (b"[]", "application/json", "expected a JSON object as request"),
        (b" ", "application/json", "message text is empty"),
        (b'{"text": "\\ud83d"}', "application/json", "strings must be encoded in UTF-8"),
        (b'{"text": "\xff"}', "application/json", "strings must be encoded in UTF-8"),
        (b"text=\xff", FORM, "strings must be encoded in UTF-8"),
        (b"", FORM, "message text is empty"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(
    bench: Bench, body: bytes, content_type: str, description: str
) -> None:
    url = f"{bench.url}/bot{TOKEN}/sendMessage"
    headers = {"Content-Type": content_type}
    async with bench.http.post(url, data=body, headers=headers) as response:
        assert await response.json() == {
            "ok": False,
            "error_code": 400,
            "description": f"Bad Request: {description}",
        }


async def test_a_body_that_is_too_large_is_refused(bench: Bench) -> None:
    url = f"{bench.url}/bot{TOKEN}/sendMessage"
    body, headers = io.BytesIO(bytes(61 << 20)), {"Content-Type": FORM}
    async with bench.http.post(url, data=body, headers=headers) as response:
        assert (response.status, (await response.json())["error_code"]) == (413, 413)


@pytest.mark.parametrize(
    ("value", "is_true"),
    [
        ("true", True),
        ("True", True),
        (" YES ", True),
        ("1", True),
        ("on", False),
        ("2", False),
        ("", False),
        ("false", False),
    ],
)
async def test_only_true_yes_and_1_are_true(bench: Bench, value: str, is_true: bool) -> None:
    sent = await bench.call("sendMessage", chat_id=7, text="x", protect_content=value)
    assert sent.get("has_protected_content", False) == is_true


@pytest.mark.parametrize(
    ("limit", "found"),
    [("2", 2), ("2x", 2), ("0", 1), ("-5", 1), ("100000", 3), ("", 1), ("x", 1)],
)
async def test_integers_are_read_leniently_and_moved_into_their_range(
    bench: Bench, limit: str, found: int
) -> None:
    bench.telegram.give({"odd": 1})
    bench.telegram.give({"odd": 2})
    assert len(await bench.updates(limit=limit)) == found


async def test_the_log_keeps_every_call_as_its_method_read_it(bench: Bench) -> None:
    result = await bench.call("SENDmessage", chat_id="7", text="1", reply_markup=KEYBOARD)
    await bench.refusal("sendMessage", chat_id=99, text="2")
    told, refused = bench.telegram.requests
    assert (told.method, told.parameters, told.response) == (
        "sendMessage",
        {
            "chat_id": "7",
            "text": "1",
            "reply_markup": {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]},
        },
        {"ok": True, "result": result},
    )
    assert refused.response == {
        "ok": False,
        "error_code": 400,
        "description": "Bad Request: chat not found",
    }
    assert bench.telegram.calls("sendMessage") == [told, refused]


async def test_an_older_server_leaves_fields_out_at_every_depth(bench: Bench) -> None:
    bench.telegram.left_out = frozenset({"members_only", "persistent_id", "option_persistent_ids"})
    sent = await bench.quiz(7)
    bench.telegram.vote(bench.telegram.people[7], 7, sent["message_id"], [0])
    answer = (await bench.updates())[-1]["poll_answer"]
    assert "members_only" not in sent["poll"]
    assert "persistent_id" not in sent["poll"]["options"][0]
    assert sorted(answer) == ["option_ids", "poll_id", "user"]
