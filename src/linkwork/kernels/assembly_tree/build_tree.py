"""The assembly tree: how a linkage is put together from its bodies, two parts at a time, in few levels.

A node of the tree is an articulated body. A *leaf* is a rigid body; a *join* hangs one part (right) on another (left)
by a joint, its principal joint; a *hang* is a part with its joint, not yet on anything; a *sum* is two parts that hang
on the same body. The ground carries every root; it is no node.

The tree's edges are divided into heavy paths: from each body the path goes on to the child that carries most. What
hangs on a body beside the path is joined to it first, one by one or, where there are many, summed in a balanced way.
Each path is then combined by a binary tree balanced by weight, the weight of a body being 2^height of what it carries
already. So the height is O(log N) and a node has at most two handles, the top body and the bottom body of a stretch of
path, whatever the branching.

A body whose own inertia cannot take up the force of its joint (a massless one, the middle of a universal joint) is
joined to the next body of its path before anything else is done.

References: [Redon2005] sections 3.1 and 5.1.
"""

from linkwork.kernels.layout.nodes import (
    ABOVE,
    BUILD_LEVELS,
    FIRST,
    HANG,
    HEIGHT,
    JOIN,
    KIND,
    LEAF,
    LEFT,
    NODE_ROW,
    OPEN,
    RIGHT,
    RIGID,
    STAGE,
    SUM,
)
from linkwork.kernels.numba_ext import helper

_ITEMS, _PARTS, _TALLY, _QUEUE = range(8, 12)  # rows of the room that `carry` works in


@helper
def new_node(nodes, count, kind, left, right, stage, rigid, opened):
    """Write row `count`: its children, its principal joint, and whether it is one body and has a bottom handle."""
    height = 0
    if left >= 0:
        height = nodes[left, HEIGHT] + 1
    if right >= 0:
        height = max(height, nodes[right, HEIGHT] + 1)
    row = nodes[count]
    row[LEFT], row[RIGHT], row[KIND], row[STAGE] = left, right, kind, stage
    row[RIGID], row[OPEN], row[HEIGHT], row[ABOVE] = rigid, opened, height, -1
    return count


@helper
def heavy_children(parent, heavy, size):
    """The child of each stage that carries most, −1 where there is none."""
    n = parent.shape[0]
    for i in range(n):
        heavy[i], size[i] = -1, 1
    for i in range(n - 1, -1, -1):
        p = parent[i]
        if p >= 0:
            size[p] += size[i]
            if heavy[p] < 0 or size[i] >= size[heavy[p]]:
                heavy[p] = i


@helper
def first_part(nodes, queue, part, parts, made, end):
    """Whether the next of the parts comes before the next of the sums, which begin at `made`: the lower one does."""
    return made == end or (part < parts and nodes[queue[made], HEIGHT] >= nodes[queue[part], HEIGHT])


@helper
def balanced_sum(nodes, count, items, k, tally, queue):
    """Sum the k parts `items`, those of least height first; the last node and their number.

    `queue` receives the parts by height, then the sums as they are made.
    """
    for h in range(BUILD_LEVELS + 1):
        tally[h] = 0
    for j in range(k):
        tally[nodes[items[j], HEIGHT] + 1] += 1
    for h in range(BUILD_LEVELS):
        tally[h + 1] += tally[h]
    for j in range(k):
        h = nodes[items[j], HEIGHT]
        queue[tally[h]] = items[j]
        tally[h] += 1
    part, made, end = 0, k, k
    for _ in range(k - 1):
        left = right = -1
        for _ in range(2):
            left = right
            if first_part(nodes, queue, part, k, made, end):
                right = queue[part]
                part += 1
            else:
                right = queue[made]
                made += 1
        queue[end] = new_node(nodes, count, SUM, left, right, -1, 1, 0)
        end += 1
        count += 1
    return queue[end - 1], count


@helper
def carry(nodes, count, i, opened, first, after, closed, room):
    """Body i (−1 for the ground) with all that hangs on it beside the path; the node, and their number."""
    items, parts, tally, queue = room[_ITEMS], room[_PARTS], room[_TALLY], room[_QUEUE]
    c, k = first[i], 0
    while c >= 0:
        items[k] = c
        k += 1
        c = after[c]
    node = -1
    if i >= 0:
        node = new_node(nodes, count, LEAF, -1, -1, i, 1, opened)
        count += 1
        if k <= 2:
            if k == 2 and nodes[closed[items[0]], HEIGHT] > nodes[closed[items[1]], HEIGHT]:
                items[0], items[1] = items[1], items[0]
            for j in range(k):
                node = new_node(nodes, count, JOIN, node, closed[items[j]], items[j], 1, opened)
                count += 1
            return node, count
    for j in range(k):
        parts[j] = new_node(nodes, count, HANG, -1, closed[items[j]], items[j], 1, 0)
        count += 1
    if node >= 0:
        parts[k] = node
        k += 1
    node, count = balanced_sum(nodes, count, parts, k, tally, queue)
    nodes[node, OPEN] = opened
    return node, count


