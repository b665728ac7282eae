// The threads of a possible violation, and their creators, become actors.  Each actor has the path that the analysis
// found for it, and the paths are interleaved.  The result is a candidate: conditions on data were not evaluated, and a
// lock that is known only through a pointer is taken not to be a lock of another actor.
#include "base/limits.h"
#include "engine/locks/show/show_impl.h"

#include <string.h>

#include "ir/sync.h"

typedef struct actor {
  uint32_t kind, slot;
  uint32_t side;     // index into sides; IR_NONE: it only creates others
  uint32_t creator;  // actor, or IR_NONE
  thread_path path;
  VEC (interleave_step) steps;
  VEC (uint32_t) held;  // lock_use, while the interleaving is written
} actor;

typedef struct run_builder {
  witnesses *w;
  goal *goal;
  const witness_side *sides;
  actor actors[LIMIT_EXAMPLE_THREADS];
  uint32_t num_sides, count;
  uint32_t last;  // thread of the previous step
} run_builder;

void witnesses_init (witnesses *w, lock_analysis *a, verdict *v) {
  *w = (witnesses){.analysis = a, .verdict = v};
  path_finder_init (&w->finder, a);
}

void witnesses_release (witnesses *w) { path_finder_release (&w->finder); }

// ---- names --------------------------------------------------------------------------------------------------------
static const char *use_name (const witnesses *w, uint32_t use) {
  return name_of_lock (&w->analysis->locks, use_lock ((lock_use){use}), w->verdict->arena);
}

static const char *entry_name_of_kind (const witnesses *w, uint32_t kind) {
  return kind ? ir_proc_at (w->analysis->program, threads_entry (w->analysis->threads, kind))->name : "main";
}

static const char *function_at_edge (const witnesses *w, ir_edge e) {
  const ir_program *p = w->analysis->program;
  return ir_proc_at (p, ir_loc_at (p, ir_edge_at (p, e)->from)->proc)->name;
}

// ---- sides --------------------------------------------------------------------------------------------------------
typedef struct side_search {
  uint32_t context, node;
  effect state;
  bool found;
} side_search;

static void keep_state_of_side (void *user, uint32_t context, uint32_t node, effect *state) {
  side_search *l = user;
  if (context != l->context || node != l->node) return;
  l->state = *state;
  l->found = true;
}

static void add_held_lock_to_side (witnesses *w, goal_side *s, const held_use *h) {
  const lock_analysis *a = w->analysis;
  uint32_t count;
  const uint32_t *items = idset_items (&a->effects.sets, h->history, &count);
  const char **after = arena_alloc (w->verdict->arena, sizeof *after * (count + 1));
  for (uint32_t k = 0; k < count; k++) after[k] = use_name (w, items[k]);
  goal_lock lock = {.name = use_name (w, h->use),
                    .reads = use_reads ((lock_use){h->use}),
                    .perhaps = !h->must,
                    .num_after = count,
                    .after = after};
  if (h->edge != IR_NONE) lock.taken = ir_edge_at (a->program, (ir_edge){h->edge})->pos;
  vec_push (&s->held, lock);
}

static void add_call_stack (witnesses *w, goal_side *s, uint32_t context) {
  const ir_program *p = w->analysis->program;
  path_frames frames = {0};
  path_stack (w->analysis, context, &frames);
  for (uint32_t k = 0; k < frames.count; k++) {
    const ir_proc_data *f = ir_proc_at (p, frames.data[k].proc);
    if (f->internal) continue;
    bool called = s->stack.count && frames.data[k].call != IR_NONE;
    vec_push (&s->stack,
              ((goal_call){f->name, called ? ir_edge_at (p, (ir_edge){frames.data[k].call})->pos : (ir_position){0}}));
  }
  vec_release (&frames);
}

