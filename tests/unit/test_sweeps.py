"""Sweeps: grids and draws, outputs, files, workers, and what goes wrong."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import linkwork as lw
from linkwork import examples
from linkwork.sweeps.space import Space, read_values

CART = "cart-pole"
SHORT = {"simulation.until": 0.2}


def cart(**changes):
    from linkwork import examples

    return lw.load_scene(examples.files(CART)[0], changes=SHORT | changes)


def product(x, y=1.0):
    if x < 0:
        raise ValueError(f"no root of {x}")
    return {"product": x * y, "both": [x, y]}


# Where it goes


def test_grid_has_every_combination_the_last_key_fastest():
    table = lw.sweep(product, {"x": np.arange(3), "y": [np.float32(10), np.int64(20)]})
    assert table["x"].tolist() == [0, 0, 1, 1, 2, 2]
    assert table["y"].tolist() == [10, 20] * 3
    assert table["product"].tolist() == [0, 0, 10, 20, 20, 40]
    assert table["both[1]"].tolist() == [10, 20] * 3


def test_table_of_samples():
    table = lw.sweep(product, samples={"x": [1, 2, 3], "y": [4, 5, 6]})
    assert table["product"].tolist() == [4, 10, 18]
    frame = table.to_pandas()[["x", "y"]]
    assert lw.sweep(product, samples=frame)["product"].tolist() == [4, 10, 18]


def test_draws_depend_on_seed_and_run_alone():
    space = Space({"a": "normal(1, 2)", "b": "uniform(-1, 1)"}, 10_000, seed=3)
    whole = space.numbers(np.arange(10_000))
    runs = np.array([7, 9_999, 4_096, 4_095])
    np.testing.assert_array_equal(space.numbers(runs), whole[runs])
    alone = Space({"b": "uniform(-1, 1)"}, 5, seed=3)  # other parameters make no difference
    np.testing.assert_array_equal(alone.numbers(np.arange(5))[:, 0], whole[:5, 1])
    assert not np.array_equal(Space({"b": "uniform(-1, 1)"}, 5, seed=4).numbers(np.arange(5))[:, 0], whole[:5, 1])
    assert abs(whole[:, 0].mean() - 1.0) < 0.1
    assert abs(whole[:, 0].std() - 2.0) < 0.1
    assert abs(whole[:, 1].mean()) < 0.03


@pytest.mark.parametrize(
    ("text", "low", "high", "mean"),
    [
        ("uniform(2, 4)", 2, 4, 3),
        ("loguniform(0.1, 10)", 0.1, 10, 2.15),
        ("integers(1, 6)", 1, 6, 3.5),
        ("choice(1, 5)", 1, 5, 3),
    ],
)
def test_distributions(text, low, high, mean):
    drawn = Space({"a": text}, 20_000, seed=0).numbers(np.arange(20_000))[:, 0]
    assert drawn.min() >= low
    assert drawn.max() <= high
    assert abs(drawn.mean() - mean) < 0.06 * mean


def test_distributions_of_scipy():
    from scipy import stats

    drawn = Space({"a": stats.gamma(2.0)}, 5000, seed=0).numbers(np.arange(5000))[:, 0]
    assert abs(drawn.mean() - 2.0) < 0.1


def test_values_of_the_command_line():
    np.testing.assert_array_equal(read_values("0:10:5"), [0, 2.5, 5, 7.5, 10])
    assert read_values("1,2,5") == [1, 2, 5]
    assert read_values("rk4, semi-implicit") == ["rk4", "semi-implicit"]
    assert read_values("normal(0, 1)") == "normal(0, 1)"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"over": {}}, "nothing to sweep over"),
        ({"over": {"x": []}}, "x has no values"),
        ({"over": {"x": 3}}, "x: give a sequence"),
        ({"over": {"x": [1, np.nan]}}, "not finite"),
        ({"over": {"x": np.arange(40_000), "y": np.arange(25_000)}}, "1,000,000,000 = 40,000 × 25,000 runs"),
        ({"over": {"x": "uniform(0, 1)"}}, "samples="),
        ({"over": {"x": "unifor(0, 1)"}, "samples": 2}, "did you mean 'uniform'"),
        ({"over": {"x": "uniform(1, 0)"}, "samples": 2}, r"write uniform\(low, high\)"),
        ({"over": {"x": [1]}, "samples": 0}, "positive"),
        ({"over": {"x": [1]}, "seed": -1}, "seed"),
        ({"over": {"z": [1]}}, "unknown argument of product 'z'"),
        ({"samples": {"x": [1, 2], "y": [1]}}, "different lengths"),
        ({"over": {"x": [1]}, "workers": 0}, "workers"),
        ({"over": {"x": [1]}, "workers": 2, "client": "tcp://127.0.0.1:9"}, "not both"),
        ({"over": {"x": [1]}, "store": "nowhere/sweep.h5"}, "no folder"),
    ],
)
def test_bad_input_is_one_line(options, words):
    with pytest.raises(lw.ArgumentError, match=words) as raised:
        lw.sweep(product, **options)
    assert "\n" not in str(raised.value)


# Functions, errors, files


def test_a_run_that_fails_is_a_row():
    table = lw.sweep(product, {"x": [-1, 2, -3]})
    assert table.errors == {0: "ValueError: no root of -1.0", 2: "ValueError: no root of -3.0"}
    np.testing.assert_array_equal(table["product"], [np.nan, 2, np.nan])
    assert table.to_pandas()["error"].tolist()[0] == "ValueError: no root of -1.0"
    assert table.to_pandas()[["version", "seed"]].iloc[0].tolist() == [lw.__version__, 0]


def test_generators_of_functions_are_their_own():
    def draw(x, rng):
        return x + rng.normal()

    table = lw.sweep(draw, {"x": [0, 1]}, samples=3, seed=5)
    expected = [x + np.random.default_rng([5, run]).normal() for run, x in enumerate([0, 0, 0, 1, 1, 1])]
    assert table["value"].tolist() == expected


def test_processes_give_the_same_bits(tmp_path):
    def draw(x, rng):  # defined here: cloudpickle sends it by value
        if x == 3:
            raise ArithmeticError("three")
        return {"a": x * rng.random(), "b": rng.normal(size=2)}

    over = {"x": np.arange(40)}
    one = lw.sweep(draw, over, samples=5, workers=1)
    two = lw.sweep(draw, over, samples=5, workers=2, store=tmp_path / "two.h5")
    for name in one.outputs:
        np.testing.assert_array_equal(one[name], two[name])
    assert one.errors == two.errors
    assert len(one.errors) == 5


def test_to_xarray():
    table = lw.sweep(product, {"x": [1, 2, 3], "y": [10, 20]})
    data = table.to_xarray()
    assert data["product"].sel(x=2, y=20) == 40
    assert data.attrs["seed"] == 0
    data = lw.sweep(product, {"x": [1, 2], "y": "uniform(0, 1)"}, samples=4).to_xarray()
    assert data["product"].dims == ("x", "sample")
    np.testing.assert_array_equal(data["product"], data["x"] * data["y"])


def test_a_file_is_read_again_and_not_overwritten_when_unfinished(tmp_path):
    path = tmp_path / "sweep.h5"
    made = lw.sweep(product, {"x": [1, 2, 3]}, store=path)
    again = lw.Sweep.load(path)
    assert again["product"].tolist() == made["product"].tolist() == [1, 2, 3]
    assert again.complete
    assert repr(again) == "Sweep(3 runs, over x: 3 outputs)"
    lw.sweep(product, {"x": [1, 2]}, store=path)  # a whole one is
    stop_after(path, 2)
    with pytest.raises(lw.ArgumentError, match=r"holds 2 of 4 runs .* resume it"):
        lw.sweep(product, {"x": [5, 6, 7, 8]}, store=path)
    (tmp_path / "other.txt").write_text("mine")
    with pytest.raises(lw.ArgumentError, match="is no sweep"):
        lw.sweep(product, {"x": [1]}, store=tmp_path / "other.txt")


def stop_after(path, count):
    """Leave a sweep over x = 5 … 8 with `count` runs."""
    calls = []

    def stopping(x, y=1.0):
        if len(calls) > count:  # one call finds out what is returned
            raise KeyboardInterrupt
        calls.append(x)
        return product(x, y)

    with pytest.raises(KeyboardInterrupt):
        lw.sweep(stopping, {"x": [5, 6, 7, 8]}, store=path, workers=1)
    assert len(lw.Sweep.load(path)) == count


def test_resuming_another_sweep_is_refused(tmp_path):
    path = tmp_path / "sweep.h5"
    lw.sweep(product, {"x": [1, 2]}, store=path)
    with pytest.raises(lw.ArgumentError, match="its values or its seed has changed"):
        lw.sweep(product, {"x": [1, 3]}, store=path, resume=True)
    with pytest.raises(lw.ArgumentError, match="what is run has changed"):
        lw.sweep(lambda x: {"product": x, "both": [1, 2]}, {"x": [1, 2]}, store=path, resume=True)


SCRIPT = """
import os, sys, time
import linkwork as lw

