// Computes footprints. Shared memory, owners of locks, which thread waits where, which threads have started and ended:
// all of these are variables of the machine, so the possible interference is read off its terms (efsm/touched.h), for
// all kinds of synchronisation alike. One variable is left out, the one that says whether the process has ended: every
// step reads it, but after it is set no violation can follow, so only the step that sets it depends on the others.
#include "engine/circuit/footprint.h"

#include "efsm/movers.h"
#include "efsm/reach.h"
#include "efsm/touched.h"

typedef struct footprint_collector {
  footprints *out;
  efsm *m;
  touched touched, standing;
  VEC (uint64_t) held;       // by point
  VEC (uint64_t) joined;     // by point
  uint64_t holder_released;  // locks that only their holders release
  VEC (uint32_t) work, items;
  VEC (uint32_t) stamp;  // by point: number + 1 of the last step whose points were visited
} footprint_collector;

// ---- one step ---------------------------------------------------------------------------------------
static void add_touched_variables (footprint_collector *s, const touched *t, uint32_t point) {
  const uint32_t *end = touched_end (t, point);
  for (const uint32_t *item = touched_begin (t, point); item < end; item++)
    if (*item >> 1 != s->m->over) vec_push (&s->items, *item);
}

static uint32_t collected (footprint_collector *s) {
  uint32_t set = s->items.count ? idset_make (&s->out->sets, s->items.data, s->items.count) : IDSET_EMPTY;
  vec_clear (&s->items);
  return set;
}

static bool point_writes (const footprint_collector *s, uint32_t point, uint32_t variable) {
  const uint32_t *end = touched_end (&s->touched, point);
  for (const uint32_t *item = touched_begin (&s->touched, point); item < end; item++)
    if (*item == (variable << 1 | 1)) return true;
  return false;
}

// Returns what a thread at this point reads to see whether it can go on or goes wrong, without what the point itself
// changes: of the words of a lock the goals only ask whether this thread holds it, and that changes by the thread's own
// steps only.
static uint32_t footprint_before_step (footprint_collector *s, uint32_t point) {
  const uint32_t *end = touched_end (&s->standing, point);
  for (const uint32_t *item = touched_begin (&s->standing, point); item < end; item++)
    if (*item >> 1 != s->m->over && !point_writes (s, point, *item >> 1)) vec_push (&s->items, *item);
  return collected (s);
}

static bool sets_over (const footprint_collector *s, uint32_t point) {
  const efsm_point *p = &s->m->points.data[point];
  for (uint32_t k = 0; k < p->updates.count; k++)
    if (p->updates.data[k].variable == s->m->over) return true;
  return false;
}

static void visit_step_point (footprint_collector *s, uint32_t point, uint32_t stamp) {
  if (s->stamp.data[point] == stamp) return;
  s->stamp.data[point] = stamp;
  vec_push (&s->work, point);
}

// Visits the points of a step, from its first one to where the next steps begin.
static void collect_step (footprint_collector *s, uint32_t step) {
  const folded *f = s->out->f;
  uint32_t start = f->steps.data[step].point;
  const efsm_point *p = &s->m->points.data[start];
  step_footprint x = {.acquires = p->acquires,
                      .joins = s->joined.data[start],
                      .held = s->held.data[start] & s->holder_released & ~s->m->data,
                      .runs = p->exits.count && s->m->threads.data[p->thread].start != start,
                      .standing = footprint_before_step (s, start)};
  add_touched_variables (s, &s->touched, start);
  x.first = collected (s);
  for (visit_step_point (s, start, step + 1); s->work.count;) {
    uint32_t point = vec_pop (&s->work);
    const efsm_point *q = &s->m->points.data[point];
    add_touched_variables (s, &s->touched, point);
    x.ends_process |= sets_over (s, point);
    for (uint32_t e = 0; e < q->exits.count; e++)
      if (f->step_of.data[q->exits.data[e].to] == IR_NONE) visit_step_point (s, q->exits.data[e].to, step + 1);
  }
  x.all = collected (s);
  vec_push (&s->out->steps, x);
}

