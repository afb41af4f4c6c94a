"""The distance from a surface that is any function C(y, t) = 0, near one place: value and derivatives.

With p the point of the surface that is nearest to y, there g = |∇C|, n = ∇C/g, the curvature S = P ∇²C P/g, with
P = 1 − n nᵀ, and φ = C_t/g, the speed with which the surface moves against its normal:

    d = n·(y − p),   ∇d = n,     ∇²d = S (1 + d S)⁻¹,     d_t = φ,
    ∇d_t = (P − d ∇²d) ∇φ,       d_tt = φ_t − ∇φ·(φ n + d ∇d_t)

Newton's method finds p: along n it takes C/g off, across it (1 + d S)⁻¹ of what y − p has there. Where it finds none,
far from the surface or beyond a centre of its curvature, p is y less C/g along n, as if the surface were flat.

``fields`` is None where there are no such surfaces, and none of this is compiled; else (calls, numbers, stack, place):
the address of Python's function that puts moving surfaces to where they are at a time, programs of `jets`, their
stack, and where functions of Python find y; they leave a jet at the bottom of the stack.
"""

import math
from typing import NamedTuple

from linkwork.kernels.algebra.storage import store_vec
from linkwork.kernels.algebra.vec3 import Sym3, Vec3, add, dot, scale, sub, sym_add, sym_mul
from linkwork.kernels.contact.jets import run_program
from linkwork.kernels.contact.points import tangents
from linkwork.kernels.contact.surface import outer
from linkwork.kernels.layout.shapes import CALLED, FIELD, NOWHERE, S_KIND, S_MAJOR, S_MINOR, TIME
from linkwork.kernels.numba_ext import call_at, helper, separate

_ROUNDS = 60  # of Newton's method; halves of an edge on which the nearest place is looked for are smaller than rounding
_HALVINGS = 8  # of a step within a face
_CLOSE = 1e-8  # of a face: a smaller step is the last, whose error is the square of it
_NEAR = 1e-15  # m, of places up to a metre: where they end


class Near(NamedTuple):
    """d and its derivatives: ∇d, ∇²d, ∂d/∂t, ∂∇d/∂t, ∂²d/∂t²."""

    d: float
    n: Vec3
    H: Sym3
    d_t: float
    n_t: Vec3
    d_tt: float


@helper
def is_field(fields, surface):
    """Whether a surface is one of these."""
    if fields is None:
        return False
    return int(surface[S_KIND]) >= FIELD


@helper
def place_surfaces(fields, space, t):
    """Let surfaces be as they are at time t."""
    space[14][TIME] = t
    if fields is not None:
        calls, _, stack, place = fields
        if calls[0] != 0:
            call_at(calls[0], t, place, place, stack)


@helper
def evaluate(fields, surface, p, t):
    """C and its derivatives at p, to the bottom of the stack."""
    _, numbers, stack, place = fields
    if int(surface[S_KIND]) == CALLED:
        store_vec(place, 0, p)
        call_at(int(surface[S_MAJOR]), t, place, place, stack)
    else:
        run_program(numbers, int(surface[S_MAJOR]), int(surface[S_MINOR]), p.x, p.y, p.z, t, stack)


@helper
def curvature(stack, n, g):
    """Two tangents and the curvature between them: S_11, S_12, S_22."""
    H = Sym3(stack[5], stack[6], stack[7], stack[9], stack[10], stack[12])
    e, f = tangents(n, Vec3(0.0, 0.0, 0.0))
    H_e, H_f = sym_mul(H, e), sym_mul(H, f)
    return e, f, dot(e, H_e) / g, dot(e, H_f) / g, dot(f, H_f) / g


@helper
def nearest_point(fields, surface, y, t):
    """p, or y where none is found; what `evaluate` leaves belongs to it."""
    stack, p = fields[2], y
    for _ in range(_ROUNDS):
        evaluate(fields, surface, p, t)
        gradient = Vec3(stack[1], stack[2], stack[3])
        g = math.sqrt(dot(gradient, gradient))
        if not g > 0.0:
            break
        n, away = scale(1.0 / g, gradient), sub(y, p)
        e, f, a, b, c = curvature(stack, n, g)
        d, x, z = dot(n, away), dot(e, away), dot(f, away)
        det = (1.0 + d * a) * (1.0 + d * c) - d * d * b * b
        if not (det > 0.0 and 1.0 + d * a > 0.0):
            break
        along = scale(((1.0 + d * c) * x - d * b * z) / det, e)
        across = scale(((1.0 + d * a) * z - d * b * x) / det, f)
        step = sub(add(along, across), scale(stack[0] / g, n))
        if dot(step, step) <= (_NEAR * (1.0 + abs(y.x) + abs(y.y) + abs(y.z))) ** 2:
            return p
        p = add(p, step)
    evaluate(fields, surface, y, t)
    return y


