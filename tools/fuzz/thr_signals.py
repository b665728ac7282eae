"""Patterns about waiting for each other: condition variables, semaphores, barriers, once, bounded buffers."""


def handoff(program):
    """The first worker makes data and says so; the others wait for it with a condition variable."""
    rng, m, c, ready, data = (program.rng, program.fresh("m"), program.fresh("c"), program.fresh("ready"),
                              program.fresh("data"))
    mistake = program.mistake(["if for while", "signal without change", "flag set without lock", "signal for all",
                               "no signal", "wait without mutex"])
    program.note("condition variable", mistake)
    program.share(f"pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t {c} = "
                  f"PTHREAD_COND_INITIALIZER;\nint {ready}, {data};")
    wake = "broadcast" if program.workers > 2 and mistake != "signal for all" else rng.choice(["signal", "signal",
        "broadcast"]) if mistake != "signal for all" else "signal"
    set_flag = (f"pthread_mutex_lock (&{m});\n{ready} = 1;\npthread_mutex_unlock (&{m});\n"
                if rng.random() < 0.5 else None)
    program.worker(0, f"{data} = 7;\n" + {
        "flag set without lock": f"{ready} = 1;\npthread_cond_{wake} (&{c});",
        "no signal": f"pthread_mutex_lock (&{m});\n{ready} = 1;\npthread_mutex_unlock (&{m});",
        "signal without change": f"pthread_mutex_lock (&{m});\npthread_cond_{wake} (&{c});\npthread_mutex_unlock "
                                 f"(&{m});",
    }.get(mistake, set_flag + f"pthread_cond_{wake} (&{c});" if set_flag
          else f"pthread_mutex_lock (&{m});\n{ready} = 1;\npthread_cond_{wake} (&{c});\npthread_mutex_unlock (&{m});"))
    for k in range(1, program.workers):
        wait = f"pthread_cond_wait (&{c}, &{m});"
        if rng.random() < 0.15:
            program.share(f"const struct timespec {c}_until{k} = {{ 1, 0 }};")
            wait = f"pthread_cond_timedwait (&{c}, &{m}, &{c}_until{k});"
        word = "if" if mistake in ("if for while", "signal without change") else "while"
        program.worker(k,
                       (f"pthread_mutex_lock (&{m});\n" if mistake != "wait without mutex" else "")
                       + f"{word} (!{ready})\n  {wait}\npthread_mutex_unlock (&{m});\nassert ({data} == 7);")


def buffer_condition(program):
    """A buffer of one or two cells between a producer and consumers, with two condition variables or one."""
    rng, b = program.rng, program.fresh("buffer")
    size, items = rng.choice([1, 2]), rng.choice([1, 2])
    mistake = program.mistake(["if for while", "one condition, signal", "no signal when taken"])
    program.note("bounded buffer", mistake)
    empty, full = (f"{b}_cond", f"{b}_cond") if mistake == "one condition, signal" else (f"{b}_empty", f"{b}_full")
    conditions = "\n".join(f"pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;" for c in sorted({empty, full}))
    program.share(f"struct {{ int cells[{size}]; int used; }} {b};\npthread_mutex_t {b}_lock = "
                  f"PTHREAD_MUTEX_INITIALIZER;\n{conditions}\nint {b}_sum;")
    word = "if" if mistake == "if for while" else "while"
    consumers = program.workers - 1
    program.worker(0, f"""for (int i = 0; i < {items * consumers}; i++)
  {{
    pthread_mutex_lock (&{b}_lock);
    {word} ({b}.used == {size})
      pthread_cond_wait (&{full}, &{b}_lock);
    {b}.cells[{b}.used++] = i + 1;
    pthread_cond_signal (&{empty});
    pthread_mutex_unlock (&{b}_lock);
  }}""")
    for k in range(1, program.workers):
        signal = "" if mistake == "no signal when taken" else f"    pthread_cond_signal (&{full});\n"
        program.worker(k, f"""for (int i = 0; i < {items}; i++)
  {{
    pthread_mutex_lock (&{b}_lock);
    {word} ({b}.used == 0)
      pthread_cond_wait (&{empty}, &{b}_lock);
    {b}_sum += {b}.cells[--{b}.used];
{signal}    pthread_mutex_unlock (&{b}_lock);
  }}""")
    n = items * consumers
    program.finish(f"assert ({b}.used == 0 && {b}_sum == {n * (n + 1) // 2});")


def buffer_semaphore(program):
    """The same with two semaphores; with more than one consumer, a third protects the cells."""
    rng, b, mistake = program.rng, program.fresh("ring"), program.mistake(["starts full", "posts the wrong one",
        "no mutual exclusion"])
    program.note("semaphore buffer", mistake)
    size, exclusive = rng.choice([1, 2]), program.workers > 2 and mistake != "no mutual exclusion"
    program.share(f"sem_t {b}_free, {b}_used, {b}_mutex;\nint {b}[{size}], {b}_in, {b}_out, {b}_sum;")
    program.setup(f"sem_init (&{b}_free, 0, {size + 1 if mistake == 'starts full' else size});\nsem_init (&{b}_used, "
                  f"0, 0);\nsem_init (&{b}_mutex, 0, 1);")
    enter, leave = (f"sem_wait (&{b}_mutex);\n", f"\nsem_post (&{b}_mutex);") if exclusive else ("", "")
    put = (f"sem_wait (&{b}_free);\n{enter}{b}[{b}_in] = ITEM;\n{b}_in = ({b}_in + 1) % {size};{leave}\nsem_post "
           f"(&{b}_used);\n")
    program.worker(0, "".join(put.replace("ITEM", str(k)) for k in range(1, program.workers)))
    for k in range(1, program.workers):
        post = f"{b}_used" if mistake == "posts the wrong one" else f"{b}_free"
        program.worker(k,
                       f"sem_wait (&{b}_used);\n{enter}{b}_sum += {b}[{b}_out];\n{b}_out = ({b}_out + 1) % "
                       f"{size};{leave}\nsem_post (&{post});")
    program.finish(f"assert ({b}_sum == {program.workers * (program.workers - 1) // 2});")


