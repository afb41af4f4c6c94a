"""Shapes that touch: what a step costs, beside MuJoCo's, how far things creep, and what impacts do to energy.

Run ``python -m benchmarks.contacts [--quick] [--only impacts]``. MuJoCo and coal are used where they are installed.
"""

import argparse
import math
import time

import numpy as np

import linkwork as lw
from benchmarks.peers.robots import FILES, bare_urdf, folder, installed

G = 9.81
STIFFNESS, DAMPING, ARMATURE = 300.0, 5.0, 0.05  # of the humanoid's joints


def step_time(sim, steps, repeats=5):
    """Best time of a step, µs."""
    sim.run(sim.t + 0.05, progress=False)
    best = math.inf
    for _ in range(repeats):
        start = time.process_time()
        sim.run(sim.t + steps * sim.dt, progress=False)
        best = min(best, (time.process_time() - start) / steps)
    return 1e6 * best


def arm():
    """Two links, whose tip stands on the floor."""
    linkage, rod = lw.Linkage(name="arm"), lw.Inertia.rod(0.5, mass=1.0, com=(0, 0, -0.25))
    linkage.add_body("upper", rod, joint=lw.Revolute("y"), at=lw.Pose((0, 0, 0.8)))
    linkage.add_body("lower", rod, joint=lw.Revolute("y"), parent="upper", at=lw.Pose((0, 0, -0.5)))
    linkage.add_shape("lower", lw.Point(), at=lw.Pose((0, 0, -0.5)), friction=0.2, name="tip")
    linkage.add_shape("ground", lw.Plane(), friction=1.0, name="floor")
    a = 0.9
    return linkage, np.array([a, math.acos((0.8 - 0.5 * math.cos(a)) / 0.5) - a])


def g1():
    """A humanoid that stands on eight points, held by springs: the linkage, its pose, its file and its feet."""
    path = folder() / FILES["g1"][0]
    robot = lw.load(path, base="free")
    feet = [visual for visual in robot.visuals if visual.collision and visual.kind == "sphere"]
    for visual in feet:
        robot.add_shape(visual.body, lw.Ball(visual.size[0]), at=visual.pose, friction=0.8)
    names = robot.shapes.names
    for k, name in enumerate(names):
        for other in names[:k]:
            robot.part(name, other)
    robot.add_shape("ground", lw.Plane(), friction=1.0, name="floor")
    for joint in list(robot.joints):
        if joint.nv == 1:
            joint.damping, joint.armature = DAMPING, ARMATURE
            robot.add_force(lw.JointSpring(joint.name, STIFFNESS, 0.0))
    q = robot.neutral()
    poses = lw.body_poses(robot, q)
    q[2] -= min(poses[visual.body].apply(visual.pose.position)[2] - visual.size[0] for visual in feet)
    return robot, q, path, feet


def mujoco_g1(path, feet, height):
    """MuJoCo's model of the same at its default settings, and its state after some steps."""
    import mujoco

    spec = mujoco.MjSpec.from_string(bare_urdf(path))
    spec.option.timestep = 1e-3
    spec.worldbody.bodies[0].add_freejoint()
    for visual in feet:
        sphere = {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": [visual.size[0], 0, 0]}
        spec.body(visual.body).add_geom(pos=visual.pose.position, friction=[0.8, 0, 0], mass=0.0, **sphere)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.8, 0, 0])
    model = spec.compile()
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.dof_damping[6:], model.dof_armature[6:], model.jnt_stiffness[1:] = DAMPING, ARMATURE, STIFFNESS
    data = mujoco.MjData(model)
    data.qpos[2] = height
    mujoco.mj_step(model, data, 50)
    return model, data


