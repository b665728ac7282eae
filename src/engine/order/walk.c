// Symbolic execution of procedures. The locations are visited in an order in which all predecessors of a location come
// first (loops.h), so that paths to one location are merged before they go on. A loop is unwound as long as it must go
// on, and then as many iterations as the options allow (options->unwind). Where it may still go on, the path is cut,
// and the encoding can query whether an execution reaches the cut (an unwinding assertion).
#include "base/limits.h"
#include "engine/order/walk_impl.h"

#include <string.h>

#include "analysis/wakers.h"
#include "base/diag.h"

// ---- pending locations ------------------------------------------------------------------------------
typedef struct pending_location {
  uint32_t location;
  uint32_t rounds[LIMIT_ORDER_LOOPS];  // iterations of the loops around it, outermost first
  path_list paths;
} pending_location;

typedef struct loop_iterations {
  uint32_t head, unsure;
  bool may_have_left;
} loop_iterations;

typedef struct activation {
  ir_proc proc;
  VEC (pending_location) pending;
  VEC (loop_iterations) rounds;  // of loops that have begun
  VEC (uint32_t) objects;        // on its stack
  path_list returned;            // at the returns; the result is the last of the registers
} activation;

static void run_activation (order_walk *w, activation *a);

static loop_iterations *iterations_of_loop (activation *a, uint32_t head) {
  for (uint32_t k = 0; k < a->rounds.count; k++)
    if (a->rounds.data[k].head == head) return &a->rounds.data[k];
  vec_push (&a->rounds, ((loop_iterations){.head = head}));
  return &vec_last (&a->rounds);
}

static void note_leaving (const order_walk *w, activation *a, uint32_t from, uint32_t to) {
  for (uint32_t h = w->loops->loop.data[from]; h != IR_NONE; h = w->loops->outer.data[h])
    if (to == IR_NONE || !loops_contains (w->loops, h, to)) iterations_of_loop (a, h)->may_have_left = true;
}

static void heads_around (const order_walk *w, uint32_t location, uint32_t *heads) {
  uint32_t k = w->loops->depth.data[location];
  CHECK (k <= LIMIT_ORDER_LOOPS, "loops should not be nested so deeply");
  for (uint32_t h = w->loops->loop.data[location]; h != IR_NONE; h = w->loops->outer.data[h]) heads[--k] = h;
}

static void continue_at (order_walk *w, activation *a, const pending_location *from, uint32_t to, symbolic_path *p) {
  uint32_t heads[LIMIT_ORDER_LOOPS], depth = w->loops->depth.data[to];
  pending_location next = {.location = to};
  heads_around (w, to, heads);
  for (uint32_t k = 0; k < depth; k++)
    if (from && loops_contains (w->loops, heads[k], from->location))
      next.rounds[k] = from->rounds[k] + (heads[k] == to);
  for (uint32_t k = 0; k < a->pending.count; k++) {
    pending_location *old = &a->pending.data[k];
    if (old->location != to || memcmp (old->rounds, next.rounds, sizeof *next.rounds * depth)) continue;
    vec_push (&old->paths, p);
    return;
  }
  vec_push (&next.paths, p);
  vec_push (&a->pending, next);
}

// Loops one iteration after the other; otherwise by rank, in which loops are contiguous.
static bool is_visited_earlier (const order_walk *w, const pending_location *a, const pending_location *b) {
  uint32_t x[LIMIT_ORDER_LOOPS], y[LIMIT_ORDER_LOOPS];
  heads_around (w, a->location, x);
  heads_around (w, b->location, y);
  for (uint32_t k = 0; k < w->loops->depth.data[a->location] && k < w->loops->depth.data[b->location] && x[k] == y[k];
       k++)
    if (a->rounds[k] != b->rounds[k]) return a->rounds[k] < b->rounds[k];
  return w->loops->rank.data[a->location] < w->loops->rank.data[b->location];
}

static pending_location take_next (order_walk *w, activation *a) {
  uint32_t best = 0;
  for (uint32_t k = 1; k < a->pending.count; k++)
    if (is_visited_earlier (w, &a->pending.data[k], &a->pending.data[best])) best = k;
  pending_location next = a->pending.data[best];
  a->pending.data[best] = vec_last (&a->pending);
  a->pending.count--;
  return next;
}

static uint32_t max_iterations (const order_walk *w, uint32_t head) {
  return w->options->unwindset ? w->options->unwindset->loop.data[head] : UNWIND_FREELY;
}

static uint32_t max_recursion (const order_walk *w, ir_proc f) {
  return w->options->unwindset ? w->options->unwindset->recursion.data[f.i] : UNWIND_FREELY;
}

