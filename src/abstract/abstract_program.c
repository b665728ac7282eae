// Writes the Boolean program. Each thread of the machine is a thread of it; each large step is a location, with a goto
// to its branches: take one of the exits of the step, an assignment that waits for the guard; or violate a requested
// goal, an assertion that fails. A thread that may be in an atomic region has a variable of its own, which keeps the
// other threads from moving.
#include "abstract/abstract.h"
#include "base/diag.h"

typedef struct program_writer {
  abstraction *a;
  bp_program *out;
  VEC (bp_var) of;      // by predicate
  VEC (bp_var) inside;  // by thread; BP_NONE: it has no regions that others could see
  VEC (bp_loc) at;      // by step
  VEC (struct onward {
    bp_loc from;
    uint32_t step;
  }) onwards;         // where locations lead to, until the steps have their locations
  VEC (bp_loc) ways;  // branches of the current step
  bp_loc end;
} program_writer;

static uint32_t thread_of_large_step (const abstraction *a, uint32_t step) {
  return a->m->points.data[a->steps->steps.data[step].point].thread;
}

static bool is_inside_region (const abstraction *a, uint32_t step) {
  return step != FOLD_STUCK && a->m->points.data[a->steps->steps.data[step].point].inside;
}

term move_condition (const abstraction *a, abstract_move m) {
  return a->steps->steps.data[m.step].exits.data[m.exit].condition;
}

term abstract_goal_condition (abstraction *a, const abstract_goal *t) {
  const fold_step *s = &a->steps->steps.data[t->step];
  term_pool *p = &a->m->terms;
  term condition = t->is_loss ? s->losses.data[t->number].condition : s->goals.data[t->number].condition;
  if (a->m->over == IR_NONE) return condition;
  return term_and (p, term_not (p, a->m->variables.data[a->m->over].now), condition);
}

// ---- the beginning and the end ----------------------------------------------------------------------
void abstraction_init (abstraction *a, const folded *steps, abstraction_options o) {
  *a = (abstraction){.steps = steps, .m = steps->m, .options = o};
  predicates_init (&a->predicates, steps->m);
}

void abstraction_release (abstraction *a) {
  for (uint32_t k = 0; k < a->known.count; k++) clauses_release (&a->known.data[k]);
  vec_release (&a->known);
  for (uint32_t k = 0; k < a->learnt.count; k++) clauses_release (&a->learnt.data[k]);
  vec_release (&a->learnt);
  map_release (&a->learnt_of);
  intern_release (&a->keys);
  vec_release (&a->targets);
  vec_release (&a->meanings);
  predicates_release (&a->predicates);
}

void abstraction_ask (abstraction *a, const abstract_goal *targets, uint32_t count) {
  vec_clear (&a->targets);
  for (uint32_t k = 0; k < count; k++) vec_push (&a->targets, targets[k]);
}

void abstraction_seed (abstraction *a) {
  for (uint32_t t = 0; t < a->m->threads.count; t++) {
    uint32_t started = a->m->threads.data[t].started;
    if (started != IR_NONE) predicates_add (&a->predicates, a->m->variables.data[started].now);
  }
  for (uint32_t k = 0; k < a->targets.count; k++)
    predicates_add (&a->predicates, abstract_goal_condition (a, &a->targets.data[k]));
}

// ---- formulas ---------------------------------------------------------------------------------------
static bp_expr literal_expr (const program_writer *w, uint32_t l) {
  bp_var v = w->of.data[l / 4];
  bp_expr x = l & 2 ? bp_use_next (w->out, v) : bp_use (w->out, v);
  return l & 1 ? bp_not (w->out, x) : x;
}

static bp_expr clauses_expr (const program_writer *w, const clauses *c) {
  bp_expr all = bp_const (w->out, true);
  for (uint32_t k = 0; k < c->ends.count; k++) {
    bp_expr any = bp_const (w->out, false);
    for (uint32_t i = clauses_begin (c, k); i < c->ends.data[k]; i++)
      any = bp_or (w->out, any, literal_expr (w, c->literals.data[i]));
    all = bp_and (w->out, all, any);
  }
  return all;
}

// Returns the condition under which the clauses force the predicate to have the value of the literal.
static bp_expr forced (const program_writer *w, const clauses *c, uint32_t target) {
  bp_expr any = bp_const (w->out, false);
  for (uint32_t k = 0; k < c->ends.count; k++) {
    bp_expr rest = bp_const (w->out, true);
    bool about = false;
    for (uint32_t i = clauses_begin (c, k); i < c->ends.data[k]; i++) {
      uint32_t l = c->literals.data[i];
      about |= l == target;
      if (l != target) rest = bp_and (w->out, rest, literal_expr (w, l ^ 1));
    }
    if (about) any = bp_or (w->out, any, rest);
  }
  return any;
}

