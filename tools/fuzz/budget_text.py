"""Programs for tools/budgetfuzz-run.  Each family has a good and a bad member of any size, so the true answer is
known by construction and the work takes from milliseconds to for ever: limits strike in every phase."""
from collections import namedtuple

Program = namedtuple("Program", "family property is_bad text")

HEAD = ("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint nondet_int (void);\nunsigned "
        "nondet_unsigned (void);\n")


def main_of(threads, before="", after="", entry="work"):
    """Starts the threads and joins them."""
    return (f"int main (void) {{\n  pthread_t t[{threads}];\n{before}"
            f"  for (long i = 0; i < {threads}; i++) pthread_create (&t[i], 0, {entry}, (void *) i);\n"
            f"  for (int i = 0; i < {threads}; i++) pthread_join (t[i], 0);\n{after}  return 0;\n}}\n")


def table(rng, size, bad):
    """Accesses of a table under one lock; the last thread's last access is outside of it."""
    threads, accesses, cells = 2 + size % 4, 4 * size, 8
    lines = [HEAD, f"int table[{cells}];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"]
    for t in range(threads):
        lines.append(f"static void *work_{t} (void *a) {{\n  int v = 0;\n")
        for k in range(accesses):
            access = f"v += table[{rng.randrange(cells)}]; if (v > {k}) table[{rng.randrange(cells)}] = v;"
            lines.append(f"  pthread_mutex_lock (&m); {access} pthread_mutex_unlock (&m);\n")
        if t == threads - 1:
            write = "table[0] = 7;"
            lines.append(f"  {write}\n" if bad else f"  pthread_mutex_lock (&m); {write} pthread_mutex_unlock (&m);\n")
        lines.append("  return a;\n}\n")
    lines.append("int main (void) {\n  pthread_t t;\n")
    lines += [f"  pthread_create (&t, 0, work_{t}, 0);\n" for t in range(threads)]
    # main itself reads what the last thread writes
    lines.append("  pthread_mutex_lock (&m); int v = table[0]; pthread_mutex_unlock (&m);\n  return v > 100;\n}\n")
    return "race", "".join(lines)


def counter(rng, size, bad):
    """Threads add to a counter; without the lock one addition may be lost."""
    threads, rounds = 2 + size % 3, size
    lock, unlock = ("", "") if bad else ("pthread_mutex_lock (&m);", "pthread_mutex_unlock (&m);")
    return "assert", (HEAD + "int count;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                      f"static void *work (void *a) "
                      f"{{\n  for (int i = 0; i < {rounds}; i++) {{ {lock} count++; {unlock} }}\n  return a;\n}}\n"
                      + main_of(threads, after=f"  assert (count == {threads * rounds});\n"))


def philosophers(rng, size, bad):
    """Forks in the order of their numbers, or each philosopher the left one first."""
    n = 2 + size
    first, second = ("i", "j") if bad else ("i < j ? i : j", "i < j ? j : i")
    return "deadlock", (HEAD + f"pthread_mutex_t fork_lock[{n}];\n"
                        f"static void *work (void *a) {{\n  long i = (long) a, j = (i + 1) % {n};\n"
                        f"  pthread_mutex_lock (&fork_lock[{first}]); pthread_mutex_lock (&fork_lock[{second}]);\n"
                        "  pthread_mutex_unlock (&fork_lock[j]); pthread_mutex_unlock (&fork_lock[i]);\n  return "
                        "a;\n}\n" + main_of(n))


def misuse(rng, size, bad):
    """A lock is released twice where the input has one value of many."""
    threads, magic = 1 + size % 4, rng.randrange(1 << 20)
    again = f"if (v == {magic}) pthread_mutex_unlock (&m);" if bad else ""
    return "locks", (HEAD + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint sum;\n"
                     f"static void *work (void *a) "
                     f"{{\n  int v = nondet_int ();\n"
                     f"  for (int i = 0; i < {size}; i++) {{ pthread_mutex_lock (&m); sum++; "
                     f"pthread_mutex_unlock (&m); }}\n  {again}\n  return a;\n}}\n" + main_of(threads))


def index(rng, size, bad):
    """An index that is one too large for one input."""
    cells = 2 + size
    return "memory", (HEAD + f"int cells[{cells}];\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                      f"static void *work (void *a) "
                      f"{{\n  unsigned k = nondet_unsigned ();\n  if (k > {cells - (not bad)}) return a;\n"
                      "  pthread_mutex_lock (&m); cells[k]++; pthread_mutex_unlock (&m);\n  return a;\n}\n"
                      + main_of(1 + size % 3))


def factors(rng, size, bad):
    """A product of two inputs: easy to say, hard to solve."""
    primes = [61, 251, 1021, 4093, 16381, 65521, 262139]
    p, q = rng.choice(primes[:2 + size % 6]), rng.choice(primes[:2 + size % 6])
    product = p * q if bad else 2 * p * q + 1
    # a number without a factor below the limit of the inputs is hard to find: ask for an odd one as a product of even
    # ones
    if not bad:
        return "assert", (HEAD
                          + "int main (void) {\n  unsigned long a = 2ul * (nondet_unsigned () & 0xffff), b = "
                            "nondet_unsigned () & 0xffff;\n"
                          f"  assert (a * b != {product}ul);\n  return 0;\n}}\n")
    return "assert", (HEAD
                      + "int main (void) {\n  unsigned long a = nondet_unsigned () & 0x7ffff, b = nondet_unsigned () & "
                        "0x7ffff;\n"
                      f"  if (a > 1 && b > 1) assert (a * b != {product}ul);\n  return 0;\n}}\n")


def endless(rng, size, bad):
    """The bug is at the beginning, and what comes after it has no end."""
    access = "x = 1;" if bad else "pthread_mutex_lock (&m); x = 1; pthread_mutex_unlock (&m);"
    return "race", (HEAD + "#include <stdatomic.h>\nint x;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                    f"atomic_uint n[{1 + size}];\nstatic void *work (void *a) "
                    f"{{\n  {access}\n  for (;;) n[(long) a]++;\n  return a;\n}}\n"
                    + main_of(1 + size, before=f"  pthread_t other;\n  pthread_create (&other, 0, work, 0);\n"))


FAMILIES = [table, counter, philosophers, misuse, index, factors, endless]


def make(rng):
    family = rng.choice(FAMILIES)
    size = rng.choice([1, 2, 3, 4, 6, 9, 14, 22])
    is_bad = rng.random() < 0.5
    prop, text = family(rng, size, is_bad)
    return Program(f"{family.__name__}/{size}", prop, is_bad, text)
