// The back end for tests that queries both CaDiCaL and Z3.  Values and cores are those of CaDiCaL.  If one says yes and
// the other no, this check and all later ones are STOPPED; except if the back end that says yes has translated an
// operator without an exact model, for which it may have chosen any value.
#include "encode/decider_impl.h"
#include "encode/encode_impl.h"

typedef struct by_both {
  void *sat, *smt;
  bool disagree;
} by_both;

static void *new_both (term_pool *pool, const budget *b) {
  by_both *s = mem_zalloc (sizeof *s);
  s->sat = decide_by_sat.make (pool, b);
  s->smt = decide_by_smt.make (pool, b);
  return s;
}

static void free_both (void *state) {
  by_both *s = state;
  decide_by_sat.release (s->sat);
  decide_by_smt.release (s->smt);
  mem_free (s, sizeof *s);
}

static void add_clause_both (void *state, const term *conditions, uint32_t count) {
  by_both *s = state;
  decide_by_sat.add_clause (s->sat, conditions, count);
  decide_by_smt.add_clause (s->smt, conditions, count);
}

static void equal_if_both (void *state, term condition, term a, term b) {
  by_both *s = state;
  decide_by_sat.equal_if (s->sat, condition, a, b);
  decide_by_smt.equal_if (s->smt, condition, a, b);
}

bool decide_is_contradiction (opinion a, opinion b) {
  if (a.answer == DECIDED_STOPPED || b.answer == DECIDED_STOPPED || a.answer == b.answer) return false;
  return a.answer == DECIDED_YES ? a.is_exact : b.is_exact;
}

static opinion query_back_end (const decide_backend *ops, void *backend, const term *assumptions, uint32_t count) {
  decided answer = ops->check (backend, assumptions, count);
  return (opinion){answer, ops->is_exact (backend)};
}

static decided check_both (void *state, const term *assumptions, uint32_t count) {
  by_both *s = state;
  opinion a = query_back_end (&decide_by_sat, s->sat, assumptions, count),
          b = query_back_end (&decide_by_smt, s->smt, assumptions, count);
  s->disagree |= decide_is_contradiction (a, b);
  return s->disagree || b.answer == DECIDED_STOPPED ? DECIDED_STOPPED : a.answer;
}

static bool in_core_both (void *state, uint32_t assumption) {
  return decide_by_sat.in_core (((by_both *) state)->sat, assumption);
}

static bool leaf_value_both (void *state, term t, ir_value *value) {
  return decide_by_sat.leaf_value (((by_both *) state)->sat, t, value);
}

static bool is_exact_both (const void *state) { return decide_by_sat.is_exact (((const by_both *) state)->sat); }
static decider_stats stats_both (const void *state) { return decide_by_sat.stats (((const by_both *) state)->sat); }
static bool disagrees (const void *state) { return ((const by_both *) state)->disagree; }

const decide_backend decide_by_both = {new_both,     free_both,       add_clause_both, equal_if_both, check_both,
                                       in_core_both, leaf_value_both, is_exact_both,   stats_both,    disagrees};
