"""The picture that `/stats` shows: accuracy, days with answers and mastery, as a PNG.

It has a background of its own, so it reads the same in light and in dark clients. matplotlib takes
about a second to import and is imported when the first picture is drawn, never before.
"""

import io
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

import regex
from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names, get_month_names
from babel.numbers import format_decimal

from bot.shares import percent

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.font_manager import FontProperties

WIDTH = 1080
WEEKS = 26
QUIZZES = 8

# Sizes of letters in pixels. A phone shows the picture at about a third of its width.
TITLE, HEADING, TEXT = 52, 38, 30

BACKGROUND, PANEL = "#0f1724", "#1b2637"
INK, FAINT_INK = "#f4f7fb", "#b6c3d4"
# A track or a day without answers: there to be seen, not to be read.
EMPTY = "#34435a"
# Blue and orange are told apart with any colour vision.
ACCURACY, MASTERY = "#56b4e9", "#f0a830"
# A day with at least so many answers. Lighter is more, also to who sees no colours.
LEVELS = ((1, "#3a84a8"), (5, "#22b08a"), (10, "#8bd646"), (20, "#fde725"))

FONT = "DejaVu Sans"

# Pixels. Telegram keeps the longer side of a photo at 1280 or more, so height costs sharpness.
_EDGE, _GAP, _INSET = 32, 24, 32
_LEFT, _RIGHT = _EDGE + _INSET, WIDTH - _EDGE - _INSET
_HEADER = 104
_PANEL_HEADER = 88
_PLOT = 176
_CELL, _PITCH = 28, 33
_ROW, _BAR, _TITLES = 48, 20, 470.0
# More than there is room for, of the narrowest letter.
_MOST_GRAPHEMES = 100
_EMOJI = regex.compile(r"[\p{Extended_Pictographic}\p{Regional_Indicator}]")


@dataclass(frozen=True, slots=True)
class Period:
    """The answers of one day or one week, named by its first day."""

    begins: date
    answers: int
    right: int


