"""Sections about atomic operations, run by one thread: the values they leave and return."""
from fuzz.seq_text import NARROW_TYPES

ORDERS = ["__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"]


def gnu_atomics(program):
    """__atomic_* and __sync_* on every width."""
    rng, name, t = program.rng, program.fresh("atomic"), program.rng.choice(NARROW_TYPES)
    body = f"{t.name} x = {program.number(t)}, old = 0, wanted;\n"
    for _ in range(rng.randint(4, 8)):
        v, order = program.number(t), rng.choice(ORDERS)
        body += rng.choice([
            f"old = __atomic_fetch_{rng.choice(['add', 'sub', 'and', 'or', 'xor', 'nand'])} (&x, {v}, {order});",
            f"old = __atomic_{rng.choice(['add', 'sub', 'and', 'or', 'xor'])}_fetch (&x, {v}, {order});",
            f"old = __sync_fetch_and_{rng.choice(['add', 'sub', 'or', 'and', 'xor', 'nand'])} (&x, {v});",
            f"old = __sync_{rng.choice(['add', 'sub', 'or', 'xor'])}_and_fetch (&x, {v});",
            f"old = __atomic_exchange_n (&x, {v}, {order});",
            f"old = __sync_val_compare_and_swap (&x, {rng.choice(['x', v])}, {v});",
            f"old = ({t.name}) __sync_bool_compare_and_swap (&x, {rng.choice(['x', v])}, {v});",
            f"wanted = {rng.choice(['x', v])};\nold = ({t.name}) __atomic_compare_exchange_n (&x, &wanted, {v}, 0, "
            f"__ATOMIC_SEQ_CST, __ATOMIC_RELAXED);\nmix ((u64) (i64) wanted);",
            f"__atomic_store_n (&x, {v}, __ATOMIC_RELEASE);", "old = __atomic_load_n (&x, __ATOMIC_ACQUIRE);",
            f"__atomic_load (&x, &old, __ATOMIC_SEQ_CST);", "__sync_synchronize ();",
            "__atomic_thread_fence (__ATOMIC_SEQ_CST);",
            f"old = __sync_lock_test_and_set (&x, {v});", "__sync_lock_release (&x);",
        ]) + f'\nshow ("{name}", (u64) (i64) x);\nmix ((u64) (i64) old);\n'
    program.section(name, body)


def c11_atomics(program):
    """_Atomic objects through operators and stdatomic.h; in a struct; a pointer; a flag."""
    rng, name, t = program.rng, program.fresh("c11"), program.rng.choice([t for t in NARROW_TYPES if not t.signed])
    program.add(f"static _Atomic {t.name} {name}_x = {program.constant(t)};\n"
                f"static struct {{ char pad; _Atomic i32 n; atomic_flag flag; }} {name}_s = "
                f"{{ 1, {rng.randint(-9, 9)}, ATOMIC_FLAG_INIT }};\n"
                f"static u16 {name}_cells[4] = {{ 1, 2, 3, 4 }};\nstatic u16 *_Atomic {name}_at = {name}_cells;\n")
    steps = rng.sample([
        f"{name}_x += {rng.randint(1, 99)};", f"{name}_x++;", f"{name}_x ^= {rng.randint(1, 99)};", f"{name}_x *= 3;",
        f"{name}_s.n--;",
        f"atomic_fetch_add (&{name}_s.n, {rng.randint(-9, 9)});",
        f"atomic_store (&{name}_s.n, (i32) atomic_load (&{name}_x) + 1);",
        f"mix (atomic_flag_test_and_set (&{name}_s.flag));", f"atomic_flag_clear (&{name}_s.flag);",
        f"mix (atomic_exchange (&{name}_x, {rng.randint(0, 99)}));", f"mix (*{name}_at++);",
        f"atomic_fetch_sub (&{name}_at, {name}_at > {name}_cells);",
        f"{{ i32 e = {rng.randint(-9, 9)}; if (!atomic_compare_exchange_strong (&{name}_s.n, &e, 7)) mix ((u32) e); }}",
        f"{{ i32 e = atomic_load (&{name}_s.n); while (!atomic_compare_exchange_weak (&{name}_s.n, &e, e * 2 % 1000)); }}",
        "atomic_thread_fence (memory_order_acquire);", "atomic_signal_fence (memory_order_seq_cst);",
        f"atomic_fetch_or_explicit (&{name}_x, {rng.randint(1, 63)}, memory_order_relaxed);",
    ], rng.randint(5, 10))
    program.section(name,
                    "\n".join(steps) + f'\nshow ("{name}", {name}_x);\nshow ("{name}", (u32) {name}_s.n);\nshow '
                                       f'("{name}", (u64) ({name}_at - {name}_cells));\n')


def atomic_locals(program):
    """Atomic locals, _Atomic of bool and double, atomic_init, a ticket counter."""
    rng, name = program.rng, program.fresh("ticket")
    program.section(name, f"""\
atomic_uint next, serving = {rng.randint(0, 5)};
atomic_bool done = false;
_Atomic double real = {rng.randint(0, 99)}.5;
atomic_init (&next, {rng.randint(0, 5)});
for (int k = 0; k < {rng.randint(2, 6)}; k++)
  {{
    u32 mine = atomic_fetch_add_explicit (&next, 1, memory_order_acq_rel);
    serving += mine > serving;
    real = real * 1.5 + mine;
    done = mine == {rng.randint(1, 9)};
  }}
show ("{name}", next * 100u + serving * 2u + done);
show_double ("{name}", real);
""")


SECTIONS = [gnu_atomics, gnu_atomics, c11_atomics, atomic_locals]
