"""Cassie from its SDF files under motor torques: how far its loops open, here and in MuJoCo, in one run.

    python -m benchmarks.cassie [seconds] [file ...]

For every file: degrees of freedom, rank and redundant rows, time to load; then ten seconds at 5 % and at 50 % of the
motors' torques, alternating at 2 Hz, with the base and the limits of the file: the largest gap of any loop, and the
energy balance: how far the change of energy is from what motors brought in and dampers and limits took out, relative
to the motors' work. What is lost is summed by trapezoids, whose error is most of it. MuJoCo gets the same model and
step, its loops as `connect`, its gears as `joint` equalities; a loop joint that slides has no counterpart there.

`cassie_v2` writes 1.5708 for π/2, after which the axes of its right foot are 7e-8 rad apart: as written, this foot
closes its loop to 1e-10 m only within some hundredths of a radian of its folded pose, where crank, rod and foot lie on
one line. It is run with π/2 in full, and as the file has it where `as-written` is among the files (for the gap alone,
some minutes).
"""

from __future__ import annotations

import sys
import sysconfig
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.kernels.motion.limits import FADE_IN, L_COORDINATE, L_DAMPING, L_DOF, L_LOWER, L_STIFFNESS, L_UPPER

FOLDER = Path(sysconfig.get_path("purelib")) / "cmeel.prefix/share/example-robot-data/robots/cassie_description/robots"
MOTORS = {"roll": 112.5, "yaw": 112.5, "pitch": 195.2, "knee": 195.2, "foot": 45.0}  # N m, behind the gears
DT = 1e-4
FREQUENCY = 2.0  # Hz
LIMITS = lw.Compliant(frequency=200.0)  # rad/s, which the steps resolve well enough to sum up what it takes
AS_WRITTEN = "as-written"


def load(path: Path, *, as_written: bool = False) -> tuple[lw.Linkage, float]:
    """The linkage, and the time that it took, ms of the processor, the best of five."""
    best = np.inf
    for _ in range(5):
        begin = time.process_time()
        linkage = lw.load(path)
        best = min(best, 1e3 * (time.process_time() - begin))
    if path.stem == "cassie_v2" and not as_written:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            copy.write_text(path.read_text().replace("1.5708", repr(np.pi / 2)))
            linkage = lw.load(copy)
    return linkage, best


def start(linkage: lw.Linkage) -> np.ndarray:
    """A closed pose with the feet turned into their limits; the files' own pose has them folded, where they jam."""
    q = linkage.neutral()
    guess = {"foot-op": -1.5, "tarsus-crank-joint": -1.5, "crank-rod-joint": 1.5, "foot-ip": 75.0}
    for side in ("left", "right"):
        turned = q.copy()
        for name, value in guess.items():
            if f"{side}-{name}" in linkage.joints:
                turned[linkage.joints[f"{side}-{name}"].q_slice] = value
        turned = lw.close_loops(linkage, turned)
        if abs(turned[linkage.joints[f"{side}-foot-op"].q_slice][0] + 1.5) < 0.1:  # else this foot is locked
            q = turned
    for joint in linkage.joints:  # some files' feet cannot reach their limits at all: there they move freely
        if joint.limits is not None and not joint.limits[0, 0] <= q[joint.q_slice][0] <= joint.limits[0, 1]:
            joint.limits = None
    return q


def amplitudes(linkage: lw.Linkage) -> np.ndarray:
    """The greatest torque of every motor (nv,)."""
    tau = np.zeros(linkage.nv)
    for joint in linkage.joints:
        for name, torque in MOTORS.items():
            if joint.name.endswith(f"{name}-op"):
                tau[joint.v_slice] = torque
    return tau


def gap(linkage: lw.Linkage, q: np.ndarray) -> float:
    """The largest distance, m, by which a loop is open."""
    poses = lw.body_poses(linkage, q)

    def origin(body: lw.Body, at: lw.Pose) -> np.ndarray:
        return at.position if body.name == "ground" else (poses[body.name] @ at).position

    pins = [loop for loop in linkage.loops if not isinstance(loop.type, lw.Prismatic)]
    return max(float(np.linalg.norm(origin(x.parent, x.at_a) - origin(x.real, x.at_b))) for x in pins)


