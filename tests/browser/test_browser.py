"""What people see: pages and viewers in a real Chromium, with no network."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import examples
from linkwork.linkage.pose import rotation_from_quaternion

READY = "!!(document.querySelector('canvas') && document.querySelector('[role=slider]') && window.linkworkTime)"
URDF = """<robot name="arm">
  <link name="base"><visual><geometry><mesh filename="part.stl"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><visual><geometry><mesh filename="part.stl" scale="0.5 0.5 2"/></geometry>
    <material name="red"><color rgba="0.8 0.1 0.1 1"/></material></visual>
    <inertial><origin xyz="0 0 0.5"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="lift" type="continuous"><parent link="base"/><child link="tool"/><axis xyz="0 1 0"/>
    <origin xyz="0 0 0.5"/></joint>
</robot>"""


def pendulum(tmp_path):
    return lw.Simulation(lw.samples.chain(2), q=[1.5, 0.0], dt=0.01).run(2.0)


def robot(tmp_path):
    import trimesh

    trimesh.creation.cylinder(radius=0.1, height=0.5).export(tmp_path / "part.stl")
    (tmp_path / "arm.urdf").write_text(URDF)
    return lw.Simulation(lw.load(tmp_path / "arm.urdf"), q=[0.5], dt=0.01).run(2.0)


def high_bar(tmp_path):
    scene = lw.load_scene(examples.files("high-bar")[0])
    return scene.simulation().run(2.0)


def long_chain(tmp_path):
    chain = lw.samples.chain(5000)
    return lw.Simulation(chain, q=np.full(5000, 1e-3), dt=1e-3, record_every=20).run(0.2)


def seek(browser, time):
    browser.run(f"linkworkSeek({time})")
    browser.wait(f"Math.abs(linkworkTime() - {time}) < 1e-3")
    browser.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 500)))")


@pytest.mark.parametrize("make", [pendulum, robot, high_bar, pytest.param(long_chain, marks=pytest.mark.slow)])
def test_page_plays_and_scrubs_with_no_network(browser, make, tmp_path):
    recording = make(tmp_path)
    recording.save(tmp_path / "run.html")
    browser.open((tmp_path / "run.html").as_uri())
    browser.wait(READY)
    seek(browser, float(recording.t[0]))  # which also stops it
    first = browser.picture()
    browser.run("linkworkPlay()")
    browser.wait(f"linkworkTime() > {recording.t[0]} + 0.05")
    middle = recording.events[0].time if recording.events else float(recording.t[-1]) * 0.6
    seek(browser, middle)
    later = browser.picture()
    assert (np.abs(later - first)[:, 340:].max(axis=-1) > 40).sum() > 100  # bodies have moved, the curves do not count
    if recording.events:
        assert browser.run("document.querySelectorAll('.linkwork-mark').length") == len(recording.events)
        browser.run("document.querySelector('.linkwork-event').click()")
        browser.wait(f"Math.abs(linkworkTime() - {middle}) < 1e-3")
        assert browser.run("document.querySelector('.linkwork-event').style.fontWeight") == "bold"
    assert browser.errors() == []


def pixel(camera, point):
    """Where a point in the world is seen, pixels."""
    turned = rotation_from_quaternion(camera.wxyz[[1, 2, 3, 0]])
    x, y, z = turned.T @ (point - camera.position)
    focus = 0.5 * camera.image_height / np.tan(0.5 * camera.fov)
    return focus * x / z + 0.5 * camera.image_width, focus * y / z + 0.5 * camera.image_height


def connected(browser, viewer):
    browser.open(viewer.url)
    browser.wait("!!document.querySelector('canvas')")
    (client,) = browser._wait_for(lambda: viewer.server.get_clients(), "nobody connects").values()
    browser._wait_for(lambda: client.camera.image_width > 1, "no camera")
    return client.camera


def test_a_recording_plays_in_the_viewer(browser, tmp_path):
    recording = pendulum(tmp_path)
    with recording.view(browser=False) as viewer:
        connected(browser, viewer)
        browser.wait("[...document.querySelectorAll('button')].some((b) => b.textContent.trim() == 'Play')")
        before = browser.picture()
        browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent.trim() == 'Play').click()")
        browser._wait_for(lambda: viewer.time > 0.5, "it does not play")
        browser._wait_for(lambda: not viewer.playing, "it does not end")
        assert viewer.time == pytest.approx(2.0)
        viewer.seek(1.0)
        stage = viewer._stage()
        pose = lw.body_poses(recording.segments[0].linkage, recording.q[100])
        np.testing.assert_allclose(stage.positions, pose.positions)
        assert (np.abs(browser.picture() - before).max(axis=-1) > 40).sum() > 100
    assert browser.errors() == []


def test_a_body_is_dragged_and_the_simulation_answers(browser):
    scene = lw.load_scene(examples.files("double-pendulum")[0], changes={"start.q.shoulder": 0})
    with lw.view(scene, browser=False) as viewer:
        camera = connected(browser, viewer)
        viewer.run(False)
        browser.run("new Promise((done) => setTimeout(done, 1000))")
        poses = lw.body_poses(viewer.linkage, viewer.q)
        start = pixel(camera, poses["lower"].apply((0.0, 0.0, -0.5)))
        browser.drag(start, (start[0] - 150, start[1] - 40))
        browser._wait_for(lambda: viewer._pull is not None, "nothing is pulled")
        assert viewer._pull.body == 1
        rest = viewer.q
        viewer.run(True)
        browser._wait_for(lambda: np.abs(viewer.q - rest).max() > 0.05, "nothing moves")
        browser.mouse("mouseReleased", start[0] - 150, start[1] - 40)
        browser._wait_for(lambda: viewer._pull is None, "it is not let go")
        now = viewer.sim.t
        browser._wait_for(lambda: viewer.sim.t > now + 0.1, "it does not go on")
    assert browser.errors() == []
