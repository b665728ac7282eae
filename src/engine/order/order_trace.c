// Only nodes that come before where the threads stand are part of the schedule: so traces are as short as the bug needs.  Steps between
// nodes are taken with the next node of their thread.
#include "engine/order/order_trace.h"

typedef struct tracing {
  const order *o;
  const unwound *u;
  claim *out;
  const stand *stands;
  uint32_t num_stands;
  uint32_t next_step[IR_MAX_THREADS];  // by thread of the unwound program
  uint32_t slot[IR_MAX_THREADS];       // the same
  bool used[IR_MAX_THREADS];           // by slot
  uint32_t
      stop[IR_MAX_THREADS];  // by thread: the step it does not take, because something is wrong there; IR_NONE: none
  bool is_joined[IR_MAX_THREADS];  // by thread: in this trace
  map chosen;                      // places whose first reader has chosen
} tracing;

static ir_value value_of (const tracing *t, term x) { return decider_value (t->o->decider, x); }
static bool holds (const tracing *t, term x) { return value_of (t, x) != 0; }

// ---- what is needed -----------------------------------------------------------------------------------------------------
// The last node of the thread that begins before the step.
static uint32_t last_node_before (const tracing *t, uint32_t thread, uint32_t step, bool or_at) {
  const unwound_thread *x = &t->u->threads.data[thread];
  uint32_t last = IR_NONE;
  for (uint32_t k = 0; k < x->nodes.count; k++) {
    const unwound_node *n = &t->u->nodes.data[x->nodes.data[k]];
    if (order_happens (t->o, x->nodes.data[k]) && (n->first_step < step || (or_at && n->first_step == step)))
      last = x->nodes.data[k];
  }
  return last == IR_NONE ? x->create_node : last;
}

static bool is_needed (const tracing *t, uint32_t node, const uint32_t *lasts) {
  for (uint32_t k = 0; k < t->num_stands; k++)
    if (lasts[k] != IR_NONE && (lasts[k] == node || order_before (t->o, node, lasts[k]))) return true;
  return false;
}

// ---- choices --------------------------------------------------------------------------------------------------------------
static void add_choice (tracing *t, ir_value v) { vec_push (&t->out->schedule.choices, v); }

static void add_step_choice (tracing *t, const unwound_step *s, ir_op op) {
  if (s->choice.i == TERM_NONE.i || !holds (t, s->chooses)) return;
  ir_value v = value_of (t, s->choice);
  add_choice (t, op == IR_COND_SIGNAL ? t->slot[(uint32_t) v % IR_MAX_THREADS] : v);
}

// Undefined memory gets its value when it is first read.
static void add_first_reads (tracing *t, uint32_t node) {
  for (uint32_t e = 0; e < t->u->events.count; e++) {
    const unwound_event *x = &t->u->events.data[e];
    if (x->node != node || x->write || !holds (t, x->guard)) continue;
    uint32_t source = order_writer (t->o, e);
    bool undefined = source == IR_NONE ? x->undefined : t->u->events.data[source].undefined;
    if (!undefined) continue;
    uint64_t place = (uint64_t) x->cell << 32 | (x->offset.i == TERM_NONE.i ? 0 : (uint32_t) value_of (t, x->offset));
    bool is_new;
    map_insert (&t->chosen, source == IR_NONE ? place : ~(uint64_t) source, 0, &is_new);
    if (is_new) add_choice (t, value_of (t, x->value));
  }
}

static void find_stops (tracing *t) {
  for (uint32_t k = 0; k < IR_MAX_THREADS; k++) t->stop[k] = IR_NONE;
  for (uint32_t k = 0; k < t->u->stops.count; k++) {
    const unwound_stop *s = &t->u->stops.data[k];
    if (s->step < t->stop[s->thread] && holds (t, s->condition)) t->stop[s->thread] = s->step;
  }
}

// ---- slots ------------------------------------------------------------------------------------------------------------------
static void take_slot (tracing *t, uint32_t thread) {
  uint32_t slot = 0;
  while (slot < IR_MAX_THREADS - 1 && t->used[slot]) slot++;
  t->used[slot] = true;
  t->slot[thread] = slot;
}

static void change_slots (tracing *t, uint32_t node) {
  const unwound_node *n = &t->u->nodes.data[node];
  for (uint32_t k = 0; k < t->u->threads.count; k++)
    if (t->u->threads.data[k].create_node == node && holds (t, t->u->threads.data[k].guard)) take_slot (t, k);
  for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++)
    if (holds (t, t->u->joins.data[k].condition)) t->used[t->slot[t->u->joins.data[k].thread]] = false;
}

// ---- steps --------------------------------------------------------------------------------------------------------------------
static const stand *stand_of (const tracing *t, uint32_t thread) {
  for (uint32_t k = 0; k < t->num_stands; k++)
    if (t->stands[k].thread == thread) return &t->stands[k];
  return NULL;
}

// All of the thread's steps up to this one, but not where it shall stand.
static void take_steps (tracing *t, const ir_program *p, uint32_t thread, uint32_t end) {
  const unwound_thread *x = &t->u->threads.data[thread];
  const stand *s = stand_of (t, thread);
  if (s && s->step < end) end = s->step;
  if (t->stop[thread] < end) end = t->stop[thread];
  for (; t->next_step[thread] < end; t->next_step[thread]++) {
    const unwound_step *step = &x->steps.data[t->next_step[thread]];
    if (!holds (t, step->guard)) continue;
    add_step_choice (t, step, p->edges.data[step->edge.i].op);
    schedule_add (&t->out->schedule, t->slot[thread], 1);
  }
}

