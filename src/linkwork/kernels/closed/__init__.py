"""Closed linkages: loop joints and couplings, eliminated where they close."""