static void add_witness_side (run_builder *y, const witness_side *x, uint32_t slot) {
  witnesses *w = y->w;
  lock_analysis *a = w->analysis;
  ir_edge shown = path_user_edge (a, x->place.context, x->edge);
  side_search l = {.context = x->place.context, .node = x->place.node};
  goal_side s = {.thread = slot,
                 .what = x->what,
                 .role = x->role,
                 .pos = ir_edge_at (a->program, shown)->pos,
                 .function = function_at_edge (w, shown)};
  for_each_state (a, x->place.kind, x->place.at, keep_state_of_side, &l);
  for (uint32_t k = 0; l.found && k < l.state.num_held; k++) add_held_lock_to_side (w, &s, &l.state.held[k]);
  add_call_stack (w, &s, x->place.context);
  s.entry = s.stack.count ? s.stack.data[0].function : entry_name_of_kind (w, x->place.kind);
  s.several = threads_many (a->threads, x->place.kind);
  if (x->place.kind) s.created = ir_edge_at (a->program, threads_creator (a->threads, x->place.kind))->pos;
  vec_push (&y->goal->sides, s);
  vec_push (&y->goal->locations, ((goal_location){s.pos, s.function, slot, x->what, x->role}));
}

// ---- actors -------------------------------------------------------------------------------------------------------
static bool add_actor (run_builder *y, uint32_t kind, uint32_t side) {
  if (at_limit (EXAMPLE_THREADS, y->count)) return false;
  y->actors[y->count] = (actor){.kind = kind, .side = side, .creator = IR_NONE};
  y->actors[y->count].slot = kind ? y->count + 1 : 0;
  y->count++;
  return true;
}

static uint32_t find_actor (const run_builder *y, uint32_t kind, uint32_t other_than) {
  for (uint32_t k = 0; k < y->count; k++)
    if (y->actors[k].kind == kind && k != other_than) return k;
  return IR_NONE;
}

static bool find_creators (run_builder *y) {
  for (uint32_t k = 0; k < y->count; k++) {
    uint32_t parent = y->actors[k].kind ? threads_parent (y->w->analysis->threads, y->actors[k].kind) : IR_NONE;
    if (parent == IR_NONE) continue;
    y->actors[k].creator = find_actor (y, parent, k);
    if (y->actors[k].creator == IR_NONE && !add_actor (y, parent, IR_NONE)) return false;
    if (y->actors[k].creator == IR_NONE) y->actors[k].creator = y->count - 1;
  }
  return true;
}

static bool creates_all (run_builder *y, uint32_t creator, uint32_t but) {
  for (uint32_t k = 0; k < y->count; k++) {
    actor *x = &y->actors[k];
    if (x->creator == creator && k != but && !path_create (&y->w->finder, &y->actors[creator].path, x->kind, k))
      return false;
  }
  return true;
}

// Picks the state with the fewest locks.
typedef struct lightest {
  uint32_t context, node, held;
} lightest;

static void weigh (void *user, uint32_t context, uint32_t node, effect *state) {
  lightest *l = user;
  if (state->num_held < l->held) *l = (lightest){context, node, state->num_held};
}

// For an actor that only creates others: finds a path up to the creation of one of them.
static bool find_creating_path (run_builder *y, uint32_t creator) {
  lock_analysis *a = y->w->analysis;
  actor *c = &y->actors[creator];
  for (uint32_t k = 0; k < y->count; k++) {
    if (y->actors[k].creator != creator) continue;
    ir_edge creation = threads_creator (a->threads, y->actors[k].kind);
    const ir_edge_data *d = ir_edge_at (a->program, creation);
    lightest l = {IR_NONE, IR_NONE, UINT32_MAX};
    for_each_state (a, c->kind, d->from, weigh, &l);
    if (l.context == IR_NONE) continue;
    path_release (&c->path);
    c->path = (thread_path){0};
    path_find (&y->w->finder, (thread_place){c->kind, l.context, l.node, d->from}, &c->path);
    if (!creates_all (y, creator, k)) continue;
    vec_push (&c->path.steps, ((path_step){.op = PATH_CREATE,
                                           .edge = creation,
                                           .use = k,
                                           .pos = d->pos,
                                           .function = function_at_edge (y->w, creation)}));
    return true;
  }
  return false;
}

static const char *find_paths (run_builder *y) {
  if (!find_creators (y)) return "too many threads take part";
  for (uint32_t k = 0; k < y->count; k++) {
    actor *x = &y->actors[k];
    if (x->side != IR_NONE) path_find (&y->w->finder, y->sides[x->side].place, &x->path);
    bool good = x->side != IR_NONE ? creates_all (y, k, IR_NONE) : find_creating_path (y, k);
    if (x->path.too_long) return "a path is too long to be shown";
    if (!good)
      return arena_printf (y->w->verdict->arena, "the path found for thread %u (%s) does not create the others",
                           x->slot, entry_name_of_kind (y->w, x->kind));
  }
  return NULL;
}

