"""Programs of threads that only acquire and release locks: every branch is on an unconstrained value.

A *nested* program releases the lock acquired last, also across calls; the others hand locks over (a, b, then a back
before b) or swap the order.  Threads start *together* if main creates all of them before it does anything else and
takes no lock itself; else it holds locks while it creates them, joins one before the next, or takes part.  Labels p0,
p1, ... mark places of the threads, m0, m1, ... of main.
"""
import random
import textwrap

PREAMBLE = """\
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

extern bool __VERIFIER_nondet_bool (void);
"""
DEEPEST = 3       # blocks inside blocks
MISTAKES = 0.04   # share of the places where a lock may be taken that is held already


def block(statements):
    return "{\n" + textwrap.indent(statements or ";\n", "  ") + "}\n"


class LockProgram:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.seed, self.nested, self.together = seed, rng.random() < 0.5, rng.random() < 0.7
        self.num_locks, self.num_workers = rng.choice([2, 2, 3, 3, 4]), rng.choice([2, 2, 2, 3, 3, 4])
        self.num_procedures = rng.choice([0, 1, 2, 2, 3])
        self.labels = {"p": 0, "m": 0}
        self.letter = "p"      # of the labels made now
        self.helpers = set()   # (lock, opens): procedures that acquire or release a lock and do nothing else
        self.uses = {}         # procedure -> locks taken in it or below
        self.used = set()      # locks taken so far in the function being written

    def lock(self, k):
        self.used.add(k)
        return f"pthread_mutex_lock (&l{k});\n"

    def unlock(self, k):
        return f"pthread_mutex_unlock (&l{k});\n"

    def label(self):
        name = f"{self.letter}{self.labels[self.letter]}"
        self.labels[self.letter] += 1
        return f"{name}: ;\n"

    # ---- statements ----
    # `held`: locks that this function holds here; `depth`: how many blocks it is in; `calls`: procedures that it may
    # call.
    def statements(self, size, held, depth, calls):
        text = ""
        while size > 0:
            inner = self.rng.randint(1, size)
            make, weight = zip((self.place, 1), (self.locked, 3), (self.branch, depth < DEEPEST),
                               (self.loop, depth < DEEPEST), (self.call, 2 * bool(calls)))
            text += self.rng.choices(make, weight)[0](inner, held, depth, calls)
            size -= inner
        return text

    def place(self, *_):
        return self.label()

    def call(self, size, held, depth, calls):
        fitting = [f for f in calls if not self.uses[f] & held]
        if not fitting and self.rng.random() > MISTAKES:
            return self.label()
        name = self.rng.choice(fitting or calls)
        self.used |= self.uses[name]
        return f"{name} (depth);\n"

    def branch(self, size, held, depth, calls):
        text = "if (__VERIFIER_nondet_bool ())\n" + block(self.statements(size // 2, held, depth + 1, calls))
        return text + ("else\n" + block(self.statements(size - size // 2, held, depth + 1, calls))
                       if self.rng.random() < 0.5 else "")

    def loop(self, size, held, depth, calls):
        return "while (__VERIFIER_nondet_bool ())\n" + block(self.locked(size, held, depth + 1, calls))

    def locked(self, size, held, depth, calls):
        """A lock is acquired, something is done, the lock is released."""
        free = [k for k in range(self.num_locks) if k not in held]
        if not free or self.rng.random() < MISTAKES:
            free = list(range(self.num_locks)) if self.rng.random() < MISTAKES else free
        if not free:
            return self.label()
        if not self.nested and len(free) > 1 and self.rng.random() < 0.6:
            return self.handed_over(size, held, depth, calls, self.rng.sample(free, 2))
        lock = self.rng.choice(free)
        inside = self.statements(size - 1, held | {lock}, depth + 1, calls)
        if not inside or self.rng.random() < 0.3:
            inside = self.label() + inside
        if self.rng.random() < 0.15:  # acquired in one procedure, released in another
            self.helpers |= {(lock, True), (lock, False)}
            self.used.add(lock)
            return f"open{lock} ();\n{inside}close{lock} ();\n"
        return self.lock(lock) + inside + self.unlock(lock)

    def handed_over(self, size, held, depth, calls, locks):
        """first, second; then first is released while second is still held."""
        first, second = locks
        parts = [self.statements(size // 3, held | some, depth + 1, calls)
                 + (self.label() if self.rng.random() < 0.5 else "")
                 for some in ({first}, {first, second}, {second})]
        return (self.lock(first) + parts[0] + self.lock(second) + parts[1] + self.unlock(first) + parts[2]
                + self.unlock(second))

    # ---- procedures ----
    def procedure(self, k):
        """Calls those after it; some call themselves, a few times at most."""
        calls, self.used = [f"f{j}" for j in range(k + 1, self.num_procedures)], set()
        parts = [self.statements(self.rng.randint(1, 3), frozenset(), 1, calls) for _ in range(2)]
        if self.rng.random() < 0.35:
            parts.insert(self.rng.randint(0, 2), self.recursion(k, calls))
        self.uses[f"f{k}"] = self.used
        return f"static void\nf{k} (int depth)\n{{\n  (void) depth;\n{textwrap.indent(''.join(parts), '  ')}}}\n\n"

    def recursion(self, k, calls):
        """Perhaps inside a lock: then a second round waits for itself unless another way was taken."""
        text = f"if (depth > 0 && __VERIFIER_nondet_bool ())\n  f{k} (depth - 1);\n"
        if self.rng.random() < 0.3:
            lock = self.rng.randrange(self.num_locks)
            text = "if (__VERIFIER_nondet_bool ())\n" + block(self.lock(lock) + text + self.unlock(lock))
        return text

    def worker(self, k):
        calls = [f"f{j}" for j in range(self.num_procedures)]
        body = self.statements(self.rng.randint(3, 9 if self.num_workers < 4 else 5), frozenset(), 0,
                               calls) + self.label()
        if self.rng.random() < 0.1:
            body += self.lock(self.rng.randrange(self.num_locks)) + self.label()  # and kept
        return (f"static void *\nworker{k} (void "
                f"*arg)\n{{\n  const int depth = {self.num_locks + 1};\n  (void) depth;\n{textwrap.indent(body, '  ')}  return arg;\n}}\n\n")

    def helper(self, lock, opens):
        return (f"static void\n{'open' if opens else 'close'}{lock} "
                f"(void)\n{{\n  {self.lock(lock) if opens else self.unlock(lock)}}}\n\n")

    # ---- main ----
    def create(self, k):
        return f"pthread_create (&t[{k}], NULL, worker{k}, NULL);\n"

    def create_many(self, k):
        return f"for (int i = 0; i < 2; i++)\n  pthread_create (&t[{k}], NULL, worker{k}, NULL);\n"

    def join(self, k):
        return f"pthread_join (t[{k}], NULL);\n"

    def start_together(self):
        many = {k for k in range(self.num_workers) if self.num_workers < 3 and self.rng.random() < 0.25}
        text = "".join(self.create_many(k) if k in many else self.create(k) for k in range(self.num_workers))
        return text + "".join(self.join(k) for k in range(self.num_workers) if k not in many
                              and self.rng.random() < 0.7)

    def start_apart(self):
        """Main works, holds locks and joins while it creates."""
        text, running = "", []
        for k in range(self.num_workers):
            text += self.main_work()
            if self.rng.random() < 0.3:
                lock = self.rng.randrange(self.num_locks)
                text += self.lock(lock) + self.create(k) + self.label() + self.unlock(lock)
            else:
                text += self.create(k)
            running.append(k)
            if self.rng.random() < 0.3:
                text += self.join(running.pop(self.rng.randrange(len(running))))
        text += self.main_work()
        return text + "".join(self.join(k) for k in running if self.rng.random() < 0.8) + self.label()

    def main_work(self):
        return self.statements(1, frozenset(), DEEPEST, []) if self.rng.random() < 0.5 else ""

    def text(self):
        procedures = [self.procedure(k) for k in reversed(range(self.num_procedures))]
        functions = [self.worker(k) for k in range(self.num_workers)]
        for k, procedure in zip(range(self.num_procedures), reversed(procedures)):
            if f"f{k} (depth" in "".join(functions):  # the others are not called
                functions.insert(0, procedure)
        self.letter = "m"
        body = self.start_together() if self.together else self.start_apart()
        locks = ", ".join(f"l{k} = PTHREAD_MUTEX_INITIALIZER" for k in range(self.num_locks))
        how = f"{'nested' if self.nested else 'free'} {'together' if self.together else 'apart'}"
        return (f"// lockfuzz {self.seed}: {how}\n{PREAMBLE}\n"
                f"static pthread_mutex_t {locks};\n\n" + "".join(self.helper(*one) for one in sorted(self.helpers))
                + "".join(functions)
                + f"int\nmain (void)\n{{\n  pthread_t t[{self.num_workers}];\n{textwrap.indent(body, '  ')}  return 0;\n}}\n")
