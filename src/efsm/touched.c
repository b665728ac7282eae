// Collects the shared variables that each control point reads or writes, from the terms of the point. Each term is
// visited once per point.
#include "efsm/touched.h"

typedef struct walk_terms {
  const efsm *m;
  touched *out;
  uint32_t *stamp;  // by term: 1 + the last point at which the term was visited; 0: none
  uint32_t *seen;   // by variable: 1 + the last point whose list contains the variable; 0: none
  uint32_t point;
  bool standing;  // only what is evaluated while the thread is at the point: goals, losses, accesses, waits
} walk_terms;

static void add (walk_terms *w, uint32_t variable, bool written) {
  if (!written && w->seen[variable] == w->point + 1) return;
  w->seen[variable] = w->point + 1;
  vec_push (&w->out->items, variable << 1 | written);
}

static void visit (walk_terms *w, term t) {
  if (t.i == TERM_NONE.i || w->stamp[t.i] == w->point + 1) return;
  w->stamp[t.i] = w->point + 1;
  const term_node *n = term_at (&w->m->terms, t);
  if (n->op == IR_X_REG) {
    const uint64_t *v = map_find (&w->m->variable_of, t.i);
    if (v && w->m->variables.data[*v].owner == IR_NONE) add (w, (uint32_t) *v, false);
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) visit (w, n->arg[k]);
}

// What executing the point reads and writes.
static void visit_step_terms (walk_terms *w) {
  const efsm_point *p = &w->m->points.data[w->point];
  for (uint32_t k = 0; k < p->touches.count; k++) add (w, p->touches.data[k].variable, p->touches.data[k].written);
  for (uint32_t k = 0; k < p->updates.count; k++)
    if (w->m->variables.data[p->updates.data[k].variable].owner == IR_NONE) add (w, p->updates.data[k].variable, true);
  for (uint32_t k = 0; k < p->updates.count; k++) visit (w, p->updates.data[k].value);
  for (uint32_t k = 0; k < p->exits.count; k++) visit (w, p->exits.data[k].guard);
}

static void visit_point_terms (walk_terms *w) {
  const efsm_point *p = &w->m->points.data[w->point];
  if (!w->standing) visit_step_terms (w);
  for (uint32_t k = 0; k < p->goals.count; k++) visit (w, p->goals.data[k].condition);
  for (uint32_t k = 0; k < p->losses.count; k++) visit (w, p->losses.data[k].condition);
  for (uint32_t k = 0; k < p->accesses.count; k++) {
    visit (w, p->accesses.data[k].condition);
    visit (w, p->accesses.data[k].address);
  }
  for (uint32_t k = 0; k < p->waits.count; k++) visit (w, p->waits.data[k].blocked);
}

static void init (touched *t, const efsm *m, bool standing) {
  *t = (touched){0};
  size_t terms = sizeof (uint32_t) * (m->terms.nodes.count + 1),
         variables = sizeof (uint32_t) * (m->variables.count + 1);
  walk_terms w = {.m = m, .out = t, .stamp = mem_zalloc (terms), .seen = mem_zalloc (variables), .standing = standing};
  for (w.point = 0; w.point < m->points.count; w.point++) {
    vec_push (&t->first, t->items.count);
    visit_point_terms (&w);
  }
  vec_push (&t->first, t->items.count);
  mem_free (w.stamp, terms);
  mem_free (w.seen, variables);
}

void touched_init (touched *t, const efsm *m) { init (t, m, false); }
void touched_by_standing_init (touched *t, const efsm *m) { init (t, m, true); }

void touched_release (touched *t) {
  vec_release (&t->first);
  vec_release (&t->items);
}
