// Computes which thread may be the only one that steps: first by facts that are known without a query, then, for
// threads for which it depends on what is possible, by the solver.
//
// What is not known to be possible is presumed impossible. If the thread is not independent under these presumptions,
// no query is made. Otherwise the solver is queried about the presumptions that are needed; what it shows to be
// possible is presumed no longer, for any thread.
#include "engine/boolean/boolean_reduce.h"

#include <string.h>

#include "engine/boolean/independence_query.h"
#include "engine/boolean/futures.h"
#include "engine/boolean/selector_clauses.h"

typedef enum possibility { OPEN, POSSIBLE, IMPOSSIBLE } possibility;
typedef struct fact {
  aig_lit when;
  possibility known;
} fact;

// The query about one thread: cases each of which, if possible, excludes the thread.
typedef struct independence_query {
  bool posed;
  uint32_t first, count;  // range in `asked`
  selector selector;      // for queries by clauses
} independence_query;

// Threads are tried in this order. A new thread makes states larger, so a step that starts one comes last.
typedef enum stage { KNOWING, ASKING, STARTING, NUM_STAGES } stage;

struct reduction {
  symbolic_search *search;
  accesses accesses;
  symbolic_futures futures;
  independence_solver *solver;  // queries by decisions, or
  selector_solver *clauses;     // queries by clauses
  bool threads_are_few;         // the limit of threads cannot be reached
  const sym_state *state;
  state_builder draft;
  // Of the current state:
  VEC (fact) conditions;  // [0..futures.conditions.count[: the condition is true
  VEC (fact) enabled;     // by thread: its next step can be taken
  VEC (fact) hindered;    // by thread: its next step cannot be taken
  VEC (bool) tried;       // by thread: it was returned already
  stage stage;
  uint32_t next;
  bool named;
  // Of the current candidate:
  uint64_t closed;    // conditions that stay false until it moves
  VEC (bool) stuck;   // by thread: it cannot move before the candidate does
  uint64_t given_up;  // presumptions that are not needed
  VEC (bool) given_up_stuck;
  VEC (uint64_t) writes;               // of the other threads
  VEC (independence_query) questions;  // by thread
  VEC (fact *) asked;                  // cases of all queries
  aig_lits cases;
  VEC (bool) seen;
  boolean_reduction_counts counts;
};

// ---- the number of threads --------------------------------------------------------------------------
// Returns how many threads a thread may start from there, together with those that they start; counts up to the limit.
static uint32_t count_starts (const bp_program *p, const uint32_t *starts, uint32_t l, uint32_t limit) {
  const bp_location *d = &p->locs.data[l];
  uint32_t most = 0, own = d->thread.i == BP_NONE ? 0 : 1 + starts[d->thread.i];
  for (uint32_t i = 0; i < d->next.count; i++)
    if (starts[d->next.data[i].i] > most) most = starts[d->next.data[i].i];
  return most + own < limit ? most + own : limit;
}

static bool threads_stay_below (const bp_program *p, uint32_t max_threads) {
  uint32_t *starts = mem_zalloc (sizeof *starts * p->locs.count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = p->locs.count; l-- > 0;) {
      uint32_t now = count_starts (p, starts, l, max_threads);
      changed |= now != starts[l];
      starts[l] = now;
    }
  }
  bool few = starts[p->start.i] < max_threads;
  mem_free (starts, sizeof *starts * p->locs.count);
  return few;
}

reduction *reduction_new (symbolic_search *s) {
  reduction *r = mem_zalloc (sizeof *r);
  r->search = s;
  if (s->options.por == POR_CLAUSES) r->clauses = selector_new (&s->simulator.graph, s->options.budget);
  else r->solver = independence_new (&s->simulator.graph, s->options.budget);
  accesses_init (&r->accesses, s->layout.program);
  futures_init (&r->futures, &r->accesses);
  r->threads_are_few = threads_stay_below (s->layout.program, s->options.max_threads);
  for (uint32_t w = 0; w < r->accesses.words; w++) vec_push (&r->writes, 0);
  return r;
}

