"""Random Boolean programs with many threads and few variables: what a partial-order reduction can get wrong.

Loops without end beside threads that must still move, locks, regions in regions that wait, threads started in loops and
in regions, code that several threads share, gotos back and forth, assertions behind loops, long chains of steps that
nobody else sees.
"""
from fuzz.bool_text import BooleanProgram, Procedure

FREE = [("choice",), ("not", ("choice",))]


class ThreadedProgram(BooleanProgram):
    def make_main(self):
        f = Procedure("main", [], 0)
        f.locals = ["p", "q"][: self.random.choice([0, 1, 1, 2])]
        self.names, self.known = self.globals + f.locals, len(self.procedures)
        self.threads = self.random.randint(1, 3)
        self.targets_of_starts = [f"L{k}" for k in range(self.threads)]
        self.next_label = 0
        starts = [["start", 0, self.random.choice(self.targets_of_starts) if self.maybe(20) else l]
                  for l in self.targets_of_starts]
        first = [["assign", 0, list(self.globals), [("const", self.random.randrange(2)) for _ in self.globals],
                  None]] if self.maybe(85) else []
        bodies = [[["label", 0, l], *self.thread_body(), ["end", 0]] for l in self.targets_of_starts]
        main = [["label", 0, "main_begins"], *first, *self.interspersed(starts), *self.thread_body(), ["end", 0]]
        # a thread's code may stand before that of main: its steps go back then
        before = self.random.randint(0, len(bodies))
        parts = bodies[:before] + [main] + bodies[before:]
        f.body = [["goto", 0, ["main_begins"]]] + [s for part in parts for s in part]
        return f

    def interspersed(self, starts):
        out = []
        for s in starts:
            out += [s] if not self.maybe(15) else [["atomic", 0, [s, *self.small_block(1, 0)]]]
            if self.maybe(25):
                out += self.small_block(1, 1)
        return out

    def label(self):
        self.next_label += 1
        return f"J{self.next_label}"

    def local(self):
        locals_ = [n for n in self.names if n not in self.globals]
        return self.random.choice(locals_) if locals_ else None

    def literal(self, names):
        e = ("var", self.random.choice(names))
        return ("not", e) if self.maybe(50) else e

    def condition(self, names=None):
        names = names or self.names
        if self.maybe(75):
            return self.literal(names)
        return (self.random.choice(["and", "or", "xor"]), self.literal(names), self.literal(names))

    def small_block(self, most, height):
        return [s for _ in range(self.random.randint(1, most)) for s in self.small_statement(height)]

    def value(self):
        return self.random.choice([("const", 0), ("const", 1), ("choice",), self.literal(self.names), self.condition()])

    def set_one(self):
        return ["assign", 0, [self.random.choice(self.names)], [self.value()], None]

    def lock(self):
        """Takes a lock in one of three ways; what is behind it; leaves it."""
        name = self.random.choice(self.globals)
        free = ("not", ("var", name))
        take = [["assign", 0, [name], [("const", 1)], free]]
        if self.maybe(40):
            take = [["atomic", 0, [["assume", 0, free], ["assign", 0, [name], [("const", 1)], None]]]]
        elif self.maybe(20):
            take = [["assume", 0, free], ["assign", 0, [name], [("const", 1)], None]]
        return take + self.small_block(2, 0) + [["assign", 0, [name], [("const", 0)], None]]

    def chain(self):
        local = self.local()
        one = lambda: ["skip", 0] if not local or self.maybe(50) else ["assign", 0, [local], [self.value()], None]
        return [one() for _ in range(self.random.randint(2, 5))]

    def loop(self, height):
        kind = self.random.randrange(5)
        body = self.small_block(2, height - 1)
        if kind == 0:
            return [["while", 0, ("const", 1), body]]
        if kind == 1:
            return [["while", 0, self.random.choice(FREE), body]]
        if kind == 2:
            return [["while", 0, self.condition(), body]]
        begin, end = self.label(), self.label()
        if kind == 3:
            return [["label", 0, begin], *body, ["goto", 0, [begin, end]], ["label", 0, end], ["skip", 0]]
        return [["goto", 0, [end]], ["label", 0, begin], *body, ["label", 0, end], ["goto", 0, [begin, self.label()]],
                ["label", 0, f"J{self.next_label}"], ["skip", 0]]

    def region(self, height):
        inner = self.small_block(2, height - 1)
        if self.maybe(30):
            inner.append(["atomic", 0, self.small_block(2, 0)])
        if self.maybe(40):
            inner.insert(self.random.randrange(len(inner) + 1), ["assume", 0, self.condition()])
        return [["atomic", 0, inner]]

    def branch(self, height):
        other = self.small_block(1, height - 1) if self.maybe(50) else []
        return [["if", 0, ("choice",) if self.maybe(30) else self.condition(), self.small_block(2, height - 1), other]]

    def small_statement(self, height):
        kind = self.random.randrange(100)
        if kind < 26:
            return [self.set_one()]
        if kind < 36:
            return [["assert", 0,
                     ("or", self.literal(self.names), self.condition())]] if self.maybe(50) else [["assert", 0,
                         self.condition(self.globals)]]
        if kind < 50:
            return [["assume", 0, self.condition() if self.maybe(90) else ("or", ("choice",), self.condition())]]
        if kind < 56:
            return self.chain()
        if kind < 60:
            return [self.assignment(self.names)]
        if kind < 63:
            return [["start", 0, self.random.choice(self.targets_of_starts)]]
        if kind < 66 and self.known:
            return [self.call(self.names, self.known)]
        if kind < 68:
            return [["dead", 0, [self.random.choice(self.names)]]]
        if kind < 70:
            return [["end", 0]] if self.maybe(30) else [["skip", 0]]
        if height <= 0:
            return [self.set_one()]
        if kind < 78:
            return self.lock()
        if kind < 84:
            return self.region(height)
        if kind < 94:
            return self.loop(height)
        return self.branch(height)

    def thread_body(self):
        body = self.small_block(3, 2)
        if self.maybe(60):
            body.append(["assert", 0, self.condition()])
        return body
