// Engine `order`: bounded model checking with symbolic data and interleavings in one query. Loops are unwound up to a
// bound and the query is solved; if there is no bug and something was cut, loops are unwound further, until nothing is
// cut or the budget ends.
#include "base/limits.h"
#include "engine/order/order_impl.h"

#include "base/cutoff.h"
#include "base/diag.h"
#include "engine/order/order_options.h"
#include "engine/order/walk.h"

enum { FIRST_ITERATION_LIMIT = 100, FIRST_THREADS = 6, MORE_THREADS = 4, LAST_ITERATION_LIMIT = 1000000 };

static bool applies_order (const ir_program *p, const task *t, const char **why_not) {
  (void) p;
  if (t->ltl) *why_not = "temporal properties are not for this engine";
  return !t->ltl;
}

static bool accepts_options_order (const ir_program *p, const task *t, strbuf *why) {
  loop_nesting l;
  unwindset u;
  loops_init (&l, p);
  strbuf_add (why, "--unwindset: ");
  bool good = unwindset_init (&u, &l, order_options_of (t)->unwindset, why);
  unwindset_release (&u);
  loops_release (&l);
  return good;
}

// ---- unwinding --------------------------------------------------------------------------------------
// --unwind may be any number of 32 bits; a program has at most IR_MAX_THREADS threads.
static uint32_t most_threads (uint32_t unwind) {
  return unwind < IR_MAX_THREADS ? FIRST_THREADS + MORE_THREADS * unwind
                                 : FIRST_THREADS + MORE_THREADS * IR_MAX_THREADS;
}

static const reason too_many_steps = {
    REASON_ENGINE, "more than 4000000 steps to unwind (a smaller --unwind needs fewer)", {0}};

// Walks until the facts about sharing no longer change. False: they did not settle, or the budget is spent.
static bool unwind (order_search *z, sharing *f, term_pool *terms, unwound *u) {
  walk_options o = {.program = z->run->program,
                    .semantics = &z->run->task->semantics,
                    .budget = &z->budget,
                    .unwind = z->unwind,
                    .unwindset = &z->unwindset,
                    .most_threads = most_threads (z->unwind),
                    .iteration_limit = FIRST_ITERATION_LIMIT,
                    .most_steps = LIMIT_ORDER_STEPS};
  for (uint32_t k = 0; !at_limit (ORDER_WALKS, k); k++) {
    z->walks++;
    bool complete = walk_program (&o, &z->loops, f, terms, u);
    if (!complete) {
      z->stopped = u->stopped == WALK_IS_TOO_LONG ? &too_many_steps : order_search_spent (z);
      return false;
    }
    if (!f->grew && (!u->cut_required_loop || o.iteration_limit == LAST_ITERATION_LIMIT)) return true;
    if (!f->grew) o.iteration_limit *= 10;
    unwound_release (u);
    unwound_init (u);
    term_pool_release (terms);
    term_pool_init (terms);
  }
  z->stopped =
      reason_printf (z->run->verdict->arena, REASON_ENGINE,
                     "the set of shared memory was not known after %u walks (--engine=explicit does not need it)",
                     (unsigned) LIMIT_ORDER_WALKS);
  return false;
}

// What restricts the executions that were explored; NULL: all were.
static const reason *bound_of (const order_search *z, const unwound *u) {
  const order_options *o = order_options_of (z->run->task);
  strbuf text = {0};
  if (z->cut) strbuf_printf (&text, "%s %u", u->bound, z->unwind);
  if (z->cut_for_good) strbuf_printf (&text, "%sunwindset %s", text.count ? ", " : "", o->unwindset);
  if (z->few_contexts)
    strbuf_printf (&text, "%scontext bound %llu", text.count ? ", " : "", (unsigned long long) o->context_bound);
  const reason *bound = text.count ? reason_new (z->run->verdict->arena, REASON_BOUND, strbuf_text (&text)) : NULL;
  strbuf_release (&text);
  return bound;
}

static void unwind_once (order_search *z) {
  sharing f;
  term_pool terms;
  unwound u;
  sharing_init (&f, z->run->program, z->run->program->objects.count);
  term_pool_init (&terms);
  unwound_init (&u);
  double start = budget_now ();
  if (unwind (z, &f, &terms, &u)) {
    diag_verbose (1, "order",
                  "unwind %u: %u threads, %u events, %u goals, %u accesses, %u cuts, %u unmodelled steps; %.2f s",
                  z->unwind, u.threads.count, u.events.count, u.goals.count, u.accesses.count, u.cuts.count,
                  u.incomplete.count, budget_now () - start);
    order_query_all (z, &u, &terms);
    if (z->answered) z->bound = bound_of (z, &u);
    z->complete = z->answered && !z->bound;
  }
  unwound_release (&u);
  term_pool_release (&terms);
  sharing_release (&f);
}

