"""One Chromium for all tests here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import PROGRAM, Browser


@pytest.fixture(scope="session")
def browser():
    if PROGRAM is None:
        pytest.skip("no Chromium: as root, apt-get install chromium")
    made = Browser()
    yield made
    made.close()
