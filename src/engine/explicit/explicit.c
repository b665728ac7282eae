// Engine `explicit`: search of concrete states, by one or several workers. With --reduction=none it explores every
// interleaving of visible operations: the reference with which all other engines are compared.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_options.h"
#include "engine/explicit/product.h"
#include "engine/explicit/region.h"
#include "engine/explicit/transaction.h"
#include "ir/reason.h"

static reduction_choice explicit_reduction (const engine_run *r) { return explicit_options_of (r->task)->reduction; }

static bool applies_explicit (const ir_program *p, const task *t, const char **why_not) {
  (void) p;
  bool of_threads = t->ltl && ltl_is_of_threads (t->ltl);
  reduction_choice reduction = explicit_options_of (t)->reduction;
  bool leaks = t->semantics.properties >> IR_P_LEAK & 1,
       reduces = reduction != REDUCTION_AUTO && reduction != REDUCTION_NONE;
  if (of_threads) *why_not = "temporal properties of single threads are not for this engine";
  if (leaks && reduces) *why_not = "leaks are looked for without reduction: --reduction=auto or none";
  return !of_threads && !(leaks && reduces);
}

static const char *per (arena *a, uint64_t x, uint64_t y, const char *unit) {
  return y ? arena_printf (a, "%.2f %s", (double) x / (double) y, unit) : NULL;
}

static void add_transaction_stats (verdict *v, const transactions *t) {
  verdict_add_stat (v, "transactions", t->count, per (v->arena, t->steps, t->count, "steps per transaction"));
  verdict_add_stat (v, "states_reopened", t->reopened, NULL);
}

// Reports the edges where transactions begin: the only locations where threads are switched.
static void add_begins (state_search *s, const transactions *t) {
  verdict *v = s->run->verdict;
  for (uint32_t k = 0; k < t->begins.entries.count; k++) {
    const map_entry *e = &t->begins.entries.data[k];
    const ir_edge_data *d = &s->current.program->edges.data[e->key];
    const char *file = d->pos.file && strrchr (d->pos.file, '/') ? strrchr (d->pos.file, '/') + 1 : d->pos.file;
    verdict_add_stat (v, arena_printf (v->arena, "begun at %s:%u", file ? file : "?", d->pos.line), e->value,
                      ir_op_table[d->op].text);
  }
}

static void add_reduction_stats (verdict *v, const state_reducer *r) {
  const explicit_reduction_counts *c = &r->counts;
  if (r->transactions) {
    add_transaction_stats (v, r->transactions);
    return;
  }
  verdict_add_stat (v, "transactions", c->transactions,
                    per (v->arena, c->steps, c->transactions, "steps per transaction"));
  verdict_add_stat (v, "stubborn_sets", c->sets, per (v->arena, c->set_threads, c->sets, "threads in each"));
  verdict_add_stat (v, "stubborn_threads", c->set_threads,
                    arena_printf (v->arena, "of %llu that could step", (unsigned long long) c->enabled_threads));
  verdict_add_stat (v, "symmetric_threads", c->symmetric, "left out, another one was like them");
}

static void add_search_stats (state_search *s, double seconds) {
  verdict *v = s->run->verdict;
  const store_tables *tables = &s->shared->tables;
  uint64_t stored = store_num_states (&s->store), states = stored ? stored : 1;
  uint64_t bytes = store_bytes (tables), components = store_num_components (tables);
  verdict_add_stat (v, "states", states,
                    seconds > 0 ? arena_printf (v->arena, "%.0f per second", (double) states / seconds) : NULL);
  verdict_add_stat (v, "transitions", s->transitions, per (v->arena, s->transitions, states, "per state"));
  verdict_add_stat (v, "transitions_cached", s->cached, per (v->arena, 100 * s->cached, s->transitions, "per cent"));
  verdict_add_stat (v, "components", components, per (v->arena, states, components, "states per component"));
  verdict_add_stat (v, "state_bytes", bytes, per (v->arena, bytes, states, "per state"));
  verdict_add_stat (v, "instructions", s->current.instructions,
                    per (v->arena, s->current.instructions, s->transitions, "per transition"));
  if (s->reducer) add_reduction_stats (v, s->reducer);
  if (s->reducer && s->reducer->transactions) add_begins (s, s->reducer->transactions);
  if (s->shared->order == BREADTH_FIRST) verdict_add_stat (v, "depth", s->shared->frontier.depth, NULL);
  verdict_add_stat (v, "search_ms", (uint64_t) (seconds * 1000), NULL);
}

// Changes the answer for deadlocks to unknown: threads may wait busily for ever, or the search used right movers (TXN
// section 7).
static void make_deadlock_unknown (state_search *s, const reason *why) {
  property_answer *a = &s->run->verdict->answers[IR_P_DEADLOCK];
  bool is_mine = a->engine == s->run->engine;  // otherwise another engine has proved it
  if (!is_mine || a->status == GOAL_VIOLATED || a->status == GOAL_UNKNOWN) return;
  a->status = a->rest = GOAL_UNKNOWN;
  a->message = why->text;
  if (!s->shared->bugs) a->why = why;
}

