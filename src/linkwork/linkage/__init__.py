"""Describing linkages: columns, handles, joint types, inertias, poses."""
