"""`solve`: motion and all forces of a linkage, open or closed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.arguments import one_state, per_state
from linkwork.dynamics.closed_methods import driving_wrenches
from linkwork.dynamics.closed_solutions import can_solve, solutions
from linkwork.dynamics.constraints import constraint_matrices, loops_of, on_bodies_by_loops
from linkwork.dynamics.contact_solutions import can_solve_points, point_solution, point_solutions
from linkwork.dynamics.contact_state import on_bodies
from linkwork.dynamics.inverse import newton_euler_wrenches
from linkwork.dynamics.methods import pick
from linkwork.dynamics.problem import NOTHING, Outcome, Problem, pose_problem
from linkwork.kernels.contact.modes import MODES, SLIP, STICK
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.results import Solution

NO_FORCES = np.zeros((0, 3))
# What differs from state to state
ARRAYS = ("a", "joint_wrenches", "loop_wrenches", "normal_forces", "friction_forces", "contact_gaps", "contact_modes",
          "indeterminate", "residual", "rank", "redundant")  # fmt: skip


def solve(linkage: Linkage, q, v, tau=None, f_ext=None, *, method: str = "auto", t: float = 0.0) -> Solution:
    """Accelerations and all forces at one state, or at each of many.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like
    tau : (..., nv) or (..., nv + nv_loop) array_like, optional
        Torques of the tree joints, and of the loop joints after them.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.
    method : str
        As in `forward_dynamics`.
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    Solution
        Of many states, its arrays have their leading dimensions; names are those of all states together.

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    Compiled: one state or many with points on surfaces, open or closed, and many states of a closed linkage without
    them, in as many threads as pay. Others are solved one after the other, each as it would be alone: surfaces that are
    functions of Python's, redundant or singular points, trees without points, gimbals in loops that are driven or
    damped, other methods.

    Cost: O(nb), and with loops linear in their number where they do not hang on each other.

    Examples
    --------
    >>> import linkwork as lw
    >>> bars = lw.samples.four_bar()
    >>> answer = lw.solve(bars, bars.neutral(), [0.0, 0.0, 0.0])
    >>> answer.loop_wrenches.shape, bool(answer.residual < 1e-9)
    ((1, 6), True)
    """
    return solve_in_modes(linkage, q, v, tau, f_ext, method=method, t=t)


def solve_in_modes(
    linkage: Linkage, q, v, tau=None, f_ext=None, *, method: str = "auto", t: float = 0.0, modes=None
) -> Solution:
    """`solve`, points on surfaces doing what `modes` says; see `Problem`."""
    tree = tree_of(linkage)
    time = number(t, "t") if linkage._contacts.records else 0.0
    asked = pose_problem(linkage, q, v, tau, f_ext, t=time)._replace(details=True, modes=modes)
    if asked.a.ndim > 1:
        return _solve_each(asked, method, time)
    for what, array in (("q", asked.q), ("v", asked.v), ("f_ext", asked.wrench), ("tau", asked.tau)):
        one_state(what, array)
    chosen = pick(linkage, method)
    if linkage._contacts.records and chosen.name == "aba" and can_solve_points(asked):
        made = point_solution(asked, chosen.name)
        if made is not None:
            return made
    found = chosen.solver(linkage)(asked)
    driving = _driving(asked)
    loop_wrenches = found.loop_wrenches if driving is None else found.loop_wrenches + driving
    wrenches = found.joint_wrenches
    if wrenches is None:
        acting = _acting(asked, found, loop_wrenches)
        wrenches = newton_euler_wrenches(linkage, asked.q, asked.v, found.a, acting)
    loops, rows, rank = (), len(found.marks), len(found.marks)
    if rows:
        redundant = np.flatnonzero(found.marks == 0.0)
        loops, rank = tuple(dict.fromkeys(tree.loops.owners[r] for r in redundant)), rows - len(redundant)
    unmet = np.abs(found.unmet).max(initial=0.0)
    f_n, friction, gaps, undetermined, pulling, indeterminate = NOTHING, NO_FORCES, NOTHING, (), (), False
    doing: tuple[str, ...] = ()
    if found.reaction is not None:
        names, reaction = np.array(linkage.contacts.names), found.reaction
        f_n, friction, gaps, indeterminate = reaction.f_n, reaction.friction, reaction.touch.gap, reaction.indeterminate
        undetermined, pulling = tuple(names[reaction.redundant].tolist()), tuple(names[f_n < 0.0].tolist())
        rows, rank = rows + len(f_n), rank + reaction.rank
        unmet = max(unmet, reaction.unmet)
        doing = tuple(MODES[STICK if sticks else SLIP] for sticks in reaction.sticks)
    return Solution._of(
        linkage,
        a=found.a,
        joint_wrenches=wrenches.reshape(tree.nb, 6),
        loop_wrenches=loop_wrenches,
        normal_forces=f_n,
        friction_forces=friction,
        contact_gaps=gaps,
        contact_modes=doing,
        redundant_contacts=undetermined,
        indeterminate=indeterminate,
        pulling=pulling,
        residual=float(unmet),
        rank=rank,
        redundant=rows - rank,
        redundant_loops=loops,
        method=chosen.name,
    )


def _solve_each(asked: Problem, method: str, t: float) -> Solution:
    """The solutions of many states as one."""
    linkage, leading, rows = asked.linkage, asked.a.shape[:-1], asked.rows()

    def alone(k: int) -> Solution:
        state = asked.state(k, rows)
        return solve(linkage, state.q, state.v, state.tau, state.f_ext, method=method, t=t)

    fast = pick(linkage, method).name == "aba"
    if fast and linkage._contacts.records and can_solve_points(asked):
        return point_solutions(asked, alone, "aba")
    if fast and not linkage._contacts.records and can_solve(asked):
        fields, names = solutions(asked, alone)
        nothing = np.empty((len(fields["a"]), 0))
        fields |= {"normal_forces": nothing, "friction_forces": np.empty((len(nothing), 0, 3)), "contact_gaps": nothing}
        fields |= {"contact_modes": nothing.astype(str), "indeterminate": np.zeros(len(nothing), dtype=bool)}
        fields = {name: array.reshape(*leading, *array.shape[1:]) for name, array in fields.items()}
        return Solution._of(
            linkage, **fields, redundant_contacts=(), pulling=(), redundant_loops=names, method="aba"
        )  # fmt: skip
    found = [vars(each) for each in per_state(alone, leading)]
    fields: dict[str, Any] = {name: np.array([each[name] for each in found]) for name in ARRAYS}
    if not found:
        shapes = {"a": (linkage.nv,), "joint_wrenches": (linkage.nb, 6), "loop_wrenches": (len(linkage.loops), 6)}
        fields = {name: np.empty((0, *shapes.get(name, ()))) for name in ARRAYS}
    fields = {name: array.reshape(*leading, *array.shape[1:]) for name, array in fields.items()}
    for name in ("redundant_contacts", "pulling", "redundant_loops"):
        fields[name] = tuple(dict.fromkeys(each for state in found for each in state[name]))
    return Solution._of(linkage, **fields, method=found[0]["method"] if found else method)


def _driving(asked: Problem) -> np.ndarray | None:
    """(loop joints, 6) wrenches of the loop joints' motors and dampers, in `at_b`; None where they do nothing."""
    linkage, tree, q, v, tau = asked[:5]
    loops = loops_of(linkage) if tree.closed else None
    if loops is None or not loops.nv or not (loops.damped or tau[tree.nv :].any()):
        return None
    whole = constraint_matrices(linkage, q, whole=True)
    return loops.turn_back(driving_wrenches(linkage, whole, q, v, tau[tree.nv :]))


def _acting(asked: Problem, found: Outcome, loop_wrenches: np.ndarray) -> np.ndarray:
    """(6 nb,) wrenches on the bodies, loops and contacts included; of size 0 where there is none."""
    linkage, q = asked.linkage, asked.q
    if not (asked.tree.closed or linkage._contacts.records):
        return asked.wrench
    acting = asked.wrench.copy() if asked.wrench.size else np.zeros(6 * linkage.nb)
    if found.reaction is not None:
        acting += on_bodies(linkage, q, found.reaction.touch.r, found.reaction.forces).ravel()
    return acting + on_bodies_by_loops(linkage, q, loop_wrenches).ravel() if asked.tree.closed else acting
