"""Algorithms on trees: kinematics, RNEA, CRBA, LTDL, ABA, the unit-vector method, energy."""
