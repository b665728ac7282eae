// Paths are read off the analysis: a node knows the node before it and, behind a call, the node at the callee's end; a
// context knows the node that called.  A neutral procedure has no nodes: there the shortest path is taken.
#include "base/limits.h"
#include "engine/locks/show/show_impl.h"

#include <string.h>

#include "ir/sync.h"

typedef struct path_walk {
  lock_analysis *a;
  path_frames frames;
  uint32_t num_frames;
  thread_path *out;
} path_walk;

void path_finder_init (path_finder *f, lock_analysis *a) { *f = (path_finder){.analysis = a}; }

void path_finder_release (path_finder *f) {
  for (uint32_t k = 0; k < f->reaches.count; k++) mem_free (f->reaches.data[k], f->analysis->program->procs.count + 1);
  vec_release (&f->reaches);
  map_release (&f->creations);
}

void path_release (thread_path *p) {
  vec_release (&p->steps);
  vec_release (&p->passed);
}

void path_stack (const lock_analysis *a, uint32_t c, path_frames *out) {
  uint32_t depth = 0;
  for (uint32_t k = c; k != IR_NONE; k = a->contexts.data[k].from) depth++;
  for (uint32_t k = 0; k < depth; k++) vec_push (out, ((path_frame){{IR_NONE}, IR_NONE, IR_NONE, 0}));
  for (uint32_t k = c; k != IR_NONE; k = a->contexts.data[k].from)
    out->data[--depth] = (path_frame){a->contexts.data[k].proc, a->contexts.data[k].call, k, 0};
}

// ---- one step -----------------------------------------------------------------------------------------------------
// For an edge inside a library model, the user's call.
static ir_edge user_edge (const ir_program *p, const path_frames *frames, ir_edge e) {
  for (uint32_t k = frames->count;
       k-- > 0 && ir_proc_at (p, frames->data[k].proc)->internal && frames->data[k].call != IR_NONE;)
    e = (ir_edge){frames->data[k].call};
  return e;
}

static void add_path_step (path_walk *w, path_step s) {
  const ir_program *p = w->a->program;
  const ir_edge_data *d = ir_edge_at (p, user_edge (p, &w->frames, s.edge));
  s.pos = d->pos;
  s.function = ir_proc_at (p, ir_loc_at (p, d->from)->proc)->name;
  if (at_limit (EXAMPLE_STEPS, w->out->steps.count)) w->out->too_long = true;
  else vec_push (&w->out->steps, s);
}

static void pass_mark (path_walk *w, ir_edge e, ir_loc at, bool whole) {
  if (at_limit (EXAMPLE_EDGES, w->out->passed.count)) w->out->too_long = true;
  else
    vec_push (&w->out->passed,
              ((path_mark){e, at, w->out->steps.count, w->frames.data[w->frames.count - 1].number, whole}));
}

// Renames a lock from the innermost frame to the frame that called it.
static uint32_t name_in_caller_frame (lock_analysis *a, path_frame f, uint32_t use) {
  effect e = {.num_held = 1};
  memset (&e.held[0], 0, sizeof e.held[0]);
  e.held[0].use = use;
  e.held[0].count = 1;
  e.held[0].must = true;
  effect_load (&a->effects, summary_substitute (a, (ir_edge){f.call}, f.proc, effect_intern (&a->effects, &e)), &e);
  return e.held[0].use;
}

// Renames the lock outwards, frame by frame, until it is fixed.
static uint32_t name_for_all (path_walk *w, uint32_t use) {
  for (uint32_t k = w->frames.count; k-- > 0;) {
    path_frame f = w->frames.data[k];
    if (f.context != IR_NONE) use = context_lock (w->a, f.context, (lock_use){use}).i;
    if (!k || lock_is_fixed (&w->a->locks, use_lock ((lock_use){use}))) break;
    use = name_in_caller_frame (w->a, f, use);
  }
  return use;
}

