"""Pages, films and viewers, without a browser."""

import re
import socket
import sys
import warnings

import numpy as np
import pytest
from PIL import Image

import linkwork as lw
from linkwork.plots.adaptive import Activity, rigid_groups
from linkwork.plots.forces import forces_of
from linkwork.plots.framing import bounds_of
from linkwork.plots.looks import Looks, gather
from linkwork.plots.solids import unit
from linkwork.viewer.chunks import SWARM, Swarm
from linkwork.viewer.frames import Frames
from linkwork.viewer.page import page
from linkwork.viewer.pulling import PACE, Pull
from linkwork.viewer.signals import signals_of


@pytest.fixture(scope="module")
def cut():
    sim = lw.Simulation(lw.samples.chain(2), q=[1.0, 0.5], dt=0.01)
    sim.at(0.2, lambda: sim.cut("link1"))
    return sim.run(0.4)


def volume(solid):
    corners = solid.vertices[solid.faces]
    return float(np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


@pytest.mark.parametrize(
    ("kind", "exact"), [("box", 1.0), ("ball", 4 * np.pi / 3), ("rod", np.pi), ("cone", np.pi / 3)]
)
def test_solids_are_closed_and_face_outwards(kind, exact):
    assert volume(unit(kind, 2)) == pytest.approx(exact, rel=0.03)
    edges = np.sort(unit(kind, 2).faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    places = unit(kind, 2).vertices.round(9)
    both = {tuple(sorted((tuple(places[a]), tuple(places[b])))) for a, b in edges}
    assert len(edges) == 2 * len(both)  # every edge belongs to two triangles


def test_a_bare_chain_is_bars_and_pins_and_a_four_bar_has_its_loop_joint():
    chain = Looks(lw.samples.chain(3))
    assert {piece.body for piece in chain.bodies} == {0, 1, 2}
    assert len(chain.joints) == 3
    assert len(Looks(lw.samples.four_bar()).loops) == 1


def test_a_mesh_that_cannot_be_read_is_a_box_and_named(tmp_path):
    (tmp_path / "broken.stl").write_bytes(b"no mesh at all")
    text = '<robot name="r"><link name="a"><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>'
    for name, reason in (("broken.stl", ""), ("absent.stl", "no such file")):
        (tmp_path / "r.urdf").write_text(text.format(name))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            robot = lw.load(tmp_path / "r.urdf", base="free")
        with pytest.warns(lw.LinkworkWarning, match=rf"mesh '{name}' is drawn as a box: .*{reason}"):
            assert len(Looks(robot).bodies) == 1


def test_frames_follow_the_structure(cut):
    frames = Frames(cut, 30.0)
    assert frames.find(0.1)[0] == 0
    assert frames.find(0.3)[0] == 1
    assert frames.looks[0] is not frames.looks[1]
    place, row = frames.find(0.304)
    assert frames.segments[place].t[row] == pytest.approx(0.30)


def test_page_is_one_file_without_addresses_of_others(cut, tmp_path):
    cut.save(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert "cut 'link1'" in text
    assert "__VISER_EMBED_DATA__" in text
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']?https?:", text)
    assert 0.5e6 < len(text) < 1.5e6


def test_no_name_can_end_the_script_of_a_page(cut):
    text = page(cut, title="</script><script>alert(1)</script>")
    assert "</script><script>alert(1)" not in text


def test_films(cut, tmp_path):
    cut.animate(tmp_path / "run.gif", fps=10, size=(200, 150))
    with Image.open(tmp_path / "run.gif") as film:
        assert film.n_frames == 5
        first = np.array(film.convert("L"), dtype=int)
        film.seek(4)
        assert np.abs(np.array(film.convert("L"), dtype=int) - first).max() > 50
    cut.animate(tmp_path / "run.mp4", fps=10, size=(200, 150))
    assert (tmp_path / "run.mp4").read_bytes()[4:8] == b"ftyp"
    for name, message in (("run.avi", "one of .mp4, .gif"), ("none/run.gif", "no folder")):
        with pytest.raises(lw.ArgumentError, match=message):
            cut.animate(tmp_path / name)


def test_what_is_missing_is_said_in_one_line(cut, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(lw.ArgumentError, match=r"ffmpeg: pip install linkwork\[view\]"):
        cut.animate(tmp_path / "run.mp4")
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(lw.ArgumentError, match=r"viser: pip install linkwork\[view\]"):
        cut.view(browser=False)
    with pytest.raises(lw.ArgumentError, match="Linkage, Recording, Simulation or Scene"):
        lw.view(3)


def test_a_port_in_use_is_named_and_the_server_is_on_this_machine_alone():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(lw.ArgumentError, match=f"port {taken.getsockname()[1]} cannot be used"):
            lw.view(lw.samples.chain(2), port=taken.getsockname()[1], browser=False)
    with lw.view(lw.samples.chain(2), browser=False) as viewer:
        assert viewer.url.startswith("http://127.0.0.1:")
        assert viewer.server.get_host() == "127.0.0.1"


def test_the_server_gives_away_no_files_and_takes_none():
    with lw.view(lw.samples.chain(2), browser=False) as viewer:
        port = viewer.server.get_port()
        for wanted in ("/etc/passwd", "/../../../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd"):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(f"GET {wanted} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
                answer = line.makefile("rb").read()
            assert b"root:" not in answer
        kinds = {type(handle).__name__ for handle in viewer.server.gui._gui_input_handle_from_uuid.values()}
        assert kinds  # there are switches and sliders
        assert not any("Upload" in kind for kind in kinds)


def test_no_browser_is_said_in_one_line(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.warns(lw.LinkworkWarning, match=r"no browser was found: open http://127\.0\.0\.1:\d+ in one"):
        lw.view(lw.samples.chain(2)).close()


def test_live_runs_have_switches_for_all_forces_and_say_what_happens():
    from linkwork import examples

    with lw.view(lw.load_scene(examples.files("four-bar")[0]), browser=False) as viewer:
        viewer.run(False)
        assert viewer._kinds() == ["applied", "joints", "loops", "gravity"]
        assert viewer._forces() == {}  # none of them is shown at first
        viewer.shown["loops"] = viewer.shown["gravity"] = True
        viewer.step()
        assert {kind: len(force.forces) for kind, force in viewer._forces().items()} == {"loops": 1, "gravity": 3}
        before = viewer.q
        viewer.step()
        assert np.abs(viewer.q - before).max() > 0.0
        viewer.reset()
        assert viewer.sim.t == 0.0
    with lw.view(lw.load_scene(examples.files("li-two-link")[0]), browser=False) as viewer:
        viewer.run(False)
        viewer.shown["points"] = True
        viewer.step()
        points, pressed = viewer._forces()["points"].points, viewer._forces()["contacts"]
        np.testing.assert_allclose(points, pressed.points)
        assert points[0, 2] == pytest.approx(0.0, abs=1e-6)  # on the floor


def test_a_chain_of_very_many_links_is_thick_enough_to_be_seen():
    looks = Looks(lw.samples.chain(1000, length=0.01))
    assert looks.radius > 0.001 * 10.0
    assert max(piece.scale[0] for piece in looks.bodies) == pytest.approx(looks.radius)
    assert Looks(lw.samples.chain(3)).radius == pytest.approx(0.045)


def test_a_layer_that_is_switched_on_is_where_the_bodies_are():
    with lw.view(lw.samples.chain(2), browser=False) as viewer:
        viewer.stage.show("centers", True)
        viewer.stage.show("centers", False)
        viewer.put([1.0, 0.5])
        viewer.stage.show("centers", True)
        (centers,) = viewer.stage._chunks["centers"]
        columns, poses = viewer.linkage.columns, lw.body_poses(viewer.linkage, [1.0, 0.5])
        where = poses.positions + np.einsum("nij,nj->ni", poses.rotations, columns.com)
        np.testing.assert_allclose(centers.handle.batched_positions, where, atol=1e-4)


def test_very_many_rods_are_points_and_only_those_that_move_are_sent():
    with lw.view(lw.samples.molecule(SWARM + 1), browser=False) as viewer:
        chunks, q = viewer.stage._chunks["bodies"], viewer.q
        assert all(isinstance(chunk, Swarm) for chunk in chunks)
        q[8000] += 0.5
        assert 0 < viewer.stage.place(q) < len(chunks)
        poses = lw.body_poses(viewer.linkage, q)
        for chunk in chunks:
            where = chunk.pieces.placed(poses.positions, poses.rotations)[0]
            np.testing.assert_allclose(chunk._unit * chunk._rims.points[:-2], where, atol=1e-3)
        viewer.stage.paint(np.tile(np.uint8([200, 100, 50]), (viewer.linkage.nb, 1)))
        assert (chunks[0]._rims.colors[:-2] == (100, 50, 25)).all()


def test_sliders_keep_loops_closed_and_hold_what_was_set():
    linkage = lw.samples.four_bar()
    with lw.view(linkage, lw.close_loops(linkage, linkage.neutral()), browser=False) as viewer:
        before, sliders = viewer.q, viewer._sliders
        crank = sliders._handles[0][0]
        sliders.set(crank, float(before[0]) + 0.3)
        after = viewer.q
        assert after[0] == pytest.approx(before[0] + 0.3, abs=1e-6)
        assert abs(after[1] - before[1]) > 1e-3
        np.testing.assert_allclose(lw.close_loops(linkage, after), after, atol=1e-7)
        sliders.set(sliders._handles[1][0], float(before[1]) + 3.0)  # where it cannot be
        assert viewer._message.content.count("loop") or np.abs(viewer.q - after).max() > 0.0
        np.testing.assert_allclose(lw.close_loops(linkage, viewer.q), viewer.q, atol=1e-7)


def test_the_mouse_pulls_towards_itself():
    linkage = lw.samples.chain(2)
    linkage.gravity = (0, 0, 0)
    sim = lw.Simulation(linkage, dt=0.005)
    tip = lw.body_poses(linkage, sim.q)["link1"].apply((0, 0, -1))
    pull = Pull(linkage, 1, tip, sim.q)
    pull.target = tip + np.array([0.5, 0.0, 0.5])
    sim.wrenches = pull.wrenches(None)
    sim.run(3.0, progress=False)
    assert np.linalg.norm(pull.point(sim.q) - pull.target) < 0.02


def test_the_mouse_feels_what_moves_and_not_more():
    chain = lw.samples.chain(400)
    q = chain.neutral()
    tip = lw.body_poses(chain, q)["link399"].apply((0, 0, -1))
    pull = Pull(chain, 399, tip, q)
    assert 0.1 < pull.stiffness / PACE**2 / chain.columns.mass[0] < 5.0  # not the 400 kg of all of them
    pull.target = tip + np.array([300.0, 0.0, 0.0])
    assert np.linalg.norm(pull.force(q)[1]) == pytest.approx(5.0 * pull.stiffness)  # as five links away
    closed = lw.samples.four_bar()
    q = lw.close_loops(closed, closed.neutral())
    J = lw.jacobian(closed, q, closed.bodies[1])[:3]
    W = lw.mobility(closed, q).W
    softness = np.trace(J @ W @ np.linalg.solve(W.T @ lw.mass_matrix(closed, q) @ W, W.T @ J.T)) / 3.0
    pull = Pull(closed, 1, lw.body_poses(closed, q).positions[1], q)
    assert pull.stiffness / PACE**2 == pytest.approx(min(1.0 / softness, closed.columns.mass.sum()), rel=1e-6)


def test_forces_of_a_state_are_those_that_move_it():
    linkage = lw.samples.four_bar()
    segment = lw.Simulation(linkage, dt=0.002).run(0.01).segments[0]
    found = forces_of(segment, 0)
    np.testing.assert_allclose(found["gravity"].forces.sum(axis=0), linkage.columns.mass.sum() * linkage.gravity)
    # All outer forces are those of ground, at the crank and at the loop's pin, and the weight.
    by_ground = -1.0 if linkage._loops.records[0].b < 0 else 1.0
    outer = found["joints"].forces[0] + by_ground * found["loops"].forces[0] + found["gravity"].forces.sum(axis=0)
    momentum = [lw.momentum(linkage, segment.q[k], segment.v[k])[:3] for k in (0, 1)]
    np.testing.assert_allclose(outer, (momentum[1] - momentum[0]) / 0.002, atol=0.02 * np.abs(outer).max())


def test_curves_that_stay_zero_are_left_out():
    box = lw.Linkage(gravity=(0, 0, 0))
    box.add_body("box", lw.Inertia.box((0.1, 0.2, 0.3), mass=1.0), joint=lw.Free())
    recording = lw.Simulation(box, v=[0, 0, 0, 1.0, 2.0, 3.0], dt=0.01).run(0.1)
    assert [signal.label for signal in signals_of(recording)] == ["positions (rad)", "velocities (rad/s)", "energy (J)"]


def test_adaptive_runs_know_what_moved():
    from linkwork import examples

    scene = lw.load_scene(examples.files("millipede")[0], changes={"adaptive.until": 0.2})
    recording = scene.adaptive().run(0.2)
    activity = Activity.of(recording)
    assert activity.computed[1:].max() >= activity.moved[1:].any(axis=0).sum() / 10
    assert activity.colors(2).shape == (1040, 3)
    moved = np.zeros(1040, dtype=bool)
    moved[10] = True
    assert len(np.unique(rigid_groups(recording.segments[0].linkage, moved))) == 2
    assert len(activity._pushes[1]) == 2


def test_a_straight_chain_is_in_the_picture_from_end_to_end():
    linkage = lw.samples.chain(3)
    bounds = bounds_of([(Looks(linkage), linkage.neutral()[None])])
    assert 3.0 < bounds.high[2] - bounds.low[2] < 3.2


def test_bounds_hold_every_piece():
    linkage = lw.samples.chain(4)
    q = np.random.default_rng(0).normal(size=(5, 4))
    looks = Looks(linkage)
    bounds = bounds_of([(looks, q)])
    for each in q:
        poses = lw.body_poses(linkage, each)
        for group in gather(looks.bodies):
            where, _ = group.placed(poses.positions, poses.rotations)
            assert (where >= bounds.low - 1e-9).all()
            assert (where <= bounds.high + 1e-9).all()
