"""Soft spheres: atoms that overlap push each other apart, E = ½ k s², s the depth of the overlap.

Atoms come into a cell list one after the other, and each meets those that are there already in the 27 cells about its
own. Cells are found by hashing their three integers, so that nothing depends on how far the molecule reaches.
"""

import math

from linkwork.kernels.numba_ext import helper

ENERGY, VIRIAL, CLASHES, DEEPEST = range(4)  # of `totals`
_P1, _P2, _P3 = 73856093, 19349663, 83492791  # large primes, which spread neighbouring cells


@helper
def bucket(a, b, c, mask):
    return ((a * _P1) ^ (b * _P2) ^ (c * _P3)) & mask


@helper
def excluded(first, partner, i, j):
    """Whether atoms i and j are too near along bonds to touch; `partner` lists those of i from first[i] on."""
    for k in range(first[i], first[i + 1]):  # noqa: SIM110
        if partner[k] == j:
            return True
    return False


@helper
def soft_spheres(positions, radii, body, numbers, first, partner, heads, links, forces, totals, pairs):
    """Forces (n × 3), energy, virial Σ f·r, number of clashes and the deepest; returns how many pairs there are.

    Atoms of one body do not touch. `numbers` holds the stiffness and the size of a cell, at least the largest diameter.
    `heads` (a power of two) and `links` (n × 4) are scratch. `pairs` (m × 3) takes atoms and overlap of the first m.
    """
    n, mask = radii.shape[0], heads.shape[0] - 1
    stiffness, size = numbers[0], numbers[1]
    for b in range(heads.shape[0]):
        heads[b] = -1
    for k in range(3 * n):
        forces[k] = 0.0
    energy, virial, deepest, found = 0.0, 0.0, 0.0, 0
    for i in range(n):
        x, y, z = positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]
        a, b, c = math.floor(x / size), math.floor(y / size), math.floor(z / size)
        for near in range(27):
            ca, cb, cc = a + near // 9 - 1, b + near // 3 % 3 - 1, c + near % 3 - 1
            j = heads[bucket(ca, cb, cc, mask)]
            while j >= 0:
                # other cells may share the bucket
                if links[4 * j + 1] == ca and links[4 * j + 2] == cb and links[4 * j + 3] == cc:
                    dx, dy, dz = x - positions[3 * j], y - positions[3 * j + 1], z - positions[3 * j + 2]
                    touch = radii[i] + radii[j]
                    square = dx * dx + dy * dy + dz * dz
                    apart = body[i] != body[j] and square > 0.0
                    if square < touch * touch and apart and not excluded(first, partner, i, j):
                        distance = math.sqrt(square)
                        depth = touch - distance
                        push = stiffness * depth / distance
                        energy += 0.5 * stiffness * depth * depth
                        virial += push * square
                        deepest = max(deepest, depth)
                        forces[3 * i] += push * dx
                        forces[3 * i + 1] += push * dy
                        forces[3 * i + 2] += push * dz
                        forces[3 * j] -= push * dx
                        forces[3 * j + 1] -= push * dy
                        forces[3 * j + 2] -= push * dz
                        if found < pairs.shape[0] // 3:
                            pairs[3 * found], pairs[3 * found + 1], pairs[3 * found + 2] = i, j, depth
                        found += 1
                j = links[4 * j]
        place = bucket(a, b, c, mask)
        links[4 * i], links[4 * i + 1], links[4 * i + 2], links[4 * i + 3] = heads[place], a, b, c
        heads[place] = i
    totals[ENERGY], totals[VIRIAL], totals[CLASHES], totals[DEEPEST] = energy, virial, found, deepest
    return found
