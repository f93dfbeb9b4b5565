"""The bot keeps its promises by the fault machine's dice.

FAULT_MACHINE_SEEDS says how many runs in-process the full set has; a tenth as many are made with
the real process. A failing run names the command that makes it again.
"""

import os

import pytest

from tests.fault_machine import Seed, complaint, run_all

SEEDS = int(os.environ.get("FAULT_MACHINE_SEEDS", "200"))


def test_a_few_runs_amid_trouble_leave_nothing_wrong() -> None:
    seeds = [Seed(number) for number in range(4)]
    assert [complaint(seed, result) for seed, result in run_all(seeds, jobs=2)] == [""] * 4


@pytest.mark.slow
def test_many_runs_amid_trouble_leave_nothing_wrong() -> None:
    seeds = [Seed(number) for number in range(SEEDS)]
    seeds += [Seed(number, with_process=True) for number in range(SEEDS // 10)]
    results = run_all(seeds, jobs=os.cpu_count() or 1)
    assert [wrong for seed, result in results if (wrong := complaint(seed, result))] == []