// Returns false if the loop has had its iterations. As long as the shared bytes are not known, a loop that waits for
// another thread seems to go on for ever; the iteration limit is for such loops.
static bool may_iterate (order_walk *w, activation *a, const pending_location *at) {
  if (w->loops->loop.data[at->location] != at->location) return true;
  loop_iterations *r = iterations_of_loop (a, at->location);
  uint32_t round = at->rounds[w->loops->depth.data[at->location] - 1], given = max_iterations (w, at->location);
  if (given != UNWIND_FREELY) return round <= given;
  if (!round) r->unsure = 0;
  else r->unsure += r->may_have_left || w->loops->endless.data[at->location];
  r->may_have_left = false;
  bool patient = round - r->unsure <= w->options->iteration_limit;
  w->out->cut_required_loop |= !patient;
  return patient && r->unsure <= w->options->unwind;
}

// ---- steps ------------------------------------------------------------------------------------------
static bool begin_step (order_walk *w, uint32_t edge) {
  unwound_thread *t = walk_out (w);
  vec_push (
      &t->steps,
      ((unwound_step){
          .edge = {edge}, .guard = w->now->guard, .node = IR_NONE, .choice = TERM_NONE, .chooses = w->terms->truth}));
  w->step = t->steps.count - 1;
  w->edge = (ir_edge){edge};
  w->node = IR_NONE;
  if (!(++w->steps & 7) && budget_spent (w->options->budget)) w->stopped = WALK_IS_SPENT;
  if (w->steps > w->options->most_steps && !w->stopped && limit_met (ORDER_STEPS)) w->stopped = WALK_IS_TOO_LONG;
  return !w->stopped;
}

void walk_note_wait (order_walk *w, term blocked, waiting x) {
  term here = term_and (w->terms, w->now->guard, blocked);
  if (term_is_false (w->terms, here)) return;
  if (w->now->atomic) {
    walk_mark_path_incomplete (w, here, "an atomic region may block");
    w->out->inexact = true;
  }
  if (!walk_selected (w, IR_P_DEADLOCK)) return;
  unwound_wait y = {.thread = w->thread,
                    .step = w->step,
                    .node = w->node,
                    .edge = w->edge,
                    .blocked = here,
                    .owner = x.owner,
                    .by_any_thread = x.by_any_thread,
                    .by = x.by,
                    .joins = x.joins};
  vec_push (&w->out->waits, y);
}

// A blocked thread stays where it is, and no other thread can notice that: the node is then not executed.
void walk_block (order_walk *w, term enabled, waiting x) {
  walk_note_wait (w, term_not (w->terms, enabled), x);
  term blocked = term_and (w->terms, w->now->guard, term_not (w->terms, enabled));
  unwound_node *n = w->node == IR_NONE ? NULL : &w->out->nodes.data[w->node];
  if (n && !w->now->atomic) n->executed = term_and (w->terms, n->executed, term_not (w->terms, blocked));
  walk_require (w, enabled);
}

// ---- calls ------------------------------------------------------------------------------------------
typedef VEC (term) term_list;

static uint32_t times_running (const walk_thread *t, ir_proc f) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < t->calls.count; k++) count += t->calls.data[k].i == f.i;
  return count;
}

static void release_activation (activation *a) {
  for (uint32_t k = 0; k < a->pending.count; k++) {
    for (uint32_t i = 0; i < a->pending.data[k].paths.count; i++) path_free (a->pending.data[k].paths.data[i]);
    vec_release (&a->pending.data[k].paths);
  }
  vec_release (&a->pending);
  vec_release (&a->rounds);
  vec_release (&a->objects);
  vec_release (&a->returned);
}

static void push_procedure_registers (symbolic_path *p, const ir_proc_data *f, const term_list *arguments,
                                      order_walk *w) {
  vec_clear (&p->regs);
  for (uint32_t k = 0; k < f->regs.count; k++) {
    term value = TERM_NONE;
    if (k < f->num_params) {
      value = k < arguments->count ? term_resize (w->terms, arguments->data[k], f->regs.data[k].bits)
                                   : walk_number (w, f->regs.data[k].bits, 0);
    }
    vec_push (&p->regs, value);
  }
  vec_push (&p->regs, TERM_NONE);  // the result
}