// Builds schoose[forced to be true, forced to be false].
static bp_expr new_value_expr (const program_writer *w, const abstract_edge *e, uint32_t k) {
  uint32_t after = 4 * e->changed.data[k] + 2;
  bp_expr yes = forced (w, &e->values.data[k], after), no = forced (w, &e->values.data[k], after + 1);
  if (!e->is_open.data[k]) return yes;
  return bp_or (w->out, yes, bp_and (w->out, bp_not (w->out, no), bp_choice (w->out)));
}

// ---- statements -------------------------------------------------------------------------------------
static bp_loc add_program_statement (program_writer *w, bp_kind kind, statement_meaning means) {
  bp_loc l = bp_add_loc (w->out, kind);
  vec_push (&w->a->meanings, means);
  return l;
}

// Drops clauses about the state after the step.
static void forget_after (clauses *c) {
  for (uint32_t k = 0; k < c->literals.count; k++) c->literals.data[k] &= ~2u;
}

static void fill_assignment (program_writer *w, bp_loc l, abstract_edge *e, bp_expr guard) {
  bool assigns = e->changed.count || bp_loc_at (w->out, l)->targets.count;
  if (!assigns) forget_after (&e->together);
  bp_expr condition = bp_and (w->out, guard, clauses_expr (w, &e->together));
  for (uint32_t k = 0; k < e->changed.count; k++)
    bp_add_target (w->out, l, w->of.data[e->changed.data[k]], new_value_expr (w, e, k));
  bp_location *d = bp_loc_at (w->out, l);
  d->kind = assigns ? BP_ASSIGN : bp_is_const (w->out, condition, true) ? BP_SKIP : BP_ASSUME;
  d->condition = condition;
}

// No other thread is inside a region.
static bp_expr no_other_in_region (const program_writer *w, uint32_t thread) {
  bp_expr all = bp_const (w->out, true);
  for (uint32_t t = 0; t < w->inside.count; t++)
    if (t != thread && w->inside.data[t].i != BP_NONE)
      all = bp_and (w->out, all, bp_not (w->out, bp_use (w->out, w->inside.data[t])));
  return all;
}

static void enter_or_leave (program_writer *w, bp_loc l, uint32_t step, uint32_t to) {
  bp_var v = w->inside.data[thread_of_large_step (w->a, step)];
  bool before = is_inside_region (w->a, step), after = is_inside_region (w->a, to);
  if (v.i != BP_NONE && before != after) bp_add_target (w->out, l, v, bp_const (w->out, after));
}

static void add_exit_statement (program_writer *w, uint32_t step, uint32_t exit) {
  abstract_edge e;
  uint32_t to = w->a->steps->steps.data[step].exits.data[exit].to;
  edge_abstract (w->a, step, exit, &e);
  if (e.is_possible) {
    bp_loc l = add_program_statement (w, BP_ASSIGN, (statement_meaning){MEANS_EXIT, step, exit});
    enter_or_leave (w, l, step, to);
    bp_expr guard =
        bp_and (w->out, clauses_expr (w, &e.guard), no_other_in_region (w, thread_of_large_step (w->a, step)));
    fill_assignment (w, l, &e, guard);
    if (to == FOLD_STUCK) bp_add_next (w->out, l, w->end);
    else vec_push (&w->onwards, ((struct onward){l, to}));
    vec_push (&w->ways, l);
  }
  edge_release (&e);
}

static void add_goal_assertion (program_writer *w, uint32_t number) {
  const abstract_goal *t = &w->a->targets.data[number];
  clauses guard = {0};
  edge_abstract_goal (w->a, t, &guard);
  bp_expr condition =
      bp_and (w->out, clauses_expr (w, &guard), no_other_in_region (w, thread_of_large_step (w->a, t->step)));
  if (!bp_is_const (w->out, condition, false)) {
    bp_loc l = add_program_statement (w, BP_ASSUME, (statement_meaning){MEANS_GOAL, t->step, number}),
           fails = add_program_statement (w, BP_ASSERT, (statement_meaning){MEANS_GOAL, t->step, number});
    bp_loc_at (w->out, l)->condition = condition;
    bp_loc_at (w->out, fails)->condition = bp_const (w->out, false);
    bp_add_next (w->out, l, fails);
    bp_add_next (w->out, fails, w->end);
    vec_push (&w->ways, l);
  }
  clauses_release (&guard);
}

