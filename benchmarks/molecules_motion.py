"""What torsion dynamics costs, how well it keeps the energy, and what adaptive pulling saves; see `molecules`."""

import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import linkwork as lw

OPENMM, TESTS = (Path(find_spec(package).origin).parent for package in ("openmm", "MDAnalysisTests"))
VILLIN = OPENMM / "app" / "data" / "test.pdb"


def prepared(path: Path, chains: str = "", folder: str | None = None) -> Path:
    """The protein of a file with hydrogens, as OpenMM's Modeller adds them; without waters, ions and ligands."""
    import gemmi
    from openmm import app

    structure = gemmi.read_structure(str(path))
    structure.remove_alternative_conformations()
    structure.remove_ligands_and_waters()
    structure.remove_hydrogens()
    for chain in [each.name for each in structure[0]]:
        if chains and chain not in chains:
            structure[0].remove_chain(chain)
    structure.remove_empty_chains()
    for chain in structure[0]:
        _add_oxt(gemmi, chain[-1])
    target = Path(folder or tempfile.mkdtemp()) / f"{path.name.partition('.')[0]}{chains}.pdb"
    structure.write_pdb(str(target))
    pdb = app.PDBFile(str(target))
    modeller = app.Modeller(pdb.topology, pdb.positions)
    modeller.addHydrogens(app.ForceField("amber14-all.xml"))
    with target.open("w") as file:
        app.PDBFile.writeFile(modeller.topology, modeller.positions, file, keepIds=True)
    return target


def _add_oxt(gemmi, residue) -> None:
    """Give the last residue of a chain its second oxygen."""
    places = {atom.name: np.array(atom.pos.tolist()) for atom in residue}
    if "OXT" not in places:
        away = sum((places["C"] - places[k]) / np.linalg.norm(places["C"] - places[k]) for k in ("CA", "O"))
        atom = gemmi.Atom()
        atom.name, atom.element = "OXT", gemmi.Element("O")
        atom.pos = gemmi.Position(*(places["C"] + 1.25 * away / np.linalg.norm(away)))
        residue.add_atom(atom)


def villin(folder: str | None = None) -> Path:
    """Its 35 residues, without water and ions."""
    target = Path(folder or tempfile.mkdtemp()) / "villin.pdb"
    lines = VILLIN.read_text().splitlines(keepends=True)
    target.write_text("".join(x for x in lines if x.startswith("ATOM") and x[17:20].strip() not in ("HOH", "Cl")))
    return target


class Timed(lw.OpenMMForces):
    """Forces that add up what OpenMM itself takes; copies to and from it are not in that."""

    seconds = 0.0

    def _state(self):
        start = time.perf_counter()
        state = super()._state()
        self.seconds += time.perf_counter() - start
        return state


def cost() -> None:
    big = prepared(TESTS / "data" / "mmcif" / "3PWP.pdb.gz", "AE")
    print("| protein | residues | atoms | bodies | loops | cutoff, nm | forces, ms | our share of a step, ms | % |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path, cutoff, options in ((villin(), None, {}), (villin(), 1.0, {}), (big, None, {}), (big, 1.0, {}),
                                  (big, 1.0, {"disulphides": "ignore"})):  # fmt: skip
        linkage = lw.load(path, **options)
        forces = Timed(linkage, cutoff=cutoff)
        sim = lw.Simulation(linkage, dt=1e-5, torques=forces, record_every=1000)
        sim.step()
        forces.seconds, shares = 0.0, []
        for _ in range(12 if len(linkage.molecule) > 1000 else 200):
            seconds, begin = forces.seconds, time.perf_counter()
            sim.step()
            whole, own = time.perf_counter() - begin, forces.seconds - seconds
            shares.append((own, whole - own))
        own, ours = np.min(shares, axis=0)  # the best of each: what others do on these cores is in the rest
        print(
            f"| {path.stem} | {len(linkage.molecule.residues)} | {len(linkage.molecule)} | {linkage.nb} | "
            f"{len(linkage.loops)} | {cutoff} | 4 × {1e3 * own / 4:.2f} | {1e3 * ours:.2f} | "
            f"{100 * ours / own:.1f} |",
            flush=True,
        )


