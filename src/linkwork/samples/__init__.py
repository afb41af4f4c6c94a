"""Linkages to try things on: reference mechanisms and random ones, each a function that builds a new `Linkage`."""

from linkwork.samples.closed import bricard, five_bar, four_bar, four_bars, random_closed, slider_crank, stewart
from linkwork.samples.open import chain, random_tree, star, tree

__all__ = [
    "bricard", "chain", "five_bar", "four_bar", "four_bars", "random_closed", "random_tree", "slider_crank", "star",
    "stewart", "tree",
]  # fmt: skip
