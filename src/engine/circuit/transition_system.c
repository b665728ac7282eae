// Builds the transition system. The next value of each latch is a choice among the large steps of all threads: the
// scheduler says which thread moves, the thread's program counter says which step it takes.
#include "base/limits.h"
#include "engine/circuit/deadlock.h"

unsigned system_bits_for (uint32_t count) {
  unsigned bits = 1;
  while ((uint64_t) 1 << bits < count) bits++;
  return bits;
}

static term number_like (transition_system *s, term like, uint64_t value) {
  return term_const (&s->m->terms, term_bits (&s->m->terms, like), value);
}

// ---- state ------------------------------------------------------------------------------------------
uint32_t system_thread_of_step (const transition_system *s, uint32_t step) {
  return s->m->points.data[s->steps.steps.data[step].point].thread;
}

static uint32_t count_thread_steps (const transition_system *s, uint32_t thread) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < s->steps.steps.count; k++) count += system_thread_of_step (s, k) == thread;
  return count;
}

// The program counter of a stuck thread is the number of its steps.
static void add_counters (transition_system *s) {
  VEC (uint32_t) next = {0};
  for (uint32_t t = 0; t < system_num_threads (s); t++) vec_push (&next, 0);
  for (uint32_t k = 0; k < s->steps.steps.count; k++) vec_push (&s->code, next.data[system_thread_of_step (s, k)]++);
  for (uint32_t t = 0; t < system_num_threads (s); t++) {
    term pc = term_var (&s->m->terms, system_bits_for (count_thread_steps (s, t) + 1));
    uint32_t start = s->steps.step_of.data[s->m->threads.data[t].start];
    vec_push (&s->pc, s->states.count);
    vec_push (&s->states, ((system_state){pc, pc, number_like (s, pc, s->code.data[start]), IR_NONE, t}));
  }
  vec_release (&next);
}

static void add_machine_variables (transition_system *s) {
  for (uint32_t v = 0; v < s->m->variables.count; v++) {
    term now = s->m->variables.data[v].now;
    vec_push (&s->state_of, s->states.count);
    vec_push (&s->states, ((system_state){now, now, s->m->variables.data[v].initial, v, IR_NONE}));
  }
}

uint32_t system_add_helper (transition_system *s, unsigned bits, uint64_t initial) {
  term now = term_var (&s->m->terms, bits);
  vec_push (&s->states, ((system_state){now, now, number_like (s, now, initial), IR_NONE, IR_NONE}));
  return s->states.count - 1;
}

uint32_t system_stuck_code (const transition_system *s, uint32_t thread) { return count_thread_steps (s, thread); }

static term pc_of (const transition_system *s, uint32_t thread) { return s->states.data[s->pc.data[thread]].now; }

term system_is_at_step (transition_system *s, uint32_t step) {
  term pc = pc_of (s, system_thread_of_step (s, step));
  return term_eq (&s->m->terms, pc, number_like (s, pc, s->code.data[step]));
}

// Has the process not ended?
term system_goes_on (transition_system *s) {
  uint32_t over = s->m->over;
  return over == IR_NONE ? s->m->terms.truth : term_not (&s->m->terms, s->m->variables.data[over].now);
}

// ---- the scheduler ----------------------------------------------------------------------------------
uint32_t system_chosen (const transition_system *s, ir_value scheduled) {
  return scheduled < system_num_threads (s) ? (uint32_t) scheduled : system_num_threads (s) - 1;
}

// The paper's execute_i. Every value of the input means a thread: the values beyond the last thread's number do, too.
term system_executes (transition_system *s, uint32_t thread) {
  term number_of_it = number_like (s, s->scheduled, thread);
  if (thread + 1 < system_num_threads (s)) return term_eq (&s->m->terms, s->scheduled, number_of_it);
  return term_ule (&s->m->terms, number_of_it, s->scheduled);
}

// ---- steps ------------------------------------------------------------------------------------------
static void change_state (transition_system *s, uint32_t state, term condition, term value) {
  term *next = &s->states.data[state].next;
  *next = term_ite (&s->m->terms, condition, value, *next);
}

static void add_step_goals (transition_system *s, const fold_step *step, term taken) {
  term_pool *p = &s->m->terms;
  uint32_t thread = s->m->points.data[step->point].thread;
  for (uint32_t k = 0; k < step->goals.count; k++) {
    const fold_goal *g = &step->goals.data[k];
    ir_property property = s->m->points.data[g->point].goals.data[g->number].property;
    vec_push (&s->goals, ((system_goal){.property = property,
                                        .holds = term_and (p, taken, g->condition),
                                        .thread = thread,
                                        .point = g->point,
                                        .number = g->number}));
  }
  for (uint32_t k = 0; k < step->losses.count; k++) {
    const efsm_loss *l = &s->m->points.data[step->losses.data[k].point].losses.data[step->losses.data[k].number];
    vec_push (&s->omissions,
              ((system_omission){term_and (p, taken, step->losses.data[k].condition), l->what, l->is_cut, l->edge}));
  }
}