def slow(x):
    if x == {deadly} and os.getpid() != {parent}:
        os.kill(os.getpid(), 9)
    time.sleep({sleep})
    return x * x

lw.sweep(slow, {{"x": list(range({count}))}}, outputs=["value"], store=sys.argv[1], workers={workers}, resume=True)
"""


def script(tmp_path, **options):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.format(**{"deadly": -1, "parent": 0, "sleep": 0.0, "workers": 2} | options))
    return [sys.executable, str(path), str(tmp_path / "sweep.h5")]


def test_a_run_that_kills_its_worker_is_a_row(tmp_path):
    """In a script without a guard for its main module, too."""
    done = subprocess.run(script(tmp_path, count=8, deadly=5), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    table = lw.Sweep.load(tmp_path / "sweep.h5")
    assert table.complete
    assert list(table.errors) == [5]
    assert "the worker process died over it" in table.errors[5]
    assert np.nansum(table["value"]) == sum(x * x for x in range(8)) - 25


def test_a_killed_sweep_resumes(tmp_path):
    command = script(tmp_path, count=150, sleep=0.02, workers=1)
    path = tmp_path / "sweep.h5"
    process = subprocess.Popen(command)
    while process.poll() is None and not (path.exists() and path.stat().st_size > 0 and rows_in(path) > 20):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = rows_in(path)
    assert 20 < before < 150
    subprocess.run(command, check=True, timeout=120)
    table = lw.Sweep.load(path)
    assert table["value"].tolist() == [x * x for x in range(150)]
    assert table.runs.tolist() == list(range(150))


def rows_in(path):
    try:
        return len(lw.Sweep.load(path))
    except lw.LinkworkError:
        return 0


def test_a_file_left_in_the_middle_of_a_commit_is_gone_on_with(tmp_path):
    path = tmp_path / "sweep.h5"
    stop_after(path, 2)
    code = (
        "import os, sys; from pathlib import Path; from linkwork.simulation.hdf5 import writing\n"
        "with writing(Path(sys.argv[1])) as file:\n"
        "    file['runs'].resize((900,)); file['values'].resize((900, 3)); file.flush(); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)]).returncode == 9
    assert len(lw.Sweep.load(path)) == 2

    def stopping(x, y=1.0):
        return product(x, y)

    from linkwork.sweeps.store import Contents, Store

    header = Contents(path).header
    store = Store.reopen(path, {key: header[key] for key in header if key != "linkwork sweep"}, 4)
    assert store.done.tolist() == [True, True, False, False]
    assert lw.Sweep.load(path)["product"].tolist() == [5, 6]


# Scenes


def test_packed_runs_are_those_of_simulations():
    over = {"parameters.k_angle": "uniform(20, 60)", "parameters.tilt": "uniform(-10, 10)"}
    outputs = ["final", "max(abs(q[pole])) / deg", "when(abs(q[pole]) < 5*deg)", "integral(v[cart])"]
    scene = cart()
    packed = lw.sweep(scene, over, samples=20, outputs=outputs, workers=1)
    single = lw.sweep(scene, over, samples=20, outputs=[*outputs, "final(tau[cart])"], workers=1)
    assert packed.settings["how"] == "packed into SIMD rollouts"
    assert single.settings["how"] == "simulated one by one: the outputs need tau"
    for name in packed.outputs:
        np.testing.assert_allclose(packed[name], single[name], rtol=1e-11, atol=1e-12)
    changes = {key: float(packed[key][7]) for key in over}
    sim = cart(**changes).simulation()
    sim.run(0.2)
    assert [single["q[cart]"][7], single["q[pole]"][7]] == sim.q.tolist()


def test_runs_that_share_a_scene_are_those_of_scenes_loaded_anew(tmp_path):
    """Parameters of torques, of the start and of an event: to the bit what `load_scene` gives, in whatever order."""
    path = tmp_path / "cart.yaml"
    text = examples.files("cart-pole")[0].read_text()
    assert "events:" not in text
    path.write_text(f"{text}\nevents:\n- {{when: 'q[cart] - k_rate / 1000', v: {{pole: tilt / 10}}}}\n")
    over = {"parameters.k_rate": [15.0, 5.0], "parameters.tilt": [9.0, 4.0]}
    scene = lw.load_scene(path, changes={"simulation.until": 0.3})
    table = lw.sweep(scene, over, outputs=["final", "events"], workers=1)
    assert table["events"].min() > 0
    for k in range(4):
        changes = {key: float(table[key][k]) for key in over} | {"simulation.until": 0.3}
        sim = lw.load_scene(path, changes=changes).simulation()
        sim.run(0.3)
        assert [table[f"{what}[{joint}]"][k] for what in "qv" for joint in ("cart", "pole")] == [*sim.q, *sim.v]


def test_packed_runs_do_not_depend_on_chunks_and_may_fail():
    over = {"parameters.k_rate": np.concatenate([np.linspace(5, 12, 12), np.full(12, 1e7)]), "start.v.pole": [0.0, 0.1]}
    whole = lw.sweep(cart(**{"parameters.push": 1e300}), over, outputs=["final"], workers=1)
    assert 10 < len(whole.errors) < 48
    from linkwork.sweeps.job import SceneJob

    job = SceneJob(cart(**{"parameters.push": 1e300}), Space(over, None, 0), ["final"])
    assert job.packed
    for runs in (np.array([3]), np.array([40, 2]), np.arange(17, 30)):
        rows = job.rows(runs)
        for row, run in enumerate(runs):
            assert rows.errors.get(row) == whole.errors.get(run)
            np.testing.assert_array_equal(rows.values[row], [whole[name][run] for name in job.columns])


@pytest.mark.parametrize(
    ("over", "options", "reason"),
    [
        ({"parameters.length": [1, 2]}, {"samples": None}, "fewer than 16"),
        ({"parameters.length": np.linspace(1, 2, 20)}, {}, "the linkage differs from run to run, by parameters.length"),
        ({"simulation.dt": np.linspace(1e-3, 2e-3, 20)}, {}, "the linkage differs from run to run, by simulation.dt"),
        ({"parameters.push": np.linspace(1, 2, 20)}, {"outputs": ["recording"]}, "whole recordings are kept"),
    ],
)
def test_the_engine_says_why_runs_are_not_packed(over, options, reason):
    from linkwork.sweeps.job import SceneJob

    job = SceneJob(cart(), Space(over, None, 0), options.get("outputs", ["final"]))
    assert job.how.startswith(f"simulated one by one: {reason}") or reason in job.how


def test_outputs_of_a_scene(tmp_path):
    scene = tmp_path / "swing.yaml"
    scene.write_text(SWING)
    table = lw.sweep(
        scene, {"parameters.mass": [1, 2]}, workers=1,
        outputs=["final", "extremes", "events", "recording", "max(norm(reaction[hinge]))", "final(position[tip])",
                 "mean(energy)", "mass * first(potential)"],
    )  # fmt: skip
    for run in (0, 1):
        recording = table.recording(run)
        assert table["q[hinge]"][run] == recording["hinge"].q[-1, 0]
        assert table["max(v[hinge])"][run] == recording["hinge"].v.max()
        reaction = recording["hinge"].wrench[:, :3]
        assert table["max(norm(reaction[hinge]))"][run] == np.sqrt((reaction**2).sum(axis=1).max())
        assert table["final(position[tip])[2]"][run] == recording["tip"].position[-1, 2]
        assert table["event[cut bob]"][run] == 0.05
        assert np.isnan(table["q[bob]"][run])  # it is free at the end
        assert table["events"][run] == 1
        assert table["mass * first(potential)"][run] == (run + 1) * recording.potential[0]


SWING = """
linkwork: 1
parameters: {mass: 1, length: 1, half: length/2, g: 9.81, bump: 0.1, friction: 0.2}
gravity: [0, 0, -g]
bodies:
- {name: arm, joint: {type: Revolute, name: hinge, axis: y, damping: 0.1*mass, limits: [-3*half, 2]},
   inertia: {shape: rod, length: length, mass: mass, com: [0, 0, -half]}}
