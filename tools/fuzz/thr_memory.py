"""Patterns about memory and threads: heap objects with several users, pointers that are swapped, thread-locals,
results of threads."""
from fuzz.thr_text import Lock


def released_object(program):
    """A heap object used by all under a lock; the last user frees it."""
    rng, lock, p = program.rng, Lock(program,
                                     program.rng.choice(["mutex", "spin", "recursive"])), program.fresh("object")
    mistake = program.mistake(["freed too early", "freed twice", "used after the last"])
    program.note("shared heap object", mistake)
    n = program.workers
    program.share(f"struct {{ int users, value; }} *{p};")
    program.setup(f"{p} = calloc (1, sizeof *{p});\n{p}->users = {n};")
    for k in range(n):
        last = f"int last{k} = --{p}->users == 0;"
        if mistake == "freed too early" and k == 0:
            last = f"int last{k} = --{p}->users <= 1;"
        elif mistake == "freed twice":
            last = f"--{p}->users;\nint last{k} = {p}->users <= {int(k == 0)};"
        use = f"\n{p}->value += 1;" if mistake == "used after the last" and k == 0 else ""
        program.worker(k, f"{lock.take}\n{p}->value++;\n{last}\n{lock.give}{use}\nif (last{k})\n  free ({p});")


def reference_count(program):
    """The same with an atomic count."""
    rng, p, n = program.rng, program.fresh("shared"), program.workers
    mistake = program.mistake(["count not atomic", "read after release", "load and store"])
    program.note("reference count", mistake)
    program.share(f"struct {p} {{ {'int' if mistake == 'count not atomic' else 'atomic_int'} count; int data; }} *{p};")
    program.setup(f"{p} = malloc (sizeof *{p});\n{p}->count = {n};\n{p}->data = 5;")
    for k in range(n):
        minus = "--" if mistake == "count not atomic" else ""
        drop = f"int left{k} = {minus}{p}->count;"
        if mistake != "count not atomic":
            drop = f"int left{k} = atomic_fetch_sub (&{p}->count, 1) - 1;"
        if mistake == "load and store":
            drop = f"int left{k} = atomic_load (&{p}->count) - 1;\natomic_store (&{p}->count, left{k});"
        after = f"assert ({p}->data == 5);\n" if mistake == "read after release" and k == 0 else ""
        program.worker(k, f"assert ({p}->data == 5);\n{drop}\n{after}if (left{k} == 0)\n  free ({p});")


def passed_object(program):
    """A node made by one worker, handed over through an atomic pointer, freed by another."""
    rng, p = program.rng, program.fresh("box")
    mistake = program.mistake(["plain pointer", "filled after publication", "freed by both", "not taken out"])
    program.note("object handed over", mistake)
    of = f"struct {p}_node *" if mistake == "plain pointer" else f"struct {p}_node *_Atomic "
    program.share(f"struct {p}_node {{ int value; struct {p}_node *next; }};\n{of}{p};")
    fill = f"n0->value = {rng.randint(1, 9)};\n"
    late = mistake == "filled after publication"
    program.worker(0,
                   f"struct {p}_node *n0 = calloc (1, sizeof *n0);\n" + ("" if late else fill) + f"{p} = n0;"
                   + (f"\n{fill}" if late else "")
                   + (f"\nfree (n0);" if mistake == "freed by both" else ""))
    for k in range(1, program.workers):
        take = f"struct {p}_node *n{k} = atomic_exchange (&{p}, NULL);"
        if mistake in ("plain pointer", "not taken out"):
            take = f"struct {p}_node *n{k} = {p};"
        program.worker(k, f"{take}\nif (n{k})\n  {{\n    assert (n{k}->value != 0);\n    free (n{k});\n  }}")


def swapped_pointers(program):
    """Two pointers that trade places under a lock; between them both numbers stay reachable."""
    rng, lock, a, b = program.rng, Lock(program,
                                        program.rng.choice(["mutex", "rwlock",
                                                            "semaphore"])), program.fresh("a"), program.fresh("b")
    mistake = program.mistake(["swap without lock", "target used outside", "null in between"])
    program.note("swapped pointers", mistake)
    program.share(f"int {a}_value = 1, {b}_value = 2;\nint *{a} = &{a}_value, *{b} = &{b}_value;")
    swap = f"int *t{{k}} = {a};\n{a} = {b};\n{b} = t{{k}};"
    for k in range(program.workers):
        body = swap.format(k=k) if k == 0 or rng.random() < 0.4 else rng.choice([f"assert ({a} != {b});", f"*{a} += 1;",
            f"*{a} = *{b} + 1;"])
        if mistake == "null in between" and k == 0:
            program.worker(k, f"{lock.take}\n{a} = NULL;\n{lock.give}\n{lock.take}\n{a} = &{b}_value;\n{lock.give}")
        elif mistake == "swap without lock" and k == 0:
            program.worker(k, body)
        elif mistake == "target used outside" and k == 1:
            program.worker(k, f"{lock.take}\nint *p{k} = {a};\n{lock.give}\n*p{k} += 1;")
        elif mistake == "null in between":
            program.worker(k, f"{lock.take}\n*{a} += 1;\n{lock.give}")
        else:
            program.worker(k, f"{lock.take}\n{body}\n{lock.give}")
    program.finish(f"assert ({a}_value + {b}_value {rng.choice(['>= 3', '>= 3', '== 3'])});")


