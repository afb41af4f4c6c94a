"""Sphinx configuration: ``python -m sphinx --fail-on-warning docs docs/_build/html``."""

import importlib.metadata
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "linkwork"
author = "The linkwork developers"
copyright = "The linkwork developers"
release = importlib.metadata.version("linkwork")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/*.ipynb", "gallery/*.py", "gallery/*.md5"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

templates_path = ["_templates"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the NumPy docstrings say types, shapes and frames
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True  # attributes of a dataclass are described once
suppress_warnings = ["ref.python"]  # a shape such as (nv,) is not a reference
default_role = "code"

sphinx_gallery_conf = {
    "reset_modules": ("matplotlib", "gallery_support.prepare"),
    "image_scrapers": ("matplotlib", "gallery_support.saved_pictures"),
    "capture_repr": ("_repr_html_",),
    "default_thumb_file": str(Path(__file__).parent / "images" / "double-pendulum.png"),
    "within_subsection_order": "FileNameSortKey",
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/\d\d_",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
}

html_theme = "furo"
html_title = f"linkwork {release}"
html_copy_source = False


def write_pages(app, error):
    """Run the shipped examples, and write a page of each beside the documentation: viewing.md has them all."""
    if error is not None or app.builder.name != "html":
        return
    import linkwork as lw
    from linkwork import examples

    folder = Path(app.outdir) / "pages"
    folder.mkdir(exist_ok=True)
    for name in examples.names():
        scene = lw.load_scene(examples.files(name)[0])
        motion = scene.adaptive() if scene.is_adaptive else scene.simulation()
        motion.run(scene.run.until).save(folder / f"{name}.html")


def setup(app):
    """Write the pages once the rest is there."""
    app.connect("build-finished", write_pages)