def ours(
    linkage: lw.Linkage, q: np.ndarray, share: float, seconds: float, dt: float = DT
) -> tuple[float, float, float]:
    """Largest gap, m; error of the energy balance, relative to the motors' work; time, s of the processor."""
    amplitude, phase = share * amplitudes(linkage), np.linspace(0.0, 2.0 * np.pi, linkage.nv)
    damping = np.concatenate([np.atleast_1d(joint.damping) for joint in linkage.joints])

    def torque(t: float) -> np.ndarray:
        return amplitude * np.sin(2.0 * np.pi * FREQUENCY * t + phase)

    begin = time.process_time()
    # Held over a step, so that the motors' work is tau · Δq to the last digit.
    held = {"controller": lambda sim: torque(sim.t), "limits": LIMITS}
    sim = lw.Simulation(linkage, q, np.zeros(linkage.nv), dt=dt, **held)
    table = sim._engine.system.limits.table
    sim.run(seconds, progress=False)
    elapsed = time.process_time() - begin
    run = sim.recording
    worst = max(gap(linkage, each) for each in run.q[:: max(1, len(run.q) // 1000)])

    moved = np.array([linkage.difference(one, two) for one, two in zip(run.q[:-1], run.q[1:], strict=True)])
    work = (np.array([torque(t) for t in run.t[:-1]]) * moved).sum(axis=1)
    losses = (run.v**2 * damping).sum(axis=1) + _to_limits(table, run.q, run.v)
    lost = 0.5 * (losses[1:] + losses[:-1]) * np.diff(run.t)
    energy = np.array(run.energy)
    balance = energy[-1] - energy[0] - work.sum() + lost.sum()
    return worst, float(abs(balance) / np.abs(work).sum()), elapsed


def _to_limits(table: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The power that joints lose to springs and dampers beyond their limits."""
    dof, coordinate = table[:, L_DOF].astype(int), table[:, L_COORDINATE].astype(int)
    x, rate = q[:, coordinate], v[:, dof]
    depth = np.minimum(x - table[:, L_LOWER], 0.0) + np.maximum(x - table[:, L_UPPER], 0.0)
    spring = table[:, L_STIFFNESS] * depth
    most = FADE_IN * np.abs(spring)
    push = spring + np.clip(table[:, L_DAMPING] * rate, -most, most)
    return (np.where(push * depth > 0.0, push, 0.0) * rate).sum(axis=1)


def mjcf(linkage: lw.Linkage) -> str:
    """The same model for MuJoCo."""
    below: dict[str, list[lw.Joint]] = {}
    for joint in linkage.joints:
        below.setdefault(joint.parent.name, []).append(joint)
    sites: dict[str, list[str]] = {}
    equalities = []
    for number, loop in enumerate(linkage.loops):
        offsets = [np.zeros(3)]
        if isinstance(loop.type, lw.Revolute):
            offsets = [-0.05 * np.array(loop.type.axis), 0.05 * np.array(loop.type.axis)]
        elif not isinstance(loop.type, lw.Spherical):
            continue
        for k, offset in enumerate(offsets):
            for end, body, at in (("a", loop.parent, loop.at_a), ("b", loop.real, loop.at_b)):
                site = f'<site name="s{number}{k}{end}" pos="{_text(at.apply(offset))}"/>'
                sites.setdefault(body.name, []).append(site)
            equalities.append(f'<connect name="c{number}{k}" site1="s{number}{k}a" site2="s{number}{k}b"/>')
    equalities += [
        f'<joint joint1="{each.joint}" joint2="{each.of}" polycoef="{each.offset} {each.multiplier} 0 0 0"/>'
        for each in linkage.couplings
    ]
    springs = {force.joint: force for force in linkage.forces if isinstance(force, lw.JointSpring)}

    def body(joint: lw.Joint) -> str:
        child, kind = joint.child, joint.type
        moments = child.inertia.matrix
        full = [moments[i, k] for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        options = f'damping="{np.max(joint.damping)}"'
        if joint.limits is not None:
            options += f' range="{_text(joint.limits[0])}" limited="true"'
        if joint.name in springs:
            options += f' stiffness="{springs[joint.name].stiffness}" springref="{springs[joint.name].rest}"'
        if isinstance(kind, lw.Spherical):
            options += ' type="ball"'
        else:
            options += f' axis="{_text(kind.axis)}" type="{"slide" if isinstance(kind, lw.Prismatic) else "hinge"}"'
        turn = np.roll(joint.at.quaternion, 1)
        inertial = f'<inertial pos="{_text(child.inertia.com)}" mass="{child.mass}" fullinertia="{_text(full)}"/>'
        inside = "".join(sites.get(child.name, [])) + "".join(body(each) for each in below.get(child.name, []))
        return (
            f'<body name="{child.name}" pos="{_text(joint.at.position)}" quat="{_text(turn)}">{inertial}'
            f'<joint name="{joint.name}" {options}/>{inside}</body>'
        )

    world = "".join(sites.get("ground", [])) + "".join(body(joint) for joint in below["ground"])
    return (
        f'<mujoco><compiler angle="radian" balanceinertia="true"/><option timestep="{DT}" integrator="implicitfast"/>'
        f"<worldbody>{world}</worldbody><equality>{''.join(equalities)}</equality></mujoco>"
    )


def _text(values) -> str:
    return " ".join(repr(float(value)) for value in np.ravel(values))


def mujocos(linkage: lw.Linkage, q: np.ndarray, share: float, seconds: float) -> float:
    """Largest gap of a connected point in MuJoCo, m."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf(linkage))
    data = mujoco.MjData(model)
    order = [model.jnt(k).name for k in range(model.njnt)]
    dofs = lw.order_map(linkage, order).v
    for k, name in enumerate(order):
        part = q[linkage.joints[name].q_slice].copy()
        first = model.jnt_qposadr[k]
        data.qpos[first : first + len(part)] = np.roll(part, 1) if len(part) == 4 else part
    amplitude, phase = share * amplitudes(linkage), np.linspace(0.0, 2.0 * np.pi, linkage.nv)
    worst = 0.0
    for _ in range(round(seconds / DT)):
        data.qfrc_applied = (amplitude * np.sin(2.0 * np.pi * FREQUENCY * data.time + phase))[dofs]
        mujoco.mj_step(model, data)
        pairs = data.site_xpos.reshape(-1, 3)
        one, two = model.eq_obj1id[model.eq_type == 0], model.eq_obj2id[model.eq_type == 0]
        worst = max(worst, float(np.linalg.norm(pairs[one] - pairs[two], axis=1).max()))
    return worst


def main(seconds: float = 10.0, files: tuple[str, ...] = ()) -> None:
    """Print the table."""
    warnings.simplefilter("ignore", lw.LinkworkWarning)
    columns = f"{'load ms':>7} {'dof':>4} {'rank':>4} {'redundant':>9}   torque    our gap m  energy, rel  MuJoCo gap m"
    print(f"{'file':28} {columns}")
    cases = [(path, False) for path in sorted(FOLDER.glob("*.sdf")) if not files or path.stem in files]
    if AS_WRITTEN in files:
        cases.append((FOLDER / "cassie_v2.sdf", True))
    for path, as_written in cases:
        linkage, loading = load(path, as_written=as_written)
        q = start(linkage)
        found = lw.mobility(linkage, q)
        name = path.stem + (f" {AS_WRITTEN}" if as_written else "")
        head = f"{name:28} {loading:7.1f} {found.dof:4} {linkage.nv - found.dof:4} {found.redundant:9}"
        for share in (0.05, 0.5):
            worst, balance, elapsed = ours(linkage, q, share, seconds, 5 * DT if as_written else DT)
            slides = any(isinstance(loop.type, lw.Prismatic) for loop in linkage.loops)
            theirs = "–" if slides else f"{mujocos(linkage, q, share, seconds):.2e}"
            energy = "–" if as_written else f"{balance:.2e}"
            print(f"{head}   {share:5.0%}   {worst:10.2e}   {energy:>10}  {theirs:>12}   {elapsed:.0f} s", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0, tuple(sys.argv[2:]))