// ---- interleaving ---------------------------------------------------------------------------------------------------
// The interleaving tries paths in order: creators first, then the threads of the violation.
static uint32_t path_of_actor (const run_builder *y, uint32_t actor) {
  return (actor + y->count - y->num_sides) % y->count;
}
static uint32_t actor_at (const run_builder *y, uint32_t place) { return (place + y->num_sides) % y->count; }

static interleave_step to_interleave_step (const run_builder *y, const path_step *s) {
  static const interleave_op ops[] = {
      [PATH_ACQUIRE] = INTERLEAVE_ACQUIRE,           [PATH_RELEASE] = INTERLEAVE_RELEASE,
      [PATH_BEGIN_ATOMIC] = INTERLEAVE_BEGIN_ATOMIC, [PATH_END_ATOMIC] = INTERLEAVE_END_ATOMIC,
      [PATH_BEGIN_ONCE] = INTERLEAVE_BEGIN_ONCE,     [PATH_END_ONCE] = INTERLEAVE_END_ONCE,
      [PATH_PASS_ONCE] = INTERLEAVE_PASS_ONCE,       [PATH_JOIN] = INTERLEAVE_NOTHING};
  if (s->op == PATH_CREATE)
    return (interleave_step){s->use == IR_NONE ? INTERLEAVE_NOTHING : INTERLEAVE_CREATE, false,
                             s->use == IR_NONE ? 0 : path_of_actor (y, s->use)};
  if (s->use == IR_NONE) return (interleave_step){ops[s->op], false, 0};
  lock_use u = {s->use};
  bool known = lock_is_fixed (&y->w->analysis->locks, use_lock (u));
  return (interleave_step){known ? ops[s->op] : INTERLEAVE_NOTHING, use_reads (u), use_lock (u)};
}

static bool interleave_actors (run_builder *y, interleave_order *out) {
  interleave_path paths[LIMIT_EXAMPLE_THREADS];
  for (uint32_t k = 0; k < y->count; k++) {
    actor *x = &y->actors[k];
    for (uint32_t i = 0; i < x->path.steps.count; i++)
      vec_push (&x->steps, to_interleave_step (y, &x->path.steps.data[i]));
    paths[path_of_actor (y, k)] = (interleave_path){x->steps.data, x->steps.count, x->creator != IR_NONE};
  }
  return interleave_paths (paths, y->count, out);
}

// ---- steps --------------------------------------------------------------------------------------------------------
// Atomic variables and semaphores that are used as locks are shown like locks.
static bool is_like_lock (const ir_sync *s) { return s->family == IR_NO_FAMILY || s->family == IR_F_SEM; }
static ir_step shown_as (ir_op op, ir_step of_lock) {
  return is_like_lock (ir_sync_of (op)) ? of_lock : ir_sync_of (op)->step;
}

static ir_step step_of_path (const path_step *s, ir_op op) {
  switch (s->op) {
  case PATH_CALL: return IR_STEP_CALL;
  case PATH_ACQUIRE:
  case PATH_FAIL: return shown_as (op, IR_STEP_LOCK);
  case PATH_RELEASE: return shown_as (op, IR_STEP_UNLOCK);
  case PATH_BEGIN_ATOMIC: return IR_STEP_ATOMIC_BEGIN;
  case PATH_END_ATOMIC: return IR_STEP_ATOMIC_END;
  case PATH_BEGIN_ONCE:
  case PATH_PASS_ONCE: return IR_STEP_ONCE;
  case PATH_END_ONCE: return IR_STEP_ONCE_END;
  case PATH_CREATE: return IR_STEP_CREATE;
  default: return IR_STEP_JOIN;
  }
}

static void note_held (actor *x, const path_step *s) {
  if (s->op == PATH_ACQUIRE || s->op == PATH_BEGIN_ONCE) vec_push (&x->held, s->use);
  if (s->op != PATH_RELEASE && s->op != PATH_END_ONCE) return;
  for (uint32_t k = x->held.count; k-- > 0;)
    if (use_lock ((lock_use){x->held.data[k]}) == use_lock ((lock_use){s->use})) {
      memmove (x->held.data + k, x->held.data + k + 1, (x->held.count - k - 1) * sizeof *x->held.data);
      x->held.count--;
      return;
    }
}