def drift(picoseconds: int = 1, steps: tuple[int, ...] = (1, 2, 3, 4, 5)) -> None:
    """Energy drift of a capped peptide over a time, at steps of so many fs, from the same thermal state."""
    import openmm as mm
    from openmm import app, unit

    path = TESTS / "data" / "A6PA6_alpha.pdb"
    linkage = lw.load(path)
    forces = lw.OpenMMForces(linkage, platform="Reference")
    q = lw.minimize(forces, tolerance=1.0).q
    v = lw.Langevin(300.0, 1.0, seed=3).thermal_velocity(linkage, q)
    kinetic = lw.kinetic_energy(linkage, q, v)
    print(f"{len(linkage.molecule)} atoms, {linkage.nv} degrees of freedom, kinetic energy {kinetic:.1f} kJ/mol\n")
    print("| what | dt, fs | drift, kJ/mol/ps | rms of the energy about its line, kJ/mol |\n|---|---|---|---|")

    def row(what, dt, t, energy):
        slope, level = np.polyfit(t, energy, 1)
        rms = np.std(energy - slope * np.asarray(t) - level)
        print(f"| {what} | {dt} | {slope:+.3f} | {rms:.3f} |", flush=True)

    for integrator in ("rk4", "implicit-midpoint"):
        for dt in steps:
            sim = lw.Simulation(linkage, q, v, dt=1e-3 * dt, integrator=integrator, torques=forces, record_every=100)
            t, energy = [], []
            try:
                for _ in range(1000 * picoseconds // dt):
                    sim.step()
                    t.append(sim.t)
                    energy.append(lw.kinetic_energy(linkage, sim.q, sim.v) + forces.energy(sim.q))
            except lw.LinkworkError as error:
                print(f"| torsions, {integrator} | {dt} | {error} | |")
                continue
            row(f"torsions, {integrator}", dt, t, energy)

    topology = lw.openmm_topology(linkage.molecule)
    for constraints, dts in ((app.HBonds, (1, 2, 3)), (app.AllBonds, (2, 3))):
        system = app.ForceField("amber14-all.xml").createSystem(
            topology, nonbondedMethod=app.NoCutoff, constraints=constraints, removeCMMotion=False
        )
        for dt in sorted({*dts} & {*steps}):
            integrator = mm.VerletIntegrator(dt * unit.femtosecond)
            integrator.setConstraintTolerance(1e-8)
            context = mm.Context(system, integrator, mm.Platform.getPlatformByName("Reference"))
            context.setPositions(linkage.molecule.positions(q))
            context.applyConstraints(1e-8)
            context.setVelocitiesToTemperature(300.0, 3)
            t, energy = [], []
            for _ in range(1000 * picoseconds // dt):
                integrator.step(1)
                state = context.getState(energy=True)
                t.append(state.getTime()._value)
                energy.append((state.getKineticEnergy() + state.getPotentialEnergy())._value)
            row(f"OpenMM, Verlet, {constraints}", dt, t, energy)


def pull() -> None:
    """One atom of each of the largest structures pulled: ms per step, adaptive and exact, in one run."""
    print("| structure | bodies | dof | tolerance | joints computed | adaptive, ms | exact, ms | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    cases = [("adk_oplsaa.pdb", {}), ("mmcif/3KPR.pdb.gz", {"water": False, "disulphides": "ignore"}),
             ("mmcif/3KPR.pdb.gz", {"water": False}), ("6msm.pdb.bz2", {})]  # fmt: skip
    for name, options in cases:
        linkage = lw.load(TESTS / "data" / name, **options)
        molecule = linkage.molecule
        carbons = [k for k, each in enumerate(molecule.names) if each.endswith("/CA")]
        atom = molecule.names[carbons[len(carbons) // 2]]
        timings = {}
        for tolerance in (2.0**-7, 2.0**-11, 0.0):
            ad = lw.AdaptiveSimulation(linkage, tolerance=tolerance, dt=1e-2)
            ad.apply_force(atom, (100.0, 0.0, 0.0))
            ad.step()
            steps, computed = [], 0
            for _ in range(50 if tolerance else 5):
                begin = time.perf_counter()
                computed = ad.step().computed
                steps.append(time.perf_counter() - begin)
            timings[tolerance] = np.median(steps), computed
        exact = timings[0.0][0]
        zero, rest = linkage.neutral(), np.zeros(linkage.nv)
        aba = []
        for _ in range(5):
            begin = time.perf_counter()
            lw.forward_dynamics(linkage, zero, rest)
            aba.append(time.perf_counter() - begin)
        bare = np.median(aba)
        for tolerance, (seconds, computed) in timings.items():
            print(
                f"| {name} {atom} ({len(linkage.loops)} loops) | {linkage.nb} | {linkage.nv} | {tolerance:.1e} | "
                f"{computed} | {1e3 * seconds:.3f} | {1e3 * bare:.2f} | {bare / seconds:.1f} |",
                flush=True,
            )
        print(f"| {name}, every joint by the adaptive tree | | | | | {1e3 * exact:.2f} | | |")
