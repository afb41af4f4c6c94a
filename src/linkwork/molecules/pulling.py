"""Pulling at an atom: by a force that stays, or by a spring whose other end moves on, as a pulled cantilever does."""

from __future__ import annotations

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import array, number
from linkwork.linkage.molecule import Molecule


class Pull:
    """A force on an atom.

    Parameters
    ----------
    molecule : Molecule
    atom : str
        Such as ``A/42/CA``.
    force : (3,) array_like, optional
        A force that stays, kJ/mol/nm, world axes.
    stiffness : float, optional
        Of a spring to an anchor instead, kJ/mol/nm².
    anchor : (3,) array_like, optional
        Where the anchor is at t = 0, nm. Default: where the file has the atom.
    velocity : (3,) array_like
        How the anchor moves, nm/ps.

    Attributes
    ----------
    last : (3,) ndarray
        The force when it was last asked for, kJ/mol/nm.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.LightForces(peptide)
    >>> pull = forces.pull("_/13/CA", force=(0.0, 0.0, 100.0))
    >>> isinstance(pull, lw.Pull)
    True
    """

    def __init__(
        self, molecule: Molecule, atom: str, *, force=None, stiffness: float | None = None, anchor=None,
        velocity=(0.0, 0.0, 0.0),
    ):  # fmt: skip
        if (force is None) == (stiffness is None):
            raise ArgumentError("a pull takes either force, or stiffness with anchor and velocity")
        self.atom, self._row = atom, molecule.atom(atom)
        self._force = None if force is None else array(force, (3,), "force")
        self.stiffness = 0.0 if stiffness is None else number(stiffness, "stiffness", minimum=0.0)
        if anchor is None:
            anchor = molecule.positions(molecule.linkage.neutral())[self._row]
        self.anchor, self.velocity = array(anchor, (3,), "anchor"), array(velocity, (3,), "velocity")
        self.last = np.zeros(3)

    def add_to(self, t: float, positions: np.ndarray, forces: np.ndarray) -> float:
        """Add the force at time t, ps, to those on atoms (3 n,); return its energy, kJ/mol."""
        k = slice(3 * self._row, 3 * self._row + 3)
        if self._force is not None:
            self.last = self._force
            forces[k] += self._force
            return -float(self._force @ positions[k])
        stretch = self.anchor + t * self.velocity - positions[k]
        self.last = self.stiffness * stretch
        forces[k] += self.last
        return 0.5 * self.stiffness * float(stretch @ stretch)

    def __repr__(self) -> str:
        return f"Pull({self.atom!r})"