static uint32_t num_taken (const effect *e) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < e->num_held; k++) sum += e->held[k].count;
  return sum;
}

// An operation that may fail: the effects before and after tell whether it did.
static path_op outcome_op (const path_walk *w, uint32_t from, uint32_t to, path_op taken, path_op else_op) {
  effect before, after;
  effect_load (&w->a->effects, w->a->nodes.data[from].effect, &before);
  effect_load (&w->a->effects, w->a->nodes.data[to].effect, &after);
  return after.overflowed || num_taken (&after) > num_taken (&before) ? taken : else_op;
}

static bool releases (const path_walk *w, uint32_t from, uint32_t to) {
  effect before, after;
  effect_load (&w->a->effects, w->a->nodes.data[from].effect, &before);
  effect_load (&w->a->effects, w->a->nodes.data[to].effect, &after);
  return num_taken (&after) < num_taken (&before) || after.num_released > before.num_released;
}

static path_op cas_outcome (path_walk *w, ir_edge e, uint32_t from, uint32_t to) {
  cas_op op = cas_op_of (w->a, e);
  if (op == CAS_RELEASE_BY_STORE || op == CAS_RELEASE) return releases (w, from, to) ? PATH_RELEASE : PATH_FAIL;
  return op == CAS_KEEP ? PATH_FAIL : outcome_op (w, from, to, PATH_ACQUIRE, PATH_FAIL);
}

// A semaphore that is used as a lock.  Waiting at any other one is waiting for another thread.
static bool excludes (path_walk *w, ir_edge e) {
  if (ir_sync_of (ir_edge_at (w->a->program, e)->op)->family != IR_F_SEM) return true;
  return semaphore_touched (w->a, e) && lock_is_disciplined (w->a, use_lock (edge_lock (w->a, e, 0, false)));
}

static path_op lock_op_of (path_walk *w, ir_edge e, const ir_sync *s, uint32_t from, uint32_t to) {
  if (s->family == IR_F_SEM && !excludes (w, e)) return PATH_NOTHING;
  if (s->action == IR_A_RELEASE || s->action == IR_A_WAIT) return PATH_RELEASE;
  return edge_touches_locks (w->a, e) ? outcome_op (w, from, to, PATH_ACQUIRE, PATH_FAIL) : PATH_NOTHING;
}

static path_op path_op_of (path_walk *w, ir_edge e, uint32_t from, uint32_t to) {
  const ir_sync *s = ir_sync_of (ir_edge_at (w->a->program, e)->op);
  bool begins = s->action == IR_A_ACQUIRE;
  switch (s->family) {
  case IR_F_THREAD: return s->action == IR_A_START ? PATH_CREATE : s->action == IR_A_JOIN ? PATH_JOIN : PATH_NOTHING;
  case IR_F_ONCE: return begins ? outcome_op (w, from, to, PATH_BEGIN_ONCE, PATH_PASS_ONCE) : PATH_END_ONCE;
  case IR_F_REGION: return begins ? PATH_BEGIN_ATOMIC : PATH_END_ATOMIC;
  case IR_NO_FAMILY: return cas_op_of (w->a, e) != CAS_NONE ? cas_outcome (w, e, from, to) : PATH_NOTHING;
  default: return lock_op_of (w, e, s, from, to);
  }
}

static void pass_path_edge (path_walk *w, ir_edge e, uint32_t from, uint32_t to) {
  const ir_edge_data *d = ir_edge_at (w->a->program, e);
  path_step s = {.edge = e, .op = path_op_of (w, e, from, to), .use = IR_NONE};
  pass_mark (w, e, d->from, d->op == IR_CALL);
  if (s.op == PATH_NOTHING) return;
  const ir_sync *facts = ir_sync_of (d->op);
  if (d->num_args && facts->family != IR_F_THREAD)
    s.use = name_for_all (w, edge_lock (w->a, e, facts->names_mutex, facts->shared).i);
  add_path_step (w, s);
}

