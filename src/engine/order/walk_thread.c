// Life cycle of threads in the walk. A thread is executed at the point that starts it, so a join already knows whether
// and how the thread ends. Memory that is not shared is transferred: to a thread when it starts, and back when it is
// joined.
#include "engine/order/walk_impl.h"

#include "base/diag.h"

enum { PSEUDO_NOTES = 0, PSEUDO_WAITING = 1, PSEUDO_SHADOW = 2, FIRST_PSEUDO_EDGE = 1 << 24 };

// ---- objects of a thread ----------------------------------------------------------------------------
static uint32_t own_object (order_walk *w, uint32_t thread, uint32_t which, uint32_t occurrence, uint32_t bytes) {
  uint32_t object = sharing_object (w->sharing, thread, (ir_edge){FIRST_PSEUDO_EDGE + which}, occurrence);
  if (object >= w->objects.count || !w->objects.data[object].made)
    walk_set_object (w, object,
                     (walk_object){.kind = MADE_INTERNAL,
                                   .thread = thread,
                                   .size = walk_number (w, 32, bytes),
                                   .most_bytes = bytes,
                                   .before = CONTENTS_ZERO});
  sharing_mark_made (w->sharing, object, MADE_INTERNAL, thread, bytes);
  return object;
}

uint32_t thread_notes (order_walk *w) { return own_object (w, w->thread, PSEUDO_NOTES, 0, 1 << 20); }
uint32_t thread_waiting (order_walk *w, uint32_t thread) { return own_object (w, thread, PSEUDO_WAITING, 0, 8); }
uint32_t thread_shadow (order_walk *w, uint32_t object) { return own_object (w, 0, PSEUDO_SHADOW, object, 1 << 20); }

// ---- start ------------------------------------------------------------------------------------------
static void init_walk_thread (order_walk *w, uint32_t number, term guard) {
  while (w->threads.count <= number) vec_push (&w->threads, ((walk_thread){.parent = IR_NONE, .taken_by = IR_NONE}));
  while (w->out->threads.count <= number) {
    unwound_thread none = {.parent = IR_NONE, .create_node = IR_NONE};
    none.guard = none.ended = none.leaves = w->terms->falsity;
    vec_push (&w->out->threads, none);
  }
  w->out->threads.data[number].guard = guard;
}

void thread_first (order_walk *w) { init_walk_thread (w, 0, w->terms->truth); }

static symbolic_path *path_for_child (const order_walk *w, term guard) {
  symbolic_path *p = path_copy (w->now);
  vec_clear (&p->regs);
  p->guard = guard;
  p->atomic = 0;
  p->region = IR_NONE;
  return p;
}

// Executes the child and comes back to the creator.
static void walk_child (order_walk *w, uint32_t number, ir_proc entry, term argument, term guard) {
  uint32_t thread = w->thread, step = w->step, node = w->node;
  ir_edge edge = w->edge;
  symbolic_path *now = w->now;
  w->thread = number;
  w->now = path_for_child (w, guard);
  walk_thread_body (w, entry, argument);
  w->thread = thread, w->step = step, w->node = node;
  w->edge = edge;
  w->now = now;
}

static uint32_t occurrence_here (order_walk *w) {
  bool is_new;
  return (uint32_t) (*map_insert (&walk_self (w)->occurrences, (uint64_t) 1 << 40 | w->edge.i, 0, &is_new))++;
}

static void start_child (order_walk *w, ir_proc entry, term condition, const targets *handle, uint32_t occurrence) {
  uint32_t number = sharing_thread (w->sharing, w->thread, w->edge, occurrence, entry);
  term guard = term_and (w->terms, w->now->guard, condition);
  if (number >= w->options->semantics->max_threads || number >= w->options->most_threads || number >= THREAD_SET_BITS) {
    walk_cut (w, guard, w->program->edges.data[w->edge.i].from.i, "threads");
    walk_require (w, term_not (w->terms, condition));
    return;
  }
  unsigned bytes = w->program->pointer_bits / 8;
  uint32_t node = walk_node (w);
  ram_write (w, handle, 0, bytes, cells_defined (w->terms, walk_number (w, 8 * bytes, number + 1), bytes), condition);
  ram_publish (w, w->now);
  init_walk_thread (w, number, guard);
  w->out->threads.data[number].parent = w->thread;
  w->out->threads.data[number].create_node = node;
  w->threads.data[number].parent = w->thread;
  w->threads.data[number].child_number = walk_self (w)->num_children++;
  term argument = walk_arg (w, 2);
  walk_child (w, number, entry, argument, guard);
}