def hopper():
    """A leg of two bodies and a spring that hops on a ball; and its pose."""
    linkage = lw.Linkage(name="hopper")
    linkage.add_body("slide", joint=lw.Prismatic("x"))
    linkage.add_body("body", lw.Inertia.box((0.2, 0.2, 0.2), mass=3.0), joint=lw.Prismatic("z"), parent="slide")
    linkage.add_body("leg", lw.Inertia.rod(0.4, mass=0.5), joint=lw.Revolute("y", damping=0.1), parent="body")
    linkage.add_body("foot", lw.Inertia.sphere(0.03, mass=0.2), joint=lw.Prismatic("z", damping=1.0), parent="leg")
    linkage.add_force(lw.JointSpring("foot", 800.0, -0.45))
    linkage.add_shape("foot", lw.Ball(0.03), friction=0.8, name="sole")
    linkage.add_shape("ground", lw.Plane(), friction=1.0, name="floor")
    return linkage, np.array([0.0, 0.6, 0.05, -0.45])


def hopping(count, steps):
    """Seconds of rollouts of a hopper, of the same simulations one by one, and of their steps alone; one thread."""
    linkage, q = hopper()
    rng = np.random.default_rng(0)
    starts = q + rng.uniform(0, 0.1, (count, 4)) * [1, 1, 0, 0]
    v = np.zeros(4)
    lw.set_threads(1)
    lw.rollout(linkage, starts[:2], v, dt=1e-3, steps=steps, record_every=steps)
    begin = time.process_time()
    rolled = lw.rollout(linkage, starts, v, dt=1e-3, steps=steps, record_every=steps)
    together, some = time.process_time() - begin, min(count, 512)
    begin, steps_alone, worst = time.process_time(), 0.0, 0.0
    for k in range(some):
        sim = lw.Simulation(linkage, starts[k], v, dt=1e-3, record_every=steps, contacts="time-stepping")
        start = time.process_time()
        sim.run(steps * 1e-3, progress=False)
        steps_alone += time.process_time() - start
        worst = max(worst, float(np.abs(sim.q - rolled.q[k, -1]).max()))
    alone = (time.process_time() - begin) * count / some
    return together, alone, steps_alone * count / some, worst


def impacts(count):
    """The largest share of its energy that a random impact gains, and the largest error of momentum, N s."""
    from linkwork.dynamics.contact_impact import impact
    from linkwork.kernels.layout.shapes import C_A, C_B, C_FRICTION, C_NORMAL, C_POINT, C_RESTITUTION, CONTACT_ROW

    linkage = lw.Linkage(name="brick", gravity=(0, 0, 0))
    linkage.add_body("brick", lw.Inertia.box((0.5, 0.3, 0.2), mass=2.0, com=(0.05, 0, 0)), joint=lw.Free())
    rng, gained, wrong = np.random.default_rng(1), -math.inf, 0.0
    for case in range(count):
        n, q, v = 1 + case % 4, linkage.random(rng), rng.normal(size=6)
        rows = np.zeros((n, CONTACT_ROW))
        rows[:, C_A], rows[:, C_B] = -1, 0
        rows[:, C_POINT : C_POINT + 3] = rng.normal(scale=0.3, size=(n, 3))
        normals = rng.normal(size=(n, 3)) + np.array([0, 0, 2.0])
        rows[:, C_NORMAL : C_NORMAL + 3] = normals / np.linalg.norm(normals, axis=1)[:, None]
        rows[:, C_FRICTION], rows[:, C_RESTITUTION] = rng.uniform(0, 1.5, n), rng.uniform(0, 1)
        found = impact(linkage, q, v, rows)
        before, after = lw.kinetic_energy(linkage, q, v), lw.kinetic_energy(linkage, q, found.v)
        gained = max(gained, float((after - before) / before))
        change = lw.momentum(linkage, q, found.v) - lw.momentum(linkage, q, v)
        wrong = max(wrong, float(np.abs(change[:3] - found.impulses.sum(axis=0)).max()))
    return gained, wrong


