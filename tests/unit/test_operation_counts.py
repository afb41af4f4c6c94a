"""The counting numbers count, and say that virtual work is linear where other methods are not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def counts():
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    program = [sys.executable, ROOT / "benchmarks" / "operation_counts.py", "--json"]
    run = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def added(counts, case, method, small, large):
    """Operations that each further link costs."""
    few, many = (sum(counts[case][method][str(n)].values()) for n in (small, large))
    return (many - few) / (large - small)


@pytest.mark.parametrize("case", ["chain of hinges", "chain of ball joints", "star of ball joints"])
def test_each_further_link_costs_the_same(counts, case):
    """From 32 links on: there virtual work on hinges has come to its update for stiff chains, and to its check."""
    for method in ("aba", "virtual-work"):
        assert added(counts, case, method, 32, 64) == pytest.approx(added(counts, case, method, 64, 128), rel=0.05)
    assert added(counts, case, "unit-vector", 16, 32) > 3 * added(counts, case, "unit-vector", 4, 8)


def test_a_ball_joint_costs_virtual_work_no_more_than_a_hinge(counts):
    ball = added(counts, "chain of ball joints", "virtual-work", 8, 32)
    assert ball <= added(counts, "chain of hinges", "virtual-work", 8, 32)


def test_splitting_makes_a_star_linear(counts):
    """Figure 7: as printed a joint costs more the more joints its link has; split, every one costs the same."""
    star, split, printed = "star of ball joints", "virtual-work, split links", "virtual-work, as printed"
    assert added(counts, star, split, 16, 32) == pytest.approx(added(counts, star, split, 32, 64), rel=0.01)
    assert added(counts, star, printed, 8, 12) > 1.8 * added(counts, star, printed, 4, 8)
    assert added(counts, star, split, 32, 64) > 2 * added(counts, star, "virtual-work", 32, 64)


@pytest.mark.parametrize("case", ["chain of ball joints", "star of ball joints"])
def test_divide_and_conquer_is_linear(counts, case):
    assert added(counts, case, "dca", 8, 16) == pytest.approx(added(counts, case, "dca", 16, 32), rel=0.1)
