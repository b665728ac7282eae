"""Four of the five classes of the paper's table 3, made anew: Boolean programs as text; those of the third come from
our own abstraction (run).

The paper's own programs are not public; these have what it says about them.  Every program is free of failing
assertions, so that all states have to be seen.
"""
import random


def names(letter, count):
    return [f"{letter}{i}" for i in range(count)]


def commas(words):
    return ", ".join(words)


def mostly_reachable(variables=30):
    """Class 1: three registers, mixed with each other and with choices in a loop; nearly every combination of values
    comes up."""
    third = variables // 3
    a, b, c = names("a", third), names("b", third), names("c", third)
    body = [f"{x} := {x} ^ ({y} & *);" for x, y in zip(a, b)]
    body += [f"{commas(b)} := {commas(b[1:] + ['*'])};",
             f"if (a0 & b1) then {commas(c)} := {commas(c[1:] + c[:1])}; else c0 := !c0; fi;",
             f"if (*) then {commas(a)} := {commas(a[1:] + a[:1])}; fi;"]
    parity = " ^ ".join(c)
    return (f"decl {commas(a + b + c)}, even;\nvoid main() begin\n  even := {parity};\n  while (*) do\n"
            + "".join(f"    {line}\n" for line in body)
            + f"    even := {parity};\n  od;\n  assert(even = ({parity}));\nend\n")


def multiplier(bits=5):
    """Class 2: the product of two numbers by adding one of them, shifted, for each bit of the other; both ways must
    agree."""
    a, b, p, q = names("a", bits), names("b", bits), names("p", 2 * bits), names("q", 2 * bits)

    def product(result, left, right):
        lines = [f"{commas(result)} := {commas(['0'] * len(result))};"]
        for shift, bit in enumerate(right):
            lines.append("carry := 0;")
            for i in range(shift, 2 * bits):
                term = f"({left[i - shift]} & {bit})" if i - shift < bits else "0"
                lines.append(f"{result[i]}, carry := {result[i]} ^ {term} ^ carry, ({result[i]} & {term}) | "
                             f"({result[i]} & carry) | ({term} & carry);")
        return lines

    lines = product(p, a, b) + product(q, b, a) + [f"assert({x} = {y});" for x, y in zip(p, q)]
    return f"decl {commas(a + b + p + q)}, carry;\nvoid main() begin\n" + "".join(f"  {line}\n"
        for line in lines) + "end\n"


