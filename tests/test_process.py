"""The real process: it ends when it is told to, and survives being killed at any moment."""

import asyncio
import itertools
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from tests.posting import free_address
from tests.process import BotProcess, LiveLearner, served

pytestmark = pytest.mark.slow

SIGNALS = (signal.SIGTERM, signal.SIGINT)
SECONDS_TO_END = 5.0

RESULTS = "Results: Capitals"

Step = Callable[[], Awaitable[None]]
NOTHING: Mapping[int, Step] = {}


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[BotProcess]:
    """A process that can be started, and its Telegram."""
    async with served() as (telegram, url):
        process = BotProcess(telegram, url, tmp_path)
        try:
            yield process
        finally:
            telegram.faults.clear()
            await process.close()


@pytest.fixture
def learner(bot: BotProcess) -> LiveLearner:
    """Somebody who writes to it."""
    return LiveLearner(bot.telegram)


def closed_address() -> str:
    """An address where nobody listens."""
    return f"http://{free_address()}"


async def ends_well(
    bot: BotProcess, signal_number: signal.Signals, then: Callable[[], None] = lambda: None
) -> None:
    """Send the signal, and hold the bot to what it promises of its end."""
    end = await bot.ends_by(signal_number, then)
    assert end.code == 0
    assert end.seconds < SECONDS_TO_END
    no_events = [line for line in bot.log.splitlines() if not re.match(r"\d{4}-\d\d-\d\dT", line)]
    assert no_events == []
    assert "Traceback" not in bot.log


# Signals


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_an_idle_bot_ends_at_a_signal(
    bot: BotProcess, learner: LiveLearner, signal_number: signal.Signals
) -> None:
    await bot.start()
    learner.sends("/help")
    await learner.hears("What I understand")

    await ends_well(bot, signal_number)


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_bot_that_waits_for_an_answer_takes_it_along(
    bot: BotProcess, learner: LiveLearner, signal_number: signal.Signals
) -> None:
    await bot.start()
    sending = bot.telegram.faults.hold("sendPoll")
    learner.sends("/quiz capitals")
    await bot.reaches(sending.reached)

    await ends_well(bot, signal_number, then=sending.release)

    assert "unknown fate" not in bot.log
    await bot.start()
    learner.acts_on(await learner.offered())
    await learner.hears("✅ Right")


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_bot_whose_answer_never_comes_ends_all_the_same(
    bot: BotProcess, learner: LiveLearner, signal_number: signal.Signals
) -> None:
    await bot.start()
    sending = bot.telegram.faults.hold("sendMessage")
    learner.sends("/help")
    await bot.reaches(sending.reached)

    await ends_well(bot, signal_number)

    bot.telegram.faults.clear()
    await bot.start()
    learner.sends("/stats")
    await learner.hears("You have not answered")


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_bot_that_cannot_reach_telegram_ends_at_a_signal(
    bot: BotProcess, tmp_path: Path, signal_number: signal.Signals
) -> None:
    nobody = closed_address()
    lonely = BotProcess(bot.telegram, f"{nobody}/a/path", tmp_path)
    await lonely.launch()
    await lonely.logs(f"Telegram can't be asked at {nobody.removeprefix('http://')}: ")

    await ends_well(lonely, signal_number)


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_bot_that_gets_errors_at_its_start_ends_at_a_signal(
    bot: BotProcess, signal_number: signal.Signals
) -> None:
    bot.telegram.faults.refuse("getMe", 502, "Bad Gateway", times=None)
    await bot.launch()
    await bot.logs("Telegram can't be asked")

    await ends_well(bot, signal_number)


@pytest.mark.parametrize("signal_number", SIGNALS)
async def test_a_running_bot_that_gets_errors_ends_at_a_signal(
    bot: BotProcess, learner: LiveLearner, signal_number: signal.Signals
) -> None:
    await bot.start()
    for method, complaint in (
        ("sendMessage", "Telegram fails at sendMessage"),
        ("getUpdates", "Updates can't be fetched"),
    ):
        bot.telegram.faults.refuse(method, 500, "Internal Server Error", times=None)
        learner.sends("/help")
        await bot.logs(complaint)

    await ends_well(bot, signal_number)


@pytest.mark.parametrize("signal_number", SIGNALS)
@pytest.mark.parametrize("method", ["getMe", "deleteWebhook", "getUpdates"])
async def test_a_bot_that_is_starting_ends_at_a_signal(
    bot: BotProcess, method: str, signal_number: signal.Signals
) -> None:
    starting = bot.telegram.faults.hold(method)
    await bot.launch()
    await bot.reaches(starting.reached)

    await ends_well(bot, signal_number)


# Telegram in trouble


async def test_the_start_waits_until_telegram_is_well_and_says_so_once(
    bot: BotProcess, learner: LiveLearner
) -> None:
    bot.telegram.faults.refuse("getMe", 502, "Bad Gateway")
    bot.telegram.faults.cut("getMe")
    learner.sends("/help")

    await bot.start()

    await learner.hears("What I understand")
    assert bot.log.count("WARNING") == 1


async def test_polling_first_takes_down_a_webhook_and_keeps_what_waits(
    bot: BotProcess, learner: LiveLearner
) -> None:
    learner.sends("/help")

    await bot.start()

    await learner.hears("What I understand")
    methods = [request.method for request in bot.telegram.requests]
    assert methods.index("deleteWebhook") < methods.index("getUpdates")
    (deletion,) = bot.telegram.calls("deleteWebhook")
    assert deletion.parameters == {"drop_pending_updates": False}


# kill -9


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lasting_bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BotProcess]:
    """A bot that is killed many times: each test leaves it running for the next."""
    async with served() as (telegram, url):
        process = BotProcess(telegram, url, tmp_path_factory.mktemp("killed"))
        await process.start()
        try:
            yield process
        finally:
            telegram.faults.clear()
            await process.close()


