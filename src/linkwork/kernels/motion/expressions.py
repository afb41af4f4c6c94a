"""Expressions of time and state as programs for a stack, each value with its first two derivatives by time.

A place of the stack is a jet (x, ẋ, ẍ): that of the time t is (t, 1, 0); those of coordinates and velocities have no
derivatives, which are of use in drives alone. A function f of a jet is (f, f′ẋ, f″ẋ² + f′ẍ).

The operations are those of `linkwork.kernels.layout.acting`; `linkwork.linkage.programs` writes them. As in
Python, what has no value (1/0, the root of −1) ends the evaluation.
"""

import math

from linkwork.kernels.layout import acting as ops
from linkwork.kernels.layout.acting import AT, JET, KEPT, OF_COORDINATE, OF_VELOCITY, PROGRAM, TORQUE, WHAT, WHERE
from linkwork.kernels.numba_ext import helper, strict, strictly_separate

_BESIDE = 1e-9  # of a table's span: times so little beyond its ends are at them


@strict
def put(stack, place, x, x1, x2):
    """Write a jet."""
    stack[JET * place], stack[JET * place + 1], stack[JET * place + 2] = x, x1, x2


@strict
def apply(stack, place, f, f1, f2):
    """Put f of the jet in its place, given f and its derivatives at x."""
    x1, x2 = stack[JET * place + 1], stack[JET * place + 2]
    put(stack, place, f, f1 * x1, f2 * x1 * x1 + f1 * x2)


@strict
def unary(stack, place, op):
    """A function of one number."""
    x = stack[JET * place]
    moves = stack[JET * place + 1] != 0.0 or stack[JET * place + 2] != 0.0
    if op == ops.SIN:
        f = math.sin(x)
        apply(stack, place, f, math.cos(x) if moves else 0.0, -f)
    elif op == ops.COS:
        f = math.cos(x)
        apply(stack, place, f, -math.sin(x) if moves else 0.0, -f)
    elif op == ops.TAN:
        f = math.tan(x)
        apply(stack, place, f, 1.0 + f * f, 2.0 * f * (1.0 + f * f))
    elif op == ops.ASIN or op == ops.ACOS:
        if abs(x) > 1.0:
            return False
        r = 1.0 - x * x
        sign, f = (1.0, math.asin(x)) if op == ops.ASIN else (-1.0, math.acos(x))
        apply(stack, place, f, over(sign, math.sqrt(r)), over(sign * x, r * math.sqrt(r)))
    elif op == ops.ATAN:
        r = 1.0 / (1.0 + x * x)
        apply(stack, place, math.atan(x), r, -2.0 * x * r * r)
    elif op == ops.SINH:
        f = math.sinh(x)
        apply(stack, place, f, math.cosh(x) if moves else 0.0, f)
    elif op == ops.COSH:
        f = math.cosh(x)
        apply(stack, place, f, math.sinh(x) if moves else 0.0, f)
    elif op == ops.TANH:
        f = math.tanh(x)
        apply(stack, place, f, 1.0 - f * f, -2.0 * f * (1.0 - f * f))
    elif op == ops.EXP:
        f = math.exp(x)
        apply(stack, place, f, f, f)
    elif op == ops.LOG:
        if x <= 0.0:
            return False
        apply(stack, place, math.log(x), 1.0 / x, -1.0 / (x * x))
    elif op == ops.SQRT:
        if x < 0.0:
            return False
        f = math.sqrt(x)
        apply(stack, place, f, over(0.5, f), over(-0.25, f * x))
    elif op == ops.ABS:
        apply(stack, place, abs(x), -1.0 if x < 0.0 else 1.0, 0.0)
    elif op == ops.FLOOR:
        put(stack, place, math.floor(x), 0.0, 0.0)
    elif op == ops.SIGN:
        put(stack, place, (1.0 if x > 0.0 else 0.0) - (1.0 if x < 0.0 else 0.0), 0.0, 0.0)
    elif op == ops.NEGATE:
        put(stack, place, -x, -stack[JET * place + 1], -stack[JET * place + 2])
    else:
        put(stack, place, 1.0 if x == 0.0 else 0.0, 0.0, 0.0)  # NOT
    return True


@strict
def over(x, y):
    """x / y, infinite where y is 0: a derivative that nobody may ask for."""
    return x / y if y != 0.0 else math.inf


