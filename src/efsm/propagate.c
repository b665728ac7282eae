// Constant propagation, forward to a fixpoint: a thread's own variable is unknown at a point as soon as two paths bring
// different values; a tracked shared variable, as soon as two writes have different values (its initial value counts as
// one, unless no thread reads the variable before the first write).
#include "efsm/propagate.h"

#include "encode/substitute.h"

enum { KEPT_FACTS = 20000000 };
#define UNSEEN ((term){UINT32_MAX - 1})

typedef struct propagation {
  efsm *m;
  term *known;    // [point * variables + variable]: UNSEEN: no path to the point yet; TERM_NONE: not a constant
  term *written;  // by shared variable: UNSEEN: no write yet; TERM_NONE: several values, or not tracked
  VEC (uint32_t) work;
  VEC (uint8_t) waiting;  // by point
  term_substitution substitution;
  const term *now;  // the row of the current point
} propagation;

static term *row (const propagation *p, uint32_t point) { return &p->known[(size_t) point * p->m->variables.count]; }

static term value_of (void *state, term variable) {
  propagation *p = state;
  const uint64_t *v = map_find (&p->m->variable_of, variable.i);
  if (!v) return variable;
  term known = p->m->variables.data[*v].owner == IR_NONE ? p->written[*v] : p->now[*v];
  return known.i < UNSEEN.i ? known : variable;
}

static void use_point_values (propagation *p, uint32_t point) {
  p->now = row (p, point);
  substitution_begin (&p->substitution, value_of, p);
}

static void enqueue (propagation *p, uint32_t point) {
  if (p->waiting.data[point]) return;
  p->waiting.data[point] = 1;
  vec_push (&p->work, point);
}

static bool is_reached (const propagation *p, uint32_t point) { return row (p, point)[0].i != UNSEEN.i; }

static void track_variable (propagation *p, uint32_t variable, term from) {
  if (variable != IR_NONE) p->written[variable] = from;
}

static void follow_threads (propagation *p) {
  for (uint32_t v = 0; v < p->m->variables.count; v++) p->written[v] = TERM_NONE;
  for (uint32_t t = 0; t < p->m->threads.count; t++) {
    const efsm_thread *x = &p->m->threads.data[t];
    if (x->started != IR_NONE) track_variable (p, x->started, p->m->variables.data[x->started].initial);
    track_variable (p, x->given[0], UNSEEN);
    track_variable (p, x->given[1], UNSEEN);
  }
}

// Every thread may have read the variable.
static void note_written (propagation *p, uint32_t variable, term value) {
  term *known = &p->written[variable];
  if (!term_is_const (&p->m->terms, value)) value = TERM_NONE;
  term both = known->i == UNSEEN.i || known->i == value.i ? value : TERM_NONE;
  if (known->i == both.i) return;
  *known = both;
  for (uint32_t k = 0; k < p->m->points.count; k++)
    if (is_reached (p, k)) enqueue (p, k);
}

// Shared variables are not propagated along paths; a variable without initial value may have any value.
static void begin_thread (propagation *p, uint32_t thread) {
  uint32_t start = p->m->threads.data[thread].start;
  term *r = row (p, start);
  for (uint32_t v = 0; v < p->m->variables.count; v++)
    r[v] = p->m->variables.data[v].owner == thread ? p->m->variables.data[v].initial : TERM_NONE;
  enqueue (p, start);
}

static bool join_known_values (propagation *p, term *into, const term *from) {
  bool changed = false;
  for (uint32_t v = 0; v < p->m->variables.count; v++) {
    term both = into[v].i == UNSEEN.i || into[v].i == from[v].i ? from[v] : TERM_NONE;
    changed |= both.i != into[v].i;
    into[v] = both;
  }
  return changed;
}

static void update (propagation *p, const efsm_update *u, term *after) {
  bool shared = p->m->variables.data[u->variable].owner == IR_NONE;
  if (shared && p->written[u->variable].i == TERM_NONE.i) return;
  term value = substitute_term (&p->substitution, u->value);
  if (!shared) after[u->variable] = term_is_const (&p->m->terms, value) ? value : TERM_NONE;
  else note_written (p, u->variable, value);
}