@helper
def nothing(x):
    """A distance that is x, flat, and stays as it is."""
    none = Vec3(0.0, 0.0, 0.0)
    return Near(x, Vec3(x, x, x), Sym3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, none, 0.0)


@separate
def near_field(fields, surface, y, t):
    """Distance and derivatives at y; the distance is not a number where the function has no value or no normal."""
    p, stack = nearest_point(fields, surface, y, t), fields[2]
    gradient, gradient_t = Vec3(stack[1], stack[2], stack[3]), Vec3(stack[8], stack[11], stack[13])
    g = math.sqrt(dot(gradient, gradient))
    if not g > 0.0:
        return nothing(math.nan)
    n = scale(1.0 / g, gradient)
    e, f, a, b, c = curvature(stack, n, g)
    away = dot(n, sub(y, p))
    flat = away * (a * c - b * b)
    det = 1.0 + away * (a + c + flat)
    a, b, c = (a + flat) / det, b / det, (c + flat) / det
    H = sym_add(sym_add(outer(e, a - b), outer(f, c - b)), outer(add(e, f), b))
    phi = stack[4] / g
    C_n = sym_mul(Sym3(stack[5], stack[6], stack[7], stack[9], stack[10], stack[12]), n)
    slope = scale(1.0 / g, sub(gradient_t, scale(phi, C_n)))
    n_t = sub(sub(slope, scale(dot(n, slope), n)), scale(away, sym_mul(H, slope)))
    d_tt = (stack[14] - phi * dot(n, gradient_t)) / g - dot(slope, add(scale(phi, n), scale(away, n_t)))
    return Near(away + stack[0] / g, n, H, phi, n_t, d_tt)


@helper
def near_some_field(fields, surface, y, t):
    """`near_field`, where there are fields at all."""
    if fields is None:
        return nothing(0.0)
    return near_field(fields, surface, y, t)


@helper
def field_at(fields, surface, y, t):
    """`near_field` of a surface that is one of these; nothing of others."""
    if is_field(fields, surface):
        return near_some_field(fields, surface, y, t)
    return nothing(0.0)


@helper
def nearest_share(fields, surface, y, d, beyond, t):
    """Where between y and y + d, or so much beyond, such a surface is nearest, as a share of d; NOWHERE at an end."""
    low, high, s = -beyond, 1.0 + beyond, 0.5
    first, last = add(y, scale(low, d)), add(y, scale(high, d))
    if not (dot(field_at(fields, surface, first, t).n, d) < 0.0 < dot(field_at(fields, surface, last, t).n, d)):
        return NOWHERE
    for _ in range(_ROUNDS):
        near = field_at(fields, surface, add(y, scale(s, d)), t)
        slope, bend = dot(near.n, d), dot(d, sym_mul(near.H, d))
        if slope < 0.0:
            low = s
        else:
            high = s
        step = slope / bend if bend > 0.0 else math.inf
        if abs(step) <= _NEAR:
            break
        s = s - step if low < s - step < high else 0.5 * (low + high)
    return s


@helper
def nearest_within(fields, surface, start, d, e, size, t):
    """Where in the plane of d and e such a surface is nearest, and whether that was found, not far from `start`."""
    a = scale(1.0 / math.sqrt(dot(d, d)), d)
    b = sub(e, scale(dot(a, e), a))
    b = scale(1.0 / math.sqrt(dot(b, b)), b)
    p, near, step = start, field_at(fields, surface, start, t), start
    for _ in range(_ROUNDS):
        g_a, g_b, H_a = dot(near.n, a), dot(near.n, b), sym_mul(near.H, a)
        F_aa, F_ab, F_bb = dot(a, H_a), dot(b, H_a), dot(b, sym_mul(near.H, b))
        det = F_aa * F_bb - F_ab * F_ab
        if det > 0.0 and F_aa > 0.0:
            step = add(scale((F_ab * g_b - F_bb * g_a) / det, a), scale((F_ab * g_a - F_aa * g_b) / det, b))
        else:
            step = add(scale(-size * g_a, a), scale(-size * g_b, b))
        length = math.sqrt(dot(step, step))
        if det > 0.0 and F_aa > 0.0 and length <= _CLOSE * size:
            return True, add(p, step)
        step = scale(min(1.0, 0.5 * size / length) if length > 0.0 else 1.0, step)
        for _ in range(_HALVINGS):  # as long as it goes uphill
            after = field_at(fields, surface, add(p, step), t)
            if after.d <= near.d:
                break
            step = scale(0.5, step)
        p, near = add(p, step), after
        if dot(sub(p, start), sub(p, start)) > size * size:
            break
    return False, p
