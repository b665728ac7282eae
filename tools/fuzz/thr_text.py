"""The frame of a threaded test program: shared declarations, one function per worker, main; and locks of every kind.

A pattern adds shared declarations, statements of main before the threads start, statements of each worker, and
statements of main after all were joined.  How threads are created and joined is decided here, once per program.
"""
import random
import textwrap

MISTAKE_SHARE = 0.35

PREAMBLE = """\
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

extern bool __VERIFIER_nondet_bool (void);
extern unsigned char __VERIFIER_nondet_uchar (void);
extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);
"""


def clean(text):
    return textwrap.dedent(text).strip("\n") + "\n"


class ThreadedProgram:
    def __init__(self, seed):
        self.seed, self.rng, self.workers, self.names = seed, random.Random(seed), 2, 0
        self.shared, self.before, self.after = [], [], []
        self.work = {}       # worker -> statements
        self.summary = []    # names of patterns and mistakes, for the first line

    # ---- what patterns call ----
    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def note(self, pattern, mistake=None):
        self.summary.append(pattern + (f" ({mistake})" if mistake else ""))

    def mistake(self, choices):
        """One of the mistakes, or None for a disciplined program."""
        return self.rng.choice(choices) if choices and self.rng.random() < MISTAKE_SHARE else None

    def share(self, text):
        self.shared.append(clean(text))

    def setup(self, text):
        self.before.append(clean(text))

    def worker(self, k, text):
        self.work.setdefault(k, []).append(clean(text))

    def finish(self, text):
        self.after.append(clean(text))

    # ---- the whole ----
    def text(self):
        self.functions = [self.worker_function(k) for k in range(self.workers)]
        threads = self.rng.choice([self.plain_main, self.plain_main, self.plain_main, self.working_main,
                                   self.looping_main, self.chained_main, self.careless_main])
        body = threads()
        return (f"// progfuzz {self.seed}: {self.workers} workers; {', '.join(self.summary)}\n" + PREAMBLE + "\n"
                + "".join(self.shared) + "\n"
                + "".join(self.functions) + body)

    def worker_function(self, k):
        result = self.rng.choice(["return NULL;", "return NULL;", "return arg;", "pthread_exit (NULL);"])
        blocks = self.work.get(k, [])
        if len(self.summary) > 1:  # two patterns may use the same names for locals
            blocks = ["{\n" + shift(block) + "}\n" for block in blocks]
        statements = "".join(blocks)
        return f"static void *\nworker{k} (void *arg)\n{{\n  (void) arg;\n{shift(statements)}  {result}\n}}\n\n"

    def main_function(self, body):
        return "int\nmain (void)\n{\n" + shift("".join(self.before)) + shift(body) + "}\n"

    def plain_main(self):
        """Creates all, joins all in some order, looks at the result."""
        n, order = self.workers, self.rng.sample(range(self.workers), self.workers)
        return self.main_function(
            "pthread_t " + ", ".join(f"t{k}" for k in range(n)) + ";\n"
            + "".join(f"pthread_create (&t{k}, NULL, worker{k}, NULL);\n" for k in range(n))
            + "".join(f"pthread_join (t{k}, NULL);\n" for k in order) + "".join(self.after) + "return 0;\n")

    def working_main(self):
        """Main is the last worker itself."""
        n = self.workers - 1
        if "pthread_exit" in self.functions[n]:
            return self.plain_main()
        return self.main_function(
            "".join(f"pthread_t t{k};\npthread_create (&t{k}, NULL, worker{k}, NULL);\n" for k in range(n))
            + f"worker{n} (NULL);\n" + "".join(f"pthread_join (t{k}, NULL);\n" for k in range(n)) + "".join(self.after)
            + "return 0;\n")

    def looping_main(self):
        """An array of handles, a table of functions, loops; the argument comes back as the result."""
        n = self.workers
        return self.main_function(
            f"static void *(*const table[]) (void *) = {{ {', '.join(f'worker{k}' for k in range(n))} }};\npthread_t "
            f"t[{n}];\n"
            f"for (intptr_t k = 0; k < {n}; k++)\n  pthread_create (&t[k], NULL, table[k], (void *) k);\n"
            f"for (int k = 0; k < {n}; k++)\n  {{\n    void *result;\n    pthread_join (t[k], &result);\n"
            f"    assert (result == NULL || (intptr_t) result == k);\n  }}\n" + "".join(self.after) + "return 0;\n")

    def chained_main(self):
        """A starter thread creates the others and joins them; main joins the starter."""
        n = self.workers
        starter = ("static void *\nstarter (void *arg)\n{\n  pthread_t *t = arg;\n"
                   + "".join(f"  pthread_create (&t[{k}], NULL, worker{k}, NULL);\n" for k in range(1, n))
                   + "  worker0 (NULL);\n" + "".join(f"  pthread_join (t[{k}], NULL);\n" for k in range(1, n))
                   + "  return NULL;\n}\n\n")
        return starter + self.main_function(
            f"pthread_t t[{n}], first;\npthread_create (&first, NULL, starter, t);\npthread_join (first, NULL);\n"
            + "".join(self.after) + "return 0;\n")

    def careless_main(self):
        """Does not wait for one of them: detached, forgotten, or main ends by pthread_exit."""
        n, how = self.workers, self.rng.choice(["detach", "forget", "exit"])
        self.summary.append(f"main does not join ({how})")
        body = "pthread_t " + ", ".join(f"t{k}"
                                        for k in range(n)) + ";\n" + "".join(f"pthread_create (&t{k}, NULL, worker{k}, "
                                                                             f"NULL);\n" for k in range(n))
        if how == "detach":
            body += "".join(f"pthread_detach (t{k});\n" for k in range(n)) + "pthread_exit (NULL);\n"
        elif how == "exit":
            body += "pthread_exit (NULL);\n"
        else:
            body += "pthread_join (t0, NULL);\nreturn 0;\n"
        return self.main_function(body)


