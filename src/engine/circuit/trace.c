// The machine is executed point by point, with the threads and inputs that the path names: the large steps are gone, and every step of the program is there.
#include "engine/circuit/trace.h"

#include "encode/evaluate.h"
#include "engine/slots.h"

typedef struct tracing {
  transition_system *s;
  const lowered *l;
  const ir_program *program;
  const net_path *path;
  claim *out;
  uint32_t time;         // step of the path
  VEC (ir_value) value;  // by variable of the machine
  VEC (uint32_t) at;     // by thread: its point
  evaluator truth;
  slots slots;
} tracing;

// ---- values ----------------------------------------------------------------------------------------------------------------------
static ir_value counter_value (const tracing *r, uint32_t thread) {
  uint32_t point = r->at.data[thread];
  return point == IR_NONE ? system_stuck_code (r->s, thread) : r->s->code.data[r->s->steps.step_of.data[point]];
}

static bool leaf_value (void *user, term t, ir_value *x) {
  const tracing *r = user;
  const term_pool *p = &r->s->m->terms;
  const uint64_t *v = map_find (&r->s->m->variable_of, t.i);
  if (term_at (p, t)->op != IR_X_REG) return false;
  *x = v ? r->value.data[*v] : lowered_input (r->l, r->path, r->time, t, term_bits (p, t));
  for (uint32_t k = 0; k < r->s->pc.count; k++)
    if (r->s->states.data[r->s->pc.data[k]].now.i == t.i) *x = counter_value (r, k);
  return true;
}

static uint32_t point_of_code (const transition_system *s, uint32_t thread, ir_value code) {
  for (uint32_t k = 0; k < s->steps.steps.count; k++) {
    uint32_t point = s->steps.steps.data[k].point;
    if (s->m->points.data[point].thread == thread && s->code.data[k] == code) return point;
  }
  return IR_NONE;
}

static void begin (tracing *r) {
  const transition_system *s = r->s;
  for (uint32_t v = 0; v < s->m->variables.count; v++) {
    unsigned bits = term_bits (&s->m->terms, s->m->variables.data[v].now);
    vec_push (&r->value, lowered_start (r->l, r->path, s->state_of.data[v], bits));
  }
  for (uint32_t t = 0; t < s->m->threads.count; t++) {
    unsigned bits = term_bits (&s->m->terms, s->states.data[s->pc.data[t]].now);
    vec_push (&r->at, point_of_code (s, t, lowered_start (r->l, r->path, s->pc.data[t], bits)));
  }
}

// ---- steps of the program ----------------------------------------------------------------------------------------------------------
static void take_steps (tracing *r, uint32_t thread, uint32_t point, uint32_t count) {
  const efsm_point *p = &r->s->m->points.data[point];
  for (uint32_t k = 0; k < count && k < p->steps.count; k++) {
    const efsm_step *s = &p->steps.data[k];
    if (s->choice.i != TERM_NONE.i && evaluate (&r->truth, s->chooses)) {
      ir_value v = evaluate (&r->truth, s->choice);
      bool names_thread = ir_edge_at (r->program, s->edge)->op == IR_COND_SIGNAL;
      vec_push (&r->out->schedule.choices, names_thread ? r->slots.of[v % MOST_SLOTS] : v);
    }
    schedule_add (&r->out->schedule, r->slots.of[thread], 1);
  }
}

static bool holds_now (void *state, term t) {
  tracing *r = state;
  return evaluate (&r->truth, t);
}

static uint32_t exit_of (tracing *r, const efsm_point *p) {
  for (uint32_t k = 0; k < p->exits.count; k++)
    if (evaluate (&r->truth, p->exits.data[k].guard)) return p->exits.data[k].to;
  return IR_NONE;
}

static void update (tracing *r, const efsm_point *p) {
  VEC (ir_value) next = {0};
  for (uint32_t k = 0; k < p->updates.count; k++) vec_push (&next, evaluate (&r->truth, p->updates.data[k].value));
  for (uint32_t k = 0; k < p->updates.count; k++) r->value.data[p->updates.data[k].variable] = next.data[k];
  evaluator_forget (&r->truth);
  vec_release (&next);
}

// One large step, or up to the point `until`.  Who gets stuck inside stands nowhere.
static void go (tracing *r, uint32_t thread, uint32_t until) {
  for (bool first = true;; first = false) {
    uint32_t point = r->at.data[thread];
    if (point == IR_NONE || point == until || (!first && r->s->steps.step_of.data[point] != IR_NONE)) return;
    const efsm_point *p = &r->s->m->points.data[point];
    uint32_t to = exit_of (r, p);
    if (to != IR_NONE || !first) r->at.data[thread] = to;
    if (to == IR_NONE) return;
    take_steps (r, thread, point, p->steps.count);
    slots_pass (&r->slots, r->s->m, p, holds_now, r);
    update (r, p);
  }
}

static uint32_t chosen (const tracing *r) {
  const transition_system *s = r->s;
  return system_chosen (s, lowered_input (r->l, r->path, r->time, s->who, term_bits (&s->m->terms, s->who)));
}

// ---- the end -----------------------------------------------------------------------------------------------------------------------
static uint32_t find_goal (tracing *r, const bool *asked) {
  for (uint32_t k = 0; k < r->s->goals.count; k++)
    if (asked[k] && evaluate (&r->truth, r->s->goals.data[k].holds)) return k;
  return IR_NONE;
}

static void claim_violation (tracing *r, const system_goal *g) {
  const efsm_goal *wrong = &r->s->m->points.data[g->point].goals.data[g->number];
  go (r, g->thread, g->point);
  take_steps (r, g->thread, g->point, wrong->step);
  r->out->num_threads = 1;
  r->out->thread[0] = r->slots.of[g->thread];
  r->out->edge[0] = wrong->edge;
}

