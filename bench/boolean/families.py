"""Concurrent Boolean programs of growing size, for comparing the ways of the reduction.  All are free of failing
assertions.

Flags that threads wait for are plain variables, or *hidden*: the sum of three bits, none of which is known.  Then
only a solver knows which threads can move.
"""
from classes import ThreadedDriver, commas, names


class Plain:
    def __init__(self, name):
        self.name, self.bits, self.initially = name, [name], []

    def value(self):
        return self.name

    def set(self, value):
        return f"{self.name} := {value};"


class Hidden:
    def __init__(self, name):
        self.bits = [f"{name}_{i}" for i in range(3)]
        self.initially = [f"{commas(self.bits[:2])} := *, *;"]

    def value(self):
        return f"({' ^ '.join(self.bits)})"

    def set(self, value):
        return f"{self.bits[2]} := {self.bits[0]} ^ {self.bits[1]} ^ {value};"


class Deep:
    """Hidden in so many bits that their values cannot be listed."""
    BITS = 14

    def __init__(self, name):
        self.bits = [f"{name}_{i}" for i in range(self.BITS)]
        self.initially = [f"{commas(self.bits[:-1])} := {commas('*' * (self.BITS - 1))};"]

    def value(self):
        return f"({' ^ '.join(reversed(self.bits))})"

    def set(self, value):
        return f"{self.bits[-1]} := {' ^ '.join(self.bits[:-1])} ^ {value};"


def program(globals_, locals_, initially, threads):
    """`threads`: statements of each; the first one is that of main."""
    starts = "".join(f"  start_thread goto T{t};\n" for t in range(1, len(threads)))
    bodies = "".join(f"  T{t}: skip;\n" + "".join(f"  {line}\n" for line in lines) + "  end_thread;\n" for t,
                     lines in enumerate(threads))
    return f"decl {commas(globals_)};\nvoid main() begin\n  decl {commas(locals_)};\n" + "".join(f"  {line}\n"
        for line in initially) + starts + bodies + "end\n"


def with_flags(flags, others, locals_, initially, threads):
    first = [line for flag in flags for line in [*flag.initially, flag.set(0)]]
    return program([bit for flag in flags for bit in flag.bits] + others, locals_, first + initially, threads)


def forever(*lines):
    return ["while (*) do", *(f"  {line}" for line in lines), "od;"]


def mixed(values, steps):
    """Steps that no other thread observes."""
    return [f"{values[i % len(values)]} := {values[(i + 1) % len(values)]} ^ ({values[i % len(values)]} & *);"
            for i in range(steps)]


def take(flag, condition=""):
    return f"atomic_begin; assume(!{flag.value()}{condition}); {flag.set(1)} atomic_end;"


def lock(kind, threads, steps):
    """A lock, data behind it, steps of their own before it."""
    l, x = kind("lock"), names("x", 2)
    body = forever(*mixed(x, steps), take(l), "assert(!held);", "held := 1;", "g := x0 ^ g;", "held := 0;", l.set(0))
    return with_flags([l], ["held", "g"], x, ["held := 0;"], [body] * threads)


def producers(kind, threads, steps):
    """One place for a value and its complement, which half of the threads fill and the others empty."""
    full, busy, x = kind("full"), Plain("busy"), names("x", 2)
    fill = forever(*mixed(x, steps), take(busy, f" & !{full.value()}"), "value := x0;", "other := !x0;", full.set(1),
                   busy.set(0))
    empty = forever(take(busy, f" & {full.value()}"), "x0, x1 := value, other;", full.set(0), busy.set(0),
                    "assert(x0 ^ x1);", *mixed(x, steps))
    return with_flags([full, busy], ["value", "other"], x, [], [fill if t % 2 == 0 else empty for t in range(threads)])


def readers(kind, threads, steps):
    """One writer, which waits until no thread reads; readers, which wait until no thread writes."""
    writing, reading = kind("writing"), [Plain(f"reading{t}") for t in range(1, threads)]
    writer = forever(take(writing, f" & !({' | '.join(r.name for r in reading)})"), "a := *;", "b := !a;",
                     writing.set(0))
    read = [forever(*mixed(["x", "y"], steps), f"atomic_begin; assume(!{writing.value()}); {r.set(1)} atomic_end;",
                    "x, y := a, b;", "assert(x ^ y);", r.set(0)) for r in reading]
    return with_flags([writing, *reading], ["a", "b"], ["x", "y"], ["a := *;", "b := !a;"], [writer, *read])


