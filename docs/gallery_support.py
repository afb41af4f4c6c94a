"""For the gallery: an example that linkwork warns fails, and pictures that it writes are shown."""

import shutil
import time
import warnings
from pathlib import Path

from sphinx_gallery.scrapers import figure_rst

import linkwork as lw

_shown = {}  # pictures of the present example, and when it began


def prepare(gallery_conf, name):
    """Called before each example."""
    warnings.filterwarnings("error", category=lw.LinkworkWarning)
    _shown.clear()
    _shown["since"] = time.time()


def saved_pictures(block, block_vars, gallery_conf):
    """Show what a block of an example has written, in the folder where it ran."""
    shown = []
    for path in sorted(Path(block_vars["src_file"]).parent.glob("*.*")):
        if path.suffix in (".png", ".gif") and path not in _shown and path.stat().st_mtime >= _shown["since"]:
            _shown[path] = Path(next(block_vars["image_path_iterator"])).with_suffix(path.suffix)
            shown.append(shutil.copy(path, _shown[path]))
    return figure_rst(shown, gallery_conf["src_dir"])
