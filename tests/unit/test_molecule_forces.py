"""Forces on atoms, seen from joints, and the mechanics of torsions."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import linkwork as lw

OPENMM, TESTS = (Path(find_spec(package).origin).parent for package in ("openmm", "MDAnalysisTests"))
PEPTIDE = TESTS / "data" / "A6PA6_alpha.pdb"
TOXIN = TESTS / "data" / "cobrotoxin_dry_neutral_0.pdb"


@pytest.fixture(scope="module")
def peptide():
    return lw.load(PEPTIDE)


@pytest.fixture(scope="module")
def forces(peptide):
    return lw.OpenMMForces(peptide, platform="Reference")


def toxin(folder, **options):
    """Its 62 residues, without ions."""
    path = folder / "toxin.pdb"
    lines = TOXIN.read_text().splitlines(keepends=True)
    path.write_text("".join(x for x in lines if x.startswith("ATOM") and int(x[22:26]) < 63))
    return lw.load(path, **options)


def villin(folder):
    """Its 35 residues, without water and ions."""
    path = folder / "villin.pdb"
    lines = (OPENMM / "app" / "data" / "test.pdb").read_text().splitlines(keepends=True)
    path.write_text("".join(x for x in lines if x.startswith("ATOM") and x[17:20].strip() not in ("HOH", "Cl")))
    return lw.load(path)


def slope(forces, q, k, h=1e-5):
    """dE/dq_k by central differences of fourth order."""
    step = np.zeros(forces.linkage.nv)

    def energy(x):
        step[k] = x
        return forces.energy(forces.linkage.integrate(q, step))

    return (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)


def refuse_unequal(forces, q, dofs, h=1e-5):
    """Torques are −dE/dφ, and forces within the molecule move it nowhere."""
    energy, tau = forces.energy_and_torques(q)
    size = np.abs(tau).max()
    for k in dofs:
        assert slope(forces, q, k, h) == pytest.approx(-tau[k], rel=1e-6, abs=1e-6 * max(1.0, 1e-3 * size))
    f = forces.forces(q)
    x = forces.molecule.positions(q)
    assert np.abs(f.sum(axis=0)).max() <= 1e-9 * np.abs(f).max()
    assert np.abs(np.cross(x, f).sum(axis=0)).max() <= 1e-9 * np.abs(f).max() * np.abs(x).max()
    return energy


def test_torques_are_minus_the_slope_of_openmm_s_energy(peptide, forces):
    rng = np.random.default_rng(0)
    refuse_unequal(forces, peptide.neutral(), rng.choice(np.arange(6, peptide.nv), 8, replace=False))


@pytest.mark.slow
def test_torques_of_three_proteins(tmp_path, peptide):
    rng = np.random.default_rng(0)
    for linkage in (peptide, toxin(tmp_path, disulphides="ignore"), villin(tmp_path)):
        forces = lw.OpenMMForces(linkage, platform="Reference")
        torsions = np.arange(6, linkage.nv)
        chosen = rng.choice(torsions, min(100, len(torsions)), replace=False) if linkage is not peptide else torsions
        refuse_unequal(forces, linkage.neutral(), chosen, h=2e-4)  # rounding of the energy is 1e-10


def test_torques_and_wrenches_move_it_alike(peptide, forces):
    q = peptide.neutral()
    rest = np.zeros(peptide.nv)
    by_torques = lw.forward_dynamics(peptide, q, rest, forces(0.0, q, rest))
    by_wrenches = lw.forward_dynamics(peptide, q, rest, None, forces.wrenches(0.0, q, rest))
    assert by_torques == pytest.approx(by_wrenches, rel=1e-9, abs=1e-7 * np.abs(by_torques).max())


def test_light_forces_are_the_slope_of_their_energy_and_find_every_clash(peptide):
    light = lw.LightForces(peptide)
    rng = np.random.default_rng(3)
    q = peptide.integrate(peptide.neutral(), 0.4 * rng.standard_normal(peptide.nv))
    refuse_unequal(light, q, range(6, peptide.nv, 5))
    found = lw.clashes(peptide, q)
    # every pair, without a cell list
    molecule, x = peptide.molecule, peptide.molecule.positions(q)
    n = len(molecule)
    graph = np.eye(n)
    graph[tuple(molecule.bonds.T)] = graph[tuple(molecule.bonds.T[::-1])] = 1
    near = np.linalg.matrix_power(graph, 3) > 0
    radius = 0.85 * molecule.data.contact_radius
    depth = radius[:, None] + radius - np.linalg.norm(x[:, None] - x, axis=-1)
    clash = np.triu((depth > 0) & ~near & (molecule.body[:, None] != molecule.body), 1)
    assert len(found.pairs) == clash.sum() > 3
    assert sorted(found.overlap) == pytest.approx(sorted(depth[clash]))
    assert found.energy == pytest.approx(1e4 * (depth[clash] ** 2).sum())
    assert found.pressure > 0.0


def test_pulls_are_part_of_the_energy(peptide):
    light = lw.LightForces(peptide)
    last = next(name for name in reversed(peptide.molecule.names) if name.endswith("/CA"))
    pull = light.pull(last, stiffness=500.0, velocity=(0.1, 0.0, 0.0))
    q = peptide.neutral()
    _, tau = light.energy_and_torques(q, t=2.0)
    assert pull.last == pytest.approx([100.0, 0.0, 0.0])
    light.pulls.clear()
    light.pull(last, force=(100.0, 0.0, 0.0))
    assert light.energy_and_torques(q)[1] == pytest.approx(tau)
    assert slope(light, q, 10) == pytest.approx(-tau[10], rel=1e-6)
    with pytest.raises(lw.ArgumentError, match="either force, or stiffness"):
        light.pull(last)


def test_minimisation_ends_where_no_torque_is_left(peptide, forces):
    found = lw.minimize(forces, tolerance=0.1)
    assert found.converged
    assert found.energy < forces.energy(peptide.neutral()) - 100.0
    assert np.abs(forces.energy_and_torques(found.q)[1]).max() <= 0.1
    name = next(each for each in peptide.columns.joint_names if each.endswith("/5/psi"))
    held = lw.minimize(forces, tolerance=0.5, hold=(name,), iterations=30)
    assert held.q[peptide.joints[name].q_slice] == 0.0


def test_minimisation_ends_where_rounding_hides_the_descent(peptide):
    found = lw.minimize(lw.LightForces(peptide), tolerance=1e-12)
    assert not found.converged
    assert found.torque < 1e-3


def test_minimisation_on_loops_keeps_them_closed():
    linkage = lw.load(PEPTIDE, rings="loops")
    forces = lw.OpenMMForces(linkage, platform="Reference")
    found = lw.minimize(forces, tolerance=1.0, iterations=400)
    assert found.converged
    assert lw.close_loops(linkage, found.q) == pytest.approx(found.q, abs=1e-9)
    assert found.energy < forces.energy(linkage.neutral()) - 100.0


def test_modes_of_plain_springs_are_those_of_the_mass_matrix(peptide):
    springs = lw.LightForces(peptide, torsion_stiffness=7.0, sphere_stiffness=0.0)
    q = peptide.neutral()
    modes = lw.torsion_modes(springs, q)
    H = lw.mass_matrix(peptide, q)
    assert modes.shapes @ H @ modes.shapes.T == pytest.approx(np.eye(peptide.nv), abs=1e-8)
    assert modes.frequencies[:6] == pytest.approx(np.zeros(6), abs=1e-3)  # it moves and turns as a whole
    free = np.linalg.inv(np.linalg.inv(H)[6:, 6:])  # what torsions weigh, the rest being free
    assert modes.frequencies[6:] == pytest.approx(np.sqrt(7.0 / np.linalg.eigvalsh(free)[::-1]), rel=1e-5)
    assert modes.wavenumbers[-1] == pytest.approx(modes.frequencies[-1] * 5.30883746, rel=1e-6)


def test_adaptive_steps_take_forces_on_atoms(peptide):
    light = lw.LightForces(peptide)
    q = peptide.integrate(peptide.neutral(), 0.2 * np.random.default_rng(0).standard_normal(peptide.nv))
    ad = lw.AdaptiveSimulation(peptide, q, tolerance=0.0, dt=1e-3)
    energy, tau = light.energy_and_torques(q)
    assert light.apply_to(ad) == energy
    ad.step()
    assert ad.a == pytest.approx(lw.forward_dynamics(peptide, q, np.zeros(peptide.nv), tau), rel=1e-6, abs=1e-3)
    ad = lw.AdaptiveSimulation(peptide, tolerance=2**-9, dt=1e-3)
    name = next(each for each in peptide.molecule.names if each.endswith("/7/CA"))
    ad.apply_force(name, (500.0, 0.0, 0.0))
    assert ad.step().error_bound <= 2**-9
    k = peptide.molecule.atom(name)
    moved = peptide.molecule.positions(ad.q)[k] - peptide.molecule.positions(peptide.neutral())[k]
    assert moved[0] > 0.0


@pytest.mark.slow
def test_a_disulphide_breaks_at_its_strength(tmp_path):
    linkage = toxin(tmp_path, disulphide_strength=50.0)
    assert len(linkage.loops) == 4
    name = linkage.loops[0].name
    light = lw.LightForces(linkage, sphere_stiffness=0.0)
    for atom, side in zip(name.split("-"), (1.0, -1.0), strict=True):
        light.pull(atom, force=(side * 2000.0, side * 300.0, 0.0))
    sim = lw.Simulation(linkage, dt=1e-4, torques=light)
    sim.step()
    assert name not in linkage.loops
    assert len(sim.recording.events) >= 1


def test_what_openmm_refuses_is_named(peptide, tmp_path):
    heavy = lw.load(PEPTIDE, hydrogens=False)
    with pytest.raises(lw.ArgumentError, match=r"does not know residue .*/1: .*addHydrogens"):
        lw.OpenMMForces(heavy)
    with pytest.raises(lw.ArgumentError, match="did you mean 'Reference'"):
        lw.OpenMMForces(peptide, platform="reference")
    with pytest.raises(lw.ArgumentError, match="no force field amber99999"):
        lw.OpenMMForces(peptide, forcefield="amber99999.xml")
    import openmm

    with pytest.raises(lw.ArgumentError, match="0 particles"):
        lw.OpenMMForces(peptide, openmm.System())


# Temperature


def test_thermal_velocities_have_the_covariance_of_maxwell():
    linkage = lw.samples.chain(3)
    linkage.joints["link1"].armature = 0.3
    q = np.array([0.3, -0.7, 1.1])
    bath = lw.Langevin(2.0, 1.0, seed=5, boltzmann=1.0)
    v = np.array([bath.thermal_velocity(linkage, q) for _ in range(6000)])
    expected = 2.0 * np.linalg.inv(lw.mass_matrix(linkage, q))
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    assert np.abs((np.cov(v.T) - expected) / scale).max() < 0.06  # 1/√6000 is 0.013


def one_torsion():
    """A body of unit moment on a hinge without gravity."""
    linkage = lw.Linkage(gravity=(0, 0, 0))
    linkage.add_body("turns", lw.Inertia(1.0, (0, 0, 0), np.eye(3)), joint=lw.Revolute("z"))
    return linkage


def test_a_torsion_in_a_bath_is_distributed_as_boltzmann_says():
    sim = lw.Simulation(
        one_torsion(), dt=0.2, torques=lambda t, q, v: -np.sin(q), record_every=10_000,
        thermostat=lw.Langevin(1.0, 1.0, seed=2, boltzmann=1.0),
    )  # fmt: skip
    angles, speeds = [], []
    for k in range(30_000):
        sim.step()
        if k % 25 == 24:  # five times the time of friction
            angles.append(float(sim.q[0]))
            speeds.append(float(sim.v[0]))
    edges = np.linspace(-np.pi, np.pi, 13)
    grid = np.linspace(-np.pi, np.pi, 12 * 100 + 1)
    density = np.exp(np.cos(grid))
    mass = np.add.reduceat((density[:-1] + density[1:]) / 2, np.arange(0, 1200, 100))
    counts, _ = np.histogram((np.array(angles) + np.pi) % (2 * np.pi) - np.pi, edges)
    assert stats.chisquare(counts, len(angles) * mass / mass.sum()).pvalue > 0.01
    assert stats.kstest(speeds, "norm").pvalue > 0.01
    assert stats.chisquare(counts).pvalue < 1e-12  # the test sees the potential


def three_torsions():
    """Six atoms in a free chain, bonds of 1 and angles of 110°: heavy ends, so that H depends much on torsions."""
    masses = np.array([4.0, 1.0, 1.0, 1.0, 1.0, 4.0])
    bend, x, heading = np.radians(70.0), [np.zeros(3)], 0.0
    for k in range(5):  # flat, in zigzag
        heading += bend / 2 * (1 if k == 0 else 2 * (-1) ** k)
        x.append(x[-1] + [np.cos(heading), np.sin(heading), 0.0])
    x = np.array(x)
    linkage = lw.Linkage(gravity=(0, 0, 0))
    groups = [[0, 1, 2], [3], [4], [5]]
    origins = [x[1], x[2], x[3], x[4]]
    for k, (group, origin) in enumerate(zip(groups, origins, strict=True)):
        m, r = masses[group], x[group] - origin
        com = m @ r / m.sum()
        s = r - com
        matrix = np.einsum("k,kab->ab", m, (s**2).sum(axis=1)[:, None, None] * np.eye(3) - s[:, :, None] * s[:, None])
        joint = lw.Free() if k == 0 else lw.Revolute(x[group[0] - 1] - x[group[0] - 2])
        at = lw.Pose(origin if k == 0 else origin - origins[k - 1])
        parent = "ground" if k == 0 else f"b{k - 1}"
        linkage.add_body(f"b{k}", lw.Inertia(m.sum(), com, matrix), joint=joint, at=at, parent=parent)
    return linkage


def test_fixman_s_torques_are_the_slope_of_its_potential():
    linkage = three_torsions()
    exact = lw.Fixman(linkage, 1.0, boltzmann=1.0)
    by_differences = lw.Fixman(linkage, 1.0, boltzmann=1.0, gradient="differences")
    q = linkage.integrate(linkage.neutral(), np.arange(1.0, 10.0) / 7)
    assert exact.torques(q) == pytest.approx(by_differences.torques(q), abs=1e-6)
    assert exact.torques(q)[:6] == pytest.approx(np.zeros(6), abs=1e-10)  # as a whole it may be anywhere
    D = np.linalg.slogdet(lw.mass_matrix(linkage, q))[1]
    assert exact.energy(q) == pytest.approx(0.5 * D)
    with pytest.raises(lw.ArgumentError, match="that of a tree"):
        lw.Fixman(lw.samples.four_bar(), 300.0)


@pytest.mark.slow
def test_with_fixman_s_potential_torsions_are_those_of_stiff_bonds():
    """Stiff bonds and angles leave torsions uniform: bonds and angles alone are in the volume element of atoms."""
    linkage, rng, count, dt = three_torsions(), np.random.default_rng(4), 2000, 0.05
    fixman, bath = lw.Fixman(linkage, 1.0, boltzmann=1.0), lw.Langevin(1.0, 1.0, seed=6, boltzmann=1.0)
    turned = np.concatenate([np.zeros((count, 6)), rng.uniform(-np.pi, np.pi, (count, 3))], axis=1)
    start = np.stack([linkage.integrate(linkage.neutral(), each) for each in turned])
    chances = {}
    for corrected, steps in ((True, 480), (False, 240)):
        q, v, seen = start, bath.thermal_velocity(linkage, start), []
        for k in range(steps):
            middle = np.concatenate([q[:, :7], q[:, 7:] + dt / 2 * v[:, 6:]], axis=1)  # of the step, for held torques
            tau = fixman.torques(middle) if corrected else np.zeros((count, linkage.nv))
            run = lw.rollout(linkage, q, v, tau[:, None, :], dt, 1, integrator="rk4")
            q, v = run.q[:, -1].copy(), bath.kick(linkage, run.q[:, -1], run.v[:, -1], dt)
            if k % 120 == 119:
                seen.append(q[:, 7:])
        angles = (np.concatenate(seen) + np.pi) % (2 * np.pi)
        counts = [np.histogram(each, np.linspace(0, 2 * np.pi, 13))[0] for each in angles.T]
        chances[corrected] = [stats.chisquare(each).pvalue for each in counts]
    assert min(chances[True]) > 0.003  # one in a hundred, of three
    assert max(chances[False]) < 1e-6