async def start_again(bot: BotProcess) -> None:
    bot.telegram.faults.clear()
    await bot.start()


async def finishes(
    learner: LiveLearner,
    before: Mapping[int, Step] = NOTHING,
    after: Mapping[int, Step] = NOTHING,
) -> None:
    """Take the quiz to its results; some steps come before or after certain of its actions."""
    for action in itertools.count():
        offer = await learner.offered() if action else None
        if offer and offer.text.startswith(RESULTS):
            return
        if action in before:
            await before[action]()
        if offer is None:
            learner.sends("/quiz capitals")
        else:
            learner.acts_on(offer)
        if action in after:
            await after[action]()


async def has_counted_every_answer_once(bot: BotProcess, learner: LiveLearner) -> None:
    results = await learner.hears(RESULTS)
    learner.sends("/stats")
    statistics = await learner.hears("Your progress")
    assert "Right answers: 2 of 3" in results.text.splitlines()
    ever = next(block for block in statistics.text.split("\n\n") if block.startswith("All time"))
    assert ever.splitlines()[1:] == [
        "Answers: 3",
        "Right answers: 2",
        "Accuracy: 67%",
        "Attempts: 1",
        "Quizzes finished: 1",
    ]
    assert "Traceback" not in bot.log


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("kind", ["cut", "hold"])
@pytest.mark.parametrize(
    ("method", "skip"),
    [
        pytest.param("sendMessage", 0, id="title"),
        pytest.param("sendPoll", 0, id="first question"),
        pytest.param("sendMessage", 1, id="first explanation"),
        pytest.param("answerCallbackQuery", 0, id="first button"),
        pytest.param("sendPoll", 1, id="second question"),
        pytest.param("sendPoll", 2, id="last question"),
        pytest.param("sendMessage", 3, id="last explanation"),
        pytest.param("sendMessage", 4, id="results"),
    ],
)
async def test_a_bot_killed_while_it_sends_goes_on_where_it_was(
    lasting_bot: BotProcess, method: str, skip: int, kind: str
) -> None:
    bot = lasting_bot
    learner = LiveLearner(bot.telegram)
    strike = bot.telegram.faults.cut if kind == "cut" else bot.telegram.faults.hold
    bot.dies_at(strike(method, skip=skip))

    async def crash() -> None:
        await bot.dies()
        await start_again(bot)
        if method == "sendPoll" and kind == "cut":
            learner.sends("/quiz")

    async with asyncio.TaskGroup() as both:
        both.create_task(crash())
        both.create_task(finishes(learner))

    await has_counted_every_answer_once(bot, learner)


# What the learner does: 0 sends /quiz, 1 votes, 2 presses the button, 3 votes, ... 6 presses
# for the results.
ACTIONS = [
    pytest.param(0, id="command"),
    pytest.param(1, id="vote"),
    pytest.param(2, id="button"),
    pytest.param(6, id="last button"),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("action", ACTIONS)
async def test_what_is_done_while_the_bot_is_dead_is_handled_later(
    lasting_bot: BotProcess, action: int
) -> None:
    bot = lasting_bot
    learner = LiveLearner(bot.telegram)

    await finishes(learner, before={action: bot.kill}, after={action: bot.start})

    await has_counted_every_answer_once(bot, learner)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("action", ACTIONS)
async def test_an_update_whose_delivery_is_cut_short_by_a_crash_comes_again(
    lasting_bot: BotProcess, action: int
) -> None:
    bot = lasting_bot
    learner = LiveLearner(bot.telegram)

    async def withhold() -> None:
        fetching = bot.telegram.faults.hold("getUpdates")
        bot.telegram.give({})  # ends the call that waits, so that the next one meets the fault
        await bot.reaches(fetching.reached)

    async def crash() -> None:
        await bot.kill()
        await start_again(bot)

    await finishes(learner, before={action: withhold}, after={action: crash})

    await has_counted_every_answer_once(bot, learner)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("action", ACTIONS)
async def test_an_update_that_was_stored_outlives_a_crash(
    lasting_bot: BotProcess, action: int
) -> None:
    bot = lasting_bot
    learner = LiveLearner(bot.telegram)

    async def lay_trap() -> None:
        bot.dies_at(bot.telegram.faults.hold("getUpdates"))  # the next call, which confirms

    async def crash() -> None:
        await bot.dies()
        await start_again(bot)

    await finishes(learner, before={action: lay_trap}, after={action: crash})

    await has_counted_every_answer_once(bot, learner)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("method", ["getMe", "deleteWebhook", "getUpdates", "getMyCommands"])
async def test_a_bot_killed_while_it_starts_starts_again(
    lasting_bot: BotProcess, method: str
) -> None:
    bot = lasting_bot
    learner = LiveLearner(bot.telegram)

    async def crash_twice() -> None:
        await bot.kill()
        await bot.launch()
        bot.dies_at(bot.telegram.faults.hold(method))
        await bot.dies()
        await start_again(bot)

    await finishes(learner, after={1: crash_twice})

    await has_counted_every_answer_once(bot, learner)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_learner_is_asked_whether_a_question_arrived_that_nobody_knows_of(
    lasting_bot: BotProcess,
) -> None:
    bot = lasting_bot
    learner = LiveLearner(bot.telegram)
    bot.dies_at(bot.telegram.faults.cut("sendPoll", skip=1))

    async def crash() -> None:
        await bot.dies()
        await start_again(bot)

    await finishes(learner, after={2: crash})

    assert (await learner.hears("The connection failed")).buttons == ["Show the question"]
    await has_counted_every_answer_once(bot, learner)
