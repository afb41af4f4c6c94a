"""Kernels of the assembly tree take what travels together as tuples: no function has more than twelve arguments."""

import ast
from pathlib import Path

import pytest

import linkwork.kernels

FOLDER = Path(linkwork.kernels.__file__).parent
FILES = [*FOLDER.glob("assembly_tree/*.py"), *FOLDER.glob("algebra/*6.py")]
MOST = 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_function_takes_more_than_twelve_arguments(path):
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    assert {f.name: len(f.args.args) for f in functions if len(f.args.args) > MOST} == {}
