// Movers. A variable is protected if all points that access it must-hold one common lock, or are executed while there
// is no other thread. A point that accesses only protected variables is both a right and a left mover; acquiring a lock
// is a right mover, releasing it a left mover (Lipton 1975), unless some operation can inspect the lock without waiting
// for it.
#include "efsm/movers.h"

#include "efsm/reach.h"
#include "efsm/touched.h"
#include "encode/substitute.h"

typedef struct movers {
  efsm *m;
  VEC (reach) reaches;        // by thread
  VEC (uint64_t) held;        // by point: must-held locks when it begins
  VEC (uint64_t) protectors;  // by variable
  VEC (uint8_t) alone;        // by point: no other thread exists
  VEC (uint64_t) joined;      // by point: threads that have ended, or were never started, after it
  uint64_t sure;              // locks that only their holders release
  touched touched;
  uint32_t point;
  bool unprotected;   // the point accesses a variable that is not protected
  uint64_t detached;  // threads that some thread may detach
} movers;

// ---- variables that a point accesses ----------------------------------------------------------------
typedef void touch (movers *, uint32_t variable);

static void visit_point (movers *x, uint32_t point, touch *f) {
  const efsm_point *p = &x->m->points.data[point];
  const uint32_t *end = touched_end (&x->touched, point);
  x->point = point;
  for (uint32_t k = 0; k < p->touches.count; k++) f (x, p->touches.data[k].variable);
  for (const uint32_t *item = touched_begin (&x->touched, point); item < end; item++) f (x, *item >> 1);
}

// ---- held locks, and points without other threads ---------------------------------------------------
static void find_held (movers *x) {
  for (uint32_t k = 0; k < x->m->points.count; k++) vec_push (&x->held, UINT64_MAX);
  x->sure = UINT64_MAX;
  for (uint32_t t = 0; t < x->m->threads.count; t++) {
    vec_push (&x->reaches, ((reach){0}));
    reach *r = &x->reaches.data[t];
    reach_init (r, x->m, t, (reach_options){.cxt = true});
    for (uint32_t n = 0; n < r->nodes.count; n++) {
      const reach_node *node = &r->nodes.data[n];
      x->held.data[node->point] &= node->held;
      x->sure &= ~(x->m->points.data[node->point].releases & ~node->held);
    }
  }
}

static bool updates (const efsm_point *p, uint32_t variable) {
  for (uint32_t k = 0; k < p->updates.count; k++)
    if (p->updates.data[k].variable == variable) return true;
  return false;
}

// A point of the first thread after which this thread may run; for a join, after which it does not run any more.
static uint64_t started_at (const efsm *m, const efsm_point *p) {
  uint64_t all = 0;
  for (uint32_t t = 1; t < m->threads.count; t++)
    if (m->threads.data[t].started != IR_NONE && updates (p, m->threads.data[t].started)) all |= (uint64_t) 1 << t;
  return all;
}

// Threads whose "joined or detached" flag the point may change.
static uint64_t let_go_at (const efsm *m, const efsm_point *p) {
  uint64_t all = 0;
  for (uint32_t t = 1; t < m->threads.count; t++)
    if (m->threads.data[t].gone != IR_NONE && updates (p, m->threads.data[t].gone)) all |= (uint64_t) 1 << t;
  return all;
}

static uint64_t find_detached (const efsm *m) {
  uint64_t all = 0;
  for (uint32_t k = 0; k < m->points.count; k++)
    if (!m->points.data[k].joins) all |= let_go_at (m, &m->points.data[k]);
  return all;
}

// While this thread runs: it was started, it is not joined, it has not ended.
typedef struct still_running {
  efsm *m;
  const efsm_thread *thread;
} still_running;

static term value_while_it_runs (void *state, term variable) {
  const still_running *s = state;
  const uint64_t *v = map_find (&s->m->variable_of, variable.i);
  if (!v) return variable;
  if (*v == s->thread->started) return s->m->terms.truth;
  return *v == s->thread->gone || *v == s->thread->ended ? s->m->terms.falsity : variable;
}

// A join may go on at once, because its handle names no thread.
static bool can_pass_while_it_runs (movers *x, const efsm_point *p, uint32_t thread) {
  term_substitution s;
  still_running running = {x->m, &x->m->threads.data[thread]};
  bool can = false;
  substitution_init (&s, &x->m->terms);
  substitution_begin (&s, value_while_it_runs, &running);
  for (uint32_t e = 0; e < p->exits.count; e++)
    can |= !term_is_false (&x->m->terms, substitute_term (&s, p->exits.data[e].guard));
  substitution_release (&s);
  return can;
}

// A join that can name only one thread: after it, this thread has ended or was never started.
static uint64_t joined_at (movers *x, const efsm_point *p) {
  uint64_t all = p->joins ? let_go_at (x->m, p) & ~x->detached : 0;
  bool one = all && !(all & (all - 1));
  return one && !can_pass_while_it_runs (x, p, (uint32_t) __builtin_ctzll (all)) ? all : 0;
}

void efsm_find_joined (efsm *m, uint64_t *by_point) {
  movers x = {.m = m, .detached = find_detached (m)};
  for (uint32_t k = 0; k < m->points.count; k++) by_point[k] = joined_at (&x, &m->points.data[k]);
}

