"""Every name in the stub exists, is documented, and is what `dir` shows."""

import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import linkwork

STUB = Path(linkwork.__file__).with_suffix(".pyi").read_text(encoding="utf-8")


def test_names_are_those_of_the_stub_each_listed_once():
    names = re.findall(r"^from \.\S* import (\w+) as \1$", STUB, re.MULTILINE)
    assert len(names) == len(re.findall(r"\bimport\b", STUB))
    assert sorted(names) == linkwork.__all__
    assert [name for name in names if name.startswith("_")] == []


@pytest.mark.parametrize("name", linkwork.__all__)
def test_public_name_exists_and_is_documented(name):
    value = getattr(linkwork, name)
    assert name in dir(linkwork)
    if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
        assert (value.__doc__ or "").strip(), f"linkwork.{name} has no docstring"


def test_dir_shows_the_public_names_and_no_modules_that_happen_to_be_loaded():
    assert [name for name in dir(linkwork) if not name.startswith("__")] == linkwork.__all__


def test_unknown_name_raises_and_the_nearest_is_offered():
    run = subprocess.run([sys.executable, "-c", "import linkwork; linkwork.forward_dynamic"], stderr=subprocess.PIPE)
    assert b"has no attribute 'forward_dynamic'. Did you mean: 'forward_dynamics'?" in run.stderr


def test_version_is_that_of_the_project():
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert linkwork.__version__ == settings["project"]["version"]