@dataclass(frozen=True, slots=True)
class QuizMastery:
    """How much of a quiz is mastered: a share from 0 to 1, and how often it was answered."""

    quiz_id: str
    title: str
    share: float
    answers: int


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn; periods and quizzes in any order, days with their number of answers.

    Days are those of the learner. Left out are days outside the last 26 weeks, periods without
    answers, and all quizzes but the 8 with most answers.
    """

    today: date
    accuracy: Sequence[Period]
    days: Mapping[date, int]
    mastery: Sequence[QuizMastery]


@dataclass(frozen=True, slots=True)
class Labels:
    """The words, in the learner's language; its BCP 47 tag tells how dates and numbers look.

    `answers_a_day` stands before the colours of the calendar. The bundled font must have all
    letters: it has those of Latin, Cyrillic, Greek, Arabic, Hebrew and some more scripts.
    """

    language: str
    title: str
    accuracy: str
    days: str
    answers_a_day: str
    mastery: str


def draw(chart: Chart, labels: Labels) -> bytes:
    """A PNG, 1080 pixels wide; equal for equal input. It takes a while: not for the event loop.

    A quiz whose title has letters that neither the bundled font nor one of this machine's has is
    shown by its id; emoji that the bundled font lacks are left out.
    """
    return lay_out(chart, labels).png()


class Page:
    """A page as wide as the picture, in pixels from the left and from the top down."""

    def __init__(self) -> None:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        # At 72 dots an inch a point is a pixel.
        self.figure = Figure(dpi=72, facecolor=BACKGROUND)
        self._place = Affine2D()

    def text(
        self,
        x: float,
        middle: float,
        text: str,
        color: str = INK,
        size: int = TEXT,
        *,
        bold: bool = False,
        align: Literal["left", "right"] = "left",
        fonts: Sequence[str] = (FONT,),
    ) -> None:
        """A line of text, the middle of its capitals at this height."""
        from matplotlib.text import Text

        self._add(
            Text(
                x,
                middle + 0.365 * size,  # capitals of this font are 0.73 of its size high
                text,
                color=color,
                horizontalalignment=align,
                fontproperties=_font(size, bold, fonts),
                parse_math=False,  # dollar signs in a title make no formula
            )
        )

    def box(
        self,
        corner: tuple[float, float],
        width: float,
        height: float,
        color: str,
        radius: float,
        outline: str | None = None,
    ) -> None:
        """A filled box with round corners, by its left upper corner."""
        from matplotlib.patches import FancyBboxPatch

        self._add(
            FancyBboxPatch(
                corner,
                width,
                height,
                boxstyle=f"round,pad=0,rounding_size={radius}",
                facecolor=color,
                edgecolor=outline or color,
                linewidth=3 if outline else 0,
            )
        )

    def line(
        self, points: Sequence[tuple[float, float]], color: str, thickness: float, dot: float = 0
    ) -> None:
        """A line through points, with dots of this diameter on them."""
        from matplotlib.lines import Line2D

        xs, ys = zip(*points, strict=True)
        self._add(
            Line2D(
                xs,
                ys,
                color=color,
                linewidth=thickness,
                marker="o",
                markersize=dot,
                markeredgewidth=0,
            )
        )

    def area(self, corners: Sequence[tuple[float, float]], color: str, opacity: float) -> None:
        """A filled shape that shows what is below it."""
        from matplotlib.patches import Polygon

        self._add(Polygon(corners, facecolor=color, alpha=opacity, linewidth=0))

    def end(self, bottom: int) -> None:
        """Cut the page off a little below this height; to be called once, at last."""
        # Multiples of 9 pixels are exact in inches, so no line of pixels is lost to rounding.
        height = -(-bottom // 9) * 9
        self.figure.set_size_inches(WIDTH / 72, height / 72)
        self._place.scale(1, -1).translate(0, height)

    def png(self) -> bytes:
        """The page as a file, without the time or the program that made it."""
        file = io.BytesIO()
        self.figure.savefig(
            file, format="png", dpi=72, facecolor=BACKGROUND, metadata={"Software": None}
        )
        return file.getvalue()

    def _add(self, artist: "Artist") -> None:
        artist.set_transform(self._place)
        # In the order of drawing, whatever their kinds.
        artist.set_zorder(len(self.figure.get_children()))
        self.figure.add_artist(artist)


def lay_out(chart: Chart, labels: Labels) -> Page:
    """The page with everything on it."""
    locale = Locale.parse(labels.language, sep="-")
    page = Page()
    page.text(_LEFT, 60, labels.title, size=TITLE, bold=True)
    today = format_date(chart.today, "long", locale)
    page.text(_RIGHT, 60, today, FAINT_INK, align="right")
    bottom = _HEADER
    periods = sorted((one for one in chart.accuracy if one.answers), key=lambda one: one.begins)
    if periods:
        bottom = _draw_accuracy(page, bottom, periods, labels.accuracy, locale) + _GAP
    bottom = _draw_days(page, bottom, chart, labels, locale) + _GAP
    if chart.mastery:
        bottom = _draw_mastery(page, bottom, chart.mastery, labels.mastery, locale) + _GAP
    page.end(bottom)
    return page


def width_of(text: str, fonts: Sequence[str] = (FONT,)) -> float:
    """How wide a text of common size will be, in pixels."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font([findfont(_font(TEXT, False, (name,))) for name in fonts])
    font.set_size(TEXT, 72)
    font.set_text(text)
    return font.get_width_height()[0] / 64  # it counts in 64ths


def fonts_for(text: str, others: Callable[[], Iterable[str]]) -> tuple[str, ...] | None:
    """The bundled font, with the first of the others that has what it lacks; None if none has."""
    lacking = _lacking(text, FONT)
    if not lacking:
        return (FONT,)
    for name in others():
        if not _lacking(lacking, name):
            return (FONT, name)
    return None