def relay(program):
    """Workers take turns through semaphores; what one writes before posting, the next reads after waiting."""
    rng, s, x, n = program.rng, program.fresh("turn"), program.fresh("x"), program.workers
    mistake = program.mistake(["two may start", "waits for itself", "trywait"])
    program.note("semaphore relay", mistake)
    program.share(f"sem_t {s}[{n}];\nint {x};")
    program.setup("\n".join(f"sem_init (&{s}[{k}], 0, {int(k == 0 or (mistake == 'two may start' and k == 1))});"
                            for k in range(n)))
    for k in range(n):
        wait = f"sem_wait (&{s}[{k}]);"
        if mistake == "trywait" and k == 1:
            wait = f"if (sem_trywait (&{s}[{k}]) != 0)\n  {{\n    assert (errno == EAGAIN);\n    return NULL;\n  }}"
        target = k if mistake == "waits for itself" and k == 0 else (k + 1) % n
        program.worker(k, f"{wait}\nassert ({x} == {k});\n{x} = {k + 1};\nsem_post (&{s}[{target}]);")
    if rng.random() < 0.5:
        program.finish(f"int {x}_value;\nsem_getvalue (&{s}[0], &{x}_value);\nassert ({x}_value == 1);")


def phases(program):
    """Each thread writes its own cell, meets at a barrier, then reads its neighbour's."""
    rng, b, cells, n = program.rng, program.fresh("barrier"), program.fresh("cells"), program.workers
    mistake = program.mistake(["count too large", "count too small", "one does not wait", "no second barrier"])
    program.note("barrier", mistake)
    twice = rng.random() < 0.4 or mistake == "no second barrier"
    count = n + {"count too large": 1, "count too small": -1}.get(mistake, 0)
    program.share(f"pthread_barrier_t {b};\nint {cells}[{n}];\natomic_int {b}_serial;")
    program.setup(f"pthread_barrier_init (&{b}, NULL, {max(count, 1)});")
    for k in range(n):
        wait = f"pthread_barrier_wait (&{b});"
        if rng.random() < 0.4:
            wait = f"if (pthread_barrier_wait (&{b}) == PTHREAD_BARRIER_SERIAL_THREAD)\n  {b}_serial++;"
        if mistake == "one does not wait" and k == 0:
            wait = "(void) arg;"
        text = f"{cells}[{k}] = {k + 1};\n{wait}\nassert ({cells}[{(k + 1) % n}] == {(k + 1) % n + 1});\n"
        if twice:
            text += ("" if mistake
                     == "no second barrier" else f"pthread_barrier_wait (&{b});\n") + f"{cells}[{k}] = 0;\n"
        program.worker(k, text)
    program.finish(f"assert ({b}_serial <= 1);")


def once(program):
    """The first thread initialises; all see the result."""
    rng, o, x, n = program.rng, program.fresh("once"), program.fresh("x"), program.workers
    mistake = program.mistake(["by hand", "by hand with a lock", "waits inside"])
    program.note("once", mistake)
    program.share(f"pthread_once_t {o} = PTHREAD_ONCE_INIT;\nint {x}, {o}_calls;\nbool {o}_done;\n"
                  f"pthread_mutex_t {o}_lock = PTHREAD_MUTEX_INITIALIZER;\n"
                  f"void {o}_init (void)\n{{\n"
                  + ("  pthread_mutex_lock (&%s_lock);\n" % o if mistake == "waits inside" else "")
                  + f"  {x} = {rng.randint(1, 9)};\n  {o}_calls++;\n"
                  + ("  pthread_mutex_unlock (&%s_lock);\n" % o if mistake == "waits inside" else "") + "}")
    for k in range(n):
        call = {
            "by hand": f"if (!{o}_done)\n  {{\n    {o}_init ();\n    {o}_done = true;\n  }}",
            "by hand with a lock": f"if (!{o}_done)\n  "
                                   f"{{\n    pthread_mutex_lock (&{o}_lock);\n    if (!{o}_done)\n      {{\n        {o}_init ();\n        {o}_done = true;\n      }}\n    pthread_mutex_unlock (&{o}_lock);\n  }}",
            "waits inside": f"pthread_mutex_lock (&{o}_lock);\npthread_once (&{o}, {o}_init);\npthread_mutex_unlock "
                            f"(&{o}_lock);" if k == 0 else f"pthread_once (&{o}, {o}_init);",
        }.get(mistake, f"pthread_once (&{o}, {o}_init);")
        program.worker(k, f"{call}\nassert ({x} != 0);")
    if mistake and mistake.startswith("by hand"):
        program.setup(f"(void) &{o};")
    else:
        program.setup(f"{o}_done = false;\n(void) &{o}_lock;")
    program.finish(f"assert ({o}_calls == 1);")


PATTERNS = [("cond", handoff), ("cond", handoff), ("cond", buffer_condition), ("sem", buffer_semaphore), ("sem", relay),
            ("barrier", phases), ("once", once)]
