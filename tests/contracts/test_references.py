"""Citation keys: those of docstrings and docs pages are in docs/references.md, the papers' in CITATION.cff too."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEY = re.compile(r"\[(Li|[A-Za-z]+(?:19|20)\d\d)\](?!\()")


def keys(path):
    return set(KEY.findall(path.read_text()))


def listed():
    return set(re.findall(r"^\[(\w+)\]$", (ROOT / "docs/references.md").read_text(), re.MULTILINE))


def test_every_key_is_listed():
    patterns = ("src/**/*.py", "docs/*.md", "tests/**/*.py", "benchmarks/**/*.py")
    used = {key for pattern in patterns for path in ROOT.glob(pattern) for key in keys(path)}
    assert used == listed()  # none is missing, and none is listed in vain


def test_citation_file_has_the_papers_under_the_same_keys():
    cited = set(re.findall(r"Key in docstrings - (\w+)\.", (ROOT / "CITATION.cff").read_text()))
    papers = (ROOT / "docs/references.md").read_text().split("## Further sources")[0]
    assert cited == set(re.findall(r"^\[(\w+)\]$", papers, re.MULTILINE))
