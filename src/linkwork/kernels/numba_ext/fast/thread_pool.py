"""Work of one call shared out to several threads, without Python's lock.

A helper waits in compiled code, reading its mailbox until somebody posts a job there; a job is a compiled function, the
address of its arguments and the helper's slot: its number among those who work together. The caller posts, works too,
and at the end takes back what nobody has begun: late helpers are skipped.
"""

from llvmlite import ir
from numba import types
from numba.core.cgutils import alloca_once_value, unpack_tuple
from numba.extending import intrinsic

from linkwork.kernels.layout.thread_pool import (
    ALLOWED,
    ARGUMENTS,
    CALLED,
    COUNT,
    DONE,
    EMPTY,
    FLAG,
    GRAIN,
    HELPERS,
    JOB,
    MAILBOX_SIZE,
    NEXT_STATE,
    POSTED,
    SLOT,
    TAKEN,
)
from linkwork.kernels.numba_ext.compile import helper
from linkwork.kernels.numba_ext.fast.crossing import array_over, call_anyhow
from linkwork.kernels.numba_ext.fast.memory import (
    atomic_read,
    atomic_write,
    compare_and_swap,
    integers_at,
    yield_processor,
)
from linkwork.kernels.numba_ext.pack_type import builtin

_WORD = ir.IntType(64)
_JOB = ir.FunctionType(ir.VoidType(), [_WORD, _WORD])


@intrinsic
def as_job(typingctx, function, arguments):
    """A job that calls ``function(*arguments, slot)``: addresses of its code, and of a copy of the arguments.

    The copy lives as long as the calling function runs.
    """
    kinds = (*arguments.types, types.int64)
    called = function.get_call_type(typingctx, kinds, {})

    def emit(context, builder, sig, args):
        result = function.dispatcher.get_compile_result(called)
        context.active_code_library.add_linking_library(result.library)
        copy = alloca_once_value(builder, args[1])
        job = ir.Function(builder.module, _JOB, f"{builder.function.name}.job")
        job.linkage = "internal"
        inside = ir.IRBuilder(job.append_basic_block("entry"))
        values = unpack_tuple(inside, inside.load(inside.inttoptr(job.args[0], copy.type)))
        call_anyhow(context, inside, result.fndesc, [*values, job.args[1]])
        inside.ret_void()
        return context.make_tuple(builder, sig.return_type, [builder.ptrtoint(x, _WORD) for x in (job, copy)])

    return types.UniTuple(types.int64, 2)(function, arguments), emit


@intrinsic
def _do(typingctx, job, arguments, slot):
    def emit(context, builder, sig, args):
        builder.call(builder.inttoptr(args[0], ir.PointerType(_JOB)), args[1:])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), emit


@helper
def serve(mailbox, patience):
    """Do jobs as they are posted to a helper's mailbox, until `patience` readings in a row found none.

    True where one came that is for Python: it has no code. It counts as done when the helper serves again.
    """
    compare_and_swap(mailbox, FLAG, TAKEN, DONE)
    readings = 0
    while readings < patience:
        readings += 1
        if atomic_read(mailbox, FLAG) == POSTED and compare_and_swap(mailbox, FLAG, POSTED, TAKEN):
            if mailbox[JOB] == 0:
                return True
            _do(mailbox[JOB], mailbox[ARGUMENTS], mailbox[SLOT])
            atomic_write(mailbox, FLAG, DONE)
            readings = 0
    return False


@helper
def post(mailbox, job, arguments, slot):
    """Give a job to a helper."""
    mailbox[JOB], mailbox[ARGUMENTS], mailbox[SLOT] = job, arguments, slot
    atomic_write(mailbox, FLAG, POSTED)


@helper
def collect(mailbox, patience):
    """Take back a job that has not begun, or wait until it is done; whether that came within `patience` readings."""
    if compare_and_swap(mailbox, FLAG, POSTED, EMPTY):
        return True
    for _ in range(patience):
        if atomic_read(mailbox, FLAG) == DONE:
            atomic_write(mailbox, FLAG, EMPTY)
            return True
    return False


@helper
def call_helpers(roster, job, arguments):
    """Post a job to every helper of a team; slot 0 is the caller's own."""
    for k in range(roster[CALLED]):
        post(integers_at(roster[HELPERS + k], MAILBOX_SIZE), job, arguments, k + 1)


@helper
def collect_helpers(roster):
    """Wait until all helpers of a team have done what they have begun."""
    for k in range(roster[CALLED]):
        while not collect(integers_at(roster[HELPERS + k], MAILBOX_SIZE), 1000):
            yield_processor()


@helper
def next_part(roster, slot):
    """States (begin, end) for the thread with this slot to work on next; begin = end when there is nothing left.

    Parts get smaller, so that all threads end at about the same time even if some of them start late.
    """
    count, grain, threads = roster[COUNT], roster[GRAIN], roster[CALLED] + 1
    while slot <= atomic_read(roster, ALLOWED):
        begin = atomic_read(roster, NEXT_STATE)
        size = max(1, 3 * (count - begin) // (4 * threads * grain)) * grain
        end = min(begin + size, count) if threads > 1 else count
        if begin == count or compare_and_swap(roster, NEXT_STATE, begin, end):
            return begin, end
    return count, count


def at_slot(arrays, slot):
    """Of arrays (slots, n, W), those (n, W) of one slot."""
    return tuple([array[slot] for array in arrays])


def _type_at_slot(arrays, slot):
    return types.Tuple([array.copy(ndim=2) for array in arrays.types])(arrays, types.int64)


def _lower_at_slot(context, builder, sig, args):
    slices = []
    for kind, value in zip(sig.args[0].types, unpack_tuple(builder, args[0]), strict=True):
        array = context.make_array(kind)(context, builder, value)
        _, n, width = unpack_tuple(builder, array.shape)
        data = builder.gep(array.data, [builder.mul(args[1], builder.mul(n, width))])
        slices.append(array_over(context, builder, kind.copy(ndim=2), data, [n, width]))
    return context.make_tuple(builder, sig.return_type, slices)


builtin(at_slot, _type_at_slot, _lower_at_slot, types.BaseTuple, types.Any)
