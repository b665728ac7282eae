// Basic operations of the walk: conditions under which a path goes on, goals, choices, values of expressions.
#include "engine/order/walk_impl.h"

#include "base/diag.h"

bool walk_selected (const order_walk *w, ir_property p) { return w->options->semantics->properties >> p & 1; }
bool walk_alive (const order_walk *w) { return !term_is_false (w->terms, w->now->guard); }
term walk_number (order_walk *w, unsigned bits, uint64_t value) { return term_const (w->terms, bits, value); }

void walk_require (order_walk *w, term condition) { w->now->guard = term_and (w->terms, w->now->guard, condition); }

void walk_goal (order_walk *w, ir_property property, term wrong) {
  term condition = term_and (w->terms, w->now->guard, wrong);
  if (term_is_false (w->terms, condition)) return;
  if (walk_selected (w, property))
    vec_push (&w->out->goals, ((unwound_goal){property, condition, w->thread, w->step, w->edge}));
  else if (ir_end_of_undefined (property)) walk_mark_path_incomplete (w, condition, ir_end_of_undefined (property));
  walk_stop (w, condition, w->program->edges.data[w->edge.i].from.i, w->step);
  walk_require (w, term_not (w->terms, wrong));
}

void walk_misuse (order_walk *w, term wrong) {
  term condition = term_and (w->terms, w->now->guard, wrong);
  if (!walk_selected (w, IR_P_LOCKS) || term_is_false (w->terms, condition)) return;
  vec_push (&w->out->goals, ((unwound_goal){IR_P_LOCKS, condition, w->thread, w->step, w->edge}));
}

// The position in the user's program: for a library function, the position of its call.
static ir_edge users_edge (order_walk *w) {
  const walk_thread *t = walk_self (w);
  ir_edge e = w->edge;
  for (uint32_t k = t->sites.count;
       k-- > 0 && ir_proc_at (w->program, ir_loc_at (w->program, ir_edge_at (w->program, e)->from)->proc)->internal;)
    e = t->sites.data[k];
  return e;
}

void walk_mark_path_incomplete (order_walk *w, term condition, const char *what) {
  if (term_is_false (w->terms, condition)) return;
  vec_push (&w->out->incomplete, condition);
  vec_push (&w->out->incomplete_at, ((unwound_incompleteness){what, w->edge, users_edge (w)}));
}

void walk_mark_incomplete (order_walk *w, term condition, const char *what) {
  walk_mark_path_incomplete (w, term_and (w->terms, w->now->guard, condition), what);
  walk_require (w, term_not (w->terms, condition));
}

void walk_stop (order_walk *w, term condition, uint32_t location, uint32_t step) {
  const walk_thread *t = walk_self (w);
  uint8_t wakes = w->wakers ? w->wakers[location] : UINT8_MAX;
  for (uint32_t k = 0; w->wakers && k < t->returns.count; k++) wakes |= w->wakers[t->returns.data[k]];
  vec_push (&w->out->stops, ((unwound_stop){w->thread, step, condition, wakes}));
}

void walk_cut (order_walk *w, term guard, uint32_t location, const char *what) {
  vec_push (&w->out->cuts, guard);
  vec_push (&w->out->cut_is_fixed, !what);
  walk_stop (w, guard, location, walk_out (w)->steps.count);
  if (!w->out->bound) w->out->bound = what;
}

// ---- addresses --------------------------------------------------------------------------------------
void ram_targets (order_walk *w, term address, targets *t) {
  pointers_targets (walk_pointers (w), address, t);
  walk_mark_incomplete (w, t->crowded, "an address may point into too many objects");
}

// ---- nodes ------------------------------------------------------------------------------------------
static uint32_t make_node (order_walk *w) {
  symbolic_path *p = w->now;
  unwound_thread *t = walk_out (w);
  uint32_t *before = arena_alloc (w->out->arena, sizeof *before * (p->clock.count + 1)), number = w->out->nodes.count;
  for (uint32_t k = 0; k < p->clock.count; k++) before[k] = p->clock.data[k];
  unwound_node n = {.thread = w->thread,
                    .index = t->nodes.count,
                    .first_step = w->step,
                    .last_step = w->step,
                    .guard = p->guard,
                    .executed = p->guard,
                    .shows = p->atomic ? w->terms->falsity : w->terms->truth,
                    .num_before = p->clock.count,
                    .before = before,
                    .created = IR_NONE,
                    .first_joined = w->out->joins.count};
  vec_push (&w->out->nodes, n);
  vec_push (&t->nodes, number);
  while (p->clock.count <= w->thread) vec_push (&p->clock, 0);
  p->clock.data[w->thread] = t->nodes.count;
  return number;
}

void walk_show_region (order_walk *w, const symbolic_path *p) {
  if (!p->atomic || p->region == IR_NONE) return;
  unwound_node *n = &w->out->nodes.data[p->region];
  n->shows = term_or (w->terms, n->shows, p->guard);
}

uint32_t walk_node (order_walk *w) {
  symbolic_path *p = w->now;
  if (w->node != IR_NONE) return w->node;
  if (!p->atomic) w->node = make_node (w);
  else {
    if (p->region == IR_NONE) p->region = make_node (w);
    w->node = p->region;
    w->out->nodes.data[w->node].last_step = w->step;
  }
  walk_out (w)->steps.data[w->step].node = w->node;
  return w->node;
}

term walk_choice (order_walk *w, unsigned bits, term condition) {
  unwound_step *s = &walk_out (w)->steps.data[w->step];
  CHECK (s->choice.i == TERM_NONE.i, "a step should choose once");
  s->choice = term_var (w->terms, bits);
  s->chooses = condition;
  return s->choice;
}

// ---- results ----------------------------------------------------------------------------------------
void walk_set (order_walk *w, ir_reg r, term value) {
  if (r.i == IR_NONE) return;
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  unsigned bits = ir_proc_at (w->program, ir_loc_at (w->program, d->from)->proc)->regs.data[r.i].bits;
  w->now->regs.data[r.i] = term_resize (w->terms, value, bits);
}
