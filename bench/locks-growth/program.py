"""Programs of n procedures, m locks and calls of a given depth, for measuring how an analysis grows.

Procedures lie in layers; one of layer k calls two of layer k + 1 and changes the data that its lock protects.  In
NESTING layers the first of the calls is made with the lock held.  Each layer has its own locks, so that the order of
locks is that of layers: the programs are free of races and deadlocks, and everything has to be looked at to know it.
Four threads start in the first layer.
"""
import random

THREADS = 4
NESTING = 3  # so many locks are held at once, and one more


class Program:
    def __init__(self, procedures, locks, depth):
        self.rng = random.Random(procedures * 1000003 + locks * 101 + depth)
        self.depth, self.locks = min(depth, locks), locks
        self.layers = [[] for _ in range(self.depth)]
        for k in range(procedures):
            self.layers[k * self.depth // procedures].append(k)

    def lock_of(self, layer):
        """Each layer has its own range of locks."""
        first, last = layer * self.locks // self.depth, (layer + 1) * self.locks // self.depth
        return self.rng.randrange(first, max(last, first + 1))

    def procedure(self, k, layer):
        below = self.layers[layer + 1] if layer + 1 < self.depth else []
        calls = [f"p{self.rng.choice(below)} (x);" for _ in range(2 if below else 0)]
        lock = self.lock_of(layer)
        inside = layer * NESTING // self.depth != (layer + 1) * NESTING // self.depth
        body = [f"if (x > {k})", f"  pthread_mutex_lock (&lock[{lock}]);", "else",
                f"  pthread_mutex_lock (&lock[{lock}]);",
                f"data[{lock}] += x;", *calls[:inside], f"pthread_mutex_unlock (&lock[{lock}]);", *calls[inside:]]
        return f"static void\np{k} (int x)\n{{\n" + "".join(f"  {line}\n" for line in body) + "}\n\n"

    def text(self):
        functions = "".join(self.procedure(k, layer) for layer in reversed(range(self.depth))
                            for k in self.layers[layer])
        tops = self.layers[0]
        workers = "".join(f"static void *\nworker{t} (void *arg)\n{{\n"
                          + "".join(f"  p{k} ({k});\n" for k in tops[t::THREADS]) + "  return arg;\n}\n\n"
                          for t in range(THREADS))
        starts = "".join(f"  pthread_create (&t[{t}], NULL, worker{t}, NULL);\n" for t in range(THREADS))
        return (f"#include <pthread.h>\n\nstatic pthread_mutex_t lock[{self.locks}];\nstatic int "
                f"data[{self.locks}];\n\n{functions}{workers}"
                f"int\nmain (void)\n{{\n  pthread_t t[{THREADS}];\n{starts}  return 0;\n}}\n")
