"""For the gallery: an example that linkwork warns fails."""

import warnings

import linkwork as lw


def prepare(gallery_conf, name):
    """Called before each example."""
    warnings.filterwarnings("error", category=lw.LinkworkWarning)
