"""The picture of /stats: what is on it, that it can be read, and what it costs."""

import itertools
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

import pytest
import regex
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from bot import picture
from bot.picture import (
    FONT,
    Chart,
    Labels,
    Page,
    Period,
    QuizMastery,
    draw,
    fonts_for,
    installed_fonts,
    lay_out,
    width_of,
)
from bot.texts import locale_files
from quizzes.catalog import SHIPPED_BANK, load

THURSDAY = date(2027, 2, 4)

ENGLISH = Labels(
    language="en",
    title="Your progress",
    accuracy="Right answers",
    days="Days with answers",
    answers_a_day="Answers a day:",
    mastery="Mastery of quizzes",
)
LABELS = (
    ENGLISH,
    Labels(
        "ro",
        "Progresul tău",
        "Răspunsuri corecte",
        "Zile cu răspunsuri",
        "Răspunsuri pe zi:",
        "Stăpânirea testelor și țintelor",
    ),
    Labels(
        "ru",
        "Ваши успехи",
        "Правильные ответы",
        "Дни с ответами",
        "Ответов за день:",
        "Освоение викторин",
    ),
    Labels(
        "uk",
        "Ваш поступ",
        "Правильні відповіді",
        "Дні з відповідями",
        "Відповідей за день:",
        "Опанування вікторин: ґ і п’ять",
    ),
)
EVERY_LANGUAGE = pytest.mark.parametrize("labels", LABELS, ids=lambda labels: labels.language)

NOTHING = Chart(today=THURSDAY, accuracy=(), days={}, mastery=())
ONE_ANSWER = Chart(
    today=THURSDAY,
    accuracy=(Period(THURSDAY, answers=1, right=0),),
    days={THURSDAY: 1},
    mastery=(QuizMastery("capitals", "Capitals", share=0, answers=1),),
)


def busy(today: date = THURSDAY, quizzes: int = 40) -> Chart:
    """Somebody who answers a lot, every day, in long quizzes."""
    monday = today - timedelta(days=today.weekday())
    return Chart(
        today=today,
        accuracy=[
            Period(monday - timedelta(weeks=back), answers=60, right=60 - back * 2)
            for back in range(26)
        ],
        days={today - timedelta(days=back): back * 7 % 24 for back in range(300)},
        mastery=[
            QuizMastery(f"quiz-{n:02}", f"Quiz {n:02} " + "word " * n, n / 39, answers=n)
            for n in range(quizzes)
        ],
    )


def of_one_quiz(title: str = "Capitals", share: float = 0.5) -> Chart:
    return replace(NOTHING, mastery=(QuizMastery("the-id", title, share, answers=1),))


def artists_of(page: Page) -> list[Text]:
    return [artist for artist in page.figure.artists if isinstance(artist, Text)]


def texts_of(chart: Chart, labels: Labels = ENGLISH) -> list[str]:
    """All texts in the order of drawing: by panel, the mastery of quizzes last."""
    return [artist.get_text() for artist in artists_of(lay_out(chart, labels))]


def days_of(page: Page) -> list[FancyBboxPatch]:
    """The calendar's cells, day by day."""
    cells = [
        artist
        for artist in page.figure.artists
        if isinstance(artist, FancyBboxPatch) and artist.get_width() == artist.get_height()
    ]
    return cells[: -len(picture.LEVELS)]


def run_python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def luminance(color: str) -> float:
    """The relative luminance of WCAG 2.2."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


# What it costs


def test_nothing_imports_matplotlib_before_a_picture_is_drawn() -> None:
    code = "import sys, bot.app, bot.picture; print('matplotlib' in sys.modules)"
    assert run_python(code) == "False"


DRAWS = """
import sys, time
from datetime import date, timedelta
from bot.picture import Chart, Labels, Period, QuizMastery, draw
day = date(2027, 2, 4)
chart = Chart(
    day,
    [Period(day - timedelta(weeks=n), 9, 5) for n in range(26)],
    {day - timedelta(days=n): n % 30 for n in range(182)},
    [QuizMastery(f"quiz-{n}", "Quiz", 0.5, n) for n in range(40)],
)
labels = Labels("uk", "a", "b", "c", "d", "e")
"""


def test_drawing_leaves_pyplot_and_the_global_settings_alone() -> None:
    code = """
