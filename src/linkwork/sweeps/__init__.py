"""Sweeps: many runs of a scene or a function, on one machine or many, in one table."""
