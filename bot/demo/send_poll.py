"""sendPoll, with its checks in Telegram's order."""

from datetime import timedelta
from typing import Any

from bot.demo.entities import EMPTY, Text, read_text, tidy
from bot.demo.parameters import Parameters
from bot.demo.polls import Poll, PollOption
from bot.demo.refusals import bad_request
from bot.demo.sending import CAPTION_TOO_LONG, check_place, find_place, formatted, post
from bot.demo.telegram import LocalTelegram

MAX_QUESTION = 300
MAX_OPTIONS = 12
MAX_OPTION = 100
MAX_EXPLANATION = 200
MAX_EXPLANATION_LINE_FEEDS = 2
MAX_DESCRIPTION = 1024
MIN_OPEN_PERIOD = 5
MAX_OPEN_PERIOD = 2_628_000
MAX_COUNTRIES = 12

# Telegram refuses these, but its words for them are published nowhere: both are guesses.
TEXT_TOO_LONG = CAPTION_TOO_LONG
WRONG_OPEN_PERIOD = "POLL_CLOSE_PERIOD_INVALID"

_IN_QUESTIONS = frozenset({"custom_emoji"})


def send_poll(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """sendPoll."""
    question = formatted(parameters, "question", "question_")
    options = _options(parameters)
    is_quiz = _is_quiz(parameters)
    correct = _correct_options(parameters) if is_quiz else ()
    explanation = formatted(parameters, "explanation", "explanation_") if is_quiz else EMPTY
    description = formatted(parameters, "description", "description_")
    _check_countries(parameters)
    place = find_place(telegram, parameters)
    poll = Poll(
        clock=telegram.clock,
        id=str(2**62 + telegram.random.getrandbits(60)),
        question=_checked(question, MAX_QUESTION, "poll question length must not exceed 300"),
        options=_checked_options(telegram, options),
        is_quiz=is_quiz,
        correct_option_ids=correct,
        is_anonymous=parameters.boolean("is_anonymous", default=True),
        allows_multiple_answers=parameters.boolean("allows_multiple_answers"),
        allows_revoting=parameters.boolean("allows_revoting", default=not is_quiz),
        explanation=tidy(explanation),
        description=tidy(description),
    )
    if is_quiz:
        _check_correct_options(poll)
    _check_captions(poll)
    _set_end(telegram, poll, parameters)
    check_place(telegram, place, "polls")
    return post(telegram, place, poll=poll)


def _is_quiz(parameters: Parameters) -> bool:
    kind = parameters.text("type") or "regular"
    if kind not in ("quiz", "regular"):
        raise bad_request("unsupported poll type specified")
    return kind == "quiz"


def _options(parameters: Parameters) -> list[Text]:
    try:
        options = parameters.json("options")
    except ValueError:
        raise bad_request("can't parse options JSON object") from None
    if not isinstance(options, list):
        raise bad_request("expected an Array of String as options")
    return [_option(option) for option in options]


def _option(option: Any) -> Text:
    if isinstance(option, str):
        return Text(option)
    if not isinstance(option, dict) or not isinstance(option.get("text", ""), str):
        raise bad_request("expected an option to be of type String")
    return read_text(
        option.get("text", ""), str(option.get("text_parse_mode", "")), option.get("text_entities")
    )


def _correct_options(parameters: Parameters) -> tuple[int, ...]:
    if not parameters.text("correct_option_ids"):
        is_given = bool(parameters.text("correct_option_id"))
        return (parameters.integer("correct_option_id"),) if is_given else ()
    try:
        positions = parameters.json("correct_option_ids")
    except ValueError:
        raise bad_request("can't parse correct option identifiers JSON object") from None
    if not isinstance(positions, list):
        raise bad_request("expected an Array of correct option identifiers")
    for position in positions:
        if isinstance(position, bool) or not isinstance(position, int | float):
            raise bad_request("correct option identifier must be of type Number")
        if not isinstance(position, int):
            raise bad_request("invalid correct option identifier specified")
    return tuple(positions)


def _check_countries(parameters: Parameters) -> None:
    if not parameters.text("country_codes"):
        return
    try:
        countries = parameters.json("country_codes")
    except ValueError:
        return
    if isinstance(countries, list) and len(countries) > MAX_COUNTRIES:
        raise bad_request("too many items specified")
    if countries:
        raise bad_request("poll voters can be restricted only in channel chats")


def _checked(raw: Text, most: int, too_long: str) -> Text:
    """The text of a question or an option: without any markup but custom emoji."""
    text = tidy(raw, find=False, keep=_IN_QUESTIONS)
    if not text.plain:
        raise bad_request("text must be non-empty")
    if len(text.plain) > most:
        raise bad_request(too_long)
    return text


def _checked_options(telegram: LocalTelegram, options: list[Text]) -> tuple[PollOption, ...]:
    if not options:
        raise bad_request("poll must have at least one answer option")
    if len(options) > MAX_OPTIONS:
        raise bad_request("poll can't have more than 12 options")
    return tuple(
        PollOption(
            f"{telegram.random.getrandbits(48):012x}",
            _checked(option, MAX_OPTION, "poll options length must not exceed 100"),
        )
        for option in options
    )


def _check_correct_options(poll: Poll) -> None:
    correct = poll.correct_option_ids
    if not correct:
        raise bad_request("correct quiz option list must be non-empty")
    if list(correct) != sorted(set(correct)):
        raise bad_request("correct quiz option list must be increasing")
    if correct[0] < 0 or correct[-1] >= len(poll.options):
        raise bad_request("wrong quiz correct_option_id")


def _check_captions(poll: Poll) -> None:
    explanation = poll.explanation.plain
    line_feeds = explanation.count("\n")
    if len(explanation) > MAX_EXPLANATION or line_feeds > MAX_EXPLANATION_LINE_FEEDS:
        raise bad_request(TEXT_TOO_LONG)
    if len(poll.description.plain) > MAX_DESCRIPTION:
        raise bad_request(TEXT_TOO_LONG)


def _set_end(telegram: LocalTelegram, poll: Poll, parameters: Parameters) -> None:
    """When the poll ends; of both ways to say it, the period wins."""
    period = parameters.integer("open_period", least=0, most=MAX_OPEN_PERIOD)
    close_date = parameters.integer("close_date", least=0)
    is_closed = parameters.boolean("is_closed")
    if period == 0 and close_date != 0:
        period = close_date - telegram.now
    poll.is_stopped = is_closed
    if period == 0 or is_closed:
        return
    if not MIN_OPEN_PERIOD <= period <= MAX_OPEN_PERIOD:
        raise bad_request(WRONG_OPEN_PERIOD)
    poll.open_period = period
    poll.close_date = telegram.clock.now() + timedelta(seconds=period)
