// Builds a schedule from a model. Only nodes that must come before the steps of the violation are part of the schedule,
// so traces are as short as the bug allows. Steps between nodes are taken together with the next node of their thread.
#include "engine/order/order_trace.h"

typedef struct order_trace_builder {
  const order *o;
  const unwound *u;
  claim *out;
  const thread_position *stands;
  uint32_t num_stands;
  uint32_t next_step[IR_MAX_THREADS];  // by thread of the unwound program
  uint32_t slot[IR_MAX_THREADS];       // the same
  bool used[IR_MAX_THREADS];           // by slot
  uint32_t
      // by thread: the step that it does not take, because the step is a violation; IR_NONE: none
      stop[IR_MAX_THREADS];
  bool is_joined[IR_MAX_THREADS];  // by thread: in this trace
  map chosen;                      // memory that already has the value which its first reader chooses
} order_trace_builder;

static ir_value model_term_value (const order_trace_builder *t, term x) { return decider_value (t->o->decider, x); }
static bool is_true_in_trace_model (const order_trace_builder *t, term x) { return model_term_value (t, x) != 0; }

// ---- needed nodes -----------------------------------------------------------------------------------
// Returns the last node of the thread that begins before the step (or at it).
static uint32_t last_node_before (const order_trace_builder *t, uint32_t thread, uint32_t step, bool or_at) {
  const unwound_thread *x = &t->u->threads.data[thread];
  uint32_t last = IR_NONE;
  for (uint32_t k = 0; k < x->nodes.count; k++) {
    const unwound_node *n = &t->u->nodes.data[x->nodes.data[k]];
    if (order_is_executed (t->o, x->nodes.data[k]) && (n->first_step < step || (or_at && n->first_step == step)))
      last = x->nodes.data[k];
  }
  return last == IR_NONE ? x->create_node : last;
}

static bool is_node_needed (const order_trace_builder *t, uint32_t node, const uint32_t *lasts) {
  for (uint32_t k = 0; k < t->num_stands; k++)
    if (lasts[k] != IR_NONE && (lasts[k] == node || order_before (t->o, node, lasts[k]))) return true;
  return false;
}

// ---- choices ----------------------------------------------------------------------------------------
static void add_choice (order_trace_builder *t, ir_value v) { vec_push (&t->out->schedule.choices, v); }

static void add_step_choice (order_trace_builder *t, const unwound_step *s, ir_op op) {
  if (s->choice.i == TERM_NONE.i || !is_true_in_trace_model (t, s->chooses)) return;
  ir_value v = model_term_value (t, s->choice);
  add_choice (t, op == IR_COND_SIGNAL ? t->slot[(uint32_t) v % IR_MAX_THREADS] : v);
}

// Undefined memory gets its value when it is first read.
static void add_first_reads (order_trace_builder *t, uint32_t node) {
  for (uint32_t e = 0; e < t->u->events.count; e++) {
    const unwound_event *x = &t->u->events.data[e];
    if (x->node != node || x->write || !is_true_in_trace_model (t, x->guard)) continue;
    uint32_t source = order_writer (t->o, e);
    bool undefined = source == IR_NONE ? x->undefined : t->u->events.data[source].undefined;
    if (!undefined) continue;
    uint64_t place =
        (uint64_t) x->cell << 32 | (x->offset.i == TERM_NONE.i ? 0 : (uint32_t) model_term_value (t, x->offset));
    bool is_new;
    map_insert (&t->chosen, source == IR_NONE ? place : ~(uint64_t) source, 0, &is_new);
    if (is_new) add_choice (t, model_term_value (t, x->value));
  }
}

static void find_stops (order_trace_builder *t) {
  for (uint32_t k = 0; k < IR_MAX_THREADS; k++) t->stop[k] = IR_NONE;
  for (uint32_t k = 0; k < t->u->stops.count; k++) {
    const unwound_stop *s = &t->u->stops.data[k];
    if (s->step < t->stop[s->thread] && is_true_in_trace_model (t, s->condition)) t->stop[s->thread] = s->step;
  }
}