def installed_fonts() -> list[str]:
    """Names of the machine's own fonts; those made for all scripts come first."""
    from matplotlib import get_data_path
    from matplotlib.font_manager import fontManager

    # What comes with matplotlib serves formulas, and draws boxes as a last resort.
    bundled = get_data_path()
    names = {
        font.name
        for font in fontManager.ttflist
        if font.weight == 400 and font.style == "normal" and not font.fname.startswith(bundled)
    }
    return sorted(names, key=lambda name: (not name.startswith("Noto Sans"), name))


def _lacking(text: str, font_name: str) -> str:
    from matplotlib.font_manager import findfont, get_font
    from matplotlib.ft2font import FaceFlags

    font = get_font(findfont(_font(TEXT, False, (font_name,))))
    if FaceFlags.COLOR in font.face_flags:
        return text  # matplotlib draws no letters in colours
    return "".join(letter for letter in text if not font.get_char_index(ord(letter)))


def _font(size: int, bold: bool, names: Sequence[str]) -> "FontProperties":
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=list(names), size=size, weight=700 if bold else 400)


def _begin_panel(page: Page, top: int, bottom: int, heading: str, summary: str) -> None:
    page.box((_EDGE, top), WIDTH - 2 * _EDGE, bottom - top, PANEL, 24)
    page.text(_LEFT, top + 46, heading, size=HEADING, bold=True)
    page.text(_RIGHT, top + 46, summary, size=HEADING, bold=True, align="right")


def _draw_accuracy(
    page: Page, top: int, periods: Sequence[Period], heading: str, locale: Locale
) -> int:
    """A curve from 0 to 100 %, the time along it, and the accuracy of all periods together."""
    ceiling = top + _PANEL_HEADER + 16
    floor = ceiling + _PLOT
    bottom = floor + 70
    answers = sum(period.answers for period in periods)
    right = sum(period.right for period in periods)
    _begin_panel(page, top, bottom, heading, percent(right / answers, locale))

    marks = {share: percent(share, locale) for share in (0, 0.5, 1)}
    left = _LEFT + max(map(width_of, marks.values())) + 20
    for share, mark in marks.items():
        y = floor - share * _PLOT
        page.text(left - 20, y, mark, FAINT_INK, align="right")
        page.line([(left, y), (_RIGHT, y)], EMPTY, 2)

    first, last = left + 32, _RIGHT - 32
    days = (periods[-1].begins - periods[0].begins).days

    def x_of(period: Period) -> float:
        passed = (period.begins - periods[0].begins).days
        return first + (last - first) * (passed / days if days else 0.5)

    points = [(x_of(one), floor - one.right / one.answers * _PLOT) for one in periods]
    page.area([(points[0][0], floor), *points, (points[-1][0], floor)], ACCURACY, 0.16)
    page.line(points, ACCURACY, 5, dot=18 if len(points) <= WEEKS else 8)

    # From the last date back, as many as there is room for.
    skeleton = "yMMM" if days > 330 else "MMMd"
    free = float(_RIGHT)
    for period in reversed(periods):
        name = format_skeleton(skeleton, period.begins, locale=locale)
        width = width_of(name)
        start = max(left, min(x_of(period) - width / 2, _RIGHT - width))
        if start + width <= free:
            page.text(start, floor + 38, name, FAINT_INK)
            free = start - 44
    return bottom


