"""Draws docs/figures/architecture.svg from the imports themselves: ``python docs/draw_architecture.py``.

Each layer of the contract in pyproject.toml is a box, the highest on top, with its modules. An arc on the right joins a
layer to one it imports from, as thick as there are imports; those from `errors`, which all layers have, are left out.
An arc on the left is an import that goes back up.
"""

import textwrap
import tomllib
from pathlib import Path

import grimp
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

ROOT = Path(__file__).parents[1]
WORDS = {
    "cli": "the command linkwork",
    "viewer": "the same in a browser, and films",
    "plots": "pictures of linkages and recordings",
    "sweeps": "many runs, in one table",
    "scenes": "a linkage, its start and its motion in one file",
    "molecules": "forces on atoms, mechanics of torsions",
    "quasistatics": "AdaptiveSimulation",
    "simulation": "Simulation, rollout, Recording",
    "samples": "linkages to try things on",
    "dynamics": "the public face: validate, pick a method, launch, raise",
    "results": "what calls return",
    "io": "URDF, SDF, MJCF, BVH, molecules and our own YAML",
    "linkage": "the graph that people edit; packing/: its immutable arrays",
    "kernels": "one algorithm per file, compiled",
    "errors": "LinkworkError and its children",
}


def layers():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    listed = next(c for c in contracts if c["name"] == "Nothing flows backwards")["layers"]
    names = [name.strip("() ") for row in listed for name in row.replace("|", ":").split(":")]
    return [name for name in names if name in WORDS]


def contents(graph, layer):
    """The packages and modules of a layer, wrapped."""
    children = sorted(graph.find_children(f"linkwork.{layer}"))
    names = [child.rpartition(".")[2] + "/" * bool(graph.find_children(child)) for child in children]
    return textwrap.wrap("  ".join(names), 105)


def main():
    graph = grimp.build_graph("linkwork", exclude_type_checking_imports=True)
    names = layers()
    owned = {name: {f"linkwork.{name}", *graph.find_descendants(f"linkwork.{name}")} for name in names}
    home = {module: name for name, modules in owned.items() for module in modules}
    count = {}
    for module, name in home.items():
        for imported in graph.find_modules_directly_imported_by(module):
            if home.get(imported, name) not in (name, "errors"):  # which all import
                count[name, home[imported]] = count.get((name, home[imported]), 0) + 1

    lines = {name: contents(graph, name) for name in names}
    height = {name: 0.5 + 0.22 * len(lines[name]) for name in names}
    place, top = {}, 0.0
    for name in names:
        place[name], top = top - height[name] / 2, top - height[name] - 0.16
    figure, axes = plt.subplots(figsize=(9.5, -0.78 * top))
    for name, y in place.items():
        head = y + height[name] / 2
        axes.add_patch(FancyBboxPatch(
            (0, y - height[name] / 2), 6.6, height[name], boxstyle="round,pad=0.02", fc="#eef3f8", ec="#5b7a99"
        ))  # fmt: skip
        axes.text(0.12, head - 0.22, f"{name}/" if lines[name] else f"{name}.py",
                  weight="bold", va="center", size=9, family="monospace")  # fmt: skip
        axes.text(1.75, head - 0.22, WORDS[name], va="center", size=8.5)
        for k, line in enumerate(lines[name]):
            axes.text(0.12, head - 0.5 - 0.22 * k, line, va="center", size=6.3, color="#44566a")
    for (upper, lower), number in count.items():
        down = place[upper] > place[lower]
        x, far = (6.66, abs(place[upper] - place[lower])) if down else (-0.06, abs(place[upper] - place[lower]))
        bend = -min(0.45, 1.5 / far)
        axes.add_patch(FancyArrowPatch(
            (x, place[upper]), (x, place[lower]), connectionstyle=f"arc3,rad={bend}", arrowstyle="-|>",
            mutation_scale=7, lw=0.5 + 0.03 * min(number, 80), color="#27588a" if down else "#c03030", alpha=0.55,
        ))  # fmt: skip
    axes.set(xlim=(-1.3, 8.3), ylim=(top, 0.1))
    axes.axis("off")
    plt.rcParams["svg.hashsalt"] = "linkwork"
    figure.savefig(ROOT / "docs/figures/architecture.svg", bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