import matplotlib
before = matplotlib.rcParams.copy()
draw(chart, labels)
print('matplotlib.pyplot' in sys.modules, matplotlib.rcParams.copy() == before)
"""
    assert run_python(DRAWS + code) == "False True"


@pytest.mark.slow
def test_the_first_picture_of_a_process_takes_at_most_two_seconds_of_computing() -> None:
    code = "begun = time.process_time(); draw(chart, labels); print(time.process_time() - begun)"
    assert float(run_python(DRAWS + code)) <= 2.0


@EVERY_LANGUAGE
def test_the_largest_picture_is_a_small_file_of_a_phones_width(labels: Labels) -> None:
    png = draw(busy(), labels)
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert png.startswith(b"\x89PNG")
    assert len(png) < 300_000
    assert width == 1080
    # Telegram may shrink the longer side to 1280: letters of 30 pixels stay above 26.
    assert height * 26 / picture.TEXT <= 1280


def test_equal_input_gives_equal_bytes_without_a_program_or_a_time_in_them() -> None:
    png = draw(busy(), ENGLISH)
    assert draw(busy(), ENGLISH) == png
    assert b"tEXt" not in png
    assert b"tIME" not in png


def test_pictures_can_be_drawn_in_several_threads_at_once() -> None:
    charts = [busy(), ONE_ANSWER] * 2
    alone = [draw(chart, ENGLISH) for chart in charts]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(draw, charts, itertools.repeat(ENGLISH)))
    assert together == alone


# That it can be read


@pytest.mark.parametrize("ground", [picture.BACKGROUND, picture.PANEL])
@pytest.mark.parametrize("ink", [picture.INK, picture.FAINT_INK])
def test_texts_have_the_contrast_that_wcag_asks_of_texts(ink: str, ground: str) -> None:
    assert contrast(ink, ground) >= 4.5


@pytest.mark.parametrize(
    ("color", "ground"),
    [
        (picture.ACCURACY, picture.PANEL),
        (picture.MASTERY, picture.PANEL),
        (picture.MASTERY, picture.EMPTY),
        *((color, picture.PANEL) for _, color in picture.LEVELS),
    ],
)
def test_marks_have_the_contrast_that_wcag_asks_of_graphics(color: str, ground: str) -> None:
    assert contrast(color, ground) >= 3


def test_the_colors_of_days_differ_without_colour_vision() -> None:
    shades = [picture.PANEL, picture.EMPTY, *(color for _, color in picture.LEVELS)]
    lightness = [luminance(shade) for shade in shades]
    assert lightness == sorted(lightness)
    assert min(contrast(*pair) for pair in itertools.pairwise(shades)) >= 1.4


@cache
def pages(labels: Labels) -> tuple[Page, ...]:
    """Full, small and empty pages, with each month and each weekday as the last."""
    days = [THURSDAY + timedelta(days=29 * month) for month in range(12)]
    calendars = [busy(day, quizzes=1) for day in days]
    return tuple(lay_out(chart, labels) for chart in (NOTHING, ONE_ANSWER, busy(), *calendars))


class Place(NamedTuple):
    """A text and where it stands, in pixels."""

    text: str
    left: float
    low: float
    right: float
    high: float

    def meets(self, other: "Place") -> bool:
        """Whether less than a few pixels are between them."""
        beside = self.right + 8 <= other.left or other.right + 8 <= self.left
        return not (beside or self.high <= other.low or other.high <= self.low)


def places_of(page: Page) -> list[Place]:
    # Sizes are then asked of this canvas; without it each takes a rehearsal of the whole drawing.
    FigureCanvasAgg(page.figure)
    return [
        Place(artist.get_text(), *artist.get_window_extent().extents)
        for artist in artists_of(page)
        if artist.get_text()
    ]


@EVERY_LANGUAGE
def test_no_text_leaves_its_panel(labels: Labels) -> None:
    for page in pages(labels):
        height = page.figure.bbox.height
        outside = [
            place.text
            for place in places_of(page)
            if place.left < 60 or place.right > 1020 or place.low < 32 or place.high > height - 16
        ]
        assert outside == []


@EVERY_LANGUAGE
def test_no_text_meets_another(labels: Labels) -> None:
    for page in pages(labels):
        pairs = itertools.combinations(places_of(page), 2)
        assert [(one.text, other.text) for one, other in pairs if one.meets(other)] == []


def test_no_letters_are_below_26_pixels() -> None:
    page = lay_out(busy(), ENGLISH)
    sizes = [text.get_fontproperties().get_size_in_points() for text in artists_of(page)]
    assert min(sizes) >= 26
    assert page.figure.get_dpi() == 72  # a point is a pixel


@cache
def letters(*, bold: bool) -> frozenset[str]:
    """What the bundled font has."""
    properties = FontProperties(family=[FONT], weight=700 if bold else 400)
    return frozenset(map(chr, get_font(findfont(properties)).get_charmap()))


def lacking(texts: Iterable[str]) -> set[str]:
    return set("".join(texts)) - (letters(bold=False) & letters(bold=True))


@EVERY_LANGUAGE
def test_the_bundled_font_has_every_character_on_the_page(labels: Labels) -> None:
    on_pages = (artist.get_text() for page in pages(labels) for artist in artists_of(page))
    assert lacking(on_pages) == set()


@pytest.mark.parametrize("language", sorted(locale_files()))
def test_the_bundled_font_has_every_letter_of_a_language_that_the_bot_speaks(
    language: str,
) -> None:
    # The bot's own words have emoji as well, which no label needs.
    words = regex.findall(r"[\p{L}\p{M}\p{N}\p{P}]+", locale_files()[language])
    assert lacking(words) == set()


def test_the_bundled_font_has_every_character_of_the_shipped_titles() -> None:
    bank, _ = load([SHIPPED_BANK])
    titles = [
        quiz.title
        for quiz_id in bank.quizzes
        for language in bank.languages(quiz_id)
        if (quiz := bank.quiz(quiz_id, language, None))
    ]
    assert len(titles) >= 4 * len(bank.quizzes)
    assert lacking(titles) == set()


# In the fonts for formulas that come with matplotlib, but not in the bundled one.
WITH_FORMULA = "The 𝒩 distribution"


def test_a_title_that_the_bundled_font_lacks_is_drawn_with_the_first_font_that_completes_it() -> (
    None
):
    assert fonts_for("Capitals", list) == (FONT,)
    fonts = fonts_for(WITH_FORMULA, lambda: ["DejaVu Serif", "STIXGeneral", "DejaVu Sans Mono"])
    assert fonts == (FONT, "STIXGeneral")
    assert width_of(WITH_FORMULA, fonts or ()) > width_of(WITH_FORMULA.replace("𝒩", ""))


def test_a_title_that_no_font_has_gives_way_to_the_id_of_the_quiz() -> None:
    assert fonts_for(WITH_FORMULA, list) is None
    # No font has a letter that does not exist, but for fonts of boxes.
    assert "the-id" in texts_of(of_one_quiz(title="Capitals \u0378"))


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("👩🏽‍🚀 Space 🇺🇦", "Space"),
        ("❤ Biology", "❤ Biology"),
        ("👩🏽‍🚀", "the-id"),
        ("", "the-id"),
    ],
)
def test_emoji_that_the_bundled_font_lacks_are_left_out_of_a_title(title: str, shown: str) -> None:
    assert texts_of(of_one_quiz(title))[-2] == shown


def test_fonts_that_draw_formulas_or_boxes_do_not_stand_in() -> None:
    assert [name for name in installed_fonts() if regex.match("STIX|cm|Last", name)] == []


# What is on it


def test_without_answers_there_is_only_an_empty_calendar() -> None:
    texts = texts_of(NOTHING)
    assert texts[:4] == ["Your progress", "February 4, 2027", "Days with answers", "0"]
    assert {ENGLISH.accuracy, ENGLISH.mastery} & set(texts) == set()
    assert draw(NOTHING, ENGLISH).startswith(b"\x89PNG")


def test_one_wrong_answer_makes_a_picture_with_a_date_and_no_percent() -> None:
    texts = texts_of(ONE_ANSWER)
    accuracy = ["Right answers", "0%", "0%", "50%", "100%", "Feb 4"]
    assert texts[2:10] == [*accuracy, "Days with answers", "1"]
    assert texts[-4:] == ["Mastery of quizzes", "", "Capitals", "0%"]
    assert draw(ONE_ANSWER, ENGLISH).startswith(b"\x89PNG")


def test_numbers_and_dates_look_as_in_the_learners_language() -> None:
    texts = texts_of(busy(), replace(ENGLISH, language="ro"))
    assert {"4 februarie 2027", "100\xa0%", "1 feb.", "ian.", "lun.", "8 / 40"} <= set(texts)


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0, "0%"), (0.001, "1%"), (0.5, "50%"), (23 / 40, "58%"), (0.999, "99%"), (1, "100%")],
)
def test_none_and_all_are_shown_only_where_it_is_none_and_all(share: float, shown: str) -> None:
    assert texts_of(of_one_quiz(share=share))[-1] == shown


def test_accuracy_is_of_all_periods_and_an_empty_one_is_no_point() -> None:
    periods = (
        Period(date(2027, 1, 4), answers=30, right=30),
        Period(date(2026, 12, 28), answers=0, right=0),
        Period(date(2026, 12, 21), answers=10, right=0),
    )
    texts = texts_of(replace(NOTHING, accuracy=periods))
    assert texts[2:9] == ["Right answers", "75%", "0%", "50%", "100%", "Jan 4", "Dec 21"]


def test_over_a_year_dates_have_their_year() -> None:
    periods = [Period(date(year, 2, 1), answers=2, right=1) for year in (2025, 2026, 2027)]
    texts = texts_of(replace(NOTHING, accuracy=periods))
    assert texts[7:10] == ["Feb 2027", "Feb 2026", "Feb 2025"]


def test_of_many_quizzes_the_eight_with_most_answers_are_shown() -> None:
    texts = texts_of(busy(quizzes=40))
    assert texts[-17] == "8 / 40"
    assert [title[:7] for title in texts[-16::2]] == [f"Quiz {n}" for n in range(39, 31, -1)]
    assert "" in texts_of(busy(quizzes=8))


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("A title of  two\nlines", "A title of two lines"),
        ("From $5 to \\frac{$6", "From $5 to \\frac{$6"),
        ("Everything about gradients and their accumulation", "Everything about gradients…"),
    ],
)
def test_a_title_is_one_line_in_whole_words(title: str, shown: str) -> None:
    chart = of_one_quiz(title)
    assert texts_of(chart)[-2] == shown
    assert draw(chart, ENGLISH).startswith(b"\x89PNG")


def test_a_word_without_end_is_cut_between_graphemes() -> None:
    grapheme = "e\u0301"
    shown = texts_of(of_one_quiz(grapheme * 200))[-2]
    assert shown == grapheme * (len(shown) // 2) + "…"
    assert len(shown) > 20


SUNDAY = date(2027, 1, 3)


def test_weeks_of_the_calendar_begin_on_monday_and_the_last_one_ends_today() -> None:
    sunday, monday = (
        days_of(lay_out(replace(NOTHING, today=day), ENGLISH))
        for day in (SUNDAY, SUNDAY + timedelta(days=1))
    )
    assert len(sunday) == 26 * 7
    assert len(monday) == 25 * 7 + 1
    assert sunday[0].get_y() == monday[-1].get_y()
    assert sunday[-1].get_x() == monday[-1].get_x()


def test_a_day_is_as_light_as_it_had_answers_also_over_a_new_year() -> None:
    answers = (0, 1, 4, 5, 10, 19, 200)
    week = [SUNDAY - timedelta(days=back) for back in reversed(range(7))]
    days = dict(zip(week, answers, strict=True))
    outside = {SUNDAY + timedelta(days=1): 50, SUNDAY - timedelta(days=182): 50}
    page = lay_out(replace(NOTHING, today=SUNDAY, days=days | outside), ENGLISH)
    colors = [to_hex(cell.get_facecolor()) for cell in days_of(page)]
    few, some, many, most = (color for _, color in picture.LEVELS)
    assert colors[-7:] == [picture.EMPTY, few, few, some, many, many, most]
    assert set(colors[:-7]) == {picture.EMPTY}
    assert [artist.get_text() for artist in artists_of(page)][2:4] == ["Days with answers", "6"]


def test_today_has_an_outline() -> None:
    cells = days_of(lay_out(busy(), ENGLISH))
    assert [cell.get_linewidth() > 0 for cell in cells] == [*[False] * (len(cells) - 1), True]
