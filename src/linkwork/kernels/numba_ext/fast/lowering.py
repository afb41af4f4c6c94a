"""From Numba's typed code to LLVM's, in as few instructions as kernels need: each takes time to write, read and remove.

A variable that is set in one place has no slot on the stack. Without reference counts nothing is done where a variable
ends. And a call of a function that cannot fail is a call, without a look at a status and a way out for exceptions.
"""

from collections import Counter

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.ir import Assign
from numba.core.lowering import Lower as NumbaLower

from linkwork.kernels.numba_ext.fast.crossing import declared, give_result, received
from linkwork.kernels.numba_ext.fast.values import forget, sweep
from linkwork.kernels.numba_ext.pack_type import PackType

CACHE_LINE = 64  # bytes


class Lower(NumbaLower):
    """Numba's code generator, with fewer instructions where there are no reference counts.

    Functions on packs align their stack. Packs are kept there when registers run out, and one that straddles two cache
    lines is slow: up to a fifth of the time, depending on the caller's stack, and different in each thread.
    """

    def setup_function(self, fndesc):
        """Begin a function."""
        self.function = declared(self.context, self.module, fndesc)
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = llvm.IRBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)
        self.align_stack(self.function)

    def extract_function_arguments(self):
        """Take the arguments."""
        self.fnargs = received(self.context, self.builder, self.fndesc.argtypes, self.function)
        return self.fnargs

    def align_stack(self, function):
        """Align the stack of a function of LLVM's where that is needed."""
        if any(map(_holds_packs, self.fndesc.argtypes)):
            self.align(function)

    @staticmethod
    def align(function):
        """Align the stack of a function of LLVM's."""
        function.attributes.alignstack = CACHE_LINE
        function.attributes.add("nounwind")  # llvmlite writes no alignment where there is no other attribute

    def post_lower(self):
        """End a function: its code can fail where it returns another code than that of success."""
        super().post_lower()
        returned = [block.terminator for block in self.function.blocks if isinstance(block.terminator, llvm.Ret)]
        self.library.can_fail = any(_code(statement) != 0 for statement in returned)
        if self.context.enable_nrt:
            return
        sweep(self.function)
        if self.library.is_part:
            forget(self.module, self.function, (".NumbaEnv", "_ZN08NumbaEnv", "numba.dynamic.globals"))
            if not (self.library.can_fail or isinstance(self.fndesc.restype, types.Optional)):
                give_result(self.function, self.fndesc)

    def lower_block(self, block):
        """The code of a block."""
        if self.context.enable_nrt:
            super().lower_block(block)
            return
        for statement in block.body:
            self.loc = statement.loc
            if isinstance(statement, Assign):
                name = statement.target.name
                self.storevar(self.lower_assign(self.typeof(name), statement), name)
            else:
                self.lower_inst(statement)

    def lower_expr(self, resty, expr):
        """The code of an expression; of a loop over a range whose step is known less than Numba's."""
        if expr.op == "getiter" and isinstance(self.typeof(expr.value.name), types.RangeType):
            start, stop, step = cgutils.unpack_tuple(self.builder, self.loadvar(expr.value.name), 3)
            if _is_step(step):
                return _begin_count(self.builder, self.context.get_value_type(resty), start, stop, step)
        if expr.op == "iternext" and isinstance(self.typeof(expr.value.name), types.RangeIteratorType):
            place, stop, step, _ = cgutils.unpack_tuple(self.builder, self.loadvar(expr.value.name), 4)
            if _is_step(step):
                return _count(self.builder, self.context.get_value_type(resty), place, stop, step)
        return super().lower_expr(resty, expr)

    def _lower_call_normal(self, fnty, expr, signature):
        """The code of a call."""
        if signature.recvr or expr.target is not None or isinstance(fnty, types.ObjModeDispatcher):
            return super()._lower_call_normal(fnty, expr, signature)
        values = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        return self.context.get_function(fnty, signature)(self.builder, values, self.loc)

    def _find_singly_assigned_variable(self):
        """Variables that are set once, and before any use: values, not slots of the stack."""
        if self.context.enable_nrt:
            super()._find_singly_assigned_variable()
            return
        self._blk_local_varmap, self._singly_assigned_vars = {}, _set_once(self.blocks)

    def storevar(self, value, name, argidx=None):
        """Set a variable."""
        if self.context.enable_nrt:
            super().storevar(value, name, argidx)
        elif name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name, lltype, datamodel=None):
        """A slot of the stack for a variable."""
        return cgutils.alloca_once(self.builder, lltype, name=name)


def _is_step(value):
    """Whether this is a number that a range can be gone through by."""
    return isinstance(value, llvm.Constant) and isinstance(value.constant, int) and value.constant != 0


def _begin_count(builder, kind, start, stop, step):
    """Numba's iterator over a range: places of the next number and of how many are left, and where to end and step."""
    place, left = cgutils.alloca_once(builder, start.type), cgutils.alloca_once(builder, start.type)
    builder.store(start, place)
    ahead = builder.add(
        builder.sub(stop, start), llvm.Constant(step.type, step.constant - (1 if step.constant > 0 else -1))
    )
    builder.store(builder.sdiv(ahead, step), left)  # left out where `_count` goes on, which has no use for it
    return cgutils.make_anonymous_struct(builder, [place, stop, step, left], kind)


def _count(builder, kind, place, stop, step):
    """The next number, and whether there is one."""
    number = builder.load(place)
    builder.store(builder.add(number, step, flags=["nsw"]), place)
    more = builder.icmp_signed("<" if step.constant > 0 else ">", number, stop)
    return cgutils.make_anonymous_struct(builder, [number, more], kind)


def _set_once(blocks):
    """Names of variables that one statement sets, in a block through which every way to a use leads."""
    count, home, elsewhere = Counter(), {}, {}
    for label, block in blocks.items():
        for statement in block.body:
            if isinstance(statement, Assign):
                count[statement.target.name] += 1
                home[statement.target.name] = label
            for variable in statement.list_vars():
                if home.get(variable.name) != label:
                    elsewhere.setdefault(variable.name, set()).add(label)
    above = compute_cfg_from_blocks(blocks).dominators() if elsewhere else {}
    return {
        name
        for name, label in home.items()
        if count[name] == 1 and all(label < use and label in above[use] for use in elsewhere.get(name, ()))
    }


def _code(statement):
    """What a function of LLVM's returns, where that is a constant."""
    value = statement.return_value
    return value.constant if isinstance(value, llvm.Constant) else None


def _holds_packs(kind):
    """Whether an argument is made of packs: their arrays have two dimensions, (n, W)."""
    if isinstance(kind, types.BaseTuple):
        return any(map(_holds_packs, kind.types))
    return isinstance(kind, PackType) or (isinstance(kind, types.Array) and kind.ndim == 2)