void thread_create (order_walk *w) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  targets handle = {0}, function = {0};
  uint32_t occurrence = occurrence_here (w);
  w->out->inexact |= w->now->atomic > 0;  // if the creator never leaves the region, the thread does not run
  ram_check (w, walk_arg (w, 0), (access_kind){.bytes = w->program->pointer_bits / 8, .write = true}, &handle);
  ram_targets (w, walk_arg (w, 1), &function);
  term known = w->terms->falsity;
  for (uint32_t k = 0; k < function.list.count && walk_alive (w); k++) {
    const target *t = &function.list.data[k];
    ir_proc entry =
        t->object < w->program->objects.count ? w->program->objects.data[t->object].proc : (ir_proc){IR_NONE};
    if (w->objects.data[t->object].kind != MADE_FUNCTION || entry.i == IR_NONE) continue;
    known = term_or (w->terms, known, t->condition);
    start_child (w, entry, t->condition, &handle, occurrence);
  }
  walk_goal (w, IR_P_MEMORY, term_not (w->terms, known));
  walk_set (w, d->dst, walk_number (w, 32, 0));
  pointers_release_targets (&handle);
  pointers_release_targets (&function);
}

// ---- end --------------------------------------------------------------------------------------------
void thread_end (order_walk *w, symbolic_path *p, term result) {
  symbolic_path *now = w->now;
  w->now = p;
  walk_show_region (w, p);
  if (walk_selected (w, IR_P_LOCKS)) walk_misuse (w, sync_holds_any (w));
  for (uint32_t k = 0; k < walk_self (w)->locals.count; k += 2) ram_end (w, walk_self (w)->locals.data[k + 1]);
  for (uint32_t k = 0; k < walk_self (w)->stack.count; k++) ram_end (w, walk_self (w)->stack.data[k]);
  vec_clear (&p->regs);
  vec_push (&p->regs, term_resize (w->terms, result.i == TERM_NONE.i ? walk_number (w, 64, 0) : result, 64));
  w->now = now;
  if (term_is_false (w->terms, p->guard)) path_free (p);
  else vec_push (&walk_self (w)->ends, p);
}

// ---- join -------------------------------------------------------------------------------------------
static void transfer_range_back (order_walk *w, const symbolic_path *end, written_range r, term condition) {
  contents theirs = path_memory (w, end, r.object), ours = path_memory (w, w->now, r.object), after;
  if (r.end - r.first > 8) after = theirs;
  else {
    term offset = walk_number (w, 32, r.first);
    after = contents_store (&w->contents, ours, offset, r.end - r.first,
                            contents_load (&w->contents, theirs, offset, r.end - r.first));
  }
  path_set_memory (w, w->now, r.object, contents_choose (&w->contents, condition, after, ours));
  vec_push (&walk_self (w)->written, r);
}

static bool is_made_by (const order_walk *w, uint32_t object, thread_set makers) {
  const walk_object *o = &w->objects.data[object];
  return o->made && o->thread != IR_NONE && (makers >> o->thread & 1);
}

static void transfer_back (order_walk *w, uint32_t thread, term condition) {
  const walk_thread *t = &w->threads.data[thread];
  const symbolic_path *end = t->end;
  for (uint32_t k = 0; end && k < t->written.count; k++) {
    written_range r = t->written.data[k];
    if (!sharing_shared (w->sharing, r.object, r.first, r.end)) transfer_range_back (w, end, r, condition);
  }
  thread_set makers = (thread_set) 1 << thread | (end ? end->joined & ~w->now->joined : 0);
  // objects made by the thread, or by threads that it has joined and this one has not
  for (uint32_t k = 0; end && k < end->memory.count; k++)
    if (is_made_by (w, k, makers))
      path_set_memory (w, w->now, k,
                       contents_choose (&w->contents, condition, end->memory.data[k], path_memory (w, w->now, k)));
}

// Other threads run while an atomic region waits, also if the thread that it waits for must end. The walk does not
// split regions.
static void doubt_in_region (order_walk *w, term condition) {
  if (!w->now->atomic) return;
  walk_mark_incomplete (w, condition, "an atomic region may block");
  w->out->inexact = true;
}

