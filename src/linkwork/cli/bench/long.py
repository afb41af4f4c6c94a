"""Forward dynamics of long chains and large trees: each library up to where it stops, with time and memory.

Every case runs in a process of its own, under limits of memory and time: some peers take all the machine has.
``python -m linkwork.cli.bench.long linkwork tree 1000`` runs one case and prints its figures as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np

import linkwork as lw
from linkwork.cli.bench.robots import installed

CHAINS = (100, 300, 500, 700, 1000, 3000, 10_000, 50_000)
TREE = 1_000_000
MEMORY = 8 * 2**30  # bytes a case may take
PATIENCE = 120.0  # seconds it may take
_LENGTH, _MASS, _ACROSS, _ALONG = 1.0, 1.0, 1 / 12 + 1 / 1600, 1 / 800  # a rod of `lw.samples.chain`


class Case(NamedTuple):
    """A library, a shape and a number of joints; what it took, or why it failed."""

    peer: str
    shape: str
    joints: int
    build_seconds: float | None = None
    seconds: float | None = None
    megabytes: float | None = None
    failure: str | None = None
    norm: float | None = None


def compare(*, peers: bool = True, chains=CHAINS, tree: int = TREE) -> Iterator[Case]:
    """Every library at every length up to the first that it cannot do, then our largest tree."""
    norms: dict[int, float | None] = {}  # of the accelerations, ours first
    for peer in PEERS if peers else ["linkwork"]:
        if not installed(_MODULES[peer]):
            yield Case(peer, "chain", 0, failure="not installed")
            continue
        for n in chains:
            case = run(peer, "chain", n)
            norms.setdefault(n, case.norm)
            if case.norm and norms[n] and abs(case.norm - norms[n]) > 1e-3 * norms[n]:
                case = case._replace(failure=f"differs from ours: |a| is {case.norm:.6g}, not {norms[n]:.6g}")
            yield case
            if case.failure:
                break
    yield run("linkwork", "tree", tree)


def run(peer: str, shape: str, joints: int) -> Case:
    """One case in a process of its own."""
    command = [sys.executable, "-m", __name__, peer, shape, str(joints)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return Case(peer, shape, joints, failure=f"takes more than {PATIENCE:.0f} s")
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines:
        return Case(peer, shape, joints, **json.loads(lines[-1]))
    if done.returncode < 0 or "MemoryError" in done.stderr or "bad_alloc" in done.stderr or "allocate" in done.stderr:
        return Case(peer, shape, joints, failure=f"takes more than {MEMORY / 2**30:.0f} GiB")
    reasons = [line for line in done.stderr.splitlines() if "Error" in line]
    return Case(peer, shape, joints, failure=reasons[-1][:60] if reasons else f"exit code {done.returncode}")


def _state(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Angles and rates of a chain's joints: small, so that the result is well-conditioned at any length."""
    rng = np.random.default_rng(0)
    return 0.3 * rng.normal(size=n) / np.sqrt(n), 0.1 * rng.normal(size=n) / np.sqrt(n)


def _linkwork(shape, n) -> Callable[[], np.ndarray]:
    linkage = lw.samples.chain(n) if shape == "chain" else lw.samples.tree(n)
    q, v = _state(n)
    return lambda: lw.forward_dynamics(linkage, q, v)


def _pinocchio(shape, n):
    import pinocchio as pin

    model = pin.Model()
    rod = pin.Inertia(_MASS, np.array([0, 0, -_LENGTH / 2]), np.diag([_ACROSS, _ACROSS, _ALONG]))
    parent, place = 0, pin.SE3.Identity()
    for k in range(n):
        parent = model.addJoint(parent, pin.JointModelRY(), place, f"joint{k}")
        model.appendBodyToJoint(parent, rod, pin.SE3.Identity())
        place = pin.SE3(np.eye(3), np.array([0, 0, -_LENGTH]))
    data, zero, (q, v) = model.createData(), np.zeros(n), _state(n)
    return lambda: pin.aba(model, data, q, v, zero)


def _mujoco(shape, n):
    import mujoco

    spec = mujoco.MjSpec()
    body = spec.worldbody
    for k in range(n):
        body = body.add_body(
            pos=[0, 0, -_LENGTH if k else 0], mass=_MASS, ipos=[0, 0, -_LENGTH / 2],
            inertia=[_ACROSS, _ACROSS, _ALONG], explicitinertial=True,
        )  # fmt: skip
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos, data.qvel = _state(n)

    def forward():
        mujoco.mj_forward(model, data)
        return data.qacc

    return forward