static bool waits_for_end (const tracing *t, const unwound_join *j) {
  return holds (t, j->condition) && holds (t, t->u->threads.data[j->thread].ended);
}

// Who is joined there has to come to its end first.
static void end_joined (tracing *t, const ir_program *p, const unwound_node *n) {
  for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++) {
    const unwound_join *j = &t->u->joins.data[k];
    if (waits_for_end (t, j)) take_steps (t, p, j->thread, t->u->threads.data[j->thread].steps.count);
  }
}

static void note_joined (tracing *t, uint32_t node) {
  const unwound_node *n = &t->u->nodes.data[node];
  for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++)
    if (waits_for_end (t, &t->u->joins.data[k])) t->is_joined[t->u->joins.data[k].thread] = true;
}

// A thread whose end somebody waits for goes there right after its last node, so that nobody has to switch to it for that.
static void end_after (tracing *t, const ir_program *p, uint32_t node) {
  uint32_t thread = t->u->nodes.data[node].thread;
  if (t->is_joined[thread] && last_node_before (t, thread, IR_NONE, false) == node)
    take_steps (t, p, thread, t->u->threads.data[thread].steps.count);
}

static void take_node (tracing *t, const ir_program *p, uint32_t node) {
  const unwound_node *n = &t->u->nodes.data[node];
  end_joined (t, p, n);
  take_steps (t, p, n->thread, n->first_step);
  add_first_reads (t, node);
  take_steps (t, p, n->thread, n->last_step + 1);
  change_slots (t, node);
  end_after (t, p, node);
}

// Where a thread ends; 0: it does not.
static uint32_t end_of (const tracing *t, const ir_program *p, uint32_t thread) {
  const unwound_thread *x = &t->u->threads.data[thread];
  if (t->stop[thread] != IR_NONE) return t->stop[thread];
  if (!holds (t, x->ended) && !holds (t, x->leaves)) return 0;
  for (uint32_t i = 0; i < x->steps.count; i++)
    if (p->edges.data[x->steps.data[i].edge.i].op == IR_EXIT && holds (t, x->steps.data[i].guard)) return i;
  return x->steps.count;
}

// Whoever can come to its end does: nobody else is left who could wake those who wait.
static void end_threads (tracing *t, const ir_program *p) {
  for (uint32_t k = 0; k < t->u->threads.count; k++)
    if (holds (t, t->u->threads.data[k].guard)) take_steps (t, p, k, end_of (t, p, k));
}

// ---- in the midst of a region -----------------------------------------------------------------------------------------------
// Who stands inside an atomic region keeps the others from stepping: it goes there last.
static bool stands_inside (const tracing *t, const stand *s, uint32_t node) {
  if (node == IR_NONE || t->u->nodes.data[node].thread != s->thread) return false;
  return t->u->nodes.data[node].first_step < s->step && s->step <= t->u->nodes.data[node].last_step;
}

static bool is_stood_in (const tracing *t, uint32_t node) {
  for (uint32_t k = 0; k < t->num_stands; k++)
    if (stands_inside (t, &t->stands[k], node)) return true;
  return false;
}

// Nobody else steps while somebody is inside: a region that is not left plays no role for the others.
static bool is_left (const tracing *t, uint32_t node) {
  return holds (t, t->u->nodes.data[node].shows) && !is_stood_in (t, node);
}

static void enter_region (tracing *t, const ir_program *p, const stand *s, uint32_t node) {
  take_steps (t, p, s->thread, t->u->nodes.data[node].first_step);
  add_first_reads (t, node);
  take_steps (t, p, s->thread, s->step);
}

void trace_claim (const order *o, const ir_program *p, ir_property property, const stand *stands, uint32_t count,
                  claim *out) {
  tracing t = {.o = o, .u = o->u, .out = out, .stands = stands, .num_stands = count};
  uint32_t lasts[IR_MAX_THREADS];
  *out = (claim){.property = property, .num_threads = count};
  find_stops (&t);
  take_slot (&t, 0);
  for (uint32_t k = 0; k < count; k++)
    lasts[k] = last_node_before (&t, stands[k].thread, stands[k].step, property != IR_P_RACE);
  VEC (uint32_t) taken = {0};
  for (uint32_t k = 0; k < o->line.count; k++)
    if ((property == IR_P_DEADLOCK || is_needed (&t, o->line.data[k], lasts)) && is_left (&t, o->line.data[k]))
      vec_push (&taken, o->line.data[k]);
  for (uint32_t k = 0; k < taken.count; k++) note_joined (&t, taken.data[k]);
  for (uint32_t k = 0; k < taken.count; k++) take_node (&t, p, taken.data[k]);
  vec_release (&taken);
  if (property == IR_P_DEADLOCK) end_threads (&t, p);
  for (uint32_t k = 0; k < count; k++)
    if (!stands_inside (&t, &stands[k], lasts[k])) take_steps (&t, p, stands[k].thread, stands[k].step);
  for (uint32_t k = 0; k < count; k++) {
    if (stands_inside (&t, &stands[k], lasts[k])) enter_region (&t, p, &stands[k], lasts[k]);
    out->thread[k] = t.slot[stands[k].thread];
    out->edge[k] = stands[k].edge;
  }
  map_release (&t.chosen);
}
