"""Numba's structures as values, where Numba keeps each on the stack and LLVM has to take it from there again.

A structure that is made of a value, or filled in the block where it begins, is that value: its members are taken from
what was put together, not from memory. It moves to the stack when another block sets a member, or when
somebody asks for its address. Of whole numbers that are known sums, products and comparisons are known, too: most of
what Numba writes for an index. What nobody uses in the end is left out (`sweep`).
"""

import operator
from collections import Counter

from llvmlite import ir
from numba import types
from numba.core.cgutils import ValueStructProxy, alloca_once, create_struct_proxy

made = ir.instructions
_IDLE = {
    made.AllocaInstr, made.CastInstr, made.ExtractValue, made.FCMPInstr, made.GEPInstr, made.ICMPInstr,
    made.InsertValue, made.LoadInstr, made.PhiInstr, made.SelectInstr,
}  # fmt: skip
_ARITHMETIC = {"add", "sub", "mul", "and", "or", "xor", "fadd", "fsub", "fmul", "fdiv", "fneg"}
_COMPARED = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def quick_ways():
    """(class or module, name, function that does the same)."""
    from numba.np import arrayobj  # it imports much that a kernel from the disk has no use for

    proxy = ValueStructProxy
    changed = [
        ("__init__", _begin(proxy.__init__)), ("__getitem__", _get(proxy.__getitem__)),
        ("__setitem__", _set(proxy.__setitem__)), ("_getvalue", _value(proxy._getvalue)),
        ("_setvalue", _on_stack(proxy._setvalue)), ("_getpointer", _on_stack(proxy._getpointer)),
        ("_get_ptr_by_index", _on_stack(proxy._get_ptr_by_index)),
    ]  # fmt: skip
    return [
        *((proxy, name, quick) for name, quick in changed),
        (ir.IRBuilder, "extract_value", _known_member(ir.IRBuilder.extract_value)),
        (ir.IRBuilder, "add", _without(0, ir.IRBuilder.add)),
        (ir.IRBuilder, "mul", _without(1, ir.IRBuilder.mul)),
        (ir.IRBuilder, "icmp_signed", _known_comparison(ir.IRBuilder.icmp_signed)),
        (ir.IRBuilder, "select", _known_choice(ir.IRBuilder.select)),
        (arrayobj, "make_array", _structure_of_array(arrayobj.make_array)),
    ]


def _known_member(extract):
    """`extract` a member of a value; or what was put there, where that is known."""

    def extract_value(self, agg, idx, name=""):
        for k in idx if isinstance(idx, tuple | list) else (idx,):
            while isinstance(agg, made.InsertValue) and agg.indices[0] != k:
                agg = agg.aggregate
            if isinstance(agg, made.InsertValue) and len(agg.indices) == 1:
                agg = agg.value
            elif isinstance(agg, ir.Constant) and agg.constant in (None, ir.Undefined):
                agg = ir.Constant(agg.type.elements[k], agg.constant)
            else:
                agg = extract(self, agg, k, name)
        return agg

    return extract_value


def _number(value):
    """The number that a value is, where that is known."""
    return value.constant if isinstance(value, ir.Constant) and isinstance(value.constant, int) else None


def _without(neutral, write):
    """`write` an operation of two numbers, unless one of them changes nothing."""

    def operation(self, lhs, rhs, name="", flags=()):
        if _number(lhs) == neutral:
            return rhs
        return lhs if _number(rhs) == neutral else write(self, lhs, rhs, name, flags)

    return operation


def _known_comparison(write):
    """`write` a comparison; of two numbers that are known its outcome is."""

    def icmp_signed(self, cmpop, lhs, rhs, name=""):
        one, other = _number(lhs), _number(rhs)
        if one is None or other is None:
            return write(self, cmpop, lhs, rhs, name)
        return ir.Constant(ir.IntType(1), int(_COMPARED[cmpop](one, other)))

    return icmp_signed


