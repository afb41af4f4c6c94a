"""How large a linkage and its loops are: what lengths are compared with, so that no threshold depends on units."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.layout import I_V, M_INERTIA, M_MASS, M_POSITION, M_SLIDE, M_TURN
from linkwork.kernels.layout.kinds import FREE, HELICAL, PLANAR
from linkwork.kernels.layout.loops import G_A, G_B
from linkwork.linkage.packing.tree import Tree

ROUNDING = 1e-12  # of positions: what is left of them where two are the same


def _extents(tree: Tree) -> np.ndarray:
    """(stages,) radius of gyration of each about its own origin, m; 0 where it has no mass."""
    mass, inertia = tree.stage_rows[:, M_MASS], tree.stage_rows[:, M_INERTIA : M_INERTIA + 6]
    moments = inertia[:, [0, 3, 5]].sum(axis=1)
    return np.sqrt(np.divide(moments, mass, out=np.zeros(tree.stages), where=mass > 0.0))


def length_of(tree: Tree) -> float:
    """How large the parts are, m: the longest step from a stage to the next, extent or pitch; 1 where there is none."""
    rows = tree.stage_rows
    steps = np.linalg.norm(rows[:, M_POSITION : M_POSITION + 3], axis=1)
    pitch = np.abs(rows[:, M_SLIDE] * (rows[:, M_TURN] != 0.0))
    return float(max(steps.max(), _extents(tree).max(), pitch.max())) or 1.0


def loop_lengths(tree: Tree, geometry: np.ndarray, paths, joints: int) -> np.ndarray:
    """How large the links of each loop are, m: the longest step along it, wherever the ancestor's frame is.

    Where a loop has no extent, that of its bodies; and that of the whole linkage where they have none.
    """
    place = tree.stage_rows[:, M_POSITION : M_POSITION + 3]
    step, extent = np.linalg.norm(place, axis=1), _extents(tree)
    length = np.zeros(len(paths))
    for k, sides in enumerate(paths):
        anchors, links = [], []
        for side, frame in zip(sides, (G_B, G_A), strict=True):
            at = geometry[k, frame + 9 : frame + 12] if k < joints else np.zeros(3)
            links += [step[side[:-1]].max(initial=0.0), np.linalg.norm(at)] if side else []
            anchors.append(place[side[-1]] if side else at)
        longest = max([*links, np.linalg.norm(anchors[0] - anchors[1])])
        bodies = extent[sides[0] + sides[1]].max(initial=0.0)
        if longest < ROUNDING * max(bodies, *map(np.linalg.norm, anchors)):  # a hinge in the place of another
            longest = 0.0
        length[k] = longest or bodies or length_of(tree)
    return length


def sliding(tree: Tree) -> np.ndarray:
    """(nv,) which degrees of freedom are in metres."""
    kind, first = tree.kind, tree._stage_column(I_V)
    slides = np.zeros(tree.nv, dtype=bool)
    slides[first[(kind == HELICAL) & (tree.stage_rows[:, M_TURN] == 0.0)]] = True
    for several, count in ((PLANAR, 2), (FREE, 3)):
        slides[first[kind == several, None] + np.arange(count)] = True
    return slides


def unit_of_length(length: np.ndarray) -> np.ndarray:
    """The nearest of 1 m, 1 mm, 1 km, …: what is measured by it is neither large nor small."""
    return 1000.0 ** np.round(np.log10(length) / 3.0)