// Executes the procedure from the running path on. Returns the path after it, with the result as its only register;
// NULL: the procedure does not return.
static symbolic_path *execute_procedure (order_walk *w, ir_proc f, const term_list *arguments) {
  const ir_proc_data *d = ir_proc_at (w->program, f);
  activation a = {.proc = f};
  symbolic_path *p = w->now;
  uint32_t given = max_recursion (w, f), depth = given == UNWIND_FREELY ? w->options->unwind : given;
  if (times_running (walk_self (w), f) > depth || over_limit (ORDER_CALLS, walk_self (w)->calls.count)) {
    walk_cut (w, p->guard, d->entry.i, given == UNWIND_FREELY ? "depth of recursion" : NULL);
    path_free (p);
    return NULL;
  }
  loops_need (w->loops, f);
  if (over_limit (ORDER_LOOPS, w->loops->deepest.data[f.i])) {
    walk_mark_path_incomplete (w, p->guard, "loops are nested too deeply");
    path_free (p);
    return NULL;
  }
  push_procedure_registers (p, d, arguments, w);
  vec_push (&walk_self (w)->calls, f);
  continue_at (w, &a, NULL, d->entry.i, p);
  run_activation (w, &a);
  symbolic_path *after = path_merge (w, &a.returned);
  for (uint32_t k = 0; k < a.objects.count; k++) w->objects.data[a.objects.data[k]].over = true;
  walk_self (w)->stack.count -= a.objects.count;
  walk_self (w)->calls.count--;
  release_activation (&a);
  return after;
}

// The path with the caller's registers and the result of the call.
static symbolic_path *returning_path (order_walk *w, symbolic_path *after, const symbolic_path *caller, ir_edge edge) {
  if (!after) return NULL;
  term value = vec_last (&after->regs);
  vec_clear (&after->regs);
  for (uint32_t k = 0; k < caller->regs.count; k++) vec_push (&after->regs, caller->regs.data[k]);
  w->now = after;
  w->edge = edge;
  const ir_edge_data *d = &w->program->edges.data[edge.i];
  if (d->dst.i != IR_NONE) walk_set (w, d->dst, value.i == TERM_NONE.i ? walk_number (w, 64, 0) : value);
  return after;
}

// Returns false if no path returns from the call.
static bool execute_call (order_walk *w) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  ir_edge edge = w->edge;
  term_list arguments = {0};
  targets callees = {0};
  path_list after = {0};
  for (uint32_t k = 1; k < d->num_args; k++) vec_push (&arguments, walk_arg (w, k));
  ram_targets (w, walk_arg (w, 0), &callees);
  term known = w->terms->falsity;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < callees.list.count; k++) {
    const target t = callees.list.data[k];
    if (w->objects.data[t.object].kind != MADE_FUNCTION || w->program->objects.data[t.object].proc.i == IR_NONE)
      continue;
    known = term_or (w->terms, known, t.condition);
    callees.list.data[kept++] = t;
  }
  walk_goal (w, IR_P_MEMORY, term_not (w->terms, known));
  symbolic_path *before = w->now;
  vec_push (&walk_self (w)->returns, d->to.i);
  vec_push (&walk_self (w)->sites, edge);
  for (uint32_t k = 0; k < kept && walk_alive (w); k++) {
    w->now = path_copy (before);
    if (kept > 1) walk_require (w, callees.list.data[k].condition);
    if (!walk_alive (w)) path_free (w->now);
    else {
      symbolic_path *p = returning_path (
          w, execute_procedure (w, w->program->objects.data[callees.list.data[k].object].proc, &arguments), before,
          edge);
      if (p) vec_push (&after, p);
    }
    w->now = before;
  }
  walk_self (w)->returns.count--;
  walk_self (w)->sites.count--;
  path_free (before);
  w->now = path_merge (w, &after);
  vec_release (&after);
  vec_release (&arguments);
  pointers_release_targets (&callees);
  return w->now;
}

static void execute_return (order_walk *w, activation *a) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  vec_last (&w->now->regs) = d->num_args ? walk_arg (w, 0) : TERM_NONE;
  for (uint32_t k = 0; k < a->objects.count; k++) ram_end (w, a->objects.data[k]);
  if (walk_self (w)->calls.count == 1) thread_end (w, w->now, vec_last (&w->now->regs));
  else vec_push (&a->returned, w->now);
}

// ---- other operations -------------------------------------------------------------------------------
// The node of the region exists from the beginning, so that all paths through the region have the same one.
static void start_walk_region (order_walk *w) {
  if (!w->now->atomic++) w->now->region = IR_NONE;
  walk_node (w);
}

static void end_walk_region (order_walk *w) {
  symbolic_path *p = w->now;
  if (p->atomic == 1 && p->region != IR_NONE) walk_node (w);  // the region lasts up to here
  if (p->atomic == 1) walk_show_region (w, p);
  if (p->atomic && !--p->atomic) p->region = IR_NONE;
}

