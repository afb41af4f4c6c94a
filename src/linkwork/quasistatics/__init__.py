"""Adaptive quasi-statics of huge linkages."""
