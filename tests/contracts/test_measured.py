"""Figures on pages are those of the stored measurements."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SPEC = importlib.util.spec_from_file_location("measured", DOCS / "measured.py")
assert SPEC is not None
assert SPEC.loader is not None
measured = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(measured)
PAGES = {page.name: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")}


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if "<!-- measured:" in text])
def test_a_page_says_what_was_measured(page):
    assert PAGES[page] == measured.filled(PAGES[page]), "run python docs/measured.py"


def test_every_block_is_on_a_page_and_tells_when_it_was_measured():
    found = [block[1] for text in PAGES.values() for block in measured.BLOCK.findall(text)]
    assert sorted(found) == sorted(measured.BLOCKS)
    for text in PAGES.values():
        assert ("<!-- measured:" in text) <= ("Measured on 20" in text)
