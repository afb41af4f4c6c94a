"""Hypothesis strategies: linkages and states drawn entry by entry, so that a failing one shrinks to a small one."""

import numpy as np
from hypothesis import strategies as st

import linkwork as lw

tenths = st.integers(-10, 10).map(lambda k: k / 10)
vectors = st.tuples(tenths, tenths, tenths)
axes = vectors.filter(any)
pairs_of_axes = st.tuples(axes, axes).filter(lambda pair: np.linalg.norm(np.cross(*pair)) > 0.1)  # not parallel
# A Gimbal locks at some poses, near which digits are lost: tests/unit/test_gimbal.py draws it away from them.
JOINTS = {
    "Fixed": st.builds(lw.Fixed),
    "Revolute": st.builds(lw.Revolute, axes, damping=st.sampled_from([0.0, 0.3]), armature=st.sampled_from([0.0, 0.1])),
    "Prismatic": st.builds(lw.Prismatic, axes),
    "Helical": st.builds(lw.Helical, axes, tenths),
    "Cylindrical": st.builds(lw.Cylindrical, axes),
    "Universal": pairs_of_axes.map(lambda pair: lw.Universal(*pair)),
    "Planar": st.builds(lw.Planar, axes),
    "Spherical": st.builds(lw.Spherical),
    "Free": st.builds(lw.Free),
}
AXIAL = ("Revolute", "Prismatic", "Helical", "Cylindrical", "Universal")  # whose coordinates do not depend on axes


def poses(positions=vectors):
    return st.builds(lambda axis, angle, at: lw.Pose.axis_angle(axis, angle, position=at), axes, tenths, positions)


def inertias():
    side = st.integers(1, 10).map(lambda k: k / 10)
    return st.builds(lw.Inertia.box, st.tuples(side, side, side), mass=side, com=vectors)


@st.composite
def trees(draw, kinds=tuple(JOINTS), bodies=6):
    """A tree of one to so many bodies; every one has mass, and at least one joint moves."""
    linkage = lw.Linkage(gravity=draw(vectors))
    for k in range(draw(st.integers(1, bodies))):
        parent = draw(st.sampled_from(["ground", *linkage.bodies.names]))
        joint = draw(st.sampled_from(kinds).flatmap(JOINTS.__getitem__))
        if k == 0 and isinstance(joint, lw.Fixed):
            joint = lw.Revolute("z")
        linkage.add_body(f"body{k}", draw(inertias()), joint=joint, parent=parent, at=draw(poses()))
    return linkage


@st.composite
def states(draw, linkage):
    """Coordinates, velocities and torques: each entry a few tenths."""
    q, v, tau = (np.array(draw(st.lists(tenths, min_size=linkage.nv, max_size=linkage.nv))) for _ in range(3))
    return linkage.integrate(linkage.neutral(), q), v, tau
