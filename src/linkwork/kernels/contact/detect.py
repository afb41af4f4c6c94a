"""Gaps between solids and surfaces: every solid is balls of some radius, perhaps zero, around points of its body.

``balls``, ``surfaces`` and ``meetings`` list what there is, one row each, and ``contacts`` receives what is found: see
`kernels.layout.shapes`; of ``fields`` see `field`. ``poses`` (stages + 1, 12) receives the world pose of every stage,
the last row ground's.

Symbols: X = (R, p) the pose of a surface's frame in the world; y a ball's centre in that frame, C(y) the distance from
the surface, n its gradient; r the point of contact, where the ball comes nearest.
"""

import math

from linkwork.kernels.algebra.spatial import Xform, compose
from linkwork.kernels.algebra.storage import load_pose, load_vec, store_pose, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, identity, mul, scale, sub
from linkwork.kernels.contact.distances import distance, flat
from linkwork.kernels.contact.field import field_at, is_field
from linkwork.kernels.contact.nearest import face_frame, nearest_spot
from linkwork.kernels.joints import joint_xform
from linkwork.kernels.layout import N_STAGES
from linkwork.kernels.layout.shapes import (
    B_RADIUS,
    B_STAGE,
    C_A,
    C_B,
    C_FEATURE,
    C_FRICTION,
    C_GAP,
    C_NORMAL,
    C_PAIR,
    C_POINT,
    C_RESTITUTION,
    C_STATIC,
    C_VELOCITY,
    M_BALL,
    M_CORNERS,
    M_FRICTION,
    M_PAIR,
    M_RESTITUTION,
    M_SKIPPED,
    M_STATIC,
    M_SURFACE,
    NOWHERE,
    S_KIND,
    S_MAJOR,
    S_POSE,
    S_SIDE,
    S_SLIDING,
    S_STAGE,
    S_TWIST,
    SPHERE,
)
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.records import stage_at

_CROWD, _CORNERS = 8, 4  # contacts of a pair above which four of them do


@helper
def stage_poses(model, index, q, poses):
    """World poses of the stages, and of ground in the last row."""
    n = index[N_STAGES]
    store_pose(poses[n], 0, Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0)))
    for i in range(n):
        parent, kind, k, _ = stage_at(index, i)
        X = joint_xform(model, i, kind, q, k)
        store_pose(poses[i], 0, X if parent < 0 else compose(load_pose(poses[parent], 0), X))


@separate
def detect(poses, balls, surfaces, meetings, contacts, fields, t, margin):
    """Write a row for every ball that is at most `margin` away from a surface it meets; return how many there are.

    Where there are more than ``contacts`` has rows, the rest is counted and not written.
    """
    found, k, until, deep = 0, -1, -1, -1
    while k + 1 < meetings.shape[0]:
        k += 1
        if k <= until and deep >= 0 and k != deep:
            continue
        meeting = meetings[k]
        i, surface = int(meeting[M_BALL]), surfaces[int(meeting[M_SURFACE])]
        field = is_field(fields, surface)
        X = compose(load_pose(poses[int(surface[S_STAGE])], 0), load_pose(surface, S_POSE))
        spot = nearest_spot(poses, balls, meeting, X, fields, surface, 0.0, t)
        if spot.inside == NOWHERE:
            continue
        y = spot.y
        near = field_at(fields, surface, y, t)
        C, n = (near.d, near.n) if field else distance(surface, y)
        gap = C - balls[i, B_RADIUS]
        skipped = int(meeting[M_SKIPPED])
        if skipped > 0:  # a ball that holds a solid, or part of one
            if gap > margin and not field:  # which, far away, knows no distance
                k += skipped
            elif k > until:
                until, deep = k + skipped, deepest_face(poses, balls, meetings, k, X, surface)
            continue
        if k == deep:
            C, n = -C - 2.0 * surface[S_MAJOR], scale(-1.0, n)
            gap = C - balls[i, B_RADIUS]
        if gap > margin:  # where a function has no value, it is not a number, which is told
            continue
        if found < contacts.shape[0]:
            row = contacts[found]
            r = add(X.p, mul(X.R, sub(y, scale(balls[i, B_RADIUS], n))))
            row[C_A], row[C_B], row[C_GAP] = surface[S_STAGE], balls[i, B_STAGE], gap
            store_vec(row, C_POINT, r)
            store_vec(row, C_NORMAL, mul(X.R, n))
            row[C_FRICTION], row[C_STATIC] = meeting[M_FRICTION], meeting[M_STATIC]
            row[C_RESTITUTION], row[C_PAIR], row[C_FEATURE] = meeting[M_RESTITUTION], meeting[M_PAIR], k
            turning = cross(load_vec(surface, S_TWIST + 3), sub(r, X.p))
            along = sub(flat(load_vec(surface, S_SLIDING), n), scale(near.d_t, n))
            moved = add(add(load_vec(surface, S_TWIST), turning), mul(X.R, along))
            store_vec(row, C_VELOCITY, moved)
        found += 1
    return found if found > contacts.shape[0] else thin_out(contacts, found)