static void wait_for_end (order_walk *w, uint32_t thread, term condition) {
  uint32_t node = walk_node (w);
  unwound_node *n = &w->out->nodes.data[node];
  unwound_thread *t = &w->out->threads.data[thread];
  doubt_in_region (w, condition);
  walk_block (w, term_implies (w->terms, condition, t->ended),
              (waiting){TERM_NONE, w->terms->falsity, 0, IR_NONE, thread});
  if (!walk_alive (w)) return;
  if (!n->num_joined) n->first_joined = w->out->joins.count;
  n->num_joined++;
  vec_push (&w->out->joins, ((unwound_join){thread, condition}));
  transfer_back (w, thread, condition);
  if (!term_is_true (w->terms, condition)) return;
  symbolic_path *p = w->now;
  while (p->clock.count <= thread) vec_push (&p->clock, 0);
  p->clock.data[thread] = t->nodes.count;
  p->joined |= (thread_set) 1 << thread | (w->threads.data[thread].end ? w->threads.data[thread].end->joined : 0);
}

static term thread_result (order_walk *w, uint32_t thread) {
  const symbolic_path *end = w->threads.data[thread].end;
  return end ? end->regs.data[0] : walk_number (w, 64, 0);
}

// A thread can be joined or detached once. Returns false if this join or detach needs no further treatment.
static bool claim_thread_end (order_walk *w, uint32_t t, term condition) {
  walk_thread *x = &w->threads.data[t];
  bool surely = w->now->gone >> t & 1;
  if (surely) {  // the handle may belong to another thread by now
    walk_misuse (w, condition);
    walk_mark_incomplete (w, condition, "a handle is used after its thread was joined or detached");
    return false;
  }
  if (w->now->may_be_gone >> t & 1 || (x->taken_by != IR_NONE && x->taken_by != w->thread)) {
    walk_mark_incomplete (w, condition, "a thread may be joined or detached twice");
    return false;
  }
  x->taken_by = w->thread;
  w->now->may_be_gone |= (thread_set) 1 << t;
  if (term_is_true (w->terms, condition)) w->now->gone |= (thread_set) 1 << t;
  return true;
}

typedef struct handle_case {
  term handle, known;
  unsigned bits;
} handle_case;  // known: the handle belongs to a thread that the walk knows

// Whether the handle may be that of thread t, and can be handled.
static bool may_name_thread (order_walk *w, handle_case *n, uint32_t t, term *condition) {
  *condition = term_eq (w->terms, n->handle, walk_number (w, n->bits, t + 1));
  if (!walk_alive (w) || term_is_false (w->terms, *condition) ||
      term_is_false (w->terms, w->out->threads.data[t].guard))
    return false;
  if (!claim_thread_end (w, t, *condition)) return false;
  n->known = term_or (w->terms, n->known, *condition);
  return true;
}

static handle_case named_by_argument (order_walk *w) {
  term handle = walk_arg (w, 0);
  return (handle_case){handle, w->terms->falsity, term_bits (w->terms, handle)};
}

// A handle that is read from shared memory may belong to a thread that is started elsewhere.
static void end_where_unknown (order_walk *w, const handle_case *n) {
  term zero = term_eq (w->terms, n->handle, walk_number (w, n->bits, 0)), unknown = term_not (w->terms, n->known);
  if (!walk_alive (w)) return;
  if (!term_is_const (w->terms, n->handle)) {
    walk_mark_incomplete (w, term_and (w->terms, unknown, term_not (w->terms, zero)),
                          "a handle may be that of a thread that is started elsewhere");
    unknown = zero;
  }
  walk_misuse (w, unknown);
}

void thread_join (order_walk *w) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  term condition, result = walk_number (w, 64, 0);
  handle_case n = named_by_argument (w);
  for (uint32_t t = 0; t < w->threads.count; t++) {
    if (!may_name_thread (w, &n, t, &condition)) continue;
    if (!w->threads.data[t].finished)
      walk_mark_incomplete (w, condition, "a thread joins itself, or one that has started it");
    if (!walk_alive (w)) return;
    wait_for_end (w, t, condition);
    result = term_ite (w->terms, condition, thread_result (w, t), result);
  }
  end_where_unknown (w, &n);
  walk_set (w, d->dst, result);
}

void thread_detach (order_walk *w) {
  term condition;
  handle_case n = named_by_argument (w);
  for (uint32_t t = 0; t < w->threads.count; t++) may_name_thread (w, &n, t, &condition);
  end_where_unknown (w, &n);
}