- {name: bob, parent: arm, at: {position: [0, 0, -length], rpy: [0, 0, 90*deg]}, joint: {type: Revolute, axis: y},
   inertia: {shape: sphere, radius: half/5, mass: 2*mass}}
frames: [{name: tip, body: arm, pose: {position: [0, 0, -length]}}]
start: {q: {hinge: 30*deg}}
events: [{at: half/10, cut: bob}]
simulation: {until: 0.1, dt: 1e-3}
"""


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("q[hinge]", "at every time"),
        ("max(q[hing])", "did you mean 'hinge'"),
        ("max(reacton[hinge])", "did you mean 'reaction'"),
        ("maxx(q[hinge])", "did you mean 'max'"),
        ("finel", "did you mean 'final'"),
        ("final(q[hinge]) * mas", "did you mean 'mass'"),
        ("final(q[hinge][1])", "1 component"),
        ("__import__('os')", "cannot be used"),
    ],
)
def test_outputs_that_cannot_be(output, words, tmp_path):
    scene = tmp_path / "swing.yaml"
    scene.write_text(SWING)
    with pytest.raises(lw.ArgumentError, match=words):
        lw.sweep(scene, {"parameters.mass": [1, 2]}, outputs=[output])


# Parameters everywhere in scenes


def test_parameters_stand_wherever_a_number_does(tmp_path):
    path = tmp_path / "swing.yaml"
    surfaces = """
