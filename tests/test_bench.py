"""The benchmarks run, and what they print says what it seems to say."""

from io import StringIO
from pathlib import Path

import orjson
import pytest
from rich.console import Console

from tests.bench.__main__ import BENCHES, main
from tests.bench.report import Report, at_share, ratio, spread
from tests.bench.throughput import measure


def test_a_benchmark_that_does_not_exist_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["speed"])
    assert ended.value.code == 2
    assert f"there is no 'speed', only {', '.join(BENCHES)}" in capsys.readouterr().err


def test_a_spread_is_the_median_and_what_it_lies_between() -> None:
    assert spread([3.0, 1.0, 2.5]) == "2.5 (1.0 to 3.0)"
    assert spread([2.5]) == "2.5"


def test_runs_side_by_side_are_compared_with_each_other() -> None:
    # The machine was ten times as fast in the last run: the ratio is the same.
    assert ratio([2.0, 4.0, 20.0], [1.0, 2.0, 10.0]) == 2.0


def test_a_share_is_found_in_values_of_any_order() -> None:
    values = [float(value) for value in reversed(range(100))]
    assert at_share(values, 0.5) == 50.0
    assert at_share(values, 0.99) == 99.0
    assert at_share([7.0], 0.99) == 7.0


def test_a_report_is_a_table_for_people_and_rows_for_programs() -> None:
    report = Report("Times", ("", "s"), [("start", "0.9")], ("Medians.",))
    written = StringIO()
    report.show(Console(file=written, width=40))
    assert [line.strip("│┃ ") for line in written.getvalue().splitlines() if "start" in line] == [
        "start │ 0.9"
    ]
    assert report.as_json() == {
        "title": "Times",
        "rows": [{"": "start", "s": "0.9"}],
        "notes": ["Medians."],
    }


@pytest.mark.slow
async def test_an_answer_is_a_vote_and_a_press_and_three_calls() -> None:
    run = await measure("aiohttp", at_once=4, seconds=0.5)
    assert round(run.calls) == 3
    assert round(run.updates) == 2


@pytest.mark.slow
def test_what_was_found_is_written_as_json(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    main(["memory", "--small", "--json", str(file)])
    (report,) = orjson.loads(file.read_bytes())["memory"]
    assert [row[""] for row in report["rows"]] == ["idle", "100 open attempts, 10 rounds"]
