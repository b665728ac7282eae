"""Patterns about mutual exclusion: counters, lock order, readers and writers, try and timed locks, atomic regions."""
from fuzz.thr_text import Lock


def counter(program):
    """Each thread adds to a shared number under a lock; the sum is checked at the end."""
    rng, lock, x = program.rng, Lock(program), program.fresh("count")
    mistake = program.mistake(["one without lock", "lock released too early", "forgotten unlock", "double unlock",
                               "wrong sum", "other lock", "read outside"])
    other = Lock(program, "mutex") if mistake == "other lock" else lock
    program.note(f"counter under {lock.kind}", mistake)
    program.share(f"int {x};")
    guilty, amounts = rng.randrange(program.workers), [rng.randint(1, 3) for _ in range(program.workers)]
    for k, amount in enumerate(amounts):
        add = rng.choice([f"{x} += {amount};", f"{x} = {x} + {amount};",
                          f"int seen = {x};\nseen += {amount};\n{x} = seen;"])
        section = f"{lock.take}\n{add}\n{lock.give}"
        if k == guilty and mistake:
            section = {
                "one without lock": add,
                "lock released too early": f"{lock.take}\nint seen = {x};\n{lock.give}\n{lock.take}\n{x} = seen + "
                                           f"{amount};\n{lock.give}",
                "forgotten unlock": f"{lock.take}\n{add}",
                "double unlock": f"{section}\n{lock.give}",
                "other lock": f"{other.take}\n{add}\n{other.give}",
                "read outside": f"if ({x} < 100)\n  {{\n    {lock.take}\n    {x} += {amount};\n    {lock.give}\n  }}",
            }.get(mistake, section)
        if rng.random() < 0.15 and mistake is None:
            section = f"for (int i = 0; i < 2; i++)\n  {{\n    {lock.take}\n    {x} += {amount};\n    {lock.give}\n  }}"
            amounts[k] *= 2
        program.worker(k, "{\n" + section + "\n}\n")
    total = sum(amounts) + (1 if mistake == "wrong sum" else 0)
    program.finish(f"assert ({x} == {total});")
    if rng.random() < 0.3:
        program.finish(lock.destroy)


def lock_order(program):
    """Two or three locks, nested; the same order everywhere or not."""
    rng = program.rng
    locks = [Lock(program, rng.choice(["mutex", "mutex", "spin", "rwlock", "errorcheck"]))
             for _ in range(rng.choice([2, 2, 3]))]
    mistake = program.mistake(["order reversed", "order rotated"])
    program.note("nested locks", mistake)
    pair = program.fresh("pair")
    program.share(f"struct {{ int a, b; }} {pair};")
    for k in range(program.workers):
        order = list(locks)
        if mistake == "order reversed" and k == 0:
            order.reverse()
        elif mistake == "order rotated":
            order = order[k % len(order):] + order[:k % len(order)]
        if len(order) > 2:
            order = order[:2]
        inside = rng.choice([f"{pair}.a++;\n{pair}.b--;", f"{pair}.a += 1;", f"assert ({pair}.a + {pair}.b == 0);"])
        if len(locks) > 2:  # only two of the three are held: shared data would race
            inside = "(void) arg;"
        release = order if rng.random() < 0.3 else order[::-1]
        program.worker(k, "\n".join([lock.take for lock in order] + [inside] + [lock.give for lock in release]))


def try_lock(program):
    """A lock taken only if it is free; what is done otherwise needs no lock."""
    rng, lock, x, y = program.rng, Lock(program), program.fresh("x"), program.fresh("missed")
    mistake = program.mistake(["result ignored", "gives what it did not take"])
    program.note(f"trylock of {lock.kind}", mistake)
    program.share(f"int {x};\natomic_int {y};")
    for k in range(program.workers):
        section = f"if ({lock.taking()})\n  {{\n    {x}++;\n    {lock.give}\n  }}\nelse\n  {y}++;"
        if k == 0 and mistake == "result ignored":
            section = f"{lock.prefix}_{lock.try_take()} (&{lock.name});\n{x}++;\n{lock.give}"
        elif k == 0 and mistake:
            section = f"if ({lock.taking()})\n  {x}++;\n{lock.give}"
        elif k and rng.random() < 0.5:
            section = f"{lock.take}\n{x}++;\n{lock.give}"
        program.worker(k, section)
    program.finish(f"assert ({x} + {y} == {program.workers});" if rng.random() < 0.7 else f"assert ({y} == 0);")