static void fill_step (program_writer *w, uint32_t step) {
  const fold_step *s = &w->a->steps->steps.data[step];
  bp_loc at = add_program_statement (w, BP_GOTO, (statement_meaning){.kind = MEANS_NOTHING});
  bp_loc_at (w->out, at)->label = arena_printf (w->out->arena, "t%u_%u", thread_of_large_step (w->a, step), step);
  vec_push (&w->at, at);
  vec_clear (&w->ways);
  for (uint32_t k = 0; k < w->a->targets.count; k++)
    if (w->a->targets.data[k].step == step) add_goal_assertion (w, k);
  for (uint32_t k = 0; k < s->exits.count; k++) add_exit_statement (w, step, k);
  if (!w->ways.count) vec_push (&w->ways, w->end);
  for (uint32_t k = 0; k < w->ways.count; k++) bp_add_next (w->out, at, w->ways.data[k]);
}

// ---- the program ------------------------------------------------------------------------------------
static void add_variables (program_writer *w) {
  abstraction *a = w->a;
  for (uint32_t k = 0; k < a->predicates.all.count; k++) {
    const char *name = arena_printf (w->out->arena, "{%s}", a->predicates.all.data[k].name);
    vec_push (&w->of, bp_add_var (w->out, name, true));
  }
  for (uint32_t t = 0; t < a->m->threads.count; t++) vec_push (&w->inside, ((bp_var){BP_NONE}));
  for (uint32_t k = 0; k < a->steps->steps.count; k++) {
    bp_var *v = &w->inside.data[thread_of_large_step (a, k)];
    if (!is_inside_region (a, k) || v->i != BP_NONE) continue;
    *v =
        bp_add_var (w->out, arena_printf (w->out->arena, "{thread %u in a region}", thread_of_large_step (a, k)), true);
  }
}

static uint32_t first_step_of_thread (const program_writer *w, uint32_t thread) {
  return w->a->steps->step_of.data[w->a->m->threads.data[thread].start];
}

// Returns the last statement before the first thread takes its first step.
static bp_loc add_start_statements (program_writer *w) {
  abstract_edge e;
  edge_abstract_start (w->a, &e);
  bp_loc last = add_program_statement (w, BP_ASSIGN, (statement_meaning){.kind = MEANS_NOTHING});
  for (uint32_t t = 0; t < w->inside.count; t++)
    if (w->inside.data[t].i != BP_NONE)
      bp_add_target (w->out, last, w->inside.data[t],
                     bp_const (w->out, is_inside_region (w->a, first_step_of_thread (w, t))));
  fill_assignment (w, last, &e, bp_const (w->out, true));
  w->out->start = last;
  for (uint32_t t = 1; t < w->a->m->threads.count; t++) {
    bp_loc l = add_program_statement (w, BP_START_THREAD, (statement_meaning){.kind = MEANS_NOTHING});
    bp_add_next (w->out, last, l);
    last = l;
  }
  edge_release (&e);
  return last;
}

static void connect (program_writer *w, bp_loc last) {
  for (uint32_t k = 0; k < w->onwards.count; k++)
    bp_add_next (w->out, w->onwards.data[k].from, w->at.data[w->onwards.data[k].step]);
  bp_add_next (w->out, last, w->at.data[first_step_of_thread (w, 0)]);
  for (uint32_t t = 1; t < w->a->m->threads.count; t++)
    bp_loc_at (w->out, (bp_loc){w->out->start.i + t})->thread = w->at.data[first_step_of_thread (w, t)];
}

static bool add_all_steps (program_writer *w) {
  for (uint32_t k = 0; k < w->a->steps->steps.count; k++) {
    if (budget_spent (w->a->options.budget)) return false;
    fill_step (w, k);
  }
  return true;
}

bp_program *abstraction_program (abstraction *a) {
  program_writer w = {.a = a, .out = bp_program_new ("abstraction")};
  bp_error error = {0};
  vec_clear (&a->meanings);
  add_variables (&w);
  bp_loc last = add_start_statements (&w);
  w.end = add_program_statement (&w, BP_END_THREAD, (statement_meaning){.kind = MEANS_NOTHING});
  bp_loc_at (w.out, w.end)->label = "end_of_thread";
  bool whole = add_all_steps (&w);
  if (whole) {
    connect (&w, last);
    bool good = bp_find_regions (w.out, &error);
    CHECK (good, "a Boolean program without regions should have none");
  } else bp_program_free (w.out);
  strbuf_release (&error.text);
  vec_release (&w.of);
  vec_release (&w.inside);
  vec_release (&w.at);
  vec_release (&w.ways);
  vec_release (&w.onwards);
  return whole ? w.out : NULL;
}
