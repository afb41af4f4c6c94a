import re
import sys

import pytest

import linkwork as lw
from linkwork.cli import main


@pytest.fixture
def command(monkeypatch, capsys):
    """Run `linkwork` with these arguments; return its exit code, its output and its errors."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["linkwork", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
        code = exit_.value.code
        output, errors = capsys.readouterr()
        # Given a message, sys.exit leaves it to the interpreter to print it and to exit with 1.
        return (1, output, code) if isinstance(code, str) else (code, output, errors)

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


def test_unknown_command_is_refused(command):
    code, _, errors = command("infoo")
    assert code == 2
    assert "infoo" in errors


@pytest.mark.slow
def test_warmup_compiles_every_method(command):
    code, output, _ = command("warmup")
    assert code == 0
    for method in ("aba", "crba", "unit-vector"):
        assert f"forward dynamics, {method}:" in output
