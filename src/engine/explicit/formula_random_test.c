// Compares the product search with a second way to decide formulas, on random programs and formulas.
//
// The oracle takes every edge as a step, so it uses no reduction, and it uses no automaton. It pairs each observed
// state with a guess about which temporal subformulas will be true in the next one, connects pairs whose guesses come
// true, and looks for an infinite path on which no until waits for ever (and no release fails for ever without reason),
// by the fixpoint of Emerson and Lei (1986). For fairness, the steps of each thread are one more such condition. In
// addition, the judge replays every run that the search finds.
#include "base/rng.h"
#include "engine/explicit/explicit_options.h"
#include "engine/explicit/explicit_test.h"
#include "engine/explicit/product.h"

enum { ROUNDS = 200, MOST_OBSERVED = 500, MOST_TEMPORAL = 4, MOST_PAIRS = 4000, THREADS = 3 };

// ---- random programs ----------------------------------------------------------------------------------
static void add_random_operation (rng *r, strbuf *out) {
  static const char *const operations[] = {
      "r1 = load.4 &x",          "r2 = load.4 &y",          "r1 = load.4 &y",
      "r1 = assign (r1 ^ 1:32)", "r2 = assign (r1 + 1:32)", "nop",
      "r3 = mutex_lock &m",      "r3 = mutex_unlock &m",    "r3 = mutex_lock &m",
      "r3 = sem_wait &s",        "r3 = sem_post &s",        "r4 = rmw.4 xchg seq_cst &x, 2:32",
      "r3 = sem_post &s",        "r3 = mutex_unlock &m",    "store.4 &y, (r1 & 1:32)"};
  switch (rng_below (r, 12)) {
  case 0:
  case 1:
  case 2: strbuf_printf (out, "store.4 &%c, %u:32", 'x' + rng_below (r, 2), rng_below (r, 3)); return;
  case 3: strbuf_printf (out, "if r%u goto %u", 1 + rng_below (r, 2), rng_below (r, 3)); return;
  case 4: strbuf_printf (out, rng_below (r, 3) ? "goto %u" : "any %u", rng_below (r, 3)); return;
  case 5:
    if (rng_below (r, 3)) strbuf_add (out, "atomic_begin; store.4 &x, 1:32; store.4 &y, 1:32; atomic_end");
    else strbuf_add (out, rng_below (r, 2) ? "check assert (r1 == 0:32) message \"bad\"" : "assume (r1 == 0:32)");
    return;
  default: strbuf_add (out, operations[rng_below (r, sizeof operations / sizeof *operations)]); return;
  }
}

// A line contains three numbers to jump to, at three of its operations.
static void make_line (rng *r, strbuf *out) {
  uint32_t length = 3 + rng_below (r, 4), number = 0;
  strbuf_clear (out);
  for (uint32_t k = 0; k < length; k++) {
    if (number < 3 && (length - k <= 3 - number || rng_below (r, 2))) strbuf_printf (out, "%u: ", number++);
    add_random_operation (r, out);
    strbuf_add (out, "; ");
  }
  if (!rng_below (r, 3)) strbuf_add (out, "goto 0");
}

// One thread lets the other continue and does something local; so the effects that the formula observes of the two can
// come in either order.
static void make_handshake (rng *r, strbuf lines[THREADS]) {
  strbuf_clear (&lines[0]);
  strbuf_clear (&lines[1]);
  strbuf_add (&lines[0], "0: nop; 1: nop; 2: store.4 &x, 1:32; r1 = assign (r1 ^ 1:32); r2 = assign (r1 + 1:32); ");
  strbuf_add (&lines[1], "0: r1 = load.4 &x; r2 = assign (r1 ^ 1:32); if r2 goto 0; 1: nop; 2: store.4 &y, 1:32; ");
  for (uint32_t t = 0; t < 2; t++)
    if (rng_below (r, 2)) add_random_operation (r, &lines[t]);
}

static ir_program *random_program (rng *r) {
  strbuf lines[THREADS] = {0};
  const char *texts[THREADS];
  uint32_t threads = 2 + rng_below (r, 2);
  for (uint32_t t = 0; t < threads; t++) {
    make_line (r, &lines[t]);
    if (!t && rng_below (r, 2)) strbuf_printf (&lines[t], "; r5 = load.8 &handles+8; r6 = thread_join r5");
  }
  if (!rng_below (r, 4)) make_handshake (r, lines);
  for (uint32_t t = 0; t < threads; t++) texts[t] = strbuf_text (&lines[t]);
  ir_program *p = program_of ("x:4 y:4 m:40 s:32", texts, threads);
  ir_type number = ir_add_type (p, IR_T_INT, "int", 4), mutex = ir_add_type (p, IR_T_UNION, "pthread_mutex_t", 40);
  for (uint32_t k = 0; k < p->objects.count; k++) {
    const char *name = p->objects.data[k].name;
    if (name && (!strcmp (name, "x") || !strcmp (name, "y"))) p->objects.data[k].type = number;
    if (name && !strcmp (name, "m")) p->objects.data[k].type = mutex;
  }
  for (uint32_t t = 0; t < THREADS; t++) strbuf_release (&lines[t]);
  return p;
}

