"""Forces of the model in adaptive quasi-statics: potentials of joints, and springs between bodies.

The potential of a degree of freedom is a sum of *terms*: ½ k (q − rest)², A (1 + cos(n q − phase)), and periodic cubic
splines. Its force depends on q of its own joint only, so that it is set where that joint moves. Steps are linearly
implicit: over a step that multiplies accelerations by h the force changes by −V″ h q̈, which is an armature h V″; where
V″ is negative it is left out.

A spring pulls at two bodies, which bear forces anyway: it is evaluated with the poses of the bodies that do.
"""

import math

from linkwork.kernels.algebra.spatial import Wrench, wrench_add
from linkwork.kernels.algebra.storage import load_pose, load_vec, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, tmul
from linkwork.kernels.assembly_tree.views import axis, joint, part
from linkwork.kernels.layout import I_Q
from linkwork.kernels.layout.adaptive import (
    F_POSE,
    F_SPRINGS,
    FORCE_ROW,
    HARMONIC,
    PERIODIC,
    S_LENGTH,
    S_POINT_A,
    S_POINT_B,
    S_STIFFNESS,
    TERM_A,
    TERM_B,
    TERM_C,
    TERM_KIND,
)
from linkwork.kernels.numba_ext import helper, store
from linkwork.kernels.records import armature_at, index_row


@helper
def slopes(potentials, d, x):
    """V′ and V″ of degree of freedom d at x."""
    first, rows, table = potentials.first, potentials.terms, potentials.table
    slope, stiffness = 0.0, 0.0
    for k in range(first[d], first[d + 1]):
        kind, a, b, c = rows[k, TERM_KIND], rows[k, TERM_A], rows[k, TERM_B], rows[k, TERM_C]
        if kind == HARMONIC:
            slope += a * (x - b)
            stiffness += a
        elif kind == PERIODIC:
            slope -= a * b * math.sin(b * x - c)
            stiffness -= a * b * b * math.cos(b * x - c)
        else:  # spline: c3 s³ + c2 s² + c1 s + c0 on each of n intervals of a turn, the first from −π on
            start, n = int(a), int(b)
            width = 2.0 * math.pi / n
            place = (x + math.pi) / width
            turn = math.floor(place / n)
            i = min(int(place - n * turn), n - 1)
            s, k4 = (place - n * turn - i) * width, start + 4 * i
            slope += (3.0 * table[k4] * s + 2.0 * table[k4 + 1]) * s + table[k4 + 2]
            stiffness += 6.0 * table[k4] * s + 2.0 * table[k4 + 1]
    return slope, stiffness


@helper
def set_torque(p, c, loads, q):
    """Give the joint of node c its generalized forces, those of its potentials at q included."""
    C, own = part(p, c), loads.potentials
    kind, d, nv = joint(p.index, C.stage)
    at = p.index[index_row(C.stage) + I_Q]
    for k in range(nv):
        Q = loads.tau[d + k]
        if own.first.shape[0] > 0 and own.first[d + k] < own.first[d + k + 1]:
            slope, stiffness = slopes(own, d + k, q[at + k])
            Q -= slope
            p.model[armature_at(p.index, d + k)] = own.armature[d + k] + own.gain * max(stiffness, 0.0)
        store(p.flat, axis(p.model, C.stage, kind, C.axes, k).Q, Q)


@helper
def end_of(loads, row, point):
    """World position of a point of the body whose force is number `row`, −1 for ground."""
    if row < 0:
        return point
    X = load_pose(loads.forces, FORCE_ROW * row + F_POSE)
    return add(X.p, mul(X.R, point))


@helper
def pull_at(loads, row, point, f):
    """Let the world force f act at a point of the body whose force is number `row`."""
    if row >= 0:
        k = FORCE_ROW * row
        g = tmul(load_pose(loads.forces, k + F_POSE).R, f)
        w = Wrench(g, cross(point, g))
        store_wrench(loads.forces, k + F_SPRINGS, wrench_add(load_wrench(loads.forces, k + F_SPRINGS), w))


@helper
def pull_springs(loads):
    """What all springs do to their bodies, which stand where `loads` says."""
    zero = Vec3(0.0, 0.0, 0.0)
    springs, ends = loads.springs, loads.ends
    for i in range(ends.shape[0]):
        for side in range(2):
            if ends[i, side] >= 0:
                store_wrench(loads.forces, FORCE_ROW * ends[i, side] + F_SPRINGS, Wrench(zero, zero))
    for i in range(ends.shape[0]):
        point_a, point_b = load_vec(springs[i], S_POINT_A), load_vec(springs[i], S_POINT_B)
        e = sub(end_of(loads, ends[i, 1], point_b), end_of(loads, ends[i, 0], point_a))
        length = math.sqrt(dot(e, e))
        if length > 0.0:
            f = scale(springs[i, S_STIFFNESS] * (length - springs[i, S_LENGTH]) / length, e)
            pull_at(loads, ends[i, 0], point_a, f)
            pull_at(loads, ends[i, 1], point_b, scale(-1.0, f))
