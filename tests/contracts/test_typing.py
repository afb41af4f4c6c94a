"""Editors and type checkers see the public surface: pyright on a user's code, and on all examples."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyright")

ROOT = Path(__file__).parents[2]
SETTING = """
import numpy as np
import linkwork as lw
linkage = lw.Linkage(name="arm")
q, v = linkage.neutral(), np.zeros(linkage.nv)
sim = lw.Simulation(linkage, q, v)
"""
ARRAY = r"ndarray\["
TYPES = {  # an expression of a user's, and what its type must look like
    "lw.forward_dynamics": r"\(linkage: Linkage, q: .*, v: .*, tau: .* = None, .*method: str = .*\) -> ndarray",
    "lw.forward_dynamics(linkage, q, v)": ARRAY,
    "lw.Pose((0, 0, 1)).rotation": ARRAY,
    "lw.load('robot.urdf')": "Linkage",
    "lw.samples.chain(3)": "Linkage",
    "lw.plots": "Module",
    "lw.__version__": "str",
    "linkage.add_body('a', joint=lw.Revolute('y')).inertia.matrix": ARRAY,
    "linkage.bodies['a']": "Body",
    "linkage.bodies[:2]": r"list\[Body\]",
    "linkage.joints['elbow'].q_slice": "slice",
    "linkage.joints['elbow'].child": "Body",
    "linkage.loops['pin'].real": "Body",
    "linkage.contacts['floor'].point": ARRAY,
    "linkage.frames['tool'].pose": "Pose",
    "linkage.cut('elbow').carry(q, v)[0]": ARRAY,
    "linkage.couplings[0]": "Coupling",
    "linkage.gravity": ARRAY,
    "lw.body_poses(linkage, q)['a']": "Pose",
    "lw.solve(linkage, q, v)": "Solution",
    "lw.solve(linkage, q, v).loop_wrenches": ARRAY,
    "lw.solve(linkage, q, v).method": "str",
    "lw.mobility(linkage, q).W": ARRAY,
    "lw.velocity_jump(linkage, q, v, 'pin').energy_lost": "float",
    "lw.AdaptiveSimulation(linkage).step().error_bound": "float",
    "lw.rollout(linkage, q, v).q": ARRAY,
    "sim.recording": "Recording",
    "sim.recording.q": ARRAY,
}
WRONG = [
    "lw.forward_dynamic",
    "linkage.bodys",
    "linkage.joints['elbow'].dampin",
    "linkage.taken_names",
    "lw.samples.chian",
]


def pyright(folder, paths):
    """What pyright says of these files: (file's name, line, severity, message)."""
    settings = {
        "include": [os.path.relpath(path, folder) for path in paths],
        "extraPaths": [os.path.relpath(ROOT / "src", folder)],
        "typeCheckingMode": "basic",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--project", folder, "--pythonpath", sys.executable, "--outputjson"]
    run = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(run.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(paths), run.stderr
    return [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["severity"], each["message"])
        for each in report["generalDiagnostics"]
    ]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """All that pyright says of a user's code and of the examples: one run."""
    folder = tmp_path_factory.mktemp("typing")
    sample = folder / "user.py"
    lines = [SETTING, *(f"reveal_type({each})" for each in TYPES), *WRONG]
    sample.write_text("\n".join(lines), encoding="utf-8")
    return pyright(folder, [sample, *sorted((ROOT / "examples").glob("[0-9]*.py"))])


def test_types_of_public_things(said):
    revealed = [message for file, _, severity, message in said if file == "user.py" and severity == "information"]
    assert len(revealed) == len(TYPES)
    for (expression, expected), message in zip(TYPES.items(), revealed, strict=True):
        found = re.fullmatch(r'Type of ".*" is "(.*)"', message, re.DOTALL)
        assert found, message
        assert re.match(expected, found[1], re.DOTALL), f"{expression} is {found[1]}"


def test_misspelt_and_private_names_are_errors(said):
    errors = [message for file, _, severity, message in said if file == "user.py" and severity == "error"]
    assert len(errors) == len(WRONG), errors
    for wrong, message in zip(WRONG, errors, strict=True):
        assert wrong.rpartition(".")[2] in message


def test_examples_check_clean(said):
    assert [each for each in said if each[0] != "user.py"] == []
