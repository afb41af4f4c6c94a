"""Which method, integrator and step suit a linkage, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.arguments import coordinates, one_state
from linkwork.dynamics.closed import close_loops, mobility
from linkwork.dynamics.inverse import gravity_torques
from linkwork.dynamics.linearization import linearize
from linkwork.dynamics.methods import able, pick
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of

HUGE = 10_000  # bodies: from here on few of them matter to one force
SMALL = 120  # degrees of freedom: as many are linearized for advice
PER_PERIOD = 20  # steps of rk4 in the shortest period: its error is then about 1e-5 of the amplitude
STABLE = 2.0  # |λ| dt, with a margin, that rk4 bears of a decay: its limit is 2.79
USUAL = 1e-3  # s


@dataclass(frozen=True)
class Advice:
    """What suits a linkage, made by `explain`; printed, it says why.

    Attributes
    ----------
    method : str
        Of `forward_dynamics`.
    integrator : str
        Of `Simulation`.
    dt : float
        Step, s.
    contacts : str or None
        How a `Simulation` goes through contacts of shapes; None where there are none.
    rates : (n,) array of complex
        Eigenvalues of small motions about the pose, 1/s; empty where they were not found.
    reasons : tuple of str
        One sentence each.

    Examples
    --------
    >>> import linkwork as lw
    >>> advice = lw.explain(lw.samples.four_bar())
    >>> advice.method, advice.integrator
    ('aba', 'rk4')
    """

    method: str
    integrator: str
    dt: float
    contacts: str | None
    rates: np.ndarray
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.reasons)


def explain(linkage: Linkage, q=None) -> Advice:
    """Say which method, integrator and step suit a linkage, and why.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like, optional
        The pose to look at; by default the neutral one, loops closed.

    Returns
    -------
    Advice

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: two evaluations of forward dynamics, and for linkages of moderate size the eigenvalues of a dense matrix,
    O(nv³).

    Examples
    --------
    >>> import linkwork as lw
    >>> lw.explain(lw.samples.four_bar()).method
    'aba'
    """
    tree = tree_of(linkage)
    reasons = [_size(linkage)]
    q = linkage.neutral() if q is None else one_state("q", coordinates(linkage, q))
    if linkage.constrained:
        q, sentence = _constraints(linkage, q)
        reasons.append(sentence)
    method = pick(linkage, "auto")
    others = [each.name for each in able(linkage) if each.name != method.name]
    reasons.append(
        f'method="{method.name}": cost {_share(method.cost, tree.closed)}; '
        + (f"also possible: {', '.join(others)}, which linkwork bench times" if others else "no other can answer")
    )
    rates, sentences = _rates(linkage, q)
    integrator, dt, sentence = _step(rates)
    contacts = None
    if len(linkage.shapes):
        contacts = "time-stepping" if len(linkage.shapes) > 4 else "auto"
        reasons.append(
            f'contacts="{contacts}": {len(linkage.shapes)} shapes; time stepping has a fixed cost per step, events '
            "find every instant exactly"
        )
    return Advice(method.name, integrator, dt, contacts, rates, (*reasons, *sentences, sentence))


def _size(linkage: Linkage) -> str:
    tree = linkage.tree
    depth = tree.nonzeros / max(tree.nv, 1)
    text = f"{linkage.nb} bodies, {linkage.nv} degrees of freedom, {depth:.1f} of them on the way to ground on average"
    if linkage.nb >= HUGE:
        text += ": where few forces act, AdaptiveSimulation computes only the joints that matter"
    return text


def _constraints(linkage: Linkage, q: np.ndarray) -> tuple[np.ndarray, str]:
    try:
        q = close_loops(linkage, q)
        found = mobility(linkage, q)
    except LinkworkError as error:
        return q, f"loops and surfaces: {error}"
    text = f"loops, couplings and surfaces leave {found.dof} of {linkage.nv} degrees of freedom"
    if found.redundant:
        text += f"; {found.redundant} of their rows are redundant: motion is unique, their forces are the least"
    if found.condition > 1e6:
        text += f"; the pose is near a singular one (condition {found.condition:.0e}): expect large forces"
    return q, text


def _share(cost: str, closed: bool) -> str:
    """Of "of trees; with loops", what applies."""
    return cost.split("; ")[-1 if closed else 0]


def _rates(linkage: Linkage, q: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Eigenvalues about the pose, as if motors held it there, and what they say."""
    none = np.zeros(0, dtype=complex)
    if linkage.nv > SMALL:
        return none, [f"small motions are not looked at: more than {SMALL} degrees of freedom"]
    try:
        rates = linearize(linkage, q, tau=gravity_torques(linkage, q)).eigenvalues
    except LinkworkError as error:
        return none, [f"small motions about this pose are unknown: {error}"]
    if not np.isfinite(rates).all() or not rates.size:
        return none, []
    sentences = []
    turning, decay = float(np.abs(np.imag(rates)).max()), float(-np.real(rates).min())
    if turning > 0.0:
        sentences.append(f"the fastest vibration about this pose has {turning / (2 * math.pi):.3g} Hz")
    if decay > 0.0:
        sentences.append(f"the fastest decay, by dampers, has a time constant of {1 / decay:.3g} s")
    return rates, sentences


def _step(rates: np.ndarray) -> tuple[str, float, str]:
    """Integrator, dt, and why."""
    turning = float(np.abs(np.imag(rates)).max(initial=0.0))
    decay = float((-np.real(rates)).max(initial=0.0))
    limits = [USUAL]
    if turning > 0.0:
        limits.append(2 * math.pi / (PER_PERIOD * turning))
    if decay > 0.0:
        limits.append(STABLE / decay)
    step = min(limits)
    digit = 10.0 ** math.floor(math.log10(step))
    dt = max(k for k in (1, 2, 5) if k * digit <= step * (1 + 1e-12)) * digit
    if step == USUAL:
        return "rk4", dt, f'integrator="rk4", dt={dt:g}: nothing here is faster than that can follow'
    what = "vibration" if len(limits) > 1 and turning > 0.0 and step == limits[1] else "decay"
    return "rk4", dt, f'integrator="rk4", dt={dt:g}: as the fastest {what} asks for'
