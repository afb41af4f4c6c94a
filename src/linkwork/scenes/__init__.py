"""Scenes: a linkage, how it starts, what acts on it and what happens, in one file."""
