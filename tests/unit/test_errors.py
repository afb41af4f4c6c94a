"""Errors say what, where and what to do; they survive pickling."""

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.errors import unknown_name


@pytest.mark.parametrize(
    ("error", "base"),
    [
        (lw.DescriptionError, ValueError),
        (lw.ArgumentError, ValueError),
        (lw.StructureError, RuntimeError),
        (lw.SingularError, RuntimeError),
        (lw.DivergedError, RuntimeError),
    ],
)
def test_every_error_is_a_linkwork_error_and_a_builtin_one(error, base):
    assert issubclass(error, lw.LinkworkError)
    assert issubclass(error, base)


def test_description_error_names_file_line_element():
    error = lw.DescriptionError("mass is negative", file="arm.urdf", line=12, element="link 'hand'")
    assert str(error) == "arm.urdf:12: link 'hand': mass is negative"
    again = pickle.loads(pickle.dumps(error))
    assert (again.file, again.line, again.element, str(again)) == ("arm.urdf", 12, "link 'hand'", str(error))


def test_diverged_error_keeps_its_recording():
    error = lw.DivergedError("gone", time=1.5, joint="knee", recording=[1, 2])
    again = copy.copy(error)
    assert (again.time, again.joint, again.recording) == (1.5, "knee", [1, 2])


def test_unknown_name_offers_the_nearest():
    message = str(unknown_name("joint", "elbwo", ["shoulder", "elbow", "wrist"]))
    assert "'elbwo'" in message
    assert "'elbow'" in message
    assert "shoulder" not in message
    assert "'a'" in str(unknown_name("joint", "zzz", ["a", "b"]))
    assert "none" in str(unknown_name("joint", "zzz", []))
    assert str(unknown_name("method", "ABA", ["auto", "aba"])).endswith("did you mean 'aba'?")


def test_describing_needs_no_compiler():
    code = (
        "import sys, linkwork as lw; l = lw.Linkage(); l.add_body('a', joint=lw.Free()); l.neutral();"
        "print([m for m in ('numba', 'scipy', 'lxml', 'yaml') if m in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(lw.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "[]"
