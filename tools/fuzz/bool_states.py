"""A reference for Boolean programs: all states of a tree of fuzz/bool_text.py, one by one, with stacks instead of
inlining.

It follows docs/formats/boolean-programs.md and shares nothing with lockstep.  A thread is (frames, depth of atomic
regions); a frame is (procedure, place, values of its variables), the innermost first.
"""
from itertools import product


class TooLarge(Exception):
    """More states than the limit."""


# ---- code: each procedure as a list of instructions (kind, line, operands...) ----

class Code:
    def __init__(self, procedure):
        self.names = procedure.params + procedure.locals
        self.params, self.results, self.enforced = procedure.params, procedure.results, procedure.enforced
        self.list, self.labels = [], {}
        self.block(procedure.body)
        self.list.append(("return", 0, None))
        self.list = [self.resolve(i) for i in self.list]

    def resolve(self, i):
        if i[0] == "goto":
            return (i[0], i[1], [self.labels.get(t, t) for t in i[2]])
        return (i[0], i[1], self.labels[i[2]]) if i[0] == "start" else i

    def block(self, block):
        for s in block:
            self.statement(s)

    def hole(self):
        self.list.append(None)
        return len(self.list) - 1

    def statement(self, s):
        kind, line = s[0], s[1]
        if kind == "label":
            self.labels[s[2]] = len(self.list)
        elif kind == "atomic":
            self.list.append(("begin", line))
            self.block(s[2])
            self.list.append(("finish", line))
        elif kind == "if":
            fork = self.hole()
            self.block(s[3])
            jump = self.hole()
            self.list[fork] = ("fork", line, s[2], fork + 1, len(self.list))
            self.block(s[4])
            self.list[jump] = ("jump", line, len(self.list))
        elif kind == "while":
            fork = self.hole()
            self.block(s[3])
            self.list.append(("jump", line, fork))
            self.list[fork] = ("fork", line, s[2], fork + 1, len(self.list))
        else:
            self.list.append(tuple(s))


# ---- values ----

def count_choices(e):
    return (e[0] in ("choice", "schoose")) + sum(count_choices(x) for x in e[1:] if isinstance(x, tuple))


def evaluate(e, now, after, choices):
    """One value; takes what it chooses from the iterator."""
    kind = e[0]
    if kind == "const":
        return e[1]
    if kind == "var":
        return now(e[1])
    if kind == "next":
        return after(e[1])
    if kind == "choice":
        return next(choices)
    if kind == "not":
        return 1 - evaluate(e[1], now, after, choices)
    a, b = evaluate(e[1], now, after, choices), evaluate(e[2], now, after, choices)
    if kind == "schoose":
        free = next(choices)
        return 1 if a else 0 if b else free
    return {"and": a & b, "or": a | b, "xor": a ^ b, "equal": 1 - (a ^ b), "implies": (1 - a) | b}[kind]


