// Turns a path of the circuit into a claim: executes the machine (engine/machine_run.h) with the threads and inputs
// that the path names.
#include "engine/circuit/circuit_trace.h"

#include "engine/machine_run.h"

typedef struct circuit_trace_builder {
  transition_system *s;
  const lowered *l;
  const net_path *path;
  uint32_t time;  // step of the path
  machine_run run;
} circuit_trace_builder;

// ---- values -----------------------------------------------------------------------------------------
static ir_value counter_value (const circuit_trace_builder *r, uint32_t thread) {
  uint32_t point = r->run.at.data[thread];
  return point == IR_NONE ? system_stuck_code (r->s, thread) : r->s->code.data[r->s->steps.step_of.data[point]];
}

static ir_value traced_input_value (void *user, term t) {
  const circuit_trace_builder *r = user;
  for (uint32_t k = 0; k < r->s->pc.count; k++)
    if (r->s->states.data[r->s->pc.data[k]].now.i == t.i) return counter_value (r, k);
  return lowered_input (r->l, r->path, r->time, t, term_bits (&r->s->m->terms, t));
}

static uint32_t point_of_code (const transition_system *s, uint32_t thread, ir_value code) {
  for (uint32_t k = 0; k < s->steps.steps.count; k++) {
    uint32_t point = s->steps.steps.data[k].point;
    if (s->m->points.data[point].thread == thread && s->code.data[k] == code) return point;
  }
  return IR_NONE;
}

static void start_trace (circuit_trace_builder *r) {
  const transition_system *s = r->s;
  for (uint32_t v = 0; v < s->m->variables.count; v++) {
    unsigned bits = term_bits (&s->m->terms, s->m->variables.data[v].now);
    vec_push (&r->run.value, lowered_start (r->l, r->path, s->state_of.data[v], bits));
  }
  for (uint32_t t = 0; t < s->m->threads.count; t++) {
    unsigned bits = term_bits (&s->m->terms, s->states.data[s->pc.data[t]].now);
    vec_push (&r->run.at, point_of_code (s, t, lowered_start (r->l, r->path, s->pc.data[t], bits)));
  }
}

// ---- the end ----------------------------------------------------------------------------------------
static uint32_t chosen_thread (const circuit_trace_builder *r) {
  const transition_system *s = r->s;
  unsigned bits = term_bits (&s->m->terms, s->scheduled);
  return system_chosen (s, lowered_input (r->l, r->path, r->time, s->scheduled, bits));
}

static uint32_t find_goal (circuit_trace_builder *r, const bool *asked) {
  for (uint32_t k = 0; k < r->s->goals.count; k++)
    if (asked[k] && evaluate_term (&r->run.truth, r->s->goals.data[k].holds)) return k;
  return IR_NONE;
}

static void claim_goal (circuit_trace_builder *r, const system_goal *g) {
  machine_run_claim (&r->run, g->thread, &(fold_goal){.point = g->point, .number = g->number});
}

// The claim of a race: a thread in an atomic region is the last to reach its access.
static void claim_race_at (circuit_trace_builder *r, const system_goal *g) {
  const efsm_access *a = &r->s->m->points.data[g->point].accesses.data[g->number],
                    *b = &r->s->m->points.data[g->other_point].accesses.data[g->other];
  if (!a->in_region) machine_run_take (&r->run, g->thread, g->point, a->step);
  machine_run_take (&r->run, g->other_thread, g->other_point, b->step);
  if (a->in_region) machine_run_take (&r->run, g->thread, g->point, a->step);
  r->run.out->num_threads = 2;
  r->run.out->thread[0] = r->run.slots.of[g->thread], r->run.out->thread[1] = r->run.slots.of[g->other_thread];
  r->run.out->edge[0] = a->edge, r->run.out->edge[1] = b->edge;
}

// The claim of a deadlock: each stuck thread is before the operation that it waits at.
static void claim_deadlock (circuit_trace_builder *r) {
  bool stuck[NUM_SLOTS] = {0};
  for (uint32_t t = 0; t < r->s->stuck.count; t++) stuck[t] = evaluate_term (&r->run.truth, r->s->stuck.data[t]);
  for (uint32_t t = 0; t < r->s->stuck.count; t++) {
    if (!stuck[t]) continue;
    const efsm_point *p = &r->s->m->points.data[r->run.at.data[t]];
    uint32_t wait = 0;
    while (!evaluate_term (&r->run.truth, p->waits.data[wait].blocked)) wait++;
    machine_run_take (&r->run, t, r->run.at.data[t], p->waits.data[wait].step);
    r->run.out->thread[r->run.out->num_threads] = r->run.slots.of[t];
    r->run.out->edge[r->run.out->num_threads++] = p->waits.data[wait].edge;
  }
}

