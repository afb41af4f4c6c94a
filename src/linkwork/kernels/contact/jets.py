"""Values with first and second derivatives in x, y, z, t, of programs: formulas given as text, in postfix order.

A program is a row of floats, an instruction and, for CONSTANT and POWER, a number. The stack holds one jet of `JET`
numbers per entry: the value u, the gradient g (4), and the upper triangle of the Hessian h (10), row by row. What has
no value gives not-a-number, which the caller looks for.
"""

import math

from linkwork.kernels.numba_ext import helper

JET = 15
CONSTANT, X, Y, Z, T, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, POWER, RAISE = range(12)
SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT = range(12, 24)
FUNCTIONS = {
    "sin": SIN, "cos": COS, "tan": TAN, "asin": ASIN, "acos": ACOS, "atan": ATAN, "sinh": SINH, "cosh": COSH,
    "tanh": TANH, "exp": EXP, "log": LOG, "sqrt": SQRT,
}  # fmt: skip


@helper
def chain(stack, k, f, df, ddf):
    """A function of the jet at k in its place, from the function's value and derivatives."""
    stack[k] = f
    at = k + 5
    for i in range(4):
        for j in range(i, 4):
            square = ddf * stack[k + 1 + i] * stack[k + 1 + j] if ddf != 0.0 else 0.0
            stack[at] = df * stack[at] + square
            at += 1
    for i in range(1, 5):
        stack[k + i] *= df


@helper
def multiply(stack, a, b):
    """a ← a b."""
    u, w = stack[a], stack[b]
    at = 5
    for i in range(4):
        for j in range(i, 4):
            cross = stack[a + 1 + i] * stack[b + 1 + j] + stack[a + 1 + j] * stack[b + 1 + i]
            stack[a + at] = w * stack[a + at] + u * stack[b + at] + cross
            at += 1
    for i in range(1, 5):
        stack[a + i] = w * stack[a + i] + u * stack[b + i]
    stack[a] = u * w


@helper
def power(u, b):
    """u to the power b; a negative number has only whole powers."""
    if u < 0.0 and b != math.floor(b):
        return math.nan
    if u == 0.0 and b < 0.0:
        return math.nan
    return u**b


@helper
def raise_constant(stack, k, b):
    """The jet at k to the power b."""
    u = stack[k]
    df = b * power(u, b - 1.0) if b != 0.0 else 0.0
    ddf = b * (b - 1.0) * power(u, b - 2.0) if b * (b - 1.0) != 0.0 else 0.0
    chain(stack, k, power(u, b), df, ddf)


@helper
def apply(stack, k, what):
    """A function of the jet at k in its place."""
    u = stack[k]
    if what == SIN:
        f = math.sin(u)
        chain(stack, k, f, math.cos(u), -f)
    elif what == COS:
        f = math.cos(u)
        chain(stack, k, f, -math.sin(u), -f)
    elif what == TAN:
        f = math.tan(u)
        chain(stack, k, f, 1.0 + f * f, 2.0 * f * (1.0 + f * f))
    elif what == ASIN or what == ACOS:
        rest = 1.0 - u * u
        if not rest > 0.0:
            chain(stack, k, math.nan, math.nan, math.nan)
            return
        s = 1.0 if what == ASIN else -1.0
        root = math.sqrt(rest)
        chain(stack, k, math.asin(u) if what == ASIN else math.acos(u), s / root, s * u / (rest * root))
    elif what == ATAN:
        d = 1.0 / (1.0 + u * u)
        chain(stack, k, math.atan(u), d, -2.0 * u * d * d)
    elif what == SINH:
        f = math.sinh(u)
        chain(stack, k, f, math.cosh(u), f)
    elif what == COSH:
        f = math.cosh(u)
        chain(stack, k, f, math.sinh(u), f)
    elif what == TANH:
        f = math.tanh(u)
        chain(stack, k, f, 1.0 - f * f, -2.0 * f * (1.0 - f * f))
    elif what == EXP:
        f = math.exp(u)
        chain(stack, k, f, f, f)
    elif not u > 0.0:
        chain(stack, k, math.nan, math.nan, math.nan)
    elif what == LOG:
        chain(stack, k, math.log(u), 1.0 / u, -1.0 / (u * u))
    else:
        f = math.sqrt(u)
        chain(stack, k, f, 0.5 / f, -0.25 / (u * f))


@helper
def run_program(points, begin, end, x, y, z, t, stack):
    """Leave the jet of a program, from `begin` to `end` of `points`, at the bottom of the stack."""
    top, at = -JET, begin
    while at < end:
        what = int(points[at])
        at += 1
        if what <= T:
            top += JET
            for i in range(JET):
                stack[top + i] = 0.0
            if what == CONSTANT:
                stack[top] = points[at]
                at += 1
            else:
                stack[top] = x if what == X else (y if what == Y else (z if what == Z else t))
                stack[top + what] = 1.0
        elif what == ADD or what == SUBTRACT:
            s = 1.0 if what == ADD else -1.0
            top -= JET
            for i in range(JET):
                stack[top + i] += s * stack[top + JET + i]
        elif what == MULTIPLY:
            top -= JET
            multiply(stack, top, top + JET)
        elif what == DIVIDE:
            top -= JET
            raise_constant(stack, top + JET, -1.0)
            multiply(stack, top, top + JET)
        elif what == NEGATE:
            for i in range(JET):
                stack[top + i] = -stack[top + i]
        elif what == POWER:
            raise_constant(stack, top, points[at])
            at += 1
        elif what == RAISE:  # a^b = exp(b log a)
            top -= JET
            apply(stack, top, LOG)
            multiply(stack, top, top + JET)
            apply(stack, top, EXP)
        else:
            apply(stack, top, what)
