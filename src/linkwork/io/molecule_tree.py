"""From bonds to rigid groups, and to the tree of torsions that joins them.

Atoms that no turning bond separates are one group, a body. Groups and turning bonds are a graph; a walk from each
component's first atom makes it a tree, and the bonds left over are loops.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.io.molecule_atoms import Atoms
from linkwork.io.molecule_bonds import Bonds, small_rings
from linkwork.io.monomers import ALIASES, CHI, NUCLEIC

FLAT = 0.005  # nm: rings whose atoms are all so near a plane are rigid whatever is asked
BACKBONE = ("phi", "psi", "omega", "alpha", "beta", "gamma", "delta", "epsilon", "zeta")
TORSION, TWIST_AND_BEND = 0, 1  # kinds of edge: about a bond; about its first atom, across the bond


class Edge(NamedTuple):
    """A bond that joins two groups; of a tree, `near` is towards the root."""

    near: int
    far: int
    kind: int


class Groups(NamedTuple):
    """Rigid groups in an order in which each comes after the one it hangs on."""

    group: np.ndarray  # (n,) of each atom
    parent: list[int]  # of each group, −1 for roots
    edge: list[Edge | None]  # that it hangs by
    first: list[int]  # atom of each group: the root's first one, else the far end of the bond
    loops: list[Edge]  # turning bonds that close rings of groups
    ring_closures: list[tuple[int, int]]  # atoms of flexible rings: that which holds the place, that which comes to it


class Choice(NamedTuple):
    """What may turn; see `linkwork.io.load.load`."""

    omega: bool
    backbone: bool
    united: bool
    flexible_rings: bool
    disulphides: bool
    rigid: str | Sequence[str]


def find_groups(atoms: Atoms, bonds: Bonds, choice: Choice) -> Groups:
    """The rigid groups of a molecule and the tree they make."""
    n = len(atoms.names)
    rings = small_rings(bonds)
    opened = [_open_ring(atoms, bonds, ring) for ring in _flexible(atoms, rings)] if choice.flexible_rings else []
    domain = _domains(atoms, choice.rigid)
    whole = {frozenset(pair) for ring in rings for pair in zip(ring, ring[1:] + ring[:1], strict=True)}
    special: dict[frozenset[int], int] = {}
    closures: list[tuple[int, int]] = []
    for ring in opened:
        if domain[ring[0]] >= 0 and len({int(domain[k]) for k in ring}) == 1:
            continue
        whole -= {frozenset(pair) for pair in zip(ring, ring[1:] + ring[:1], strict=True)}
        special |= {frozenset(pair): TORSION for pair in pairwise(ring[:-1])}
        special[frozenset(ring[-2:])] = TWIST_AND_BEND
        closures.append((ring[0], ring[-1]))
    closing = {frozenset(pair) for pair in closures}

    find = _Union(n)
    edges: list[Edge] = []
    loops: list[Edge] = []
    hydrogen = [element in ("H", "D") for element in atoms.elements]
    rows = zip(bonds.pairs.tolist(), bonds.turns.tolist(), bonds.disulphide.tolist(), strict=True)
    for (i, j), turns, disulphide in rows:
        pair = frozenset((i, j))
        if pair in closing:
            continue
        if pair in special:
            edges.append(Edge(i, j, special[pair]))
        elif disulphide:
            if choice.disulphides:
                loops.append(Edge(i, j, TORSION))
        elif (
            _may_turn(atoms, bonds, hydrogen, i, j, turns, choice)
            and pair not in whole
            and not (domain[i] == domain[j] >= 0)
        ):
            edges.append(Edge(i, j, TORSION))
        else:
            find.join(i, j)
    _join_residues(atoms, find)
    _join_domains(domain, find)
    return _grow(atoms, find, edges, loops, closures)


def _may_turn(atoms: Atoms, bonds: Bonds, hydrogen: list[bool], i: int, j: int, turns: bool, choice: Choice) -> bool:
    """Whether a bond is a torsion, rings and domains apart."""
    if len(bonds.neighbours[i]) < 2 or len(bonds.neighbours[j]) < 2:
        return False
    name = torsion_name(atoms, i, j)
    if name == "omega":
        return choice.omega
    if not turns or (choice.backbone and name not in BACKBONE):
        return False
    if choice.united:
        for end, other in ((i, j), (j, i)):
            if all(hydrogen[k] for k in bonds.neighbours[end] if k != other):
                return False
    return True


def torsion_name(atoms: Atoms, i: int, j: int) -> str:
    """What people call the torsion about this bond, within its residue."""
    a, b = atoms.names[i], atoms.names[j]
    here, there = int(atoms.residue[i]), int(atoms.residue[j])
    if here != there:
        if {a, b} == {"C", "N"}:
            return "omega"
        known = NUCLEIC.get((a, b)) or NUCLEIC.get((b, a))
        return known or f"{a}-{atoms.residues[there].label}/{b}"
    protein = "CA" in atoms.residues[here].atoms and "N" in atoms.residues[here].atoms
    if protein and {a, b} == {"N", "CA"}:
        return "phi"
    if protein and {a, b} == {"CA", "C"}:
        return "psi"
    if protein:
        inner, outer = (a, b) if CHI.get(a, 0) < CHI.get(b, 0) else (b, a)
        if CHI.get(outer, 0) == (1 if inner == "CA" else CHI.get(inner, -9) + 1):
            return f"chi{CHI[outer]}"
    one, two = a.replace("*", "'"), b.replace("*", "'")
    return NUCLEIC.get((one, two)) or NUCLEIC.get((two, one)) or f"{a}-{b}"


def _flexible(atoms: Atoms, rings: list[list[int]]) -> list[list[int]]:
    """Rings that pucker: those of proline and of sugars, that share no atom with another ring."""
    shared: dict[int, int] = {}
    for ring in rings:
        for k in ring:
            shared[k] = shared.get(k, 0) + 1
    chosen = []
    for ring in rings:
        name = atoms.residues[int(atoms.residue[ring[0]])].name
        sugar = sorted(atoms.elements[k] for k in ring) in (["C"] * 4 + ["O"], ["C"] * 5 + ["O"])
        points = atoms.positions[ring] - atoms.positions[ring].mean(axis=0)
        flat = np.abs(points @ np.linalg.svd(points)[2][2]).max() < FLAT
        if (sugar or ALIASES.get(name, name) == "PRO") and not flat and all(shared[k] == 1 for k in ring):
            chosen.append(ring)
    return chosen


def _open_ring(atoms: Atoms, bonds: Bonds, ring: list[int]) -> list[int]:
    """The ring in order from the atom by which the chain comes in, towards the neighbour with more bonds."""
    names = [atoms.names[k] for k in ring]
    start = next((names.index(name) for name in ("N", "C4'", "C4*") if name in names), int(np.argmin(ring)))
    ring = ring[start:] + ring[:start]
    if len(bonds.neighbours[ring[-1]]) > len(bonds.neighbours[ring[1]]) or atoms.names[ring[1]] == "CD":
        ring = ring[:1] + ring[:0:-1]
    return ring


def _domains(atoms: Atoms, rigid: str | Sequence[str]) -> np.ndarray:
    """The number of the frozen domain of each atom, −1 for none."""
    domain = np.full(len(atoms.names), -1)
    given = [rigid] if isinstance(rigid, str) else rigid
    texts = [part for text in given for part in text.split(",") if part.strip()]
    for number, text in enumerate(texts):
        chain, _, span = text.strip().partition(":")
        low, _, high = span.partition("-") if not span.startswith("-") else (span, "", "")
        try:
            ends = (int(low), int(high or low)) if span else (None, None)
        except ValueError:
            raise ArgumentError(f"rigid={text!r}: write a chain or a range of residues: 'A' or 'A:10-85'") from None
        inside = [
            each.chain == chain and (ends[0] is None or ends[0] <= each.number <= ends[1]) for each in atoms.residues
        ]
        if not any(inside):
            chains = ", ".join(sorted({each.chain for each in atoms.residues}))
            raise ArgumentError(f"rigid={text!r} is no residue of this file; its chains are {chains}")
        domain[np.array(inside)[atoms.residue]] = number
    return domain


def _join_residues(atoms: Atoms, find: _Union) -> None:
    """Waters are rigid."""
    for residue in atoms.residues:
        if residue.water:
            rows = list(residue.atoms.values())
            for k in rows[1:]:
                find.join(rows[0], k)


def _join_domains(domain: np.ndarray, find: _Union) -> None:
    first: dict[int, int] = {}
    for k in np.flatnonzero(domain >= 0).tolist():
        find.join(first.setdefault(int(domain[k]), k), k)


def _grow(atoms: Atoms, find: _Union, edges: list[Edge], loops: list[Edge], closures: list[tuple[int, int]]) -> Groups:
    """Walk from the first atom of each component along turning bonds, depth first in the order of the file."""
    n = len(atoms.names)
    root = np.array([find.root(k) for k in range(n)])
    _, first_atom, group = np.unique(root, return_index=True, return_inverse=True)
    bonds_of: list[list[int]] = [[] for _ in first_atom]
    for e, edge in enumerate(edges):
        a, b = int(group[edge.near]), int(group[edge.far])
        if a == b:
            continue
        bonds_of[a].append(e)
        bonds_of[b].append(e)
    depth: list[int] = [-1] * len(first_atom)
    entered: dict[int, Edge] = {}
    below: list[list[int]] = [[] for _ in first_atom]
    used: set[int] = set()
    roots = []
    for start in np.argsort(first_atom).tolist():
        if depth[start] >= 0:
            continue
        roots.append(start)
        depth[start] = 0
        queue = deque([start])
        while queue:  # breadth first, so that rings of groups are cut in their middle
            here = queue.popleft()
            for e in bonds_of[here]:
                near, far, kind = edges[e]
                if group[near] != here:
                    near, far = far, near
                there = int(group[far])
                if depth[there] < 0:
                    depth[there] = depth[here] + 1
                    entered[there] = Edge(near, far, kind)
                    below[here].append(there)
                    used.add(e)
                    queue.append(there)
    left = [edge for e, edge in enumerate(edges) if e not in used and group[edge.near] != group[edge.far]]
    order, parent = [], []
    place: dict[int, int] = {}
    stack = [(start, -1) for start in reversed(roots)]
    while stack:
        here, above = stack.pop()
        place[here] = len(order)
        order.append(here)
        parent.append(above)
        stack += [(there, place[here]) for there in sorted(below[here], key=lambda g: entered[g].far, reverse=True)]
    renumbered = np.empty(len(order), dtype=np.int64)
    renumbered[order] = np.arange(len(order))
    across = [edge for edge in loops + left if group[edge.near] != group[edge.far]]
    return Groups(
        renumbered[group], parent, [entered.get(g) for g in order],
        [entered[g].far if g in entered else int(first_atom[g]) for g in order], across,
        [(a, b) for a, b in closures if group[a] != group[b]],
    )  # fmt: skip


class _Union:
    """Disjoint sets of atoms."""

    def __init__(self, n: int):
        self.above = list(range(n))

    def root(self, k: int) -> int:
        while self.above[k] != k:
            self.above[k] = k = self.above[self.above[k]]
        return k

    def join(self, a: int, b: int) -> None:
        a, b = self.root(a), self.root(b)
        self.above[max(a, b)] = min(a, b)
