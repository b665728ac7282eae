// Runs whole searches on small programs: which assertions fail, and how many states there are with and without the
// reduction.
#include "boolean/text_test.h"
#include "engine/boolean/boolean_reduce.h"

static const budget no_limit = {0};

typedef struct found {
  uint64_t violations, states, reduced, by_solver, resumed;
  bool too_many_threads;
} found;

static bool go_on (void *state, const symbolic_search *s, uint32_t at, uint32_t thread) {
  (void) state, (void) s, (void) at, (void) thread;
  return true;
}

static found look (const char *text, por_kind por, uint32_t max_threads) {
  bp_program *p = program_of (text);
  symbolic_search s;
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

// If only next steps were compared, as in the paper, x := 1 would step alone, and the assertion would always be true.
static void next_steps_are_not_enough (void **state) {
  (void) state;
  const char *text =
      "decl x; void main() begin x := 0; start_thread goto L; x := 1; end_thread; L: skip; assert(x); end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 1);
}

// No thread may be ignored for ever because of a thread that goes round a loop alone.
static void cycles_resume_the_others (void **state) {
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

// Where a longer path meets a shorter one again, the state is known already; but no thread goes round a cycle.
static void paths_that_meet_resume_no_thread (void **state) {
  (void) state;
  const char *text =
      "decl g; void main() begin decl x; g := 0; start_thread goto L; if (*) then skip; else x := 1; x := "
      "!x; x := !x; fi; x := 0; g := 1; end_thread; L: g := !g; assert(g | !g); end";
  found off = look (text, POR_OFF, 4), decide = look (text, POR_DECIDE, 4);
  assert_true (decide.reduced && decide.states < off.states);
  assert_int_equal (decide.resumed, 0);
}

// The thread at L could interfere with the other two, but it waits for z, which no thread can make true: only a solver
// sees that.
static void a_stuck_thread_does_not_interfere (void **state) {
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

// An assertion that fails for some values does not hide those of other threads.
static void failing_assertions_are_not_taken_alone (void **state) {
  (void) state;
  const char *text =
      "decl a; void main() begin a := 0; start_thread goto L; assert(0); end_thread; L: a := 1; assert(!a); end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 2);
}

// The holder of the lock steps alone: the others reach no access of x or of the lock before it is released.
static void a_lock_keeps_others_from_interfering (void **state) {
  (void) state;
  const char *text =
      "decl lock, x; void main() begin lock, x := 0, 0; start_thread goto L; start_thread goto L; L: skip; "
      "atomic_begin; assume(!lock); lock := 1; atomic_end; "
      "x := 1; x := !x; x := !x; assert(x); x := 0; lock := 0; end";
  found off = look (text, POR_OFF, 4), decide = look (text, POR_DECIDE, 4);
  assert_int_equal (off.violations + decide.violations, 0);
  assert_true (3 * decide.states < off.states);
}

// The same, but a thread releases a lock that it does not hold: then the lock excludes no thread.
static void a_lock_that_others_release_excludes_no_thread (void **state) {
  (void) state;
  const char *text = "decl lock, x; void main() begin lock, x := 0, 0; start_thread goto L; start_thread goto M; L: "
                     "atomic_begin; assume(!lock); lock := 1; atomic_end; x := 1; assert(x); lock := 0; end_thread; "
                     "M: lock := 0; atomic_begin; assume(!lock); lock := 1; atomic_end; x := 0; end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 1);
}

// The code after an assume is only ignored if the assume is false in all of the states: here z is true in some.
static void a_possible_access_interferes (void **state) {
  (void) state;
  const char *text = "decl z, g; void main() begin decl x; x := *; z := x; g := 0; start_thread goto L; "
                     "g := 1; assert(g); end_thread; L: skip; assume(z); g := 0; end";
  for (por_kind por = POR_DECIDE; por <= POR_OFF; por++) assert_int_equal (look (text, por, 4).violations, 1);
}

// A step that starts a thread is taken alone where the limit cannot be reached, and is not where it can.
static void threads_are_started_at_once (void **state) {
  (void) state;
  const char *text = "decl a; void main() begin a := 0; start_thread goto L; start_thread goto L; start_thread goto L; "
                     "end_thread; L: a := !a; a := !a; assert(a | !a); end";
  found off = look (text, POR_OFF, 8), decide = look (text, POR_DECIDE, 8), few = look (text, POR_DECIDE, 3);
  assert_true (decide.states < off.states);
  assert_true (few.too_many_threads && !decide.too_many_threads);
}

// One order of the threads is enough.
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

// Threads have no names: which of two threads is ahead does not matter, unless they are in different copies of the same
// text.
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

TEST_MAIN (cmocka_unit_test (next_steps_are_not_enough), cmocka_unit_test (cycles_resume_the_others),
           cmocka_unit_test (paths_that_meet_resume_no_thread), cmocka_unit_test (a_stuck_thread_does_not_interfere),
           cmocka_unit_test (a_lock_keeps_others_from_interfering),
           cmocka_unit_test (a_lock_that_others_release_excludes_no_thread),
           cmocka_unit_test (a_possible_access_interferes), cmocka_unit_test (threads_are_started_at_once),
           cmocka_unit_test (failing_assertions_are_not_taken_alone), cmocka_unit_test (independent_threads_take_turns),
           cmocka_unit_test (too_many_threads_are_noted), cmocka_unit_test (ends_are_not_looked_at),
           cmocka_unit_test (like_threads_are_one_state))