class Driver:
    """A device driver as predicate abstraction shows it: predicates in pairs that exclude each other (x == 1, x ==
    2), which calls change in ways that are hardly known; procedures in layers; and a rule about a lock: it is taken
    and released in turn, and both depend on the same condition."""

    def __init__(self, seed, pairs, routines, leaves, calls):
        self.random = random.Random(seed)
        self.pairs = [(f"x{i}_is_1", f"x{i}_is_2") for i in range(pairs)]
        self.routines, self.leaves, self.calls = routines, leaves, calls

    def pair(self):
        return self.random.choice(self.pairs)

    def changed(self, pair, how=None):
        """Something happens to x."""
        one, two = pair
        values = how or self.random.choice([f"*, *", f"schoose[{two}, !{two} & !{one}], *",
                                            f"*, schoose[{one}, {two}]"])
        return f"{one}, {two} := {values} constrain (!({one}' & {two}'));"

    def leaf(self, k):
        (a, b), (c, d) = self.pair(), self.pair()
        lines = [f"p, q := schoose[given & {a}, !given], schoose[{c}, {d} & !given] constrain (!(p' & q' & {b}));",
                 "goto L1, L2;", f"L1: assume(p & !{b});",
                 self.changed((a, b)), f"if ({c}) then q := given; else q := q ^ *; fi;", "goto L3;",
                 f"L2: assume(!p | {b});",
                 f"if (*) then {self.changed((c, d))} fi;", "q := schoose[given, p];", "L3: skip;",
                 self.changed((c, d), "*, *"), self.changed((a, b), "*, *"), "return q, p | q;"]
        return f"bool<2> leaf{k}(given) begin\n  decl p, q;\n" + "".join(f"  {line}\n" for line in lines) + "end\n"

    def body(self):
        """Calls, some of them in loops."""
        lines = []
        for _ in range(self.calls):
            leaf, kind = self.random.randrange(self.leaves), self.random.randrange(4)
            call = f"r, s := leaf{leaf}({self.random.choice(['r', 's', '*', 'r ^ s'])});"
            lines += [f"while (*) do {call} od;"] if kind == 0 else ["if (r) then", "  " + call, "else",
                                                                     f"  {self.changed(self.pair(), '*, *')}",
                                                                     "fi;"] if kind == 1 else [call]
        return lines + ["r, s := 0, 0;"]

    def routine(self, k, acquire, release):
        one, two = self.pair()
        condition = self.random.choice([f"schoose[{one}, {two}]", "*", f"schoose[{one} & !{two}, {two}]"])
        lines = [f"needed := {condition};", f"if (needed) then {acquire}(); fi;", "r, s := *, *;", *self.body(),
                 f"if (needed) then {release}(); fi;"]
        return f"void routine{k}() begin\n  decl needed, r, s;\n" + "".join(f"  {line}\n" for line in lines) + "end\n"

    def initially(self):
        return "".join(f"  {self.changed(pair, '*, *')}\n" for pair in self.pairs)

    def dispatch(self, first, last):
        labels = [f"R{k}" for k in range(first, last)]
        cases = "".join(f"  R{k}: routine{k}(); goto AGAIN{first};\n" for k in range(first, last))
        return f"  AGAIN{first}: goto {commas(labels + [f'STOP{first}'])};\n{cases}  STOP{first}: skip;\n"

    def declarations(self):
        return f"decl {commas([x for pair in self.pairs for x in pair])};\n" + "".join(self.leaf(k)
            for k in range(self.leaves))

    def sequential(self):
        return ("decl held;\n" + self.declarations()
                + "void acquire() begin assert(!held); held := 1; end\nvoid release() begin assert(held); held := 0; "
                  "end\n"
                + "".join(self.routine(k, "acquire", "release") for k in range(self.routines))
                + f"void main() begin\n  held := 0;\n{self.initially()}{self.dispatch(0, self.routines)}  "
                  f"assert(!held);\nend\n")


class ThreadedDriver(Driver):
    """The same with three threads, which share the predicates and use them with the lock held."""

    def routine(self, k, acquire, release):
        lines = ["r, s := *, *;", f"{acquire}();", *self.body(), f"{release}();"]
        return f"void routine{k}() begin\n  decl r, s;\n" + "".join(f"  {line}\n" for line in lines) + "end\n"

    def concurrent(self, threads=3):
        bounds = [self.routines * t // threads for t in range(threads + 1)]
        starts = "".join(f"  start_thread goto T{t};\n" for t in range(1, threads))
        bodies = "".join(f"  T{t}: skip;\n{self.dispatch(bounds[t], bounds[t + 1])}  end_thread;\n"
                         for t in range(threads))
        return ("decl lock, inside;\n" + self.declarations()
                + "void acquire() begin atomic_begin; assume(!lock); lock := 1; atomic_end; assert(!inside); inside := "
                  "1; end\n"
                + "void release() begin assert(inside); inside := 0; lock := 0; end\n"
                + "".join(self.routine(k, "acquire", "release") for k in range(self.routines))
                + f"void main() begin\n  lock, inside := 0, 0;\n{self.initially()}{starts}{bodies}end\n")


def large_sequential():
    """Class 4."""
    return Driver(4, pairs=24, routines=60, leaves=60, calls=25).sequential()


def less_sequential():
    """Class 4 for SPIN: of the large one spin and gcc make no search in a quarter of an hour."""
    return Driver(4, pairs=24, routines=24, leaves=60, calls=25).sequential()


def large_concurrent():
    """Class 5."""
    return ThreadedDriver(5, pairs=16, routines=6, leaves=150, calls=50).concurrent()
