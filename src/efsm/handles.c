// Finds uses of handles along the control-flow graph of each thread; calls and returns are not matched. The steps of
// two threads may come in any order.
#include "efsm/handles.h"

#include "base/memory.h"

// STARTS: the point starts a thread; LEAVES: it joins or detaches one
typedef enum role { STARTS = 1, LEAVES = 2 } role;

typedef struct ordering {
  const efsm *m;
  VEC (uint8_t) by_variable, by_point;  // roles
  VEC (bool) after;                     // by point: some thread was joined or detached at the point or before it
  VEC (uint32_t) work;
} ordering;

static void name_variables (ordering *o) {
  for (uint32_t v = 0; v < o->m->variables.count; v++) vec_push (&o->by_variable, 0);
  for (uint32_t t = 0; t < o->m->threads.count; t++) {
    const efsm_thread *x = &o->m->threads.data[t];
    if (x->started != IR_NONE) o->by_variable.data[x->started] = STARTS;
    if (x->gone != IR_NONE) o->by_variable.data[x->gone] = LEAVES;
  }
}

static void name_points (ordering *o) {
  for (uint32_t k = 0; k < o->m->points.count; k++) {
    const efsm_point *p = &o->m->points.data[k];
    uint8_t roles = 0;
    for (uint32_t u = 0; u < p->updates.count; u++) roles |= o->by_variable.data[p->updates.data[u].variable];
    vec_push (&o->by_point, roles);
    vec_push (&o->after, false);
  }
}

static bool in_other_threads (const ordering *o) {
  uint32_t starter = IR_NONE, leaver = IR_NONE;
  bool several = false;
  for (uint32_t k = 0; k < o->by_point.count; k++) {
    uint32_t thread = o->m->points.data[k].thread;
    if (o->by_point.data[k] & STARTS) several |= starter != IR_NONE && starter != thread, starter = thread;
    if (o->by_point.data[k] & LEAVES) several |= leaver != IR_NONE && leaver != thread, leaver = thread;
  }
  return leaver != IR_NONE && starter != IR_NONE && (several || leaver != starter);
}

static void reach (ordering *o, uint32_t point) {
  if (o->after.data[point]) return;
  o->after.data[point] = true;
  vec_push (&o->work, point);
}

static bool one_after_the_other (ordering *o) {
  for (uint32_t k = 0; k < o->by_point.count; k++)
    if (o->by_point.data[k] & LEAVES) reach (o, k);
  bool found = false;
  while (o->work.count) {
    uint32_t at = vec_pop (&o->work);
    found |= o->by_point.data[at] & STARTS;
    for (uint32_t k = 0; k < o->m->points.data[at].exits.count; k++) reach (o, o->m->points.data[at].exits.data[k].to);
  }
  return found;
}

bool efsm_handles_come_back (const efsm *m) {
  ordering o = {.m = m};
  name_variables (&o);
  name_points (&o);
  bool found = in_other_threads (&o) || one_after_the_other (&o);
  vec_release (&o.by_variable);
  vec_release (&o.by_point);
  vec_release (&o.after);
  vec_release (&o.work);
  return found;
}
