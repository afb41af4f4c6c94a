"""The program that compares two revisions: the same checkout twice gives the same results."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("case", ["one call, aba, panda", "closed, one call, stewart", "simulation step, li-two-link"])
def test_a_revision_equals_itself(case):
    program = [sys.executable, ROOT / "benchmarks" / "revisions.py", ROOT, ROOT, "--rounds", "1", "--turn", "0"]
    run = subprocess.run([*program, "--case", case], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    _, *rows = run.stdout.splitlines()
    assert rows
    for row in rows:
        assert row.startswith(case)
        assert row.endswith("equal to the last bit")