void reduction_free (reduction *r) {
  if (r->clauses) selector_free (r->clauses);
  if (r->solver) independence_free (r->solver);
  futures_release (&r->futures);
  accesses_release (&r->accesses);
  state_builder_release (&r->draft);
  vec_release (&r->conditions);
  vec_release (&r->enabled);
  vec_release (&r->hindered);
  vec_release (&r->tried);
  vec_release (&r->stuck);
  vec_release (&r->given_up_stuck);
  vec_release (&r->writes);
  vec_release (&r->questions);
  vec_release (&r->asked);
  vec_release (&r->cases);
  vec_release (&r->seen);
  mem_free (r, sizeof *r);
}

static const bp_location *thread_statement (const reduction *r, uint32_t thread) {
  return &r->search->layout.program->locs.data[r->state->at[thread]];
}

// ---- facts ------------------------------------------------------------------------------------------
static fact fact_of (aig_lit when) {
  return (fact){when, when.i == AIG_TRUE.i ? POSSIBLE : when.i == AIG_FALSE.i ? IMPOSSIBLE : OPEN};
}

// A condition with choices may become true by some of them: no fact about it is used.
static bool step_condition (reduction *r, uint32_t thread, uint32_t way, aig_lit *condition) {
  simulator *s = &r->search->simulator;
  *condition = simulate_condition (s, &r->draft, thread, way);
  return !s->used.count;
}

static void find_enabled (reduction *r, uint32_t thread) {
  const bp_location *at = thread_statement (r, thread);
  bp_loc here = {r->state->at[thread]};
  aig_lit some = AIG_FALSE, one;
  bool known = true;
  for (uint32_t way = 0; way < simulate_ways (&r->search->layout, here) && known; way++) {
    bool is_open = at->kind != BP_ASSERT && simulate_through (&r->search->layout, here, way).i == BP_NONE;
    if (is_open) one = AIG_TRUE;
    else known = step_condition (r, thread, way, &one);
    if (known) some = aig_or (&r->search->simulator.graph, some, one);
  }
  vec_push (&r->hindered, fact_of (known ? aig_not (some) : AIG_TRUE));
  vec_push (&r->enabled, fact_of (known && at->kind != BP_ASSERT ? some : AIG_TRUE));
}

// Considers only conditions on the path of some thread.
static void find_condition_facts (reduction *r) {
  simulator *s = &r->search->simulator;
  uint64_t ahead = 0;
  for (uint32_t t = 0; t < r->state->num_threads; t++) ahead |= r->futures.ahead[r->state->at[t]];
  vec_clear (&r->conditions);
  simulate_globals_begin (s);
  for (uint32_t c = 0; c < r->futures.conditions.count; c++)
    vec_push (&r->conditions,
              fact_of (ahead >> c & 1 ? simulate_globals (s, &r->draft, r->futures.conditions.data[c]) : AIG_TRUE));
}

// ---- what others can do before the candidate --------------------------------------------------------
static bool presumed (const fact *f, bool ask) { return f->known == IMPOSSIBLE || (ask && f->known == OPEN); }

static void presume (reduction *r, uint32_t candidate, bool ask) {
  r->closed = 0;
  for (uint32_t c = 0; c < r->conditions.count; c++)
    if (presumed (&r->conditions.data[c], ask)) r->closed |= 1ull << c;
  r->closed &= ~r->given_up;
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    r->stuck.data[u] = u != candidate && presumed (&r->enabled.data[u], ask) && !r->given_up_stuck.data[u];
}

static bool sets_intersect (const reduction *r, const uint64_t *a, const uint64_t *b) {
  for (uint32_t w = 0; w < r->accesses.words; w++)
    if (a[w] & b[w]) return true;
  return false;
}

static void find_writes (reduction *r, uint32_t candidate) {
  memset (r->writes.data, 0, sizeof *r->writes.data * r->writes.count);
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (u == candidate || r->stuck.data[u]) continue;
    symbolic_future f = futures_find (&r->futures, r->state->at[u], r->closed);
    for (uint32_t w = 0; w < r->writes.count; w++) r->writes.data[w] |= f.writes[w];
  }
}

// Opens the conditions that the other threads may write. Returns true if there are any.
static bool open_written (reduction *r) {
  uint64_t opened = 0;
  bool freed = false;
  for (uint64_t left = r->closed; left; left &= left - 1) {
    uint32_t c = (uint32_t) __builtin_ctzll (left);
    if (sets_intersect (r, r->writes.data, futures_depends (&r->futures, c))) opened |= 1ull << c;
  }
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (!r->stuck.data[u] ||
        !sets_intersect (r, r->writes.data, accesses_at (&r->accesses, STEP_WAITS, r->state->at[u])))
      continue;
    r->stuck.data[u] = false;
    freed = true;
  }
  r->closed &= ~opened;
  return opened || freed;
}