// ---- slots ------------------------------------------------------------------------------------------
static void take_slot (order_trace_builder *t, uint32_t thread) {
  uint32_t slot = 0;
  while (slot < IR_MAX_THREADS - 1 && t->used[slot]) slot++;
  t->used[slot] = true;
  t->slot[thread] = slot;
}

static void change_slots (order_trace_builder *t, uint32_t node) {
  const unwound_node *n = &t->u->nodes.data[node];
  for (uint32_t k = 0; k < t->u->threads.count; k++)
    if (t->u->threads.data[k].create_node == node && is_true_in_trace_model (t, t->u->threads.data[k].guard))
      take_slot (t, k);
  for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++)
    if (is_true_in_trace_model (t, t->u->joins.data[k].condition)) t->used[t->slot[t->u->joins.data[k].thread]] = false;
}

// ---- steps ------------------------------------------------------------------------------------------
static const thread_position *stop_position (const order_trace_builder *t, uint32_t thread) {
  for (uint32_t k = 0; k < t->num_stands; k++)
    if (t->stands[k].thread == thread) return &t->stands[k];
  return NULL;
}

// All of the thread's steps up to `end`, but not the step at which the thread stops.
static void append_thread_steps (order_trace_builder *t, const ir_program *p, uint32_t thread, uint32_t end) {
  const unwound_thread *x = &t->u->threads.data[thread];
  const thread_position *s = stop_position (t, thread);
  if (s && s->step < end) end = s->step;
  if (t->stop[thread] < end) end = t->stop[thread];
  for (; t->next_step[thread] < end; t->next_step[thread]++) {
    const unwound_step *step = &x->steps.data[t->next_step[thread]];
    if (!is_true_in_trace_model (t, step->guard)) continue;
    add_step_choice (t, step, p->edges.data[step->edge.i].op);
    schedule_add (&t->out->schedule, t->slot[thread], 1);
  }
}

static bool waits_for_end (const order_trace_builder *t, const unwound_join *j) {
  return is_true_in_trace_model (t, j->condition) && is_true_in_trace_model (t, t->u->threads.data[j->thread].ended);
}

// A thread that is joined at this node has to reach its end first.
static void end_joined (order_trace_builder *t, const ir_program *p, const unwound_node *n) {
  for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++) {
    const unwound_join *j = &t->u->joins.data[k];
    if (waits_for_end (t, j)) append_thread_steps (t, p, j->thread, t->u->threads.data[j->thread].steps.count);
  }
}

static void record_joined (order_trace_builder *t, uint32_t node) {
  const unwound_node *n = &t->u->nodes.data[node];
  for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++)
    if (waits_for_end (t, &t->u->joins.data[k])) t->is_joined[t->u->joins.data[k].thread] = true;
}

// If another thread waits for the end of a thread, the thread ends right after its last node: no extra switch to it is
// needed.
static void end_after (order_trace_builder *t, const ir_program *p, uint32_t node) {
  uint32_t thread = t->u->nodes.data[node].thread;
  if (t->is_joined[thread] && last_node_before (t, thread, IR_NONE, false) == node)
    append_thread_steps (t, p, thread, t->u->threads.data[thread].steps.count);
}

static void take_node (order_trace_builder *t, const ir_program *p, uint32_t node) {
  const unwound_node *n = &t->u->nodes.data[node];
  end_joined (t, p, n);
  append_thread_steps (t, p, n->thread, n->first_step);
  add_first_reads (t, node);
  append_thread_steps (t, p, n->thread, n->last_step + 1);
  change_slots (t, node);
  end_after (t, p, node);
}

