"""Every public name exists, is documented, and is what `dir` shows."""

import inspect
import tomllib
from pathlib import Path

import pytest

import linkwork


@pytest.mark.parametrize("name", linkwork.__all__)
def test_public_name_exists_and_is_documented(name):
    value = getattr(linkwork, name)
    assert name in dir(linkwork)
    if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
        assert (value.__doc__ or "").strip(), f"linkwork.{name} has no docstring"


def test_names_are_listed_once_and_none_is_private():
    assert len(set(linkwork.__all__)) == len(linkwork.__all__)
    assert [name for name in linkwork.__all__ if name.startswith("_") and name != "__version__"] == []


def test_unknown_name_raises():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = linkwork.no_such_name


def test_version_is_that_of_the_project():
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert linkwork.__version__ == settings["project"]["version"]
