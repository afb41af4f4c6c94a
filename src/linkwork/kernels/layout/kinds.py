"""Kinds of joints: their one numbering, and what is known of each without a compiler.

A kind's number is what the columns of a linkage hold as `code`, the index of a tree as the kind of a stage, and the
plan of its loops as the kind of a loop joint. Kernels move a tree one *stage* at a time: a joint is one stage, or
several in a row of which all but the last are massless and have one coordinate each. Only some kinds are kinds of
stages; a prismatic joint, for one, is a helical stage that slides and does not turn.

What a kind's equations are is in its file in `linkwork.kernels.joints`.
"""

from typing import NamedTuple

import numpy as np

FIXED, REVOLUTE, PRISMATIC, HELICAL, CYLINDRICAL, UNIVERSAL, PLANAR, SPHERICAL, FREE, GIMBAL = range(10)


PITCH = float("nan")  # as the slide of a stage: the pitch that the joint has of its own


class Stage(NamedTuple):
    """One stage of a joint."""

    kind: int
    axis: int = -1  # which of the joint's axes lies along z of the stage's frame; −1: none
    slide: float = 0.0  # along z, m per unit of the coordinate
    turn: float = 1.0  # about z, rad per unit of the coordinate


class Kind(NamedTuple):
    """What packing, checks and plots ask about a kind."""

    nq: int
    nv: int
    stages: tuple[Stage, ...]
    lengths: int = 0  # how many coordinates, the first ones, are in metres
    quaternion: int = -1  # where in the joint's coordinates its quaternion starts; −1: it has none
    rates: bool = True  # whether velocities are the rates of the coordinates
    bounded: bool = True  # whether it can have limits, on its coordinates or on its rotation vector


KINDS = {
    FIXED: Kind(0, 0, (Stage(FIXED),), bounded=False),
    REVOLUTE: Kind(1, 1, (Stage(REVOLUTE, axis=0),)),
    PRISMATIC: Kind(1, 1, (Stage(HELICAL, axis=0, slide=1.0, turn=0.0),), lengths=1),
    HELICAL: Kind(1, 1, (Stage(HELICAL, axis=0, slide=PITCH),)),
    CYLINDRICAL: Kind(2, 2, (Stage(HELICAL, axis=0, slide=1.0, turn=0.0), Stage(REVOLUTE, axis=0)), lengths=1),
    UNIVERSAL: Kind(2, 2, (Stage(REVOLUTE, axis=0), Stage(REVOLUTE, axis=1))),
    PLANAR: Kind(3, 3, (Stage(PLANAR, axis=0),), lengths=2, rates=False),
    SPHERICAL: Kind(4, 3, (Stage(SPHERICAL),), quaternion=0, rates=False),
    FREE: Kind(7, 6, (Stage(FREE),), lengths=3, quaternion=3, rates=False, bounded=False),
    GIMBAL: Kind(3, 3, (Stage(REVOLUTE, axis=0), Stage(REVOLUTE, axis=1), Stage(REVOLUTE, axis=2))),
}

# The same by number, for arrays of kinds
KIND_NQ = np.array([kind.nq for kind in KINDS.values()])
KIND_NV = np.array([kind.nv for kind in KINDS.values()])
STAGES = np.array([len(kind.stages) for kind in KINDS.values()])
LENGTHS = np.array([kind.lengths for kind in KINDS.values()])
QUATERNION = np.array([kind.quaternion for kind in KINDS.values()])
RATES = np.array([kind.rates for kind in KINDS.values()])
BOUNDED = np.array([kind.bounded for kind in KINDS.values()])
# Of each stage of a kind, by the kind's number and the stage's place in the joint
_stages = np.array([[*kind.stages, *[Stage(-1)] * (STAGES.max() - len(kind.stages))] for kind in KINDS.values()])
STAGE_KIND, STAGE_AXIS = _stages[..., 0].astype(np.int64), _stages[..., 1].astype(np.int64)
STAGE_SLIDE, STAGE_TURN = _stages[..., 2], _stages[..., 3]
# How many hinges a joint that is several of them in a row has; 0 for other joints
HINGES = np.where((STAGES > 1) & np.all((STAGE_KIND == REVOLUTE) | (STAGE_KIND < 0), axis=1), STAGES, 0)
# The kind of a whole joint, by the kind of its first stage and the number of its stages
WHOLE = np.full((len(KINDS), 1 + STAGES.max()), -1)
WHOLE[STAGE_KIND[:, 0], STAGES] = np.arange(len(KINDS))
WHOLE[HELICAL, 1] = HELICAL  # of kernels, whose prismatic joints are helical