// Threads that may run while the first one is at a point: a forward fixpoint, only if no other thread starts threads.
static void find_alone (movers *x) {
  efsm *m = x->m;
  VEC (uint64_t) running = {0};
  bool only_first_starts = true;
  x->detached = find_detached (m);
  for (uint32_t k = 0; k < m->points.count; k++) {
    vec_push (&running, 0);
    vec_push (&x->joined, joined_at (x, &m->points.data[k]));
    only_first_starts &= !m->points.data[k].thread || !started_at (m, &m->points.data[k]);
  }
  for (uint32_t t = 1; t < m->threads.count; t++) only_first_starts &= m->threads.data[t].started != IR_NONE;
  for (bool changed = true; changed && only_first_starts;) {
    changed = false;
    for (uint32_t k = 0; k < m->points.count; k++) {
      const efsm_point *p = &m->points.data[k];
      if (p->thread) continue;
      uint64_t after = (running.data[k] & ~x->joined.data[k]) | started_at (m, p);
      for (uint32_t e = 0; e < p->exits.count; e++) {
        uint64_t *there = &running.data[p->exits.data[e].to];
        changed |= (*there | after) != *there;
        *there |= after;
      }
    }
  }
  for (uint32_t k = 0; k < m->points.count; k++)
    vec_push (&x->alone, only_first_starts && !m->points.data[k].thread && !running.data[k] &&
                             !started_at (m, &m->points.data[k]));
  vec_release (&running);
}

// ---- movers -----------------------------------------------------------------------------------------
static void weaken (movers *x, uint32_t variable) { x->protectors.data[variable] &= x->held.data[x->point] & x->sure; }

static void find_protectors (movers *x) {
  for (uint32_t v = 0; v < x->m->variables.count; v++) vec_push (&x->protectors, UINT64_MAX);
  for (uint32_t k = 0; k < x->m->points.count; k++)
    if (!x->alone.data[k] && x->held.data[k] != UINT64_MAX) visit_point (x, k, weaken);
}

// The variable that says whether the process has ended is read at every point; a thread that has a step to do before
// the end does it before.
static void look_for_unprotected (movers *x, uint32_t variable) {
  x->unprotected |= !x->protectors.data[variable] && variable != x->m->over;
}

static bool is_protected (movers *x, uint32_t point) {
  x->unprotected = false;
  visit_point (x, point, look_for_unprotected);
  return !x->unprotected;
}

static bool is_good_lock (const movers *x, uint64_t lock) { return lock && !(lock & (x->m->observed | ~x->sure)); }

static void classify (movers *x, uint32_t point) {
  efsm_point *p = &x->m->points.data[point];
  if (x->alone.data[point] || is_protected (x, point)) p->opens = p->closes = false;
  else if (p->moves_right && is_good_lock (x, p->acquires)) p->closes = false;
  else if (p->moves_left && is_good_lock (x, p->releases) && !(p->releases & ~x->held.data[point])) p->opens = false;
}

static bool may_race (const efsm_point *p) {
  for (uint32_t k = 0; p->opens && k < p->accesses.count; k++)
    if (p->accesses.data[k].plain) return true;
  return false;
}

// A race is detected when a thread is at its access without the token: so the thread needs a point before the access to
// give the token away, even if its steps before are right movers. Backward over points that other threads do not
// notice; the end of an atomic region is such a point itself, and inside a region there is none.
static void give_writes_before_races (movers *x) {
  efsm *m = x->m;
  uint8_t *leads = mem_zalloc (m->points.count + 1);  // the next access that other threads notice may race
  for (uint32_t k = 0; k < m->points.count; k++) leads[k] = may_race (&m->points.data[k]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < m->points.count; k++) {
      efsm_point *p = &m->points.data[k];
      bool before = false;
      for (uint32_t e = 0; e < p->exits.count; e++) before |= leads[p->exits.data[e].to];
      if (before && p->shared && !x->alone.data[k]) p->closes = true;
      if (before && !p->shared && !p->closes && !leads[k]) leads[k] = changed = true;
    }
  }
  mem_free (leads, m->points.count + 1);
}

// A thread that may have given the token away needs a point to take it again before its next access: forward over
// points that other threads do not notice.
static void give_back_reads (movers *x) {
  efsm *m = x->m;
  uint8_t *without = mem_zalloc (m->points.count + 1);  // the token may be away when the point begins
  for (uint32_t t = 0; t < m->threads.count; t++) without[m->threads.data[t].start] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < m->points.count; k++) {
      const efsm_point *p = &m->points.data[k];
      bool after = p->closes || (without[k] && !p->shared && !p->opens);
      for (uint32_t e = 0; after && e < p->exits.count; e++) {
        changed |= !without[p->exits.data[e].to];
        without[p->exits.data[e].to] = 1;
      }
    }
  }
  for (uint32_t k = 0; k < m->points.count; k++)
    if (m->points.data[k].shared && without[k] && !(x->alone.data[k])) m->points.data[k].opens = true;
  mem_free (without, m->points.count + 1);
}

uint32_t efsm_find_movers (efsm *m) {
  movers x = {.m = m};
  uint32_t count = 0;
  touched_init (&x.touched, m);
  find_held (&x);
  find_alone (&x);
  find_protectors (&x);
  for (uint32_t k = 0; k < m->points.count; k++)
    if (m->points.data[k].shared) classify (&x, k);
  give_writes_before_races (&x);
  give_back_reads (&x);
  for (uint32_t k = 0; k < m->points.count; k++)
    count += m->points.data[k].shared && !(m->points.data[k].opens && m->points.data[k].closes);
  for (uint32_t t = 0; t < x.reaches.count; t++) reach_release (&x.reaches.data[t]);
  vec_release (&x.reaches);
  vec_release (&x.held);
  vec_release (&x.protectors);
  vec_release (&x.alone);
  vec_release (&x.joined);
  touched_release (&x.touched);
  return count;
}
