// Who may go alone: first by what is known without asking, then, for those about whom it depends on what is possible, by the solver.
//
// What is not known to be possible is presumed not to be.  If the thread could not even go alone then, nothing is asked.  Otherwise the solver is asked about those
// presumptions that are needed; what it shows to be possible is presumed no longer, for any thread.
#include "engine/boolean/reduce.h"

#include <string.h>

#include "engine/boolean/alone.h"
#include "engine/boolean/futures.h"
#include "engine/boolean/upfront.h"

typedef enum belief { OPEN, POSSIBLE, IMPOSSIBLE } belief;
typedef struct fact {
  aig_lit when;
  belief belief;
} fact;

// What speaks against a thread, if anything is possible of it.
typedef struct question {
  bool posed;
  uint32_t first, count;  // of what is asked
  selector selector;      // by clauses
} question;

// Threads are tried in this order.  A new thread makes states larger, so starting one comes last.
typedef enum stage { KNOWING, ASKING, STARTING, NUM_STAGES } stage;

struct reduction {
  search *search;
  accesses accesses;
  futures futures;
  alone *solver;         // by decisions, or
  upfront *clauses;      // by clauses
  bool threads_are_few;  // never more than there may be
  const sym_state *state;
  draft draft;
  // of the state at hand
  VEC (fact) conditions;  // [0..futures.conditions.count[: it holds
  VEC (fact) enabled;     // by thread: its next step can be taken
  VEC (fact) hindered;    // by thread: its next step cannot be taken
  VEC (bool) tried;       // by thread: it was named
  stage stage;
  uint32_t next;
  bool named;
  // of the candidate at hand
  uint64_t closed;    // conditions that do not hold until it moves
  VEC (bool) stuck;   // by thread: it does not move before
  uint64_t given_up;  // presumptions that are not needed
  VEC (bool) given_up_stuck;
  VEC (uint64_t) writes;     // of the others
  VEC (question) questions;  // by thread
  VEC (fact *) asked;        // of all of them
  aig_lits cases;
  VEC (bool) seen;
  reduction_counts counts;
};

// ---- how many threads there may be -------------------------------------------------------------------------------------------------
// How many a thread may start from there, and those that it starts; counted up to the limit.
static uint32_t count_starts (const bp_program *p, const uint32_t *starts, uint32_t l, uint32_t limit) {
  const bp_location *d = &p->locs.data[l];
  uint32_t most = 0, own = d->thread.i == BP_NONE ? 0 : 1 + starts[d->thread.i];
  for (uint32_t i = 0; i < d->next.count; i++)
    if (starts[d->next.data[i].i] > most) most = starts[d->next.data[i].i];
  return most + own < limit ? most + own : limit;
}

