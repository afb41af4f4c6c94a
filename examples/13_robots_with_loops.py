"""
Robots with loops, from their files
===================================

SDF describes robots as graphs: a link may hang on two joints. A spanning tree carries the bodies, the other joints
close loops, which stay closed. The file that ships is an excavator's arm, whose ram turns the bucket through a
four-bar; where the package example-robot-data is installed, Cassie comes as well: two legs, each with two loops and
two leaf springs.

Give the path of another file (.sdf, .xml of MuJoCo, .urdf) on the command line to see what it holds.
"""

import sys
import sysconfig
import warnings
from pathlib import Path

import numpy as np

import linkwork as lw

here = Path(__file__).parent if "__file__" in globals() else Path.cwd()
data = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
cassie = data / "cassie_description" / "robots" / "cassie_v2.sdf"
paths = [Path(sys.argv[1])] if len(sys.argv) > 1 else [here / "robots" / "excavator_arm.sdf", cassie]
warnings.simplefilter("ignore", lw.LinkworkWarning)


def largest_gap(robot: lw.Linkage, q: np.ndarray) -> float:
    poses = lw.body_poses(robot, q)
    ends = [
        [at.position if body.name == "ground" else (poses[body.name] @ at).position for body, at in sides]
        for sides in (((loop.parent, loop.at_a), (loop.real, loop.at_b)) for loop in robot.loops)
    ]
    return max((float(np.linalg.norm(a - b)) for a, b in ends), default=0.0)


# %%
# What the files hold: bodies, loops, degrees of freedom, and what has no effect
for path in paths:
    if not path.is_file():
        continue
    robot = lw.load(path)
    q = lw.close_loops(robot, robot.neutral())
    found = lw.mobility(robot, q)
    print(f"{robot}\n  {found.dof} degrees of freedom; {found.redundant} rows of the loops are redundant")
    print(f"  loops {', '.join(robot.loops.names) or 'none'}; open by {largest_gap(robot, q):.1e} m")
    for line in robot.ignored:
        print("  not used:", line)

# %%
# The excavator's arm digs for two seconds; its ram pushes, and the loops stay closed
if len(sys.argv) == 1:
    arm = lw.load(paths[0])
    tau = np.zeros(arm.nv)
    tau[arm.joints["ram"].v_slice], tau[arm.joints["shoulder"].v_slice] = 900.0, -650.0
    sim = lw.Simulation(arm, arm.neutral(), np.zeros(arm.nv), dt=1e-3, controller=lambda sim: tau)
    sim.run(2.0, progress=False)
    turned = float(sim.q[arm.joints["bucket_pin"].q_slice][0])
    print(f"\nafter two seconds the bucket has turned by {np.degrees(turned):.0f}°")
    print(f"the loops are open by {max(largest_gap(arm, q) for q in sim.recording.q[::100]):.1e} m at most")
    sim.recording.plot("strip", path="excavator.png", title="Excavator")