def counters(kind, threads, steps):
    """A number of two bits with a copy of it, which agree whenever no thread counts."""
    l = kind("lock")
    count = ["lo, hi := !lo, hi ^ lo;", "copy_lo, copy_hi := !copy_lo, copy_hi ^ copy_lo;"]
    body = forever(*mixed(["x", "y"], steps), take(l), "assert((lo = copy_lo) & (hi = copy_hi));", *count,
                   "if (x) then", *count, "fi;", l.set(0))
    return with_flags([l], ["lo", "hi", "copy_lo", "copy_hi"], ["x", "y"],
                      ["lo, hi := *, *;", "copy_lo, copy_hi := lo, hi;"], [body] * threads)


def ring(kind, threads, steps):
    """A token goes round; the thread that has it works."""
    token = [kind(f"token{t}") for t in range(threads)]
    work = ["g := g ^ (x & y & *);", "y := y ^ x;"] * (steps // 2)
    body = [["while (1) do", f"assume({token[i].value()});", *work, f"assert({token[i].value()} & (x | y));",
             "x, y := y | !y & x, x | y;",
             "atomic_begin;", token[i].set(0), token[(i + 1) % threads].set(1), "atomic_end;", "od;"]
             for i in range(threads)]
    return with_flags(token, ["g"], ["x", "y"], [token[0].set(1), "x, y := *, * constrain (x' | y');"], body)


def barrier(kind, threads, steps):
    """All but one wait for a flag that the first one sets after it has prepared what they look at."""
    go = kind("go")
    first = ["p := a ^ b;", "q := p ^ c;", "assert(q);", *mixed(["p", "q"], steps), go.set(1)]
    other = [f"assume({go.value()});", "p := a ^ b;", "q := p ^ c;", "assert(q);", *forever(*mixed(["p", "q"], steps)),
             "assume(a ^ b ^ !c);", "a := 0; b := 0; c := 0;"]
    return with_flags([go], ["a", "b", "c"], ["p", "q"], ["a, b, c := *, *, * constrain (a' ^ b' ^ c');"],
                      [first] + [other] * (threads - 1))


def philosophers(kind, threads, steps):
    """Forks in a row, the smaller one first; a philosopher that has both eats."""
    fork = [kind(f"fork{t}") for t in range(threads)]

    def body(t):
        left, right = sorted([t, (t + 1) % threads])
        return forever(*mixed(["x", "y"], steps), take(fork[left]), take(fork[right]), f"plate{t} := x;",
                       f"y := plate{t};", "assert(x = y);", fork[right].set(0), fork[left].set(0))

    return with_flags(fork, names("plate", threads), ["x", "y"], [], [body(t) for t in range(threads)])


def lottery(kind, threads, steps):
    """A dealer lets some of the others go, chosen at random; they meet at a lock."""
    l, turn = Plain("lock"), [kind(f"turn{t}") for t in range(1, threads)]
    dealer = forever(take(l), *(t.set("*") for t in turn), "g := *;", "h := !g;", l.set(0))
    worker = [forever(*mixed(["x", "y"], steps), f"assume({t.value()});", take(l), "assert(g ^ h);", "g := g ^ x;",
                      "h := !g;", t.set(0), l.set(0)) for t in turn]
    return with_flags([l, *turn], ["g", "h"], ["x", "y"], ["g := *;", "h := !g;"], [dealer, *worker])


def driver(kind, threads, steps):
    del kind
    return ThreadedDriver(100 * threads + steps, pairs=3 + steps, routines=threads, leaves=4,
                          calls=steps).concurrent(threads)


SIZES = {lock: [(2, 6), (3, 4), (4, 2), (4, 4)], producers: [(2, 4), (3, 2), (4, 2)], readers: [(2, 4), (3, 2), (4, 2)],
         counters: [(2, 4), (3, 4), (4, 2)],
         ring: [(2, 6), (3, 6), (4, 6)], barrier: [(2, 4), (3, 4), (4, 4)], philosophers: [(2, 2), (3, 2), (4, 2)],
         lottery: [(2, 4), (3, 4), (4, 2)]}


def programs():
    """(name, text)."""
    kinds = {Plain: "", Hidden: " hidden", Deep: " deep"}
    made = [(f"{family.__name__} {threads} {steps}{word}", family(kind, threads, steps)) for family,
            sizes in SIZES.items() for threads, steps in sizes
            for kind, word in kinds.items() if kind is not Deep or family in (ring, barrier, readers)]
    return made + [(f"driver {threads} {steps}", driver(Plain, threads, steps)) for threads,
                   steps in [(2, 2), (2, 4), (3, 2), (3, 3)]]
