"""Divide and conquer and adaptive quasi-statics on the assembly tree [Redon2005]."""
