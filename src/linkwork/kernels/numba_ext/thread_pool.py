"""Work of one call shared out to several threads, without Python's lock.

A helper is a thread that rests in compiled code, looking at its own cells until somebody posts a job there; a job is a
compiled function, the place of its arguments and the helper's slot: its number among those who work together. The
caller posts, works too, and at the end takes back what nobody has begun: a helper that wakes late is not waited for.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from linkwork.kernels.layout.cells import (
    BLOCK,
    CALLED,
    COUNT,
    DONE,
    HELPER_CELLS,
    HELPERS,
    JOB,
    MAY,
    NOTHING,
    PLACE,
    POST,
    POSTED,
    SLOT,
    TAKEN,
    TICKET,
)
from linkwork.kernels.numba_ext.jit import helper
from linkwork.kernels.numba_ext.memory import cells_at, filled, give_way, peek, put, swap
from linkwork.kernels.numba_ext.pack_type import builtin

_WORD = ir.IntType(64)
_JOB = ir.FunctionType(ir.VoidType(), [_WORD, _WORD])


@intrinsic
def outlined(typingctx, function, arguments):
    """A job that calls ``function(*arguments, slot)``: addresses of its code, and of a copy of the arguments.

    The copy lives as long as the calling function runs.
    """
    kinds = (*arguments.types, types.int64)
    called = function.get_call_type(typingctx, kinds, {})

    def emit(context, builder, sig, args):
        result = function.dispatcher.get_compile_result(called)
        context.active_code_library.add_linking_library(result.library)
        copy = cgutils.alloca_once_value(builder, args[1])
        job = ir.Function(builder.module, _JOB, f"{builder.function.name}.job")
        job.linkage = "internal"
        inside = ir.IRBuilder(job.append_basic_block("entry"))
        values = cgutils.unpack_tuple(inside, inside.load(inside.inttoptr(job.args[0], copy.type)))
        code = context.declare_function(builder.module, result.fndesc)
        context.call_conv.call_function(inside, code, called.return_type, kinds, [*values, job.args[1]])
        inside.ret_void()
        return context.make_tuple(builder, sig.return_type, [builder.ptrtoint(x, _WORD) for x in (job, copy)])

    return types.UniTuple(types.int64, 2)(function, arguments), emit


@intrinsic
def _do(typingctx, job, place, slot):
    def emit(context, builder, sig, args):
        builder.call(builder.inttoptr(args[0], ir.PointerType(_JOB)), args[1:])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), emit


@helper
def rest(cells, patience):
    """Do jobs as they are posted to a helper's cells, until for so many looks there was none.

    True where one came that is for Python: it has no code. It counts as done when the helper rests again.
    """
    swap(cells, POST, TAKEN, DONE)
    looks = 0
    while looks < patience:
        looks += 1
        if peek(cells, POST) == POSTED and swap(cells, POST, POSTED, TAKEN):
            if cells[JOB] == 0:
                return True
            _do(cells[JOB], cells[PLACE], cells[SLOT])
            put(cells, POST, DONE)
            looks = 0
    return False


@helper
def post(cells, job, place, slot):
    """Give a job to a helper."""
    cells[JOB], cells[PLACE], cells[SLOT] = job, place, slot
    put(cells, POST, POSTED)


@helper
def collect(cells, patience):
    """Take back a job that has not begun, or wait until it is done; whether that came within so many looks."""
    if swap(cells, POST, POSTED, NOTHING):
        return True
    for _ in range(patience):
        if peek(cells, POST) == DONE:
            put(cells, POST, NOTHING)
            return True
    return False


@helper
def call_helpers(team, job, place):
    """Post a job to every helper of a team; slot 0 is the caller's own."""
    for k in range(team[CALLED]):
        post(cells_at(team[HELPERS + k], HELPER_CELLS), job, place, k + 1)


@helper
def collect_helpers(team):
    """Wait until all helpers of a team have done what they have begun."""
    for k in range(team[CALLED]):
        while not collect(cells_at(team[HELPERS + k], HELPER_CELLS), 1000):
            give_way()


@helper
def next_part(team, slot):
    """States (begin, end) for the thread with this slot to work at next; begin = end when there is nothing left.

    Parts get smaller, so that all threads end at about the same time even if some of them start late.
    """
    count, block, threads = team[COUNT], team[BLOCK], team[CALLED] + 1
    while slot <= peek(team, MAY):
        begin = peek(team, TICKET)
        size = max(1, 3 * (count - begin) // (4 * threads * block)) * block
        end = min(begin + size, count) if threads > 1 else count
        if begin == count or swap(team, TICKET, begin, end):
            return begin, end
    return count, count


def at_slot(arrays, slot):
    """Of arrays (slots, n, W), those (n, W) of one slot."""
    return tuple([array[slot] for array in arrays])


def _type_at_slot(arrays, slot):
    return signature(types.Tuple([array.copy(ndim=2) for array in arrays.types]), arrays, types.int64)


def _lower_at_slot(context, builder, sig, args):
    slices = []
    for kind, value in zip(sig.args[0].types, cgutils.unpack_tuple(builder, args[0]), strict=True):
        array = make_array(kind)(context, builder, value)
        _, n, width = cgutils.unpack_tuple(builder, array.shape)
        data = builder.gep(array.data, [builder.mul(args[1], builder.mul(n, width))])
        slices.append(filled(context, builder, kind.copy(ndim=2), data, [n, width]))
    return context.make_tuple(builder, sig.return_type, slices)


builtin(at_slot, _type_at_slot, _lower_at_slot, types.BaseTuple, types.Any)
