// Folds points into large steps. A step begins at a point that accesses shared variables or enters an atomic region,
// unless no other thread needs to run right before it (efsm/movers.h); at a point that shows an observed value; where a
// thread starts or ends; or at the head of a loop of local points. What follows is acyclic: it is executed symbolically
// in topological order, and where paths join, values are joined by the conditions of the paths.
#include "efsm/fold.h"

#include "base/diag.h"
#include "encode/substitute.h"

typedef struct fold_state {  // at a point inside a step
  term condition;            // the thread comes to the point
  map value;                 // variable -> term, for changed variables
} fold_state;

typedef struct folding {
  efsm *m;
  folded *out;
  VEC (uint8_t) mark;    // by point, for the search: 0 not seen, 1 on the stack, 2 finished
  VEC (uint32_t) order;  // points of the current step, each before its successors
  VEC (uint32_t) index;  // by point: index into `states`
  VEC (fold_state) states;
  term_substitution substitution;
  const fold_state *now;  // the state whose values the substitution uses
} folding;

// ---- where steps begin ------------------------------------------------------------------------------
// Every path goes on from the point.
static bool always_leaves (folding *f, const efsm_point *p) {
  term any = f->m->terms.falsity;
  for (uint32_t k = 0; k < p->exits.count; k++) any = term_or (&f->m->terms, any, p->exits.data[k].guard);
  return term_is_true (&f->m->terms, any);
}

// If deadlocks are checked, a point at which a thread may stay for ever begins a step.
static bool begins_anyway (folding *f, uint32_t point) {
  const efsm *m = f->m;
  const efsm_point *p = &m->points.data[point];
  return (m->shows_waits && (p->waits.count || !always_leaves (f, p))) || p->opens || p->shows || !p->exits.count ||
         m->threads.data[p->thread].start == point;
}

static void add_step (folding *f, uint32_t point) {
  if (f->out->step_of.data[point] != IR_NONE) return;
  f->out->step_of.data[point] = f->out->steps.count;
  vec_push (&f->out->steps, ((fold_step){.point = point}));
}

typedef struct fold_dfs_entry {
  uint32_t point, exit;
} fold_dfs_entry;

// Marks heads of loops of local points: targets of back edges in a depth-first search.
static void find_heads (folding *f, uint32_t start) {
  VEC (fold_dfs_entry) stack = {0};
  vec_push (&stack, ((fold_dfs_entry){start, 0}));
  f->mark.data[start] = 1;
  while (stack.count) {
    fold_dfs_entry *at = &vec_last (&stack);
    const efsm_point *p = &f->m->points.data[at->point];
    if (at->exit == p->exits.count) {
      f->mark.data[at->point] = 2;
      (void) vec_pop (&stack);
      continue;
    }
    uint32_t to = p->exits.data[at->exit++].to;
    if (f->mark.data[to] == 1) add_step (f, to);
    if (f->mark.data[to] || begins_anyway (f, to)) continue;
    f->mark.data[to] = 1;
    vec_push (&stack, ((fold_dfs_entry){to, 0}));
  }
  vec_release (&stack);
}

static void find_steps (folding *f) {
  for (uint32_t p = 0; p < f->m->points.count; p++) {
    vec_push (&f->mark, 0);
    vec_push (&f->index, IR_NONE);
    vec_push (&f->out->step_of, IR_NONE);
  }
  for (uint32_t p = 0; p < f->m->points.count; p++) {
    if (!begins_anyway (f, p)) continue;
    add_step (f, p);
    if (!f->mark.data[p]) find_heads (f, p);
  }
}

// ---- the points of a step ---------------------------------------------------------------------------
static bool is_inside (const folding *f, uint32_t point) { return f->out->step_of.data[point] == IR_NONE; }

