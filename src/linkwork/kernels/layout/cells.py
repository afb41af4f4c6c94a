"""Cells that threads share: what their numbers mean.

Of a helper: how it stands with its job (POST: one of NOTHING …), then the job: the address of its code, or 0 for a task
in Python, the place of its arguments, and the helper's slot, its number among those who work together.

Of a team: the next state that nobody has taken (TICKET), how many there are, of which number a part of them is a
multiple (BLOCK), how many helpers may go on (MAY, which new callers lower), how many were called, and the addresses of
their cells.

What different threads write has cache lines of its own.
"""

POST, JOB, PLACE, SLOT, HELPER_CELLS = 0, 8, 9, 10, 16
NOTHING, POSTED, TAKEN, DONE = range(4)
TICKET, COUNT, BLOCK, MAY, CALLED, HELPERS = 0, 8, 9, 10, 11, 12