// The step at which the thread ends; 0: the thread does not end.
static uint32_t thread_end_step (const order_trace_builder *t, const ir_program *p, uint32_t thread) {
  const unwound_thread *x = &t->u->threads.data[thread];
  if (t->stop[thread] != IR_NONE) return t->stop[thread];
  if (!is_true_in_trace_model (t, x->ended) && !is_true_in_trace_model (t, x->leaves)) return 0;
  for (uint32_t i = 0; i < x->steps.count; i++)
    if (p->edges.data[x->steps.data[i].edge.i].op == IR_EXIT && is_true_in_trace_model (t, x->steps.data[i].guard))
      return i;
  return x->steps.count;
}

// Every thread that can reach its end does so: no other thread could wake the waiting threads later.
static void end_threads (order_trace_builder *t, const ir_program *p) {
  for (uint32_t k = 0; k < t->u->threads.count; k++)
    if (is_true_in_trace_model (t, t->u->threads.data[k].guard))
      append_thread_steps (t, p, k, thread_end_step (t, p, k));
}

// ---- inside atomic regions --------------------------------------------------------------------------
// A thread inside an atomic region keeps the other threads from stepping, so it goes there last.
static bool stops_inside_region (const order_trace_builder *t, const thread_position *s, uint32_t node) {
  if (node == IR_NONE || t->u->nodes.data[node].thread != s->thread) return false;
  return t->u->nodes.data[node].first_step < s->step && s->step <= t->u->nodes.data[node].last_step;
}

static bool has_stop_inside (const order_trace_builder *t, uint32_t node) {
  for (uint32_t k = 0; k < t->num_stands; k++)
    if (stops_inside_region (t, &t->stands[k], node)) return true;
  return false;
}

// No other thread steps while a thread is in its region: a region that the thread does not leave does not matter to the
// others.
static bool is_left (const order_trace_builder *t, uint32_t node) {
  return is_true_in_trace_model (t, t->u->nodes.data[node].shows) && !has_stop_inside (t, node);
}

static void enter_region_last (order_trace_builder *t, const ir_program *p, const thread_position *s, uint32_t node) {
  append_thread_steps (t, p, s->thread, t->u->nodes.data[node].first_step);
  add_first_reads (t, node);
  append_thread_steps (t, p, s->thread, s->step);
}

void trace_claim (const order *o, const ir_program *p, ir_property property, const thread_position *stands,
                  uint32_t count, claim *out) {
  order_trace_builder t = {.o = o, .u = o->u, .out = out, .stands = stands, .num_stands = count};
  uint32_t lasts[IR_MAX_THREADS];
  *out = (claim){.property = property, .num_threads = count};
  find_stops (&t);
  take_slot (&t, 0);
  for (uint32_t k = 0; k < count; k++)
    lasts[k] = last_node_before (&t, stands[k].thread, stands[k].step, property != IR_P_RACE);
  VEC (uint32_t) taken = {0};
  for (uint32_t k = 0; k < o->line.count; k++)
    if ((property == IR_P_DEADLOCK || is_node_needed (&t, o->line.data[k], lasts)) && is_left (&t, o->line.data[k]))
      vec_push (&taken, o->line.data[k]);
  for (uint32_t k = 0; k < taken.count; k++) record_joined (&t, taken.data[k]);
  for (uint32_t k = 0; k < taken.count; k++) take_node (&t, p, taken.data[k]);
  vec_release (&taken);
  if (property == IR_P_DEADLOCK) end_threads (&t, p);
  for (uint32_t k = 0; k < count; k++)
    if (!stops_inside_region (&t, &stands[k], lasts[k])) append_thread_steps (&t, p, stands[k].thread, stands[k].step);
  for (uint32_t k = 0; k < count; k++) {
    if (stops_inside_region (&t, &stands[k], lasts[k])) enter_region_last (&t, p, &stands[k], lasts[k]);
    out->thread[k] = t.slot[stands[k].thread];
    out->edge[k] = stands[k].edge;
  }
  map_release (&t.chosen);
}
