// Whole searches on small programs: what fails, and how many states it takes with and without the reduction.
#include "boolean/text_test.h"
#include "engine/boolean/reduce.h"

static const budget no_limit = {0};

typedef struct found {
  uint64_t violations, states, reduced, by_solver, resumed;
  bool too_many_threads;
} found;

static bool go_on (void *state, const search *s, uint32_t at, uint32_t thread) {
  (void) state, (void) s, (void) at, (void) thread;
  return true;
}

static found look (const char *text, por_kind por, uint32_t max_threads) {
  bp_program *p = program_of (text);
  search s;
  search_init (&s, p,
               &(search_options){.budget = &no_limit,
                                 .max_threads = max_threads,
                                 .por = por,
                                 .form = QBF_AUTO,
                                 .plain = true,
                                 .violation = go_on});
  search_run (&s);
  assert_null (s.stopped);
  found f = {.violations = s.violations,
             .states = s.history.states.count,
             .too_many_threads = s.too_many_threads,
             .resumed = s.resumed};
  if (s.reduction) {
    f.reduced = reduction_statistics (s.reduction).chosen;
    f.by_solver = reduction_statistics (s.reduction).by_solver;
  }
  search_release (&s);
  bp_program_free (p);
  return f;
}

// Comparing next steps only, as the paper does, x := 1 would go alone, and the assertion would always hold.
static void next_steps_are_not_enough (void **state) {
  (void) state;
  const char *text =
      "decl x; void main() begin x := 0; start_thread goto L; x := 1; end_thread; L: skip; assert(x); end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 1);
}

// Nobody may wait for ever behind a thread that goes round alone.
static void circles_resume_the_others (void **state) {
  (void) state;
  const char *text = "decl x; void main() begin decl y; x := 0; start_thread goto L; y := 0; while (1) do y := !y; od; "
                     "L: x := 1; assert(!x); end";
  found off = look (text, POR_OFF, 4);
  assert_int_equal (off.violations, 1);
  for (por_kind por = POR_DECIDE; por <= POR_CLAUSES; por++) {
    found f = look (text, por, 4);
    assert_int_equal (f.violations, 1);
    assert_true (f.resumed && f.states <= off.states);
  }
}

// Where a longer way meets a shorter one again, the state was looked at before; but nobody goes round.
static void ways_that_meet_resume_nobody (void **state) {
  (void) state;
  const char *text =
      "decl g; void main() begin decl x; g := 0; start_thread goto L; if (*) then skip; else x := 1; x := "
      "!x; x := !x; fi; x := 0; g := 1; end_thread; L: g := !g; assert(g | !g); end";
  found off = look (text, POR_OFF, 4), decide = look (text, POR_DECIDE, 4);
  assert_true (decide.reduced && decide.states < off.states);
  assert_int_equal (decide.resumed, 0);
}

// The thread at L could disturb the other two, but it waits for z, which nobody can make true: that takes a solver to see.
static void who_is_stuck_does_not_disturb (void **state) {
  (void) state;
  const char *text = "decl g, h; void main() begin decl x, y, z; x, y := *, * constrain (x' | y'); z := !(x | y); "
                     "start_thread goto L; start_thread goto M; "
                     "g := 0; g := !g; assert(g); end_thread; "
                     "L: assume(z); g := 0; h := 0; end_thread; "
                     "M: h := 0; h := !h; assert(h); end";
  found off = look (text, POR_OFF, 4), clauses = look (text, POR_CLAUSES, 4), decide = look (text, POR_DECIDE, 4);
  assert_int_equal (off.violations + clauses.violations + decide.violations, 0);
  assert_int_equal (clauses.states, decide.states);
  assert_true (decide.states < off.states && decide.by_solver && clauses.by_solver);
}

// An assertion that fails for some values does not hide those that fail beside it.
static void failing_assertions_do_not_go_alone (void **state) {
  (void) state;
  const char *text =
      "decl a; void main() begin a := 0; start_thread goto L; assert(0); end_thread; L: a := 1; assert(!a); end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 2);
}

// Who holds the lock goes on alone: the others can come to no access of x or of the lock before it is given back.
static void a_lock_keeps_others_from_disturbing (void **state) {
  (void) state;
  const char *text =
      "decl lock, x; void main() begin lock, x := 0, 0; start_thread goto L; start_thread goto L; L: skip; "
      "atomic_begin; assume(!lock); lock := 1; atomic_end; "
      "x := 1; x := !x; x := !x; assert(x); x := 0; lock := 0; end";
  found off = look (text, POR_OFF, 4), decide = look (text, POR_DECIDE, 4);
  assert_int_equal (off.violations + decide.violations, 0);
  assert_true (3 * decide.states < off.states);
}