def _known_choice(write):
    """`write` a choice, where it is not known."""

    def select(self, cond, lhs, rhs, name="", flags=()):
        known = _number(cond)
        if known is None:
            return write(self, cond, lhs, rhs, name, flags)
        return lhs if known else rhs

    return select


def _structure_of_array(make):
    """`make` a class for the structure of an array; Numba does so at each use, to say that no shape is negative."""

    def make_array(array_type):
        return create_struct_proxy(array_type) if type(array_type) is types.Array else make(array_type)

    return make_array


def _begin(begin):
    """Begin a structure: of a value, of nothing, or on the stack as `begin` does."""

    def begun(self, context, builder, value=None, ref=None):
        if ref is not None or context.enable_nrt:
            begin(self, context, builder, value, ref)
            self._whole = None
            return
        self._context, self._builder = context, builder
        self._datamodel = context.data_model_manager[self._fe_type]
        self._be_type = self._datamodel.get_value_type()
        self._whole = ir.Constant(self._be_type, None) if value is None else value
        self._home, self._last = builder.block, _last(builder.block)

    return begun


def _last(block):
    """The last instruction of a block."""
    return block.instructions[-1] if block.instructions else None


def _get(get):
    """`get` a member from the stack, or from the value."""

    def got(self, index):
        return get(self, index) if self._whole is None else self._builder.extract_value(self._whole, index)

    return got


def _set(put):
    """`put` a member on the stack, or into the value."""

    def put_in(self, index, value):
        if self._whole is not None and self._builder.block is self._home:
            self._whole = self._builder.insert_value(self._whole, value, index)
            self._last = self._whole
        else:
            _move(self)
            put(self, index, value)

    return put_in


def _value(value):
    """The whole of a structure."""

    def whole(self):
        return value(self) if self._whole is None else self._whole

    return whole


def _on_stack(do):
    """`do` what needs the address of a structure."""

    def method(self, *args):
        _move(self)
        return do(self, *args)

    return method


def _move(self):
    """Have a structure on the stack from where it is whole."""
    if self._whole is None:
        return
    builder, whole = self._builder, self._whole
    self._value = self._outer_ref = alloca_once(builder, self._be_type)
    if builder.block is not self._home:
        builder = ir.IRBuilder(self._home)
        if self._last is None:
            builder.position_at_start(self._home)
        else:
            builder.position_after(self._last)
    builder.store(whole, self._value)
    self._whole = None


def sweep(function):
    """Leave out of a function of LLVM's what nobody uses: values, and slots of the stack that are only written."""
    read, stores = Counter(), {}
    for block in function.blocks:
        for step in block.instructions:
            operands = _operands(step)
            if type(step) is made.StoreInstr and type(operands[1]) is made.AllocaInstr:
                stores.setdefault(id(operands[1]), []).append(step)
                operands = operands[:1]
            read.update(map(id, operands))
    dead, waiting = set(), [step for block in function.blocks for step in block.instructions]
    while waiting:
        step = waiting.pop()
        if id(step) in dead or read[id(step)] or not _is_idle(step):
            continue
        gone = [step, *stores.get(id(step), ())]
        dead.update(map(id, gone))
        for each in gone:
            for operand in _operands(each):
                read[id(operand)] -= 1
                waiting.append(operand)
    for block in function.blocks:
        block.instructions[:] = [step for step in block.instructions if id(step) not in dead]


def forget(module, function, prefixes):
    """Leave out of a module of LLVM's the globals of such names that its one function does not use."""
    used = {id(value) for block in function.blocks for step in block.instructions for value in _operands(step)}
    for name, value in list(module.globals.items()):
        if name.startswith(prefixes) and id(value) not in used:
            del module.globals[name]


def _is_idle(step):
    """Whether an instruction does nothing but make a value."""
    return type(step) in _IDLE or (type(step) is made.Instruction and step.opname in _ARITHMETIC)


def _operands(step):
    """Values that an instruction uses."""
    return [value for value, _ in step.incomings] if isinstance(step, made.PhiInstr) else step.operands