// ---- the way through a procedure ------------------------------------------------------------------------------------
static void enter_frame (path_walk *w, ir_edge call, ir_proc callee, uint32_t context) {
  if (!ir_proc_at (w->a->program, ir_loc_at (w->a->program, ir_edge_at (w->a->program, call)->from)->proc)->internal)
    add_path_step (w, (path_step){.op = PATH_CALL, .edge = call, .use = IR_NONE, .callee = callee});
  vec_push (&w->frames, ((path_frame){callee, call.i, context, ++w->num_frames}));
}

static void walk_nodes (path_walk *w, uint32_t last);

// Marks of edges inside the call then lie before the next step.
static void drop_steps (thread_path *p, uint32_t count) {
  p->steps.count = count;
  for (uint32_t k = p->passed.count; k-- > 0 && p->passed.data[k].steps > count;) p->passed.data[k].steps = count;
}

// Removes the step of a call if the path has no step inside it.
static void follow_path_call (path_walk *w, const summary_node *n) {
  ir_edge call = {n->edge};
  ir_loc end = w->a->nodes.data[n->through].at;
  pass_mark (w, call, ir_edge_at (w->a->program, call)->from, false);
  uint32_t before = w->out->steps.count;
  enter_frame (w, call, ir_loc_at (w->a->program, end)->proc, IR_NONE);
  uint32_t inside = w->out->steps.count;
  if (over_limit (EXAMPLE_CALLS, w->frames.count)) w->out->too_long = true;
  else walk_nodes (w, n->through);
  w->frames.count--;
  if (w->out->steps.count == inside) drop_steps (w->out, before);
}

static void walk_nodes (path_walk *w, uint32_t last) {
  VEC (uint32_t) way = {0};
  for (uint32_t n = last; w->a->nodes.data[n].from != IR_NONE; n = w->a->nodes.data[n].from) vec_push (&way, n);
  while (way.count && !w->out->too_long) {
    uint32_t at = vec_pop (&way);
    const summary_node *n = &w->a->nodes.data[at];
    if (n->through != IR_NONE) follow_path_call (w, n);
    else pass_path_edge (w, (ir_edge){n->edge}, n->from, at);
  }
  vec_release (&way);
}

// In a neutral procedure: follows the shortest path from the entry.
static void walk_plain (path_walk *w, ir_proc f, ir_loc to) {
  const ir_program *p = w->a->program;
  map came = {0};  // location -> edge + 1; 0 at the entry
  VEC (uint32_t) waiting = {0};
  ir_loc entry = ir_proc_at (p, f)->entry;
  map_insert (&came, entry.i, 0, NULL);
  vec_push (&waiting, entry.i);
  for (uint32_t k = 0; k < waiting.count && waiting.data[k] != to.i; k++) {
    const ir_loc_data *l = &p->locs.data[waiting.data[k]];
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
      bool is_new = false;
      if (p->edges.data[e].to.i != IR_NONE) map_insert (&came, p->edges.data[e].to.i, e + 1, &is_new);
      if (is_new) vec_push (&waiting, p->edges.data[e].to.i);
    }
  }
  vec_clear (&waiting);
  const uint64_t *edge;
  for (uint32_t at = to.i; (edge = map_find (&came, at)) && *edge; at = p->edges.data[*edge - 1].from.i)
    vec_push (&waiting, (uint32_t) *edge - 1);
  while (waiting.count) pass_path_edge (w, (ir_edge){vec_pop (&waiting)}, IR_NONE, IR_NONE);
  vec_release (&waiting);
  map_release (&came);
}

static void walk_frame (path_walk *w, ir_proc f, uint32_t node, ir_loc to) {
  if (node != IR_NONE) walk_nodes (w, node);
  else walk_plain (w, f, to);
}

