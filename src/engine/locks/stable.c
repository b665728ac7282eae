// A cell is stable if every store that may reach it lies where no thread has been created yet.  "Later than a creation" is
// reachability from the creating edges through calls and returns, whatever the context: a helper that is called both
// before and after counts as late.
#include "engine/locks/stable.h"

#define WHOLE_OBJECT UINT32_MAX

// ---- what comes late ------------------------------------------------------------------------------------
typedef struct walk {
  stable *s;
  VEC (ir_loc) waiting;
  bool *late_end;           // [procedure]: it may return late
  VEC (uint32_t) *callers;  // [procedure]: call edges
} walk;

static void reach (walk *w, ir_loc l) {
  if (l.i == IR_NONE || w->s->late[l.i]) return;
  w->s->late[l.i] = true;
  vec_push (&w->waiting, l);
}

static void call_late (walk *w, ir_edge e) {
  const ir_program *p = w->s->program;
  pointsto_set callees = pointsto_arg (w->s->targets, e, 0);
  for (uint32_t k = 0; k < callees.count; k++) {
    if (callees.objects[k] >= p->objects.count) continue;
    ir_proc f = p->objects.data[callees.objects[k]].proc;
    if (f.i != IR_NONE) reach (w, ir_proc_at (p, f)->entry);
  }
}

static void return_late (walk *w, ir_proc f) {
  if (w->late_end[f.i]) return;
  w->late_end[f.i] = true;
  for (uint32_t k = 0; k < w->callers[f.i].count; k++) reach (w, w->s->program->edges.data[w->callers[f.i].data[k]].to);
}

static void go_on (walk *w, ir_loc l) {
  const ir_program *p = w->s->program;
  const ir_loc_data *d = ir_loc_at (p, l);
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
    const ir_edge_data *x = &p->edges.data[e];
    if (x->op == IR_CALL) call_late (w, (ir_edge){e});
    if (x->op == IR_RETURN) return_late (w, d->proc);
    reach (w, x->to);
  }
}

static void find_callers (walk *w) {
  const ir_program *p = w->s->program;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    if (p->edges.data[e].op != IR_CALL) continue;
    pointsto_set callees = pointsto_arg (w->s->targets, (ir_edge){e}, 0);
    for (uint32_t k = 0; k < callees.count; k++) {
      ir_proc f = callees.objects[k] < p->objects.count ? p->objects.data[callees.objects[k]].proc : (ir_proc){IR_NONE};
      if (f.i != IR_NONE) vec_push (&w->callers[f.i], e);
    }
  }
}

static void start_late (walk *w, ir_edge create) {
  const ir_program *p = w->s->program;
  reach (w, ir_edge_at (p, create)->to);
  pointsto_set entries = pointsto_arg (w->s->targets, create, 1);
  for (uint32_t k = 0; k < entries.count; k++) {
    ir_proc f = entries.objects[k] < p->objects.count ? p->objects.data[entries.objects[k]].proc : (ir_proc){IR_NONE};
    if (f.i != IR_NONE) reach (w, ir_proc_at (p, f)->entry);
  }
}

static bool creates_anything (const stable *s) {
  for (uint32_t e = 0; e < s->program->edges.count; e++) {
    ir_op op = s->program->edges.data[e].op;
    if ((op == IR_THREAD_CREATE && pointsto_arg (s->targets, (ir_edge){e}, 1).anything) ||
        (op == IR_CALL && pointsto_arg (s->targets, (ir_edge){e}, 0).anything))
      return true;
  }
  return false;
}

static void find_late (stable *s) {
  const ir_program *p = s->program;
  s->late = mem_zalloc (p->locs.count + 1);
  walk w = {.s = s,
            .late_end = mem_zalloc (p->procs.count + 1),
            .callers = mem_zalloc (sizeof *w.callers * (p->procs.count + 1))};
  find_callers (&w);
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == IR_THREAD_CREATE) start_late (&w, (ir_edge){e});
  if (creates_anything (s))
    for (uint32_t l = 0; l < p->locs.count; l++) reach (&w, (ir_loc){l});
  while (w.waiting.count) go_on (&w, vec_pop (&w.waiting));
  for (uint32_t f = 0; f < p->procs.count; f++) vec_release (&w.callers[f]);
  mem_free (w.callers, sizeof *w.callers * (p->procs.count + 1));
  mem_free (w.late_end, p->procs.count + 1);
  vec_release (&w.waiting);
}

// ---- what is written late -------------------------------------------------------------------------------
static uint64_t key_of (uint32_t object, uint32_t word) { return (uint64_t) object << 32 | word; }

static void mark (stable *s, uint32_t object, uint32_t word) {
  map_insert (&s->written, key_of (object, word), 1, NULL);
  map_insert (&s->touched, object, 1, NULL);
}

static void mark_written (stable *s, ir_edge e, bool whole) {
  pointsto_list all = pointsto_targets (s->targets, e, 0);
  s->all_written |= all.anything;
  uint32_t bytes = ir_edge_at (s->program, e)->bytes;
  for (uint32_t k = 0; k < all.count; k++) {
    pointsto_target t = all.targets[k];
    if (whole || t.offset == POINTSTO_ANY_OFFSET) mark (s, t.object, WHOLE_OBJECT);
    else
      for (uint32_t word = t.offset / 8; word <= (t.offset + (bytes ? bytes : 8) - 1) / 8; word++)
        mark (s, t.object, word);
  }
}

static void find_written (stable *s) {
  for (uint32_t e = 0; e < s->program->edges.count; e++) {
    const ir_edge_data *d = &s->program->edges.data[e];
    if (!s->late[d->from.i]) continue;
    switch (d->op) {
    case IR_STORE:
    case IR_STORE_RAW:
    case IR_RMW:
    case IR_CMPXCHG:
    case IR_THREAD_CREATE: mark_written (s, (ir_edge){e}, false); break;
    case IR_FREE:
    case IR_FORGET: mark_written (s, (ir_edge){e}, true); break;
    default: break;
    }
  }
}

void stable_init (stable *s, const ir_program *p, const pointsto *targets) {
  *s = (stable){.program = p, .targets = targets};
  find_late (s);
  find_written (s);
}

void stable_release (stable *s) {
  mem_free (s->late, s->program->locs.count + 1);
  map_release (&s->written);
  map_release (&s->touched);
}

static bool is_written (const stable *s, uint32_t object, uint32_t word) {
  return map_find (&s->written, key_of (object, word)) || map_find (&s->written, key_of (object, WHOLE_OBJECT));
}

bool stable_load (const stable *s, ir_edge load) {
  const ir_edge_data *d = ir_edge_at (s->program, load);
  pointsto_list all = pointsto_targets (s->targets, load, 0);
  if (!s->late[d->from.i] || s->all_written || all.anything) return false;
  for (uint32_t k = 0; k < all.count; k++) {
    pointsto_target t = all.targets[k];
    if (t.offset == POINTSTO_ANY_OFFSET && map_find (&s->touched, t.object)) return false;
    if (t.offset == POINTSTO_ANY_OFFSET) continue;
    for (uint32_t word = t.offset / 8; word <= (t.offset + d->bytes - 1u) / 8; word++)
      if (is_written (s, t.object, word)) return false;
  }
  return true;
}