static void execute_alloc (order_walk *w, activation *a) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  ram_alloc (w);
  if (d->aux != IR_ALLOC_STACK) return;
  uint32_t object = (uint32_t) (term_value (w->terms, w->now->regs.data[d->dst.i]) >> w->program->offset_bits);
  vec_push (&a->objects, object);
  vec_push (&walk_self (w)->stack, object);
}

// Ends the lifetime of the stack objects that were made since then.
static void restore_stack (order_walk *w, const activation *a) {
  term kept = walk_arg (w, 0);
  if (!term_is_const (w->terms, kept)) {
    walk_mark_incomplete (w, w->terms->truth, "how much of the stack goes out of scope depends on the path");
    return;
  }
  for (uint32_t k = (uint32_t) term_value (w->terms, kept); k < a->objects.count; k++) {
    sharing_mark_end (w->sharing, a->objects.data[k]);
    ram_end (w, a->objects.data[k]);
  }
}

// Executes an operation that stays within the path.
static void execute_local_operation (order_walk *w, activation *a) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  executor x = walk_executor (w);
  if (executor_perform (&x)) return;
  switch (d->op) {
  case IR_NONDET: {
    unsigned bits = ir_proc_at (w->program, a->proc)->regs.data[d->dst.i].bits;
    term chosen = walk_choice (w, bits, w->terms->truth);
    if (d->aux != IR_NONDET_ANY) map_insert (&walk_pointers (w)->of_variable, chosen.i, IDSET_EMPTY, NULL);
    walk_set (w, d->dst, chosen);
    break;
  }
  case IR_STACK_SAVE: walk_set (w, d->dst, walk_number (w, 32, a->objects.count)); break;
  case IR_STACK_RESTORE: restore_stack (w, a); break;
  case IR_THREAD_SELF: walk_set (w, d->dst, walk_number (w, 64, w->thread + 1)); break;
  case IR_ALLOC: execute_alloc (w, a); break;
  case IR_OBJECT_SIZE: ram_object_size (w); break;
  case IR_FREE: ram_free (w); break;
  case IR_FORGET: ram_forget (w); break;
  case IR_ATOMIC_BEGIN: start_walk_region (w); break;
  case IR_ATOMIC_END: end_walk_region (w); break;
  case IR_THREAD_CREATE: thread_create (w); break;
  case IR_THREAD_JOIN: thread_join (w); break;
  case IR_THREAD_DETACH: thread_detach (w); break;
  case IR_ASSUME:
  case IR_CALL:
  case IR_RETURN:
  case IR_THREAD_EXIT:
  case IR_EXIT:
  case IR_OBJECT_OPERATIONS: sync_execute (w); break;
  case IR_NOP:
  case IR_ASSIGN:
  case IR_CHECK:
  case IR_UNSUPPORTED:
  case IR_LOAD ... IR_OWN:
  case IR_OUTPUT: BUG ("%s should have been executed by executor_perform", ir_op_table[d->op].text);
  }
}

static void drop_path (order_walk *w) {
  path_free (w->now);
  w->now = NULL;
}

// Decides whether a loop must go on. A loop that waits to be woken need not: the wake-up may be spurious, or never
// come.
static uint32_t must_lead_to (const ir_edge_data *d) {
  if (d->op == IR_COND_WAIT) return IR_NONE;
  return d->op == IR_EXIT || d->op == IR_THREAD_EXIT ? d->from.i : d->to.i;
}

static void walk_edge (order_walk *w, activation *a, const pending_location *at, uint32_t edge) {
  const ir_edge_data *d = &w->program->edges.data[edge];
  bool goes_on = begin_step (w, edge);
  note_leaving (w, a, at->location, must_lead_to (d));
  if (d->op == IR_EXIT && a->proc.i == w->program->start.i) walk_out (w)->leaves = w->now->guard;
  if (!goes_on || d->op == IR_EXIT) drop_path (w);
  else if (d->op == IR_THREAD_EXIT) thread_end (w, w->now, walk_arg (w, 0));
  else if (d->op == IR_RETURN) execute_return (w, a);
  else if (d->op == IR_CALL) {
    if (execute_call (w)) continue_at (w, a, at, d->to.i, w->now);
  } else {
    execute_local_operation (w, a);
    if (walk_alive (w)) continue_at (w, a, at, d->to.i, w->now);
    else drop_path (w);
  }
}

