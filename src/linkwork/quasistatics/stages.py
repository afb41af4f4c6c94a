"""What of a linkage an adaptive simulation takes, and how its stages and joints belong together."""

from __future__ import annotations

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.linkage.change import Change
from linkwork.linkage.forces import JointSpring, Spring
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.tree import Tree


def joints_of(tree: Tree) -> np.ndarray:
    """The joint of each stage."""
    joint_of, joints, inner = np.empty(tree.stages, np.int64), np.arange(tree.nb), tree.stage - tree.first_stage
    for k in range(1 + inner.max(initial=0)):
        joint_of[tree.stage[inner >= k] - k] = joints[inner >= k]
    return joint_of


def refuse(linkage: Linkage, mode: str) -> None:
    """Raise where a linkage has what adaptive simulations of this mode do not take."""
    if len(linkage.contacts) or len(linkage.shapes):
        raise StructureError(
            f"linkage {linkage.name!r} has contacts or shapes: adaptive simulation takes joints and springs"
        )
    others = [force for force in linkage.forces if not isinstance(force, JointSpring | Spring)]
    if others:
        raise ArgumentError(
            f"linkage {linkage.name!r} has {type(others[0]).__name__} among its forces: "
            "adaptive simulation takes Spring and JointSpring; remove the others"
        )
    if mode == "dynamics":
        refuse_in_motion(linkage)


def refuse_in_motion(linkage: Linkage) -> None:
    """Raise where a linkage has what only quasi-statics takes."""
    for name, record in zip(linkage.loops.names, linkage._loops.records, strict=True):
        if np.any(record.type.damping):
            raise ArgumentError(
                f"loop joint {name!r} has damping: adaptive dynamics takes loop joints without, and damping of "
                "tree joints"
            )
    if any(isinstance(force, Spring) and force.damping for force in linkage.forces):
        raise ArgumentError(
            f"linkage {linkage.name!r} has a Spring with damping: adaptive dynamics takes springs without, and damping "
            "of joints"
        )


def old_stages(old: Tree, linkage: Linkage, change: Change) -> tuple[np.ndarray, np.ndarray]:
    """For each stage of a changed linkage the one it was before, and whether its joint is as before."""
    tree = linkage.tree
    stages, same_joint = np.full(tree.stages, -1), np.ones(tree.stages, dtype=np.bool_)
    stages[tree.stage] = old.stage
    inner = np.where(tree.stage - tree.first_stage == old.stage - old.first_stage, tree.stage - tree.first_stage, 0)
    for k in range(1, 1 + inner.max(initial=0)):  # the massless stages of joints that have some
        stages[tree.stage[inner >= k] - k] = old.stage[inner >= k] - k
    if change.new_joint is not None:
        changed = linkage.columns.joint_index[change.new_joint]
        same_joint[tree.first_stage[changed] : tree.stage[changed] + 1] = False
        # the frame of its stage was turned to the old joint's axis: its leaf is another one, and so are joints upon it
        stages[tree.stage[changed]] = -1
        same_joint[tree.first_stage[np.flatnonzero(linkage.columns.parent == changed)]] = False
    return stages, same_joint
