"""Linkages to try things on: reference mechanisms and random ones, each a function that builds a new `Linkage`."""

from linkwork.samples.huge import bicycle_chain, millipede, molecule
from linkwork.samples.open import chain, random_tree, star, tree

__all__ = ["bicycle_chain", "chain", "millipede", "molecule", "random_tree", "star", "tree"]