class States:
    def __init__(self, program, limit, threads=None):
        """No more than `limit` states; executions with more than so many threads at once are left out."""
        self.program, self.limit, self.threads = program, limit, threads
        self.is_cut = False  # some were
        self.globals = program.globals
        self.code = {f.name: Code(f) for f in program.procedures}
        self.failed = set()  # lines of assertions that fail

    # ---- variables: of the innermost frame, else global ----

    def reader(self, values, frame):
        names = self.code[frame[0]].names

        def read(name):
            return frame[2][names.index(name)] if name in names else values[self.globals.index(name)]
        return read

    def written(self, values, frame, targets, results):
        values, own, names = list(values), list(frame[2]), self.code[frame[0]].names
        for name, value in zip(targets, results):
            if name == "_":
                continue
            if name in names:
                own[names.index(name)] = value
            else:
                values[self.globals.index(name)] = value
        return tuple(values), (frame[0], frame[1], tuple(own))

    def global_reader(self, values):
        return lambda name: values[self.globals.index(name)]

    def ways(self, expressions, values, frame, after=None):
        """All tuples of values that the expressions may have at once."""
        return self.ways_of(expressions, self.reader(values, frame), after)

    def ways_of(self, expressions, now, after=None):
        for chosen in product((0, 1), repeat=sum(map(count_choices, expressions))):
            choices = iter(chosen)
            yield tuple(evaluate(e, now, after or now, choices) for e in expressions)

    def may_be(self, e, values, frame, wanted, after=None):
        return any(way[0] == wanted for way in self.ways([e], values, frame, after))

    def is_enforced(self, values, frame):
        """What is enforced outside of all procedures is about globals, also where a local has the same name."""
        inside, outside = self.code[frame[0]].enforced, self.program.enforced
        if inside and not self.may_be(inside, values, frame, 1):
            return False
        return not outside or any(way[0] for way in self.ways_of([outside], self.global_reader(values)))

    # ---- steps ----

    def successors(self, values, thread):
        """(values, thread or None, new thread or None) after each step of this thread."""
        frames, depth = thread
        frame = frames[0]
        name, place, own = frame
        i = self.code[name].list[place]
        ahead = (name, place + 1, own)
        if i[0] != "begin" and i[0] != "jump" and not self.is_enforced(values, frame):
            return
        if i[0] in ("assign", "dead"):
            expressions = i[3] if i[0] == "assign" else [("choice",)] * len(i[2])
            for results in set(self.ways(expressions, values, frame)):
                new_values, new_frame = self.written(values, ahead, i[2], results)
                fits = i[0] == "dead" or not i[4] or self.may_be(i[4], values, frame, 1,
                                                                 self.reader(new_values, new_frame))
                if fits and self.is_enforced(new_values, new_frame):
                    yield new_values, ((new_frame, *frames[1:]), depth), None
            return
        if i[0] == "assume" and not self.may_be(i[2], values, frame, 1):
            return
        if i[0] == "assert":
            if self.may_be(i[2], values, frame, 0):
                self.failed.add(i[1])
            if not self.may_be(i[2], values, frame, 1):
                return
        if i[0] == "fork":
            for wanted, target in ((1, i[3]), (0, i[4])):
                if self.may_be(i[2], values, frame, wanted):
                    yield values, (((name, target, own), *frames[1:]), depth), None
        elif i[0] == "jump":
            yield values, (((name, i[2], own), *frames[1:]), depth), None
        elif i[0] == "goto":
            for target in i[2]:
                yield values, (((name, target, own), *frames[1:]), depth), None
        elif i[0] == "call":
            callee = self.code[i[3]]
            free = len(callee.names) - len(callee.params)
            for arguments in set(self.ways(i[4], values, frame)):
                for rest in product((0, 1), repeat=free):
                    yield values, (((i[3], 0, arguments + rest), ahead, *frames[1:]), depth), None
        elif i[0] == "return":
            yield from self.returns(values, thread, i)
        elif i[0] == "end":
            yield values, None, None
        elif i[0] == "start":
            yield values, ((ahead, *frames[1:]), depth), (((name, i[2], own),), 0)
        else:
            depth += {"begin": 1, "finish": -1}.get(i[0], 0)
            yield values, ((ahead, *frames[1:]), depth), None

    def returns(self, values, thread, i):
        frames, depth = thread
        if len(frames) == 1:
            yield values, None, None
            return
        caller = frames[1]
        targets = self.code[caller[0]].list[caller[1] - 1][2]
        expressions = i[2] if i[2] is not None else [("choice",)] * self.code[frames[0][0]].results
        for results in set(self.ways(expressions if targets else [], values, frames[0])):
            new_values, new_caller = self.written(values, caller, targets, results)
            yield new_values, ((new_caller, *frames[2:]), depth), None

    def search(self):
        """The lines of all assertions that can fail."""
        main = self.code["main"]
        work = [(v, ((("main", 0, l),), 0)) for v in product((0, 1), repeat=len(self.globals))
                for l in product((0, 1), repeat=len(main.names))]
        work = [(v, (t,)) for v, t in work]
        seen = set(work)
        while work:
            values, threads = work.pop()
            inside = [k for k, t in enumerate(threads) if t[1]]
            for k in inside or range(len(threads)):
                rest = threads[:k] + threads[k + 1:]
                for new_values, moved, born in self.successors(values, threads[k]):
                    if born and len(threads) == self.threads:
                        self.is_cut = True
                        continue
                    state = (new_values, tuple(sorted(rest + tuple(t for t in (moved, born) if t))))
                    if state not in seen:
                        seen.add(state)
                        work.append(state)
                if len(seen) > self.limit:
                    raise TooLarge
        return self.failed
