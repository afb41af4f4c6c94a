"""Contacts that feel each other: a contact problem falls into parts that do not, each of them solved by itself.

Two contacts feel each other where their block of G is not zero. The contacts of a part are put in an order in which
those that feel each other are near, so that its G is zero outside a band [Cuthill1969].
"""

from linkwork.kernels.contact.alart_curnier import FROM, ISLANDS, LINES, RHO, TO, VELOCITY
from linkwork.kernels.numba_ext import helper

# Rows of the scratch space: contacts in order, whether they are in it, then of one part and, behind, of all contacts
ORDER, SEEN, PART_G, PART_MU, PART_KIND, PART_FORCE, ALL_VELOCITY, ALL_RHO = range(ISLANDS, LINES)
_WHOLE = 8  # contacts up to which an order does not matter


@helper
def coupled(G, a, b):
    """Whether contacts a and b feel each other."""
    for i in range(3 * a, 3 * a + 3):
        for j in range(3 * b, 3 * b + 3):
            if G[i, j] != 0.0:
                return True
    return False


@helper
def spread(n, G, scratch, start, mark):
    """Put all contacts that contact order[start] feels, over others too, behind it, the nearest first: their end."""
    order, seen = scratch[ORDER], scratch[SEEN]
    seen[int(order[start])] = mark
    head, end = start, start + 1
    while head < end and end < n:
        a = int(order[head])
        for b in range(n):
            if seen[b] < mark and coupled(G, a, b):
                order[end], seen[b] = b, mark
                end += 1
        head += 1
    return end


@helper
def next_island(n, G, scratch, start):
    """The part of the first contact that is in none yet, in order[start … end − 1]: its end."""
    order, seen = scratch[ORDER], scratch[SEEN]
    first = 0
    while seen[first] > 0.0:
        first += 1
    order[start] = first
    end = spread(n, G, scratch, start, 1.0)
    if end - start > _WHOLE:  # from one of its ends, as the last one is
        order[start] = order[end - 1]
        end = spread(n, G, scratch, start, 2.0)
    return end


@helper
def take(G, g, mu, kind, impulses, scratch, start, end, own):
    """Copy one part of the problem to the scratch space, with its band, and its G to `own`."""
    order = scratch[ORDER]
    m, reach, first = end - start, 0, 0
    for a in range(m):
        k = int(order[start + a])
        scratch[PART_MU, a], scratch[PART_KIND, a] = mu[k], kind[k]
        for c in range(3):
            scratch[PART_G, 3 * a + c], scratch[PART_FORCE, 3 * a + c] = g[3 * k + c], impulses[3 * k + c]
        reach = max(reach, a + 1)
        for b in range(m):
            j = 3 * int(order[start + b])
            for c in range(3):
                own[3 * a + c, 3 * b], own[3 * a + c, 3 * b + 1] = G[3 * k + c, j], G[3 * k + c, j + 1]
                own[3 * a + c, 3 * b + 2] = G[3 * k + c, j + 2]
            if b >= reach and coupled(own, a, b):
                reach = b + 1
        for c in range(3):
            scratch[TO, 3 * a + c] = 3 * reach
    for a in range(m):
        while scratch[TO, 3 * first] <= 3 * a:
            first += 1
        for c in range(3):
            scratch[FROM, 3 * a + c] = 3 * first


@helper
def give(impulses, scratch, start, end):
    """Copy forces and velocities of one part to where those of all contacts are."""
    for a in range(end - start):
        k = int(scratch[ORDER, start + a])
        scratch[ALL_RHO, k] = scratch[RHO, a]
        for c in range(3):
            impulses[3 * k + c] = scratch[PART_FORCE, 3 * a + c]
            scratch[ALL_VELOCITY, 3 * k + c] = scratch[VELOCITY, 3 * a + c]
