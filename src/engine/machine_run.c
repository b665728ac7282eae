// Executes the machine on values: guards decide to which point a thread goes, and all updates of a point are made at
// once.
#include "engine/machine_run.h"

static bool machine_leaf_value (void *user, term t, ir_value *x) {
  const machine_run *w = user;
  if (term_at (&w->m->terms, t)->op != IR_X_REG) return false;
  const uint64_t *v = map_find (&w->m->variable_of, t.i);
  *x = v ? w->value.data[*v] : w->input_value (w->state, t);
  return true;
}

void machine_run_init (machine_run *w, const folded *steps, const ir_program *program, claim *out) {
  *w = (machine_run){.m = steps->m, .steps = steps, .program = program, .out = out};
  w->truth = (evaluator){.pool = &w->m->terms, .leaf_value = machine_leaf_value, .state = w};
  *out = (claim){0};
  slots_init (&w->slots, w->m);
}

void machine_run_release (machine_run *w) {
  vec_release (&w->value);
  vec_release (&w->at);
  evaluator_release (&w->truth);
}

void machine_run_forget (machine_run *w) { evaluator_forget (&w->truth); }

bool machine_run_is_over (const machine_run *w) { return w->m->over != IR_NONE && w->value.data[w->m->over]; }

void machine_run_take (machine_run *w, uint32_t thread, uint32_t point, uint32_t count) {
  const efsm_point *p = &w->m->points.data[point];
  for (uint32_t k = 0; k < count && k < p->steps.count; k++) {
    const efsm_step *s = &p->steps.data[k];
    if (s->choice.i != TERM_NONE.i && evaluate_term (&w->truth, s->chooses)) {
      ir_value v = evaluate_term (&w->truth, s->choice);
      bool names_thread = ir_edge_at (w->program, s->edge)->op == IR_COND_SIGNAL;
      vec_push (&w->out->schedule.choices, names_thread ? w->slots.of[v % NUM_SLOTS] : v);
    }
    schedule_add (&w->out->schedule, w->slots.of[thread], 1);
  }
}

static bool is_true_now (void *state, term t) {
  machine_run *w = state;
  return evaluate_term (&w->truth, t);
}

uint32_t machine_run_exit (machine_run *w, const efsm_point *p) {
  for (uint32_t k = 0; k < p->exits.count; k++)
    if (evaluate_term (&w->truth, p->exits.data[k].guard)) return p->exits.data[k].to;
  return IR_NONE;
}

static void make_updates (machine_run *w, const efsm_point *p) {
  VEC (ir_value) next = {0};
  for (uint32_t k = 0; k < p->updates.count; k++) vec_push (&next, evaluate_term (&w->truth, p->updates.data[k].value));
  for (uint32_t k = 0; k < p->updates.count; k++) w->value.data[p->updates.data[k].variable] = next.data[k];
  evaluator_forget (&w->truth);
  vec_release (&next);
}

void machine_run_step (machine_run *w, uint32_t thread, uint32_t until) {
  for (bool first = true;; first = false) {
    uint32_t point = w->at.data[thread];
    if (point == IR_NONE || point == until || (!first && w->steps->step_of.data[point] != IR_NONE)) return;
    const efsm_point *p = &w->m->points.data[point];
    uint32_t to = machine_run_exit (w, p);
    if (to != IR_NONE || !first) w->at.data[thread] = to;
    if (to == IR_NONE) return;
    machine_run_take (w, thread, point, p->steps.count);
    slots_pass (&w->slots, w->m, p, is_true_now, w);
    make_updates (w, p);
  }
}

void machine_run_claim (machine_run *w, uint32_t thread, const fold_goal *g) {
  const efsm_goal *wrong = &w->m->points.data[g->point].goals.data[g->number];
  w->out->property = wrong->property;
  machine_run_step (w, thread, g->point);
  machine_run_take (w, thread, g->point, wrong->step);
  w->out->num_threads = 1;
  w->out->thread[0] = w->slots.of[thread];
  w->out->edge[0] = wrong->edge;
}