// Who stands in an atomic region comes there last.
static void claim_race (tracing *r, const system_goal *g) {
  const efsm_access *a = &r->s->m->points.data[g->point].accesses.data[g->number],
                    *b = &r->s->m->points.data[g->other_point].accesses.data[g->other];
  if (!a->in_region) take_steps (r, g->thread, g->point, a->step);
  take_steps (r, g->other_thread, g->other_point, b->step);
  if (a->in_region) take_steps (r, g->thread, g->point, a->step);
  r->out->num_threads = 2;
  r->out->thread[0] = r->slots.of[g->thread], r->out->thread[1] = r->slots.of[g->other_thread];
  r->out->edge[0] = a->edge, r->out->edge[1] = b->edge;
}

// All that are stuck, each before what it waits for.
static void claim_deadlock (tracing *r) {
  bool stuck[MOST_SLOTS] = {0};
  for (uint32_t t = 0; t < r->s->stuck.count; t++) stuck[t] = evaluate (&r->truth, r->s->stuck.data[t]);
  for (uint32_t t = 0; t < r->s->stuck.count; t++) {
    if (!stuck[t]) continue;
    const efsm_point *p = &r->s->m->points.data[r->at.data[t]];
    uint32_t wait = 0;
    while (!evaluate (&r->truth, p->waits.data[wait].blocked)) wait++;
    take_steps (r, t, r->at.data[t], p->waits.data[wait].step);
    r->out->thread[r->out->num_threads] = r->slots.of[t];
    r->out->edge[r->out->num_threads++] = p->waits.data[wait].edge;
  }
}

static void tracing_init (tracing *r, transition_system *s, const lowered *l, const ir_program *program,
                          const net_path *path, claim *out) {
  *r = (tracing){.s = s, .l = l, .program = program, .path = path, .out = out};
  r->truth = (evaluator){.pool = &s->m->terms, .leaf_value = leaf_value, .state = r};
  *out = (claim){0};
  begin (r);
  slots_init (&r->slots, s->m);
}

static void tracing_release (tracing *r) {
  vec_release (&r->value);
  vec_release (&r->at);
  evaluator_release (&r->truth);
}

static bool is_over (const tracing *r) {
  uint32_t over = r->s->m->over;
  return over != IR_NONE && r->value.data[over];
}

static void pass_steps (tracing *r, uint32_t from, uint32_t to) {
  for (r->time = from; r->time < to; r->time++) {
    if (!is_over (r)) go (r, chosen (r), IR_NONE);
    evaluator_forget (&r->truth);
  }
}

uint32_t circuit_trace (transition_system *s, const lowered *l, const ir_program *program, const net_path *path,
                        const bool *asked, claim *out) {
  tracing r;
  tracing_init (&r, s, l, program, path, out);
  pass_steps (&r, 0, path->length - 1);
  uint32_t goal = find_goal (&r, asked);
  if (goal != IR_NONE) {
    const system_goal *g = &s->goals.data[goal];
    out->property = g->property;
    if (g->property == IR_P_RACE) claim_race (&r, g);
    else if (g->property == IR_P_DEADLOCK) claim_deadlock (&r);
    else claim_violation (&r, g);
  }
  tracing_release (&r);
  return goal;
}

const system_loss *circuit_trace_loss (transition_system *s, const lowered *l, const ir_program *program,
                                       const net_path *path) {
  tracing r;
  claim unused;
  const system_loss *found = NULL;
  tracing_init (&r, s, l, program, path, &unused);
  pass_steps (&r, 0, path->length - 1);
  for (uint32_t k = 0; k < s->losses.count && !found; k++)
    if (evaluate (&r.truth, s->losses.data[k].holds)) found = &s->losses.data[k];
  tracing_release (&r);
  schedule_release (&unused.schedule);
  return found;
}

// ---- runs --------------------------------------------------------------------------------------------------------------------------
// In the machine a thread waits at a point that may begin with operations of its own; in the program it does those first.
static void go_to_where_it_waits (tracing *r, uint32_t thread) {
  uint32_t point = r->at.data[thread];
  if (point == IR_NONE || !r->s->m->points.data[point].waits.count) return;
  take_steps (r, thread, point, r->s->m->points.data[point].waits.data[0].step);
}

// Threads that take no step in the loop, which is about to begin: all of them, if the chosen one cannot, because nobody can.
static uint64_t find_resting (tracing *r) {
  uint32_t first = r->at.data[chosen (r)];
  uint64_t all = UINT64_MAX;
  if (first == IR_NONE || exit_of (r, &r->s->m->points.data[first]) == IR_NONE) return all;
  for (; r->time < r->path->length; r->time++) all &= ~((uint64_t) 1 << chosen (r));
  r->time = r->path->loop;
  return all;
}

static void let_rest (tracing *r) {
  r->time = r->path->loop;
  if (is_over (r)) return;
  uint64_t resting = find_resting (r);
  for (uint32_t t = 0; t < r->s->m->threads.count; t++)
    if (resting >> t & 1) go_to_where_it_waits (r, t);
}

void circuit_trace_run (transition_system *s, const lowered *l, const ir_program *program, const net_path *path,
                        uint32_t before, uint32_t inside, claim *out) {
  tracing r;
  tracing_init (&r, s, l, program, path, out);
  out->is_run = true;
  pass_steps (&r, 0, path->loop);
  for (uint32_t k = 0; k < before; k++) pass_steps (&r, path->loop, path->length);
  let_rest (&r);
  out->loop_from = schedule_edges (&out->schedule);
  for (uint32_t k = 0; k < inside; k++) pass_steps (&r, path->loop, path->length);
  tracing_release (&r);
}