static bool has_interference (reduction *r, uint32_t candidate) {
  const uint64_t *reads = accesses_at (&r->accesses, STEP_READS, r->state->at[candidate]),
                 *writes = accesses_at (&r->accesses, STEP_WRITES, r->state->at[candidate]);
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (u == candidate || r->stuck.data[u]) continue;
    symbolic_future f = futures_find (&r->futures, r->state->at[u], r->closed);
    if (sets_intersect (r, writes, f.reads) || sets_intersect (r, writes, f.writes) ||
        sets_intersect (r, reads, f.writes))
      return true;
  }
  return false;
}

static bool would_be_independent (reduction *r, uint32_t candidate, bool ask) {
  presume (r, candidate, ask);
  do find_writes (r, candidate);
  while (open_written (r));
  return !has_interference (r, candidate);
}

// ---- the query --------------------------------------------------------------------------------------
static uint64_t conditions_met (reduction *r, uint32_t candidate) {
  uint64_t met = 0;
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    if (u != candidate && !r->stuck.data[u]) met |= futures_find (&r->futures, r->state->at[u], r->closed).met;
  return met;
}

// Gives up presumptions without which the candidate would be just as independent: they are not queried.
static void give_up_unneeded (reduction *r, uint32_t candidate) {
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (!r->stuck.data[u] || r->enabled.data[u].known != OPEN) continue;
    r->given_up_stuck.data[u] = true;
    r->given_up_stuck.data[u] = would_be_independent (r, candidate, true);
  }
  would_be_independent (r, candidate, true);
  for (uint64_t left = r->closed; left; left &= left - 1) {
    uint64_t one = left & -left;
    if (r->conditions.data[__builtin_ctzll (left)].known != OPEN) continue;
    r->given_up |= one;
    if (!would_be_independent (r, candidate, true)) r->given_up &= ~one;
  }
  would_be_independent (r, candidate, true);
}

static void add_query_case (reduction *r, fact *f) {
  if (f->known != OPEN) return;
  vec_push (&r->asked, f);
  vec_push (&r->cases, f->when);
  vec_push (&r->seen, false);
}

static independence_query collect_cases (reduction *r, uint32_t candidate) {
  independence_query q = {.posed = true, .first = r->asked.count};
  add_query_case (r, &r->hindered.data[candidate]);
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    if (r->stuck.data[u]) add_query_case (r, &r->enabled.data[u]);
  for (uint64_t left = conditions_met (r, candidate); left; left &= left - 1)
    add_query_case (r, &r->conditions.data[__builtin_ctzll (left)]);
  q.count = r->asked.count - q.first;
  return q;
}

static void give_up_nothing (reduction *r) {
  r->given_up = 0;
  for (uint32_t u = 0; u < r->state->num_threads; u++) r->given_up_stuck.data[u] = false;
}

// Returns an empty query if the candidate would not be independent, whatever the answer is.
static independence_query make_query (reduction *r, uint32_t candidate) {
  if (r->hindered.data[candidate].known == POSSIBLE || !would_be_independent (r, candidate, true))
    return (independence_query){0};
  give_up_unneeded (r, candidate);
  independence_query q = collect_cases (r, candidate);
  give_up_nothing (r);
  if (r->clauses && q.count) q.selector = selector_constrain (r->clauses, &r->cases.data[q.first], q.count);
  return q;
}

static void record_answer_of_query (reduction *r, independence_query q, sat_answer answer) {
  for (uint32_t i = q.first; i < q.first + q.count; i++)
    if (answer == SAT_NO) r->asked.data[i]->known = IMPOSSIBLE;
    else if (answer == SAT_YES && r->seen.data[i]) r->asked.data[i]->known = POSSIBLE;
}

static sat_answer ask_query (reduction *r, independence_query q) {
  const aig_lit *cases = &r->cases.data[q.first];
  bool *seen = &r->seen.data[q.first];
  r->counts.questions++;
  sat_answer answer = r->clauses
                          ? selector_ask (r->clauses, q.selector, cases, q.count, seen)
                          : independence_ask (r->solver, r->state->guard, r->state->num_guard, cases, q.count, seen);
  r->counts.by_solver += answer == SAT_NO;
  record_answer_of_query (r, q, answer);
  return answer;
}

