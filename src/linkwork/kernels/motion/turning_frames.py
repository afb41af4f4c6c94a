"""Steps of joints whose velocities are those in a frame that turns: free and planar ones go straight on."""

from linkwork.kernels.algebra.rotations import exp_quaternion, screw
from linkwork.kernels.algebra.storage import load_vec, store_vec
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, quaternion_matrix, scale, tmul
from linkwork.kernels.layout import FREE, N_STAGES, PLANAR
from linkwork.kernels.motion.integrators import combine, scaled
from linkwork.kernels.numba_ext import helper, load, store
from linkwork.kernels.records import stage_at


@helper
def straight(index, h, v, u):
    """u = the local coordinates of where a velocity v leads in the time h, its linear part straight on."""
    scaled(h, v, u)
    for i in range(index[N_STAGES]):
        _, kind, _, d = stage_at(index, i)
        if kind == FREE:
            store_vec(u, d, screw(load_vec(u, d + 3), load_vec(u, d), True))
        elif kind == PLANAR:
            z = 0.0 * load(u, d)
            x = screw(Vec3(z, z, load(u, d + 2)), Vec3(load(u, d), load(u, d + 1), z), True)
            store(u, d, x.x)
            store(u, d + 1, x.y)


@helper
def turn(index, h, v):
    """v, in place, in the frames that it leads to in the time h."""
    for i in range(index[N_STAGES]):
        _, kind, _, d = stage_at(index, i)
        if kind == FREE:
            x, r = exp_quaternion(scale(h, load_vec(v, d + 3)))
            store_vec(v, d, tmul(quaternion_matrix(x.x, x.y, x.z, r), load_vec(v, d)))
        elif kind == PLANAR:
            s, c = sincos(h * load(v, d + 2))
            x, y = load(v, d), load(v, d + 1)
            store(v, d, c * x + s * y)
            store(v, d + 1, c * y - s * x)


@helper
def accelerate(index, h, v, a, out):
    """out = v + h a, less what a has of frames that turn."""
    combine(v, h, a, out)
    for i in range(index[N_STAGES]):
        _, kind, _, d = stage_at(index, i)
        if kind == FREE:
            store_vec(out, d, add(load_vec(out, d), scale(h, cross(load_vec(v, d + 3), load_vec(v, d)))))
        elif kind == PLANAR:
            angle = h * load(v, d + 2)
            store(out, d, load(out, d) - angle * load(v, d + 1))
            store(out, d + 1, load(out, d + 1) + angle * load(v, d))
