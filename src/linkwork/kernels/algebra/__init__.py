"""Spatial algebra on named tuples of scalars: one source for a float and for a pack of states."""
