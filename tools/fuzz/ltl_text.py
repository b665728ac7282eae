"""Small threaded programs for temporal formulas, and formulas about them.

Variables have few values, loops may go on for ever, threads wait for each other in all the ways there are; labels mark
places.  Everything that a formula can speak of occurs: places of threads and of the functions they call, variables,
locks, ends of threads.
"""
import random
import textwrap

PREAMBLE = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool (void);
extern void __VERIFIER_assume (int);
extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);
"""
DEEPEST = 2   # blocks inside blocks
VALUES = 3


def block(statements):
    return "{\n" + textwrap.indent(statements or ";\n", "  ") + "}\n"


class LtlProgram:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.variables = ["x", "y", "z"][: rng.choice([1, 2, 2, 3])]
        self.locks = ["m", "n"][: rng.choice([0, 1, 1, 2])]
        self.has_condition = bool(self.locks) and rng.random() < 0.3
        self.has_semaphore = rng.random() < 0.3
        self.num_labels = 0
        self.num_locals = 0
        self.workers = ["w0", "w1"][: rng.choice([1, 2, 2])]
        self.in_region = False
        self.source = self.write()

    # ---- expressions ----
    def variable(self):
        return self.rng.choice(self.variables)

    def value(self):
        return self.rng.randrange(VALUES)

    def condition(self):
        choice = self.rng.random()
        if choice < 0.2:
            return "__VERIFIER_nondet_bool ()"
        if choice < 0.3 and len(self.variables) > 1:
            return f"{self.variable()} {self.rng.choice(['==', '!='])} {self.variable()}"
        return f"{self.variable()} {self.rng.choice(['==', '!=', '<'])} {self.value()}"

    # ---- statements ----
    def statements(self, size, depth, calls):
        text = ""
        for _ in range(size):
            makers = [(self.assign, 5), (self.place, 2), (self.branch, 2 * (depth < DEEPEST)),
                      (self.loop, depth < DEEPEST), (self.spin, 1 - self.in_region),
                      (self.locked, 2 * bool(self.locks) * (depth < DEEPEST) * (1 - self.in_region)),
                      (self.call, bool(calls) * (1 - self.in_region)),
                      (self.region, (1 - self.in_region) * 0.6), (self.assume, 0.2), (self.check, 0.2),
                      (self.wait, self.has_condition * (1 - self.in_region)),
                      (self.signal, self.has_condition), (self.post, self.has_semaphore),
                      (self.take, self.has_semaphore * (1 - self.in_region))]
            make = self.rng.choices([m for m, _ in makers], [w for _, w in makers])[0]
            text += make(depth, calls)
        return text

    def assign(self, *_):
        kind = self.rng.random()
        if kind < 0.5:
            return f"{self.variable()} = {self.value()};\n"
        if kind < 0.75:
            v = self.variable()
            return f"{v} = ({v} + 1) % {VALUES};\n"
        if kind < 0.9:
            return f"{self.variable()} = {self.variable()};\n"
        return f"{self.variable()} = __VERIFIER_nondet_bool ();\n"

    def place(self, *_):
        self.num_labels += 1
        return f"p{self.num_labels - 1}: ;\n"

    def branch(self, depth, calls):
        text = f"if ({self.condition()}) " + block(self.statements(self.rng.randint(1, 2), depth + 1, calls))
        return text + ("else " + block(self.statements(1, depth + 1, calls)) if self.rng.random() < 0.4 else "")

    def loop(self, depth, calls):
        body = block(self.statements(self.rng.randint(1, 2), depth + 1, calls))
        if self.in_region or self.rng.random() < 0.4:
            self.num_locals += 1
            return f"for (int i{self.num_locals} = 0; i{self.num_locals} < 2; i{self.num_locals}++) " + body
        return f"while ({self.condition()}) " + body

    def spin(self, *_):
        return f"while ({self.condition()}) ;\n"

    def locked(self, depth, calls):
        lock = self.rng.choice(self.locks)
        inner = self.statements(self.rng.randint(1, 2), depth + 1, calls)
        if self.rng.random() < 0.15:
            return f"if (!pthread_mutex_trylock (&{lock})) " + block(inner + f"pthread_mutex_unlock (&{lock});\n")
        return f"pthread_mutex_lock (&{lock});\n" + inner + f"pthread_mutex_unlock (&{lock});\n"

    def region(self, depth, calls):
        self.in_region = True
        inner = self.statements(self.rng.randint(1, 2), depth + 1, calls)
        self.in_region = False
        return "__VERIFIER_atomic_begin ();\n" + inner + "__VERIFIER_atomic_end ();\n"

    def call(self, depth, calls):
        return f"{self.rng.choice(calls)} ();\n"

    def assume(self, *_):
        return f"__VERIFIER_assume ({self.condition()});\n"

    def check(self, *_):
        return f"assert ({self.variable()} != {self.value()});\n"

    def wait(self, *_):
        lock = self.locks[0]
        wait = self.rng.choice(["if", "while"])
        return (f"pthread_mutex_lock (&{lock});\n{wait} ({self.condition()}) pthread_cond_wait (&c, "
                f"&{lock});\npthread_mutex_unlock (&{lock});\n")

    def signal(self, *_):
        return f"pthread_cond_{self.rng.choice(['signal', 'broadcast'])} (&c);\n"

    def post(self, *_):
        return "sem_post (&s);\n"

    def take(self, *_):
        return "sem_wait (&s);\n"

    # ---- the program ----
    def globals(self):
        text = "".join(f"int {v};\n" for v in self.variables)
        text += "".join(f"pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;\n" for m in self.locks)
        text += "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n" if self.has_condition else ""
        return text + ("sem_t s;\n" if self.has_semaphore else "") + "\n"

    def worker(self, name, calls):
        body = self.statements(self.rng.randint(1, 4), 0, calls)
        if self.rng.random() < 0.35:
            body = "for (;;) " + block(body)
        return f"static void *{name} (void *argument) " + block(body + "return argument;\n") + "\n"

    def main(self, calls):
        text = f"sem_init (&s, 0, {self.rng.randint(0, 2)});\n" if self.has_semaphore else ""
        threads = self.workers + (self.workers[:1] if len(self.workers) == 1 and self.rng.random() < 0.5 else [])
        text += "".join(f"pthread_t t{k};\n" for k in range(len(threads)))
        for k, worker in enumerate(threads):
            text += f"pthread_create (&t{k}, 0, {worker}, 0);\n"
            text += self.statements(self.rng.choice([0, 0, 1]), 1, calls)
        text += self.statements(self.rng.randint(0, 2), 0, calls)
        for k in range(len(threads)):
            text += f"pthread_join (t{k}, 0);\n" if self.rng.random() < 0.8 else ""
        text += "pthread_exit (0);\n" if self.rng.random() < 0.1 else ""
        return "int main (void) " + block(text)

    def write(self):
        calls = ["helper"] if self.rng.random() < 0.4 else []
        text = PREAMBLE + self.globals()
        text += "static void helper (void) " + block(self.statements(self.rng.randint(1, 2), 1,
                                                                     [])) + "\n" if calls else ""
        return text + "".join(self.worker(w, calls) for w in self.workers) + self.main(calls)

    # ---- formulas ----
    def atom(self):
        threads = self.workers + ["main"]
        lines = self.source.count("\n")
        first = self.source[: self.source.index("static void")].count("\n") + 1
        kinds = ["compare"] * 4 + ["ended"] + ["line"] + ["at", "at_thread"] * (2 * bool(self.num_labels)) + ["locked",
            "holds"] * bool(self.locks)
        kind = self.rng.choice(kinds)
        if kind == "compare":
            right = self.variable() if self.rng.random() < 0.2 else self.value()
            return f"{self.variable()} {self.rng.choice(['==', '!=', '<', '>='])} {right}"
        if kind == "ended":
            return f"ended({self.rng.choice(threads)})"
        if kind == "line":
            return f"at({self.rng.randint(first, lines)})"
        label = f"p{self.rng.randrange(self.num_labels)}" if self.num_labels else ""
        if kind == "at":
            return f"at({label})"
        if kind == "at_thread":
            return f"at({self.rng.choice(threads)}, {label})"
        lock = self.rng.choice(self.locks)
        return f"locked({lock})" if kind == "locked" else f"holds({self.rng.choice(threads)}, {lock})"

    def formula(self, depth=3):
        choice = self.rng.random()
        if depth == 0 or choice < 0.15:
            return self.atom()
        if choice < 0.55:
            return f"{self.rng.choice(['F ', 'G ', 'F ', 'G ', '!', 'G F ', 'F G '])}({self.formula(depth - 1)})"
        operator = self.rng.choice(["U", "W", "R", "->", "&&", "||"])
        return f"({self.formula(depth - 1)}) {operator} ({self.formula(depth - 1)})"
