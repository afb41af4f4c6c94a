"""Compliant joint limits: a spring and a damper beyond each bound, which push and never pull.

``limits`` has one row per limited degree of freedom: that degree of freedom, its coordinate, lower and upper bound,
stiffness, damping, and 1 where the row is one of the three of a rotation vector.
"""

from linkwork.kernels.algebra.rotations import log_quaternion, screw
from linkwork.kernels.algebra.storage import load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, scale, sub
from linkwork.kernels.numba_ext import helper, load, store, where

L_DOF, L_COORDINATE, L_LOWER, L_UPPER, L_STIFFNESS, L_DAMPING, L_BALL = range(7)


@helper
def limit_push(limits, j, x, rate):
    """The force against row j of the limits, at coordinate x."""
    zero = 0.0 * x
    over, under = x - limits[j, L_UPPER], x - limits[j, L_LOWER]
    down = limits[j, L_STIFFNESS] * over + limits[j, L_DAMPING] * rate
    up = limits[j, L_STIFFNESS] * under + limits[j, L_DAMPING] * rate
    return where(over > 0.0, where(down > 0.0, down, zero), zero) + where(under < 0.0, where(up < 0.0, up, zero), zero)


@helper
def limit_forces(limits, q, v, total):
    """Add the push of compliant limits to `total`."""
    j = 0
    while j < limits.shape[0]:
        d, k = int(limits[j, L_DOF]), int(limits[j, L_COORDINATE])
        if limits[j, L_BALL] == 0.0:
            store(total, d, load(total, d) - limit_push(limits, j, load(q, k), load(v, d)))
            j += 1
            continue
        # A rotation vector r has the rate V(−r)⁻¹ ω; a force f on it is the torque V(r)⁻¹ f.
        r = log_quaternion(load_vec(q, k), load(q, k + 3))
        rate = screw(scale(-1.0, r), load_vec(v, d), True)
        f = Vec3(
            limit_push(limits, j, r.x, rate.x),
            limit_push(limits, j + 1, r.y, rate.y),
            limit_push(limits, j + 2, r.z, rate.z),
        )
        store_vec(total, d, sub(load_vec(total, d), screw(r, f, True)))
        j += 3