// ---- locks ------------------------------------------------------------------------------------------
static void find_must_held_locks (footprint_collector *s) {
  s->holder_released = UINT64_MAX;
  for (uint32_t k = 0; k < s->m->points.count; k++) vec_push (&s->held, UINT64_MAX);
  for (uint32_t t = 0; t < s->m->threads.count; t++) {
    reach r;
    reach_init (&r, s->m, t, (reach_options){.cxt = true});
    for (uint32_t n = 0; n < r.nodes.count; n++) {
      const reach_node *node = &r.nodes.data[n];
      s->held.data[node->point] &= node->held;
      s->holder_released &= ~(s->m->points.data[node->point].releases & ~node->held);
    }
    reach_release (&r);
  }
}

void footprints_init (footprints *p, folded *f) {
  efsm *m = f->m;
  *p = (footprints){.f = f};
  idsets_init (&p->sets);
  footprint_collector s = {.out = p, .m = m};
  touched_init (&s.touched, m);
  touched_by_standing_init (&s.standing, m);
  for (uint32_t k = 0; k < m->points.count; k++) {
    vec_push (&s.joined, 0);
    vec_push (&s.stamp, 0);
  }
  efsm_find_joined (m, s.joined.data);
  find_must_held_locks (&s);
  for (uint32_t k = 0; k < f->steps.count; k++) collect_step (&s, k);
  touched_release (&s.touched);
  touched_release (&s.standing);
  vec_release (&s.held);
  vec_release (&s.joined);
  vec_release (&s.work);
  vec_release (&s.items);
  vec_release (&s.stamp);
}

void footprints_release (footprints *p) {
  idsets_release (&p->sets);
  vec_release (&p->steps);
  map_release (&p->conflicts);
}

// ---- footprints of the rest of a thread -------------------------------------------------------------
static bool is_barred (const step_footprint *x, step_holds h) {
  return (x->acquires & h.locks) || (h.thread != IR_NONE && x->joins >> h.thread & 1);
}

static uint32_t step_later_footprint (footprints *p, uint32_t step, step_holds h, const uint32_t *later) {
  const step_footprint *x = &p->steps.data[step];
  if (is_barred (x, h)) return x->standing;
  uint32_t set = x->all;
  const fold_step *s = &p->f->steps.data[step];
  for (uint32_t e = 0; e < s->exits.count; e++)
    if (s->exits.data[e].to != FOLD_STUCK) set = idset_unite (&p->sets, set, later[s->exits.data[e].to]);
  return set;
}

// A backward fixpoint: a thread that cannot take a step, because of `h`, does not get beyond it.
void footprints_later (footprints *p, uint32_t thread, step_holds h, uint32_t *later) {
  const efsm *m = p->f->m;
  VEC (uint32_t) steps = {0};
  for (uint32_t k = 0; k < p->f->steps.count; k++)
    if (m->points.data[p->f->steps.data[k].point].thread == thread) vec_push (&steps, k);
  for (uint32_t k = 0; k < steps.count; k++) later[steps.data[k]] = IDSET_EMPTY;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = steps.count; k--;) {
      uint32_t set = step_later_footprint (p, steps.data[k], h, later);
      changed |= set != later[steps.data[k]];
      later[steps.data[k]] = set;
    }
  }
  vec_release (&steps);
}

static bool have_conflict (const footprints *p, uint32_t touches, uint32_t others) {
  uint32_t num_a, num_b, a = 0, b = 0;
  const uint32_t *x = idset_items (&p->sets, touches, &num_a), *y = idset_items (&p->sets, others, &num_b);
  while (a < num_a && b < num_b) {
    uint32_t first = x[a] >> 1, second = y[b] >> 1;
    if (first == second && ((x[a] & 1) || (y[b] & 1))) return true;
    // Among the entries of one variable a read comes before a write. Of two reads, advance the one whose set still has
    // the write.
    bool next_is_same = a + 1 < num_a && x[a + 1] >> 1 == first;
    if (first < second || (first == second && next_is_same)) a++;
    else b++;
  }
  return false;
}

bool footprints_conflict (footprints *p, uint32_t touches, uint32_t others) {
  bool is_new;
  uint64_t *known = map_insert (&p->conflicts, (uint64_t) touches << 32 | others, 0, &is_new);
  if (is_new) *known = have_conflict (p, touches, others);
  return *known;
}
