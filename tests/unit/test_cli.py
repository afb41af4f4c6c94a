import json
import re
import subprocess
import sys

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main


@pytest.fixture
def command(monkeypatch, capsys):
    """Run `linkwork` with these arguments; return its exit code, output and errors, without notes on compiling."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["linkwork", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
        output, errors = capsys.readouterr()
        kept = [line for line in errors.splitlines(keepends=True) if not line.startswith("linkwork: compiling")]
        return exit_.value.code, output, "".join(kept)

    return run


def test_info_lists_bodies_mass_and_what_was_ignored(command, tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text("""
        <robot name="arm">
          <gazebo/>
          <link name="base"/>
          <link name="upper"><inertial><mass value="2.5"/>
            <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
          <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/></joint>
        </robot>""")
    code, output, _ = command("info", path)
    assert code == 0
    assert re.search(r"upper.*ground.*shoulder.*Revolute.*1.*2\.5", output)
    assert "arm: 1 bodies, 1 degrees of freedom, 2.5 kg" in output
    assert re.search(r"ignored: .*gazebo", output)


def test_info_shows_names_whole_and_brackets_as_they_are(command, tmp_path):
    linkage = lw.Linkage(name="[red]")
    name = "a_rather_long_name_that_would_not_fit_into_a_column_of_a_narrow_terminal[0]"
    linkage.add_body(name, lw.Inertia.sphere(1.0, mass=1.0), joint=lw.Revolute("z"), parent="ground")
    linkage.save(tmp_path / "long.yaml")
    code, output, _ = command("info", tmp_path / "long.yaml")
    assert code == 0
    assert "[red]: 1 bodies" in output
    first_column = "".join(line.split("│")[1].strip() for line in output.splitlines() if line.startswith("│"))
    assert first_column == name


@pytest.mark.parametrize("name", ["missing.urdf", "unknown.suffix"])
def test_error_is_one_line_without_traceback(command, tmp_path, name):
    code, output, errors = command("info", tmp_path / name)
    assert code == 1
    assert output == ""
    assert errors.startswith("linkwork: ")
    assert errors.strip().count("\n") == 0
    assert name.split(".")[0] in errors


def test_version_and_module_say_the_same(command):
    as_module = subprocess.run(
        [sys.executable, "-m", "linkwork", "--version"], capture_output=True, text=True, check=True
    )
    assert command("--version")[1] == as_module.stdout == f"linkwork {lw.__version__}\n"


def test_unknown_command_is_refused(command):
    code, _, errors = command("infoo")
    assert code == 2
    assert "infoo" in errors


PENDULUM = """
linkwork: 1
name: pendulum
bodies:
- name: bob
  joint: {type: Revolute, axis: y}
  inertia: {shape: rod, length: 1, mass: 1, com: [0, 0, -0.5]}
start: {q: {bob: 1}}
simulation: {until: 0.5, dt: 1e-2}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    return tmp_path


def test_simulate_leaves_a_recording_a_picture_and_a_summary(command, folder):
    code, output, errors = command("simulate", "pendulum.yaml")
    assert (code, errors) == (0, "")
    for line in (
        "motion .*0.5 s by rk4, dt = 0.01 s",
        "took",
        "energy drift",
        "events .*none",
        r"pendulum.h5 \(51 states\)",
    ):
        assert re.search(line, output)
    assert (folder / "pendulum.png").read_bytes().startswith(b"\x89PNG")
    assert lw.Recording.load(folder / "pendulum.h5").t[-1] == 0.5