// ---- random formulas ----------------------------------------------------------------------------------
static void add_random_atom (rng *r, strbuf *out) {
  static const char *const atoms[] = {
      "x", "y == 1",         "x != y",      "x > 1",   "locked(m)", "x < y", "holds(thread1, m)", "ended(thread1)",
      "y", "ended(thread0)", "holds(0, m)", "ended(1)"};
  uint32_t t = rng_below (r, 2), line = 1 + rng_below (r, 5);
  switch (rng_below (r, 8)) {
  case 0: strbuf_printf (out, "at(t%u.c:%u)", t, line); return;
  case 1: strbuf_printf (out, "at(%u, t%u.c:%u)", t, t, line); return;
  case 2: strbuf_printf (out, "at(thread%u, t%u.c:%u)", t, t, line); return;
  default: strbuf_add (out, atoms[rng_below (r, sizeof atoms / sizeof *atoms)]); return;
  }
}

static void add_random_formula (rng *r, uint32_t size, bool with_next, strbuf *out) {
  static const char *const unary[] = {"!", "F ", "G ", "F G ", "G F ", "X "}, *const binary[] = {" && ", " || ", " -> ",
                                                                                                 " U ",  " W ",  " R "};
  if (size <= 1) {
    add_random_atom (r, out);
    return;
  }
  strbuf_add_char (out, '(');
  if (rng_below (r, 2)) {
    strbuf_add (out, unary[rng_below (r, with_next ? 6 : 5)]);
    add_random_formula (r, size - 1, with_next, out);
  } else {
    uint32_t left = 1 + rng_below (r, size - 1);
    add_random_formula (r, left, with_next, out);
    strbuf_add (out, binary[rng_below (r, 6)]);
    add_random_formula (r, size - left, with_next, out);
  }
  strbuf_add_char (out, ')');
}

// ---- the oracle ---------------------------------------------------------------------------------------
typedef struct oracle {
  observed_states m;
  const temporal *t;
  bool fair;
  ltl temporals[MOST_TEMPORAL];  // untils, releases, nexts
  uint32_t num_temporals, guesses;
  uint32_t *truth;  // by pair: the temporals that the previous guess must have predicted, as bits
  uint8_t *whole;   // by pair: truth of the formula
  uint8_t *good, *reach;
} oracle;

static bool collect_temporals (oracle *o, ltl f) {
  const ltl_node *n = ltl_at (o->t->pool, f);
  for (uint32_t k = 0; k < o->num_temporals; k++)
    if (ltl_same (o->temporals[k], f)) return true;
  if (n->op <= LTL_LITERAL) return true;
  if (n->op >= LTL_NEXT) {
    if (o->num_temporals == MOST_TEMPORAL) return false;
    o->temporals[o->num_temporals++] = f;
  }
  return collect_temporals (o, n->left) && (n->op == LTL_NEXT || collect_temporals (o, n->right));
}

static bool is_guessed (const oracle *o, ltl f, uint32_t guess) {
  for (uint32_t k = 0; k < o->num_temporals; k++)
    if (ltl_same (o->temporals[k], f)) return guess >> k & 1;
  fail ();
  return false;
}

static bool truth_of (const oracle *o, ltl f, uint64_t letter, uint32_t guess) {
  const ltl_node *n = ltl_at (o->t->pool, f);
  if (n->op == LTL_NEXT) return is_guessed (o, f, guess);
  if (n->op <= LTL_TRUE) return n->op == LTL_TRUE;
  if (n->op == LTL_LITERAL) return (letter >> n->atom & 1) != n->negated;
  bool left = truth_of (o, n->left, letter, guess), right = truth_of (o, n->right, letter, guess);
  if (n->op == LTL_AND) return left && right;
  if (n->op == LTL_OR) return left || right;
  bool next = is_guessed (o, f, guess);
  return n->op == LTL_UNTIL ? right || (left && next) : right && (left || next);
}

static uint32_t pair_number (const oracle *o, uint32_t at, uint32_t guess) { return at * o->guesses + guess; }