@helper
def half(total, low, high, tops, hint):
    """Where a path is best cut in two: where it was before, if that is no more than three to one, else in the middle.

    `total` are its cumulated weights; `hint` is the height that the joint above each body had in an earlier tree.
    """
    best, kept = 0, low
    for m in range(low + 1, high):
        if hint[tops[m]] > best:
            best, kept = hint[tops[m]], m
    if best > 0:
        share = (total[kept] - total[low]) / (total[high] - total[low])
        if 0.25 <= share <= 0.75:
            return kept
    target = 0.5 * (total[low] + total[high])
    a, b = low + 1, high - 1
    while a < b:
        m = (a + b) // 2
        if total[m] < target:
            a = m + 1
        else:
            b = m
    if a > low + 1 and target - total[a - 1] < total[a] - target:
        a -= 1
    return a


@helper
def begin(stack, level, low, high):
    """Put parts low … high − 1 of a path on the stack: not yet cut, and nothing known of their halves."""
    at = 4 * level
    stack[at], stack[at + 1], stack[at + 2], stack[at + 3] = low, high, -1, -1


@helper
def combine_path(nodes, count, parts, tops, k, total, stack, hint):
    """Join parts 0 … k − 1 of a path (tops: their uppermost bodies) by a tree balanced by weight."""
    total[0] = 0.0
    for j in range(k):
        total[j + 1] = total[j] + 2.0 ** nodes[parts[j], HEIGHT]
    level, result = 0, parts[0]
    begin(stack, 0, 0, k)
    while level >= 0:
        at = 4 * level
        low, high, middle, left = stack[at], stack[at + 1], stack[at + 2], stack[at + 3]
        if high - low == 1:
            result = parts[low]
            level -= 1
        elif middle < 0:
            middle = half(total, low, high, tops, hint)
            stack[at + 2] = middle
            level += 1
            begin(stack, level, low, middle)
        elif left < 0:
            stack[at + 3] = result
            level += 1
            begin(stack, level, middle, high)
        else:
            result = new_node(nodes, count, JOIN, left, result, tops[middle], 0, nodes[result, OPEN])
            count += 1
            level -= 1
    return result, count


@helper
def close_path(nodes, count, i, heavy, weak, vertex, parts, tops, total, stack, hint):
    """The path that starts at body i as one node: weak bodies first with the next one, then all in balance."""
    k = 0
    b = i
    while b >= 0:
        tops[k] = b
        k += 1
        b = heavy[b]
    # from the end of the path up: a weak body (not the first, whose joint sees the whole path) takes the part below
    end = k
    for j in range(k - 1, -1, -1):
        node, b = vertex[tops[j]], tops[j]
        if j > 0 and weak[b] and end < k:
            node = new_node(nodes, count, JOIN, node, parts[end], tops[end], 0, nodes[parts[end], OPEN])
            count += 1
            end += 1
        end -= 1
        parts[end] = node
        tops[end] = b
    m = k - end
    for j in range(m):
        parts[j] = parts[end + j]
        tops[j] = tops[end + j]
    return combine_path(nodes, count, parts, tops, m, total, stack, hint)


@helper
def in_post_order(nodes, count, root, room, out):
    """Copy the nodes below `root` to `out` in post-order, with what each hangs on and the start of its subtree.

    `room` has two rows at least, for more than `count` numbers each.
    """
    place, stack = room[0], room[1]
    level, done = 0, 0
    stack[0] = root
    for node in range(count):
        place[node] = -1  # not seen
    while level >= 0:
        node = stack[level]
        left, right = nodes[node, LEFT], nodes[node, RIGHT]
        if place[node] < 0:
            place[node] = 0
            if right >= 0:
                level += 1
                stack[level] = right
            if left >= 0:
                level += 1
                stack[level] = left
            continue
        level -= 1
        row = out[done]
        for column in range(NODE_ROW):
            row[column] = nodes[node, column]
        row[FIRST] = done
        if right >= 0:
            row[RIGHT] = place[right]
            out[place[right], ABOVE] = done
            row[FIRST] = out[place[right], FIRST]
        if left >= 0:
            row[LEFT] = place[left]
            out[place[left], ABOVE] = done
            row[FIRST] = out[place[left], FIRST]
        place[node] = done
        done += 1
    return done


@helper
def build(parent, weak, hint, nodes, room, total, out):
    """Write the assembly tree of stages with these parents (parent[i] < i) to `out`; the number of its nodes.

    `hint` is the height that the joint above each stage has in an earlier tree, 0 where there is none: the new tree
    keeps as much of that one as balance allows. `nodes`, `room` (BUILD_ROOM rows) and `total` are scratch.
    """
    n = parent.shape[0]
    heavy, size, first, after, vertex, closed = room[0], room[1], room[2][: n + 1], room[3], room[4], room[5]
    parts, tops, stack = size, room[6], room[7]  # sizes have served by then
    heavy_children(parent, heavy, size)
    for i in range(n + 1):
        first[i] = -1  # light children; the last entry is the ground's
    for i in range(n - 1, -1, -1):
        p = parent[i]
        if p < 0 or heavy[p] != i:
            after[i] = first[p]
            first[p] = i
    count = 0
    for i in range(n - 1, -1, -1):
        vertex[i], count = carry(nodes, count, i, 1 if heavy[i] >= 0 else 0, first, after, closed, room)
        if parent[i] < 0 or heavy[parent[i]] != i:
            closed[i], count = close_path(nodes, count, i, heavy, weak, vertex, parts, tops, total, stack, hint)
    root, count = carry(nodes, count, -1, 0, first, after, closed, room)
    return in_post_order(nodes, count, root, room, out)
