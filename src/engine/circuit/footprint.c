// Shared memory, owners of locks, who waits where, who has started and ended: all of it are variables of the machine, so what may interfere is read off its terms (efsm/touched.h) for all
// synchronisation alike.  One variable is left out, the one that says whether the process has ended: every step reads it, but after it is set nothing is left to be found, so only the step that
// sets it depends on the others.
#include "engine/circuit/footprint.h"

#include "efsm/movers.h"
#include "efsm/reach.h"
#include "efsm/touched.h"

typedef struct survey {
  footprints *out;
  efsm *m;
  touched touched, standing;
  VEC (uint64_t) held;    // by point
  VEC (uint64_t) joined;  // by point
  uint64_t sure;          // locks that only their holders release
  VEC (uint32_t) work, items;
  VEC (uint32_t) stamp;  // by point: step + 1 that has it
} survey;

// ---- one step ----------------------------------------------------------------------------------------------------------------------
static void take_touches (survey *s, const touched *t, uint32_t point) {
  const uint32_t *end = touched_end (t, point);
  for (const uint32_t *item = touched_begin (t, point); item < end; item++)
    if (*item >> 1 != s->m->over) vec_push (&s->items, *item);
}

static uint32_t collected (survey *s) {
  uint32_t set = s->items.count ? idset_make (&s->out->sets, s->items.data, s->items.count) : IDSET_EMPTY;
  vec_clear (&s->items);
  return set;
}

static bool writes (const survey *s, uint32_t point, uint32_t variable) {
  const uint32_t *end = touched_end (&s->touched, point);
  for (const uint32_t *item = touched_begin (&s->touched, point); item < end; item++)
    if (*item == (variable << 1 | 1)) return true;
  return false;
}

// Without what the point itself changes: of the words of a lock its goals ask only whether this thread holds it, and that changes by its own steps only.
static uint32_t standing_at (survey *s, uint32_t point) {
  const uint32_t *end = touched_end (&s->standing, point);
  for (const uint32_t *item = touched_begin (&s->standing, point); item < end; item++)
    if (*item >> 1 != s->m->over && !writes (s, point, *item >> 1)) vec_push (&s->items, *item);
  return collected (s);
}

static bool sets_over (const survey *s, uint32_t point) {
  const efsm_point *p = &s->m->points.data[point];
  for (uint32_t k = 0; k < p->updates.count; k++)
    if (p->updates.data[k].variable == s->m->over) return true;
  return false;
}

static void visit (survey *s, uint32_t point, uint32_t stamp) {
  if (s->stamp.data[point] == stamp) return;
  s->stamp.data[point] = stamp;
  vec_push (&s->work, point);
}

// The points of a step: from its first one on, up to where the next begins.
static void survey_step (survey *s, uint32_t step) {
  const folded *f = s->out->f;
  uint32_t start = f->steps.data[step].point;
  const efsm_point *p = &s->m->points.data[start];
  step_footprint x = {.acquires = p->acquires,
                      .joins = s->joined.data[start],
                      .held = s->held.data[start] & s->sure & ~s->m->data,
                      .runs = p->exits.count && s->m->threads.data[p->thread].start != start,
                      .standing = standing_at (s, start)};
  take_touches (s, &s->touched, start);
  x.first = collected (s);
  for (visit (s, start, step + 1); s->work.count;) {
    uint32_t point = vec_pop (&s->work);
    const efsm_point *q = &s->m->points.data[point];
    take_touches (s, &s->touched, point);
    x.ends_process |= sets_over (s, point);
    for (uint32_t e = 0; e < q->exits.count; e++)
      if (f->step_of.data[q->exits.data[e].to] == IR_NONE) visit (s, q->exits.data[e].to, step + 1);
  }
  x.all = collected (s);
  vec_push (&s->out->steps, x);
}

// ---- locks -------------------------------------------------------------------------------------------------------------------------
static void find_held (survey *s) {
  s->sure = UINT64_MAX;
  for (uint32_t k = 0; k < s->m->points.count; k++) vec_push (&s->held, UINT64_MAX);
  for (uint32_t t = 0; t < s->m->threads.count; t++) {
    reach r;
    reach_init (&r, s->m, t, (reach_options){.cxt = true});
    for (uint32_t n = 0; n < r.nodes.count; n++) {
      const reach_node *node = &r.nodes.data[n];
      s->held.data[node->point] &= node->held;
      s->sure &= ~(s->m->points.data[node->point].releases & ~node->held);
    }
    reach_release (&r);
  }
}

void footprints_init (footprints *p, folded *f) {
  efsm *m = f->m;
  *p = (footprints){.f = f};
  idsets_init (&p->sets);
  survey s = {.out = p, .m = m};
  touched_init (&s.touched, m);
  touched_by_standing_init (&s.standing, m);
  for (uint32_t k = 0; k < m->points.count; k++) {
    vec_push (&s.joined, 0);
    vec_push (&s.stamp, 0);
  }
  efsm_find_joined (m, s.joined.data);
  find_held (&s);
  for (uint32_t k = 0; k < f->steps.count; k++) survey_step (&s, k);
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
  map_release (&p->meets);
}

// ---- what comes later --------------------------------------------------------------------------------------------------------------
static bool is_barred (const step_footprint *x, holding h) {
  return (x->acquires & h.locks) || (h.thread != IR_NONE && x->joins >> h.thread & 1);
}

static uint32_t later_of (footprints *p, uint32_t step, holding h, const uint32_t *later) {
  const step_footprint *x = &p->steps.data[step];
  if (is_barred (x, h)) return x->standing;
  uint32_t set = x->all;
  const fold_step *s = &p->f->steps.data[step];
  for (uint32_t e = 0; e < s->exits.count; e++)
    if (s->exits.data[e].to != FOLD_STUCK) set = idset_unite (&p->sets, set, later[s->exits.data[e].to]);
  return set;
}

// Backward to a fixpoint: who is barred from a step does not get behind it.
void footprints_later (footprints *p, uint32_t thread, holding h, uint32_t *later) {
  const efsm *m = p->f->m;
  VEC (uint32_t) steps = {0};
  for (uint32_t k = 0; k < p->f->steps.count; k++)
    if (m->points.data[p->f->steps.data[k].point].thread == thread) vec_push (&steps, k);
  for (uint32_t k = 0; k < steps.count; k++) later[steps.data[k]] = IDSET_EMPTY;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = steps.count; k--;) {
      uint32_t set = later_of (p, steps.data[k], h, later);
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
    // Of one variable a read comes before a write: of two reads the one goes whose set has the write to come.
    bool next_is_same = a + 1 < num_a && x[a + 1] >> 1 == first;
    if (first < second || (first == second && next_is_same)) a++;
    else b++;
  }
  return false;
}

bool footprints_meet (footprints *p, uint32_t touches, uint32_t others) {
  bool is_new;
  uint64_t *known = map_insert (&p->meets, (uint64_t) touches << 32 | others, 0, &is_new);
  if (is_new) *known = have_conflict (p, touches, others);
  return *known;
}
