// Checks what a thread may access before it must wait, on a program with a lock.
#include <string.h>

#include "boolean/text_test.h"
#include "engine/boolean/futures.h"

static uint64_t bit_of (const bp_program *p, const char *name) {
  for (uint32_t v = 0; v < p->vars.count; v++)
    if (!strcmp (p->vars.data[v].name, name)) return 1ull << v;
  fail_msg ("no variable %s", name);
  return 0;
}

static void a_lock_closes_what_is_behind (void **state) {
  (void) state;
  // 0: a := x   1: atomic_begin   2: assume !lock   3: lock := 1   4: atomic_end   5: b := a   6: lock := 0
  bp_program *p = program_of ("decl a, b, lock; void main() begin decl x; a := x; atomic_begin; assume(!lock); lock := "
                              "1; atomic_end; b := a; lock := 0; end");
  accesses a;
  symbolic_futures f;
  accesses_init (&a, p);
  futures_init (&f, &a);
  assert_int_equal (f.conditions.count, 1);
  assert_int_equal (*futures_depends (&f, 0), bit_of (p, "lock"));
  symbolic_future open = futures_find (&f, 0, 0), closed = futures_find (&f, 0, 1), inside = futures_find (&f, 5, 1);
  assert_int_equal (open.met, 0);
  assert_int_equal (*open.writes, bit_of (p, "a") | bit_of (p, "b") | bit_of (p, "lock"));
  assert_int_equal (*open.reads, bit_of (p, "a") | bit_of (p, "lock"));
  assert_int_equal (closed.met, 1);
  assert_int_equal (*closed.writes, bit_of (p, "a"));
  assert_int_equal (*closed.reads, 0);
  assert_int_equal (*inside.writes, bit_of (p, "b") | bit_of (p, "lock"));
  futures_release (&f);
  accesses_release (&a);
  bp_program_free (p);
}

// Conditions with locals or choices do not count; threads that are started count; each branch of a goto ends
// separately.
static void ways_end_one_by_one (void **state) {
  (void) state;
  bp_program *p =
      program_of ("decl a, b, c, d; void main() begin decl x; start_thread goto L; goto M, N; M: assume(a); "
                  "b := 1; end_thread; N: assume(x | d); c := 1; assume(*); end_thread; L: d := 1; end");
  accesses a;
  symbolic_futures f;
  accesses_init (&a, p);
  futures_init (&f, &a);
  assert_int_equal (f.conditions.count, 1);
  symbolic_future closed = futures_find (&f, p->start.i, 1), open = futures_find (&f, p->start.i, 0);
  assert_int_equal (*closed.writes, bit_of (p, "c") | bit_of (p, "d"));
  assert_int_equal (*closed.reads, bit_of (p, "d"));
  assert_int_equal (*open.writes, *closed.writes | bit_of (p, "b"));
  assert_int_equal (*open.reads, *closed.reads | bit_of (p, "a"));
  futures_release (&f);
  accesses_release (&a);
  bp_program_free (p);
}

TEST_MAIN (cmocka_unit_test (a_lock_closes_what_is_behind), cmocka_unit_test (ways_end_one_by_one))
