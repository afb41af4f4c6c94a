"""Many contacts seen from the columns of Z, the square root of G = Z Zᵀ of a linkage without loops: see `delassus`.

Forces λ act by w = Zᵀ λ alone, and u = Z w + g. A contact has entries in the columns of its bodies and their ancestors
only, so that the matrices 1 + Zᵀ B Z of the methods in `many`, with B a block for each contact, are sparse. Groups of
columns that a contact joins are put near each other [Cuthill1969]: the matrix is zero outside a band.

``spans`` (n, 6) are the two ranges of columns of each contact, and what is added to a column to find its place in the
band; ``to`` (m) where each row of the band ends; ``lines`` is scratch (COLUMN_LINES, columns).
"""

from linkwork.kernels.contact.delassus import spans_of
from linkwork.kernels.layout import N_V
from linkwork.kernels.numba_ext import helper

LOW, HIGH, SHIFT, LOW2, HIGH2, SHIFT2 = range(6)
GROUP, FIRST, ORDER, SEEN, TO, W, STEP, TRIAL, RIGHT, AIM, PIVOTS = range(11)  # lines with an entry for each column
COLUMN_LINES = 11


@helper
def group_columns(index, n, stages, spans, lines):
    """Ranges of columns of the contacts, and the groups that overlapping ones make: how many groups there are."""
    nv, group, first = index[N_V], lines[GROUP], lines[FIRST]
    for c in range(nv):
        group[c] = 0.0
    for k in range(n):
        spans[k, LOW], spans[k, HIGH], spans[k, LOW2], spans[k, HIGH2] = spans_of(index, stages[k])
        for side in (LOW, LOW2):
            low, high = spans[k, side], spans[k, side + 1]
            if low < high and group[low] == 0.0:
                group[low] = 1.0
            for c in range(low + 1, high):
                group[c] = 2.0  # with the column before it
    count = 0
    for c in range(nv):
        if group[c] == 1.0:
            first[count] = c
            count += 1
        group[c] = count - 1 if group[c] > 0.0 else -1.0
    return count


@helper
def reach_groups(n, spans, lines, start, mark):
    """Put all groups that group order[start] is joined with, over others too, behind it, the nearest first."""
    group, order, seen = lines[GROUP], lines[ORDER], lines[SEEN]
    seen[int(order[start])] = mark
    head, end = start, start + 1
    while head < end:
        a = order[head]
        for k in range(n):
            if spans[k, LOW2] < spans[k, HIGH2] and spans[k, LOW] < spans[k, HIGH]:
                one, other = group[spans[k, LOW]], group[spans[k, LOW2]]
                if other == a:
                    one, other = other, one
                if one == a and seen[int(other)] < mark:
                    seen[int(other)], order[end] = mark, other
                    end += 1
        head += 1
    return end


@helper
def arrange(index, n, stages, spans, lines):
    """Order the columns that contacts act on: `spans` and `to`; how many columns there are."""
    nv, group, first, order, seen, to = index[N_V], lines[GROUP], lines[FIRST], lines[ORDER], lines[SEEN], lines[TO]
    count = group_columns(index, n, stages, spans, lines)
    for a in range(count):
        seen[a] = 0.0
    start = 0
    while start < count:
        a = 0
        while seen[a] > 0.0:
            a += 1
        order[start] = a
        end = reach_groups(n, spans, lines, start, 1.0)
        order[start] = order[end - 1]  # from one of its ends, as the last one is
        start = reach_groups(n, spans, lines, start, 2.0)
    m, place = 0, seen
    for p in range(count):
        a = int(order[p])
        place[a] = m
        c = int(first[a])
        while c < nv and group[c] == a:
            to[m] = m + 1
            m, c = m + 1, c + 1
    for k in range(n):
        furthest = 0
        for side in (LOW, LOW2):
            if spans[k, side] < spans[k, side + 1]:
                a = int(group[spans[k, side]])
                spans[k, side + 2] = int(place[a]) - int(first[a])
                furthest = max(furthest, spans[k, side + 1] + spans[k, side + 2])
        for side in (LOW, LOW2):
            for c in range(spans[k, side], spans[k, side + 1]):
                at = c + spans[k, side + 2]
                to[at] = max(to[at], furthest)
    for i in range(1, m):
        to[i] = max(to[i], to[i - 1])
    return m


@helper
def forward(n, spans, Z, x, out):
    """out (3n) = Z x."""
    for k in range(n):
        for i in range(3 * k, 3 * k + 3):
            total = 0.0
            for c in range(spans[k, LOW], spans[k, HIGH]):
                total += Z[i, c] * x[c]
            for c in range(spans[k, LOW2], spans[k, HIGH2]):
                total += Z[i, c] * x[c]
            out[i] = total


@helper
def back(nv, n, spans, Z, x, out):
    """out (nv) = Zᵀ x."""
    for c in range(nv):
        out[c] = 0.0
    for k in range(n):
        for i in range(3 * k, 3 * k + 3):
            f = x[i]
            if f != 0.0:
                for c in range(spans[k, LOW], spans[k, HIGH]):
                    out[c] += Z[i, c] * f
                for c in range(spans[k, LOW2], spans[k, HIGH2]):
                    out[c] += Z[i, c] * f


@helper
def clear(m, to, diagonal, wide, A):
    """A = a diagonal matrix, zero in its band, and where exchanged rows may reach if that is `wide`."""
    first = 0
    for i in range(m):
        while to[first] <= i:
            first += 1
        for j in range(first, int(to[int(to[i]) - 1]) if wide else int(to[i])):
            A[i, j] = 0.0
        A[i, i] = diagonal


@helper
def add_block(spans, k, Z, B, A):
    """Add Zᵀ B Z of contact k, B the nine entries of its block, row by row."""
    i = 3 * k
    for side in (LOW, LOW2):
        for b in range(spans[k, side], spans[k, side + 1]):
            z0, z1, z2 = Z[i, b], Z[i + 1, b], Z[i + 2, b]
            x0 = z0 * B[0] + z1 * B[3] + z2 * B[6]
            x1 = z0 * B[1] + z1 * B[4] + z2 * B[7]
            x2 = z0 * B[2] + z1 * B[5] + z2 * B[8]
            row = A[b + spans[k, side + 2]]
            for other in (LOW, LOW2):
                shift = spans[k, other + 2]
                for c in range(spans[k, other], spans[k, other + 1]):
                    row[c + shift] += x0 * Z[i, c] + x1 * Z[i + 1, c] + x2 * Z[i + 2, c]


@helper
def permute(n, spans, x, out):
    """Entries of x, one for each column, to their places in the band."""
    for k in range(n):
        for side in (LOW, LOW2):
            for c in range(spans[k, side], spans[k, side + 1]):
                out[c + spans[k, side + 2]] = x[c]


@helper
def unpermute(n, spans, x, out):
    """And back."""
    for k in range(n):
        for side in (LOW, LOW2):
            for c in range(spans[k, side], spans[k, side + 1]):
                out[c] = x[c + spans[k, side + 2]]
