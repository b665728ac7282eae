// Values that go with the token.  (4) of the paper makes every shared variable equal in every pass: bits times passes
// clauses, of which most play no role. So at first nothing is carried.  A model is then compared with what happens: the
// values that the threads have if each pass brings all of them.  Where a thread gets somewhere only because a value was
// lost on the way, that variable is carried from now on, in all passes. Without some of the clauses there are more
// models, never fewer: no answer "no" depends on this.
#include "encode/evaluate.h"
#include "engine/lazy/lazy.h"

static bool is_shared (const lazy_model *u, uint32_t v) { return u->m->variables.data[v].owner == IR_NONE; }

void lazy_begin_values (lazy_model *u) {
  for (uint32_t v = 0; v < u->m->variables.count; v++)
    vec_push (&u->carried, is_shared (u, v) && !u->options.few_values);
}

static void carry_in (lazy_model *u, const lazy_pass *p, uint32_t v) {
  const lazy_frame *r = &u->lanes.data[p->i].frames.data[p->k], *w = &u->lanes.data[p->j].frames.data[p->h];
  decider_equal_if (u->decider, p->literal, r->fresh[v], w->value[v]);
}

void lazy_carry_values (lazy_model *u, const lazy_pass *p) {
  for (uint32_t v = 0; v < u->carried.count; v++)
    if (u->carried.data[v]) carry_in (u, p, v);
}

static void carry (lazy_model *u, uint32_t v) {
  u->carried.data[v] = true;
  for (uint32_t k = 0; k < u->passes.count; k++) carry_in (u, &u->passes.data[k], v);
}

// ---- what happens -----------------------------------------------------------------------------------
typedef struct brought {
  uint32_t variable;
  term source;  // what the thread has that gives the token
  ir_value value;
} brought;

typedef struct course {
  lazy_model *u;
  evaluator truth;
  map by_fresh;  // term that stands for what is taken over -> index in `brought`
  VEC (brought) brought;
} course;

static const brought *find_brought (const course *c, term t) {
  const uint64_t *index = map_find (&c->by_fresh, t.i);
  return index ? &c->brought.data[*index] : NULL;
}

static bool leaf_value (void *state, term t, ir_value *value) {
  const course *c = state;
  const brought *b = find_brought (c, t);
  *value = b ? b->value : decider_value (c->u->decider, t);
  return true;
}

// In the order of the passes what is given is known when it is taken.
static void follow (course *c, const lazy_switch *s) {
  const lazy_frame *r = &c->u->lanes.data[s->to].frames.data[s->to_depth],
                   *w = &c->u->lanes.data[s->from].frames.data[s->from_depth];
  for (uint32_t v = 0; v < c->u->carried.count; v++) {
    if (!is_shared (c->u, v)) continue;
    map_insert (&c->by_fresh, r->fresh[v].i, c->brought.count, NULL);
    vec_push (&c->brought, ((brought){v, w->value[v], evaluate_term (&c->truth, w->value[v])}));
  }
}

// ---- what was lost ----------------------------------------------------------------------------------
static bool differs (course *c, term t) { return evaluate_term (&c->truth, t) != decider_value (c->u->decider, t); }

// The operand to blame for a value that is not the true one; TERM_NONE: the operator itself was given any value.
static term wrong_operand (course *c, term t) {
  const term_node *n = term_at (c->u->terms, t);
  if (n->op == IR_X_CONST || n->op == IR_X_REG) return TERM_NONE;
  if (n->op == IR_X_ITE && !differs (c, n->arg[0])) return n->arg[evaluate_term (&c->truth, n->arg[0]) ? 1 : 2];
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (differs (c, n->arg[k])) return n->arg[k];
  return TERM_NONE;
}

// The variable whose value got lost, of those that this term depends on; IR_NONE: none.
static uint32_t find_lost (course *c, term t) {
  while (t.i != TERM_NONE.i) {
    const brought *b = find_brought (c, t);
    if (b && !differs (c, b->source)) return b->variable;
    t = b ? b->source : wrong_operand (c, t);
  }
  return IR_NONE;
}

static term at_move (const lazy_model *u, const lazy_move *x) {
  const lazy_lane *l = &u->lanes.data[x->thread];
  const reach_at *a = reach_find (&l->reach, x->depth, x->point);
  return l->frames.data[x->depth].at.data[a - l->reach.depths.data[x->depth].points.data];
}

static uint32_t lost_in (course *c, term t) { return differs (c, t) ? find_lost (c, t) : IR_NONE; }

// That the thread is there, and what is chosen for it.
static uint32_t lost_in_move (course *c, const lazy_move *x) {
  const efsm_point *p = &c->u->m->points.data[x->point];
  uint32_t lost = lost_in (c, at_move (c->u, x));
  for (uint32_t k = 0; k < p->steps.count && lost == IR_NONE; k++) {
    const efsm_step *s = &p->steps.data[k];
    if (s->choice.i == TERM_NONE.i) continue;
    lost = lost_in (c, lazy_at (c->u, x->thread, x->depth, s->chooses));
    if (lost == IR_NONE) lost = lost_in (c, lazy_at (c->u, x->thread, x->depth, s->choice));
  }
  return lost;
}

static uint32_t first_lost (course *c, const lazy_goal *g) {
  lazy_moves moves = {0};
  lazy_find_moves (c->u, g, &moves);
  uint32_t lost = IR_NONE;
  for (uint32_t k = 0; k < moves.count && lost == IR_NONE; k++) lost = lost_in_move (c, &moves.data[k]);
  if (lost == IR_NONE) lost = lost_in (c, g->literal);
  vec_release (&moves);
  return lost;
}

bool lazy_lost_value (lazy_model *u, const lazy_goal *g) {
  if (u->options.eager || !u->options.few_values) return false;
  course c = {.u = u, .truth = {.pool = u->terms, .leaf_value = leaf_value}};
  c.truth.state = &c;
  lazy_switches switches = {0};
  lazy_find_switches (u, g, &switches);
  for (uint32_t k = 0; k < switches.count; k++) follow (&c, &switches.data[k]);
  uint32_t lost = first_lost (&c, g);
  if (lost != IR_NONE) carry (u, lost);
  vec_release (&switches);
  evaluator_release (&c.truth);
  map_release (&c.by_fresh);
  vec_release (&c.brought);
  return lost != IR_NONE;
}