static void add_system_step (transition_system *s, uint32_t number_of_it) {
  term_pool *p = &s->m->terms;
  const fold_step *step = &s->steps.steps.data[number_of_it];
  uint32_t thread = system_thread_of_step (s, number_of_it), counter = s->pc.data[thread];
  term pc = pc_of (s, thread), moves = p->falsity,
       taken = term_and (p, term_and (p, system_executes (s, thread), system_goes_on (s)),
                         system_is_at_step (s, number_of_it));
  for (uint32_t k = 0; k < step->exits.count; k++) {
    const fold_exit *e = &step->exits.data[k];
    uint64_t code = e->to == FOLD_STUCK ? system_stuck_code (s, thread) : s->code.data[e->to];
    term way = term_and (p, taken, e->condition);
    change_state (s, counter, way, number_like (s, pc, code));
    moves = term_or (p, moves, way);
    if (e->to != FOLD_STUCK) s->moves.data[thread] = term_or (p, s->moves.data[thread], way);
  }
  for (uint32_t k = 0; k < step->updates.count; k++)
    change_state (s, s->state_of.data[step->updates.data[k].variable], moves, step->updates.data[k].value);
  add_step_goals (s, step, taken);
}

// ---- atomic regions ---------------------------------------------------------------------------------
// Most regions are one step. Exceptions are regions with a loop, or in which a violation is certain.
term system_is_inside (transition_system *s, uint32_t thread) {
  term any = s->m->terms.falsity;
  for (uint32_t k = 0; k < s->steps.steps.count; k++)
    if (system_thread_of_step (s, k) == thread && s->m->points.data[s->steps.steps.data[k].point].inside)
      any = term_or (&s->m->terms, any, system_is_at_step (s, k));
  return any;
}

static void add_regions (transition_system *s) {
  for (uint32_t t = 0; t < system_num_threads (s); t++) {
    term alone = term_implies (&s->m->terms, system_is_inside (s, t), system_executes (s, t));
    if (!term_is_true (&s->m->terms, alone)) vec_push (&s->constraints, alone);
  }
}

// ---- races ------------------------------------------------------------------------------------------
static void add_races_between (transition_system *s, uint32_t a, uint32_t b) {
  term_pool *p = &s->m->terms;
  uint32_t first = s->steps.steps.data[a].point, second = s->steps.steps.data[b].point;
  const efsm_point *x = &s->m->points.data[first], *y = &s->m->points.data[second];
  if (x->thread >= y->thread) return;
  for (uint32_t i = 0; i < x->accesses.count; i++)
    for (uint32_t k = 0; k < y->accesses.count; k++) {
      term meet = efsm_conflict (p, &x->accesses.data[i], &y->accesses.data[k]);
      if (term_is_false (p, meet)) continue;
      term both = term_and (p, term_and (p, system_is_at_step (s, a), system_is_at_step (s, b)), system_goes_on (s));
      vec_push (&s->goals, ((system_goal){.property = IR_P_RACE,
                                          .holds = term_and (p, both, meet),
                                          .thread = x->thread,
                                          .point = first,
                                          .number = i,
                                          .other_thread = y->thread,
                                          .other_point = second,
                                          .other = k}));
    }
}

const char *system_is_too_large (const efsm *m) {
  return over_limit (CIRCUIT_STATE_BITS, efsm_state_bits (m)) ? "the program has too much state for a circuit" : NULL;
}

void system_init (transition_system *s, efsm *m, const ir_program *program, uint32_t properties) {
  *s = (transition_system){.m = m};
  fold (m, &s->steps);
  add_counters (s);
  add_machine_variables (s);
  for (uint32_t t = 0; t < m->threads.count; t++) vec_push (&s->moves, m->terms.falsity);
  s->scheduled = term_var (&m->terms, system_bits_for (m->threads.count));
  for (uint32_t k = 0; k < s->steps.steps.count; k++) add_system_step (s, k);
  add_regions (s);
  for (uint32_t a = 0; a < s->steps.steps.count && properties >> IR_P_RACE & 1; a++)
    for (uint32_t b = 0; b < s->steps.steps.count; b++) add_races_between (s, a, b);
  if (program && properties >> IR_P_DEADLOCK & 1) system_add_deadlock (s, program);
}

void system_release (transition_system *s) {
  folded_release (&s->steps);
  vec_release (&s->code);
  vec_release (&s->pc);
  vec_release (&s->states);
  vec_release (&s->state_of);
  vec_release (&s->goals);
  vec_release (&s->omissions);
  vec_release (&s->stuck);
  vec_release (&s->constraints);
  vec_release (&s->moves);
  vec_release (&s->predicates);
  vec_release (&s->writers);
  vec_release (&s->justice);
}