@strict
def raised(x, y):
    """x to the power of y, infinite where 0 is divided by."""
    return math.pow(x, y) if x != 0.0 or y >= 0.0 else math.inf


@strict
def power(stack, x, x1, x2, y, y1, y2, place):
    """x to the power of y."""
    if (x < 0.0 and y != math.floor(y)) or (x == 0.0 and y < 0.0):
        return False
    if y1 == 0.0 and y2 == 0.0:
        stack[JET * place], stack[JET * place + 1], stack[JET * place + 2] = x, x1, x2
        f1 = y * raised(x, y - 1.0) if y != 0.0 else 0.0
        f2 = y * (y - 1.0) * raised(x, y - 2.0) if y != 0.0 and y != 1.0 else 0.0
        apply(stack, place, math.pow(x, y), f1, f2)
        return True
    f, g = math.pow(x, y), math.log(x) if x > 0.0 else 0.0
    r = over(1.0, x)
    e1 = y1 * g + y * x1 * r  # of y log x
    e2 = y2 * g + 2.0 * y1 * x1 * r + y * (x2 - x1 * x1 * r) * r
    put(stack, place, f, f * e1, f * (e1 * e1 + e2))
    return True


@strict
def compared(op, x, y):
    """1 where x and y are as a comparison says, else 0."""
    if op == ops.LESS:
        return 1.0 if x < y else 0.0
    if op == ops.LESS_EQUAL:
        return 1.0 if x <= y else 0.0
    if op == ops.GREATER:
        return 1.0 if x > y else 0.0
    if op == ops.GREATER_EQUAL:
        return 1.0 if x >= y else 0.0
    if op == ops.EQUAL:
        return 1.0 if x == y else 0.0
    return 1.0 if x != y else 0.0


@strict
def binary(stack, place, op):
    """An operation on two jets, the second at `place` + 1."""
    k, j = JET * place, JET * place + JET
    x, x1, x2 = stack[k], stack[k + 1], stack[k + 2]
    y, y1, y2 = stack[j], stack[j + 1], stack[j + 2]
    if op == ops.ADD:
        put(stack, place, x + y, x1 + y1, x2 + y2)
    elif op == ops.SUBTRACT:
        put(stack, place, x - y, x1 - y1, x2 - y2)
    elif op == ops.MULTIPLY:
        put(stack, place, x * y, x1 * y + x * y1, x2 * y + 2.0 * x1 * y1 + x * y2)
    elif op == ops.DIVIDE:
        if y == 0.0:
            return False
        f = x / y
        f1 = (x1 - f * y1) / y
        put(stack, place, f, f1, (x2 - 2.0 * f1 * y1 - f * y2) / y)
    elif op == ops.POWER:
        return power(stack, x, x1, x2, y, y1, y2, place)
    elif op == ops.REMAINDER:
        if y == 0.0:
            return False
        n = math.floor(x / y)
        put(stack, place, x % y, x1 - n * y1, x2 - n * y2)
    elif op == ops.ATAN2:
        r = x * x + y * y
        f1 = over(y * x1 - x * y1, r)
        put(stack, place, math.atan2(x, y), f1, over(y * x2 - x * y2 - 2.0 * f1 * (x * x1 + y * y1), r))
    elif op == ops.HYPOT:
        f = math.hypot(x, y)
        f1 = over(x * x1 + y * y1, f)
        put(stack, place, f, f1, over(x1 * x1 + y1 * y1 + x * x2 + y * y2 - f1 * f1, f))
    elif op == ops.MIN or op == ops.MAX:
        if (y < x) == (op == ops.MIN) and x != y:
            put(stack, place, y, y1, y2)
    else:
        put(stack, place, compared(op, x, y), 0.0, 0.0)
    return True


@strict
def look_up(stack, place, numbers, table):
    """The jet of a table's piecewise polynomial at the jet in this place; False beyond the table's ends."""
    pieces, order = int(numbers[table + ops.T_PIECES]), int(numbers[table + ops.T_ORDER])
    times = table + ops.T_TIMES
    x, first, last = stack[JET * place], numbers[times], numbers[times + pieces]
    beside = _BESIDE * (last - first)
    if not (first - beside <= x <= last + beside):
        return False
    low, high = 0, pieces
    while high - low > 1:
        middle = (low + high) // 2
        if numbers[times + middle] <= x:
            low = middle
        else:
            high = middle
    h, at = x - numbers[times + low], times + pieces + 1 + order * low
    f, f1, f2 = 0.0, 0.0, 0.0
    for j in range(order):  # Horner's scheme, of the polynomial and its derivatives
        f2 = f2 * h + 2.0 * f1
        f1 = f1 * h + f
        f = f * h + numbers[at + j]
    apply(stack, place, f, f1, f2)
    return True


