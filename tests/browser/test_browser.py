"""What people see: pages and viewers in a real Chromium, with no network."""

import numpy as np
import pytest
from scipy.spatial import KDTree

import linkwork as lw
from linkwork import examples
from linkwork.linkage.pose import rotation_from_quaternion
from linkwork.plots.looks import Looks, gather
from linkwork.viewer.frames import Frames
from linkwork.viewer.page import RATE

READY = "!!(document.querySelector('canvas') && document.querySelector('[role=slider]') && window.linkworkTime)"
BUTTON = "[...document.querySelectorAll('button')].find((each) => each.textContent.trim() == '{}')"
TRACK = """(() => { const box = document.querySelector('[role=slider]').parentElement.getBoundingClientRect();
return [box.left, box.width, box.top + box.height / 2]; })()"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 500)))"
URDF = """<robot name="arm">
  <link name="base"><visual><geometry><mesh filename="part.stl"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><visual><origin xyz="0 0 0.5"/><geometry><mesh filename="part.stl" scale="0.5 0.5 2"/></geometry>
    <material name="red"><color rgba="0.8 0.1 0.1 1"/></material></visual>
    <inertial><origin xyz="0 0 0.5"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="lift" type="continuous"><parent link="base"/><child link="tool"/><axis xyz="0 1 0"/>
    <origin xyz="0 0 0.5"/></joint>
