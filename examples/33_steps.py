"""
Steps
=====

A human figure walks. Its feet are connected to the ground and cut in turn: the foot that stands is held by a revolute joint,
whose torque is the ankle's; the other one swings forward, and is connected where and when it touches down. A simple
controller bends hips and knees towards a gait found by geometry, a hundred times a second.
"""

import math

import numpy as np

import linkwork as lw

# %%
# The gait: hips glide forward at a steady height, feet go from step to step in a low arc.
figure = lw.samples.human(16)
poses = lw.body_poses(figure, figure.neutral())
thigh = poses["left_thigh"].position[2] - poses["left_shank"].position[2]
shank = poses["left_shank"].position[2]  # down to the sole
height, stride, period = 0.97 * (thigh + shank), 0.45, 0.6


def leg(x, z):
    """Angles of hip and knee that put the sole at (x, z) from the hip."""
    reach = min(math.hypot(x, z), 0.999 * (thigh + shank))
    knee = math.acos((reach**2 - thigh**2 - shank**2) / (2 * thigh * shank))
    return math.atan2(-x, -z) - math.atan2(shank * math.sin(knee), thigh + shank * math.cos(knee)), knee


def turn(quaternion):
    """The small rotation vector of a quaternion xyzw."""
    return 2.0 * math.copysign(1.0, quaternion[3]) * np.asarray(quaternion[:3])


# %%
# The controller: springs and dampers towards the gait; a joint that stands is stiffer.
joints = {name: (joint.q_slice, joint.v_slice) for name, joint in zip(figure.joints.names, figure.joints, strict=True)}
feet = {"stand": "left", "swing": "right", "since": 0.0}


def controller(sim):
    q, v, tau = sim.q, sim.v, np.zeros(sim.linkage.nv + sim.linkage.nv_loop)
    phase = (sim.t - feet["since"]) / period
    pitch = turn(q[3:7])[1]
    for side in ("left", "right"):
        stands = side == feet["stand"]
        x = (0.5 - phase) * stride if stands else (min(phase, 1.0) - 0.5) * 2 * stride * 0.5
        lift = 0.0 if stands else 0.1 * math.sin(math.pi * min(phase, 1.0)) - 0.04 * max(phase - 0.8, 0.0)
        hip, knee = leg(x, lift - height)
        stiff, damp = (1500.0, 120.0) if stands else (400.0, 30.0)
        at, rate = joints[f"{side}_hip"]
        error = turn(q[at]) - (0.0, 2 * math.sin(hip / 2), 0.0)
        if stands:  # this hip holds the trunk upright
            error = error + turn(q[3:7]) * (-1.0, -1.0, -1.0)
        tau[rate] = -stiff * error - damp * v[rate]
        at, rate = joints[f"{side}_knee"]
        tau[rate] = -stiff * (q[at] - knee) - 0.5 * damp * v[rate]
        if stands:  # the ankle is the loop joint's motor
            ankle = pitch + turn(q[joints[f"{side}_hip"][0]])[1] + q[at][0]
            tau[-1] = -2000.0 * (ankle - hip - knee)
        at, rate = joints[f"{side}_shoulder"]
        tau[rate] = -40.0 * (turn(q[at]) - (0.0, -0.5 * hip, 0.0)) - 4.0 * v[rate]
        at, rate = joints[f"{side}_elbow"]
        tau[rate] = -20.0 * (q[at] - 0.3) - 2.0 * v[rate]
    return tau
