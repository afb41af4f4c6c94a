"""Rows of strengths: one per joint, or point that is kept on a surface.

What it is (another number is no strength: modes are watched), its stage, loop or number, the greatest force and torque.
Time stepping takes points by the numbers of their pairs, and writes what they bear behind it, as a share of that.
"""

from linkwork.kernels.layout import LIMIT

TREE, LOOP, POINT = 0.0, 1.0, 2.0
S_KIND, S_WHERE, S_FORCE, S_TORQUE, S_SHARE = range(5)
BREAKS = LIMIT | (1 << 4)  # the status of a step of time stepping in which something would bear more than its strength