def own_and_shared(program):
    """Thread-local numbers, values behind keys, stack variables whose address another thread gets."""
    rng, x, n = program.rng, program.fresh("local"), program.workers
    kind = rng.choice(["thread-local", "key", "stack"])
    mistake = program.mistake({"thread-local": ["address shared"], "key": ["created twice"],
                               "stack": ["outlived"]}[kind])
    program.note(kind, mistake)
    if kind == "thread-local":
        program.share(f"_Thread_local int {x} = 3;\nint *_Atomic {x}_at;")
        for k in range(n):
            share = f"{x}_at = &{x};\n" if mistake and k == 0 else ""
            use = f"int *p{k} = {x}_at;\nif (p{k})\n  *p{k} = 9;\n" if mistake and k == 1 else ""
            program.worker(k, f"{share}{x} += {k};\n{use}assert ({x} == {3 + k});")
        program.finish(f"assert ({x} == 3);")
    elif kind == "key":
        program.share(f"pthread_key_t {x}, {x}_second;\nint {x}_values[{n}];")
        program.setup(f"pthread_key_create (&{x}, NULL);\npthread_key_create (&{x}_second, NULL);")
        for k in range(n):
            read = f"{x}_second" if mistake and k == 0 else x
            program.worker(k,
                           f"assert (pthread_getspecific ({x}) == NULL);\npthread_setspecific ({x}, "
                           f"&{x}_values[{k}]);\n*(int *) pthread_getspecific ({read}) = 1;")
        program.finish(f"assert ({x}_values[0] == 1 && pthread_getspecific ({x}) == NULL);")
    else:
        program.share(f"int *_Atomic {x}_at;\nsem_t {x}_done;")
        program.setup(f"sem_init (&{x}_done, 0, 0);")
        wait = "" if mistake else f"\nfor (int i = 1; i < {n}; i++)\n  sem_wait (&{x}_done);"
        program.worker(0, f"_Atomic int {x} = 4;\n{x}_at = (int *) &{x};{wait}")
        for k in range(1, n):
            program.worker(k,
                           f"int *p{k} = {x}_at;\nif (p{k})\n  __atomic_fetch_add (p{k}, 1, "
                           f"__ATOMIC_SEQ_CST);\nsem_post (&{x}_done);")


def families(program):
    """A worker creates a child, hands it work by pointer and takes its result; or lets it go."""
    rng, x = program.rng, program.fresh("child")
    mistake = program.mistake(["argument dies", "joined twice", "not joined", "joins itself"])
    program.note("thread creates thread", mistake)
    exit_by = rng.choice(["return &p[1];", "pthread_exit (&p[1]);"])
    program.share(f"int {x}_total;\nvoid *\n{x} (void *arg)\n{{\n  int *p = arg;\n  p[1] = p[0] * 2;\n  {exit_by}\n}}")
    join = f"void *result;\npthread_join (t, &result);\nassert (*(int *) result == {2 * 3});\n{x}_total = cells[1];"
    if mistake == "joined twice":
        join += "\npthread_join (t, NULL);"
    elif mistake == "joins itself":
        join = "pthread_join (pthread_self (), NULL);\n(void) t;"
    elif mistake == "not joined":
        join = f"pthread_detach (t);\n{x}_total = cells[1];"
    elif mistake == "argument dies":
        join = "pthread_detach (t);"
    storage = "static int" if mistake == "not joined" else "int"
    program.worker(0,
                   f"{{\n{storage} cells[2] = {{ 3, 0 }};\npthread_t t;\npthread_create (&t, NULL, {x}, cells);\n{join}\n}}")
    program.worker(1, f"assert (!pthread_equal (pthread_self (), (pthread_t) 0));")
    program.finish(f"assert ({x}_total == 6 || {x}_total == 0);")


PATTERNS = [("heap", released_object), ("heap", released_object), ("heap", reference_count), ("heap", reference_count),
            ("heap", passed_object),
            ("heap", passed_object), ("pointers", swapped_pointers), ("threads", own_and_shared),
            ("threads", families)]
