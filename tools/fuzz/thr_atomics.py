"""Patterns about atomic operations: messages behind flags, counters, lock-free stacks, mutual exclusion without
locks."""


def message(program):
    """Data, then a flag; a thread that sees the flag may read the data.  C11, GNU and __sync ways to say it."""
    rng, data, flag = program.rng, program.fresh("data"), program.fresh("flag")
    mistake = program.mistake(["flag first", "plain flag", "data changed later"])
    style = "plain" if mistake == "plain flag" else rng.choice(["c11", "explicit", "gnu", "fence"])
    program.note(f"message behind a flag, {style}", mistake)
    declared = {"c11": "atomic_int", "explicit": "_Atomic int", "gnu": "int", "fence": "atomic_int",
                "plain": "int"}[style]
    program.share(f"int {data};\n{declared} {flag};")
    store = {"c11": f"{flag} = 1;", "plain": f"{flag} = 1;",
             "explicit": f"atomic_store_explicit (&{flag}, 1, memory_order_release);",
             "gnu": f"__atomic_store_n (&{flag}, 1, __ATOMIC_RELEASE);",
             "fence": f"atomic_thread_fence (memory_order_release);\natomic_store_explicit (&{flag}, 1, "
                      f"memory_order_relaxed);"}[style]
    load = {"c11": flag, "plain": flag, "explicit": f"atomic_load_explicit (&{flag}, memory_order_acquire)",
            "gnu": f"__atomic_load_n (&{flag}, __ATOMIC_ACQUIRE)",
            "fence": f"atomic_load_explicit (&{flag}, memory_order_relaxed)"}[style]
    fence = "atomic_thread_fence (memory_order_acquire);\n" if style == "fence" else ""
    first, second = f"{data} = 42;", store
    if mistake == "flag first":
        first, second = second, first
    program.worker(0, f"{first}\n{second}" + (f"\n{data} = 43;" if mistake == "data changed later" else ""))
    for k in range(1, program.workers):
        check = f"{fence}assert ({data} == 42);"
        if rng.random() < 0.5:
            program.worker(k, f"while (!{load})\n  ;\n{check}")
        else:
            program.worker(k, f"if ({load})\n  {{\n    " + check.replace("\n", "\n    ") + "\n  }")


def arithmetic(program):
    """Counters by read-modify-write operations of every style; some only look atomic."""
    rng, x, n = program.rng, program.fresh("x"), program.workers
    mistake = program.mistake(["load then store", "one plain", "wrong sum"])
    style = rng.choice(["c11", "gnu", "sync"])
    program.note(f"atomic counter, {style}", mistake)
    program.share(f"{'atomic_int' if style == 'c11' else rng.choice(['int', 'short', 'long'])} {x};")
    total = 0
    for k in range(n):
        d = rng.randint(1, 3)
        total += d
        add = {"c11": rng.choice([f"{x} += {d};", f"atomic_fetch_add (&{x}, {d});",
                                  f"atomic_fetch_add_explicit (&{x}, {d}, memory_order_relaxed);"]),
               "gnu": rng.choice([f"__atomic_fetch_add (&{x}, {d}, __ATOMIC_SEQ_CST);",
                                  f"__atomic_add_fetch (&{x}, {d}, __ATOMIC_RELAXED);"]),
               "sync": rng.choice([f"__sync_fetch_and_add (&{x}, {d});", f"__sync_add_and_fetch (&{x}, {d});"])}[style]
        if mistake == "load then store" and k == 0:
            add = {"c11": f"{x} = {x} + {d};",
                   "gnu": f"__atomic_store_n (&{x}, __atomic_load_n (&{x}, __ATOMIC_SEQ_CST) + {d}, __ATOMIC_SEQ_CST);",
                   "sync": f"long seen{k};\ndo\n  seen{k} = {x};\nwhile (!__sync_bool_compare_and_swap (&{x}, seen{k}, "
                           f"seen{k} + {d}));"}[style]
        elif mistake == "one plain" and k == 0 and style != "c11":
            add = f"{x} += {d};"
        elif rng.random() < 0.3:
            add = {"c11": f"int seen{k} = {x};\nwhile (!atomic_compare_exchange_weak (&{x}, &seen{k}, seen{k} + "
                          f"{d}))\n  ;",
                   "gnu": f"__typeof__ ({x}) seen{k} = __atomic_load_n (&{x}, __ATOMIC_RELAXED);\nwhile "
                          f"(!__atomic_compare_exchange_n (&{x}, &seen{k}, seen{k} + {d}, 1, __ATOMIC_SEQ_CST, "
                          f"__ATOMIC_RELAXED))\n  ;",
                   "sync": add}[style]
        program.worker(k, add)
    program.finish(f"assert ({x} == {total + (mistake == 'wrong sum')});")