static bool find_few (const bp_program *p, uint32_t max_threads) {
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

reduction *reduction_new (search *s) {
  reduction *r = mem_zalloc (sizeof *r);
  r->search = s;
  if (s->options.por == POR_CLAUSES) r->clauses = upfront_new (&s->simulator.graph, s->options.budget);
  else r->solver = alone_new (&s->simulator.graph, s->options.budget);
  accesses_init (&r->accesses, s->layout.program);
  futures_init (&r->futures, &r->accesses);
  r->threads_are_few = find_few (s->layout.program, s->options.max_threads);
  for (uint32_t w = 0; w < r->accesses.words; w++) vec_push (&r->writes, 0);
  return r;
}

void reduction_free (reduction *r) {
  if (r->clauses) upfront_free (r->clauses);
  if (r->solver) alone_free (r->solver);
  futures_release (&r->futures);
  accesses_release (&r->accesses);
  draft_release (&r->draft);
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

static const bp_location *location_of (const reduction *r, uint32_t thread) {
  return &r->search->layout.program->locs.data[r->state->at[thread]];
}

// ---- facts -------------------------------------------------------------------------------------------------------------------------
static fact fact_of (aig_lit when) {
  return (fact){when, when.i == AIG_TRUE.i ? POSSIBLE : when.i == AIG_FALSE.i ? IMPOSSIBLE : OPEN};
}

// A condition with choices can be made true by some of them, perhaps: nothing is said about it.
static bool condition_of (reduction *r, uint32_t thread, uint32_t way, aig_lit *condition) {
  simulator *s = &r->search->simulator;
  *condition = simulate_condition (s, &r->draft, thread, way);
  return !s->used.count;
}

static void find_enabled (reduction *r, uint32_t thread) {
  const bp_location *at = location_of (r, thread);
  bp_loc here = {r->state->at[thread]};
  aig_lit some = AIG_FALSE, one;
  bool known = true;
  for (uint32_t way = 0; way < simulate_ways (&r->search->layout, here) && known; way++) {
    bool is_open = at->kind != BP_ASSERT && simulate_through (&r->search->layout, here, way).i == BP_NONE;
    if (is_open) one = AIG_TRUE;
    else known = condition_of (r, thread, way, &one);
    if (known) some = aig_or (&r->search->simulator.graph, some, one);
  }
  vec_push (&r->hindered, fact_of (known ? aig_not (some) : AIG_TRUE));
  vec_push (&r->enabled, fact_of (known && at->kind != BP_ASSERT ? some : AIG_TRUE));
}

// Only those on the way of some thread.
static void find_conditions (reduction *r) {
  simulator *s = &r->search->simulator;
  uint64_t ahead = 0;
  for (uint32_t t = 0; t < r->state->num_threads; t++) ahead |= r->futures.ahead[r->state->at[t]];
  vec_clear (&r->conditions);
  simulate_globals_begin (s);
  for (uint32_t c = 0; c < r->futures.conditions.count; c++)
    vec_push (&r->conditions,
              fact_of (ahead >> c & 1 ? simulate_globals (s, &r->draft, r->futures.conditions.data[c]) : AIG_TRUE));
}

// ---- what others can do before the candidate moves -----------------------------------------------------------------------------------
static bool presumed (const fact *f, bool ask) { return f->belief == IMPOSSIBLE || (ask && f->belief == OPEN); }

static void presume (reduction *r, uint32_t candidate, bool ask) {
  r->closed = 0;
  for (uint32_t c = 0; c < r->conditions.count; c++)
    if (presumed (&r->conditions.data[c], ask)) r->closed |= 1ull << c;
  r->closed &= ~r->given_up;
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    r->stuck.data[u] = u != candidate && presumed (&r->enabled.data[u], ask) && !r->given_up_stuck.data[u];
}

static bool meets (const reduction *r, const uint64_t *a, const uint64_t *b) {
  for (uint32_t w = 0; w < r->accesses.words; w++)
    if (a[w] & b[w]) return true;
  return false;
}

static void find_writes (reduction *r, uint32_t candidate) {
  memset (r->writes.data, 0, sizeof *r->writes.data * r->writes.count);
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (u == candidate || r->stuck.data[u]) continue;
    future f = futures_find (&r->futures, r->state->at[u], r->closed);
    for (uint32_t w = 0; w < r->writes.count; w++) r->writes.data[w] |= f.writes[w];
  }
}

// What they write they may open.  True: something was opened.
static bool open_written (reduction *r) {
  uint64_t opened = 0;
  bool freed = false;
  for (uint64_t left = r->closed; left; left &= left - 1) {
    uint32_t c = (uint32_t) __builtin_ctzll (left);
    if (meets (r, r->writes.data, futures_depends (&r->futures, c))) opened |= 1ull << c;
  }
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (!r->stuck.data[u] || !meets (r, r->writes.data, accesses_at (&r->accesses, STEP_WAITS, r->state->at[u])))
      continue;
    r->stuck.data[u] = false;
    freed = true;
  }
  r->closed &= ~opened;
  return opened || freed;
}

static bool is_disturbed (reduction *r, uint32_t candidate) {
  const uint64_t *reads = accesses_at (&r->accesses, STEP_READS, r->state->at[candidate]),
                 *writes = accesses_at (&r->accesses, STEP_WRITES, r->state->at[candidate]);
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (u == candidate || r->stuck.data[u]) continue;
    future f = futures_find (&r->futures, r->state->at[u], r->closed);
    if (meets (r, writes, f.reads) || meets (r, writes, f.writes) || meets (r, reads, f.writes)) return true;
  }
  return false;
}

static bool would_be_alone (reduction *r, uint32_t candidate, bool ask) {
  presume (r, candidate, ask);
  do find_writes (r, candidate);
  while (open_written (r));
  return !is_disturbed (r, candidate);
}

// ---- the question ------------------------------------------------------------------------------------------------------------------
static uint64_t conditions_met (reduction *r, uint32_t candidate) {
  uint64_t met = 0;
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    if (u != candidate && !r->stuck.data[u]) met |= futures_find (&r->futures, r->state->at[u], r->closed).met;
  return met;
}

// Presumptions without which the candidate would be alone just as well are not asked about.
static void give_up_what_is_not_needed (reduction *r, uint32_t candidate) {
  for (uint32_t u = 0; u < r->state->num_threads; u++) {
    if (!r->stuck.data[u] || r->enabled.data[u].belief != OPEN) continue;
    r->given_up_stuck.data[u] = true;
    r->given_up_stuck.data[u] = would_be_alone (r, candidate, true);
  }
  would_be_alone (r, candidate, true);
  for (uint64_t left = r->closed; left; left &= left - 1) {
    uint64_t one = left & -left;
    if (r->conditions.data[__builtin_ctzll (left)].belief != OPEN) continue;
    r->given_up |= one;
    if (!would_be_alone (r, candidate, true)) r->given_up &= ~one;
  }
  would_be_alone (r, candidate, true);
}

static void ask_about (reduction *r, fact *f) {
  if (f->belief != OPEN) return;
  vec_push (&r->asked, f);
  vec_push (&r->cases, f->when);
  vec_push (&r->seen, false);
}

