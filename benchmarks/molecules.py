"""Structures in the wheels of OpenMM and MDAnalysisTests: `python -m benchmarks.molecules [table|cost|drift|pull]`.

`table`: what each becomes, how long that takes, and how exactly its atoms come back at q = 0.
`cost`: our share of a step of torsion dynamics, beside the forces of OpenMM's platform CPU.
`drift`: energy drift of torsion dynamics of a peptide in vacuum, beside OpenMM's Verlet with constraints;
`drift 10 2 5` is that over 10 ps, with steps of 2 and 5 fs only.
`pull`: adaptive pulling of one atom in the largest structures, beside the exact step.
"""

import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import linkwork as lw

SUFFIXES = (".pdb", ".ent", ".cif", ".pdb.gz", ".cif.gz", ".pdb.bz2")


def structures() -> list[Path]:
    """All files of structures, those of OpenMM first."""
    folders = [(package, Path(find_spec(package).origin).parent) for package in ("openmm", "MDAnalysisTests")]
    return [path for _, folder in folders for path in sorted(folder.rglob("*")) if path.name.endswith(SUFFIXES)]


def read(path: Path, **options):
    """The linkage, and the model that was chosen where there are several."""
    try:
        return lw.load(path, **options), None
    except lw.DescriptionError as error:
        if "choose one" not in str(error):
            raise
        number = int(str(error).rpartition("model=")[2])
        return lw.load(path, model=number, **options), number


def raw_positions(path: Path, linkage, model) -> np.ndarray:
    """Coordinates of the file itself, Å, in the order and choice of the linkage's atoms."""
    from linkwork.io.molecule_atoms import read_atoms

    return read_atoms(path, model=model, altloc=None, water=True, hydrogens=True).positions


def table() -> None:
    print("| file | atoms | residues | groups | torsions | loops | s | largest error at q = 0, Å | left out |")
    print("|---|---|---|---|---|---|---|---|---|")
    worst, refused, count = 0.0, [], 0
    for path in structures():
        start = time.perf_counter()
        try:
            linkage, model = read(path)
        except lw.LinkworkError as error:
            refused.append(f"| {path.name} | {str(error).replace(str(path), path.name)} |")
            continue
        seconds = time.perf_counter() - start
        molecule = linkage.molecule
        error = 10 * np.abs(molecule.positions(linkage.neutral()) - raw_positions(path, linkage, model)).max()
        worst, count = max(worst, error), count + 1
        torsions = int((molecule.data.torsions[:, 0] >= 0).sum())
        said = "; ".join(each[:60] for each in linkage.ignored[:2])
        name = path.name + (f" (model {model})" if model else "")
        print(
            f"| {name} | {len(molecule)} | {len(molecule.residues)} | {linkage.nb} | {torsions} | "
            f"{len(linkage.loops)} | {seconds:.2f} | {error:.1e} | {said} |",
            flush=True,
        )
    print(f"\n{count} loaded, largest error {worst:.1e} Å; {len(refused)} refused:\n\n| file | why |\n|---|---|")
    print("\n".join(refused))


if __name__ == "__main__":
    from benchmarks import molecules_motion

    what = sys.argv[1] if len(sys.argv) > 1 else "table"
    numbers = [int(word) for word in sys.argv[2:]]
    if what == "drift" and numbers:
        molecules_motion.drift(numbers[0], tuple(numbers[1:]) or (1, 2, 3, 4, 5))
    else:
        (table if what == "table" else getattr(molecules_motion, what))()
