"""Plots hold what they claim to show."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import plots
from linkwork.plots.framing import recording_bounds
from linkwork.plots.looks import Looks
from linkwork.plots.painter import Painter
from linkwork.plots.pictures import Motion
from linkwork.plots.series import thinned
from linkwork.plots.sticks import Sticks, named_view, view_of


@pytest.fixture(scope="module")
def swing():
    sim = lw.Simulation(lw.samples.chain(2), q=[1.0, 0.5], dt=0.01)
    sim.at(0.5, lambda: sim.cut("link1"))
    return sim.run(1.0)


@pytest.fixture(scope="module")
def closed():
    return lw.Simulation(lw.samples.four_bar(), dt=0.01).run(0.3)


@pytest.mark.parametrize("name", plots.names())
def test_every_plot_draws_through_a_change_of_structure(swing, name, tmp_path):
    plots.plot(swing, name, path=tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 5_000


@pytest.mark.parametrize("name", ["overview", "residuals", "reactions", "path"])
def test_closed_linkages_draw_too(closed, name, tmp_path):
    plots.plot(closed, name, path=tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 5_000


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_formats(closed, tmp_path, suffix, start):
    path = tmp_path / f"picture{suffix}"
    closed.plot("positions", path=path)
    assert path.read_bytes().startswith(start)


def lines(figure):
    return {line.get_label(): line for part in figure.subfigs for axes in part.axes for line in axes.lines}


def test_nothing_is_cut_off_or_covers_its_neighbour(swing):
    figure = swing.plot("structure", "strip", "reactions", "drift", "energies", "path")
    whole = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert min(whole.x0, whole.y0, width - whole.x1, height - whole.y1) >= 0.0
    boxes = [axes.get_tightbbox() for part in figure.subfigs for axes in part.axes]
    for k, a in enumerate(boxes):
        for b in boxes[:k]:  # what they share, in pixels, is at most the frame of a picture
            assert min(min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)) <= 1.0


def test_curves_are_the_recorded_numbers(closed):
    drawn = lines(closed.plot("positions"))
    for name in ("crank", "coupler", "rocker"):
        np.testing.assert_array_equal(drawn[name].get_xdata(), closed.t)
        np.testing.assert_array_equal(drawn[name].get_ydata(), closed[name].q[:, 0])
    energies = lines(closed.plot("energies"))
    np.testing.assert_allclose(energies["total"].get_ydata(), closed.energy)
    reactions = lines(closed.plot("reactions", joints=["crank"]))
    assert "rocker" not in reactions
    np.testing.assert_allclose(reactions["crank"].get_ydata(), np.linalg.norm(closed["crank"].wrench[:, :3], axis=1))


def test_eight_of_many_joints_are_drawn_and_their_number_is_noted():
    recording = lw.Simulation(lw.samples.chain(30), q=np.full(30, 0.1), dt=0.01).run(0.05)
    figure = recording.plot("positions")
    axes = figure.subfigs[0].axes[0]
    assert len(axes.lines) == 8
    assert axes.get_title(loc="right") == "(8 of 30 shown)"
    assert axes.get_ylabel() == "q (rad)"
    most = np.argsort(-np.ptp(recording.q, axis=0))[:8]
    assert {line.get_label() for line in axes.lines} == {f"link{k}" for k in most}


@pytest.fixture(scope="module")
def thrown():
    linkage = lw.Linkage()
    linkage.add_body("box", lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0), joint=lw.Free())
    return lw.Simulation(linkage, v=[1.0, 0.0, 2.0, 0.0, 0.0, 9.0], dt=0.01).run(2.0)


def test_metres_and_radians_have_axes_of_their_own_and_components_have_names(thrown):
    axes = thrown.plot("positions", "velocities", joints=["box"]).subfigs[0].axes
    assert [each.get_ylabel() for each in axes] == ["q (m)", "q (rad)", "v (m/s)", "v (rad/s)"]
    labels = [[line.get_label() for line in each.lines] for each in axes]
    assert labels[0] == ["box x", "box y", "box z"]
    assert labels[1] == ["box rx", "box ry", "box rz"]
    assert labels[3] == ["box wx", "box wy", "box wz"]


def test_orientations_are_rotation_vectors_that_count_whole_turns(thrown):
    drawn = lines(thrown.plot("positions", joints=["box"]))
    np.testing.assert_allclose(drawn["box rz"].get_ydata(), 9.0 * thrown.t, atol=1e-6)
    np.testing.assert_allclose(drawn["box rx"].get_ydata(), 0.0, atol=1e-9)


def test_paths_of_named_points(closed):
    figure = closed.plot("path", traces=["coupler@0.3,0,0.1", "rocker"])
    drawn = lines(figure)
    pose = [lw.body_poses(closed.segments[0].linkage, q)["coupler"].apply((0.3, 0.0, 0.1)) for q in closed.q]
    np.testing.assert_allclose(np.array(drawn["coupler@0.3,0,0.1"].get_xydata()), np.array(pose)[:, [0, 2]], atol=1e-12)
    assert "rocker" in drawn
    with pytest.raises(lw.ArgumentError, match="did you mean 'coupler'"):
        closed.plot("path", traces=["copler"])
    with pytest.raises(lw.ArgumentError, match=r"coupler@0\.3,0,0\.1"):
        closed.plot("path", traces=["coupler@1,2"])


def test_the_path_of_a_closed_linkage_is_that_of_its_coupler(closed):
    assert "Path of coupler" in closed.plot("path").subfigs[0].axes[0].get_title(loc="left")


def test_view_can_be_chosen(closed):
    assert closed.plot("path", view="top").subfigs[0].axes[0].get_ylabel() == "y (m)"
    with pytest.raises(lw.ArgumentError, match="front, side, top, corner"):
        closed.plot("path", view="left")


def test_one_body_that_falls_does_not_move_the_camera():
    sim = lw.Simulation(lw.samples.chain(6), q=np.full(6, 0.2), dt=0.01)
    sim.at(0.1, lambda: sim.cut("link5"))
    recording = sim.run(3.0)
    looks = [Looks(segment.linkage) for segment in recording.segments]
    bounds = recording_bounds(recording, looks)
    assert recording["link5"].position[:, 2].min() < -40.0
    assert bounds.low[2] > -15.0


def test_what_is_nearer_hides_what_is_behind_and_only_faces_towards_the_reader_are_painted(closed):
    painter = Painter(Looks(closed.segments[0].linkage))
    view = named_view("front")
    points, colors = painter.polygons(closed.q[0], view)
    (ax, ay), (bx, by) = (points[:, 1] - points[:, 0]).T, (points[:, 2] - points[:, 0]).T
    area = ax * by - ay * bx
    assert (area > 0.0).all() or (area < 0.0).all()
    assert colors.min() >= 0.0
    assert colors.max() <= 1.0


def test_long_recordings_are_thinned_but_keep_their_ends(swing):
    few = thinned(swing, 10)
    assert len(few) < 20
    for ours, theirs in zip(few.segments, swing.segments, strict=True):
        np.testing.assert_array_equal(ours.rows[[0, -1]], theirs.rows[[0, -1]])


def test_what_rests_is_not_drawn_beside_what_moves():
    linkage = lw.Linkage()
    linkage.add_body("ball", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free())
    recording = lw.Simulation(linkage, dt=0.01).run(0.1)
    assert set(lines(recording.plot("positions"))) == {"ball z"}
    assert len(lines(recording.plot("positions", joints=["ball"]))) == 3


def test_triad_is_where_nothing_else_is_and_cells_have_a_round_size():
    recording = lw.Simulation(lw.samples.chain(2), q=[0.8, 1.5], dt=0.01).run(0.1)
    motion = Motion(recording)
    assert motion.cell in (0.1, 0.2, 0.5)
    points = motion.view(lw.body_poses(recording.segments[0].linkage, recording.q[0]).positions)
    places = (points - motion.low) / motion.extent
    assert np.linalg.norm(places - motion._free_corner, axis=1).min() > 0.25


def test_part_of_a_recording(swing):
    part = plots.between(swing, 0.2, 0.4)
    assert part.t[0] == pytest.approx(0.2)
    assert part.t[-1] == pytest.approx(0.4)
    assert part.events == []
    with pytest.raises(lw.ArgumentError, match="from 0 to 1 s"):
        plots.between(swing, 5.0, 6.0)


def test_stick_figure_follows_the_bodies():
    linkage = lw.samples.chain(3)
    q = np.array([0.3, -0.8, 1.1])
    poses = lw.body_poses(linkage, q)
    sticks = Sticks(linkage)
    ends = sticks.lines(q).reshape(-1, 3)
    for joint in poses.positions:
        assert np.abs(ends - joint).max(axis=1).min() < 1e-12
    tip = poses["link2"].apply((0, 0, -1))
    np.testing.assert_allclose(sticks.traced(q), [tip], atol=1e-12)


def test_box_of_a_free_body_has_its_size():
    linkage = lw.Linkage()
    linkage.add_body("box", lw.Inertia.box((0.3, 0.2, 0.05), mass=1.0), joint=lw.Free())
    corners = Sticks(linkage).lines(linkage.neutral()).reshape(-1, 3)
    np.testing.assert_allclose(np.sort(np.ptp(corners, axis=0)), [0.05, 0.2, 0.3], rtol=1e-9)


def test_view_looks_across_the_plane_of_motion():
    points = np.random.default_rng(0).normal(size=(50, 3))
    assert view_of(points * (1, 0, 1)).names == ("x", "z")
    assert view_of(points * (1, 1, 0)).names == ("x", "y")
    assert view_of(points * (0, 1, 1)).names == ("y", "z")
    assert view_of(points).names == ("", "")
    # whichever it is, up on paper is up in the world
    assert view_of(points)(np.array([0.0, 0.0, 1.0]))[1] > 0.5


def test_surfaces_are_drawn_where_they_are():
    linkage = lw.samples.chain(2)
    linkage.constrain("link1", point=(0, 0, -1), surface=lw.Plane("z", -1.5), name="floor")
    recording = lw.Simulation(linkage, lw.close_loops(linkage, [0.7, 0.1]), dt=0.01).run(0.1)
    axes = recording.plot("strip").subfigs[0].axes[0]
    (floor,) = (c for c in axes.collections if type(c).__name__.endswith("ContourSet"))
    np.testing.assert_allclose(floor.get_paths()[0].vertices[:, 1], -1.5, atol=1e-9)
    drawn = lines(recording.plot("contacts"))
    np.testing.assert_allclose(drawn["floor, normal"].get_ydata(), recording.normal_forces[:, 0])


def test_bad_requests(closed, tmp_path):
    with pytest.raises(lw.ArgumentError, match="did you mean 'torques'"):
        closed.plot("torqes")
    with pytest.raises(lw.ArgumentError, match=r"\.png, \.svg, \.pdf"):
        closed.plot("torques", path=tmp_path / "picture.gif")
    with pytest.raises(lw.ArgumentError, match="did you mean 'crank'"):
        closed.plot("positions", joints=["crnk"])
    with pytest.raises(lw.ArgumentError, match="cannot write"):
        closed.plot("positions", path=tmp_path / "none" / "picture.png")
    with pytest.raises(lw.ArgumentError, match="fewer than two states"):
        lw.Simulation(lw.samples.chain(2)).recording.plot()
