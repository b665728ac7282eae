// Reduces an inductive set of lemmas to those that are needed: begins with lemmas that exclude the bad state; the
// lemmas in the core of each needed one are needed, too (Ivrii, Gurfinkel and Belov, Small Inductive Safe Invariants,
// 2014).
#include "base/diag.h"
#include "prove/ic3_impl.h"

typedef struct lemma_reducer {
  ic3 *p;
  sat *solver;
  cnf cnf;
  VEC (const cube *) lemmas;
  VEC (int) on;          // by lemma
  VEC (uint8_t) needed;  // by lemma
  VEC (uint32_t) worklist;
  VEC (int) assumed;
  uint64_t effort;  // number of literals assumed so far
} lemma_reducer;

static const uint64_t max_effort = 50 * 1000 * 1000;

static void add_lemmas (lemma_reducer *r, const lemma_list *l) {
  const net_latch *latch = r->p->net->latches.data;
  VEC (int) clause = {0};
  for (uint32_t i = 0; i < l->count; i++) {
    const cube *c = l->data[i];
    int on = sat_new_var (r->solver);
    vec_clear (&clause);
    vec_push (&clause, -on);
    for (uint32_t k = 0; k < c->count; k++)
      vec_push (&clause, -cnf_literal (&r->cnf, (aig_lit){latch[c->literal[k] / 2].now.i ^ (c->literal[k] & 1)}));
    sat_add_clause (r->solver, clause.data, clause.count);
    vec_push (&r->lemmas, c);
    vec_push (&r->on, on);
    vec_push (&r->needed, 0);
  }
  vec_release (&clause);
}

static void lemma_reducer_init (lemma_reducer *r, ic3 *p, uint32_t level) {
  *r = (lemma_reducer){.p = p, .solver = sat_new_plain (p->options->budget)};
  cnf_init (&r->cnf, &p->net->graph, r->solver);
  for (uint32_t i = 0; i < p->net->constraints.count; i++) {
    int literal = cnf_literal (&r->cnf, p->net->constraints.data[i].holds);
    sat_add_clause (r->solver, &literal, 1);
  }
  add_lemmas (r, &p->endless);
  for (uint32_t i = level + 1; i < p->levels.count; i++) add_lemmas (r, &p->levels.data[i]);
}

static void lemma_reducer_release (lemma_reducer *r) {
  r->p->result->sat_calls += sat_num_calls (r->solver);
  cnf_release (&r->cnf);
  sat_free (r->solver);
  vec_release (&r->lemmas);
  vec_release (&r->on);
  vec_release (&r->needed);
  vec_release (&r->worklist);
  vec_release (&r->assumed);
}

static void mark_needed_lemma (lemma_reducer *r, uint32_t lemma) {
  r->needed.data[lemma] = 1;
  vec_push (&r->worklist, lemma);
  sat_add_clause (r->solver, &r->on.data[lemma], 1);
}

// Marks the lemmas that contradict the assumed literals, together with those that are needed already. Returns false if
// that would take too long.
static bool mark_core_as_needed (lemma_reducer *r) {
  for (uint32_t i = 0; i < r->on.count; i++)
    if (!r->needed.data[i]) vec_push (&r->assumed, r->on.data[i]);
  r->effort += r->assumed.count;
  if (r->effort > max_effort) return false;
  sat_answer answer = sat_solve (r->solver, r->assumed.data, r->assumed.count);
  CHECK (answer != SAT_YES, "the lemmas at a fixpoint should be inductive");
  if (answer != SAT_NO) return false;
  VEC (uint32_t) core = {0};
  for (uint32_t i = 0; i < r->on.count; i++)
    if (!r->needed.data[i] && sat_in_core (r->solver, r->on.data[i])) vec_push (&core, i);
  for (uint32_t i = 0; i < core.count; i++) mark_needed_lemma (r, core.data[i]);
  vec_release (&core);
  return true;
}

static bool need_for_bad (lemma_reducer *r) {
  vec_clear (&r->assumed);
  vec_push (&r->assumed, cnf_literal (&r->cnf, r->p->bad));
  return mark_core_as_needed (r);
}

static bool need_for_lemma (lemma_reducer *r, const cube *c) {
  const net_latch *latch = r->p->net->latches.data;
  vec_clear (&r->assumed);
  for (uint32_t i = 0; i < c->count; i++)
    vec_push (&r->assumed, cnf_literal (&r->cnf, (aig_lit){latch[c->literal[i] / 2].next.i ^ (c->literal[i] & 1)}));
  return mark_core_as_needed (r);
}

// Returns false if all lemmas have to be kept.
static bool find_needed (lemma_reducer *r) {
  if (!need_for_bad (r)) return false;
  while (r->worklist.count)
    if (!need_for_lemma (r, r->lemmas.data[vec_pop (&r->worklist)])) return false;
  return true;
}

void ic3_make_certificate (ic3 *p, uint32_t level) {
  prove_certificate *to = &p->result->certificate;
  lemma_reducer r;
  lemma_reducer_init (&r, p, level);
  bool reduced = find_needed (&r);
  for (uint32_t i = 0; i < r.lemmas.count; i++) {
    const cube *c = r.lemmas.data[i];
    if (reduced && !r.needed.data[i]) continue;
    for (uint32_t k = 0; k < c->count; k++) {
      int32_t latch = (int32_t) (c->literal[k] / 2) + 1;
      vec_push (&to->clauses, c->literal[k] & 1 ? latch : -latch);
    }
    vec_push (&to->clauses, 0);
  }
  to->depth = 1;
  p->result->answer = PROVE_HOLDS;
  lemma_reducer_release (&r);
}