static question collect_cases (reduction *r, uint32_t candidate) {
  question q = {.posed = true, .first = r->asked.count};
  ask_about (r, &r->hindered.data[candidate]);
  for (uint32_t u = 0; u < r->state->num_threads; u++)
    if (r->stuck.data[u]) ask_about (r, &r->enabled.data[u]);
  for (uint64_t left = conditions_met (r, candidate); left; left &= left - 1)
    ask_about (r, &r->conditions.data[__builtin_ctzll (left)]);
  q.count = r->asked.count - q.first;
  return q;
}

static void give_up_nothing (reduction *r) {
  r->given_up = 0;
  for (uint32_t u = 0; u < r->state->num_threads; u++) r->given_up_stuck.data[u] = false;
}

// Not posed: it would not be alone, whatever the answer is.
static question pose (reduction *r, uint32_t candidate) {
  if (r->hindered.data[candidate].belief == POSSIBLE || !would_be_alone (r, candidate, true)) return (question){0};
  give_up_what_is_not_needed (r, candidate);
  question q = collect_cases (r, candidate);
  give_up_nothing (r);
  if (r->clauses && q.count) q.selector = upfront_constrain (r->clauses, &r->cases.data[q.first], q.count);
  return q;
}

static void learn (reduction *r, question q, sat_answer answer) {
  for (uint32_t i = q.first; i < q.first + q.count; i++)
    if (answer == SAT_NO) r->asked.data[i]->belief = IMPOSSIBLE;
    else if (answer == SAT_YES && r->seen.data[i]) r->asked.data[i]->belief = POSSIBLE;
}

static sat_answer ask (reduction *r, question q) {
  const aig_lit *cases = &r->cases.data[q.first];
  bool *seen = &r->seen.data[q.first];
  r->counts.questions++;
  sat_answer answer = r->clauses ? upfront_ask (r->clauses, q.selector, cases, q.count, seen)
                                 : alone_ask (r->solver, r->state->guard, r->state->num_guard, cases, q.count, seen);
  r->counts.by_solver += answer == SAT_NO;
  learn (r, q, answer);
  return answer;
}

static bool is_alone_by_asking (reduction *r, uint32_t candidate) {
  question q = r->questions.count ? r->questions.data[candidate] : pose (r, candidate);
  sat_answer answer = SAT_YES;
  while (q.posed && q.count && (answer = ask (r, q)) == SAT_YES) q = pose (r, candidate);
  return q.posed && (!q.count || answer == SAT_NO);
}

// ---- threads -----------------------------------------------------------------------------------------------------------------------
// By what it does next.
static bool may_go_alone (const reduction *r, uint32_t thread) {
  bp_kind kind = location_of (r, thread)->kind;
  return kind != BP_ATOMIC_BEGIN && kind != BP_START_THREAD;
}

static bool is_alone (reduction *r, uint32_t candidate) {
  if (location_of (r, candidate)->kind == BP_START_THREAD) return r->stage == STARTING && r->threads_are_few;
  if (!may_go_alone (r, candidate)) return false;
  if (r->stage == ASKING) return is_alone_by_asking (r, candidate);
  return r->stage == KNOWING && r->hindered.data[candidate].belief == IMPOSSIBLE &&
         would_be_alone (r, candidate, false);
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
    if (facts[i].belief == OPEN) return true;
  return false;
}

static bool may_have_questions (const reduction *r) {
  return has_open (r->conditions.data, r->conditions.count) || has_open (r->enabled.data, r->enabled.count) ||
         has_open (r->hindered.data, r->hindered.count);
}

// By clauses all is said before anything is asked.
static void pose_all (reduction *r) {
  upfront_open (r->clauses, r->state->guard, r->state->num_guard);
  for (uint32_t t = 0; t < r->state->num_threads; t++)
    vec_push (&r->questions, may_go_alone (r, t) ? pose (r, t) : (question){0});
}

void reduction_open (reduction *r, const sym_state *x) {
  r->state = x;
  r->named = false;
  r->stage = KNOWING, r->next = 0;
  clear_facts (r);
  bool is_reducible = x->num_threads > 1;
  for (uint32_t t = 0; t < x->num_threads; t++)
    is_reducible &= !location_of (r, t)->depth;  // else only the one inside moves, anyway
  if (!is_reducible) r->stage = NUM_STAGES;
  if (!is_reducible) return;
  futures_trim (&r->futures);
  draft_open (&r->draft, x, &r->search->layout);
  for (uint32_t t = 0; t < x->num_threads; t++) {
    find_enabled (r, t);
    vec_push (&r->tried, false);
    vec_push (&r->stuck, false);
    vec_push (&r->given_up_stuck, false);
  }
  find_conditions (r);
  give_up_nothing (r);
  if (r->clauses && may_have_questions (r)) pose_all (r);
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
      if (!r->tried.data[t] && is_alone (r, t)) return name (r, t);
    }
  return BP_NONE;
}

reduction_counts reduction_statistics (const reduction *r) {
  reduction_counts c = r->counts;
  const cdcl_counters *solver = r->clauses ? upfront_statistics (r->clauses) : alone_statistics (r->solver);
  c.decisions = solver->decisions;
  c.conflicts = solver->conflicts;
  return c;
}
