"""Linkages to try things on: reference mechanisms and random ones, each a function that builds a new `Linkage`."""

from linkwork.samples.closed import bricard, five_bar, four_bar, four_bars, random_closed, slider_crank, stewart
from linkwork.samples.gait import gait
from linkwork.samples.huge import bicycle_chain, millipede, molecule
from linkwork.samples.human import human
from linkwork.samples.open import chain, random_tree, star, tree
from linkwork.samples.playground import high_bar, swing
from linkwork.samples.standing import crouch, on_mat
from linkwork.samples.touching import box_on_belt, cup_in_hand, dominoes, pile, rimless_wheel
from linkwork.samples.walking import Walker

__all__ = [
    "Walker", "bicycle_chain", "box_on_belt", "bricard", "chain", "crouch", "cup_in_hand", "dominoes", "five_bar",
    "four_bar", "four_bars", "gait", "high_bar", "human", "millipede", "molecule", "on_mat", "pile", "random_closed",
    "random_tree", "rimless_wheel", "slider_crank", "star", "stewart", "swing", "tree",
]  # fmt: skip
