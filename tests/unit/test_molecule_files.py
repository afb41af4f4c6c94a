"""Molecules from real files: what the wheels of OpenMM and MDAnalysisTests hold."""

import gzip
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

OPENMM, TESTS = (Path(find_spec(package).origin).parent for package in ("openmm", "MDAnalysisTests"))
DATA = TESTS / "data"
PEPTIDE = DATA / "A6PA6_alpha.pdb"  # 13 residues, with hydrogens
TOXIN = DATA / "cobrotoxin_dry_neutral_0.pdb"  # 62 residues, four disulphides
VILLIN = OPENMM / "app" / "data" / "test.pdb"


def columns(path, keep=lambda line: True):
    """Coordinates of a PDB file by its columns, nm."""
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    lines = [x for x in text.splitlines() if x.startswith(("ATOM", "HETATM")) and keep(x)]
    return np.array([[float(x[30:38]), float(x[38:46]), float(x[46:54])] for x in lines]) / 10


@pytest.mark.parametrize(
    "path", [PEPTIDE, TOXIN, DATA / "1hvr.pdb", DATA / "mmcif" / "1BD2.pdb.gz"], ids=lambda path: path.name
)
def test_atoms_are_where_the_file_has_them(path):
    linkage = lw.load(path)
    x = linkage.molecule.positions(linkage.neutral())
    assert np.abs(x - columns(path)).max() <= 1e-11  # 1e-10 of 1 Å
    assert len(linkage.molecule) == linkage.molecule.body.size
    assert linkage.columns.mass.sum() == pytest.approx(linkage.molecule.mass.sum())


def test_moved_torsions_keep_bonds_and_angles():
    linkage = lw.load(PEPTIDE)
    molecule, rng = linkage.molecule, np.random.default_rng(1)
    q = linkage.random(rng)
    before, after = molecule.positions(linkage.neutral()), molecule.positions(q)
    i, j = molecule.bonds.T
    assert np.linalg.norm(after[i] - after[j], axis=1) == pytest.approx(np.linalg.norm(before[i] - before[j], axis=1))
    angle = molecule.dihedrals(q) - molecule.dihedrals(linkage.neutral())
    turned = ~np.isnan(angle)
    away = angle[turned] - q[linkage.columns.q_start[turned]]
    assert np.abs(np.angle(np.exp(1j * away))).max() < 1e-12  # q is how far each torsion was turned


def test_names_are_those_of_structural_biology():
    import gemmi
    from MDAnalysis.lib.distances import calc_dihedrals

    linkage = lw.load(DATA / "1hvr.pdb")
    chain = gemmi.read_pdb(str(DATA / "1hvr.pdb"))[0]["A"]
    residues = [r for r in chain if r.get_ca()]
    for here, at, following in zip(residues, residues[1:], residues[2:], strict=False):
        chosen = (here, "C"), (at, "N"), (at, "CA"), (at, "C"), (following, "N")
        places = np.array([r.find_atom(name, "*").pos.tolist() for r, name in chosen])
        phi, psi = calc_dihedrals(*places[:4]), calc_dihedrals(*places[1:])
        names = [f"A/{at.seqid}/{each}" for each in ("phi", "psi")]
        if at.name == "PRO":  # its ring is rigid
            assert names[0] not in linkage.joints
            names, expected = names[1:], [psi]
        else:
            expected = [phi, psi]
        found = linkage.molecule.dihedrals(linkage.neutral(), names)
        assert found == pytest.approx(expected, abs=1e-5)  # of single precision
    assert "A/42/chi1" in linkage.joints
    assert not any("omega" in name for name in linkage.columns.joint_names)
    assert "A/42/omega" in lw.load(DATA / "1hvr.pdb", omega=True).joints
    pose = lw.body_poses(linkage, linkage.neutral())
    row, local = linkage._resolve("A/42/CA")
    k = linkage.molecule.atom("A/42/CA")
    assert np.allclose(pose.positions[row] + local.position, linkage.molecule.positions(linkage.neutral())[k])
    assert "A/42/CA" in linkage.molecule.atoms_of("A/42/phi")
    with pytest.raises(lw.ArgumentError, match="A/42/CA"):
        linkage.molecule.atom("A/42/CAX")