@strict
def join(stack, place, which, y, rate):
    """Add a number without derivatives to the jet in this place, subtract it, or multiply by it."""
    k = JET * place
    if which == 0:
        stack[k] += y
    elif which == 1:
        stack[k] -= y
    else:
        stack[k] *= y
        if rate != 0.0:
            stack[k + 1] *= y
            stack[k + 2] *= y


@strictly_separate
def evaluate(code, numbers, start, t, rate, q, v, stack):
    """Run the program at `start`: its value and derivatives are left in the first place; False where it has none.

    ``rate`` is that of the time, 1; where nobody asks for derivatives it is 0, and what is left of them means nothing.
    """
    k, top = start, -1
    while code[k] != ops.END:
        op = code[k]
        k += 1
        if op < ops.OPERANDS:
            operand = code[k]
            k += 1
            if op >= ops.WITH_CONSTANT:
                y = operand >> 2
                number = numbers[y] if op == ops.WITH_CONSTANT else q[y] if op == ops.WITH_COORDINATE else v[y]
                join(stack, top, operand & 3, number, rate)
            elif op == ops.CONSTANT:
                top += 1
                put(stack, top, numbers[operand], 0.0, 0.0)
            elif op == ops.COORDINATE:
                top += 1
                put(stack, top, q[operand], 0.0, 0.0)
            elif op == ops.VELOCITY:
                top += 1
                put(stack, top, v[operand], 0.0, 0.0)
            elif op == ops.TABLE:
                if not look_up(stack, top, numbers, operand):
                    return False
            elif op == ops.JUMP:
                k += operand
            elif op == ops.JUMP_IF_FALSE:
                top -= 1
                if stack[JET * (top + 1)] == 0.0:
                    k += operand
            elif (stack[JET * top] == 0.0) == (op == ops.AND):  # AND, OR: the first one decides
                k += operand
            else:
                top -= 1
        elif op == ops.TIME:
            top += 1
            put(stack, top, t, rate, 0.0)
        elif op <= ops.MULTIPLY and rate == 0.0:  # ADD, SUBTRACT, MULTIPLY: values alone take half the time
            top -= 1
            x, y = stack[JET * top], stack[JET * top + JET]
            stack[JET * top] = x + y if op == ops.ADD else x - y if op == ops.SUBTRACT else x * y
        elif op == ops.NEGATE or op == ops.NOT or ops.SIN <= op <= ops.SIGN:
            if not unary(stack, top, op):
                return False
        else:
            top -= 1
            if not binary(stack, top, op):
                return False
        x = stack[JET * top]
        if x - x != 0.0:
            return False
    return True


@helper
def evaluate_act(code, numbers, acts, row, t, rate, q, v, stack):
    """`evaluate` the program of an act; one of t alone once for each time."""
    kept = acts[row, KEPT]
    if kept >= 0 and numbers[kept] == t:
        for j in range(JET):
            stack[j] = numbers[kept + 1 + j]
        return True
    if not evaluate(code, numbers, acts[row, PROGRAM], t, rate, q, v, stack):
        return False
    if kept >= 0:
        numbers[kept] = t
        for j in range(JET):
            numbers[kept + 1 + j] = stack[j]
    return True


@helper
def add_torques(code, numbers, acts, t, q, v, stack, applied):
    """Add all torques that are text to those that are applied; the row of the first that has no value, or −1."""
    for row in range(acts.shape[0]):
        what, where = acts[row, WHAT], acts[row, WHERE]
        if what == OF_COORDINATE:
            applied[where] += numbers[acts[row, PROGRAM]] * q[acts[row, AT]]
        elif what == OF_VELOCITY:
            applied[where] += numbers[acts[row, PROGRAM]] * v[acts[row, AT]]
        elif what == TORQUE:
            if not evaluate_act(code, numbers, acts, row, t, 0.0, q, v, stack):
                return row
            applied[where] += stack[0]
    return -1
