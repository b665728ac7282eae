// The data structure of the machine, and the instrumentation of paper LAZY, 5.1: a control point before and one after
// every access of shared memory.
#include "efsm/efsm.h"

void efsm_init (efsm *m) {
  *m = (efsm){.over = IR_NONE};
  term_pool_init (&m->terms);
  m->arena = arena_new ();
}

void efsm_release_point (efsm_point *p) {
  vec_release (&p->updates);
  vec_release (&p->exits);
  vec_release (&p->steps);
  vec_release (&p->accesses);
  vec_release (&p->touches);
  vec_release (&p->goals);
  vec_release (&p->losses);
  vec_release (&p->waits);
}

void efsm_release (efsm *m) {
  for (uint32_t k = 0; k < m->points.count; k++) efsm_release_point (&m->points.data[k]);
  vec_release (&m->variables);
  vec_release (&m->points);
  vec_release (&m->threads);
  vec_release (&m->copies);
  vec_release (&m->sites);
  vec_release (&m->readers);
  vec_release (&m->inputs);
  vec_release (&m->thread_choices);
  vec_release (&m->view.bytes);
  vec_release (&m->view.started);
  map_release (&m->variable_of);
  term_pool_release (&m->terms);
  arena_free (m->arena);
}

uint32_t efsm_add_thread (efsm *m) {
  vec_push (&m->threads,
            ((efsm_thread){IR_NONE, IR_NONE, IR_NONE, IR_NONE, IR_NONE, {IR_NONE, IR_NONE}, NULL, IR_NONE, {IR_NONE}}));
  return m->threads.count - 1;
}

uint32_t efsm_add_variable (efsm *m, unsigned bits, uint32_t owner, term initial, const char *name) {
  efsm_variable v = {.now = term_var (&m->terms, bits),
                     .initial = initial,
                     .owner = owner,
                     .name = name,
                     .value = TERM_NONE,
                     .crowd_thread = IR_NONE,
                     .twin = IR_NONE};
  map_insert (&m->variable_of, v.now.i, m->variables.count, NULL);
  vec_push (&m->variables, v);
  return m->variables.count - 1;
}

uint32_t efsm_add_point (efsm *m, uint32_t thread, const char *name) {
  efsm_point p = {.kind = POINT_BLOCK, .thread = thread, .name = name, .location = {IR_NONE}, .block = IR_NONE};
  vec_push (&m->points, p);
  return m->points.count - 1;
}

static efsm_update *update_of (const efsm *m, uint32_t point, uint32_t variable) {
  const efsm_point *p = &m->points.data[point];
  for (uint32_t k = 0; k < p->updates.count; k++)
    if (p->updates.data[k].variable == variable) return &p->updates.data[k];
  return NULL;
}

void efsm_set (efsm *m, uint32_t point, uint32_t variable, term value) {
  efsm_update *u = update_of (m, point, variable);
  if (u) u->value = value;
  else vec_push (&m->points.data[point].updates, ((efsm_update){variable, value}));
}

term efsm_get (const efsm *m, uint32_t point, uint32_t variable) {
  const efsm_update *u = update_of (m, point, variable);
  return u ? u->value : m->variables.data[variable].now;
}

void efsm_add_exit (efsm *m, uint32_t from, uint32_t to, term guard) {
  vec_push (&m->points.data[from].exits, ((efsm_exit){to, guard, IR_NONE, IR_NONE}));
}

// ---- accesses ---------------------------------------------------------------------------------------
static term reaches_into (term_pool *p, const efsm_access *a, const efsm_access *b) {
  unsigned bits = term_bits (p, a->address);
  return term_ult (p, a->address, term_add (p, b->address, term_const (p, bits, b->bytes)));
}

static void map_term (term *t, term (*f) (void *, term), void *state) {
  if (t->i != TERM_NONE.i) *t = f (state, *t);
}

void efsm_map_conditions (efsm_point *p, term (*f) (void *, term), void *state) {
  for (uint32_t k = 0; k < p->steps.count; k++) map_term (&p->steps.data[k].chooses, f, state);
  for (uint32_t k = 0; k < p->goals.count; k++) map_term (&p->goals.data[k].condition, f, state);
  for (uint32_t k = 0; k < p->losses.count; k++) map_term (&p->losses.data[k].condition, f, state);
  for (uint32_t k = 0; k < p->accesses.count; k++) {
    map_term (&p->accesses.data[k].condition, f, state);
    map_term (&p->accesses.data[k].address, f, state);
  }
  for (uint32_t k = 0; k < p->waits.count; k++) {
    map_term (&p->waits.data[k].blocked, f, state);
    map_term (&p->waits.data[k].owner, f, state);
    map_term (&p->waits.data[k].by_any_thread, f, state);
  }
}