// Follows each branch under its condition.
static void take_branches (order_walk *w, activation *a, const pending_location *at, const ir_loc_data *l) {
  symbolic_path *before = w->now;
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
    w->now = before;
    w->edge = (ir_edge){e};
    term condition = walk_arg (w, 0), guard = term_and (w->terms, before->guard, condition);
    if (term_is_false (w->terms, guard)) continue;
    w->now = path_copy (before);
    w->now->guard = guard;
    if (!begin_step (w, e)) {
      drop_path (w);
      break;
    }
    note_leaving (w, a, at->location, w->program->edges.data[e].to.i);
    continue_at (w, a, at, w->program->edges.data[e].to.i, w->now);
  }
  path_free (before);
}

static void run_activation (order_walk *w, activation *a) {
  while (a->pending.count && !w->stopped) {
    pending_location at = take_next (w, a);
    bool enters = may_iterate (w, a, &at);
    w->now = path_merge (w, &at.paths);
    vec_release (&at.paths);
    const ir_loc_data *l = &w->program->locs.data[at.location];
    if (!enters) {
      walk_cut (w, w->now->guard, at.location, max_iterations (w, at.location) == UNWIND_FREELY ? "unwind" : NULL);
      drop_path (w);
    } else if (l->num_edges && w->program->edges.data[l->first_edge].op == IR_ASSUME) take_branches (w, a, &at, l);
    else if (l->num_edges) walk_edge (w, a, &at, l->first_edge);
    else drop_path (w);
  }
}

// ---- threads and the whole program ------------------------------------------------------------------
void walk_thread_body (order_walk *w, ir_proc f, term argument) {
  term_list arguments = {0};
  vec_push (&arguments, argument);
  symbolic_path *after = execute_procedure (w, f, &arguments);
  if (after) path_free (after);
  walk_self (w)->end = path_merge (w, &walk_self (w)->ends);
  if (walk_self (w)->end) walk_out (w)->ended = walk_self (w)->end->guard;
  walk_self (w)->finished = true;
  vec_release (&arguments);
}

static void release_walk (order_walk *w) {
  for (uint32_t k = 0; k < w->threads.count; k++) {
    walk_thread *t = &w->threads.data[k];
    path_free (t->end);
    for (uint32_t i = 0; i < t->ends.count; i++) path_free (t->ends.data[i]);
    vec_release (&t->ends);
    vec_release (&t->calls);
    vec_release (&t->returns);
    vec_release (&t->sites);
    map_release (&t->occurrences);
    vec_release (&t->locals);
    vec_release (&t->stack);
    vec_release (&t->written);
  }
  vec_release (&w->threads);
  vec_release (&w->objects);
  vec_release (&w->published);
  vec_release (&w->cell_names);
  map_release (&w->cells);
  map_release (&w->initial_choices);
  map_release (&w->lock_numbers);
  map_release (&w->locks_by_word);
  contents_pool_release (&w->contents);
  if (w->wakers) wakers_free (w->wakers, w->program);
}

static void learn_sharing (order_walk *w) {
  VEC (uint32_t) parents = {0}, numbers = {0};
  for (uint32_t k = 0; k < w->threads.count; k++) {
    vec_push (&parents, w->threads.data[k].parent);
    vec_push (&numbers, w->threads.data[k].child_number);
  }
  sharing_learn (w->sharing, &(thread_tree){w->threads.count, parents.data, numbers.data});
  vec_release (&parents);
  vec_release (&numbers);
}

static bool exists_in_a_walk (const void *context, uint32_t object) {
  const order_walk *w = context;
  return object < w->objects.count && w->objects.data[object].exists;
}

bool walk_program (const walk_options *o, loop_nesting *l, sharing *f, term_pool *terms, unwound *out) {
  order_walk w = {.options = o, .program = o->program, .terms = terms, .loops = l, .sharing = f, .out = out};
  f->grew = false;
  if (walk_selected (&w, IR_P_DEADLOCK)) w.wakers = wakers_new (o->program);
  contents_pool_init (&w.contents, terms, o->program);
  f->pointers.is_object = exists_in_a_walk, f->pointers.context = &w;
  pointers_begin (&f->pointers, terms);
  ram_begin (&w);
  thread_first (&w);
  w.now = mem_zalloc (sizeof *w.now);
  w.now->guard = terms->truth;
  w.now->region = IR_NONE;
  walk_thread_body (&w, o->program->start, walk_number (&w, 64, 0));
  learn_sharing (&w);
  out->inexact |= w.contents.gave_up;
  bool complete = !w.stopped;
  out->stopped = w.stopped;
  release_walk (&w);
  return complete;
}
