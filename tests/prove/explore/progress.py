"""Whether a launch is guaranteed to end, for each model of progress, with a number of places for groups."""

MODELS = "HSA", "OBE", "HSA_OBE", "LOBE", "FAIR"


def components(states, steps):
    """Strongly connected, by Tarjan; each is a set."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in states:
        if root in index:
            continue
        path = [(root, None)]
        while path:
            state, rest = path.pop()
            if rest is None:
                index[state] = low[state] = len(index)
                stack.append(state)
                on_stack.add(state)
                rest = [after for after in steps[state].values() if after in states]
            while rest and rest[-1] in index:
                after = rest.pop()
                if after in on_stack:
                    low[state] = min(low[state], low[after])
            if rest:
                path += [(state, rest), (rest[-1], None)]
            elif low[state] == index[state]:
                found.append(set())
                while state not in found[-1]:
                    found[-1].add(stack.pop())
                on_stack -= found[-1]
    return found


class Judge:
    """`places` groups may run at one time: a group that has not started has a step only if there is one left for it,
    beside those that run and those that the model promises turns before they start."""

    def __init__(self, graph, places, model):
        self.graph, self.machine, self.places, self.model = graph, graph.machine, places, model
        self.steps = [{item: after for item, after in steps.items() if self.has_place(number, self.machine.group(item))}
                      for number, steps in enumerate(graph.steps)]
        reached, todo = {0}, [0]
        while todo:
            new = set(self.steps[todo.pop()].values()) - reached
            reached |= new
            todo += new
        everybody = (1 << self.machine.groups) - 1
        self.stands_still = any(not self.steps[state] and graph.ended[state] != everybody for state in reached)
        self.circles = [states for states in components(reached, self.steps) if self.has_step(states)]

    def has_place(self, state, group):
        started, ended = self.graph.started[state], self.graph.ended[state]
        if started >> group & 1:
            return True
        kept = 0
        if self.model in ("HSA", "HSA_OBE"):
            kept = ~ended & ended + 1
        elif self.model in ("LOBE", "FAIR"):
            kept = (1 << max(started.bit_length(), group + 1)) - 1
        return ((started | kept | 1 << group) & ~ended).bit_count() <= self.places

    def has_step(self, states):
        return any(after in states for state in states for after in self.steps[state].values())

    def fair(self, states, model):
        """Work-items that the model promises turns, in states that lead to each other."""
        state = next(iter(states))
        started, running = self.graph.started[state], ~self.graph.ended[state] & (1 << self.machine.groups) - 1
        lowest = running & -running
        groups = {"HSA": lowest, "OBE": running & started, "HSA_OBE": lowest | running & started,
                  "LOBE": running & (1 << started.bit_length()) - 1, "FAIR": running}[model]
        return {item for item in range(self.machine.count) if groups >> self.machine.group(item) & 1}

    def may_stay(self, states, model):
        """For ever, although each fair work-item gets its turn, or has none now and then."""
        return all(any(self.steps[state].get(item, state) in states for state in states)
                   for item in self.fair(states, model))

    def trap(self, states, model):
        """States among these that fair work-items do not leave."""
        todo = [states]
        while todo:
            states = todo.pop()
            fair = self.fair(states, model)
            leave = {state for state in states
                     if any(item in fair and after not in states for item, after in self.steps[state].items())}
            if not leave:
                return True
            rest = states - leave
            todo += [part for part in components(rest, self.steps)
                     if any(after in part for state in part for after in self.steps[state].values())]
        return False

    def ends(self, model, fairness):
        if self.stands_still:
            return False
        fails = self.may_stay if fairness == "weak" else self.trap
        return not any(fails(states, model) for states in self.circles)

    def ends_anyway(self):
        return not self.stands_still and not self.circles


def needs(graph):
    """Model, places and fairness, as expected.tsv has them."""
    groups = graph.machine.groups
    judges = {(places, model): Judge(graph, places, model) for places in range(1, groups + 1) for model in MODELS}
    if judges[groups, "OBE"].ends_anyway():
        return "any", "1", "-"
    for models in (("HSA", "OBE"), *((model,) for model in MODELS)):
        for fairness in ("weak", "strong"):
            enough = [places for places in range(1, groups + 1)
                      if all(judges[places, model].ends(model, fairness) for model in models)]
            if groups in enough:
                least = next(places for places in range(groups, -1, -1) if places not in enough) + 1
                return "|".join(models), str(least), fairness
    return "none", "-", "-"
