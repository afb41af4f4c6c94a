"""A surface C(r, t) = 0 near one point: C and its derivatives, for the kinds that compiled code knows.

The formulas are those of `linkwork.linkage.surfaces`; there C > 0 is outside, and here `side` turns that round.
"""

import math
from typing import NamedTuple

from linkwork.kernels.algebra.storage import load_vec
from linkwork.kernels.algebra.vec3 import Sym3, Vec3, add, dot, scale, sub, sym_add
from linkwork.kernels.contact.jets import run_program
from linkwork.kernels.layout.contacts import (
    CYLINDER,
    PLANE,
    POINT_ROW,
    SPHERE,
    T_AXIS,
    T_CENTER,
    T_KIND,
    T_MAJOR,
    T_MINOR,
    T_PROGRAM,
    T_SIDE,
    TEXT,
)
from linkwork.kernels.numba_ext import helper


class Local(NamedTuple):
    """C, ∇C, ∇²C, and the derivatives in time ∂C/∂t, ∂∇C/∂t, ∂²C/∂t²."""

    C: float
    gradient: Vec3
    hessian: Sym3
    C_t: float
    gradient_t: Vec3
    C_tt: float


@helper
def fixed(C, gradient, hessian, side):
    """A surface that does not move, seen from the side where C > 0, or from the other one."""
    H = hessian
    turned = Sym3(side * H.xx, side * H.xy, side * H.xz, side * H.yy, side * H.yz, side * H.zz)
    return Local(side * C, scale(side, gradient), turned, 0.0, Vec3(0.0, 0.0, 0.0), 0.0)


@helper
def outer(a, s):
    """s a aᵀ."""
    return Sym3(s * a.x * a.x, s * a.x * a.y, s * a.x * a.z, s * a.y * a.y, s * a.y * a.z, s * a.z * a.z)


@helper
def local_surface(points, k, r, t, stack):
    """The surface of point k near r; its gradient is zero, or not a number, where there is no normal."""
    row = POINT_ROW * k
    kind, side, u = int(points[row + T_KIND]), points[row + T_SIDE], load_vec(points, row + T_AXIS)
    none = Sym3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if kind == PLANE:
        return fixed(dot(u, r) - points[row + T_MAJOR], u, none, side)
    if kind == TEXT:
        run_program(
            points, int(points[row + T_PROGRAM]), int(points[row + T_PROGRAM + 1]), r.x, r.y, r.z, t, stack
        )  # fmt: skip
        s = stack
        return Local(
            s[0], Vec3(s[1], s[2], s[3]), Sym3(s[5], s[6], s[7], s[9], s[10], s[12]), s[4], Vec3(s[8], s[11], s[13]),
            s[14],
        )  # fmt: skip
    d = sub(r, load_vec(points, row + T_CENTER))
    one = Sym3(1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
    h = dot(u, d)
    if kind != SPHERE:
        d = sub(d, scale(h, u))
    rho = math.sqrt(dot(d, d))
    major = points[row + T_MAJOR]
    if not rho > 0.0:
        return fixed(rho - major, Vec3(0.0, 0.0, 0.0), none, side)
    e = scale(1.0 / rho, d)
    if kind == SPHERE or kind == CYLINDER:  # (1 − e eᵀ − u uᵀ)/ρ, without u for a sphere
        H = sym_add(one, outer(e, -1.0))
        if kind == CYLINDER:
            H = sym_add(H, outer(u, -1.0))
        f = 1.0 / rho
        return fixed(rho - major, e, Sym3(f * H.xx, f * H.xy, f * H.xz, f * H.yy, f * H.yz, f * H.zz), side)
    out = rho - major
    length = math.sqrt(out * out + h * h)
    if not length > 0.0:
        return fixed(length - points[row + T_MINOR], Vec3(0.0, 0.0, 0.0), none, side)
    n = scale(1.0 / length, add(scale(out, e), scale(h, u)))
    around = sym_add(sym_add(one, outer(u, -1.0)), outer(e, -1.0))  # along the circle
    f, w = 1.0 / length, out / (rho * length)
    H = sym_add(sym_add(outer(e, f), outer(u, f)), outer(n, -f))
    H = sym_add(H, Sym3(w * around.xx, w * around.xy, w * around.xz, w * around.yy, w * around.yz, w * around.zz))
    return fixed(length - points[row + T_MINOR], n, H, side)
