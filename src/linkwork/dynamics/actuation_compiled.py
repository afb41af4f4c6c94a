"""`actuator_torques` of many states at once, in compiled code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.closed_methods import CLOSED_COST
from linkwork.dynamics.constraints import LoopWorkspace, loops_of
from linkwork.dynamics.inverse import LARGEST_MATRIX
from linkwork.kernels.launch import call
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of

if TYPE_CHECKING:
    from linkwork.dynamics.actuation import Wish

MOTORS = "closed.motors", "motor_torques_of_states"


def clear_torques(
    linkage: Linkage, actuated: np.ndarray, wish: Wish, inputs: tuple[np.ndarray, ...], tau: np.ndarray
) -> np.ndarray:
    """Write the torques of those states (states, nv + nv_loop) that leave nothing to decide; the others' numbers.

    `inputs` are (states, n), or (1, n) where all share it: q, v, a and the torques that the tree alone would need.
    """
    tree, loops = tree_of(linkage), loops_of(linkage)
    rows = 6 * len(loops.names)
    if rows * tree.nv > LARGEST_MATRIX:
        return np.arange(len(tau))
    if not tree.closed:
        return _open(loops.units, actuated, wish, inputs[3], tau)
    motors, clear = np.flatnonzero(actuated), np.zeros(len(tau), dtype=np.int8)
    price = np.sqrt(wish.cost)
    wishes = np.array([x[motors] for x in (loops.units / price, price, wish.preload, wish.least, wish.most)])
    place = np.full(len(actuated), -1)
    place[motors] = np.arange(len(motors))

    def worker(parts: Iterable[tuple[int, int]]) -> None:
        with LoopWorkspace(tree, loops) as (work, scratch):
            J, made = np.empty((2, rows, tree.nv))
            S, C = np.empty((loops.nv, 6)), np.empty((tree.nv, len(motors)))
            leads, lines = np.empty(rows, dtype=np.int64), np.empty((6, len(actuated)))
            room: Any = loops.units, place, leads, J, made, np.zeros(rows), S, C, lines
            blocks = (tree.model, tree.index, work), (loops.plan, loops.geometry, scratch), motors, wishes, room, inputs
            for part in parts:
                call(MOTORS, *blocks, tau, clear, part)

    share(worker, len(tau), 1, tree.stages * CLOSED_COST)
    left = np.flatnonzero(clear == 0)
    tau[left] = 0.0
    return left


def _open(units, actuated: np.ndarray, wish: Wish, needed: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """`clear_torques` of a tree: joints without motors must need nothing. Tolerances are half of those of one state."""
    acting = np.abs(needed) * units
    idle = (acting[:, ~actuated] <= 5e-14 * acting.max(axis=1, initial=0.0, keepdims=True)).all(axis=1)
    room = 5e-10 * np.abs(needed[:, actuated]).max(axis=1, initial=0.0, keepdims=True)
    strong = (needed >= wish.least - room) & (needed <= wish.most + room)
    clear = idle & strong[:, actuated].all(axis=1)
    tau[:, actuated] = needed[:, actuated]
    return np.flatnonzero(~np.broadcast_to(clear, len(tau)))
