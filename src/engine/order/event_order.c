// Clauses about the write that each read may read from. A write is no candidate if it comes later than the read, or is
// overwritten before the read, in every execution.
#include "engine/order/event_order.h"

#include <string.h>

#include "engine/order/contexts.h"
#include "engine/order/order_graph.h"
#include "engine/order/total_order.h"

bool order_must_precede (const unwound *u, uint32_t node, uint32_t other) {
  const unwound_node *a = &u->nodes.data[node], *b = &u->nodes.data[other];
  return a->thread < b->num_before && b->before[a->thread] > a->index;
}

// ---- candidates -------------------------------------------------------------------------------------
// Events of one node are in program order.
static bool event_before (const order *o, uint32_t a, uint32_t b) {
  uint32_t m = unwound_event_at (o->u, a)->node, n = unwound_event_at (o->u, b)->node;
  return m == n ? a < b : order_must_precede (o->u, m, n);
}

static bool guard_implies (const order *o, term a, term b) {
  return a.i == b.i || term_is_true (o->terms, term_implies (o->terms, a, b));
}

static bool same_offset (const unwound_event *a, const unwound_event *b) { return a->offset.i == b->offset.i; }

typedef VEC (uint32_t) event_list;

// Collects the writes that come before the read in every execution in which the read is executed, and that overwrite
// everything before them.
static void find_hiding (const order *o, uint32_t read, event_list *hiding) {
  const unwound_event *r = unwound_event_at (o->u, read);
  for (uint32_t k = 0; k < o->writes.data[r->cell].count; k++) {
    uint32_t write = o->writes.data[r->cell].data[k];
    const unwound_event *x = unwound_event_at (o->u, write);
    if (event_before (o, write, read) && same_offset (x, r) && guard_implies (o, r->guard, x->guard))
      vec_push (hiding, write);
  }
}

static bool is_hidden (const order *o, uint32_t read, uint32_t write, const event_list *hiding) {
  for (uint32_t k = 0; k < hiding->count; k++) {
    uint32_t h = hiding->data[k];
    if (h == write) continue;
    if (event_before (o, write, h)) return true;
    // no other thread can step between two events of one node
    bool inside = unwound_event_at (o->u, h)->node == unwound_event_at (o->u, read)->node;
    if (inside && unwound_event_at (o->u, write)->node != unwound_event_at (o->u, h)->node) return true;
  }
  return false;
}

static bool may_read_from (const order *o, uint32_t read, uint32_t write, const event_list *hiding) {
  const unwound_event *r = unwound_event_at (o->u, read), *x = unwound_event_at (o->u, write);
  if (x->node == r->node && write > read) return false;
  if (x->node != r->node && order_must_precede (o->u, r->node, x->node)) return false;
  if (r->offset.i != TERM_NONE.i && term_is_false (o->terms, term_eq (o->terms, r->offset, x->offset))) return false;
  if (term_is_false (o->terms, term_and (o->terms, r->guard, x->guard))) return false;
  return !is_hidden (o, read, write, hiding);
}

// ---- clauses ----------------------------------------------------------------------------------------
static void add_implication (order *o, term condition, term what) {
  decider_clause (o->decider, (term[]){term_not (o->terms, condition), what}, 2);
}

static void define_read_from (order *o, const read_from *c) {
  const unwound_event *r = unwound_event_at (o->u, c->read);
  if (c->write == IR_NONE) {
    decider_equal_if (o->decider, c->literal, r->value, r->initial);
    return;
  }
  const unwound_event *x = unwound_event_at (o->u, c->write);
  add_implication (o, c->literal, x->guard);
  if (x->node != r->node) add_implication (o, c->literal, o->u->nodes.data[x->node].shows);
  decider_equal_if (o->decider, c->literal, r->value, x->value);
  if (r->offset.i != TERM_NONE.i) decider_equal_if (o->decider, c->literal, r->offset, x->offset);
}