// Returns the guess of the previous observed state that comes true here.
static uint32_t must_have_guessed (const oracle *o, uint64_t letter, uint32_t guess) {
  uint32_t said = 0;
  for (uint32_t k = 0; k < o->num_temporals; k++) {
    const ltl_node *n = ltl_at (o->t->pool, o->temporals[k]);
    said |= (uint32_t) truth_of (o, n->op == LTL_NEXT ? n->left : o->temporals[k], letter, guess) << k;
  }
  return said;
}

// Condition k < num_temporals: temporal k is not postponed; then one condition per thread; the last one is always met.
static bool meets_condition (const oracle *o, uint32_t condition, uint32_t at, uint32_t guess, uint32_t slot) {
  const struct observed_state *v = &o->m.all.data[at];
  if (condition >= o->num_temporals) {
    uint32_t wanted = condition - o->num_temporals;
    return wanted >= THREADS || !o->fair || slot == wanted || thread_set_has (&v->idle, wanted);
  }
  ltl f = o->temporals[condition];
  const ltl_node *n = ltl_at (o->t->pool, f);
  if (n->op == LTL_NEXT) return true;
  bool all = truth_of (o, f, v->letter, guess), right = truth_of (o, n->right, v->letter, guess);
  return n->op == LTL_UNTIL ? !all || right : all || !right;
}

static bool can_meet_by_move (const oracle *o, uint32_t condition, uint32_t at, uint32_t guess, product_move to) {
  for (uint32_t next = 0; next < o->guesses; next++) {
    uint32_t pair = pair_number (o, to.target, next);
    if (!o->good[pair] || o->truth[pair] != guess) continue;
    if (o->reach[pair] || meets_condition (o, condition, at, guess, to.slot)) return true;
  }
  return false;
}

static bool can_meet (const oracle *o, uint32_t condition, uint32_t at, uint32_t guess) {
  const struct observed_state *v = &o->m.all.data[at];
  if (v->stays) return can_meet_by_move (o, condition, at, guess, (product_move){at, IR_NONE, false});
  for (uint32_t k = 0; k < v->num_moves; k++)
    if (can_meet_by_move (o, condition, at, guess, o->m.moves.data[v->first_move + k])) return true;
  return false;
}

// Keeps the good pairs from which a step that meets_condition the condition can still be reached; returns whether any
// pair was dropped.
static bool keep_reaching (oracle *o, uint32_t condition) {
  uint32_t pairs = o->m.all.count * o->guesses;
  memset (o->reach, 0, pairs);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = pairs; p-- > 0;)
      if (o->good[p] && !o->reach[p] && can_meet (o, condition, p / o->guesses, p % o->guesses))
        o->reach[p] = changed = true;
  }
  bool lost = memcmp (o->good, o->reach, pairs) != 0;
  memcpy (o->good, o->reach, pairs);
  return lost;
}

static bool decide_by_oracle (oracle *o) {
  uint32_t pairs = o->m.all.count * o->guesses;
  o->truth = mem_alloc (pairs * sizeof *o->truth);
  o->good = mem_alloc (pairs), o->reach = mem_alloc (pairs);
  memset (o->good, 1, pairs);
  for (uint32_t p = 0; p < pairs; p++)
    o->truth[p] = must_have_guessed (o, o->m.all.data[p / o->guesses].letter, p % o->guesses);
  for (bool lost = true; lost;) {
    lost = false;
    for (uint32_t k = 0; k <= o->num_temporals + THREADS; k++) lost |= keep_reaching (o, k);
  }
  bool broken = false;
  for (uint32_t guess = 0; guess < o->guesses; guess++)
    broken |= o->good[guess] && !truth_of (o, o->t->formula, o->m.all.data[0].letter, guess);
  mem_free (o->truth, pairs * sizeof *o->truth);
  mem_free (o->good, pairs);
  mem_free (o->reach, pairs);
  return broken;
}

typedef enum oracle_answer { HOLDS, BROKEN, TOO_LARGE } oracle_answer;

static oracle_answer ask_oracle (engine_run *run, const temporal *t) {
  oracle o = {.t = t, .fair = run->task->fair};
  oracle_answer a = TOO_LARGE;
  observed_states_init (&o.m, run, t, true);
  for (uint32_t k = 0; k < o.m.all.count && o.m.all.count < MOST_OBSERVED; k++) observed_states_expand (&o.m, k);
  bool fits = collect_temporals (&o, t->formula);
  o.guesses = 1u << o.num_temporals;
  if (fits && o.m.all.count < MOST_OBSERVED && o.m.all.count * o.guesses < MOST_PAIRS)
    a = decide_by_oracle (&o) ? BROKEN : HOLDS;
  observed_states_release (&o.m);
  return a;
}

