"""The methods of forward dynamics: what each of them can do, what it costs, and which one "auto" stands for.

A method is a function from a `Problem` to an `Outcome`, one for open linkages and one for closed ones. Few know of
contacts: `contact.around` wraps whichever answers. docs/adding-a-method.md shows how to add a method.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from linkwork.dynamics import closed_methods, tree_methods
from linkwork.dynamics.contact import around
from linkwork.dynamics.contact_compiled import compiled
from linkwork.dynamics.extended_newton_euler import extended_newton_euler
from linkwork.dynamics.problem import Solver
from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import uninvertible

DEEP = 64  # mean depth of a tree, in degrees of freedom, beyond which sparse factors cost more than articulated bodies


class Method(NamedTuple):
    """One row of the table."""

    name: str
    trees: Solver
    loops: Solver | None  # of linkages with loops or couplings
    contacts: Literal["wrapped", "own", None]  # by `contact.around`, by the method itself, or not at all
    massless: bool  # whether a body may lack mass or a moment of inertia
    batches: str  # how the states of a batch are computed: of trees; with loops
    cost: str  # of one state: of trees; with loops

    def without_contacts(self, linkage: Linkage) -> Solver:
        """The function that answers for the linkage, its contacts left out."""
        solver = self.loops if linkage.tree.closed else self.trees
        if solver is None:
            raise ArgumentError(
                f'method="{self.name}" is for trees; linkage {linkage.name!r} has loops: use method="auto"'
            )
        return solver

    def solver(self, linkage: Linkage) -> Solver:
        """The function that answers for the linkage; raises where this method cannot."""
        solver = self.without_contacts(linkage)
        if not linkage._contacts.records or self.contacts == "own":
            return solver
        if self.contacts is None:
            raise StructureError(
                f'linkage {linkage.name!r} has contacts: method "{self.name}" does not take them; use method="auto"'
            )
        if self.name != "aba":
            return around(solver)
        return compiled(with_contacts(linkage))


def with_contacts(linkage: Linkage) -> Solver:
    """The fastest method that Python knows for points on surfaces, and that answers with all of their state.

    It asks for columns of M⁻¹: sparse factors give them at once, in shallow trees.
    """
    tree = linkage.tree
    if tree.closed:
        return around(closed_methods.embedding)
    return around(tree_methods.crba if tree.nonzeros <= DEEP * tree.nv else tree_methods.aba)


PACKS, THREADS, IN_TURN = "SIMD packs, in threads", "compiled, in threads", "one by one"

METHODS = {
    method.name: method
    for method in (
        # name, trees, loops, contacts, massless, batches, cost
        Method(
            "aba", tree_methods.aba, closed_methods.embedding, "wrapped", True,
            f"{PACKS}; {THREADS}", "O(nb); linear for local loops",
        ),
        Method(
            "crba", tree_methods.crba, closed_methods.null_space, "wrapped", True,
            f"{PACKS}; {IN_TURN}", "O(nb · depth²); O(nv³)",
        ),
        Method(
            "unit-vector", tree_methods.unit_vector, closed_methods.unit_vector, "wrapped", True,
            f"{PACKS}; {IN_TURN}", "O(nb³); O(nv³)",
        ),
        Method(
            "virtual-work", tree_methods.virtual_work, closed_methods.virtual_work, "wrapped", False,
            f"{PACKS}; {IN_TURN}", "O(nb), large trees in threads; O(nb · rows)",
        ),
        Method(
            "dca", tree_methods.dca, closed_methods.dca, None, True,
            f"{IN_TURN}; {IN_TURN}", "O(nb), subtrees in threads; linear for local loops",
        ),
        Method(
            "extended-newton-euler", extended_newton_euler, None, "own", True,
            IN_TURN, "O(nb³)",
        ),
    )
}  # fmt: skip


def pick(linkage: Linkage, name: str, splitting: str | None = None) -> Method:
    """The method of this name; "auto" is the fastest that fits."""
    tree, contacts = linkage.tree, bool(linkage._contacts.records)
    if splitting is not None and (name != "virtual-work" or tree.closed or contacts):
        raise ArgumentError('splitting belongs to method="virtual-work" of open linkages without contacts')
    if name == "auto":
        name = "aba"
    if name not in METHODS:
        raise unknown_name("method", name, ["auto", *METHODS])
    return METHODS[name]


def able(linkage: Linkage) -> list[Method]:
    """The methods that can answer for a linkage."""
    sound = not len(uninvertible(linkage.columns))
    return [
        method
        for method in METHODS.values()
        if (sound or method.massless)
        and (method.loops or not linkage.tree.closed)
        and (method.contacts or not linkage._contacts.records)
    ]