def test_options_choose_what_turns():
    every = lw.load(TOXIN)
    assert len(every.loops) == 4  # disulphides
    assert all(isinstance(loop.type, lw.Revolute) for loop in every.loops)
    assert lw.mobility(every, every.neutral()).dof < every.nv
    assert len(lw.load(TOXIN, disulphides="ignore").loops) == 0
    backbone = lw.load(TOXIN, backbone=True)
    assert {name.rpartition("/")[2] for name in backbone.columns.joint_names if name.count("/") == 2} <= {
        "phi", "psi"}  # fmt: skip
    united = lw.load(TOXIN, united=True)
    assert backbone.nb < united.nb < every.nb
    heavy = lw.load(TOXIN, hydrogens=False)
    assert "H" not in heavy.molecule.elements
    label = "SYST"  # chains have no letter in this file, but the segment has a name
    frozen = lw.load(TOXIN, rigid=f"{label}:10-40")
    assert f"{label}/20/phi" not in frozen.joints
    assert f"{label}/50/psi" in frozen.joints
    body = {int(frozen.molecule.body[frozen.molecule.atom(f"{label}/{k}/CA")]) for k in (12, 20, 38)}
    assert len(body) == 1
    with pytest.raises(lw.ArgumentError, match="its chains are"):
        lw.load(TOXIN, rigid="Q:1-2")
    with pytest.raises(lw.ArgumentError, match="did you mean 'omega'"):
        lw.load(TOXIN, omgea=True)


def test_prolines_pucker_where_rings_are_loops():
    rigid, flexible = lw.load(PEPTIDE), lw.load(PEPTIDE, rings="loops")
    assert len(flexible.loops) == 1  # one proline
    # a ring of five has two puckers [Cremer1975]; the bond N-CA, which the rigid ring held, is one of its torsions
    assert lw.mobility(flexible, flexible.neutral()).dof == rigid.nv + 2
    rng = np.random.default_rng(0)
    q = lw.close_loops(flexible, flexible.integrate(flexible.neutral(), 0.05 * rng.standard_normal(flexible.nv)))
    x, start = flexible.molecule.positions(q), flexible.molecule.positions(flexible.neutral())
    i, j = flexible.molecule.bonds.T
    lengths = [np.linalg.norm(each[i] - each[j], axis=1) for each in (x, start)]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-9)


def test_alternative_locations_insertion_codes_and_gaps_are_told(tmp_path):
    said = " ".join(lw.load(DATA / "4E43.pdb").ignored)
    assert "alternative locations of 7 residues" in said
    assert "gaps in chains" in " ".join(lw.load(DATA / "6msm.pdb.bz2").ignored)
    inserted = tmp_path / "inserted.pdb"
    lines = PEPTIDE.read_text().splitlines(keepends=True)
    number = next(x for x in lines if x.startswith("ATOM"))[22:26]
    inserted.write_text("".join(x[:22] + number + "B" + x[27:] if x[22:26] == "   3" else x for x in lines))
    names = lw.load(inserted).molecule.residues
    assert any(name.endswith(f"{int(number)}B") for name in names)
    lacking = tmp_path / "lacking.pdb"
    text = [x for x in (DATA / "1hvr.pdb").read_text().splitlines(keepends=True) if not (
        x.startswith("ATOM") and x[12:16].strip() == "CB" and x[21:26] == "A   5")]  # fmt: skip
    lacking.write_text("".join(text))
    assert any("A/5 LEU lacks CB" in each for each in lw.load(lacking).ignored)


def test_written_files_come_back(tmp_path):
    linkage = lw.load(TOXIN, disulphides="ignore")
    q = linkage.integrate(linkage.neutral(), 0.2 * np.random.default_rng(0).standard_normal(linkage.nv))
    x = linkage.molecule.positions(q)
    for name, places in (("moved.pdb", 6e-5), ("moved.cif", 1e-7)):
        linkage.molecule.write(tmp_path / name, q)
        again = lw.load(tmp_path / name, disulphides="ignore")
        back = again.molecule.positions(again.neutral())
        assert np.abs(back - x).max() < places
        assert again.molecule.elements == linkage.molecule.elements
        assert again.molecule.names == linkage.molecule.names
    with pytest.raises(lw.ArgumentError, match=r"one of \.pdb"):
        linkage.molecule.write(tmp_path / "moved.xyz", q)