static void follow_to_context (path_walk *w, uint32_t c) {
  const context_data x = w->a->contexts.data[c];
  if (x.from == IR_NONE) {
    vec_push (&w->frames, ((path_frame){x.proc, IR_NONE, c, 0}));
    return;
  }
  ir_edge call = {x.call};
  follow_to_context (w, x.from);
  walk_frame (w, w->a->contexts.data[x.from].proc, x.node, ir_edge_at (w->a->program, call)->from);
  pass_mark (w, call, ir_edge_at (w->a->program, call)->from, false);
  enter_frame (w, call, x.proc, c);
}

ir_edge path_user_edge (const lock_analysis *a, uint32_t context, ir_edge e) {
  path_frames frames = {0};
  path_stack (a, context, &frames);
  e = user_edge (a->program, &frames, e);
  vec_release (&frames);
  return e;
}

void path_find (path_finder *f, thread_place place, thread_path *out) {
  lock_analysis *a = f->analysis;
  path_walk w = {.a = a, .out = out};
  follow_to_context (&w, place.context);
  walk_frame (&w, a->contexts.data[place.context].proc, place.node, place.at);
  pass_mark (&w, (ir_edge){IR_NONE}, place.at, false);
  vec_release (&w.frames);
}

// ---- creations ------------------------------------------------------------------------------------------------------
// Procedures that may create the thread, by themselves or by calls.
typedef struct spreading {
  const path_finder *f;
  bool *reaches;
  bool callee_reaches;
} spreading;

static void look_at_callee (void *user, ir_proc f) {
  spreading *s = user;
  s->callee_reaches |= s->reaches[f.i];
}

static bool calls_creator (const path_finder *f, bool *reaches, ir_edge e) {
  spreading s = {f, reaches, false};
  if (ir_edge_at (f->analysis->program, e)->op == IR_CALL) for_each_callee (f->analysis, e, look_at_callee, &s);
  return s.callee_reaches;
}

static bool *creators_of (path_finder *f, ir_edge creation) {
  const ir_program *p = f->analysis->program;
  bool is_new, changed = true;
  uint64_t *known = map_insert (&f->creations, creation.i, f->reaches.count, &is_new);
  if (!is_new) return f->reaches.data[*known];
  bool *reaches = mem_zalloc (p->procs.count + 1);
  vec_push (&f->reaches, reaches);
  reaches[ir_loc_at (p, ir_edge_at (p, creation)->from)->proc.i] = true;
  while (changed) {
    changed = false;
    for (uint32_t e = 0; e < p->edges.count; e++) {
      bool *caller = &reaches[ir_loc_at (p, p->edges.data[e].from)->proc.i];
      if (*caller || p->edges.data[e].op != IR_CALL || !calls_creator (f, reaches, (ir_edge){e})) continue;
      changed = *caller = true;
    }
  }
  return reaches;
}

typedef struct neutrality {
  const lock_analysis *a;
  bool neutral;
} neutrality;

// No path through the callee acquires or releases a lock.
static void look_for_locks (void *user, ir_proc callee) {
  neutrality *n = user;
  const lock_summary *s = &n->a->summaries[callee.i];
  n->neutral &= s->neutral || s->exports.count;
  for (uint32_t k = 0; k < s->exports.count && n->neutral; k++) {
    effect e;
    effect_load (&n->a->effects, s->exports.data[k], &e);
    n->neutral = !e.overflowed && !e.num_held && !e.num_released && e.acquired == IDSET_EMPTY;
  }
}

static bool leaves_locks_alone (lock_analysis *a, ir_edge e) {
  ir_op op = ir_edge_at (a->program, e)->op;
  neutrality n = {a, true};
  if (op == IR_CALL) for_each_callee (a, e, look_for_locks, &n);
  else n.neutral = op == IR_THREAD_CREATE || op == IR_THREAD_JOIN || !edge_touches_locks (a, e);
  return n.neutral;
}

