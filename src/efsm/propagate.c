// Forward to a fixpoint: a variable is unknown at a point as soon as two ways bring different values.
#include "efsm/propagate.h"

#include "encode/substitute.h"

enum { MOST_FACTS = 20000000 };
#define UNSEEN ((term){UINT32_MAX - 1})

typedef struct propagation {
  efsm *m;
  term *known;  // [point * variables + variable]: UNSEEN: no way led there yet; TERM_NONE: not a constant
  VEC (uint32_t) work;
  VEC (uint8_t) waiting;  // by point
  substitution substitution;
  const term *now;  // the row of the running point
} propagation;

static term *row (const propagation *p, uint32_t point) { return &p->known[(size_t) point * p->m->variables.count]; }

static term value_of (void *state, term variable) {
  propagation *p = state;
  const uint64_t *v = map_find (&p->m->variable_of, variable.i);
  return v && p->now[*v].i < UNSEEN.i ? p->now[*v] : variable;
}

static void look_at (propagation *p, uint32_t point) {
  p->now = row (p, point);
  substitution_begin (&p->substitution, value_of, p);
}

static void enqueue (propagation *p, uint32_t point) {
  if (p->waiting.data[point]) return;
  p->waiting.data[point] = 1;
  vec_push (&p->work, point);
}

// What is shared may be anything; so may be what has no initial value.
static void begin_thread (propagation *p, uint32_t thread) {
  uint32_t start = p->m->threads.data[thread].start;
  term *r = row (p, start);
  for (uint32_t v = 0; v < p->m->variables.count; v++)
    r[v] = p->m->variables.data[v].owner == thread ? p->m->variables.data[v].initial : TERM_NONE;
  enqueue (p, start);
}

static bool join (propagation *p, term *into, const term *from) {
  bool changed = false;
  for (uint32_t v = 0; v < p->m->variables.count; v++) {
    term both = into[v].i == UNSEEN.i || into[v].i == from[v].i ? from[v] : TERM_NONE;
    changed |= both.i != into[v].i;
    into[v] = both;
  }
  return changed;
}

static void leave (propagation *p, uint32_t point, term *after) {
  efsm *m = p->m;
  const efsm_point *x = &m->points.data[point];
  look_at (p, point);
  for (uint32_t v = 0; v < m->variables.count; v++) after[v] = p->now[v];
  for (uint32_t k = 0; k < x->updates.count; k++) {
    if (m->variables.data[x->updates.data[k].variable].owner == IR_NONE) continue;
    term value = substitute (&p->substitution, x->updates.data[k].value);
    after[x->updates.data[k].variable] = term_is_const (&m->terms, value) ? value : TERM_NONE;
  }
  for (uint32_t k = 0; k < x->exits.count; k++) {
    if (term_is_false (&m->terms, substitute (&p->substitution, x->exits.data[k].guard))) continue;
    if (join (p, row (p, x->exits.data[k].to), after)) enqueue (p, x->exits.data[k].to);
  }
}

// ---- putting them in ---------------------------------------------------------------------------------------------------------
static term put_in (void *state, term t) {
  propagation *p = state;
  return substitute (&p->substitution, t);
}

static void put_into_exits (propagation *p, efsm_point *x) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < x->exits.count; k++) {
    efsm_exit e = x->exits.data[k];
    e.guard = put_in (p, e.guard);
    if (!term_is_false (&p->m->terms, e.guard)) x->exits.data[kept++] = e;
  }
  x->exits.count = kept;
}

static void put_into (propagation *p, uint32_t point) {
  efsm_point *x = &p->m->points.data[point];
  bool reached = p->m->variables.count && row (p, point)[0].i != UNSEEN.i;
  if (!reached) {
    vec_clear (&x->exits);
    vec_clear (&x->updates);
    vec_clear (&x->goals);
    vec_clear (&x->losses);
    vec_clear (&x->accesses);
    vec_clear (&x->waits);
    return;
  }
  look_at (p, point);
  put_into_exits (p, x);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < x->updates.count; k++) {
    efsm_update u = {x->updates.data[k].variable, put_in (p, x->updates.data[k].value)};
    if (u.value.i != p->m->variables.data[u.variable].now.i) x->updates.data[kept++] = u;
  }
  x->updates.count = kept;
  efsm_map_conditions (x, put_in, p);
}

void efsm_propagate (efsm *m) {
  size_t facts = (size_t) m->points.count * m->variables.count;
  if (!facts || facts > MOST_FACTS) return;
  propagation p = {.m = m, .known = mem_alloc (sizeof (term) * facts)};
  term *after = mem_alloc (sizeof *after * m->variables.count);
  for (size_t k = 0; k < facts; k++) p.known[k] = UNSEEN;
  for (uint32_t k = 0; k < m->points.count; k++) vec_push (&p.waiting, 0);
  substitution_init (&p.substitution, &m->terms);
  for (uint32_t t = 0; t < m->threads.count; t++) begin_thread (&p, t);
  while (p.work.count) {
    uint32_t point = vec_pop (&p.work);
    p.waiting.data[point] = 0;
    leave (&p, point, after);
  }
  for (uint32_t k = 0; k < m->points.count; k++) put_into (&p, k);
  substitution_release (&p.substitution);
  vec_release (&p.work);
  vec_release (&p.waiting);
  mem_free (after, sizeof *after * m->variables.count);
  mem_free (p.known, sizeof (term) * facts);
}