def timed_lock(program):
    """Timed locks: they may time out whenever the lock is not free, and only then."""
    rng, m, x = program.rng, program.fresh("m"), program.fresh("x")
    mistake = program.mistake(["result ignored"])
    program.note("timed lock", mistake)
    program.share(f"pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;\nconst struct timespec {m}_until = "
                  f"{{ 1, 0 }};\nint {x};")
    for k in range(program.workers):
        if k == 0 or rng.random() < 0.5:
            call = f"pthread_mutex_timedlock (&{m}, &{m}_until)"
            program.worker(k, f"{call};\n{x}++;\npthread_mutex_unlock (&{m});" if mistake and k == 0
                           else f"if ({call} == 0)\n  {{\n    {x} += 1;\n    pthread_mutex_unlock (&{m});\n  }}")
        else:
            program.worker(k, f"pthread_mutex_lock (&{m});\n{x} += 1;\npthread_mutex_unlock (&{m});")
    program.finish(f"assert ({x} {rng.choice(['>=', '>=', '=='])} {rng.choice([1, program.workers])});")


def readers_writers(program):
    """Two numbers that are equal whenever a reader may look."""
    rng, rw, x, y = program.rng, program.fresh("rw"), program.fresh("x"), program.fresh("other")
    mistake = program.mistake(["writer takes the read lock", "reader without lock", "unlock before reading", "upgrade"])
    program.note("readers and writers", mistake)
    initialise = rng.random() < 0.5
    program.share(f"pthread_rwlock_t {rw}{'' if initialise else ' = PTHREAD_RWLOCK_INITIALIZER'};\nint {x}, {y};")
    if initialise:
        program.setup(f"pthread_rwlock_init (&{rw}, NULL);")
    writers = rng.randint(1, program.workers)
    for k in range(program.workers):
        if k < writers:
            kind = "rdlock" if mistake == "writer takes the read lock" and k == 0 else "wrlock"
            head = f"pthread_rwlock_{kind} (&{rw});\n"
            if mistake == "upgrade" and k == 0:
                head = f"pthread_rwlock_rdlock (&{rw});\npthread_rwlock_wrlock (&{rw});\n"
            program.worker(k, head + f"{x}++;\n{y}++;\npthread_rwlock_unlock (&{rw});")
        elif mistake == "reader without lock":
            program.worker(k, f"assert ({x} >= {y});")
        elif mistake == "unlock before reading":
            program.worker(k,
                           f"pthread_rwlock_rdlock (&{rw});\nint seen{k} = {x};\npthread_rwlock_unlock "
                           f"(&{rw});\nassert (seen{k} == {y});")
        else:
            body = f"assert ({x} == {y});\npthread_rwlock_unlock (&{rw});"
            program.worker(k,
                           rng.choice([f"pthread_rwlock_rdlock (&{rw});\n{body}",
                                       f"if (pthread_rwlock_tryrdlock (&{rw}) == 0)\n  {{\n    "
                                          + body.replace("\n", "\n    ") + "\n  }"]))
    program.finish(f"assert ({x} == {writers});")


