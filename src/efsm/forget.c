// Resets dead variables. Live variables are computed thread by thread, backwards over its points. A value that only
// reaches dead variables counts as not read (faint variables: Nielson, Nielson, Hankin, "Principles of Program
// Analysis", 1999, exercise 2.4). Only a thread's own variables can be dead; variables with return sites or held
// rwlocks, and observed variables, never are, because others read them.
#include "efsm/forget.h"

#include <string.h>

#include "base/memory.h"

#define BITS_OF_SETS ((uint64_t) 1 << 30)  // of all sets of one thread

typedef VEC (uint32_t) number_list;

typedef struct forgetting {
  efsm *m;
  VEC (uint32_t) stamp;  // by term: last traversal that visited it
  uint32_t walk;
  VEC (term) work;
  VEC (uint32_t) index;          // by variable: its index among those of the thread, or IR_NONE
  VEC (uint8_t) observed;        // by variable
  number_list own, points;       // of the thread
  VEC (uint32_t) place;          // by point: its index among the thread's points
  size_t words;                  // number of words of a set
  uint64_t *in, *out, *entered;  // [index * words]: live before the point, after it; or after one of its predecessors
  uint64_t *scratch;
} forgetting;

// ---- variables that terms read ----------------------------------------------------------------------
static void meet (forgetting *f, term t) {
  while (f->stamp.count <= t.i) vec_push (&f->stamp, 0);
  if (f->stamp.data[t.i] == f->walk) return;
  f->stamp.data[t.i] = f->walk;
  vec_push (&f->work, t);
}

static void walk_on (forgetting *f, void (*found) (forgetting *, uint32_t variable)) {
  while (f->work.count) {
    term t = vec_pop (&f->work);
    const term_node n = *term_at (&f->m->terms, t);
    if (n.op == IR_X_REG) {
      const uint64_t *v = map_find (&f->m->variable_of, t.i);
      if (v) found (f, (uint32_t) *v);
    }
    for (unsigned k = 0; k < ir_expr_arity (n.op); k++) meet (f, n.arg[k]);
  }
}

static void add_read (forgetting *f, uint32_t variable) {
  uint32_t k = f->index.data[variable];
  if (k != IR_NONE) f->scratch[k / 64] |= (uint64_t) 1 << k % 64;
}

static void observe (forgetting *f, uint32_t variable) { f->observed.data[variable] = true; }

static term meet_condition (void *state, term t) {
  meet (state, t);
  return t;
}

static void find_observed (forgetting *f) {
  efsm *m = f->m;
  for (uint32_t k = 0; k < m->variables.count; k++) vec_push (&f->observed, false);
  f->walk++;
  for (uint32_t k = 0; k < m->sites.count; k++)
    if (m->sites.data[k].current.i != TERM_NONE.i) meet (f, m->sites.data[k].current);
  for (uint32_t k = 0; k < m->view.bytes.count; k++) meet (f, m->view.bytes.data[k]);
  for (uint32_t k = 0; k < m->view.started.count; k++) meet (f, m->view.started.data[k]);
  walk_on (f, observe);
  for (uint32_t k = 0; k < m->readers.count; k++) observe (f, m->readers.data[k].variable);
}

// ---- sets -------------------------------------------------------------------------------------------
static bool has (const uint64_t *set, uint32_t k) { return set[k / 64] >> k % 64 & 1; }

static uint64_t *set_at (const forgetting *f, uint64_t *sets, uint32_t point) {
  return sets + f->place.data[point] * f->words;
}

static void find_live_after (forgetting *f, uint32_t point) {
  const efsm_point *p = &f->m->points.data[point];
  uint64_t *out = set_at (f, f->out, point);
  for (uint32_t k = 0; k < p->exits.count; k++) {
    const uint64_t *next = set_at (f, f->in, p->exits.data[k].to);
    for (size_t w = 0; w < f->words; w++) out[w] |= next[w];
  }
}

// Into scratch: the variables that the point reads, and those that are live after it and not written.
static void find_live_before (forgetting *f, uint32_t point) {
  efsm_point *p = &f->m->points.data[point];
  const uint64_t *out = set_at (f, f->out, point);
  f->walk++;
  memcpy (f->scratch, out, f->words * sizeof *out);
  for (uint32_t k = 0; k < p->updates.count; k++) {
    uint32_t x = f->index.data[p->updates.data[k].variable];
    if (x == IR_NONE || has (out, x)) meet (f, p->updates.data[k].value);
    if (x != IR_NONE) f->scratch[x / 64] &= ~((uint64_t) 1 << x % 64);
  }
  for (uint32_t k = 0; k < p->exits.count; k++) meet (f, p->exits.data[k].guard);
  efsm_map_conditions (p, meet_condition, f);
  walk_on (f, add_read);
}

