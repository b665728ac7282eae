// Adds the runs that break a formula. An execution of the system is a run of the program if at each step the chosen
// thread steps, or no thread can; nothing goes wrong on it. In parallel goes the automaton of the runs that break the
// formula (Vardi and Wolper 1986): its state is a helper of the system, an input chooses its edge, and accepting edges
// must be taken again and again.
//
// A large step shows at most one change of what the formula speaks of (efsm/build.h: efsm_watch), and a formula without
// X cannot count steps in which nothing changes.
#include "engine/circuit/runs.h"

typedef struct breaking_run_builder {
  transition_system *s;
  term_pool *p;
  const circuit_propositions *l;
  const ir_program *program;
} breaking_run_builder;

// ---- runs -------------------------------------------------------------------------------------------
static bool is_end (const breaking_run_builder *a, uint32_t step) {
  const efsm *m = a->s->m;
  uint32_t point = a->s->steps.steps.data[step].point;
  const efsm_point *p = &m->points.data[point];
  return p->location.i == IR_NONE && m->threads.data[p->thread].start != point;
}

// A thread that is not started yet waits, too.
static term step_waits (const breaking_run_builder *a, uint32_t step) {
  const efsm *m = a->s->m;
  uint32_t point = a->s->steps.steps.data[step].point;
  const efsm_point *p = &m->points.data[point];
  term any = a->p->falsity;
  if (m->threads.data[p->thread].start == point) any = term_not (a->p, m->view.started.data[p->thread]);
  for (uint32_t k = 0; k < p->waits.count; k++) any = term_or (a->p, any, p->waits.data[k].blocked);
  return any;
}

// The thread's next operation does not wait. The operation may still be the thread's last one, as a failed assertion
// is.
static term can_move (const breaking_run_builder *a, uint32_t thread) {
  term any = a->p->falsity;
  for (uint32_t k = 0; k < a->s->steps.steps.count; k++) {
    const efsm_point *p = &a->s->m->points.data[a->s->steps.steps.data[k].point];
    if (p->thread != thread || is_end (a, k)) continue;
    term here = term_and (a->p, system_is_at_step (a->s, k), term_not (a->p, step_waits (a, k)));
    any = term_or (a->p, any, here);
  }
  return term_and (a->p, any, system_goes_on (a->s));
}

static void add_runs (breaking_run_builder *a, bool fair) {
  term some_thread_moves = a->p->falsity, some_thread_can = a->p->falsity;
  for (uint32_t t = 0; t < a->s->m->threads.count; t++) {
    term can = can_move (a, t), moves = a->s->moves.data[t];
    some_thread_moves = term_or (a->p, some_thread_moves, moves);
    some_thread_can = term_or (a->p, some_thread_can, can);
    if (fair) vec_push (&a->s->justice, term_or (a->p, moves, term_not (a->p, can)));
  }
  vec_push (&a->s->constraints, term_or (a->p, some_thread_moves, term_not (a->p, some_thread_can)));
  for (uint32_t k = 0; k < a->s->goals.count; k++)
    vec_push (&a->s->constraints, term_not (a->p, a->s->goals.data[k].holds));
}

// ---- the automaton ----------------------------------------------------------------------------------
static uint32_t most_edges (const buchi *b) {
  uint32_t most = 1;
  for (uint32_t k = 0; k < b->states.count; k++)
    if (b->states.data[k].num_edges > most) most = b->states.data[k].num_edges;
  return most;
}

static term edge_reads_letter (const breaking_run_builder *a, const buchi_edge *e) {
  term all = a->p->truth;
  for (uint32_t k = 0; k < a->l->formula->num_atoms; k++) {
    term holds = a->l->holds.data[k];
    if (e->positive >> k & 1) all = term_and (a->p, all, holds);
    if (e->negative >> k & 1) all = term_and (a->p, all, term_not (a->p, holds));
  }
  return all;
}

static term word_equals (const breaking_run_builder *a, term word, uint32_t value) {
  return term_eq (a->p, word, term_const (a->p, term_bits (a->p, word), value));
}

// From an automaton state that accepts every word on, the rest of the run does not matter.
static void add_automaton (breaking_run_builder *a) {
  const buchi *b = &a->l->formula->broken;
  uint32_t helper = system_add_helper (a->s, system_bits_for (b->states.count), 0);
  term now = a->s->states.data[helper].now, next = now, choice = term_var (a->p, system_bits_for (most_edges (b))),
       goes_on = a->p->falsity, accepts = a->p->falsity;
  for (uint32_t k = 0; k < b->states.count; k++) {
    const buchi_state *x = &b->states.data[k];
    term here = word_equals (a, now, k);
    if (x->settled) goes_on = term_or (a->p, goes_on, here), accepts = term_or (a->p, accepts, here);
    for (uint32_t e = 0; e < x->num_edges && !x->settled; e++) {
      const buchi_edge *edge = &b->edges.data[x->first_edge + e];
      term taken = term_and (a->p, here, word_equals (a, choice, e));
      next = term_ite (a->p, taken, term_const (a->p, term_bits (a->p, now), edge->target), next);
      taken = term_and (a->p, taken, edge_reads_letter (a, edge));
      goes_on = term_or (a->p, goes_on, taken);
      if (edge->accepting) accepts = term_or (a->p, accepts, taken);
    }
  }
  a->s->states.data[helper].next = next;
  vec_push (&a->s->constraints, goes_on);
  vec_push (&a->s->justice, accepts);
}

// ---- spurious wake-ups ------------------------------------------------------------------------------
// A run has only finitely many spurious wake-ups: from some moment on, which an input chooses, no wait ends without a
// signal.
static void add_calm (breaking_run_builder *a) {
  const efsm *m = a->s->m;
  VEC (term) spurious = {0};
  for (uint32_t k = 0; k < m->points.count; k++)
    for (uint32_t i = 0; i < m->points.data[k].steps.count; i++) {
      const efsm_step *x = &m->points.data[k].steps.data[i];
      bool waits = x->choice.i != TERM_NONE.i && ir_edge_at (a->program, x->edge)->op == IR_COND_WAIT;
      if (waits) vec_push (&spurious, term_not (a->p, word_equals (a, x->choice, 0)));
    }
  if (spurious.count) {
    uint32_t helper = system_add_helper (a->s, 1, 0);
    term calm = a->s->states.data[helper].now, noisy = word_equals (a, calm, 0);
    a->s->states.data[helper].next = term_or (a->p, calm, term_var (a->p, 1));
    for (uint32_t k = 0; k < spurious.count; k++)
      vec_push (&a->s->constraints, term_or (a->p, noisy, term_not (a->p, spurious.data[k])));
    vec_push (&a->s->justice, calm);
  }
  vec_release (&spurious);
}

void runs_add (transition_system *s, const ir_program *program, const circuit_propositions *l, bool fair) {
  breaking_run_builder a = {.s = s, .p = &s->m->terms, .l = l, .program = program};
  add_runs (&a, fair);
  add_automaton (&a);
  add_calm (&a);
}