</robot>"""


def scene(folder, linkage, start="", **simulation):
    """A scene of this linkage, from a file."""
    settings = ", ".join(f"{name}: {value}" for name, value in simulation.items())
    path = folder / "scene.yaml"
    path.write_text(f"linkwork: 1\nname: run\nlinkage: {linkage}\n{start}\nsimulation: {{{settings}}}\n")
    return lw.load_scene(path)


def pendulum(folder):
    return scene(folder, "{sample: chain, options: {n: 2}}", "start: {q: {link0: 1.5}}", until=2, dt=0.01)


def robot(folder):
    import trimesh

    trimesh.creation.cylinder(radius=0.1, height=0.5).export(folder / "part.stl")
    (folder / "arm.urdf").write_text(URDF)
    return scene(folder, "arm.urdf", "start: {q: {lift: 0.5}}", until=2, dt=0.01)


def high_bar(folder):
    return lw.load_scene(examples.files("high-bar")[0])


def long_chain(folder):
    links = "{sample: chain, options: {n: 5000}}"  # five kilometres: it takes its time to fall
    return scene(folder, links, "start: {q: {link0: 1.5}}", until=8, dt=4e-3, record_every=100)


LINKAGES = [pendulum, robot, high_bar, pytest.param(long_chain, marks=pytest.mark.slow)]


def seek(browser, time):
    browser.run(f"linkworkSeek({time})")
    browser.wait(f"Math.abs(linkworkTime() - {time}) < 1e-3")
    browser.run(PAINTED)


def differing(one, other):
    """Pixels that differ; the curves and lists at the left do not count."""
    return int((np.abs(one - other)[:, 340:].max(axis=-1) > 40).sum())


def shows(browser, linkage, q):
    """Whether every piece of every body is where it belongs in this pose."""
    poses = lw.body_poses(linkage, np.array(q))
    groups = gather(Looks(linkage).bodies)
    where = np.concatenate([group.placed(poses.positions, poses.rotations)[0] for group in groups])
    seen = browser.pieces()
    return len(seen) >= len(where) and KDTree(seen).query(where)[0].max() < 1e-3 * np.ptp(where, axis=0).max()


def in_time(browser, look, message):
    return browser._wait_for(look, message)


@pytest.mark.parametrize("make", LINKAGES)
def test_page_plays_and_scrubs_with_no_network(browser, make, tmp_path):
    recording = make(tmp_path).simulation().run(make(tmp_path).run.until)
    recording.save(tmp_path / "run.html")
    browser.open((tmp_path / "run.html").as_uri())
    browser.wait(READY)
    seek(browser, float(recording.t[0]))  # which also stops it
    first = recording.segments[0]
    in_time(browser, lambda: shows(browser, first.linkage, first.q[0]), "the start is not shown")
    picture = browser.picture()
    browser.run("linkworkPlay()")
    browser.wait(f"linkworkTime() > {recording.t[0]} + 0.05")
    in_time(browser, lambda: not shows(browser, first.linkage, first.q[0]), "the scene stays as it was")
    if recording.events:
        assert browser.run("document.querySelectorAll('.linkwork-mark').length") == len(recording.events)
        browser.run("document.querySelector('.linkwork-event').click()")
        browser.wait(f"Math.abs(linkworkTime() - {recording.events[0].time}) < 1e-3")
        browser.wait("document.querySelector('.linkwork-event').style.fontWeight == 'bold'")
    frames = Frames(recording, RATE)
    time = frames.times[int(0.7 * len(frames.times))]
    seek(browser, float(time) + 2e-3)  # just after that picture
    place, row = frames.find(time)
    now = frames.segments[place]
    in_time(browser, lambda: shows(browser, now.linkage, now.q[row]), "the scene does not follow")
    assert differing(browser.picture(), picture) > 100
    assert browser.errors() == []


def connected(browser, viewer):
    browser.open(viewer.url)
    browser.wait("!!document.querySelector('canvas')")
    (client,) = in_time(browser, lambda: viewer.server.get_clients(), "nobody connects").values()
    in_time(browser, lambda: client.camera.image_width > 1, "no camera")
    return client.camera


@pytest.mark.parametrize("make", LINKAGES)
def test_viewer_plays_and_scrubs_to_an_event(browser, make, tmp_path):
    recording = make(tmp_path).simulation().run(make(tmp_path).run.until)
    first, end = recording.segments[0], float(recording.t[-1])
    with recording.view(browser=False) as viewer:
        connected(browser, viewer)
        browser.wait("!!" + BUTTON.format("Play"))
        in_time(browser, lambda: shows(browser, first.linkage, first.q[0]), "the start is not shown")
        before = browser.picture()
        browser.run(BUTTON.format("Play") + ".click()")
        in_time(browser, lambda: viewer.time > 0.1, "it does not play")
        in_time(browser, lambda: not viewer.playing, "it does not end")
        assert viewer.time == pytest.approx(end)
        wanted = recording.events[0].time if recording.events else 0.6 * end
        left, width, y = browser.run(TRACK)
        browser.mouse("mousePressed", left + width * wanted / end, y)
        browser.mouse("mouseReleased", left + width * wanted / end, y)
        in_time(browser, lambda: abs(viewer.time - wanted) < 0.02 * end, "it does not go there")
        place, row = viewer._frames.find(viewer.time)
        now = viewer._frames.segments[place]
        in_time(browser, lambda: shows(browser, now.linkage, now.q[row]), "the scene does not follow")
        browser.run(PAINTED)
        assert (np.abs(browser.picture() - before)[:, :550].max(axis=-1) > 40).sum() > 100
        assert browser.errors() == []


def pixel(camera, point):
    """Where a point in the world is seen, pixels."""
    turned = rotation_from_quaternion(camera.wxyz[[1, 2, 3, 0]])
    x, y, z = turned.T @ (point - camera.position)
    focus = 0.5 * camera.image_height / np.tan(0.5 * camera.fov)
    return focus * x / z + 0.5 * camera.image_width, focus * y / z + 0.5 * camera.image_height


@pytest.mark.parametrize(
    ("make", "body", "point"),
    [
        (pendulum, "link1", (0, 0, -0.5)),
        (robot, "tool", (0, 0, 0.6)),
        (high_bar, "torso", (0, 0, 0)),
        pytest.param(long_chain, "link2500", (0, 0, -0.5), marks=pytest.mark.slow),
    ],
)
def test_a_body_is_dragged_and_the_simulation_answers(browser, make, body, point, tmp_path):
    with lw.view(make(tmp_path), browser=False) as viewer:
        viewer.run(False)
        viewer.reset()
        camera = connected(browser, viewer)
        in_time(browser, lambda: shows(browser, viewer.linkage, viewer.q), "the start is not shown")
        browser.run(PAINTED)
        start = pixel(camera, lw.body_poses(viewer.linkage, viewer.q)[body].apply(point))
        browser.drag(start, (start[0] - 120, start[1] - 60))
        in_time(browser, lambda: viewer._pull is not None, "nothing is pulled")
        if make in (pendulum, robot):  # elsewhere another part may be before it
            assert viewer.linkage.bodies.names[viewer._pull.body] == body
        viewer.run(True)
        in_time(browser, lambda: viewer.sim.t > 0.1, "it does not run")
        browser.mouse("mouseReleased", start[0] - 120, start[1] - 60)
        in_time(browser, lambda: viewer._pull is None, "it is not let go")
        viewer.run(False)
        alone = make(tmp_path).simulation()
        alone.run(viewer.sim.t)
        assert np.abs(viewer.q - alone.q).max() > 0.01
        in_time(browser, lambda: shows(browser, viewer.linkage, viewer.q), "the scene does not follow")
        assert browser.errors() == []


@pytest.mark.slow
def test_one_of_very_many_atoms_is_dragged(browser, tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text("linkwork: 1\nname: run\nlinkage: {sample: molecule, options: {n: 12000}}\ngravity: [0, 0, 0]\n"
                    "adaptive: {until: 1, dt: 1e-2, tolerance: 0.01, gain: 1e-4}\n")  # fmt: skip
    with lw.view(lw.load_scene(path), browser=False) as viewer:  # so many that they are points
        viewer.run(False)
        camera = connected(browser, viewer)
        in_time(browser, lambda: shows(browser, viewer.linkage, viewer.q), "the start is not shown")
        browser.run(PAINTED)
        before = viewer.q
        positions = lw.body_poses(viewer.linkage, before).positions
        start = min((pixel(camera, at) for at in positions), key=lambda at: abs(at[1] - 350.0))  # any below the message
        browser.drag(start, (start[0] - 120, start[1] - 60))
        in_time(browser, lambda: viewer._pull is not None, "nothing is pulled")
        point = viewer._pull.point(before)
        x, y = pixel(camera, point)
        assert abs(x - start[0]) + abs(y - start[1]) < 3.0
        viewer.run(True)
        in_time(browser, lambda: np.abs(viewer.q - before).max() > 0.01, "nothing moves")
        browser.mouse("mouseReleased", start[0] - 120, start[1] - 60)
        in_time(browser, lambda: viewer._pull is None, "it is not let go")
        viewer.run(False)
        in_time(browser, lambda: shows(browser, viewer.linkage, viewer.q), "the scene does not follow")
        assert browser.errors() == []
