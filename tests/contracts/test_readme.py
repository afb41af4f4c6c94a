"""What the README says is true."""

import re
import tomllib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_there_are_two_commands_and_ci_runs_the_second():
    _, test_command = [block.strip() for block in blocks("bash")]
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert test_command in ci


def test_first_lines_of_code_do_what_they_say():
    (code,) = blocks("python")
    names = {}
    exec(code, names)
    np.testing.assert_allclose(names["tau"], [0.5, 0.0], atol=1e-12)


def test_relative_links_lead_somewhere():
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_on_a_package_index_no_link_is_dead():
    page = README
    hook = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["metadata"]["hooks"]
    for each in hook["fancy-pypi-readme"]["substitutions"]:
        page = re.sub(each["pattern"], each["replacement"], page)
    assert re.findall(r"\]\((?!https?:)", page) == []
    assert "Tutorial (`docs/tutorial/index.md`)" in page
    assert "## Test it" in page
    assert "Thirty scripts" in page
