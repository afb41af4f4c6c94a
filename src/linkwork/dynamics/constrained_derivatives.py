"""Derivatives of forward dynamics with loops or points on surfaces, of a user's arrays: shapes, batches and errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from linkwork.dynamics.closed_derivatives import (
    closed_forward_derivatives,
    closed_matrices,
    closed_products,
)
from linkwork.dynamics.contact_derivatives import contact_products
from linkwork.dynamics.methods import with_contacts
from linkwork.dynamics.problem import pose_problem
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import apart, leading_shape, output, place_in_batch, rows_of

Three = tuple[np.ndarray, np.ndarray, np.ndarray]


def constrained_derivatives(linkage: Linkage, q, v, tau, f_ext, given: Sequence[np.ndarray | None]) -> Three:
    """`forward_dynamics_derivatives` with loops, or with points on surfaces, those state by state, into `given`."""
    asked = pose_problem(linkage, q, v, tau, f_ext)
    width = linkage.nv if tau is None else np.shape(tau)[-1]
    nv, leading = linkage.nv, asked.a.shape[:-1]
    shapes = [(*leading, nv, n) for n in (nv, nv, width)]
    results = [output("forward_dynamics_derivatives", x, shape) for x, shape in zip(given, shapes, strict=True)]
    q, v, tau, wrench = apart(results, asked.q, asked.v, asked.tau, asked.wrench)
    asked = asked._replace(q=q, v=v, tau=tau, wrench=wrench)
    if not linkage._contacts.records:
        closed_matrices(asked, tuple([matrix.reshape(-1, nv * matrix.shape[-1]) for matrix in results]))
        return results[0], results[1], results[2]
    rows = asked.rows()
    flat = [matrix.reshape(-1, nv, matrix.shape[-1]) for matrix in results]
    for k in range(len(flat[0])):
        try:
            parts = closed_forward_derivatives(asked.state(k, rows)._replace(details=True))
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
        for matrix, part in zip(flat, parts[:3], strict=True):
            matrix[k] = part[:, : matrix.shape[-1]]
    return results[0], results[1], results[2]


def closed_vjp(linkage: Linkage, q, v, tau, a_bar: np.ndarray, f_ext) -> Three:
    """`forward_dynamics_vjp` with loops."""
    asked = pose_problem(linkage, q, v, tau, f_ext)
    width = linkage.nv if tau is None else np.shape(tau)[-1]
    leading, nv = leading_shape(asked.a, a_bar), linkage.nv
    asked, count = asked._replace(a=np.empty((*leading, nv))), math.prod(leading)
    results = np.empty((count, nv)), np.empty((count, nv)), np.empty((count, asked.tau.shape[-1]))
    closed_products(asked, rows_of(a_bar, leading, count), results)
    q_bar, v_bar, tau_bar = (result.reshape(*leading, result.shape[-1]) for result in results)
    return q_bar, v_bar, tau_bar[..., :width]


def contact_vjp(linkage: Linkage, q, v, tau, a_bar: np.ndarray, f_ext, without: Callable[..., Three]) -> Three:
    """`forward_dynamics_vjp` with points on surfaces, state by state; `without` answers as if there were none."""
    asked = pose_problem(linkage, q, v, tau, f_ext)
    width = linkage.nv if tau is None else np.shape(tau)[-1]
    leading, nv = leading_shape(asked.a, a_bar), linkage.nv
    asked, count = asked._replace(a=np.empty((*leading, nv))), math.prod(leading)
    rows, bars = asked.rows(), np.broadcast_to(a_bar, (*leading, nv)).reshape(count, nv)
    results = np.empty((count, nv)), np.empty((count, nv)), np.empty((count, width))
    solver = with_contacts(linkage)
    for k in range(count):
        one = asked.state(k, rows)
        try:
            reaction = solver(one).reaction
            assert reaction is not None
            products = partial(without, linkage, one.q, one.v, one.tau)
            parts = contact_products(one, reaction, bars[k], products)
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
        for result, part in zip(results, parts, strict=True):
            result[k] = part[: result.shape[1]]
    q_bar, v_bar, tau_bar = (result.reshape(*leading, result.shape[-1]) for result in results)
    return q_bar, v_bar, tau_bar
