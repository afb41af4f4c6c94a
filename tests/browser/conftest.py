"""One Chromium for all tests here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import PROGRAM, Browser


@pytest.fixture(scope="module")
def chromium():
    if PROGRAM is None:
        pytest.skip("no Chromium: as root, apt-get install chromium")
    made = Browser()
    yield made
    made.close()


@pytest.fixture
def browser(chromium):
    """On an empty page, with nothing to complain about yet."""
    chromium.open("about:blank")
    chromium.run("1")
    chromium.log.clear()
    return chromium