def shift(text):
    return textwrap.indent(text, "  ")


class Lock:
    """A lock of one of the kinds, with the C text of its operations."""
    KINDS = ["mutex", "mutex", "mutex", "recursive", "errorcheck", "spin", "rwlock", "semaphore", "c11", "initialised"]

    def __init__(self, program, kind=None):
        self.kind, self.name = kind or program.rng.choice(self.KINDS), program.fresh("lock")
        n = self.name
        declaration, prepare, self.prefix, self.operations = {
            "mutex": (f"pthread_mutex_t {n} = PTHREAD_MUTEX_INITIALIZER;", "", "pthread_mutex",
                      ("lock", "unlock", "destroy")),
            "initialised": (f"pthread_mutex_t {n};", f"pthread_mutex_init (&{n}, NULL);", "pthread_mutex",
                            ("lock", "unlock", "destroy")),
            "recursive": (f"pthread_mutex_t {n};", self.with_kind("RECURSIVE"), "pthread_mutex",
                          ("lock", "unlock", "destroy")),
            "errorcheck": (f"pthread_mutex_t {n};", self.with_kind("ERRORCHECK"), "pthread_mutex",
                           ("lock", "unlock", "destroy")),
            "spin": (f"pthread_spinlock_t {n};", f"pthread_spin_init (&{n}, PTHREAD_PROCESS_PRIVATE);", "pthread_spin",
                     ("lock", "unlock", "destroy")),
            "rwlock": (f"pthread_rwlock_t {n} = PTHREAD_RWLOCK_INITIALIZER;", "", "pthread_rwlock",
                       ("wrlock", "unlock", "destroy")),
            "semaphore": (f"sem_t {n};", f"sem_init (&{n}, 0, 1);", "sem", ("wait", "post", "destroy")),
            "c11": (f"mtx_t {n};", f"mtx_init (&{n}, mtx_plain);", "mtx", ("lock", "unlock", "destroy")),
        }[self.kind]
        program.share(declaration)
        if prepare:
            program.setup(prepare)

    def with_kind(self, kind):
        return (f"pthread_mutexattr_t {self.name}_attr;\npthread_mutexattr_init (&{self.name}_attr);\n"
                f"pthread_mutexattr_settype (&{self.name}_attr, PTHREAD_MUTEX_{kind});\n"
                f"pthread_mutex_init (&{self.name}, &{self.name}_attr);\npthread_mutexattr_destroy "
                f"(&{self.name}_attr);")

    def call(self, number):
        return f"{self.prefix}_{self.operations[number]} (&{self.name});"

    @property
    def take(self):
        return self.call(0)

    @property
    def give(self):
        return self.call(1)

    @property
    def destroy(self):
        return self.call(2)

    def try_take(self):
        """The operation that does not wait."""
        return {"mutex": "trylock", "initialised": "trylock", "recursive": "trylock", "errorcheck": "trylock",
                "spin": "trylock",
                "rwlock": "trywrlock", "semaphore": "trywait", "c11": "trylock"}[self.kind]

    def taking(self):
        """An expression that is true when the lock could be taken at once."""
        call = f"{self.prefix}_{self.try_take()} (&{self.name})"
        return f"{call} == thrd_success" if self.kind == "c11" else f"{call} == 0"
