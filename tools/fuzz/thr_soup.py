"""Unplanned programs: random statements over a few shared variables, some of them under locks.  Mostly wrong, in
ways nobody thought of."""
from fuzz.thr_text import Lock


class Soup:
    def __init__(self, program):
        self.program, self.rng = program, program.rng
        self.x, self.y, self.cells, self.s, self.p, self.a = (program.fresh(n)
                                                              for n in ("x", "other", "cells", "record", "p", "atom"))
        self.locks = [Lock(program,
                           program.rng.choice(["mutex", "mutex", "errorcheck", "recursive", "spin", "rwlock"]))
                           for _ in range(program.rng.choice([1, 2]))]
        program.share(f"int {self.x}, {self.y} = 1, {self.cells}[2];\nstruct "
                      f"{{ char kind; int n; struct {{ short u, v; }} in; }} {self.s};\n"
                      f"int *{self.p} = &{self.y};\natomic_int {self.a};")

    def place(self):
        return self.rng.choice([self.x, self.y, f"{self.cells}[0]", f"{self.cells}[{self.x} & 1]", f"{self.s}.n",
                                f"{self.s}.in.v", f"(*{self.p})", self.a])

    def value(self):
        return self.rng.choice([self.x, self.y, self.a, f"{self.s}.n", f"{self.cells}[1]", str(self.rng.randint(0, 3)),
                                f"{self.x} + 1"])

    def condition(self):
        return self.rng.choice([f"{self.x} == {self.rng.randint(0, 2)}", f"{self.y} > 0", f"{self.a} < 2",
                                "__VERIFIER_nondet_bool ()", f"{self.s}.n != {self.y}",
                                f"{self.p} == &{self.x}", f"{self.s}.kind"])

    def small(self):
        """One or two visible steps."""
        form, place = self.rng.random(), self.place()
        if form < 0.4:
            value = self.value()
            return f"{place} = {value};\n" if value != place else f"{place} -= 1;\n"
        if form < 0.55:
            return f"{place}++;\n"
        if form < 0.65:
            return f"{self.p} = {self.rng.choice([f'&{self.x}', f'&{self.y}', f'&{self.cells}[1]', 'NULL'])};\n"
        if form < 0.75:
            return f"{self.s}.kind = {self.rng.randint(0, 1)};\n"
        if form < 0.9:
            return (f"atomic_{self.rng.choice(['fetch_add', 'fetch_sub', 'exchange', 'fetch_or'])} (&{self.a}, "
                    f"{self.rng.randint(0, 2)});\n")
        return f"assert ({self.value()} {self.rng.choice(['<=', '>=', '!='])} {self.rng.randint(0, 4)});\n"

    def statement(self):
        form, lock = self.rng.random(), self.rng.choice(self.locks)
        if form < 0.4:
            return self.small()
        if form < 0.55:
            return f"if ({self.condition()})\n  {self.small()}"
        if form < 0.62:
            return f"for (int i = 0; i < 2; i++)\n  {self.small()}"
        if form < 0.66:
            return f"if ({lock.taking()})\n  {{\n    {self.small()}    {lock.give}\n  }}\n"
        if form < 0.70:
            return "__VERIFIER_atomic_begin ();\n" + self.small() + self.small() + "__VERIFIER_atomic_end ();\n"
        inside = self.small() + (self.small() if self.rng.random() < 0.4 else "")
        if self.rng.random() < 0.2 and len(self.locks) > 1:
            other = self.locks[1 - self.locks.index(lock)]
            inside = f"{other.take}\n{inside}{other.give}\n"
        text = f"{lock.take}\n{inside}{lock.give}\n"
        mistake = self.rng.random()
        if mistake < 0.06:
            text = f"{lock.take}\n{inside}"
        elif mistake < 0.12:
            text = f"{inside}{lock.give}\n"
        elif mistake < 0.16:
            text = f"{lock.take}\nif ({self.condition()})\n  return NULL;\n{inside}{lock.give}\n"
        return text


def soup(program):
    program.note("soup")
    made = Soup(program)
    for k in range(program.workers):
        for _ in range(program.rng.randint(1, 3 if program.workers == 2 else 2)):
            program.worker(k, made.statement())
    program.finish(f"assert ({made.x} {program.rng.choice(['<=', '!='])} {program.rng.randint(1, 4)});")


PATTERNS = [("soup", soup)] * 6