@helper
def deepest_face(poses, balls, meetings, k, X, surface):
    """The row of `meetings` of that face which is nearest to the centre of a sphere within a solid; else −1.

    Row k is that of the ball that holds the solid. From within, all of the solid is pushed out through this face.
    """
    if int(surface[S_KIND]) != SPHERE or surface[S_SIDE] < 0.0:
        return -1
    nearest, row = -math.inf, -1
    for j in range(k + 1, k + 1 + int(meetings[k, M_SKIPPED])):
        if int(meetings[j, M_CORNERS]) == 0:
            continue
        face = face_frame(poses, balls, int(meetings[j, M_BALL]), int(meetings[j, M_CORNERS]), X)
        height = -dot(face.m, face.y)
        if height >= 0.0:
            return -1
        if height > nearest:
            nearest, row = height, j
    return row


@helper
def span(a, b, c):
    """Twice the area of a triangle, as a vector."""
    return cross(sub(b, a), sub(c, a))


@helper
def swap(contacts, i, j):
    """Exchange two rows."""
    if i != j:
        for c in range(contacts.shape[1]):
            contacts[i, c], contacts[j, c] = contacts[j, c], contacts[i, c]


@helper
def foremost(contacts, first, chosen, end):
    """Of rows first + chosen … end − 1 the one to choose next: nearest, farthest from it, and widest on both sides."""
    a = load_vec(contacts[first], C_POINT)
    best, row = -1.0, first + chosen
    for k in range(first + chosen, end):
        r = load_vec(contacts[k], C_POINT)
        if chosen == 0:
            worth = 1e9 - contacts[k, C_GAP]
        elif chosen == 1:
            worth = dot(sub(r, a), sub(r, a))
        else:
            area = span(a, load_vec(contacts[first + 1], C_POINT), r)
            worth = dot(area, area)
            if chosen == 3:
                other = span(a, load_vec(contacts[first + 1], C_POINT), load_vec(contacts[first + 2], C_POINT))
                worth = -dot(area, other)
        if worth > best:
            best, row = worth, k
    return row if best > 0.0 else -1


@helper
def thin_out(contacts, found):
    """Keep at most four rows of each pair that has more than `_CROWD`; return how many are left."""
    kept = first = 0
    while first < found:
        end = first + 1
        while end < found and contacts[end, C_PAIR] == contacts[first, C_PAIR]:
            end += 1
        count = end - first
        if count > _CROWD:
            count = 0
            while count < _CORNERS:
                row = foremost(contacts, first, count, end)
                if row < 0:
                    break
                swap(contacts, first + count, row)
                count += 1
        for k in range(count):
            swap(contacts, kept + k, first + k)
        kept += count
        first = end
    return kept


@helper
def find_contacts(model, index, shapes, t, q, margin):
    """`detect` at the coordinates q; ``shapes`` is (poses, balls, surfaces, meetings, contacts, fields)."""
    stage_poses(model, index, q, shapes[0])
    return detect(*shapes, t, margin)
