// Both back ends at once, for tests: every question is asked of CaDiCaL and of Z3.  Values and cores are CaDiCaL's.  Where one says yes and the
// other no, there is no answer, and none of the later ones is believed either; unless who says yes has met an operator it does not
// model, for which it may have taken any value.
#include "encode/decide_impl.h"
#include "encode/encode_impl.h"

typedef struct by_both {
  void *sat, *smt;
  bool disagree;
} by_both;

static void *make (term_pool *pool, const budget *b) {
  by_both *s = mem_zalloc (sizeof *s);
  s->sat = decide_by_sat.make (pool, b);
  s->smt = decide_by_smt.make (pool, b);
  return s;
}

static void release (void *state) {
  by_both *s = state;
  decide_by_sat.release (s->sat);
  decide_by_smt.release (s->smt);
  mem_free (s, sizeof *s);
}

static void add_clause (void *state, const term *conditions, uint32_t count) {
  by_both *s = state;
  decide_by_sat.add_clause (s->sat, conditions, count);
  decide_by_smt.add_clause (s->smt, conditions, count);
}

static void equal_if (void *state, term condition, term a, term b) {
  by_both *s = state;
  decide_by_sat.equal_if (s->sat, condition, a, b);
  decide_by_smt.equal_if (s->smt, condition, a, b);
}

bool decide_is_contradiction (opinion a, opinion b) {
  if (a.answer == DECIDED_STOPPED || b.answer == DECIDED_STOPPED || a.answer == b.answer) return false;
  return a.answer == DECIDED_YES ? a.is_exact : b.is_exact;
}

static opinion ask (const decide_backend *ops, void *backend, const term *assumptions, uint32_t count) {
  decided answer = ops->check (backend, assumptions, count);
  return (opinion){answer, ops->is_exact (backend)};
}

static decided check (void *state, const term *assumptions, uint32_t count) {
  by_both *s = state;
  opinion a = ask (&decide_by_sat, s->sat, assumptions, count), b = ask (&decide_by_smt, s->smt, assumptions, count);
  s->disagree |= decide_is_contradiction (a, b);
  return s->disagree || b.answer == DECIDED_STOPPED ? DECIDED_STOPPED : a.answer;
}

static bool in_core (void *state, uint32_t assumption) {
  return decide_by_sat.in_core (((by_both *) state)->sat, assumption);
}

static bool leaf_value (void *state, term t, ir_value *value) {
  return decide_by_sat.leaf_value (((by_both *) state)->sat, t, value);
}

static bool is_exact (const void *state) { return decide_by_sat.is_exact (((const by_both *) state)->sat); }
static decider_stats stats (const void *state) { return decide_by_sat.stats (((const by_both *) state)->sat); }
static bool disagrees (const void *state) { return ((const by_both *) state)->disagree; }

const decide_backend decide_by_both = {make,    release,    add_clause, equal_if, check,
                                       in_core, leaf_value, is_exact,   stats,    disagrees};
