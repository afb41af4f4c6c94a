"""What the numbers mean that threads share.

A helper's mailbox: how far its job is (FLAG: one of EMPTY …), then the job: the address of its code, or 0 for a task in
Python, the address of its arguments, and the helper's slot, its number among those who work together.

A team's roster: the next state that nobody has taken, the number of states, the number that the size of every part is a
multiple of (GRAIN), how many helpers may take another part (ALLOWED, which new callers lower), how many were called,
and the addresses of their mailboxes.

What different threads write is in different cache lines.
"""

FLAG, JOB, ARGUMENTS, SLOT, MAILBOX_SIZE = 0, 8, 9, 10, 16
EMPTY, POSTED, TAKEN, DONE = range(4)
NEXT_STATE, COUNT, GRAIN, ALLOWED, CALLED, HELPERS = 0, 8, 9, 10, 11, 12