term efsm_conflict (term_pool *p, const efsm_access *a, const efsm_access *b) {
  if (!(a->write || b->write) || !(a->plain || b->plain) || (a->in_region && b->in_region)) return p->falsity;
  term overlap = term_and (p, reaches_into (p, a, b), reaches_into (p, b, a));
  return term_and (p, overlap, term_and (p, a->condition, b->condition));
}

// ---- read_sync, write_sync --------------------------------------------------------------------------
static uint32_t add_sync (efsm *m, uint32_t block, point_kind kind) {
  uint32_t sync = efsm_add_point (m, m->points.data[block].thread, kind == POINT_READ_SYNC ? "r" : "w");
  efsm_point *s = &m->points.data[sync];
  s->kind = kind;
  s->block = block;
  s->copy = m->points.data[block].copy;
  return sync;
}

// Redirects all exits into the block to its read sync; all exits exist by then.
static void redirect (efsm *m, const uint32_t *before, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t x = 0; x < m->points.data[k].exits.count; x++) {
      uint32_t *to = &m->points.data[k].exits.data[x].to;
      if (*to < count && before[*to] != IR_NONE) *to = before[*to];
    }
  for (uint32_t t = 0; t < m->threads.count; t++)
    if (m->threads.data[t].start < count && before[m->threads.data[t].start] != IR_NONE)
      m->threads.data[t].start = before[m->threads.data[t].start];
  for (uint32_t c = 0; c < m->copies.count; c++)
    if (m->copies.data[c].entry < count && before[m->copies.data[c].entry] != IR_NONE)
      m->copies.data[c].entry = before[m->copies.data[c].entry];
  for (uint32_t s = 0; s < m->sites.count; s++)
    if (m->sites.data[s].to < count && before[m->sites.data[s].to] != IR_NONE)
      m->sites.data[s].to = before[m->sites.data[s].to];
}

// The write sync gets all exits of the block and becomes the block's only successor.
static void add_write_sync (efsm *m, uint32_t block) {
  uint32_t sync = add_sync (m, block, POINT_WRITE_SYNC);
  efsm_point *b = &m->points.data[block], *s = &m->points.data[sync];
  VEC (efsm_exit) by_guard = {0};
  term any = m->terms.falsity;
  for (uint32_t k = 0; k < b->exits.count; k++) {
    any = term_or (&m->terms, any, b->exits.data[k].guard);
    vec_push (&by_guard, b->exits.data[k]);
  }
  // The block decided its exit by values before the sync, which the sync must not see changed: the decision is stored
  // in a variable.
  for (uint32_t k = 0; k < by_guard.count; k++) {
    efsm_exit e = by_guard.data[k];
    if (by_guard.count > 1) {
      uint32_t way = efsm_add_variable (m, 1, b->thread, m->terms.falsity, "way");
      efsm_set (m, block, way, e.guard);
      e.guard = m->variables.data[way].now;
    } else e.guard = m->terms.truth;
    vec_push (&s->exits, e);
  }
  vec_clear (&b->exits);
  vec_release (&by_guard);
  efsm_add_exit (m, block, sync, any);
  for (uint32_t k = 0; k < m->sites.count; k++)
    if (m->sites.data[k].from == block) m->sites.data[k].from = sync;
}

void efsm_add_syncs (efsm *m) {
  uint32_t count = m->points.count, *before = arena_alloc (m->arena, sizeof *before * (count + 1));
  for (uint32_t k = 0; k < count; k++) before[k] = IR_NONE;
  for (uint32_t k = 0; k < count; k++)
    if (m->points.data[k].closes) add_write_sync (m, k);
  uint32_t with_writes = m->points.count;
  for (uint32_t k = 0; k < count; k++)
    if (m->points.data[k].opens) before[k] = add_sync (m, k, POINT_READ_SYNC);
  uint32_t *all = arena_alloc (m->arena, sizeof *all * (with_writes + 1));
  for (uint32_t k = 0; k < with_writes; k++) all[k] = k < count ? before[k] : IR_NONE;
  redirect (m, all, with_writes);
  for (uint32_t k = 0; k < count; k++)
    if (before[k] != IR_NONE) efsm_add_exit (m, before[k], k, m->terms.truth);
}

uint64_t efsm_state_bits (const efsm *m) {
  uint64_t bits = 0;
  for (uint32_t v = 0; v < m->variables.count; v++) bits += term_bits (&m->terms, m->variables.data[v].now);
  return bits;
}
