"""What a learner sees of their progress, as values."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from babel.dates import format_datetime

from bot import buttons
from bot.markup import Block, Paragraph
from bot.messages import Button, Message
from bot.shares import percent
from bot.texts import Words
from quizzes.days import local
from quizzes.progress import Progress, Standing, Tally
from quizzes.quiz import Question
from quizzes.schedule import Forecast

BAR_WIDTH = 8
"""Blocks of a bar; a phone shows it beside a quiz's percentage."""

_FULL, _EMPTY = "█", "░"
_TRENDS = {"up": "↗", "down": "↘", "level": "→"}


def statistics(
    words: Words,
    numbers: Progress,
    forecast: Forecast,
    *,
    titles: Mapping[str, str],
    attempts: int,
    finished: int,
    hardest: Sequence[Question],
) -> Message:
    """The numbers of `/stats`, with small bars."""
    blocks: list[Block] = [Paragraph(words("stats-title"), "bold")]
    week = numbers.weeks[-1].tally
    blocks.append(Paragraph(_period(words, words("stats-week"), week, numbers.trend)))
    total = _period(words, words("stats-ever"), numbers.total, None)
    counts = (
        words("stats-attempts", number=attempts) + "\n" + words("stats-finished", number=finished)
    )
    blocks.append(Paragraph(f"{total}\n{counts}"))
    streak = words("stats-streak", days=numbers.streak)
    if numbers.best_streak > numbers.streak:
        streak += "\n" + words("stats-best-streak", days=numbers.best_streak)
    blocks.append(Paragraph(streak))
    if numbers.standings:
        lines = "\n".join(_mastery(words, one, titles) for one in numbers.standings)
        blocks += [Paragraph(words("stats-mastery"), "bold"), Paragraph(lines)]
    blocks += _extremes(words, numbers, titles)
    if hardest:
        listed = "\n".join(f"• {question.ask}" for question in hardest)
        blocks += [Paragraph(words("stats-hardest"), "bold"), Paragraph(listed)]
    blocks.append(Paragraph(_due(words, forecast)))
    rows = [[Button(words("button-picture"), buttons.ShowPicture())]]
    if forecast.now:
        rows.insert(0, [Button(words("button-review"), buttons.Review())])
    return Message(blocks, rows)


def nothing_due(words: Words, forecast: Forecast, zone: str) -> str:
    """What `/review` says when nothing is due: what will come, and when."""
    if forecast.next_at is None:
        return words("review-new")
    at = local(forecast.next_at, zone)
    when = format_datetime(at, "d MMMM, HH:mm", locale=words.locale)
    text = words("review-nothing", when=when)
    soon = [
        words(f"forecast-{name}", questions=number)
        for name, number in (
            ("today", forecast.today),
            ("tomorrow", forecast.tomorrow),
            ("this-week", forecast.this_week),
        )
        if number
    ]
    return "\n".join([text, *soon])


def drawing(
    words: Words,
    numbers: Progress,
    days: Mapping[date, Tally],
    titles: Mapping[str, str],
    today: date,
) -> dict[str, Any]:
    """What the picture shows, as JSON: `bot.picture` draws it when it is sent."""
    return {
        "today": today.isoformat(),
        "accuracy": [
            [week.monday.isoformat(), week.tally.answers, week.tally.right]
            for week in numbers.weeks
        ],
        "days": {day.isoformat(): tally.answers for day, tally in days.items()},
        "mastery": [
            [one.quiz_id, titles[one.quiz_id], one.mastery, one.tally.answers]
            for one in numbers.standings
        ],
        "labels": {
            "language": words.language,
            "title": words("stats-title"),
            "accuracy": words("picture-accuracy"),
            "days": words("picture-days"),
            "answers_a_day": words("picture-answers-a-day"),
            "mastery": words("picture-mastery"),
        },
    }


def bar(share: float, width: int) -> str:
    """A share from 0 to 1 as so many blocks, full ones first: `████░░░░`.

    All are full for 1 alone, and all empty for 0 alone. Raises ValueError for a share outside 0
    to 1, or a width under 2.
    """
    if not (0 <= share <= 1 and width >= 2):
        raise ValueError(f"No bar of {width} blocks shows {share}: 2 blocks or more show 0 to 1.")
    full = round(share * width)
    if 0 < share < 1:
        full = min(max(full, 1), width - 1)
    return _FULL * full + _EMPTY * (width - full)


def _period(words: Words, name: str, tally: Tally, trend: str | None) -> str:
    lines = [
        name,
        words("stats-answers", number=tally.answers),
        words("stats-right", number=tally.right),
    ]
    if tally.accuracy is not None:
        accuracy = percent(tally.accuracy, words.locale)
        arrow = f" {_TRENDS[trend]}" if trend else ""
        lines.append(words("stats-accuracy", percent=accuracy) + arrow)
    return "\n".join(lines)


def _mastery(words: Words, one: Standing, titles: Mapping[str, str]) -> str:
    share = percent(one.mastery, words.locale)
    return f"{bar(one.mastery, BAR_WIDTH)} {share} {titles[one.quiz_id]}"


def _extremes(words: Words, numbers: Progress, titles: Mapping[str, str]) -> list[Block]:
    if not numbers.strongest or not numbers.weakest:
        return []
    strongest = words("stats-strongest", quiz=titles[numbers.strongest.quiz_id])
    weakest = words("stats-weakest", quiz=titles[numbers.weakest.quiz_id])
    return [Paragraph(f"{strongest}\n{weakest}")]


def _due(words: Words, forecast: Forecast) -> str:
    if forecast.now:
        return words("stats-due", questions=forecast.now)
    return words("stats-nothing-due")