def test_simulate_for_scripts(command, folder):
    code, output, errors = command(
        "simulate", "pendulum.yaml", "--json", "--until", 0.2, "--dt", 1e-3, "--integrator", "semi-implicit",
        "--set", "start.q.bob=0.5", "--set", "gravity=[0, 0, -1.62]", "--out", "moon.h5",
        "--plot", "phase,drift", "--picture", "moon.svg",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    summary = json.loads(output)
    assert summary["t"] == 0.2
    assert summary["states"] == 201
    assert summary["conservative"]
    assert summary["energy_start"] == pytest.approx(-0.5 * 1.62 * np.cos(0.5), rel=1e-12)
    assert 0.0 < summary["energy_drift"] < 1e-3
    assert (folder / "moon.svg").exists()
    assert lw.Recording.load("moon.h5").segments[0].linkage.gravity[2] == -1.62


def test_no_picture_where_none_is_wanted(command, folder):
    code, _, _ = command("simulate", "pendulum.yaml", "--plot", "none")
    assert code == 0
    assert not (folder / "pendulum.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "pendulum.yaml", "--dt", "0"), "simulation.dt: must be a number > 0"),
        (("simulate", "pendulum.yaml", "--plot", "phse"), "did you mean 'phase'"),
        (("simulate", "pendulum.yaml", "--picture", "a.gif"), ".png, .svg, .pdf"),
        (("simulate", "pendulum.yaml", "--out", "pendulum.yaml"), "is not a recording"),
        (("simulate", "pendulum.yaml", "--out", "none/a.h5"), "no folder none"),
        (("simulate", "pendulum.yaml", "--set", "start.q.bub=1"), "did you mean 'bob'"),
        (("simulate", "double-pendlum"), "did you mean 'double-pendulum'"),
        (("simulate", "robot.urdf"), "write a file with `linkwork: 1`"),
        (("simulate", "none.yaml"), "no such file"),
        (("plot", "none.h5"), "cannot read the recording"),
        (("plot", "pendulum.yaml"), "cannot read the recording"),
        (("plot", "none.h5", "phse"), "did you mean 'phase'"),
        (("examples", "four-bra"), "did you mean 'four-bar'"),
        (("info", "fuor-bar"), "did you mean 'four-bar'"),
        (("bench", "humna"), "did you mean 'human'"),
        (("bench", "chain"), "takes a size, such as chain:10"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(command, folder, arguments, message):
    code, output, errors = command(*arguments)
    assert (code, output) == (1, "")
    assert errors.startswith("linkwork: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert (folder / "pendulum.yaml").read_text() == PENDULUM


@pytest.mark.parametrize(
    "arguments",
    [("simulate",), ("simulate", "a.yaml", "--dt", "x"), ("simulate", "pendulum.yaml", "--set", "dt"), ("plot",)],
)
def test_wrong_usage_is_exit_code_2(command, folder, arguments):
    code, _, errors = command(*arguments)
    assert code == 2
    assert "Usage" in errors


def test_diverged_motion_is_exit_code_3_and_keeps_the_recording(command, folder):
    code, output, errors = command("simulate", "pendulum.yaml", "--set", 'torques.bob="50 * v[bob] + 0.1"', "--json")
    assert code == 3
    assert "diverged at t = " in errors
    assert 0.0 < json.loads(output)["t"] < 0.5
    assert len(lw.Recording.load(folder / "pendulum.h5")) > 5


def test_expression_that_fails_on_the_way_keeps_the_recording(command, folder):
    code, output, errors = command("simulate", "pendulum.yaml", "--set", "torques.bob=sqrt(0.3 - t)")
    assert code == 1
    assert "it has no value at t = 0.30" in errors
    assert "pendulum.h5 (31 states)" in output
    assert lw.Recording.load(folder / "pendulum.h5").t[-1] == pytest.approx(0.3)


def test_run_that_cannot_begin_is_one_line(command, folder):
    (folder / "massless.yaml").write_text(
        "linkwork: 1\nbodies: [{name: ghost, joint: {type: Revolute, axis: y}}]\nsimulation: {until: 0.1}\n"
    )
    code, output, errors = command("simulate", folder / "massless.yaml", "--out", folder / "out.h5")
    assert (code, output) == (3, "")
    assert re.fullmatch(r"linkwork: at t = 0 s: joint 'ghost' has zero effective inertia: .*\n", errors)


def test_plot_of_a_recording(command, folder):
    command("simulate", "pendulum.yaml", "--plot", "none")
    code, output, _ = command("plot", "pendulum.h5")
    assert (code, output) == (0, "pendulum.png\n")
    code, output, _ = command(
        "plot", "pendulum.h5", "phase", "reactions", "--joints", "bob", "--from", 0.1, "--to", 0.3, "-o", "a.pdf"
    )
    assert (code, output) == (0, "a.pdf\n")
    code, output, _ = command("plot", "--list")
    assert code == 0
    assert "overview" in output
    assert "reactions" in output


def test_reactions_of_a_run_with_wrenches_hold_them(command, folder):
    loaded = "pendulum.yaml", "--set", "wrenches=[{body: bob, force: [0, 0, 3]}]"
    code, _, _ = command("simulate", *loaded, "--plot", "reactions")
    assert code == 0
    recording = lw.Recording.load("pendulum.h5")
    np.testing.assert_array_equal(recording.f_ext[:, 0, :3], np.tile([0.0, 0.0, 3.0], (len(recording), 1)))


def test_examples_are_listed_and_copied_out_whole(command, folder):
    code, output, _ = command("examples", "--json")
    assert code == 0
    listed = json.loads(output)["examples"]
    assert {"double-pendulum", "falling-chain", "robot-arm", "tumbling-box", "four-bar", "five-bar", "stewart"} <= set(
        listed
    )
    assert all(len(about) > 20 for about in listed.values())
    code, output, _ = command("examples", "robot-arm", "--to", "mine")
    assert code == 0
    assert output.split() == ["mine/robot-arm.yaml", "mine/robot-arm.urdf"]
    code, _, _ = command("simulate", "mine/robot-arm.yaml", "--until", 0.01, "--plot", "none")
    assert code == 0
    code, _, errors = command("examples", "robot-arm", "--to", "mine")
    assert code == 1
    assert "exists" in errors


def test_info_warns_of_hinges_that_are_parallel_but_for_rounding(command, tmp_path):
    linkage = lw.samples.four_bar()
    linkage.save(tmp_path / "exact.yaml")
    joint = linkage.joints[1]
    joint.at = joint.at @ lw.Pose.rpy(7e-8, 0.0, 0.0)
    linkage.save(tmp_path / "rounded.yaml")
    assert "may jam" not in command("info", tmp_path / "exact.yaml")[1]
    shown = " ".join(command("info", tmp_path / "rounded.yaml")[1].split())
    for words in ("may jam", "7.0e-08 rad from parallel", repr(joint.name)):
        assert words in shown


def test_info_of_a_closed_linkage_shows_its_mobility(command):
    code, output, _ = command("info", "four-bar")
    assert code == 0
    assert "1 loop: 1 degree of freedom is left, 3 constraints are redundant; rank 2" in output
    code, output, _ = command("info", "stewart", "--json")
    found = json.loads(output)
    assert found["mobility"] == {"dof": 6, "redundant": 0}
    assert len(found["loops"]) == 5
    assert found["constraints"]["rank"] == 15
    assert max(loop["gap"] for loop in found["loops"]) < 1e-9
    code, output, _ = command("info", "falling-chain")
    assert "and 940 more; --all lists them" in output


def test_info_says_what_will_give_trouble(command, tmp_path):
    """A gap, a loop that cannot close, a joint outside its limits, a body without mass."""
    bar = lw.Linkage(name="bar")
    bar.add_body("arm", lw.Inertia.rod(1.0, mass=1.0), joint=lw.Revolute("y", limits=(0.5, 1.0)))
    bar.connect("arm", "ground", lw.Spherical(), at_a=lw.Pose((0, 0, 1)), at_b=lw.Pose((0, 0, 3)), name="far")
    bar.save(tmp_path / "bar.yaml")
    code, output, _ = command("info", tmp_path / "bar.yaml")
    text = " ".join(output.split())
    assert code == 0
    assert "loop 'far' of linkage 'bar' cannot be closed" in text
    assert "a gap of 2 m" in text
    assert "start outside their limits: 'arm'" in text
    bar.cut("far")
    bar.add_body("flag", joint=lw.Revolute("z"), parent="arm")
    bar.save(tmp_path / "bar.yaml")
    text = " ".join(command("info", tmp_path / "bar.yaml")[1].split())
    assert "move no mass, their joints can have any acceleration: 'flag'" in text


def test_help_shows_examples_and_loads_no_heavy_package():
    program = """
import sys
from linkwork.cli import main
sys.argv = ["linkwork", "--help"]
try:
    main()
finally:
    print([name for name in ("numpy", "numba", "scipy", "matplotlib", "h5py", "lxml", "yaml") if name in sys.modules])
"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "linkwork simulate double-pendulum" in shown
    assert shown.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", ["info", "simulate", "plot", "examples", "bench"])
def test_help_of_each_command_has_an_example(command, name):
    code, output, _ = command(name, "--help")
    assert code == 0
    assert f"linkwork {name} " in output.split("For example")[1]


@pytest.fixture
def hasty(monkeypatch):
    """One round of `linkwork bench`, and two states in a batch."""
    from linkwork.cli import bench

    for name, value in {"ROUNDS": 1, "TURN": 0.0, "BATCH": 0.0}.items():
        monkeypatch.setattr(bench, name, value)


def methods(found):
    return {row["name"]: row for row in found["forward_dynamics"]}


def test_bench_times_every_method_and_shows_how_well_they_agree(command, hasty):
    code, output, _ = command("bench", "chain:3", "--json")
    assert code == 0
    found = json.loads(output)
    assert (found["dof"], found["auto"]) == (3, "aba")
    assert list(methods(found)) == ["aba", "crba", "unit-vector", "virtual-work", "dca"]
    assert [row["name"] for row in found["others"]] == ["inverse dynamics", "mass matrix", "simulation step"]
    for row in (*found["forward_dynamics"], *found["others"]):
        assert row["one_call"] > 0.0
        assert row["per_state_in_a_batch"] > 0.0
    assert methods(found)["aba"]["difference"] == 0.0
    assert 0.0 < methods(found)["crba"]["difference"] < 1e-12


def test_bench_says_what_auto_picks_and_why_a_method_does_not_apply(command, hasty):
    code, output, _ = command("bench", "four-bar")
    assert code == 0
    text = " ".join(output.replace("│", " ").split())
    assert re.search(r"virtual-work no inverse inertia: 'crank',", text)
    assert re.search(r'One call: [a-z-]+ is the fastest; method="auto" picks aba', text)
    assert "Compiling, at the first use of each, is not counted" in text
    _, output, _ = command("bench", "li-two-link", "--json")
    found = methods(json.loads(output))
    assert found["extended-newton-euler"]["one_call"] > 0.0
    assert "contacts" in found["dca"]["reason"]


def test_bench_leaves_out_what_takes_the_whole_mass_matrix_of_a_large_linkage(command, hasty, monkeypatch):
    monkeypatch.setattr("linkwork.cli.bench.LARGEST", 2)
    _, output, _ = command("bench", "chain:3", "--json")
    found = methods(json.loads(output))
    assert found["aba"]["reason"] is None
    assert "left out beyond 2 degrees of freedom" in found["crba"]["reason"]
    assert found["crba"]["one_call"] is None


def test_what_a_run_took_does_not_count_compiling(command, folder, monkeypatch):
    compiled = iter([0.0, 100.0, 0.0, 7.0])  # a hundred seconds are given back during the run
    monkeypatch.setattr("linkwork.cli.simulate.compile_seconds", lambda: next(compiled))
    code, output, _ = command("simulate", "pendulum.yaml", "--plot", "none")
    assert code == 0
    assert re.search(r"took +10\d\.\d\d s.*; besides, 7\.0 s to compile or load kernels", output)


def test_warning_is_one_line_without_a_place_in_the_code(command, tmp_path):
    path = tmp_path / "leaning.yaml"
    path.write_text("""
linkwork: 1
bodies:
- name: bob
  joint: {type: Revolute, axis: y, limits: [-1, 1]}
  inertia: {shape: point, mass: 1, com: [0, 0, -1]}
start: {q: {bob: 1.1}}
simulation: {until: 0.01}
""")
    code, _, errors = command("simulate", path, "--out", tmp_path / "leaning.h5", "--plot", "none")
    assert code == 0
    assert errors.startswith("linkwork: beyond their limits at the start: 'bob';")
    assert errors.count("\n") == 1