// The points that are finished last come first.
static void order_points (folding *f, uint32_t start) {
  VEC (fold_dfs_entry) stack = {0};
  vec_clear (&f->order);
  vec_push (&stack, ((fold_dfs_entry){start, 0}));
  f->mark.data[start] = 3;
  while (stack.count) {
    fold_dfs_entry *at = &vec_last (&stack);
    const efsm_point *p = &f->m->points.data[at->point];
    if (at->exit == p->exits.count) {
      vec_push (&f->order, at->point);
      (void) vec_pop (&stack);
      continue;
    }
    uint32_t to = p->exits.data[at->exit++].to;
    if (!is_inside (f, to) || f->mark.data[to] == 3) continue;
    f->mark.data[to] = 3;
    vec_push (&stack, ((fold_dfs_entry){to, 0}));
  }
  vec_release (&stack);
  for (uint32_t k = 0; k < f->order.count; k++) f->mark.data[f->order.data[k]] = 2;
  for (uint32_t k = 0; k < f->order.count / 2; k++) {
    uint32_t *a = &f->order.data[k], *b = &f->order.data[f->order.count - 1 - k], c = *a;
    *a = *b, *b = c;
  }
}

// ---- values -----------------------------------------------------------------------------------------
static term value_at_point (const folding *f, uint32_t variable) { return f->m->variables.data[variable].now; }

static term value_in (const folding *f, const fold_state *s, uint32_t variable) {
  const uint64_t *found = map_find (&s->value, variable);
  return found ? (term){(uint32_t) *found} : value_at_point (f, variable);
}

static void set_value (fold_state *s, uint32_t variable, term value) {
  *map_insert (&s->value, variable, 0, NULL) = value.i;
}

static term substitute_values (void *user, term leaf) {
  const folding *f = user;
  const uint64_t *variable = map_find (&f->m->variable_of, leaf.i);
  return variable ? value_in (f, f->now, (uint32_t) *variable) : leaf;
}

static void use_state_values (folding *f, const fold_state *s) {
  f->now = s;
  substitution_begin (&f->substitution, substitute_values, f);
}

static void join_value (folding *f, fold_state *to, uint32_t variable, term condition, term value) {
  term old = value_in (f, to, variable);
  if (old.i != value.i) set_value (to, variable, term_ite (&f->m->terms, condition, value, old));
}

static void copy_values (fold_state *to, const fold_state *from) {
  for (uint32_t k = 0; k < from->value.entries.count; k++)
    set_value (to, (uint32_t) from->value.entries.data[k].key, (term){(uint32_t) from->value.entries.data[k].value});
}

// Adds a path to the state at `to`: its condition, and its values.
static void join_path_values (folding *f, fold_state *to, term condition, const fold_state *from) {
  if (term_is_false (&f->m->terms, to->condition)) {
    copy_values (to, from);
    to->condition = condition;
    return;
  }
  for (uint32_t k = 0; k < from->value.entries.count; k++)
    join_value (f, to, (uint32_t) from->value.entries.data[k].key, condition,
                (term){(uint32_t) from->value.entries.data[k].value});
  for (uint32_t k = 0; k < to->value.entries.count; k++) {
    uint32_t variable = (uint32_t) to->value.entries.data[k].key;
    if (!map_find (&from->value, variable)) join_value (f, to, variable, condition, value_at_point (f, variable));
  }
  to->condition = term_or (&f->m->terms, to->condition, condition);
}

// ---- one step ---------------------------------------------------------------------------------------
static void add_exit (folding *f, fold_step *s, uint32_t to, term condition) {
  if (term_is_false (&f->m->terms, condition)) return;
  for (uint32_t k = 0; k < s->exits.count; k++)
    if (s->exits.data[k].to == to) {
      s->exits.data[k].condition = term_or (&f->m->terms, s->exits.data[k].condition, condition);
      return;
    }
  vec_push (&s->exits, ((fold_exit){to, condition}));
}