// The same, but somebody gives a lock back that is not his: then it keeps nobody out.
static void a_lock_that_others_open_keeps_nobody_out (void **state) {
  (void) state;
  const char *text = "decl lock, x; void main() begin lock, x := 0, 0; start_thread goto L; start_thread goto M; L: "
                     "atomic_begin; assume(!lock); lock := 1; atomic_end; x := 1; assert(x); lock := 0; end_thread; "
                     "M: lock := 0; atomic_begin; assume(!lock); lock := 1; atomic_end; x := 0; end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 1);
}

// What is behind an assume does not count only if the assume cannot hold in any of the states: here z holds in some.
static void what_may_be_possible_disturbs (void **state) {
  (void) state;
  const char *text = "decl z, g; void main() begin decl x; x := *; z := x; g := 0; start_thread goto L; "
                     "g := 1; assert(g); end_thread; L: skip; assume(z); g := 0; end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 1);
}

// Starting a thread is done alone where the limit cannot be met, and is not where it can.
static void threads_are_started_at_once (void **state) {
  (void) state;
  const char *text = "decl a; void main() begin a := 0; start_thread goto L; start_thread goto L; start_thread goto L; "
                     "end_thread; L: a := !a; a := !a; assert(a | !a); end";
  found off = look (text, POR_OFF, 8), decide = look (text, POR_DECIDE, 8), few = look (text, POR_DECIDE, 3);
  assert_true (decide.states < off.states);
  assert_true (few.too_many_threads && !decide.too_many_threads);
}

// One order is enough.
static void independent_threads_take_turns (void **state) {
  (void) state;
  const char *text = "decl a, b; void main() begin start_thread goto L; a := 0; a := 1; assume(a); end_thread; L: b := "
                     "0; b := 1; assume(b); assert(b); end";
  found off = look (text, POR_OFF, 4), decide = look (text, POR_DECIDE, 4);
  assert_true (decide.states < off.states);
  assert_int_equal (decide.violations, 0);
}

static void too_many_threads_are_noted (void **state) {
  (void) state;
  const char *text =
      "decl a; void main() begin while (*) do start_thread goto L; od; end_thread; L: assert(a | !a); end";
  assert_true (look (text, POR_DECIDE, 3).too_many_threads);
  assert_true (look (text, POR_OFF, 3).too_many_threads);
  assert_false (look ("decl a; void main() begin start_thread goto L; end_thread; L: assert(a | !a); end", POR_OFF, 3)
                    .too_many_threads);
}

static void ends_are_not_looked_at (void **state) {
  (void) state;
  assert_int_equal (look ("decl a; void main() begin while (*) do a := !a; od; end", POR_OFF, 4).states, 1);
  assert_int_equal (look ("decl a; void main() begin assert(a | !a); a := 1; a := 0; a := !a; end", POR_OFF, 4).states,
                    1);
}

// Threads have no names: it does not matter which of two is ahead, unless they stand in different copies of the same text.
static void like_threads_are_one_state (void **state) {
  (void) state;
  found like = look ("decl a; void main() begin start_thread goto L; start_thread goto L; end_thread; "
                     "L: a := 1; a := 0; assert(a | !a); end",
                     POR_OFF, 4);
  found unlike = look ("decl a; void main() begin start_thread goto L; start_thread goto M; end_thread; "
                       "L: a := 1; a := 0; assert(a | !a); end_thread; M: a := 1; a := 0; assert(a | !a); end",
                       POR_OFF, 4);
  assert_true (3 * like.states < 2 * unlike.states);
}

TEST_MAIN (cmocka_unit_test (next_steps_are_not_enough), cmocka_unit_test (circles_resume_the_others),
           cmocka_unit_test (ways_that_meet_resume_nobody), cmocka_unit_test (who_is_stuck_does_not_disturb),
           cmocka_unit_test (a_lock_keeps_others_from_disturbing),
           cmocka_unit_test (a_lock_that_others_open_keeps_nobody_out),
           cmocka_unit_test (what_may_be_possible_disturbs), cmocka_unit_test (threads_are_started_at_once),
           cmocka_unit_test (failing_assertions_do_not_go_alone), cmocka_unit_test (independent_threads_take_turns),
           cmocka_unit_test (too_many_threads_are_noted), cmocka_unit_test (ends_are_not_looked_at),
           cmocka_unit_test (like_threads_are_one_state))
