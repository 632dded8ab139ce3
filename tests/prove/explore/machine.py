"""Runs the work-items of a small launch, one access to shared memory at a time, and finds all states that it has."""
import collections
import operator

import ir

BUFFERS, VARIABLES, PRIVATE = 1, 0x80, 0x100  # addresses: number << SPACE; arguments, local variables, private ones
SPACE = 20
NOBODY = -1  # the group of global memory
TURNS = 5000  # without an access: it turns for ever

ORDERS = RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = 0, 2, 3, 4, 5  # as clang numbers them
SCOPES = GROUP, DEVICE = 1, 2

Access = collections.namedtuple("Access", "place kind atomic order scope")  # kind: load, store or update
Fence = collections.namedtuple("Fence", "flags order scope")
State = collections.namedtuple("State", "items memory started")

# Where a work-item is: before an access (RUNS) or a barrier (MEETS), in a loop without one, or at its end.
RUNS, MEETS, TURNS_ROUND, ENDED = "runs", "meets", "turns round", "ended"
Item = collections.namedtuple("Item", "is_at at registers private", defaults=(None, (), ()))

ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "udiv": operator.floordiv,
              "urem": operator.mod, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
              "shl": operator.lshift, "lshr": operator.rshift}
RELATIONS = {"eq": operator.eq, "ne": operator.ne, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt,
             "le": operator.le}
LEGACY = ("add", "sub", "xchg", "cmpxchg", "inc", "dec", "or", "and", "xor", "min", "max")  # without _explicit: relaxed
UPDATES = {"add": operator.add, "sub": operator.sub, "or": operator.or_, "and": operator.and_, "xor": operator.xor,
           "min": min, "max": max, "inc": lambda old: old + 1, "dec": lambda old: old - 1,
           "xchg": lambda old, value: value, "flag_test_and_set": lambda old: 1, "exchange": lambda old, value: value,
           "cmpxchg": lambda old, expected, value: value if old == expected else old}
# How many values a function has, if not one.
TAKES = {"load": 0, "flag_test_and_set": 0, "flag_clear": 0, "compare_exchange_strong": 2, "compare_exchange_weak": 2,
         "cmpxchg": 2, "inc": 0, "dec": 0}


class OutOfBounds(Exception):
    pass


def signed(value, width):
    return value - (1 << width) if value >> width - 1 & 1 else value


def arithmetic(op, first, second, width):
    if op == "ashr":
        return signed(first, width) >> second
    if op in ("sdiv", "srem"):
        first, second = signed(first, width), signed(second, width)
        quotient = abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)
        return quotient if op == "sdiv" else first - second * quotient
    return ARITHMETIC[op](first, second)


def contents(memory, place, size):
    """Of local memory that nobody has written no likely number, for it may be any: an index leads nowhere."""
    return memory.get(place, 0 if place[0] == NOBODY else int.from_bytes(bytes([0xa5] * size), "little"))


def size_of_atomic(name):
    """Those of 64 bits have names of their own."""
    return 8 if name.startswith("atom_") else 4


