"""Kernels give the same results compiled, interpreted and bounds-checked.

The first test compares methods that share little code. By its marks it also runs under NUMBA_DISABLE_JIT=1
and under NUMBA_BOUNDSCHECK=1. The second one holds interpreted against compiled numbers.
"""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import linkwork as lw

JOINTS = {
    "Fixed": lw.Fixed(),
    "Revolute": lw.Revolute((1, 2, 3), damping=0.2, armature=0.1),
    "Prismatic": lw.Prismatic("x"),
    "Helical": lw.Helical("y", 0.3),
    "Cylindrical": lw.Cylindrical((0, 1, 1)),
    "Universal": lw.Universal("x", "z"),
    "Planar": lw.Planar("y"),
    "Spherical": lw.Spherical(),
    "Free": lw.Free(),
}


def linkage_of(joint):
    """A hinged trunk with two arms: the joint under test, carrying a hinge, and another hinge."""
    linkage = lw.Linkage(name="small")
    box = lw.Inertia.box((0.1, 0.2, 0.3), mass=2.0, com=(0.1, -0.2, 0.15))
    tilted = lw.Pose.rpy(0.3, -0.5, 0.7, position=(0.2, 0.1, -0.3))
    linkage.add_body("trunk", box, joint=lw.Revolute("z"), parent="ground", at=tilted)
    linkage.add_body("tested", box, joint=joint, parent="trunk", at=tilted)
    linkage.add_body("hand", box, joint=lw.Revolute("x"), parent="tested", at=tilted)
    linkage.add_body("other", box, joint=lw.Revolute("y"), parent="trunk", at=tilted)
    return linkage


def results(joint_name):
    """Accelerations by each method, and what a dense solve makes of mass matrix and bias force."""
    linkage = linkage_of(JOINTS[joint_name])
    rng = np.random.default_rng(7)
    q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    f_ext = rng.normal(size=(linkage.nb, 6))
    values = {"dense": np.linalg.solve(lw.mass_matrix(linkage, q), tau - lw.bias_force(linkage, q, v, f_ext))}
    for method in ("aba", "crba", "unit-vector", "virtual-work"):
        values[method] = lw.forward_dynamics(linkage, q, v, tau, f_ext, method=method)
    return values


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("joint_name", JOINTS)
def test_methods_agree_with_a_dense_solve(joint_name):
    values = results(joint_name)
    scale = np.abs(values["dense"]).max()
    for method in ("aba", "crba", "unit-vector", "virtual-work"):
        # Condition numbers here are below 1e3, so that rounding stays far below this.
        np.testing.assert_allclose(values[method], values["dense"], atol=1e-11 * scale, err_msg=method)


def test_interpreted_kernels_give_the_compiled_numbers():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    interpreted = json.loads(run.stdout)
    for joint_name in JOINTS:
        for method, compiled in results(joint_name).items():
            # Fused and reordered operations round differently; nothing else may differ.
            found = interpreted[joint_name][method]
            np.testing.assert_allclose(found, compiled, 1e-11, 1e-11, err_msg=f"{joint_name}, {method}")


if __name__ == "__main__":
    every = {name: {key: value.tolist() for key, value in results(name).items()} for name in JOINTS}
    sys.stdout.write(json.dumps(every))
