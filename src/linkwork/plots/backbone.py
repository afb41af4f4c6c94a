"""Pictures of molecules: the trace of the backbone."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage

TRACED = ("CA", "P")  # one atom per residue of proteins and of nucleic acids
STEP = 0.8  # nm: atoms of consecutive residues that are farther apart are not joined


def draw_backbone(linkage: Linkage, q=None, values=None, *, label: str = "", ax: Any = None) -> Any:
    """Draw the trace of a molecule's backbone, coloured by a value of each body, such as when it was last computed.

    Parameters
    ----------
    linkage : Linkage
        Read from a molecule.
    q : (nq,) array_like, optional
        Default: as it was read.
    values : (nb,) array_like, optional
        What the colour shows. Default: the number of the residue.
    label : str
        What the colours mean.
    ax : matplotlib 3-D axes, optional
        Default: new ones.

    Returns
    -------
    matplotlib 3-D axes

    Raises
    ------
    ArgumentError
        The linkage was not read from a molecule, or an array has another shape.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> ax = lw.draw_backbone(peptide)
    >>> ax.figure.savefig("backbone.png")
    """
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    molecule = linkage.molecule
    rows = np.array([k for k, name in enumerate(molecule.data.names) if name in TRACED], dtype=np.int64)
    if len(rows) < 2:
        raise ArgumentError(f"linkage {linkage.name!r} has no backbone to draw: fewer than two atoms CA or P")
    x = molecule.positions(linkage.neutral() if q is None else q)[rows]
    if values is None:
        shown = molecule.residue[rows].astype(np.float64)
    else:
        values = np.asarray(values, dtype=np.float64)
        if values.shape != (linkage.nb,):
            raise ArgumentError(f"values has shape {values.shape}; it must be ({linkage.nb},): one per body")
        shown = values[molecule.body[rows]]
    chains = np.array(molecule.data.chains)[molecule.residue[rows]]
    joined = (np.linalg.norm(np.diff(x, axis=0), axis=1) < STEP) & (chains[1:] == chains[:-1])
    segments = np.stack([x[:-1], x[1:]], axis=1)[joined]
    if ax is None:
        ax = plt.figure(figsize=(6, 5)).add_subplot(projection="3d")
    lines = Line3DCollection(list(segments), cmap="viridis", linewidths=2.5)
    lines.set_array(0.5 * (shown[1:] + shown[:-1])[joined])
    ax.add_collection3d(lines)
    middle, half = (x.min(axis=0) + x.max(axis=0)) / 2, float(np.ptp(x, axis=0).max()) / 2
    for axis, center in zip("xyz", middle, strict=True):
        ax.set(**{f"{axis}lim": (center - half, center + half), f"{axis}label": f"{axis} (nm)"})
    ax.set_box_aspect((1, 1, 1))
    if label:
        ax.figure.colorbar(lines, ax=ax, label=label, shrink=0.7)
    return ax
