"""The code in the documentation runs, the blocks of a page one after the other; its links lead somewhere."""

import re
from pathlib import Path

import pytest

import linkwork as lw

DOCS = Path(__file__).parents[2] / "docs"
FILES = sorted([*DOCS.glob("*.md"), *DOCS.glob("tutorial/*.md")])
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in FILES}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if blocks(text, "python")])
def test_code_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    if page == "scenes":  # the file that the page shows
        Path("my.yaml").write_text(blocks(PAGES[page], "yaml")[0], encoding="utf-8")
    if page == "files":  # files of your own
        for suffix in ("urdf", "sdf", "yaml"):
            lw.samples.chain(3).save(f"robot.{suffix}")
        Path("robot.xml").write_text("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
        Path("walk.bvh").write_text((DOCS.parent / "examples" / "motions" / "walk.bvh").read_text())
    names = {"__name__": page}
    for number, code in enumerate(blocks(PAGES[page], "python")):
        exec(compile(code, f"{page}.md, block {number}", "exec"), names)
    drawn = re.findall(r"\]\(\.\./images/(tutorial-\S+)\)", PAGES[page])
    assert [name for name in drawn if not Path(name).is_file()] == [], "the page shows what its code draws"


def test_relative_links_lead_somewhere():
    """Read as files, without Sphinx, as on a code host."""
    lost = []
    for page in (*FILES, *DOCS.glob("decisions/*.md")):
        links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
        lost += [(page.name, link) for link in links if not (page.parent / link).exists()]
    assert lost == []


def test_the_reference_has_every_public_name():
    listed = re.findall(r"^   linkwork\.(\w+)$", PAGES["reference"], re.MULTILINE)
    assert sorted(listed) == sorted(set(lw.__all__) - {"__version__"})