@pytest.mark.filterwarnings("ignore:DCDReader")
def test_trajectories_are_read_by_mdanalysis(tmp_path):
    import MDAnalysis

    linkage = lw.load(PEPTIDE)
    rng = np.random.default_rng(0)
    steps = 0.1 * rng.standard_normal((5, linkage.nv))
    path = np.array([linkage.integrate(linkage.neutral(), step) for step in steps])
    linkage.molecule.write(tmp_path / "run.dcd", path, dt=0.5)
    universe = MDAnalysis.Universe(str(PEPTIDE), str(tmp_path / "run.dcd"))
    assert universe.trajectory.n_frames == 5
    assert universe.trajectory.dt == pytest.approx(0.5, rel=1e-6)
    x = np.array([frame.positions.copy() for frame in universe.trajectory])
    assert np.abs(x - 10 * linkage.molecule.positions(path)).max() < 1e-5


def broken(tmp_path, change):
    path = tmp_path / "broken.pdb"
    path.write_text("".join(change(PEPTIDE.read_text().splitlines(keepends=True))))
    return path


def first_atom(lines):
    return next(k for k, line in enumerate(lines) if line.startswith("ATOM"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda x: [*x[: first_atom(x) + 5], x[first_atom(x) + 5][:40]], "ends before its coordinates"),
        (lambda x: [line[:28] + " " + line[28:] if k == first_atom(x) + 3 else line for k, line in enumerate(x)],
         "not in columns 31 to 54"),
        (lambda x: [line[:30] + "     nan" + line[38:] if k == first_atom(x) + 3 else line for k, line in enumerate(x)],
         "not finite"),
        (lambda x: ["REMARK nothing here\n", "END\n"], "ends without an atom"),
        (lambda x: ["MODEL        1\n", *[y for y in x if y.startswith("ATOM")], "ENDMDL\n", "MODEL        2\n",
                    *[y for y in x if y.startswith("ATOM")], "ENDMDL\n"], "second model: choose one"),
    ],
    ids=["truncated", "columns", "nan", "empty", "models"],
)  # fmt: skip
def test_bad_files_get_one_error_with_the_line(tmp_path, change, said):
    path = broken(tmp_path, change)
    with pytest.raises(lw.DescriptionError, match=said) as caught:
        lw.load(path)
    assert "\n" not in str(caught.value)
    assert caught.value.line in range(1, 300)
    wrong = path.read_text().splitlines()[caught.value.line - 1]
    assert wrong.startswith("END" if "without" in said else ("ATOM", "MODEL"))


def test_bad_mmcif_files(tmp_path):
    text = (DATA / "mmcif" / "1YJP.cif").read_text()
    path = tmp_path / "broken.cif"
    lines = text.splitlines(keepends=True)
    row = next(k for k, line in enumerate(lines) if line.startswith("ATOM"))
    path.write_text("".join([*lines[: row + 4], lines[row + 4][:30]]))
    with pytest.raises(lw.DescriptionError, match="Wrong number of values") as caught:
        lw.load(path)
    assert caught.value.line is not None
    words = lines[row + 4].split()
    place = next(k for k, word in enumerate(words) if "." in word and k > 8)
    lines[row + 4] = " ".join([*words[:place], "?", *words[place + 1 :]]) + "\n"
    path.write_text("".join(lines))
    with pytest.raises(lw.DescriptionError, match=r"Cartn_x = \?") as caught:
        lw.load(path)
    assert caught.value.line == row + 5
    path.write_text("data_nothing\n_cell.length_a 1\n")
    with pytest.raises(lw.DescriptionError, match="without coordinates") as caught:
        lw.load(path)
    assert caught.value.line == 2


def test_molecule_options_are_for_molecules(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text("<robot name='r'><link name='a'/></robot>")
    with pytest.raises(lw.ArgumentError, match="omega= is for molecules"):
        lw.load(path, omega=True)
    with pytest.raises(lw.ArgumentError, match="not for molecules"):
        lw.load(PEPTIDE, base="free")
    with pytest.raises(lw.ArgumentError, match="has no atoms"):
        lw.samples.chain(2).molecule  # noqa: B018
    with pytest.raises(lw.ArgumentError, match=r"molecule\.write"):
        lw.load(PEPTIDE).save(tmp_path / "out.pdb")


def test_a_copy_has_its_own_molecule():
    import pickle

    linkage = lw.load(PEPTIDE)
    for other in (linkage.copy(), pickle.loads(pickle.dumps(linkage))):
        assert other.molecule.linkage is other
        assert np.array_equal(other.molecule.positions(other.neutral()), linkage.molecule.positions(linkage.neutral()))
    cut = linkage.copy()
    change = cut.cut(linkage.joints[10].name)
    q, _ = change.carry(linkage.neutral(), np.zeros(linkage.nv))
    assert np.allclose(cut.molecule.positions(q), linkage.molecule.positions(linkage.neutral()), atol=1e-12)
