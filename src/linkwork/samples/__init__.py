"""Linkages to try things on: reference mechanisms and random ones, each a function that builds a new `Linkage`."""

from linkwork.samples.closed import bricard, five_bar, four_bar, four_bars, random_closed, slider_crank, stewart
from linkwork.samples.huge import bicycle_chain, millipede, molecule
from linkwork.samples.human import human
from linkwork.samples.open import chain, random_tree, star, tree
from linkwork.samples.playground import high_bar, swing
from linkwork.samples.walking import Walker

__all__ = [
    "Walker", "bicycle_chain", "bricard", "chain", "five_bar", "four_bar", "four_bars", "high_bar", "human",
    "millipede", "molecule", "random_closed", "random_tree", "slider_crank", "star", "stewart", "swing", "tree",
]  # fmt: skip