def creep(seconds):
    """Speed, m/s, of a box of 2 kg on 20° with friction 0.5."""
    slope = math.radians(20)
    linkage = lw.Linkage(gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
    linkage.add_body("box", lw.Inertia.box((0.2,) * 3, mass=2.0), joint=lw.Free(), at=lw.Pose((0, 0, 0.1)))
    linkage.add_shape("box", lw.Box((0.2,) * 3), friction=0.5, name="box")
    linkage.add_shape("ground", lw.Plane(), friction=1.0, name="floor")
    sim = lw.Simulation(linkage, dt=1e-3, record_every=1000)
    sim.run(seconds, progress=False)
    return float(np.abs(sim.q[:3]).max()) / seconds


def pinched():
    """A capsule of 0.3 kg between two pads that press it with 12 N each: mujoco #3328."""
    linkage = lw.Linkage(name="pinch")
    for side, x in (("left", -1.0), ("right", 1.0)):
        pad = lw.Inertia.box((0.02, 0.1, 0.1), mass=0.2)
        linkage.add_body(side, pad, joint=lw.Prismatic("x"), at=lw.Pose((0.02 * x, 0, 0)))
        linkage.add_shape(side, lw.Plane((-x, 0, 0)), friction=0.6, name=f"{side}_pad")
    linkage.add_body("capsule", lw.Inertia.capsule(0.02, 0.08, mass=0.3), joint=lw.Free())
    linkage.add_shape("capsule", lw.Capsule(0.02, 0.08), friction=0.6, name="capsule")
    return linkage


def creep_pinched(seconds, contacts):
    """Speed, m/s, with which the capsule sinks."""
    linkage = pinched()
    tau = np.zeros(linkage.nv)
    tau[:2] = 12.0, -12.0
    press = {"controller": lambda sim: tau, "control_every": 10**6}
    sim = lw.Simulation(linkage, dt=1e-3, contacts=contacts, record_every=1000, **press)
    sim.run(seconds, progress=False)
    return float(np.abs(sim.q[2:5]).max()) / seconds


def mujoco_creep_pinched(seconds, options):
    import mujoco

    pads = "".join(
        f"""<body pos="{0.03 * x} 0 0"><joint type="slide" axis="1 0 0"/>
        <geom type="box" size=".01 .05 .05" mass=".2" friction=".6"/></body>"""
        for x in (-1.0, 1.0)
    )
    xml = f"""<mujoco><option timestep=".001" gravity="0 0 {-G}" {options}/><worldbody>{pads}<body><freejoint/>
    <geom type="capsule" size=".02 .04" mass=".3" friction=".6"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qfrc_applied[:2] = 12.0, -12.0
    mujoco.mj_step(model, data, 1000)
    start = data.qpos[4]
    mujoco.mj_step(model, data, int(1000 * seconds))
    return abs(data.qpos[4] - start) / seconds


def mujoco_creep(seconds, options):
    import mujoco

    slope = math.radians(20)
    gravity = f"{G * math.sin(slope)} 0 {-G * math.cos(slope)}"
    xml = f"""<mujoco><option timestep=".001" gravity="{gravity}" {options}/><worldbody>
    <geom type="plane" size="9 9 .1" friction=".5"/><body pos="0 0 .1"><freejoint/>
    <geom type="box" size=".1 .1 .1" mass="2" friction=".5"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)
    start = data.qpos[0]
    mujoco.mj_step(model, data, int(1000 * seconds))
    return abs(data.qpos[0] - start) / seconds


def steps(quick):
    linkage, q = arm()
    print(f"two-link arm, one contact: {step_time(lw.Simulation(linkage, q, dt=1e-3, record_every=100), 1000):.2f} µs "
          "a step of time stepping (budget 4)")  # fmt: skip
    sim = lw.Simulation(linkage, q, dt=1e-3, record_every=100, contacts="events")
    print(f"  by events: {step_time(sim, 1000):.2f} µs a step of RK4 (budget 12), {sim.contacts.mode}")
    robot, q, path, feet = g1()
    sim = lw.Simulation(robot, q, dt=1e-3, record_every=100, limits="ignore")
    taken, pressing = step_time(sim, 40), sum(sim.contacts.normal > 0)
    print(f"g1 on eight points: {taken:.1f} µs a step (budget 45), {pressing} of them press")
    if installed("mujoco"):
        in_turns(sim, *mujoco_g1(path, feet, q[2]), rounds=10 if quick else 40)


