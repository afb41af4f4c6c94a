"""The examples in docstrings run, and give what they show."""

import doctest
import inspect
import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import linkwork as lw

SOURCES = Path(__file__).parents[2] / "src"
PEPTIDE = Path(find_spec("MDAnalysisTests").origin).parent / "data" / "A6PA6_alpha.pdb"
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCES.rglob("*.py"))
    if any(">>> " in line and "+SKIP" not in line for line in path.read_text(encoding="utf-8").splitlines())
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    shutil.copy(PEPTIDE, "peptide.pdb")  # files that readers have of their own
    shutil.copy(SOURCES.parent / "examples" / "motions" / "walk.bvh", "walk.bvh")
    failed, attempted = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    plt.close("all")
    assert attempted
    assert not failed, "see the output captured below"


def test_every_public_name_has_an_example():
    public = (getattr(lw, name) for name in lw.__all__)
    bare = [x.__name__ for x in public if callable(x) and ">>> " not in (inspect.getdoc(x) or "")]
    assert bare == []


def test_every_public_function_says_how_it_fails():
    functions = (getattr(lw, name) for name in lw.__all__)
    silent = [x.__name__ for x in functions if inspect.isfunction(x) and "Raises\n---" not in inspect.getdoc(x)]
    assert silent == []