def _draw_days(page: Page, top: int, chart: Chart, labels: Labels, locale: Locale) -> int:
    """A column a week, a cell a day, as light as the day had answers; how many days had any."""
    names = top + _PANEL_HEADER + 8
    cells = names + 30
    legend = cells + 7 * _PITCH + 28
    bottom = legend + 40

    first = chart.today - timedelta(weeks=WEEKS - 1, days=chart.today.weekday())
    shown = [first + timedelta(n) for n in range((chart.today - first).days + 1)]
    active = sum(chart.days.get(day, 0) > 0 for day in shown)
    _begin_panel(page, top, bottom, labels.days, format_decimal(active, locale=locale))

    left = _RIGHT - WEEKS * _PITCH + _PITCH - _CELL
    weekdays = get_day_names("abbreviated", "stand-alone", locale)
    for weekday in (0, 2, 4, 6):
        page.text(_LEFT, cells + weekday * _PITCH + _CELL / 2, weekdays[weekday], FAINT_INK)
    for n, day in enumerate(shown):
        column, row = divmod(n, 7)
        corner = (left + column * _PITCH, cells + row * _PITCH)
        outline = INK if day == chart.today else None
        page.box(corner, _CELL, _CELL, _color(chart.days.get(day, 0)), 6, outline)

    months = get_month_names("abbreviated", "stand-alone", locale)
    columns: dict[tuple[int, int], list[int]] = {}
    for column, monday in enumerate(shown[::7]):
        columns.setdefault((monday.year, monday.month), []).append(column)
    for (_, month), weeks in columns.items():
        # A month that has just begun, or has almost left, has no room for its name.
        if width_of(months[month]) <= len(weeks) * _PITCH - 10:
            page.text(left + weeks[0] * _PITCH, names, months[month], FAINT_INK)

    right = float(_RIGHT)
    for least, color in reversed(LEVELS):
        name = f"{format_decimal(least, locale=locale)}+"
        page.text(right, legend, name, FAINT_INK, align="right")
        right -= width_of(name) + 10 + _CELL
        page.box((right, legend - _CELL / 2), _CELL, _CELL, color, 6)
        right -= 24
    page.text(right, legend, labels.answers_a_day, FAINT_INK, align="right")
    return bottom


def _draw_mastery(
    page: Page, top: int, quizzes: Sequence[QuizMastery], heading: str, locale: Locale
) -> int:
    """A bar a quiz, for those with most answers; of how many these are, if there are more."""
    shown = sorted(quizzes, key=lambda quiz: (-quiz.answers, quiz.quiz_id))[:QUIZZES]
    bottom = top + _PANEL_HEADER + len(shown) * _ROW + 20
    counts = [format_decimal(len(some), locale=locale) for some in (shown, quizzes)]
    _begin_panel(page, top, bottom, heading, " / ".join(counts) if quizzes[QUIZZES:] else "")

    titles = [_title(quiz) for quiz in shown]
    left = _LEFT + max(width_of(title, fonts) for title, fonts in titles) + 32
    right = _RIGHT - width_of(percent(1, locale)) - 24
    for row, (quiz, (title, fonts)) in enumerate(zip(shown, titles, strict=True)):
        middle = top + _PANEL_HEADER + row * _ROW + _ROW / 2
        page.text(_LEFT, middle, title, fonts=fonts)
        page.text(_RIGHT, middle, percent(quiz.share, locale), align="right")
        corner = (left, middle - _BAR / 2)
        page.box(corner, right - left, _BAR, EMPTY, _BAR / 2)
        if quiz.share > 0:
            # Round ends take a bar's own height.
            page.box(corner, max(_BAR, quiz.share * (right - left)), _BAR, MASTERY, _BAR / 2)
    return bottom


def _title(quiz: QuizMastery) -> tuple[str, Sequence[str]]:
    """A quiz's title as it fits into its column, and its fonts."""
    graphemes = regex.findall(r"\X", " ".join(quiz.title.split()))[:_MOST_GRAPHEMES]
    title = "".join(one for one in graphemes if not (_EMOJI.match(one) and _lacking(one, FONT)))
    fonts = fonts_for(title, installed_fonts)
    if fonts and title.strip():
        return _fitting(title.strip(), fonts), fonts
    return _fitting(quiz.quiz_id, (FONT,)), (FONT,)


def _fitting(title: str, fonts: Sequence[str]) -> str:
    """A title, or its start in whole words, or in whole graphemes where a word is too long."""
    if width_of(title, fonts) <= _TITLES:
        return title
    ends = [grapheme.end() for grapheme in regex.finditer(r"\X", title)]
    fit = bisect(ends, _TITLES, key=lambda end: width_of(title[:end] + "…", fonts))
    longest = ends[max(fit, 1) - 1]
    words = title.rfind(" ", 0, longest + 1)
    return title[: words if words > longest / 2 else longest] + "…"


def _color(answers: int) -> str:
    return next((color for least, color in reversed(LEVELS) if answers >= least), EMPTY)
