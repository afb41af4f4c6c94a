"""Shapes that touch, by time stepping: what a step costs, beside MuJoCo's, and how far boxes creep.

Run ``python -m benchmarks.contacts [--quick]``. MuJoCo and coal are used where they are installed.
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


def mujoco_g1(path, feet, height, steps=500):
    """MuJoCo's step of the same model at its default settings, µs, and how many contacts it has."""
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
    mujoco.mj_step(model, data, 20)
    best, touching = math.inf, data.ncon
    for _ in range(5):
        start = time.process_time()
        mujoco.mj_step(model, data, steps // 5)
        best = min(best, (time.process_time() - start) / (steps // 5))
    return 1e6 * best, touching


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter runs, no pile")
    quick = parser.parse_args().quick
    linkage, q = arm()
    print(f"two-link arm, one contact: {step_time(lw.Simulation(linkage, q, dt=1e-3, record_every=100), 1000):.2f} µs")
    robot, q, path, feet = g1()
    sim = lw.Simulation(robot, q, dt=1e-3, record_every=100, limits="ignore")
    print(f"g1 on eight points: {step_time(sim, 40):.1f} µs a step, {sum(sim.contacts.normal > 0)} of them press")
    if installed("mujoco"):
        best, count = mujoco_g1(path, feet, q[2])
        print(f"  MuJoCo: {best:.1f} µs a step, {count} contacts")
    seconds = 2.0 if quick else 10.0
    print(f"creep of a box on 20°: {creep(seconds):.1e} m/s")
    best = 'cone="elliptic" impratio="100" noslip_iterations="10"'
    settings = {"MuJoCo": "", "MuJoCo, impratio 10": 'cone="elliptic" impratio="10"', "MuJoCo at its best": best}
    for name, options in settings.items() if installed("mujoco") else ():
        print(f"  {name}: {mujoco_creep(seconds, options):.1e} m/s")
    for n in (5,) if quick else (10, 25, 100):
        linkage, q = lw.samples.pile(n)
        sim = lw.Simulation(linkage, q, dt=1e-3, record_every=50)
        sim.run(0.05, progress=False)
        start, steps = time.process_time(), 5
        for _ in range(steps):
            sim.step()
        touching = sum(len(pair.points) for pair in sim.contacts)
        print(f"pile of {n} boxes, {touching} contacts: {1e3 * (time.process_time() - start) / steps:.1f} ms a step")


if __name__ == "__main__":
    main()
