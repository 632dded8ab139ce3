"""A kernel as clang's intermediate language has it, all its own calls inlined: integers, pointers and arrays."""
import dataclasses
import functools
import re
import subprocess

CLANG = [*"clang -x cl -cl-std=CL3.0 -Xclang -finclude-default-header -target x86_64-linux-gnu -O1 -w".split(),
         *"-Xclang -cl-ext=+__opencl_c_atomic_order_seq_cst -D__opencl_c_atomic_scope_device=1".split()]
OPT = ["opt", "-S", "-inline-threshold=1000000", "-passes=cgscc(inline),function(sroa,simplifycfg)"]
TYPE = r"(?:i\d+|\[\d+ x [^\]]+\])\**"
BINARY = ("add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "and", "or", "xor", "shl", "lshr", "ashr")
CASTS = ("zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "freeze")


@dataclasses.dataclass(frozen=True)
class Register:
    name: str


@dataclasses.dataclass(frozen=True)
class Symbol:
    """A variable in local memory, and an offset into it."""
    name: str
    offset: int = 0


@dataclasses.dataclass
class Instruction:
    op: str
    target: str  # the register that it sets, or None
    operands: list  # integers, Registers and Symbols
    detail: object = None  # by op: widths, labels, a function's name
    block: str = ""


@dataclasses.dataclass
class Kernel:
    parameters: list
    code: list
    labels: dict  # of blocks: the index of their first instruction
    variables: dict  # in local memory: bytes by name
    live: list  # before each instruction: registers that may be read from there on


@functools.lru_cache(maxsize=None)
def compiled(path, options):
    command = [*CLANG, *options, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-S", "-o", "-", path]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    return subprocess.run(OPT, check=True, capture_output=True, input=raw).stdout.decode()


def width(kind):
    return int(kind[1:]) if re.fullmatch(r"i\d+", kind) else 64


def element(kind):
    return re.fullmatch(r"\[\d+ x (.*)\]", kind)[1]


def size(kind):
    array = re.fullmatch(r"\[(\d+) x (.*)\]", kind)
    return int(array[1]) * size(array[2]) if array else (width(kind) + 7) // 8


def parts(text):
    """What stands between commas that are in no brackets."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found if part.strip()]


def typed(text):
    kind, rest = re.match(rf"({TYPE})\s+(.*)$", text, re.DOTALL).groups()
    return kind, re.sub(r"^(?:(?:noundef|zeroext|signext|nonnull|immarg) )+", "", rest)


def operand(kind, text):
    if text.startswith("%"):
        return Register(text)
    if text.startswith("@"):
        return Symbol(text)
    if text.startswith("getelementptr"):
        base, symbol, *indices = parts(re.fullmatch(r"getelementptr inbounds \((.*)\)", text)[1])
        offset = sum(int(typed(index)[1]) * stride for index, stride in zip(indices, strides(base)))
        return Symbol(typed(symbol)[1], offset)
    if text in ("false", "null", "undef", "poison"):
        return 0
    return 1 if text == "true" else int(text) & (1 << width(kind)) - 1


def strides(kind):
    """In bytes, of each index of an address in such a value."""
    while True:
        yield size(kind)
        if not kind.startswith("["):
            return
        kind = element(kind)


def pair(text):
    """Two operands of one type: the type, and both."""
    first, second = parts(text)
    kind, first = typed(first)
    return kind, [operand(kind, first), operand(kind, second)]


def decode_memory(op, rest):
    if op == "alloca":
        return [], size(parts(rest)[0])
    if op == "getelementptr":
        base, pointer, *indices = parts(re.sub(r"^inbounds ", "", rest))
        indices = [typed(index) for index in indices]
        return [operand(*typed(pointer)), *(operand(*index) for index in indices)], \
            [(stride, width(kind)) for (kind, _), stride in zip(indices, strides(base))]
    first, second = parts(re.sub(r"^volatile ", "", rest))
    if op == "load":
        return [operand(*typed(second))], size(first)
    return [operand(*typed(second)), operand(*typed(first))], size(typed(first)[0])


def decode_jump(op, rest):
    labels = re.findall(r"label %([\w.]+)", rest)
    if op == "br":
        return ([operand("i1", re.match(r"i1 ([^,]+),", rest)[1])] if len(labels) > 1 else []), labels
    kind, value = typed(parts(rest)[0])
    values = [int(number) & (1 << width(kind)) - 1 for number in re.findall(r"\bi\d+ (-?\d+), label", rest)]
    return [operand(kind, value)], (labels[0], dict(zip(values, labels[1:])))


def decode(op, rest):
    """The operands of an instruction, and what else it says."""
    if op in BINARY:
        kind, operands = pair(re.sub(r"^(?:(?:nuw|nsw|exact) )+", "", rest))
        return operands, width(kind)
    if op == "icmp":
        relation, rest = rest.split(" ", 1)
        kind, operands = pair(rest)
        return operands, (relation, width(kind))
    if op in CASTS:
        value, _, kind = rest.partition(" to ")
        before, value = typed(value)
        return [operand(before, value)], (width(before), width(kind or before))
    if op == "select":
        return [operand(*typed(part)) for part in parts(rest)], None
    if op == "phi":
        kind, rest = re.match(rf"({TYPE}) (.*)", rest).groups()
        pairs = re.findall(r"\[ (.*?), %([\w.]+) \]", rest)
        return [operand(kind, value) for value, _ in pairs], [block for _, block in pairs]
    if op in ("alloca", "getelementptr", "load", "store"):
        return decode_memory(op, rest)
    if op in ("br", "switch"):
        return decode_jump(op, rest)
    if op == "call":
        name, arguments = re.search(r"@([\w.]+)\((.*)\)", rest).groups()
        mangled = re.match(r"_Z(\d+)(\w+)", name)
        return [operand(*typed(argument)) for argument in parts(arguments)], \
            mangled[2][:int(mangled[1])] if mangled else name
    if op in ("ret", "unreachable"):
        return [], None
    raise ValueError(f"unknown instruction: {op} {rest}")


def successors(kernel, at):
    instruction = kernel.code[at]
    if instruction.op in ("ret", "unreachable"):
        return []
    if instruction.op == "br":
        return [kernel.labels[label] for label in instruction.detail]
    if instruction.op == "switch":
        default, others = instruction.detail
        return [kernel.labels[label] for label in (default, *others.values())]
    return [at + 1]


def liveness(kernel):
    live = [frozenset()] * len(kernel.code)
    changed = True
    while changed:
        changed = False
        for at in reversed(range(len(kernel.code))):
            instruction = kernel.code[at]
            after = frozenset().union(*(live[next] for next in successors(kernel, at)))
            read = {value.name for value in instruction.operands if isinstance(value, Register)}
            before = after - {instruction.target} | read
            changed |= before != live[at]
            live[at] = before
    return [sorted(registers) for registers in live]


def read_kernel(path, options, name):
    text = compiled(str(path), tuple(options))
    variables = re.findall(rf"^(@[\w.]+) = internal (?:unnamed_addr )?global ({TYPE}) ", text, re.MULTILINE)
    parameters, body = re.search(rf"^define [^\n]*@{name}\((.*?)\) [^\n]*{{\n(.*?)^}}", text,
                                 re.MULTILINE | re.DOTALL).groups()
    parameters = [parameter.split()[-1] for parameter in parts(parameters)]
    block = str(len(parameters))
    kernel = Kernel(parameters, [], {block: 0}, {variable: size(kind) for variable, kind in variables}, [])
    for line in re.sub(r"\n\s+(?=i\d+ -?\d+, label|\])", " ", body).split("\n"):
        label = re.match(r"([\w.]+):", line)
        line = re.sub(r"(?:, ![\w.]+ !\d+|, align \d+| #\d+|\s*;.*)+$", "", line.strip())
        if label:
            block = label[1]
            kernel.labels[block] = len(kernel.code)
        elif line:
            target, op, rest = re.match(r"(?:(%[\w.]+) = )?(?:tail )?(\w+) ?(.*)$", line).groups()
            kernel.code.append(Instruction(op, target, *decode(op, rest), block))
    kernel.live = liveness(kernel)
    return kernel
