"""Linkages to try things on: reference mechanisms and random ones, each a function that builds a new `Linkage`."""

from linkwork.samples.open import chain, random_tree, star, tree

__all__ = ["chain", "random_tree", "star", "tree"]