static const reason right_movers = {
    REASON_ENGINE, "transactions with right movers may leave deadlocks out (--reduction=auto does not)", {0}};

static const reason *busy_waiting_reason (state_search *s) {
  return reason_at (s->run->verdict->arena, s->current.program, (ir_edge){s->busy_waiting},
                    "threads may wait busily for ever");
}

// Reports the share of states that a bitstate search may have missed, estimated from the bits that are set now.
static void add_bitstate_bound (state_search *s) {
  const bit_table *bits = &s->shared->tables.bits;
  double percent = 100 * bitstate_mistaken (bits);
  char missed[40] = "less than 0.001 %";
  if (percent >= 0.001) snprintf (missed, sizeof missed, "about %.2g %%", percent);
  verdict_add_bound (s->run->verdict, "bitstate: %u states in %.3g MB of bits, %s may have been missed",
                     store_num_states (&s->store), (double) bits->num_bits / (8 << 20), missed);
}

static ending state_search_ending (const state_search *s) {
  const verdict *v = s->run->verdict;
  if (s->run->parted)  // a search with a claim that does not replay proves nothing
    return ending_unknown (reason_internal (v->arena, "a trace does not replay: %s", s->run->parted));
  if (s->stopped || s->unsupported) return ending_unknown (s->unsupported ? s->unsupported : s->stopped);
  const char *bound = v->bounds.count ? v->bounds.data[0] : s->cut ? "bounds" : NULL;
  return ending_proved_within (budget_completion (s->run->budget), "all reachable states were searched",
                               reason_new (v->arena, REASON_BOUND, bound));
}

static void conclude_state_search (state_search *s) {
  verdict *v = s->run->verdict;
  uint32_t bugs = s->shared->bugs;
  for (uint32_t k = 0; k < s->shared->jobs; k++) {
    values_add_bounds (s->shared->workers[k].current.values, v);
    words_add_bounds (s->shared->workers[k].current.words, v);
  }
  if (explicit_options_of (s->run->task)->bitstate) add_bitstate_bound (s);
  ending rest = state_search_ending (s);
  if (s->unsupported && s->stopped) verdict_add_note (v, "the search ended early: %s", s->stopped->text);
  if (!bugs && rest.status == GOAL_PROVED && s->reducer && s->reducer->counts.pruned_unsafe)
    verdict_add_assumption (v, "no memory error happens where none was looked for (--property=memory looks for them)");
  if (s->shared->jobs > 1) engine_order_goals (s->run);
  engine_summarise (s->run, rest);
  if (s->busy_waiting != IR_NONE) make_deadlock_unknown (s, busy_waiting_reason (s));
  if (s->reducer && reducer_misses_deadlocks (s->reducer)) make_deadlock_unknown (s, &right_movers);
}

// The reductions do not take into account yet that a write to a cell decides which accesses of other bytes are
// violations.
static bool declares_ownership (const ir_program *p) {
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == IR_OWN) return true;
  return false;
}

static void show_phase (void *state, uint32_t slot, uint32_t edge, phase p) {
  const ir_program *program = state;
  const ir_edge_data *d = &program->edges.data[edge];
  diag_verbose (2, "explicit", "thread %u at %s:%u, after %s: %s", slot, d->pos.file ? d->pos.file : "?", d->pos.line,
                ir_op_table[d->op].text, p == PRE_COMMIT ? "pre-commit" : "post-commit");
}

// REDUCTION_UNENDED is not offered by the command line. It leaves condition C of TXN out: a test shows what is missed
// then.
static state_reducer *make_transactions (state_search *s, bool trust_locks, bool right_movers) {
  if (!trust_locks || region_may_wait (s->run->program)) return NULL;
  state_reducer *r = reducer_new_transactions (s, right_movers);
  r->transactions->must_end = explicit_reduction (s->run) != REDUCTION_UNENDED;
  if (diag_verbosity () >= 2) r->transactions->on_action = show_phase;
  r->transactions->action_state = (void *) s->run->program;
  return r;
}

static bool uses_transactions (reduction_choice r) { return r == REDUCTION_TRANSACTIONS || r == REDUCTION_UNENDED; }