static void note_goals (folding *f, fold_step *s, uint32_t point, term here) {
  const efsm_point *p = &f->m->points.data[point];
  for (uint32_t k = 0; k < p->goals.count; k++) {
    term wrong = term_and (&f->m->terms, here, substitute_term (&f->substitution, p->goals.data[k].condition));
    if (!term_is_false (&f->m->terms, wrong)) vec_push (&s->goals, ((fold_goal){point, k, wrong}));
  }
  for (uint32_t k = 0; k < p->losses.count; k++) {
    term lost = term_and (&f->m->terms, here, substitute_term (&f->substitution, p->losses.data[k].condition));
    if (!term_is_false (&f->m->terms, lost)) vec_push (&s->losses, ((fold_loss){point, k, lost}));
  }
}

static void find_values_after (folding *f, const efsm_point *p, const fold_state *before, fold_state *after) {
  copy_values (after, before);
  for (uint32_t k = 0; k < p->updates.count; k++)
    set_value (after, p->updates.data[k].variable, substitute_term (&f->substitution, p->updates.data[k].value));
}

// Goes on from a point of the step; `end` is the step's result.
static void pass_point (folding *f, fold_step *s, uint32_t point, fold_state *end) {
  const efsm_point *p = &f->m->points.data[point];
  const fold_state *here = &f->states.data[f->index.data[point]];
  term open = f->m->terms.falsity;
  fold_state after = {0};
  use_state_values (f, here);
  note_goals (f, s, point, here->condition);
  find_values_after (f, p, here, &after);
  for (uint32_t k = 0; k < p->exits.count; k++) {
    uint32_t to = p->exits.data[k].to;
    term way = term_and (&f->m->terms, here->condition, substitute_term (&f->substitution, p->exits.data[k].guard));
    open = term_or (&f->m->terms, open, way);
    if (term_is_false (&f->m->terms, way)) continue;
    join_path_values (f, is_inside (f, to) ? &f->states.data[f->index.data[to]] : end, way, &after);
    if (!is_inside (f, to)) add_exit (f, s, f->out->step_of.data[to], way);
  }
  if (point != s->point) {
    term stuck = term_and (&f->m->terms, here->condition, term_not (&f->m->terms, open));
    if (!term_is_false (&f->m->terms, stuck))
      join_path_values (f, end, stuck, here), add_exit (f, s, FOLD_STUCK, stuck);
  }
  map_release (&after.value);
}

static void add_updates (folding *f, fold_step *s, const fold_state *end) {
  for (uint32_t k = 0; k < end->value.entries.count; k++) {
    efsm_update u = {(uint32_t) end->value.entries.data[k].key, {(uint32_t) end->value.entries.data[k].value}};
    if (u.value.i != value_at_point (f, u.variable).i) vec_push (&s->updates, u);
  }
}

static void make_step (folding *f, uint32_t number) {
  fold_step *s = &f->out->steps.data[number];
  fold_state end = {.condition = f->m->terms.falsity};
  order_points (f, s->point);
  for (uint32_t k = 0; k < f->order.count; k++) {
    f->index.data[f->order.data[k]] = k;
    vec_push (&f->states, ((fold_state){.condition = k ? f->m->terms.falsity : f->m->terms.truth}));
  }
  for (uint32_t k = 0; k < f->order.count; k++) pass_point (f, s, f->order.data[k], &end);
  add_updates (f, s, &end);
  for (uint32_t k = 0; k < f->states.count; k++) map_release (&f->states.data[k].value);
  vec_clear (&f->states);
  map_release (&end.value);
}

void fold (efsm *m, folded *out) {
  folding f = {.m = m, .out = out};
  *out = (folded){.m = m};
  substitution_init (&f.substitution, &m->terms);
  find_steps (&f);
  for (uint32_t k = 0; k < out->steps.count; k++) make_step (&f, k);
  substitution_release (&f.substitution);
  vec_release (&f.mark);
  vec_release (&f.order);
  vec_release (&f.index);
  vec_release (&f.states);
}

void folded_release (folded *f) {
  for (uint32_t k = 0; k < f->steps.count; k++) {
    fold_step *s = &f->steps.data[k];
    vec_release (&s->exits);
    vec_release (&s->updates);
    vec_release (&s->goals);
    vec_release (&s->losses);
  }
  vec_release (&f->steps);
  vec_release (&f->step_of);
}