static uint32_t next_unwind_bound (uint32_t unwind) { return unwind < 4 ? unwind + 1 : unwind + unwind / 2; }

// The verdict also shows bounds: functions without a body and the like, and how often loops were unwound.
static ending order_ending (const order_search *z) {
  const verdict *v = z->run->verdict;
  const char *gap = v->bounds.count ? vec_last (&v->bounds) : NULL;
  if (z->run->parted) return ending_unknown (reason_new (v->arena, REASON_INTERNAL, z->run->parted));
  if (z->incompleteness) return ending_unknown (z->incompleteness);
  if (z->complete)
    return ending_proved_within (z->evidence, "no execution violates it; all loops were unwound to their ends",
                                 reason_new (v->arena, REASON_BOUND, gap));
  return z->bound ? ending_bounded (z->bound) : ending_unknown (z->stopped);
}

static void conclude_order_search (order_search *z) {
  verdict *v = z->run->verdict;
  if (z->bound && !z->complete && !z->incompleteness && !z->run->parted) verdict_add_bound (v, "%s", z->bound->text);
  ending rest = order_ending (z);
  engine_summarise (z->run, rest);
  verdict_add_stat (v, "unwind", z->unwind, NULL);
  verdict_add_stat (v, "events", z->events, NULL);
  verdict_add_stat (v, "sat_calls", z->calls, NULL);
  verdict_add_stat (v, "sat_variables", z->variables, NULL);
  verdict_add_stat (v, "sat_clauses", z->sat_clauses, NULL);
  verdict_add_stat (v, "order_clauses", z->clauses, NULL);
  verdict_add_stat (v, "walks", z->walks, NULL);
}

static bool is_order_search_done (const order_search *z) {
  const task *t = z->run->task;
  bool enough = z->bugs && (!t->exhaustive || t->stop_at_first);
  return enough || (z->answered && !z->cut) || z->stopped || z->incompleteness || z->run->parted ||
         order_options_of (t)->unwind || over_limit (ORDER_UNWIND, z->unwind);
}

static void unwind_until_done (void *state) {
  for (order_search *z = state;; z->unwind = next_unwind_bound (z->unwind)) {
    unwind_once (z);
    if (is_order_search_done (z)) return;
  }
}

// In the middle of an iteration only its bugs are known. The bound is that of the iteration before.
static void abandon_iteration (order_search *z) {
  z->decider = NULL;
  z->answered = z->complete = false;
  z->stopped = order_search_spent (z);
}

static void run_order (engine_run *r) {
  const order_options *o = order_options_of (r->task);
  order_search z = {.run = r, .unwind = o->unwind ? (uint32_t) o->unwind : 1};
  strbuf why = {0};
  order_begin_progress (&z);
  loops_init (&z.loops, r->program);
  bool good = unwindset_init (&z.unwindset, &z.loops, o->unwindset, &why);
  CHECK (good, "the list of loops should have been checked: %s", strbuf_text (&why));
  cutoff out = {.budget = &z.budget};
  bool finished = cutoff_run (&out, unwind_until_done, &z);
  if (!finished) abandon_iteration (&z);
  conclude_order_search (&z);
  if (!finished) return;  // the time limit struck in the middle of a change of memory
  unwindset_release (&z.unwindset);
  loops_release (&z.loops);
  map_release (&z.found);
}

const engine engine_order = {
    .name = "order",
    .summary = "bounded model checking: symbolic data and interleavings; bugs, and proofs where loops end",
    .properties = ENGINE_COMMON_PROPERTIES,
    .applies = applies_order,
    .asks_again = true,
    .stops_at_conditions = true,
    .run = run_order,
    .options_fit = accepts_options_order,
    .ways = WAY_PROPERTIES,
    .options = &order_option_table,
    .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                [SHARED_REACH_PAIR] = WAY_PROPERTIES,
                [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES,
                [SHARED_EXHAUSTIVE] = WAY_PROPERTIES,
                [SHARED_MAX_THREADS] = WAY_PROPERTIES}};