// Right movers do not preserve deadlocks (TXN section 7).
static state_reducer *make_reducer (state_search *s, bool trust_locks) {
  const task *t = s->run->task;
  const explicit_options *o = explicit_options_of (t);
  bool deadlock = t->semantics.properties >> IR_P_DEADLOCK & 1, automatic = o->reduction == REDUCTION_AUTO;
  if (t->semantics.properties >> IR_P_LEAK & 1) return NULL;
  if (o->reduction == REDUCTION_NONE || t->depth) return NULL;  // --depth counts the steps of every interleaving
  if (uses_transactions (o->reduction)) return make_transactions (s, trust_locks, true);
  if (o->reduction == REDUCTION_LEFT_MOVERS) return make_transactions (s, trust_locks, false);
  if (declares_ownership (s->run->program))  // only transactions take ownership declarations into account
    return automatic && !deadlock && !o->bitstate ? make_transactions (s, trust_locks, true) : NULL;
  bool use_locks = trust_locks && o->reduction != REDUCTION_STUBBORN;
  return reducer_new (s, (reducer_options){.use_locks = use_locks,
                                           .use_joins = use_locks || automatic,
                                           .right_movers = use_locks && automatic && !deadlock,
                                           .prune = automatic});
}

static search_order chosen_search_order (const task *t) {
  const explicit_options *o = explicit_options_of (t);
  if (o->bitstate) return DEPTH_FIRST;
  if (t->depth || o->search == SEARCH_BFS) return BREADTH_FIRST;
  return o->search == SEARCH_DFS ? DEPTH_FIRST : MIXED;
}

// Transactions infer from all states seen so far which locks protect which variables, so one worker must see all
// states.
static bool needs_one_worker (const engine_run *r) {
  reduction_choice reduction = explicit_reduction (r);
  if (uses_transactions (reduction) || reduction == REDUCTION_LEFT_MOVERS) return true;
  return reduction == REDUCTION_AUTO && declares_ownership (r->program);
}

static uint32_t num_workers (const engine_run *r) {
  uint64_t jobs = r->task->jobs, bitstate = explicit_options_of (r->task)->bitstate;
  if (jobs <= 1) return 1;
  if (!bitstate && !needs_one_worker (r)) return jobs < WORKER_ROOM ? (uint32_t) jobs : WORKER_ROOM;
  diag_note ("-j: a search %s uses one processor", bitstate ? "with --bitstate" : "by transactions");
  return 1;
}

static protect *protections (state_search *s) {
  return s->reducer && s->reducer->transactions ? &s->reducer->transactions->protect : &s->protections;
}

static void prepare_worker (state_search *s) {
  s->reducer = make_reducer (s, s->shared->trust_locks);
  s->current.protect = protections (s);
}

static uint32_t num_violated (const verdict *v) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < v->goals.count; k++) count += v->goals.data[k].status == GOAL_VIOLATED;
  return count;
}

// Lock patterns assume that only the holder releases a lock. Returns false if another thread has released one: the
// search must be repeated without lock patterns.
static bool run_search (engine_run *r, bool trust_locks) {
  search_shared h = {.run = r,
                     .order = chosen_search_order (r->task),
                     .trust_locks = trust_locks,
                     .jobs = num_workers (r),
                     .bugs = num_violated (r->verdict)};
  double start = budget_now ();
  workers_init (&h);
  workers_run (&h, prepare_worker);
  state_search *s = workers_merge (&h);
  const transactions *t = s->reducer ? s->reducer->transactions : NULL;
  bool broken = s->current.foreign_release || (t && (s->current.detached || t->protect.overwritten));
  bool valid = s->stopped || !s->reducer || !trust_locks || !broken;
  if (valid) {
    add_search_stats (s, budget_now () - start);
    protect_report (protections (s), &s->current, r->verdict);
    conclude_state_search (s);
  }
  workers_release (&h);
  return valid;
}

static void run_explicit (engine_run *r) {
  if (r->task->ltl) formula_check (r);
  else if (!run_search (r, true)) run_search (r, false);
}

const engine engine_explicit = {.name = "explicit",
                                .summary = "search of all concrete states; proofs for finite programs, deep bugs",
                                .properties = ENGINE_COMMON_PROPERTIES | 1 << IR_P_LEAK,
                                .applies = applies_explicit,
                                .asks_again = true,
                                .run = run_explicit,
                                .options_fit = formula_fits,
                                .ways = WAY_PROPERTIES | WAY_FORMULA,
                                .options = &explicit_option_table,
                                .options_agree = explicit_options_agree,
                                .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                                            [SHARED_LTL] = WAY_FORMULA,
                                            [SHARED_FAIR] = WAY_FORMULA,
                                            [SHARED_REACH_PAIR] = WAY_PROPERTIES,
                                            [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                                            [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES,
                                            [SHARED_EXHAUSTIVE] = WAY_PROPERTIES,
                                            [SHARED_DEPTH] = WAY_PROPERTIES,
                                            [SHARED_MAX_THREADS] = WAY_PROPERTIES | WAY_FORMULA,
                                            [SHARED_JOBS] = WAY_PROPERTIES,
                                            [SHARED_LEAKS] = WAY_PROPERTIES,
                                            [SHARED_LOCK_REPORT] = WAY_PROPERTIES}};
