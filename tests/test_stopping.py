"""The real process with open connections, a backlog or a webhook: it ends in time all the same."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import aiohttp
import pytest

from bot.demo.telegram import LocalTelegram
from bot.settings import Address
from tests.posting import PATH, SECRET, Proxy, free_address, proxied
from tests.process import BotProcess, Ended, LiveLearner, command, served
from tests.stores import held

pytestmark = pytest.mark.slow

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_SECONDS = 3.0
SECONDS_TO_END = 5.0

Served = tuple[LocalTelegram, str]


@asynccontextmanager
async def cared_for(process: BotProcess) -> AsyncIterator[BotProcess]:
    """A process of which nothing is left behind."""
    try:
        yield process
    finally:
        process.telegram.faults.clear()
        await process.close()


@pytest.fixture
async def served_telegram() -> AsyncIterator[Served]:
    async with served() as (telegram, url):
        telegram.local_webhooks = True
        yield telegram, url


@pytest.fixture
async def listen() -> Address:
    return free_address()


@pytest.fixture
async def bot(
    served_telegram: Served, tmp_path: Path, listen: Address
) -> AsyncIterator[BotProcess]:
    """A process that fetches its updates and tells of its health."""
    async with cared_for(BotProcess(*served_telegram, tmp_path, LISTEN=str(listen))) as process:
        yield process


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxied() as proxy:
        yield proxy


@pytest.fixture
async def posted_bot(
    served_telegram: Served, tmp_path: Path, listen: Address, proxy: Proxy
) -> AsyncIterator[BotProcess]:
    """A process to which updates are posted."""
    process = BotProcess(
        *served_telegram,
        tmp_path,
        LISTEN=str(listen),
        WEBHOOK_URL=proxy.hook.url,
        WEBHOOK_SECRET=SECRET,
        WEBHOOK_LISTEN=str(proxy.hook.listen),
    )
    async with cared_for(process) as process:
        yield process


def ended_well(bot: BotProcess, end: Ended) -> bool:
    assert (end.code, "Traceback" in bot.log) == (0, False), bot.log
    return end.seconds < SECONDS_TO_END


async def release_later(bot: BotProcess, method: str, seconds: float) -> tuple[Ended, bool]:
    """End a bot that waits for an answer which comes some seconds after the signal."""
    sending = bot.telegram.faults.hold(method)
    LiveLearner(bot.telegram).sends("/quiz capitals")
    await bot.reaches(sending.reached)
    releasing = asyncio.get_running_loop().call_later(seconds, sending.release)
    end = await bot.ends_by(signal.SIGTERM)
    releasing.cancel()
    return end, "unknown fate" in bot.log


# Fetching


async def test_an_answer_that_comes_two_seconds_after_the_signal_is_taken_along(
    bot: BotProcess,
) -> None:
    await bot.start()
    end, in_doubt = await release_later(bot, "sendPoll", 2.0)
    assert ended_well(bot, end)
    assert not in_doubt
    assert end.seconds >= 2.0


async def test_an_answer_that_does_not_come_is_waited_for_three_seconds(bot: BotProcess) -> None:
    await bot.start()
    end, in_doubt = await release_later(bot, "sendPoll", SECONDS_TO_END)
    assert ended_well(bot, end)
    assert in_doubt
    assert end.seconds >= GRACE_SECONDS


async def test_a_locked_database_and_an_answer_that_does_not_come_together_fit_in_the_time(
    bot: BotProcess, tmp_path: Path
) -> None:
    await bot.start()
    sending = [bot.telegram.faults.hold("sendMessage") for _ in range(2)]
    for fault in sending:
        LiveLearner(bot.telegram).sends("/help")
        await bot.reaches(fault.reached)
    with held(tmp_path / "data" / "quiz-tutor.sqlite3"):
        sending[0].release()
        await bot.logs("The database is locked")
        assert ended_well(bot, await bot.ends_by(signal.SIGTERM))


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_bot_with_much_to_say_ends_at_a_signal_and_says_the_rest_later(
    bot: BotProcess, signal_number: signal.Signals, served_telegram: Served, tmp_path: Path
) -> None:
    learners = [LiveLearner(bot.telegram) for _ in range(300)]
    for learner in learners:
        learner.sends("/help")
    slow = BotProcess(*served_telegram, tmp_path, MESSAGES_PER_SECOND="5")
    async with cared_for(slow):
        await slow.start(until="sendMessage")
        assert ended_well(slow, await slow.ends_by(signal_number))

    await bot.start()
    for learner in learners:
        await learner.hears("What I understand")
    assert len(bot.telegram.calls("sendMessage")) == 300


async def test_kept_connections_and_a_scrape_do_not_hold_up_the_end(
    bot: BotProcess, listen: Address
) -> None:
    await bot.start()
    async with aiohttp.ClientSession() as http:
        for path in ("/healthz", "/metrics") * 5:
            async with http.get(f"http://{listen}{path}") as answer:
                assert answer.status == 200
        writers = [(await asyncio.open_connection(listen.host, listen.port))[1] for _ in range(20)]
        for writer in writers[::2]:
            writer.write(b"GET /healthz HTTP/1.1\r\nHost:")
        end = await bot.ends_by(signal.SIGTERM)
    for writer in writers:
        writer.close()
    assert ended_well(bot, end)
    assert end.seconds < 2.0


async def test_while_telegram_is_out_of_reach_at_the_start_the_health_page_says_so(
    bot: BotProcess, listen: Address
) -> None:
    failing = bot.telegram.faults.refuse("getMe", 502, "Bad Gateway", times=None)
    await bot.launch()
    await bot.logs("Telegram can't be asked")
    async with aiohttp.ClientSession() as http:
        async with http.get(f"http://{listen}/healthz") as answer:
            assert (answer.status, (await answer.json())["reasons"]) == (
                503,
                ["The bot is starting: Telegram has not answered yet."],
            )
        calling = bot.telegram.faults.delay("getUpdates", 0).reached
        failing.release()
        await bot.reaches(calling)
        async with http.get(f"http://{listen}/healthz") as answer:
            assert answer.status == 200


# The webhook


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_bot_with_a_webhook_ends_at_a_signal_and_leaves_the_webhook(
    posted_bot: BotProcess, proxy: Proxy, signal_number: signal.Signals
) -> None:
    bot, behind = posted_bot, proxy.hook.listen
    await bot.start(until="setWebhook")
    learner = LiveLearner(bot.telegram)
    learner.sends("/help")
    await learner.hears("What I understand")
    _, writer = await asyncio.open_connection(behind.host, behind.port)
    with closing(writer):
        # An update that never comes whole.
        writer.write(
            f"POST {PATH} HTTP/1.1\r\nHost: x\r\nX-Telegram-Bot-Api-Secret-Token: {SECRET}\r\n"
            "Content-Length: 100\r\n\r\n{".encode()
        )
        await writer.drain()
        end = await bot.ends_by(signal_number)
    assert ended_well(bot, end)
    hook = bot.telegram.webhook.hook
    assert hook is not None
    assert hook.url == proxy.hook.url


async def test_a_bot_with_a_webhook_that_is_killed_before_it_answers_counts_each_vote_once(
    posted_bot: BotProcess, proxy: Proxy
) -> None:
    bot = posted_bot
    await bot.start(until="setWebhook")
    learner = LiveLearner(bot.telegram)
    learner.sends("/quiz capitals")
    while not (offer := await learner.offered()).text.startswith("Results"):
        if offer.poll is None:
            learner.acts_on(offer)
            continue
        proxy.passed.clear()
        proxy.loses_answers = True
        learner.acts_on(offer)
        await bot.reaches(proxy.passed)
        await bot.kill()
        proxy.loses_answers = False
        await bot.start(until="setWebhook")
    assert "Right answers: 2 of 3" in offer.text.splitlines()
    learner.sends("/stats")
    statistics = await learner.hears("Your progress")
    assert "Answers: 3\nRight answers: 2\n" in statistics.text
    assert "Traceback" not in bot.log


# Faults at the start


async def refused(served_telegram: Served, folder: Path, **settings: str) -> str:
    """The sentence with which `run` refuses to start."""
    telegram, url = served_telegram
    given = {"BOT_TOKEN": telegram.token, "BOT_API_URL": url} | settings
    end = await command("run", folder=folder, **given)
    assert (end.code, end.stdout, "Traceback" in end.stderr) == (2, "", False), end.stderr
    assert end.seconds < SECONDS_TO_END
    return end.stderr.splitlines()[-1]


@pytest.mark.parametrize("missing", ["WEBHOOK_SECRET", "WEBHOOK_LISTEN"])
async def test_a_webhook_that_lacks_a_part_is_refused_in_a_sentence(
    served_telegram: Served, tmp_path: Path, missing: str
) -> None:
    settings = {
        "WEBHOOK_URL": "https://bot.example.org/hook",
        "WEBHOOK_SECRET": SECRET,
        "WEBHOOK_LISTEN": "127.0.0.1:8081",
    }
    sentence = await refused(served_telegram, tmp_path, **settings | {missing: ""})
    assert sentence.startswith(f"WEBHOOK_URL needs a {missing}")


@pytest.mark.parametrize("name", ["LISTEN", "WEBHOOK_LISTEN"])
async def test_a_port_that_is_taken_is_refused_in_a_sentence(
    served_telegram: Served, tmp_path: Path, listen: Address, proxy: Proxy, name: str
) -> None:
    settings = {"LISTEN": str(listen)}
    if name == "WEBHOOK_LISTEN":
        settings = {
            "WEBHOOK_URL": proxy.hook.url,
            "WEBHOOK_SECRET": SECRET,
            "WEBHOOK_LISTEN": str(listen),
        }
    async with await asyncio.start_server(lambda *_: None, listen.host, listen.port):
        sentence = await refused(served_telegram, tmp_path, **settings)
    assert sentence == (
        f"{name} can't be used: nobody can listen at {listen} (Address already in use)."
    )
