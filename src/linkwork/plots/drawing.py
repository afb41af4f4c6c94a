"""Pictures of linkages and of their assembly trees, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError
from linkwork.linkage.checks import check_kind
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST_ASSEMBLY = 200  # nodes of an assembly tree beyond which a picture is unreadable


def draw(linkage: Linkage, q=None, *, ax: Any = None, **line: Any) -> Any:
    """Draw a linkage as lines: from each body's origin to those of the bodies on it, and to its centre of mass.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like, optional
        Default: the pose as described.
    ax : matplotlib 3-D axes, optional
        Default: new ones.
    **line
        Passed on to matplotlib's `Line3DCollection`, such as ``color`` and ``linewidth``.

    Returns
    -------
    matplotlib 3-D axes

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.

    Notes
    -----
    Cost: O(nb) shapes.

    Examples
    --------
    >>> import linkwork as lw
    >>> ax = lw.draw(lw.samples.molecule(200), color="black")
    """
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    poses = body_poses(linkage, linkage.neutral() if q is None else q)
    columns = linkage.columns
    centre = poses.positions + np.einsum("nij,nj->ni", poses.rotations, columns.com)
    on_body = columns.parent >= 0
    segments = np.concatenate(
        [
            np.stack([poses.positions[columns.parent[on_body]], poses.positions[on_body]], axis=1),
            np.stack([poses.positions, centre], axis=1),
        ]
    )
    if ax is None:
        ax = plt.figure().add_subplot(projection="3d")
    ax.add_collection3d(Line3DCollection(segments, **{"linewidths": 1.0, **line}))
    low, high = segments.min(axis=(0, 1)), segments.max(axis=(0, 1))
    middle, half = (low + high) / 2, max(float((high - low).max()) / 2, 1e-9)
    for axis, center in zip("xyz", middle, strict=True):
        ax.set(**{f"{axis}lim": (center - half, center + half), f"{axis}label": f"{axis} (m)"})
    ax.set_box_aspect((1, 1, 1))
    return ax


def draw_assembly(assembly: Assembly, ax: Axes | None = None) -> Axes:
    """Draw an assembly tree: bodies in boxes along the bottom, above them the joints that join the parts.

    Nodes with two handles are drawn dark, those with one light.

    Parameters
    ----------
    assembly : Assembly
    ax : matplotlib axes, optional
        Default: new ones.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ArgumentError
        It is not an `Assembly`, or too large a one.

    Notes
    -----
    Cost: O(nb) boxes and lines: meant for some dozens of bodies.

    Examples
    --------
    >>> import linkwork as lw
    >>> ax = lw.draw_assembly(lw.samples.chain(8).assembly())
    >>> ax.figure.savefig("assembly.png")
    """
    from matplotlib import pyplot as plt

    from linkwork.kernels.layout.nodes import HEIGHT, KIND, LEAF

    check_kind(assembly, Assembly, "assembly", "the assembly tree of a linkage, linkage.assembly()")
    if len(assembly) > LARGEST_ASSEMBLY:
        raise ArgumentError(
            f"an assembly tree of {len(assembly)} nodes is too large to draw: the limit is {LARGEST_ASSEMBLY}"
        )
    leaves = np.cumsum(assembly.nodes[:, KIND] == LEAF) - 1
    x, y = np.zeros(len(assembly)), assembly.nodes[:, HEIGHT].astype(float)
    if ax is None:
        figure = plt.figure(figsize=(max(4.0, 0.8 * leaves[-1]), max(3.0, 0.8 * assembly.depth)))
        ax = figure.add_subplot()
    for node in range(len(assembly)):
        children = assembly.children(node)
        x[node] = np.mean(x[list(children)]) if children else leaves[node]
        for child in children:
            ax.plot([x[node], x[child]], [y[node], y[child]], color="0.6", linewidth=1.0, zorder=1)
    for node in range(len(assembly)):
        leaf, two = assembly.nodes[node, KIND] == LEAF, assembly.handles[node] == 2
        box = {"boxstyle": "square" if leaf else "round", "facecolor": "0.75" if two else "white", "edgecolor": "0.3"}
        ax.text(x[node], y[node], assembly.label(node), ha="center", va="center", fontsize=8, bbox=box, zorder=2)
    ax.set(ylabel="height", xticks=[], xlim=(-0.7, leaves[-1] + 0.7), ylim=(-0.6, assembly.depth + 0.6))
    for side in ("top", "right", "bottom"):
        ax.spines[side].set_visible(False)
    return ax