static void tracing_init (circuit_trace_builder *r, transition_system *s, const lowered *l, const ir_program *program,
                          const net_path *path, claim *out) {
  *r = (circuit_trace_builder){.s = s, .l = l, .path = path};
  machine_run_init (&r->run, &s->steps, program, out);
  r->run.input_value = traced_input_value, r->run.state = r;
  start_trace (r);
}

static void pass_steps (circuit_trace_builder *r, uint32_t from, uint32_t to) {
  for (r->time = from; r->time < to; r->time++) {
    if (!machine_run_is_over (&r->run)) machine_run_step (&r->run, chosen_thread (r), IR_NONE);
    machine_run_forget (&r->run);
  }
}

uint32_t circuit_trace (transition_system *s, const lowered *l, const ir_program *program, const net_path *path,
                        const bool *asked, claim *out) {
  circuit_trace_builder r;
  tracing_init (&r, s, l, program, path, out);
  pass_steps (&r, 0, path->length - 1);
  uint32_t goal = find_goal (&r, asked);
  if (goal != IR_NONE) {
    const system_goal *g = &s->goals.data[goal];
    out->property = g->property;
    if (g->property == IR_P_RACE) claim_race_at (&r, g);
    else if (g->property == IR_P_DEADLOCK) claim_deadlock (&r);
    else claim_goal (&r, g);
  }
  machine_run_release (&r.run);
  return goal;
}

const system_omission *circuit_trace_omission (transition_system *s, const lowered *l, const ir_program *program,
                                               const net_path *path) {
  circuit_trace_builder r;
  claim unused;
  const system_omission *found = NULL;
  tracing_init (&r, s, l, program, path, &unused);
  pass_steps (&r, 0, path->length - 1);
  for (uint32_t k = 0; k < s->omissions.count && !found; k++)
    if (evaluate_term (&r.run.truth, s->omissions.data[k].holds)) found = &s->omissions.data[k];
  machine_run_release (&r.run);
  schedule_release (&unused.schedule);
  return found;
}

// ---- runs -------------------------------------------------------------------------------------------
// Executes a thread up to the operation that it waits at: the machine's point may begin with operations of the thread
// that do not wait.
static void go_to_where_it_waits (circuit_trace_builder *r, uint32_t thread) {
  uint32_t point = r->run.at.data[thread];
  if (point == IR_NONE || !r->s->m->points.data[point].waits.count) return;
  machine_run_take (&r->run, thread, point, r->s->m->points.data[point].waits.data[0].step);
}

// Returns the threads that take no step in the loop, which is about to begin: all of them, if the chosen thread cannot
// step, because then no thread can.
static uint64_t find_resting (circuit_trace_builder *r) {
  uint32_t first = r->run.at.data[chosen_thread (r)];
  uint64_t all = UINT64_MAX;
  if (first == IR_NONE || machine_run_exit (&r->run, &r->s->m->points.data[first]) == IR_NONE) return all;
  for (; r->time < r->path->length; r->time++) all &= ~((uint64_t) 1 << chosen_thread (r));
  r->time = r->path->loop;
  return all;
}

static void let_rest (circuit_trace_builder *r) {
  r->time = r->path->loop;
  if (machine_run_is_over (&r->run)) return;
  uint64_t resting = find_resting (r);
  for (uint32_t t = 0; t < r->s->m->threads.count; t++)
    if (resting >> t & 1) go_to_where_it_waits (r, t);
}

void circuit_trace_run (transition_system *s, const lowered *l, const ir_program *program, const net_path *path,
                        uint32_t before, uint32_t inside, claim *out) {
  circuit_trace_builder r;
  tracing_init (&r, s, l, program, path, out);
  out->is_run = true;
  pass_steps (&r, 0, path->loop);
  for (uint32_t k = 0; k < before; k++) pass_steps (&r, path->loop, path->length);
  let_rest (&r);
  out->loop_from = schedule_edges (&out->schedule);
  for (uint32_t k = 0; k < inside; k++) pass_steps (&r, path->loop, path->length);
  machine_run_release (&r.run);
}