def recursion_depth(program):
    """Recursive and error-checking mutexes: what a second lock, a foreign unlock and a busy trylock return."""
    rng, kind, x = program.rng, program.rng.choice(["recursive", "errorcheck"]), program.fresh("x")
    lock = Lock(program, kind)
    mistake = program.mistake(["one unlock missing", "one unlock too many", "unlock by another"])
    program.note(f"relock of {kind}", mistake)
    program.share(f"int {x};")
    m = lock.name
    for k in range(program.workers):
        if kind == "recursive":
            gives = {"one unlock missing": 1, "one unlock too many": 3}.get(mistake, 2) if k == 0 else 2
            body = (f"pthread_mutex_lock (&{m});\npthread_mutex_{rng.choice(['lock', 'trylock'])} (&{m});\n{x}++;\n"
                    + f"pthread_mutex_unlock (&{m});\n" * gives)
        else:
            body = (f"pthread_mutex_lock (&{m});\nassert (pthread_mutex_lock (&{m}) == "
                    f"EDEADLK);\n{x}++;\npthread_mutex_unlock (&{m});\n")
            if mistake == "one unlock too many" and k == 0:
                body += f"assert (pthread_mutex_unlock (&{m}) == EPERM);\n"
        if mistake == "unlock by another" and k == 0:
            body = f"pthread_mutex_unlock (&{m});\n" + body
        program.worker(k, body)
    program.finish(f"assert ({x} == {program.workers});")


def region(program):
    """Two numbers changed together inside an atomic region."""
    rng, x, y = program.rng, program.fresh("x"), program.fresh("other")
    mistake = program.mistake(["one outside", "region split"])
    program.note("atomic region", mistake)
    program.share(f"int {x}, {y};")
    for k in range(program.workers):
        change = rng.choice([f"{x}++;\n{y}++;", f"int t{k} = {x};\n{x} = t{k} + 1;\n{y} = t{k} + 1;",
                             f"assert ({x} == {y});"])
        begin, end = "__VERIFIER_atomic_begin ();\n", "\n__VERIFIER_atomic_end ();"
        if mistake == "one outside" and k == 0:
            program.worker(k, change)
        elif mistake == "region split" and k == 0:
            program.worker(k, begin + f"{x}++;" + end + "\n" + begin + f"{y}++;" + end)
        else:
            program.worker(k, begin + change + end)
    program.finish(f"assert ({x} == {y});")


def destruction(program):
    """A lock that is destroyed, or made again, when no thread holds it any more; or too early."""
    rng, x, lock = program.rng, program.fresh("x"), Lock(program,
                                                         program.rng.choice(["initialised", "rwlock", "spin", "c11"]))
    mistake = program.mistake(["destroyed by a worker", "use after destruction", "never initialised"])
    program.note(f"destruction of {lock.kind}", mistake)
    program.share(f"int {x};")
    for k in range(program.workers):
        program.worker(k,
                       f"{lock.take}\n{x}++;\n{lock.give}"
                       + (f"\n{lock.destroy}" if mistake == "destroyed by a worker" and k == 0 else ""))
    program.finish(lock.destroy)
    if mistake == "use after destruction":
        program.finish(lock.take)


def nondet_locks(program):
    """Which lock protects which cell is decided at run time."""
    rng, a, b, cells = program.rng, Lock(program, "mutex"), Lock(program, "mutex"), program.fresh("cells")
    mistake = program.mistake(["chosen twice"])
    program.note("lock by choice", mistake)
    program.share(f"int {cells}[2];")
    for k in range(program.workers):
        which, again = f"which{k}", f"__VERIFIER_nondet_bool ()" if mistake and k == 0 else f"which{k}"
        pick = (f"bool {which} = __VERIFIER_nondet_bool ();"
                if rng.random() < 0.7 else f"bool {which} = (__VERIFIER_nondet_uchar () & 3) == {rng.randrange(4)};")
        program.worker(k, f"""{pick}
pthread_mutex_t *m{k} = {which} ? &{a.name} : &{b.name};
pthread_mutex_lock (m{k});
{cells}[{again}]++;
pthread_mutex_unlock (m{k});""")
    program.finish(f"assert ({cells}[0] + {cells}[1] == {program.workers});"
                   if rng.random() < 0.7 else f"assert ({cells}[0] < {program.workers});")


PATTERNS = [("locks", counter), ("locks", counter), ("locks", counter), ("locks", lock_order), ("locks", lock_order),
            ("try", try_lock), ("try", timed_lock),
            ("rwlock", readers_writers), ("kinds", recursion_depth), ("region", region), ("destroy", destruction),
            ("nondet", nondet_locks)]
