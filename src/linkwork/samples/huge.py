"""Linkages of many bodies: those of [Redon2005], a bicycle chain, a millipede and a molecule."""

from __future__ import annotations

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.joint import Fixed, Free, Revolute
from linkwork.linkage.linkage import Linkage
from linkwork.samples.open import count

LEG_LINKS, SPINE_LINKS = 10, 3  # of the millipede: links of a leg, and of spine for each leg
SLOTS = 3  # bonds of an atom beside the one it hangs by
REACH = 16  # how far back a new branch of the molecule may start
_TETRAHEDRAL = np.arccos(-1.0 / 3.0)


def bicycle_chain(links: int = 30) -> Linkage:
    """A bicycle chain held at one end and hanging down: pitch 12.7 mm, 2.6 g per link, hinges along y.

    Parameters
    ----------
    links : int

    Returns
    -------
    Linkage
        Bodies ``link0`` …; damping 1e-5 N m s in every pin.
    """
    n = count(links, "links")
    pitch, height, mass = 12.7e-3, 8.5e-3, 2.6e-3
    linkage = Linkage(name=f"bicycle chain of {n}")
    across, along = mass * (pitch**2 + height**2) / 12, mass * height**2 / 12
    position = np.zeros((n, 3))
    position[1:, 2] = -pitch
    linkage.add_bodies(
        [f"link{i}" for i in range(n)],
        mass=mass,
        com=(0.0, 0.0, -pitch / 2),
        inertia=(across, 0.0, 0.0, across, 0.0, along),
        parent=np.arange(-1, n - 1),
        at_position=position,
        code=Revolute.code,
        axis=(0.0, 1.0, 0.0),
        damping=1e-5,
    )
    return linkage


def millipede(legs: int = 1000, *, base: str = "fixed") -> Linkage:
    """A millipede: a spine of three links per leg, and legs of ten links, left and right in turn.

    Parameters
    ----------
    legs : int
        1,000 give the 13,000 links of [Redon2005], with 12,999 hinges between them.
    base : {"fixed", "free"}
        Whether the first link of the spine is fixed to ground or floats.

    Returns
    -------
    Linkage
        Bodies ``spine0`` … and ``leg0_0`` …; axes alternate along the spine and along every leg.
    """
    if base not in ("fixed", "free"):
        raise ArgumentError(f"base must be 'fixed' or 'free', not {base!r}")
    spine, legs = SPINE_LINKS * count(legs, "legs"), int(legs)
    linkage = Linkage(name=f"millipede of {legs} legs")
    names = [f"spine{i}" for i in range(spine)] + [f"leg{k}_{j}" for k in range(legs) for j in range(LEG_LINKS)]
    n = len(names)
    link = np.arange(n - spine) % LEG_LINKS  # place of each leg link in its leg
    leg = np.arange(n - spine) // LEG_LINKS
    side = np.where(leg % 2 == 0, 1.0, -1.0)

    parent = np.arange(-1, n - 1)
    parent[spine:][link == 0] = SPINE_LINKS * leg[link == 0] + 1
    axis = np.zeros((n, 3))
    axis[:spine] = np.where((np.arange(spine) % 2 == 0)[:, None], (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    axis[spine:] = np.where((link % 2 == 0)[:, None], (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    # spine links lie along x, those of legs across, y being left
    position = np.zeros((n, 3))
    position[1:spine, 0] = 0.1
    position[spine:, 1] = np.where(link == 0, 0.03, 0.04) * side
    position[spine:, 0] = np.where(link == 0, 0.05, 0.0)
    com = np.zeros((n, 3))
    com[:spine, 0] = 0.05
    com[spine:, 1] = 0.02 * side
    mass = np.where(np.arange(n) < spine, 0.1, 0.01)
    inertia = np.zeros((n, 6))
    inertia[:spine, [0, 3, 5]] = 0.1 * np.array([0.06**2 / 6, (0.1**2 + 0.06**2) / 12, (0.1**2 + 0.06**2) / 12])
    inertia[spine:, [0, 3, 5]] = 0.01 * np.array([(0.04**2 + 0.01**2) / 12, 0.01**2 / 6, (0.04**2 + 0.01**2) / 12])
    code = np.full(n, Revolute.code)
    code[0] = Fixed.code if base == "fixed" else Free.code
    linkage.add_bodies(
        names, parent=parent, code=code, axis=axis, mass=mass, com=com, inertia=inertia, at_position=position
    )
    return linkage


def molecule(n: int = 50_000, *, seed: int | np.random.Generator = 0, branching: float = 0.1) -> Linkage:
    """A random molecule as a ball-and-stick model: n atoms, each turning about the bond it hangs by.

    Parameters
    ----------
    n : int
        Number of atoms, and of joints.
    seed : int or numpy Generator
    branching : float
        Chance that an atom starts a branch, on one of the last 16 with a free bond, instead of hanging on the one
        before; 0 gives a chain.

    Returns
    -------
    Linkage
        Bodies ``atom0`` …: balls of 1 kg and 6 cm radius at the ends of bonds of 15 cm. An atom has four bonds at
        the tetrahedral angle.
    """
    n = count(n, "n")
    if not 0.0 <= branching <= 1.0:
        raise ArgumentError(f"branching is a chance, from 0 to 1, not {branching}")
    rng = np.random.default_rng(seed)
    parent, slot = _grow(n, branching, rng)
    bond, radius, mass = 0.15, 0.06, 1.0
    ball = 0.4 * mass * radius**2

    # an atom's frame sits where its bond begins, z along the bond; its three other bonds begin at the atom
    turn = 2.0 * np.pi / SLOTS * np.arange(SLOTS)
    tilt = np.pi - _TETRAHEDRAL
    c, s, ct, st = np.cos(turn), np.sin(turn), np.cos(tilt), np.sin(tilt)
    zero = np.zeros(SLOTS)
    slots = np.stack([c * ct, -s, c * st, s * ct, c, s * st, zero - st, zero, zero + ct], -1)  # Rz(turn) Ry(tilt)
    rotation, position = slots.reshape(SLOTS, 3, 3)[slot], np.zeros((n, 3))
    rotation[parent < 0] = np.eye(3)
    position[parent >= 0, 2] = bond
    linkage = Linkage(name=f"molecule of {n} atoms")
    linkage.add_bodies(
        [f"atom{i}" for i in range(n)],
        parent=parent,
        code=Revolute.code,
        axis=(0.0, 0.0, 1.0),
        mass=mass,
        com=(0.0, 0.0, bond),
        inertia=(ball, 0.0, 0.0, ball, 0.0, ball),
        at_position=position,
        at_rotation=rotation,
    )
    return linkage


def _grow(n: int, branching: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The atom that each one hangs on, and by which of its bonds."""
    parent, slot, used = [-1] * n, [0] * n, [0] * n
    branch, back = (rng.random(n) < branching).tolist(), rng.integers(1, REACH + 1, size=n).tolist()
    first = rng.integers(SLOTS, size=n).tolist()
    for i in range(1, n):
        p = max(i - back[i], 0) if branch[i] else i - 1
        while used[p] == SLOTS:  # the last atom always has a bond left
            p += 1
        parent[i], slot[i] = p, (first[p] + used[p]) % SLOTS
        used[p] += 1
    return np.array(parent), np.array(slot)