static bool grow (forgetting *f, uint32_t point) {
  uint64_t *in = set_at (f, f->in, point);
  bool grew = false;
  find_live_after (f, point);
  find_live_before (f, point);
  for (size_t w = 0; w < f->words; w++) {
    grew |= (f->scratch[w] & ~in[w]) != 0;
    in[w] |= f->scratch[w];
  }
  return grew;
}

// Most points of a procedure are numbered in the order in which they are reached.
static void find_live (forgetting *f) {
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t k = f->points.count; k-- > 0;) grew |= grow (f, f->points.data[k]);
  }
  for (uint32_t k = 0; k < f->points.count; k++) {
    const efsm_point *p = &f->m->points.data[f->points.data[k]];
    const uint64_t *out = f->out + k * f->words;
    for (uint32_t x = 0; x < p->exits.count; x++) {
      uint64_t *entered = set_at (f, f->entered, p->exits.data[x].to);
      for (size_t w = 0; w < f->words; w++) entered[w] |= out[w];
    }
  }
}

// ---- one thread -------------------------------------------------------------------------------------
static void forget_at (forgetting *f, uint32_t point) {
  const uint64_t *in = set_at (f, f->in, point), *out = set_at (f, f->out, point),
                 *entered = set_at (f, f->entered, point);
  memcpy (f->scratch, in, f->words * sizeof *in);
  for (size_t w = 0; w < f->words; w++) f->scratch[w] |= entered[w];
  for (uint32_t k = 0; k < f->m->points.data[point].updates.count; k++)
    add_read (f, f->m->points.data[point].updates.data[k].variable);
  for (uint32_t k = 0; k < f->own.count; k++) {
    if (!has (f->scratch, k) || has (out, k)) continue;
    const efsm_variable *v = &f->m->variables.data[f->own.data[k]];
    bool is_known = v->initial.i != TERM_NONE.i && term_is_const (&f->m->terms, v->initial);
    unsigned bits = term_bits (&f->m->terms, v->now);
    efsm_set (f->m, point, f->own.data[k], is_known ? v->initial : term_const (&f->m->terms, bits, 0));
  }
}

static void find_own (forgetting *f, uint32_t thread) {
  efsm *m = f->m;
  vec_clear (&f->own);
  vec_clear (&f->points);
  for (uint32_t v = 0; v < m->variables.count; v++) {
    bool is_own = m->variables.data[v].owner == thread && !f->observed.data[v];
    f->index.data[v] = is_own ? f->own.count : IR_NONE;
    if (is_own) vec_push (&f->own, v);
  }
  for (uint32_t k = 0; k < m->points.count; k++) {
    if (m->points.data[k].thread != thread) continue;
    f->place.data[k] = f->points.count;
    vec_push (&f->points, k);
  }
  f->words = (f->own.count + 63) / 64;
}

static void forget_of_thread (forgetting *f, uint32_t thread) {
  find_own (f, thread);
  size_t sets = (size_t) f->points.count * f->words * sizeof *f->in;
  if (!sets || sets * 8 * 3 > BITS_OF_SETS) return;
  f->in = mem_zalloc (sets);
  f->out = mem_zalloc (sets);
  f->entered = mem_zalloc (sets);
  f->scratch = mem_zalloc (f->words * sizeof *f->in);
  find_live (f);
  for (uint32_t k = 0; k < f->points.count; k++) forget_at (f, f->points.data[k]);
  mem_free (f->in, sets);
  mem_free (f->out, sets);
  mem_free (f->entered, sets);
  mem_free (f->scratch, f->words * sizeof *f->in);
}

void efsm_forget (efsm *m) {
  forgetting f = {.m = m};
  find_observed (&f);
  for (uint32_t v = 0; v < m->variables.count; v++) vec_push (&f.index, IR_NONE);
  for (uint32_t k = 0; k < m->points.count; k++) vec_push (&f.place, 0);
  for (uint32_t t = 0; t < m->threads.count; t++) forget_of_thread (&f, t);
  vec_release (&f.stamp);
  vec_release (&f.work);
  vec_release (&f.index);
  vec_release (&f.observed);
  vec_release (&f.own);
  vec_release (&f.points);
  vec_release (&f.place);
}
