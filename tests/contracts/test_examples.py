"""Examples have the form that the gallery asks for; they are run where the documentation is built."""

from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_fits_the_gallery(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 80
    assert lines[0] == '"""'
    assert not any("SystemExit" in line or "exit(" in line for line in lines), "it would end the documentation's build"
    assert set(lines[2]) == {"="}, "the docstring starts with a title, for the gallery"