bool order_stops (order *o) {
  if (!o->stopped && !(++o->asked & 255)) o->stopped = budget_spent (o->budget);
  return o->stopped;
}

static void add_read_candidates (order *o, uint32_t read) {
  const unwound_event *r = unwound_event_at (o->u, read);
  event_list hiding = {0};
  VEC (term) some = {0};
  uint32_t first = o->candidates.count;
  find_hiding (o, read, &hiding);
  if (r->initial.i != TERM_NONE.i && !hiding.count) vec_push (&o->candidates, ((read_from){read, IR_NONE, TERM_NONE}));
  for (uint32_t k = 0; k < o->writes.data[r->cell].count; k++) {
    uint32_t write = o->writes.data[r->cell].data[k];
    if (may_read_from (o, read, write, &hiding)) vec_push (&o->candidates, ((read_from){read, write, TERM_NONE}));
  }
  uint32_t count = o->candidates.count - first;
  vec_push (&some, term_not (o->terms, r->guard));
  for (uint32_t k = first; k < o->candidates.count; k++) {
    read_from *c = &o->candidates.data[k];
    c->literal = count == 1 ? r->guard : term_var (o->terms, 1);
    vec_push (&some, c->literal);
    add_implication (o, c->literal, r->guard);
    if (!order_stops (o)) define_read_from (o, c);
  }
  decider_clause (o->decider, some.data, some.count);
  vec_release (&some);
  vec_release (&hiding);
}

// ---- life cycle -------------------------------------------------------------------------------------
static void collect_writes (order *o) {
  for (uint32_t c = 0; c < o->u->num_cells; c++) {
    vec_reserve (&o->writes, c + 1);
    memset (&o->writes.data[c], 0, sizeof o->writes.data[c]);
    o->writes.count = c + 1;
  }
  for (uint32_t e = 0; e < o->u->events.count; e++)
    if (unwound_event_at (o->u, e)->write) vec_push (&o->writes.data[unwound_event_at (o->u, e)->cell], e);
}

order *order_new (const unwound *u, term_pool *terms, decider *d, const budget *b) {
  order *o = mem_zalloc (sizeof *o);
  o->u = u;
  o->terms = terms;
  o->decider = d;
  o->budget = b;
  collect_writes (o);
  for (uint32_t e = 0; e < u->events.count; e++) {
    vec_push (&o->first_candidate, o->candidates.count);
    if (!unwound_event_at (o->u, e)->write && !order_stops (o)) add_read_candidates (o, e);
  }
  vec_push (&o->first_candidate, o->candidates.count);
  o->total = total_order_new (o);
  for (uint32_t k = 0; k < u->facts.count; k++) decider_assert (d, u->facts.data[k]);
  return o;
}

void order_free (order *o) {
  for (uint32_t c = 0; c < o->writes.count; c++) vec_release (&o->writes.data[c]);
  vec_release (&o->writes);
  vec_release (&o->candidates);
  vec_release (&o->first_candidate);
  vec_release (&o->races);
  vec_release (&o->write_orders);
  vec_release (&o->stuck);
  vec_release (&o->line);
  if (o->graph) order_graph_free (o->graph);
  total_order_free (o->total);
  contexts_free (o->contexts);
  mem_free (o, sizeof *o);
}

void order_bound_contexts (order *o, uint64_t most_switches) { o->contexts = contexts_new (o, most_switches); }

term order_condition (const order *o, const unwound_goal *g) {
  return o->contexts ? term_and (o->terms, g->condition, contexts_reached (o->contexts, g->thread, g->step, true))
                     : g->condition;
}

// ---- races ------------------------------------------------------------------------------------------
static bool event_accesses_may_race (const unwound *u, const unwound_access *a, const unwound_access *b) {
  if (u->nodes.data[a->node].thread == u->nodes.data[b->node].thread || a->object != b->object) return false;
  if (!(a->write || b->write) || !(a->plain || b->plain) || (a->in_region && b->in_region)) return false;
  return !order_must_precede (u, a->node, b->node) && !order_must_precede (u, b->node, a->node);
}

