"""Numba's front end as it is."""

from contextlib import nullcontext

hurried = nullcontext
