// Orders the moves of all threads into one trace. The eager model has them in order. In the lazy model the token gives
// the order (LAZY, appendix A): all moves of a thread from one taking of the token to its next one come together, then
// the moves of the thread that got the token.
#include "engine/lazy/lazy.h"

#include "base/diag.h"
#include "engine/slots.h"

static bool holds (lazy_model *u, term t) { return decider_value (u->decider, t) != 0; }

static uint32_t point_at (lazy_model *u, uint32_t thread, uint32_t depth) {
  const lazy_lane *l = &u->lanes.data[thread];
  if (depth >= l->frames.count) return IR_NONE;
  for (uint32_t k = 0; k < l->frames.data[depth].at.count; k++)
    if (holds (u, l->frames.data[depth].at.data[k])) return l->reach.depths.data[depth].points.data[k].point;
  return IR_NONE;
}

// ---- the lazy order ---------------------------------------------------------------------------------
static const lazy_pass *pass_between (lazy_model *u, uint32_t j, uint32_t from, uint32_t to) {
  for (uint32_t k = 0; k < u->passes.count; k++) {
    const lazy_pass *p = &u->passes.data[k];
    if (p->j == j && p->h >= from && p->h < to && holds (u, p->literal)) return p;
  }
  return NULL;
}

// Where the thread takes the token for the first time from this depth on.
static uint32_t next_taking (lazy_model *u, uint32_t t, uint32_t from) {
  const lazy_lane *l = &u->lanes.data[t];
  for (uint32_t d = from; d < l->frames.count; d++)
    if (!term_is_false (u->terms, l->frames.data[d].takes) && holds (u, l->frames.data[d].takes)) return d;
  return IR_NONE;
}

static uint32_t first_holder (lazy_model *u) {
  for (uint32_t t = 0; t < u->lanes.count; t++)
    if (holds (u, u->lanes.data[t].frames.data[0].token)) return t;
  return 0;
}

// All moves of the thread at depths [from..to[, as far as it goes.
static void add_moves (lazy_model *u, uint32_t t, uint32_t from, uint32_t to, lazy_moves *out) {
  for (uint32_t d = from; d < to; d++) {
    uint32_t p = point_at (u, t, d);
    if (p == IR_NONE || point_at (u, t, d + 1) == IR_NONE) return;  // it stays there for ever
    vec_push (out, ((lazy_move){t, d, p}));
  }
}

// What a thread does before it first takes the token: nothing that others see.
static void add_beginnings (lazy_model *u, uint32_t holder, lazy_moves *out) {
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    uint32_t d = next_taking (u, t, 0);
    if (t != holder && d != IR_NONE) add_moves (u, t, 0, d, out);
  }
}

static void token_moves (lazy_model *u, const lazy_goal *g, lazy_moves *out, lazy_switches *switches) {
  uint32_t holder = first_holder (u), from = 0;
  add_beginnings (u, holder, out);
  for (;;) {
    uint32_t taking = next_taking (u, holder, from), end = taking == IR_NONE ? u->depth : taking;
    const lazy_pass *p = pass_between (u, holder, from, end);
    bool is_race = g->property == IR_P_RACE && p && p == &u->passes.data[g->pass];
    if (switches && p) vec_push (switches, ((lazy_switch){p->j, p->h, p->i, p->k}));
    if (is_race) {
      add_moves (u, holder, from, p->h - 1, out);
      return;
    }
    if (g->property != IR_P_RACE && g->thread == holder && g->depth >= from && g->depth < end) {
      add_moves (u, holder, from, g->depth, out);
      return;
    }
    add_moves (u, holder, from, end, out);
    if (!p) return;
    holder = p->i;
    from = p->k + 1;  // the read sync itself does nothing
  }
}

// ---- the eager order --------------------------------------------------------------------------------
static uint32_t mover (lazy_model *u, uint32_t depth) {
  return (uint32_t) decider_value (u->decider, u->holder.data[depth]);
}

static void eager_moves (lazy_model *u, const lazy_goal *g, lazy_moves *out, lazy_switches *switches) {
  uint32_t taken[64] = {0};
  for (uint32_t d = 0; d < g->depth; d++) {
    uint32_t t = mover (u, d), p = point_at (u, t, d);
    if (p == IR_NONE) return;
    vec_push (out, ((lazy_move){t, d, p}));
    uint32_t next = d + 1 <= g->depth ? mover (u, d + 1) : t;
    if (switches && next != t) vec_push (switches, ((lazy_switch){t, taken[t], next, taken[next]}));
    taken[t]++;
  }
}

// The last access of shared memory before the token went on: its thread stands before it instead.  What the other did
// since then stays.
static lazy_move take_back_access (lazy_model *u, lazy_moves *moves) {
  uint32_t sync = moves->count;
  while (sync > 0 && u->m->points.data[moves->data[sync - 1].point].kind != POINT_WRITE_SYNC) sync--;
  CHECK (sync >= 2, "a race should follow an access");
  lazy_move access = moves->data[sync - 2];
  for (uint32_t k = sync; k < moves->count; k++) moves->data[k - 2] = moves->data[k];
  moves->count -= 2;
  return access;
}