class Machine:
    def __init__(self, kernel, groups, local_size, arguments):
        self.kernel, self.groups, self.local_size = kernel, groups, local_size
        self.count = groups * local_size
        self.sizes, self.initial, self.arguments = {}, {}, {}
        self.out_of_bounds = self.divergent = self.endless = False
        self.fences = []  # of a work-item that runs, since its last access
        for number, (name, argument) in enumerate(zip(kernel.parameters, arguments, strict=True), BUFFERS):
            self.arguments[name] = self.argument(number, argument)
        for number, (name, size) in enumerate(kernel.variables.items(), VARIABLES):
            self.arguments[name] = number << SPACE
            self.sizes[number] = size
        self.local = {number for number, argument in enumerate(arguments, BUFFERS) if argument.startswith("local")}

    def argument(self, number, text):
        kind, _, rest = text.partition(":")
        if not rest:
            return int(text)
        length, _, content = rest.partition("=")
        self.sizes[number] = int(length)
        if content == "seq":
            self.initial |= {(NOBODY, (number << SPACE) + 4 * i): i for i in range(1, int(length) // 4)}
        return number << SPACE

    def group(self, item):
        return item // self.local_size

    def members(self, group):
        return range(group * self.local_size, (group + 1) * self.local_size)

    # --- one work-item ---

    def value(self, operand, registers):
        if isinstance(operand, int):
            return operand
        if isinstance(operand, ir.Register):
            return registers.get(operand.name, 0)
        return self.arguments[operand.name] + operand.offset

    def query(self, name, item, dimension):
        """What a function says of a launch of one dimension."""
        if dimension:
            return 1 if "size" in name or "num" in name else 0
        return {"get_group_id": self.group(item), "get_local_id": item % self.local_size, "get_global_id": item,
                "get_num_groups": self.groups, "get_local_size": self.local_size, "get_global_size": self.count,
                "get_global_offset": 0}[name]

    def jump(self, at, label, registers):
        """Goes to the block; returns where."""
        came_from, at = self.kernel.code[at].block, self.kernel.labels[label]
        values = {}
        while self.kernel.code[at].op == "phi":
            phi = self.kernel.code[at]
            if came_from in phi.detail:
                values[phi.target] = self.value(phi.operands[phi.detail.index(came_from)], registers)
            at += 1
        registers |= values
        return at

    def plain(self, instruction, values):
        """The value of an instruction that depends on its operands alone."""
        op, detail = instruction.op, instruction.detail
        if op in ir.BINARY:
            return arithmetic(op, *values, detail) & (1 << detail) - 1
        if op == "icmp":
            relation, width = detail
            if relation[0] == "s":
                values = [signed(value, width) for value in values]
            return int(RELATIONS[relation[-2:]](*values))
        if op in ir.CASTS:
            before, after = detail
            return (signed(values[0], before) if op == "sext" else values[0]) & (1 << after) - 1
        if op == "select":
            return values[1] if values[0] else values[2]
        return values[0] + sum(signed(index, width) * stride for index, (stride, width) in zip(values[1:], detail))

    def call(self, item, instruction, values):
        """A call that accesses no shared memory: its value. False: it does, or meets."""
        name = instruction.detail
        if name.startswith("get_"):
            return self.query(name, item, values[0])
        if name in ("min", "max") or name.startswith("llvm.um"):
            return (min if "min" in name else max)(values)
        if name == "mem_fence":
            self.fences.append(Fence(values[0], ACQ_REL, GROUP))
        elif name == "atomic_work_item_fence":
            self.fences.append(Fence(*values))
        elif not name.startswith("llvm.lifetime"):
            return False
        return 0

    def run(self, item, at, registers, private):
        """From an instruction to the next access to shared memory, barrier or end."""
        self.fences = []
        for _ in range(TURNS):
            instruction = self.kernel.code[at]
            values = [self.value(operand, registers) for operand in instruction.operands]
            if instruction.op in ("ret", "unreachable"):
                return Item(ENDED)
            if instruction.op == "br":
                at = self.jump(at, instruction.detail[0 if not values or values[0] else 1], registers)
                continue
            if instruction.op == "switch":
                default, others = instruction.detail
                at = self.jump(at, others.get(values[0], default), registers)
                continue
            if instruction.op == "alloca":
                result = PRIVATE + at << SPACE
            elif instruction.op in ("load", "store"):
                if not PRIVATE <= values[0] >> SPACE < PRIVATE + len(self.kernel.code):
                    return self.stopped(RUNS, at, registers, private)
                result = private.get(values[0], 0)
                if instruction.op == "store":
                    private[values[0]] = values[1]
            elif instruction.op == "call":
                result = self.call(item, instruction, values)
                if result is False:
                    meets = instruction.detail in ("barrier", "work_group_barrier")
                    return self.stopped(MEETS if meets else RUNS, at, registers, private)
                if instruction.detail.startswith("llvm.lifetime"):
                    private.pop(values[1], None)
            else:
                result = self.plain(instruction, values)
            if instruction.target:
                registers[instruction.target] = result
            at += 1
        self.endless = True
        return Item(TURNS_ROUND)

    def stopped(self, is_at, at, registers, private):
        live = tuple((name, registers[name]) for name in self.kernel.live[at] if name in registers)
        return Item(is_at, at, live, tuple(sorted(private.items())))

    # --- memory ---

    def place(self, item, address, size):
        """A key of memory: the group of what is local, and the address."""
        number, offset = address >> SPACE, address & (1 << SPACE) - 1
        if offset + size > self.sizes.get(number, 0):
            raise OutOfBounds
        is_local = number >= VARIABLES or number in self.local
        return (self.group(item) if is_local else NOBODY, address)

    def access(self, item, stopped, memory):
        """Makes the access at which a work-item has stopped; returns what it was, and the work-item's next state."""
        instruction, registers, private = self.kernel.code[stopped.at], dict(stopped.registers), dict(stopped.private)
        values = [self.value(operand, registers) for operand in instruction.operands]
        if instruction.op == "call":
            place = self.place(item, values[0], size_of_atomic(instruction.detail))
            access, result = self.atomic(instruction.detail, place, values[1:], memory, private)
        else:
            place = self.place(item, values[0], instruction.detail)
            access, result = Access(place, instruction.op, False, RELAXED, DEVICE), contents(memory, place,
                                                                                            instruction.detail)
            if instruction.op == "store":
                memory[place] = values[1]
        if place[0] == NOBODY and memory.get(place, 0) == 0:
            memory.pop(place, None)
        if instruction.target:
            registers[instruction.target] = result
        return access, self.run(item, stopped.at + 1, registers, private)

    def atomic(self, name, place, values, memory, private):
        """Makes an atomic access; returns what it was, and its value."""
        size = size_of_atomic(name)
        old = contents(memory, place, size)
        name = name.split("_", 1)[1]
        explicit = name.endswith("_explicit")
        name = name.removesuffix("_explicit")
        legacy, name = name in LEGACY, name.removeprefix("fetch_")
        count = TAKES.get(name, 1)
        own, rest = values[:count], values[count:]
        order = rest[0] if explicit else RELAXED if legacy else SEQ_CST
        scope = rest[-1] if explicit and len(rest) > 1 + name.startswith("compare") else DEVICE
        if name == "load":
            return Access(place, "load", True, order, scope), old
        if name.startswith("compare"):
            expected, value = own
            if private.get(expected, 0) != old:
                private[expected] = old
                return Access(place, "load", True, rest[1] if explicit else SEQ_CST, scope), 0
            memory[place] = value
            return Access(place, "update", True, order, scope), 1
        if name in ("store", "init", "flag_clear"):
            memory[place] = own[0] if own else 0
            return Access(place, "store", True, order, scope), 0
        memory[place] = UPDATES[name](old, *own) & (1 << 8 * size) - 1
        return Access(place, "update", True, order, scope), old

    # --- the launch ---

    def meet(self, items):
        """Lets go the work-items of groups that are all at a barrier; returns the groups that met, and the items."""
        items, met = list(items), []
        for group in range(self.groups):
            while all(items[item].is_at == MEETS for item in self.members(group)):
                met.append((group, [items[item].at for item in self.members(group)]))
                self.divergent |= len({items[item].at for item in self.members(group)}) > 1
                for item in self.members(group):
                    stopped = items[item]
                    items[item] = self.run(item, stopped.at + 1, dict(stopped.registers), dict(stopped.private))
        return met, tuple(items)

    def begin(self):
        items = [self.run(item, 0, dict(self.arguments), {}) for item in range(self.count)]
        return State(self.meet(items)[1], tuple(sorted(self.initial.items())), 0)

    def step(self, state, item):
        if state.items[item].is_at == TURNS_ROUND:
            return state._replace(started=state.started | 1 << self.group(item))
        memory = dict(state.memory)
        try:
            _, after = self.access(item, state.items[item], memory)
        except OutOfBounds:
            self.out_of_bounds, after = True, Item(ENDED)
        items = state.items[:item] + (after,) + state.items[item + 1:]
        memory = tuple(sorted(memory.items()))
        return State(self.meet(items)[1], memory, state.started | 1 << self.group(item))

    def ended(self, state):
        """A bit for each group."""
        return sum(1 << group for group in range(self.groups)
                   if all(state.items[item].is_at == ENDED for item in self.members(group)))


class Graph:
    """All states of a launch; of each, its steps, from work-items to states, and which groups started and ended."""

    def __init__(self, machine, most=100000):
        self.machine = machine
        numbers, self.states, self.steps = {}, [machine.begin()], []
        numbers[self.states[0]] = 0
        while len(self.steps) < len(self.states):
            state, steps = self.states[len(self.steps)], {}
            for item, stopped in enumerate(state.items):
                if stopped.is_at in (RUNS, TURNS_ROUND):
                    after = machine.step(state, item)
                    if after not in numbers:
                        numbers[after] = len(self.states)
                        self.states.append(after)
                    steps[item] = numbers[after]
            self.steps.append(steps)
            if len(self.states) > most:
                raise OverflowError(f"more than {most} states")
        self.started = [state.started for state in self.states]
        self.ended = [machine.ended(state) for state in self.states]
        machine.divergent |= any(self.is_left_alone(state) for state in self.states)

    def is_left_alone(self, state):
        """A work-item is at a barrier that another one of its group has ended without."""
        return any({MEETS, ENDED} <= {state.items[item].is_at for item in self.machine.members(group)}
                   for group in range(self.machine.groups))

    def outcomes(self):
        """The different contents of global memory when all groups have ended."""
        everybody = (1 << self.machine.groups) - 1
        return {tuple(cell for cell in state.memory if cell[0][0] == NOBODY)
                for state, ended in zip(self.states, self.ended) if ended == everybody}