static bool is_independent_by_query (reduction *r, uint32_t candidate) {
  independence_query q = r->questions.count ? r->questions.data[candidate] : make_query (r, candidate);
  sat_answer answer = SAT_YES;
  while (q.posed && q.count && (answer = ask_query (r, q)) == SAT_YES) q = make_query (r, candidate);
  return q.posed && (!q.count || answer == SAT_NO);
}

// ---- threads ----------------------------------------------------------------------------------------
// Excludes threads by their next statement.
static bool may_be_candidate (const reduction *r, uint32_t thread) {
  bp_kind kind = thread_statement (r, thread)->kind;
  return kind != BP_ATOMIC_BEGIN && kind != BP_START_THREAD;
}

static bool is_independent (reduction *r, uint32_t candidate) {
  if (thread_statement (r, candidate)->kind == BP_START_THREAD) return r->stage == STARTING && r->threads_are_few;
  if (!may_be_candidate (r, candidate)) return false;
  if (r->stage == ASKING) return is_independent_by_query (r, candidate);
  return r->stage == KNOWING && r->hindered.data[candidate].known == IMPOSSIBLE &&
         would_be_independent (r, candidate, false);
}

static void clear_facts (reduction *r) {
  vec_clear (&r->conditions);
  vec_clear (&r->enabled);
  vec_clear (&r->hindered);
  vec_clear (&r->tried);
  vec_clear (&r->stuck);
  vec_clear (&r->given_up_stuck);
  vec_clear (&r->questions);
  vec_clear (&r->asked);
  vec_clear (&r->cases);
  vec_clear (&r->seen);
}

static bool has_open (const fact *facts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (facts[i].known == OPEN) return true;
  return false;
}

static bool may_have_questions (const reduction *r) {
  return has_open (r->conditions.data, r->conditions.count) || has_open (r->enabled.data, r->enabled.count) ||
         has_open (r->hindered.data, r->hindered.count);
}

// With clauses, all queries of a state are built before the first is asked.
static void make_all_queries (reduction *r) {
  selector_open (r->clauses, r->state->guard, r->state->num_guard);
  for (uint32_t t = 0; t < r->state->num_threads; t++)
    vec_push (&r->questions, may_be_candidate (r, t) ? make_query (r, t) : (independence_query){0});
}

void reduction_open (reduction *r, const sym_state *x) {
  r->state = x;
  r->named = false;
  r->stage = KNOWING, r->next = 0;
  clear_facts (r);
  bool is_reducible = x->num_threads > 1;
  for (uint32_t t = 0; t < x->num_threads; t++)
    is_reducible &= !thread_statement (r, t)->depth;  // otherwise only the thread inside the region moves, anyway
  if (!is_reducible) r->stage = NUM_STAGES;
  if (!is_reducible) return;
  futures_trim (&r->futures);
  state_builder_open (&r->draft, x, &r->search->layout);
  for (uint32_t t = 0; t < x->num_threads; t++) {
    find_enabled (r, t);
    vec_push (&r->tried, false);
    vec_push (&r->stuck, false);
    vec_push (&r->given_up_stuck, false);
  }
  find_condition_facts (r);
  give_up_nothing (r);
  if (r->clauses && may_have_questions (r)) make_all_queries (r);
}

static uint32_t name (reduction *r, uint32_t thread) {
  r->counts.chosen += !r->named;
  r->named = true;
  r->tried.data[thread] = true;
  return thread;
}

uint32_t reduction_next (reduction *r) {
  for (; r->stage < NUM_STAGES; r->stage++, r->next = 0)
    while (r->next < r->state->num_threads) {
      uint32_t t = r->next++;
      if (!r->tried.data[t] && is_independent (r, t)) return name (r, t);
    }
  return BP_NONE;
}

boolean_reduction_counts reduction_statistics (const reduction *r) {
  boolean_reduction_counts c = r->counts;
  const cdcl_counters *solver = r->clauses ? selector_statistics (r->clauses) : independence_statistics (r->solver);
  c.decisions = solver->decisions;
  c.conflicts = solver->conflicts;
  return c;
}