shapes:
- {name: ball, body: bob, shape: {type: Ball, radius: bump}, friction: friction}
- {name: ground, body: ground, shape: {type: Surface, expression: "z + 5*length - bump*sin(x)"}, friction: 2*friction}
"""
    path.write_text(SWING + surfaces)
    changes = {"parameters.mass": np.float64(3), "parameters.length": np.int64(2), "parameters.g": np.float32(2)}
    linkage = lw.load_scene(path, changes=changes | {"parameters.bump": 0.25}).linkage
    assert linkage.bodies["arm"].inertia.mass == 3
    assert linkage.bodies["arm"].inertia.com[2] == -1
    assert linkage.bodies["bob"].inertia.mass == 6
    assert linkage.joints["bob"].at.position[2] == -2
    assert linkage.gravity[2] == -2
    assert linkage.joints["hinge"].type.damping == pytest.approx(0.3)
    assert linkage.joints["hinge"].type.limits == (-3.0, 2.0)
    assert linkage.frames["tip"].pose.position[2] == -2
    assert linkage.shapes["ball"].shape.radius == 0.25
    assert linkage.shapes["ground"].friction == 0.4
    assert "0.25" in linkage.shapes["ground"].shape.expression
    assert lw.load_scene(path).parameters["half"] == 0.5


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mass: mass,", "mass: mas,", "bodies\\[0\\].inertia.mass: must be a number, not 'mas': .*did you mean 'mass'"),
        ("half: length/2", "half: lngth/2", "did you mean 'length'"),
        ("[0, 0, -g]", "[0, 0, -gg]", "gravity\\[2\\].*did you mean 'g'"),
        ("cut: bob}", "cut: bob, gravity: [0, 0, lngth]}", "did you mean 'length'"),
        ("half/10", "half/0", "must be a number, not 'half/0'"),
    ],
)
def test_misspelt_parameters_are_found(old, new, words, tmp_path):
    path = tmp_path / "swing.yaml"
    path.write_text(SWING.replace(old, new, 1))
    with pytest.raises(lw.DescriptionError, match=words):
        lw.load_scene(path)


def test_changes_of_unknown_parameters_offer_the_right_one(tmp_path):
    path = tmp_path / "swing.yaml"
    path.write_text(SWING)
    with pytest.raises(lw.ArgumentError, match="unknown parameter 'mas'; did you mean 'mass'"):
        lw.load_scene(path, changes={"parameters.mas": 1})
    with pytest.raises(lw.ArgumentError, match=r"'parameters\.mass'"):
        lw.load_scene(path, changes={"mass": 1})
    with pytest.raises(lw.ArgumentError, match="did you mean 'mass'"):
        lw.sweep(path, {"parameters.mas": [1, 2]})


# The command line, pictures


def command(*arguments, folder, **options):
    line = [sys.executable, "-m", "linkwork", *arguments]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=300, **options)


def test_command_line_and_pictures(tmp_path):
    over = ["--over", "parameters.k_angle=20:60:8", "--over", "parameters.k_rate=5:12:6", "--until", "0.2"]
    done = command("sweep", CART, *over, "--output", "max(q[pole])", "--out", "s.h5", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["runs"] == 48
    assert summary["how"] == "packed into SIMD rollouts"
    table = lw.Sweep.load(tmp_path / "s.h5")
    assert table.plot("max(q[pole])", path=tmp_path / "map.png").axes[0].get_ylabel() == "k_angle"
    done = command("plot", "s.h5", folder=tmp_path)
    assert done.stdout.strip() == "s.png"
    assert (tmp_path / "s.png").stat().st_size > 10_000
    done = command("sweep", CART, "--over", "parameters.tiltt=1,2", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "linkwork: unknown parameter 'tiltt'; did you mean 'tilt'?\n"


def test_pictures_of_curves_and_histograms(tmp_path):
    curves = lw.sweep(product, {"x": np.arange(9), "y": "normal(1, 0.1)"}, samples=10)
    axes = curves.plot("product").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "product")
    assert len(axes.collections) == 2  # bands
    median = axes.lines[0].get_ydata()
    assert median[3] == np.median(curves["product"][30:40])
    histogram = lw.sweep(lambda rng: rng.normal(), samples=50).plot().axes[0]
    assert histogram.get_ylabel() == "runs"
    with pytest.raises(lw.ArgumentError, match="did you mean 'product'"):
        curves.plot("producct")


def test_ctrl_c_leaves_a_readable_file(tmp_path):
    process = subprocess.Popen(
        script(tmp_path, count=1000, sleep=0.02, workers=1), stderr=subprocess.DEVNULL, start_new_session=True
    )
    path = tmp_path / "sweep.h5"
    while process.poll() is None and not (path.exists() and rows_in(path) > 5):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) != 0
    assert 5 < len(lw.Sweep.load(path)) < 1000