def _drake(shape, n):
    multibody = import_module("pydrake.multibody.tree")
    pose = import_module("pydrake.math").RigidTransform
    plant = import_module("pydrake.multibody.plant").MultibodyPlant(0.0)
    com = np.array([0, 0, -_LENGTH / 2])
    about_com = multibody.UnitInertia(_ACROSS / _MASS, _ACROSS / _MASS, _ALONG / _MASS)
    rod = multibody.SpatialInertia(_MASS, com, about_com.ShiftFromCenterOfMass(com))
    parent, place = plant.world_body(), pose()
    for k in range(n):
        child = plant.AddRigidBody(f"rod{k}", rod)
        end = plant.AddFrame(multibody.FixedOffsetFrame(f"end{k}", parent.body_frame(), place))
        plant.AddJoint(multibody.RevoluteJoint(f"joint{k}", end, child.body_frame(), [0, 1, 0]))
        parent, place = child, pose([0, 0, -_LENGTH])
    plant.Finalize()
    context = plant.CreateDefaultContext()
    state = np.concatenate(_state(n))
    derivatives = plant.AllocateTimeDerivatives()

    def forward():
        plant.SetPositionsAndVelocities(context, state)  # set anew, so that nothing is cached
        plant.CalcTimeDerivatives(context, derivatives)
        return derivatives.CopyToVector()[n:]

    return forward


def _exudyn(shape, n):
    exu, items = import_module("exudyn"), import_module("exudyn.itemInterface")
    system = exu.SystemContainer().AddSystem()
    q, v = _state(n)
    node = system.AddNode(
        items.NodeGenericODE2(
            numberOfODE2Coordinates=n, referenceCoordinates=[0.0] * n, initialCoordinates=list(q),
            initialCoordinates_t=list(v),
        )
    )  # fmt: skip
    rod = np.diag([_ACROSS, _ALONG, _ACROSS])  # its joints turn about z: the chain hangs along y
    system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node, jointTypes=[exu.JointType.RevoluteZ] * n, linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exu.Vector3DList([[0.0, -_LENGTH if k else 0.0, 0.0] for k in range(n)]),
            linkInertiasCOM=exu.Matrix3DList([rod] * n), linkMasses=[_MASS] * n,
            linkCOMs=exu.Vector3DList([[0.0, -_LENGTH / 2, 0.0]] * n), gravity=[0.0, -9.81, 0.0],
        )
    )  # fmt: skip
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = 1, 1e-6
    settings.timeIntegration.verboseMode, settings.solutionSettings.writeSolutionToFile = 0, False

    def step():  # it has no call for accelerations alone: one explicit step stands for it
        system.SolveDynamic(settings, solverType=exu.DynamicSolverType.ExplicitEuler)
        return system.systemData.GetODE2Coordinates_tt()

    return step


PEERS = {"linkwork": _linkwork, "Pinocchio": _pinocchio, "MuJoCo": _mujoco, "Drake": _drake, "Exudyn": _exudyn}
_MODULES = {peer: peer.lower() for peer in PEERS} | {"Drake": "pydrake"}


def _measure(peer, shape, n):
    """Build, run once, then take the best of a few more; memory beyond that of a chain of one."""
    PEERS[peer]("chain", 1)()
    before = _peak_memory()
    start = time.perf_counter()
    forward = PEERS[peer](shape, n)
    built = time.perf_counter() - start
    result = np.copy(forward())
    if not np.isfinite(result).all():
        raise SystemExit("Error: the result is not finite")
    times = []
    while len(times) < 3 or (sum(times) < 0.5 and len(times) < 200):
        start = time.perf_counter()
        forward()
        times.append(time.perf_counter() - start)
    return {
        "build_seconds": built,
        "seconds": min(times),
        "megabytes": (_peak_memory() - before) / 1e6,
        "norm": float(np.linalg.norm(result)),
    }


def _limit_memory():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _peak_memory() -> int:
    """Largest resident memory of this process so far, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])
    return 0


if __name__ == "__main__":
    _limit_memory()
    sys.stdout.write(json.dumps(_measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
