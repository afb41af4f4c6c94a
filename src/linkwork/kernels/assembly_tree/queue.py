"""A queue that gives the node with the largest key first: a binary heap in the arrays of a `Descent`.

Beside it there is a stack, which grows from the end of the same arrays. A node is in one of them at most, so that there
is room for both.
"""

from linkwork.kernels.layout.adaptive import QUEUED, STACKED
from linkwork.kernels.numba_ext import helper


@helper
def push(keys, queue, count, key, node):
    """Put a node in the queue."""
    k = count[QUEUED]
    count[QUEUED] += 1
    while k > 0:
        above = (k - 1) // 2
        if keys[above] >= key:
            break
        keys[k], queue[k] = keys[above], queue[above]
        k = above
    keys[k], queue[k] = key, node


@helper
def pop(keys, queue, count):
    """Take the first node from the queue."""
    node = queue[0]
    count[QUEUED] -= 1
    n = count[QUEUED]
    key, last = keys[n], queue[n]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= n:
            break
        if child + 1 < n and keys[child + 1] > keys[child]:
            child += 1
        if key >= keys[child]:
            break
        keys[k], queue[k] = keys[child], queue[child]
        k = child
    keys[k], queue[k] = key, last
    return node


@helper
def stack(keys, queue, count, key, node):
    """Put a node on the stack."""
    count[STACKED] += 1
    k = keys.shape[0] - count[STACKED]
    keys[k], queue[k] = key, node


@helper
def unstack(keys, queue, count):
    """Take the node that was put on the stack last, and its key."""
    k = keys.shape[0] - count[STACKED]
    count[STACKED] -= 1
    return queue[k], keys[k]