static void write_step (run_builder *y, actor *x, trace_step t) {
  goal *g = y->goal;
  t.thread = x->slot;
  t.number = g->steps.count + 1;
  t.switched = g->steps.count && y->last != x->slot;
  y->last = x->slot;
  for (uint32_t k = 0; k < x->held.count; k++) vec_push (&t.held, use_name (y->w, x->held.data[k]));
  vec_push (&g->steps, t);
  y->w->num_steps++;
}

// Names the created thread: an actor if it is one, else any thread of its kind.
static void name_created (run_builder *y, const path_step *s, trace_step *t) {
  const lock_analysis *a = y->w->analysis;
  t->value = "another thread";
  for (uint32_t k = 1; k < threads_count (a->threads); k++)
    if (threads_creator (a->threads, k).i == s->edge.i) t->object = entry_name_of_kind (y->w, k);
  if (s->use == IR_NONE) return;
  t->other = y->actors[s->use].slot;
  t->value = arena_printf (y->w->verdict->arena, "thread %u", t->other);
  t->object = entry_name_of_kind (y->w, y->actors[s->use].kind);
}

static void write_path_step (run_builder *y, actor *x, const path_step *s) {
  const ir_program *p = y->w->analysis->program;
  trace_step t = {.pos = s->pos, .function = s->function, .other = IR_NONE};
  t.op = step_of_path (s, ir_edge_at (p, s->edge)->op);
  if (s->op == PATH_CALL) t.object = ir_proc_at (p, s->callee)->name;
  else if (s->op == PATH_CREATE) name_created (y, s, &t);
  else if (s->use != IR_NONE) t.object = use_name (y->w, s->use);
  if (s->op == PATH_FAIL) t.value = "not taken";
  if (s->op == PATH_PASS_ONCE) t.value = "done before";
  note_held (x, s);
  write_step (y, x, t);
}

static void write_interleaving (run_builder *y, const interleave_order *order) {
  uint32_t at[LIMIT_EXAMPLE_THREADS] = {0};
  for (uint32_t k = 0; k < order->count; k++) {
    uint32_t next = actor_at (y, order->data[k]);
    write_path_step (y, &y->actors[next], &y->actors[next].path.steps.data[at[next]++]);
  }
  for (uint32_t k = 0; k < y->num_sides; k++) {
    const goal_side *s = &y->goal->sides.data[k];
    write_step (y, &y->actors[k],
                (trace_step){.pos = s->pos,
                             .function = s->function,
                             .op = y->sides[k].op,
                             .object = y->sides[k].object,
                             .other = IR_NONE});
  }
}

static void release_actors (run_builder *y) {
  for (uint32_t k = 0; k < y->count; k++) {
    path_release (&y->actors[k].path);
    vec_release (&y->actors[k].steps);
    vec_release (&y->actors[k].held);
  }
}

static void add_interleaving (run_builder *y) {
  interleave_order order = {0};
  goal *g = y->goal;
  g->no_steps =
      over_limit (EXAMPLE_STEPS_OF_ALL, y->w->num_steps) ? "enough interleavings of others are shown" : find_paths (y);
  if (!g->no_steps && interleave_actors (y, &order)) write_interleaving (y, &order);
  else if (!g->no_steps)
    g->no_steps = "the locks do not allow any interleaving of the paths found; there may be others";
  vec_release (&order);
  release_actors (y);
}

void witness_add (witnesses *w, goal *g, const witness_side *sides, uint32_t count) {
  run_builder y = {.w = w, .goal = g, .sides = sides, .num_sides = count};
  g->claim.property = g->property;
  g->claim.num_threads = count;
  for (uint32_t k = 0; k < count; k++) {
    add_actor (&y, sides[k].place.kind, k);
    add_witness_side (&y, &sides[k], y.actors[k].slot);
    g->claim.thread[k] = y.actors[k].slot;
    g->claim.edge[k] = sides[k].edge;
  }
  add_interleaving (&y);
}