def in_turns(sim, model, data, rounds):
    """Steps of ours and of MuJoCo's in turns: the best of each."""
    import mujoco

    ours = theirs = math.inf
    for _ in range(rounds):
        start = time.process_time()
        sim.run(sim.t + 100 * sim.dt, progress=False)
        middle = time.process_time()
        mujoco.mj_step(model, data, 100)
        ours = min(ours, (middle - start) / 100)
        theirs = min(theirs, (time.process_time() - middle) / 100)
    print(f"  in turns with MuJoCo's: {1e6 * ours:.1f} µs a step, MuJoCo {1e6 * theirs:.1f}, {data.ncon} contacts")


def creeping(quick):
    seconds = 2.0 if quick else 10.0
    best = 'cone="elliptic" impratio="100" noslip_iterations="10"'
    settings = {"MuJoCo": "", "MuJoCo, impratio 10": 'cone="elliptic" impratio="10"', "MuJoCo at its best": best}
    settings = settings if installed("mujoco") else {}
    print(f"creep of a box on 20°: {creep(seconds):.1e} m/s (budget 1e-12)")
    for name, options in settings.items():
        print(f"  {name}: {mujoco_creep(seconds, options):.1e} m/s")
    for contacts in ("time-stepping", "events"):
        print(f"creep of a pinched capsule, {contacts}: {creep_pinched(seconds, contacts):.1e} m/s (budget 1e-12)")
    for name, options in settings.items():
        print(f"  {name}: {mujoco_creep_pinched(seconds, options):.1e} m/s")


def rollouts(quick):
    count = 256 if quick else 4096
    together, alone, bare, worst = hopping(count, 500)
    print(f"{count} rollouts of a hopper, 500 steps: {together:.2f} s; one by one {alone / together:.1f}× (budget 2), "
          f"their steps alone {bare / together:.1f}×; equal to {worst:.1e}")  # fmt: skip


def striking(quick):
    count = 500 if quick else 10_000
    gained, wrong = impacts(count)
    print(f"{count} random impacts: the most energy gained {gained:.1e}, momentum to {wrong:.1e} N s")


def piles(quick):
    before = None
    for n in (5, 10) if quick else (10, 25, 50, 75, 100):
        linkage, q = lw.samples.pile(n)
        sim = lw.Simulation(linkage, q, dt=1e-3, record_every=50)
        sim.run(0.05, progress=False)  # by then all have landed
        start, steps = time.process_time(), 10
        for _ in range(steps):
            sim.step()
        taken = 1e3 * (time.process_time() - start) / steps
        touching = sum(len(pair.points) for pair in sim.contacts)
        told = [event.what for event in sim.recording.events if "accurate" in event.what]
        growth = f", contacts^{math.log(taken / before[1]) / math.log(touching / before[0]):.2f}" if before else ""
        print(f"pile of {n} boxes, {touching} contacts: {taken:.1f} ms a step{growth}; residual "
              f"{sim._engine.stepper.residual:.0e}, {told or 'none told'}")  # fmt: skip
        before = touching, taken


PARTS = {"steps": steps, "creep": creeping, "rollouts": rollouts, "impacts": striking, "piles": piles}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter runs, a small pile")
    parser.add_argument("--only", choices=PARTS, help="one part")
    options = parser.parse_args()
    for name, part in PARTS.items():
        if options.only in (None, name):
            part(options.quick)


if __name__ == "__main__":
    main()