static bool can_leave (propagation *p, const efsm_point *x) {
  for (uint32_t k = 0; k < x->exits.count; k++)
    if (!term_is_false (&p->m->terms, substitute_term (&p->substitution, x->exits.data[k].guard))) return true;
  return false;
}

static void leave (propagation *p, uint32_t point, term *after) {
  efsm *m = p->m;
  const efsm_point *x = &m->points.data[point];
  use_point_values (p, point);
  if (!can_leave (p, x)) return;
  for (uint32_t v = 0; v < m->variables.count; v++) after[v] = p->now[v];
  for (uint32_t k = 0; k < x->updates.count; k++) update (p, &x->updates.data[k], after);
  use_point_values (p, point);
  for (uint32_t k = 0; k < x->exits.count; k++) {
    if (term_is_false (&m->terms, substitute_term (&p->substitution, x->exits.data[k].guard))) continue;
    if (join_known_values (p, row (p, x->exits.data[k].to), after)) enqueue (p, x->exits.data[k].to);
  }
}

// ---- use of the constants ---------------------------------------------------------------------------
static term substitute_constants (void *state, term t) {
  propagation *p = state;
  return substitute_term (&p->substitution, t);
}

static void put_into_exits (propagation *p, efsm_point *x) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < x->exits.count; k++) {
    efsm_exit e = x->exits.data[k];
    e.guard = substitute_constants (p, e.guard);
    if (!term_is_false (&p->m->terms, e.guard)) x->exits.data[kept++] = e;
  }
  x->exits.count = kept;
}

static void put_into (propagation *p, uint32_t point) {
  efsm_point *x = &p->m->points.data[point];
  if (!is_reached (p, point)) {
    vec_clear (&x->exits);
    vec_clear (&x->updates);
    vec_clear (&x->goals);
    vec_clear (&x->losses);
    vec_clear (&x->accesses);
    vec_clear (&x->waits);
    return;
  }
  use_point_values (p, point);
  put_into_exits (p, x);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < x->updates.count; k++) {
    efsm_update u = {x->updates.data[k].variable, substitute_constants (p, x->updates.data[k].value)};
    if (u.value.i != p->m->variables.data[u.variable].now.i) x->updates.data[kept++] = u;
  }
  x->updates.count = kept;
  efsm_map_conditions (x, substitute_constants, p);
}

// ---- the passes -------------------------------------------------------------------------------------
static bool propagation_run (propagation *p, efsm *m) {
  size_t facts = (size_t) m->points.count * m->variables.count;
  if (!facts || facts > KEPT_FACTS) return false;
  *p = (propagation){
      .m = m, .known = mem_alloc (sizeof (term) * facts), .written = mem_alloc (sizeof (term) * m->variables.count)};
  term *after = mem_alloc (sizeof *after * m->variables.count);
  for (size_t k = 0; k < facts; k++) p->known[k] = UNSEEN;
  for (uint32_t k = 0; k < m->points.count; k++) vec_push (&p->waiting, 0);
  substitution_init (&p->substitution, &m->terms);
  follow_threads (p);
  for (uint32_t t = 0; t < m->threads.count; t++) begin_thread (p, t);
  while (p->work.count) {
    uint32_t point = vec_pop (&p->work);
    p->waiting.data[point] = 0;
    leave (p, point, after);
  }
  mem_free (after, sizeof *after * m->variables.count);
  return true;
}

static void propagation_release (propagation *p) {
  substitution_release (&p->substitution);
  vec_release (&p->work);
  vec_release (&p->waiting);
  mem_free (p->known, sizeof (term) * p->m->points.count * p->m->variables.count);
  mem_free (p->written, sizeof (term) * p->m->variables.count);
}

void efsm_propagate (efsm *m) {
  propagation p;
  if (!propagation_run (&p, m)) return;
  for (uint32_t k = 0; k < m->points.count; k++) put_into (&p, k);
  propagation_release (&p);
}

bool *efsm_reached (efsm *m) {
  propagation p;
  if (!propagation_run (&p, m)) return NULL;
  bool *reached = mem_alloc (sizeof *reached * m->points.count);
  for (uint32_t k = 0; k < m->points.count; k++) reached[k] = is_reached (&p, k);
  propagation_release (&p);
  return reached;
}