static void find_moves (lazy_model *u, const lazy_goal *g, lazy_moves *out, lazy_switches *switches) {
  if (u->options.eager) eager_moves (u, g, out, switches);
  else token_moves (u, g, out, switches);
}

void lazy_find_moves (lazy_model *u, const lazy_goal *g, lazy_moves *out) { find_moves (u, g, out, NULL); }

void lazy_find_switches (lazy_model *u, const lazy_goal *g, lazy_switches *out) {
  lazy_moves moves = {0};
  find_moves (u, g, &moves, out);
  vec_release (&moves);
}

// ---- the schedule -----------------------------------------------------------------------------------
typedef struct tracing {
  lazy_model *u;
  const ir_program *program;
  claim *out;
  slots slots;
} tracing;

typedef struct moment {
  lazy_model *u;
  const lazy_move *move;
} moment;

static bool held_then (void *state, term t) {
  const moment *now = state;
  return holds (now->u, lazy_at (now->u, now->move->thread, now->move->depth, t));
}

static void take_steps (tracing *t, const lazy_move *m, uint32_t count) {
  const efsm_point *p = &t->u->m->points.data[m->point];
  for (uint32_t k = 0; k < count && k < p->steps.count; k++) {
    const efsm_step *s = &p->steps.data[k];
    if (s->choice.i != TERM_NONE.i && holds (t->u, lazy_at (t->u, m->thread, m->depth, s->chooses))) {
      ir_value v = decider_value (t->u->decider, lazy_at (t->u, m->thread, m->depth, s->choice));
      bool names_thread = ir_edge_at (t->program, s->edge)->op == IR_COND_SIGNAL;
      vec_push (&t->out->schedule.choices, names_thread ? t->slots.of[v % NUM_SLOTS] : v);
    }
    schedule_add (&t->out->schedule, t->slots.of[m->thread], 1);
  }
}

static void take_moves (tracing *t, const lazy_moves *moves) {
  for (uint32_t k = 0; k < moves->count; k++) {
    const lazy_move *m = &moves->data[k];
    take_steps (t, m, t->u->m->points.data[m->point].steps.count);
    slots_pass (&t->slots, t->u->m, &t->u->m->points.data[m->point], held_then, &(moment){t->u, m});
  }
}

static bool is_in_region (const tracing *t, uint32_t point, ir_edge edge, uint32_t step) {
  const efsm_point *p = &t->u->m->points.data[point];
  for (uint32_t k = 0; k < p->accesses.count; k++)
    if (p->accesses.data[k].edge.i == edge.i && p->accesses.data[k].step == step) return p->accesses.data[k].in_region;
  return false;
}

// Where the other thread of a race stands.
typedef struct racing {
  lazy_move move;
  uint32_t step;
  ir_edge edge;
} racing;

static racing racing_in_lazy (lazy_model *u, const lazy_goal *g) {
  const lazy_pass *p = &u->passes.data[g->pass];
  return (racing){{p->j, p->h - 1, point_at (u, p->j, p->h - 1)}, g->other_step, g->other_edge};
}

static racing racing_in_eager (lazy_model *u, const lazy_goal *g, lazy_moves *moves) {
  uint64_t packed = (uint64_t) decider_value (u->decider, eager_passed_access (u, g->depth));
  return (racing){take_back_access (u, moves), (uint32_t) packed, {(uint32_t) (packed >> 32)}};
}

// Of the two threads of a race, the one inside an atomic region comes to its access last.
void lazy_trace (lazy_model *u, const ir_program *program, const lazy_goal *g, claim *out) {
  tracing t = {.u = u, .program = program, .out = out};
  lazy_moves moves = {0};
  bool race = g->property == IR_P_RACE;
  *out = (claim){.property = g->property, .num_threads = race ? 2 : 1};
  slots_init (&t.slots, u->m);
  lazy_find_moves (u, g, &moves);
  racing other = {0};
  if (race) other = u->options.eager ? racing_in_eager (u, g, &moves) : racing_in_lazy (u, g);
  take_moves (&t, &moves);
  lazy_move last = {g->thread, g->depth, g->point};
  bool other_waits = race && is_in_region (&t, other.move.point, other.edge, other.step);
  if (other_waits) take_steps (&t, &last, g->step);
  if (race) {
    take_steps (&t, &other.move, other.step);
    out->thread[1] = t.slots.of[other.move.thread];
    out->edge[1] = other.edge;
  }
  if (!other_waits) take_steps (&t, &last, g->step);
  out->thread[0] = t.slots.of[g->thread];
  out->edge[0] = g->edge;
  vec_release (&moves);
}
