"""How drives, torques and wrenches that are given as text, tables or functions lie in memory: constants alone.

``code`` holds programs for a stack, one after the other, ``numbers`` their constants and tables. ``acts`` has one row
per thing that acts: what it is, where it acts, a second place, where its program starts in ``code`` (or the address of
a compiled function), and where ``numbers`` keep what it was last. ``calls`` holds the addresses of functions of
(t, q, v), and what is to be known of them.
"""

# Operations. Those of the first group are followed by an operand in `code`: an index, or how far to jump.
(CONSTANT, COORDINATE, VELOCITY, TABLE, JUMP, JUMP_IF_FALSE, AND, OR) = range(8)
# ADD, SUBTRACT or MULTIPLY whose second number is one of the first three: the operand is 4 index + 0, 1 or 2
(WITH_CONSTANT, WITH_COORDINATE, WITH_VELOCITY) = range(8, 11)
OPERANDS = 11  # operations below this have one
(END, TIME, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, REMAINDER, NEGATE, NOT) = range(11, 21)
(LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL) = range(21, 27)
(SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT, ABS, FLOOR, SIGN) = range(27, 42)
(ATAN2, HYPOT, MIN, MAX) = range(42, 46)
JET = 3  # numbers in a place of the stack: a value, its rate and the rate of that

# a table in `numbers`: how many pieces, coefficients per piece; then the times, and the coefficients, highest first
T_PIECES, T_ORDER, T_TIMES = 0, 1, 2

# `acts`
WHAT, WHERE, AT, PROGRAM, KEPT, ACT = 0, 1, 2, 3, 4, 5
# KEPT: of a program of t alone, where the time is for which it was run last, and behind it the jet; −1 of others
TORQUE = 0  # on degree of freedom WHERE
PUSH = 1  # on body WHERE: a force at the point at AT in `numbers` (stage, x, y, z) and a moment, six programs
PART = 4  # rows of the last five of these
DRIVE = 2  # of degree of freedom WHERE, whose coordinate is AT
CALLED_DRIVE = 3  # the same, by a function at the address PROGRAM: it writes q, rate and second derivative
STOP_BELOW, STOP_ABOVE = 7, 8  # a DRIVE that holds a joint at its hard limit, which it leans on, lower or upper
OF_COORDINATE, OF_VELOCITY = 5, 6  # a torque on WHERE: the number at PROGRAM times the coordinate, or velocity, AT

# `poses`: one row per driven joint whose velocities are not the rates of its coordinates. Its kind, its first degree of
# freedom and coordinate; in which way it moves; where `numbers` have time, pose and velocity from which it is STEADY,
# or the address of a function that writes q, v, dv/dt; where `numbers` keep a time and what was wanted then; programs
PO_KIND, PO_DOF, PO_COORDINATE, PO_WAY, PO_PLACE, PO_KEPT, PO_STARTS = range(7)
POSE = PO_STARTS + 7
BY_COORDINATES, STEADY, CALLED = range(3)
POSE_JETS = 7 * JET  # numbers that are wanted of a joint, or of its coordinates, at most
UNIT = 1e-6  # how far a quaternion's length may be from 1, where a function gives it

# `calls`
C_TORQUES, C_WRENCHES, C_CONTROL = 0, 1, 2  # addresses, 0 for none
C_FAILED = 3  # whether a function of Python's has failed
C_DRIVES, C_PUSHES, C_LEVERS = 4, 5, 6  # rows of `acts` of these kinds; whether a push has a lever
C_FREE_ROWS = 7  # rows of the loops that are redundant without drives
C_DUE, C_HELD = 8, 9  # step in which the controller is due, and how many steps its torques are held
C_CLOSED = 10  # whether loops or couplings constrain the linkage
C_STOP = 11  # whether to make no further step
C_WATCH = 12  # the address of a function of Python's that looks at conditions after a step, 0 for none
C_CONDITIONS = 13  # how many conditions are compiled functions: address and direction of each lie behind all this
WATCHED = 8  # of those at most; of more Python calls them
C_STOPS = 14  # rows of `acts` that hold joints at hard limits, where it is watched whether these are pulled off
C_MOTORS = 15  # whether motors limit what acts at every stage; those that are held are limited when they are found
CALLS = 16

# `clock`: the time at which a function is called; start and end of the step, its number, the rows there are before it
# Behind it what compiled conditions gave before the last step, and after it.
T_CALL, T_STEP, T_END, T_NUMBER, T_ROWS, CLOCK = 0, 1, 2, 3, 4, 5