static term accesses_overlap_term (order *o, const unwound_access *a, const unwound_access *b) {
  term_pool *p = o->terms;
  term a_end = term_add (p, a->offset, term_const (p, 32, a->bytes)),
       b_end = term_add (p, b->offset, term_const (p, 32, b->bytes));
  return term_and (p, term_ult (p, a->offset, b_end), term_ult (p, b->offset, a_end));
}

// The object is alive before both accesses are executed, unless a third thread has ended its lifetime.
static void require_alive (order *o, term race, const unwound_access *x, const unwound_access *other) {
  term literals[3] = {term_not (o->terms, race), term_not (o->terms, x->dead), o->terms->falsity};
  if (term_is_false (o->terms, x->dead)) return;
  for (uint32_t k = x->dead_read == IR_NONE ? 0 : o->first_candidate.data[x->dead_read];
       x->dead_read != IR_NONE && k < o->first_candidate.data[x->dead_read + 1]; k++)
    if (o->candidates.data[k].write == other->dead_write && other->dead_write != IR_NONE)
      literals[2] = o->candidates.data[k].literal;
  decider_clause (o->decider, literals, 3);
}

// Both threads reach their accesses within the bound.
static void require_few_contexts (order *o, const race_pair *r) {
  const unwound_access *x = &o->u->accesses.data[r->a], *y = &o->u->accesses.data[r->b];
  add_implication (o, r->literal, contexts_reached (o->contexts, o->u->nodes.data[x->node].thread, x->step, false));
  add_implication (o, r->literal, contexts_reached (o->contexts, o->u->nodes.data[y->node].thread, y->step, false));
}

static void add_race_pair (order *o, uint32_t a, uint32_t b) {
  const unwound_access *x = &o->u->accesses.data[a], *y = &o->u->accesses.data[b];
  term both = term_and (o->terms, term_and (o->terms, x->guard, y->guard), accesses_overlap_term (o, x, y));
  if (term_is_false (o->terms, both)) return;
  race_pair r = {.a = a, .b = b, .literal = term_var (o->terms, 1)};
  add_implication (o, r.literal, both);
  require_alive (o, r.literal, x, y);
  require_alive (o, r.literal, y, x);
  if (o->total) total_order_add_race (o->total, &r);
  if (o->contexts) require_few_contexts (o, &r);
  vec_push (&o->races, r);
}

void order_add_races (order *o, const suspects *s) {
  const unwound *u = o->u;
  for (uint32_t a = 0; a < u->accesses.count && !order_stops (o); a++)
    for (uint32_t b = a + 1; b < u->accesses.count; b++)
      if (event_accesses_may_race (u, &u->accesses.data[a], &u->accesses.data[b]) && !order_stops (o) &&
          suspects_have (s, u->accesses.data[a].edge, u->accesses.data[b].edge))
        add_race_pair (o, a, b);
}

// ---- the search for an execution --------------------------------------------------------------------
decided order_check (order *o, const term *assumptions, uint32_t count) {
  for (;;) {
    if (o->stopped || budget_spent (o->budget)) return DECIDED_STOPPED;
    decided d = decider_check (o->decider, assumptions, count);
    if (d != DECIDED_YES) return d;
    o->rounds++;
    if (o->graph) order_graph_free (o->graph);
    o->graph = order_graph_new (o);
    if (order_graph_line_up (o->graph)) return DECIDED_YES;
  }
}

bool order_before (const order *o, uint32_t m, uint32_t n) { return order_graph_before (o->graph, m, n); }
bool order_is_executed (const order *o, uint32_t node) { return order_graph_is_executed (o->graph, node); }
uint32_t order_writer (const order *o, uint32_t read) { return order_graph_writer (o->graph, read); }
