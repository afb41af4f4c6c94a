"""Each example runs by itself, in an empty folder, and prints something."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "error", path], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_fits_the_gallery(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 80
    assert lines[0] == '"""'
    assert set(lines[2]) == {"="}, "the docstring starts with a title, for the gallery"