// ---- the comparison -----------------------------------------------------------------------------------
typedef struct formula_counts {
  uint32_t compared, broken, fair, with_next;
} formula_counts;

static oracle_answer ask_engine (const ir_program *p, const task *t, const char *what) {
  verdict v;
  verdict_init (&v);
  budget b;
  budget_start (&b, 0, 0);
  engine_run run = {.program = p, .task = t, .budget = &b, .verdict = &v, .engine = "explicit"};
  formula_check (&run);
  if (run.parted) fail_msg ("%s %s: %s", t->ltl, what, run.parted);
  verdict_settle (&v, task_asks (t));
  oracle_answer a = v.kind == VERDICT_BUG ? BROKEN : v.kind == VERDICT_SAFE ? HOLDS : TOO_LARGE;
  if (a == TOO_LARGE) fail_msg ("%s %s: %s", t->ltl, what, v.reason->text);
  verdict_release (&v);
  return a;
}

// Runs only the depth-first search, because in small programs the breadth-first one finishes first.
static oracle_answer ask_depth_first (engine_run *run, temporal *t) {
  observed_states m;
  state_product p;
  assert_true (t->broken.states.count || temporal_add_automaton (t));
  observed_states_init (&m, run, t, false);
  xs_product_init (&p, &m, &t->broken, run->task->fair);
  oracle_answer a = xs_product_search (&p) ? BROKEN : HOLDS;
  if (a == BROKEN) {
    claim c;
    lasso_claim (&p, &c);
    if (!engine_report_run (run, t, &c)) fail_msg ("%s depth first: %s", t->text, run->parted);
  }
  xs_product_release (&p);
  observed_states_release (&m);
  return a;
}

static void show_program (const ir_program *p) { ir_print (p, stderr); }

static void compare_with (const ir_program *p, temporal *formula, bool fair, formula_counts *sum) {
  task t = {.ltl = formula->text, .fair = fair, .semantics.max_threads = 8};
  verdict v;
  budget b;
  budget_start (&b, 0, 0);
  verdict_init (&v);
  engine_run run = {.program = p, .task = &t, .budget = &b, .verdict = &v, .engine = "explicit"};
  oracle_answer wanted = ask_oracle (&run, formula);
  if (wanted != TOO_LARGE && ask_depth_first (&run, formula) != wanted)
    fail_msg ("%s%s (depth first): not %u", t.ltl, fair ? " fair" : "", wanted);
  verdict_release (&v);
  if (wanted == TOO_LARGE) return;
  explicit_options o = {0};
  task_set_options (&t, &engine_explicit, &o);
  for (uint32_t k = 0; k < 2; k++) {
    const char *name = k ? "none" : "auto";
    o.reduction = k ? REDUCTION_NONE : REDUCTION_AUTO;
    oracle_answer got = ask_engine (p, &t, name);
    if (got != wanted) show_program (p);
    if (got != wanted) fail_msg ("%s%s (%s): %u, not %u", t.ltl, fair ? " fair" : "", name, got, wanted);
  }
  sum->compared++;
  sum->broken += wanted == BROKEN;
  sum->fair += fair;
  sum->with_next += formula->has_next;
}

static void compare_random_formulas (rng *r, formula_counts *sum) {
  ir_program *p = random_program (r);
  for (uint32_t k = 0; k < 3; k++) {
    strbuf text = {0};
    add_random_formula (r, 2 + rng_below (r, 4), !rng_below (r, 4), &text);
    temporal t;
    ltl_error error = {0};
    if (temporal_init (&t, p, strbuf_text (&text), &error)) compare_with (p, &t, rng_below (r, 2), sum);
    else if (!strstr (error.message, "no operation at line")) fail_msg ("%s: %s", strbuf_text (&text), error.message);
    temporal_release (&t);
    strbuf_release (&text);
  }
  ir_program_free (p);
}

static void the_search_agrees_with_the_oracle (void **state) {
  (void) state;
  const char *rounds = getenv ("LOCKSTEP_ROUNDS"), *seed = getenv ("LOCKSTEP_SEED");
  rng r = {seed ? strtoull (seed, NULL, 10) : 11};
  formula_counts sum = {0};
  for (uint32_t k = 0; k < (rounds ? strtoul (rounds, NULL, 10) : ROUNDS); k++) compare_random_formulas (&r, &sum);
  print_message ("%u compared: %u broken, %u fair, %u with X\n", sum.compared, sum.broken, sum.fair, sum.with_next);
  assert_true (sum.compared > 300 && sum.broken > 50 && sum.compared - sum.broken > 50);
  assert_true (sum.fair > 50 && sum.with_next > 10);
}

TEST_MAIN (cmocka_unit_test (the_search_agrees_with_the_oracle))