def stack(program):
    """A lock-free stack of static nodes: each thread pushes, some pop."""
    rng, s, n = program.rng, program.fresh("stack"), program.workers
    mistake = program.mistake(["push without exchange", "popped twice"])
    program.note("lock-free stack", mistake)
    program.share(f"struct {s}_node {{ struct {s}_node *next; int owner; }} {s}_nodes[{n}];\nstruct {s}_node *_Atomic "
                  f"{s};")
    for k in range(n):
        push = (f"struct {s}_node *head{k} = {s};\ndo\n  {s}_nodes[{k}].next = head{k};\nwhile "
                f"(!atomic_compare_exchange_strong (&{s}, &head{k}, &{s}_nodes[{k}]));")
        if mistake == "push without exchange" and k == 0:
            push = f"{s}_nodes[{k}].next = {s};\n{s} = &{s}_nodes[{k}];"
        pop = f"struct {s}_node *top{k} = atomic_exchange (&{s}, NULL);\nif (top{k})\n  top{k}->owner = {k + 1};"
        if mistake == "popped twice":
            pop = f"struct {s}_node *top{k} = {s};\nif (top{k})\n  top{k}->owner = {k + 1};"
        program.worker(k, pop if k == n - 1 else push)
    length = f"int {s}_length = 0;\nfor (struct {s}_node *p = {s}; p; p = p->next)\n  {s}_length++;\n"
    program.finish(length + f"assert ({s}_length <= {n - 1});")


def flags_and_turn(program):
    """Mutual exclusion of two by flags alone: Peterson's algorithm, or a simpler one that does not work."""
    rng, f, x = program.rng, program.fresh("want"), program.fresh("x")
    mistake = program.mistake(["turn first", "no turn", "plain flags"])
    program.note("Peterson", mistake)
    of = "int" if mistake == "plain flags" else "atomic_int"
    program.share(f"{of} {f}[2], {f}_turn;\nint {x};")
    for k in range(2):
        enter = [f"{f}[{k}] = 1;", f"{f}_turn = {1 - k};"]
        if mistake == "turn first":
            enter.reverse()
        if mistake == "no turn":
            enter.pop()
        condition = f"{f}[{1 - k}]" + ("" if mistake == "no turn" else f" && {f}_turn == {1 - k}")
        enter = "\n".join(enter)
        program.worker(k, f"{enter}\nwhile ({condition})\n  ;\n{x}++;\nassert ({x} == 1);\n{x}--;\n{f}[{k}] = 0;")


def spin_by_hand(program):
    """Locks made of atomic_flag, exchange, compare-and-swap or tickets."""
    rng, l, x, n = program.rng, program.fresh("gate"), program.fresh("x"), program.workers
    mistake = program.mistake(["test then set", "not released"])
    style = rng.choice(["flag", "exchange", "cas", "ticket", "sync"])
    program.note(f"lock by hand, {style}", mistake)
    declared, take, give = {
        "flag": (f"atomic_flag {l} = ATOMIC_FLAG_INIT", f"while (atomic_flag_test_and_set (&{l}))\n  ;",
                 f"atomic_flag_clear (&{l});"),
        "exchange": (f"atomic_bool {l}", f"while (atomic_exchange (&{l}, true))\n  ;", f"{l} = false;"),
        "cas": (f"atomic_int {l}",
                f"for (int e{{k}} = 0; !atomic_compare_exchange_weak (&{l}, &e{{k}}, 1); e{{k}} = 0)\n  ;",
                f"atomic_store_explicit (&{l}, 0, memory_order_release);"),
        "ticket": (f"atomic_uint {l}, {l}_next", f"unsigned mine{{k}} = {l}_next++;\nwhile ({l} != mine{{k}})\n  ;",
                   f"{l}++;"),
        "sync": (f"int {l}", f"while (__sync_lock_test_and_set (&{l}, 1))\n  ;", f"__sync_lock_release (&{l});"),
    }[style]
    program.share(f"{declared};\nint {x};")
    for k in range(n):
        enter, leave = take.format(k=k), give
        if mistake == "test then set" and k == 0 and style in ("exchange", "cas"):
            enter = f"while ({l})\n  ;\n{l} = 1;"
        if mistake == "not released" and k == 0:
            leave = "(void) arg;"
        program.worker(k, f"{enter}\n{x}++;\n{leave}")
    program.finish(f"assert ({x} == {n});")


PATTERNS = [("atomics", message), ("atomics", message), ("atomics", arithmetic), ("atomics", arithmetic),
            ("atomics", stack), ("atomics", flags_and_turn),
            ("atomics", spin_by_hand)]