// Marks the locations that are reachable from the place over the creation without touching locks, as location * 2 + 1
// in `seen`.
static void pass_creation (path_finder *f, ir_loc place, ir_edge creation, bool *reaches, map *seen) {
  const ir_program *p = f->analysis->program;
  VEC (uint32_t) waiting = {0};
  vec_push (&waiting, place.i * 2);
  while (waiting.count) {
    uint32_t at = vec_pop (&waiting);
    const ir_loc_data *l = &p->locs.data[at / 2];
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
      if (p->edges.data[e].to.i == IR_NONE || !leaves_locks_alone (f->analysis, (ir_edge){e})) continue;
      bool passes = at % 2 || e == creation.i || calls_creator (f, reaches, (ir_edge){e}), is_new;
      uint32_t next = p->edges.data[e].to.i * 2 + passes;
      map_insert (seen, next, 1, &is_new);
      if (is_new) vec_push (&waiting, next);
    }
  }
  vec_release (&waiting);
}

// Is there a detour from the mark over the creation back to the path, in the same frame and before its next step?
static bool may_pass_creation (path_finder *f, const thread_path *p, uint32_t mark, ir_edge creation, bool *reaches) {
  const path_mark *m = &p->passed.data[mark];
  map seen = {0};
  bool found = false;
  pass_creation (f, m->at, creation, reaches, &seen);
  for (uint32_t k = mark; k < p->passed.count && p->passed.data[k].steps == m->steps && !found; k++)
    found = p->passed.data[k].frame == m->frame && map_find (&seen, p->passed.data[k].at.i * 2 + 1);
  map_release (&seen);
  return found;
}

static void insert_step (thread_path *p, uint32_t at, path_step s) {
  vec_push (&p->steps, s);
  memmove (p->steps.data + at + 1, p->steps.data + at, (p->steps.count - 1 - at) * sizeof s);
  p->steps.data[at] = s;
  for (uint32_t k = 0; k < p->passed.count; k++) p->passed.data[k].steps += p->passed.data[k].steps > at;
}

static bool creates_on_path (thread_path *p, ir_edge creation, uint32_t actor) {
  for (uint32_t k = 0; k < p->steps.count; k++) {
    path_step *s = &p->steps.data[k];
    if (s->op != PATH_CREATE || s->edge.i != creation.i || s->use != IR_NONE) continue;
    s->use = actor;
    return true;
  }
  return false;
}

// The first mark that may create the thread; IR_NONE: there is none.
static uint32_t find_creating_mark (path_finder *f, const thread_path *p, ir_edge creation) {
  const ir_program *program = f->analysis->program;
  bool *reaches = creators_of (f, creation);
  uint32_t found = IR_NONE;
  map seen = {0};
  for (uint32_t k = 0; k < p->passed.count && found == IR_NONE; k++) {
    path_mark m = p->passed.data[k];
    bool is_new;
    if (!reaches[ir_loc_at (program, m.at)->proc.i]) continue;
    map_insert (&seen, m.at.i, 1, &is_new);
    if (!is_new) continue;
    if ((m.whole && calls_creator (f, reaches, m.edge)) || may_pass_creation (f, p, k, creation, reaches)) found = k;
  }
  map_release (&seen);
  return found;
}

bool path_create (path_finder *f, thread_path *p, uint32_t kind, uint32_t actor) {
  const ir_program *program = f->analysis->program;
  ir_edge creation = threads_creator (f->analysis->threads, kind);
  const ir_edge_data *d = ir_edge_at (program, creation);
  if (creates_on_path (p, creation, actor)) return true;
  uint32_t mark = find_creating_mark (f, p, creation);
  if (mark == IR_NONE) return false;
  insert_step (p, p->passed.data[mark].steps,
               (path_step){.op = PATH_CREATE,
                           .edge = creation,
                           .use = actor,
                           .pos = d->pos,
                           .function = ir_proc_at (program, ir_loc_at (program, d->from)->proc)->name});
  return true;
}
