"""Which atoms of a molecule are bonded, and which bonds turn."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from linkwork.io.molecule_atoms import Atoms
from linkwork.io.monomers import missing, template

PEPTIDE = 0.20  # nm: C and N, or O3' and P, of consecutive residues that are nearer are bonded
DISULPHIDE = 0.25  # nm, between two SG
SLACK, LINK_SLACK = 0.04, 0.02  # nm beyond the sum of covalent radii, within a residue and between two
REACH = 0.24  # nm: no bond that is found by its length is longer
HYDROGEN = 0.14  # nm, to the atom that carries it
SHORT = 0.945  # a bond of C, N, O shorter than this share of the sum of radii is a double one, or nearly
LARGEST_RING = 8  # atoms of a ring that is rigid; larger ones close by a loop joint


class Bonds(NamedTuple):
    """The bonds of a molecule."""

    pairs: np.ndarray  # (m, 2), the smaller atom first
    turns: np.ndarray  # (m,) whether chemistry lets it turn; rings are not looked at
    disulphide: np.ndarray  # (m,)
    neighbours: list[list[int]]  # of each atom
    ignored: list[str]


def find_bonds(atoms: Atoms, monomers: dict[str, dict[tuple[str, str], bool]]) -> Bonds:
    """The bonds of a molecule: from what its residues are known to be, what the file lists, and from lengths."""
    bonds: dict[tuple[int, int], bool | None] = {}  # whether it turns; None: by its length
    known = np.zeros(len(atoms.names), dtype=bool)
    hydrogen = np.array([element in ("H", "D") for element in atoms.elements])
    ignored: list[str] = []
    incomplete = []
    for residue in atoms.residues:
        table = monomers.get(residue.name) or template(residue.name)
        if table is None or residue.water:
            continue
        for (a, b), turns in table.items():
            i, j = residue.atoms.get(a), residue.atoms.get(b)
            if i is not None:
                known[i] = True
            if i is not None and j is not None:
                known[j] = True
                bonds[min(i, j), max(i, j)] = turns
        absent = missing(residue.name, set(residue.atoms)) if residue.name not in monomers else None
        if absent:
            incomplete.append(f"{residue.label} {residue.name} lacks {', '.join(sorted(absent))}")
    ignored += incomplete[:20] + ([f"… and {len(incomplete) - 20} more residues lack atoms"] if incomplete[20:] else [])
    _bond_by_length(atoms, known, hydrogen, bonds)
    _bond_listed(atoms, bonds)
    ignored += _bond_consecutive(atoms, bonds)
    disulphides = _bond_sulphurs(atoms, bonds)
    pairs = np.array(sorted(bonds), dtype=np.int64).reshape(-1, 2)
    neighbours: list[list[int]] = [[] for _ in atoms.names]
    for i, j in pairs.tolist():
        neighbours[i].append(j)
        neighbours[j].append(i)
    turns = np.array([_turns(atoms, bonds, i, j) for i, j in pairs.tolist()], dtype=bool)
    disulphide = np.array([(i, j) in disulphides for i, j in pairs.tolist()], dtype=bool)
    return Bonds(pairs, turns, disulphide, neighbours, ignored)


def _bond_by_length(atoms: Atoms, known: np.ndarray, hydrogen: np.ndarray, bonds: dict) -> None:
    """Bond atoms that no table knows to what they are near; every hydrogen to the nearest heavy atom."""
    from scipy.spatial import KDTree

    pairs = KDTree(atoms.positions).query_pairs(REACH, output_type="ndarray")
    i, j = pairs.min(axis=1), pairs.max(axis=1)
    length = np.linalg.norm(atoms.positions[i] - atoms.positions[j], axis=1)
    same = atoms.residue[i] == atoms.residue[j]
    water = np.array([each.water for each in atoms.residues])[atoms.residue]
    light = hydrogen[i] | hydrogen[j]
    slack = np.where(same, SLACK, LINK_SLACK)
    near = length < atoms.radius[i] + atoms.radius[j] + slack
    metal = atoms.metal[i] | atoms.metal[j]
    foreign = ~known[i] | ~known[j]
    between = same | ~(water[i] | water[j])
    chosen = near & ~metal & ~light & foreign & between & (length > 0.04)
    bonds.update({(int(a), int(b)): None for a, b in zip(i[chosen], j[chosen], strict=True)})

    rows = np.flatnonzero(light & ~(hydrogen[i] & hydrogen[j]) & same & (length < HYDROGEN))
    rows = rows[np.argsort(length[rows], kind="stable")]
    carried: set[int] = set()
    for a, b in zip(i[rows].tolist(), j[rows].tolist(), strict=True):
        own = a if hydrogen[a] else b
        if own not in carried:
            carried.add(own)
            bonds[a, b] = True


def _bond_listed(atoms: Atoms, bonds: dict) -> None:
    """Add the bonds that the file lists, where they are as long as bonds are."""
    for a, b in atoms.links:
        length = np.linalg.norm(atoms.positions[a] - atoms.positions[b])
        limit = max(atoms.radius[a] + atoms.radius[b] + 2 * SLACK, DISULPHIDE if "S" in atoms.elements[a] else 0.0)
        if length < limit and not (atoms.metal[a] or atoms.metal[b]):
            bonds.setdefault((a, b), None)


def _bond_consecutive(atoms: Atoms, bonds: dict) -> list[str]:
    """Bond residues of a chain to the next; what is said of gaps."""
    breaks = []
    for here, following in zip(atoms.residues, atoms.residues[1:], strict=False):
        for last, first in (("C", "N"), ("O3'", "P"), ("O3*", "P")):
            a, b = here.atoms.get(last), following.atoms.get(first)
            if a is None or b is None or here.chain != following.chain:
                continue
            if last == "C" and len(following.atoms) > 6 and not {"CA", "CH3"} & following.atoms.keys():
                continue
            if np.linalg.norm(atoms.positions[a] - atoms.positions[b]) < PEPTIDE:
                bonds.setdefault((min(a, b), max(a, b)), last != "C")
            elif not (here.hetero and following.hetero):
                breaks.append(f"{here.label} and {following.label}")
    if not breaks:
        return []
    shown = "; ".join(breaks[:8]) + (" …" if len(breaks) > 8 else "")
    return [f"{len(breaks)} gaps in chains, on whose far side a free joint begins: between {shown}"]


def _bond_sulphurs(atoms: Atoms, bonds: dict) -> set[tuple[int, int]]:
    """Bond pairs of SG that are near; all bonds of two such atoms."""
    rows = [each.atoms["SG"] for each in atoms.residues if "SG" in each.atoms]
    found = set()
    for k, a in enumerate(rows):
        for b in rows[k + 1 :]:
            if np.linalg.norm(atoms.positions[a] - atoms.positions[b]) < DISULPHIDE:
                pair = min(a, b), max(a, b)
                bonds[pair] = True
                found.add(pair)
    return found


def _turns(atoms: Atoms, bonds: dict, i: int, j: int) -> bool:
    turns = bonds[i, j]
    if turns is not None:
        return turns
    if not {atoms.elements[i], atoms.elements[j]} <= {"C", "N", "O"}:
        return True
    length = float(np.linalg.norm(atoms.positions[i] - atoms.positions[j]))
    return length >= SHORT * (atoms.radius[i] + atoms.radius[j])


def small_rings(bonds: Bonds) -> list[list[int]]:
    """The smallest ring through each bond that is in one of at most `LARGEST_RING` atoms, each ring once."""
    neighbours = bonds.neighbours
    degree = [len(each) for each in neighbours]
    leaves = [k for k, d in enumerate(degree) if d == 1]
    while leaves:  # what hangs on a tree is in no ring
        k = leaves.pop()
        degree[k] = 0
        for other in neighbours[k]:
            if degree[other] > 0:
                degree[other] -= 1
                if degree[other] == 1:
                    leaves.append(other)
    rings: dict[tuple[int, ...], list[int]] = {}
    for i, j in bonds.pairs.tolist():
        if degree[i] > 1 and degree[j] > 1:
            ring = _way_around(neighbours, degree, i, j)
            if ring:
                rings.setdefault(tuple(sorted(ring)), ring)
    return list(rings.values())


def _way_around(neighbours: list[list[int]], degree: list[int], i: int, j: int) -> list[int]:
    """The shortest path from i to j that is not their bond, of at most `LARGEST_RING` atoms; empty where none is."""
    before = {i: -1}
    queue = deque([(i, 1)])
    while queue:
        here, length = queue.popleft()
        for other in neighbours[here]:
            if other in before or degree[other] < 2 or (here == i and other == j):
                continue
            before[other] = here
            if other == j:
                path = [j]
                while path[-1] != i:
                    path.append(before[path[-1]])
                return path
            if length + 1 < LARGEST_RING:
                queue.append((other, length + 1))
    return []
