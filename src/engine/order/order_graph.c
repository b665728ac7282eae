// The graph of the happens-before order of one model. The model says which nodes are executed and which write each read
// reads from. The edges are: program order, start and end of threads, and an edge from each write to the reads that
// read from it. Two rules add edges until nothing changes: if a write of the same memory comes before a read, it also
// comes before the write which that read reads from; and if it comes after that write, it comes after the read. Each
// node knows, for every thread, the last node of that thread that comes before it, so the cost of an edge is
// proportional to what it changes. Every edge knows its reason: a cycle is a contradiction between the literals on it.
#include "engine/order/order_graph_impl.h"

#include <string.h>

#include "base/diag.h"
#include "engine/order/contexts.h"

enum { CONFLICTS_AT_ONCE = 24 };

// ---- the model --------------------------------------------------------------------------------------
static bool is_true_in_graph_model (const order_graph *g, term t) {
  if (term_is_const (g->o->terms, t)) return term_value (g->o->terms, t) != 0;
  return decider_value (g->o->decider, t) != 0;
}

static void read_model (order_graph *g) {
  for (uint32_t e = 0; e < g->u->events.count; e++) {
    const unwound_event *x = unwound_event_at (g->u, e);
    bool executed = is_true_in_graph_model (g, x->guard) && g->number.data[x->node] != IR_NONE;
    uint32_t chosen = IR_NONE;
    if (executed && !x->write)
      for (uint32_t k = g->o->first_candidate.data[e]; k < g->o->first_candidate.data[e + 1] && chosen == IR_NONE; k++)
        if (is_true_in_graph_model (g, g->o->candidates.data[k].literal)) chosen = k;
    vec_push (&g->event_happens, executed);
    vec_push (&g->shown, executed && is_true_in_graph_model (g, g->u->nodes.data[x->node].shows));
    vec_push (&g->writer, chosen);
    vec_push (&g->offset, executed && x->offset.i != TERM_NONE.i ? decider_value (g->o->decider, x->offset) : 0);
  }
}

static bool is_stuck_at (const order_graph *g, uint32_t node) {
  for (uint32_t k = 0; k < g->o->stuck.count; k++)
    if (g->u->waits.data[g->o->stuck.data[k].wait].node == node &&
        is_true_in_graph_model (g, g->o->stuck.data[k].literal))
      return true;
  return false;
}

static void find_active (order_graph *g) {
  for (uint32_t n = 0; n < g->u->nodes.count; n++) {
    const unwound_node *x = &g->u->nodes.data[n];
    bool executed = is_true_in_graph_model (g, x->executed) || is_stuck_at (g, n);
    vec_push (&g->number, executed ? g->active.count : IR_NONE);
    if (!executed) continue;
    vec_push (&g->position, g->of_thread.data[x->thread].count);
    vec_push (&g->of_thread.data[x->thread], g->active.count);
    vec_push (&g->active, n);
    vec_push (&g->first_edge, IR_NONE);
  }
  g->num_active = g->active.count;
}

// ---- the order of two nodes -------------------------------------------------------------------------
static bool active_precedes (const order_graph *g, uint32_t a, uint32_t b) {
  return after_of (g, b)[thread_of_active (g, a)] > g->position.data[a];
}

static uint32_t next_in_thread (const order_graph *g, uint32_t a) {
  uint32_t t = thread_of_active (g, a), k = g->position.data[a] + 1;
  return k < g->of_thread.data[t].count ? g->of_thread.data[t].data[k] : IR_NONE;
}

// Records that `a`, and everything before `a`, comes before b.
static bool inherit_predecessors (order_graph *g, uint32_t a, uint32_t b) {
  const uint32_t *from = after_of (g, a);
  uint32_t *to = after_of (g, b), t = thread_of_active (g, a);
  bool changed = false;
  for (uint32_t k = 0; k < g->num_threads; k++) {
    uint32_t value = k == t && from[k] < g->position.data[a] + 1 ? g->position.data[a] + 1 : from[k];
    if (value <= to[k]) continue;
    to[k] = value;
    changed = true;
  }
  return changed;
}

static void propagate_order (order_graph *g, uint32_t from) {
  vec_clear (&g->touched);
  vec_push (&g->touched, from);
  while (g->touched.count) {
    uint32_t a = vec_pop (&g->touched), next = next_in_thread (g, a);
    if (next != IR_NONE && inherit_predecessors (g, a, next)) vec_push (&g->touched, next);
    for (uint32_t e = g->first_edge.data[a]; e != IR_NONE; e = g->edges.data[e].next)
      if (inherit_predecessors (g, a, g->edges.data[e].to)) vec_push (&g->touched, g->edges.data[e].to);
  }
}

// ---- reasons ----------------------------------------------------------------------------------------
typedef struct cycle_explanation {
  VEC (term) clause;
  VEC (bool) told;
} cycle_explanation;

static void add_explaining_literal (order_graph *g, cycle_explanation *x, term reason) {
  term not = term_not (g->o->terms, reason);
  if (term_is_false (g->o->terms, not )) return;
  for (uint32_t k = 0; k < x->clause.count; k++)
    if (x->clause.data[k].i == not .i) return;
  vec_push (&x->clause, not );
}

static void explain_path (order_graph *g, cycle_explanation *x, uint32_t from, uint32_t to, uint32_t limit);

static void explain_edge (order_graph *g, cycle_explanation *x, uint32_t e) {
  if (x->told.data[e]) return;
  x->told.data[e] = true;
  const graph_edge d = g->edges.data[e];
  for (uint32_t k = 0; k < d.num_reasons; k++) add_explaining_literal (g, x, d.reasons[k]);
  if (d.path_from != IR_NONE) explain_path (g, x, d.path_from, d.path_to, e);
}

typedef struct arrival {
  uint32_t node, edge, came_from;
} arrival;  // edge IR_NONE: in program order

static void explain_back (order_graph *g, cycle_explanation *x, const arrival *seen, uint32_t at) {
  for (; seen[at].came_from != IR_NONE; at = seen[at].came_from)
    if (seen[at].edge != IR_NONE) explain_edge (g, x, seen[at].edge);
}

// Follows a shortest path of edges that are older than `limit`.
static void explain_path (order_graph *g, cycle_explanation *x, uint32_t from, uint32_t to, uint32_t limit) {
  VEC (arrival) seen = {0};
  VEC (bool) known = {0};
  for (uint32_t k = 0; k < g->num_active; k++) vec_push (&known, false);
  vec_push (&seen, ((arrival){from, IR_NONE, IR_NONE}));
  known.data[from] = true;
  for (uint32_t k = 0; k < seen.count; k++) {
    uint32_t a = seen.data[k].node, next = next_in_thread (g, a);
    if (a == to) {
      explain_back (g, x, seen.data, k);
      break;
    }
    if (next != IR_NONE && !known.data[next]) {
      known.data[next] = true;
      vec_push (&seen, ((arrival){next, IR_NONE, k}));
    }
    for (uint32_t e = g->first_edge.data[a]; e != IR_NONE; e = g->edges.data[e].next) {
      uint32_t b = g->edges.data[e].to;
      if (e >= limit || known.data[b]) continue;
      known.data[b] = true;
      vec_push (&seen, ((arrival){b, e, k}));
    }
  }
  vec_release (&seen);
  vec_release (&known);
}

static void add_conflict (order_graph *g, cycle_explanation *x) {
  for (uint32_t k = 0; k < x->clause.count; k++) vec_push (&g->clauses, x->clause.data[k]);
  vec_push (&g->clauses, TERM_NONE);
  g->conflicts++;
  g->o->clauses++;
  vec_release (&x->clause);
  vec_release (&x->told);
}

static cycle_explanation new_explanation (const order_graph *g) {
  cycle_explanation x = {0};
  for (uint32_t k = 0; k < g->edges.count; k++) vec_push (&x.told, false);
  return x;
}

// ---- edges ------------------------------------------------------------------------------------------
static void add_cycle_conflict (order_graph *g, const graph_edge *d) {
  cycle_explanation x = new_explanation (g);
  for (uint32_t k = 0; k < d->num_reasons; k++) add_explaining_literal (g, &x, d->reasons[k]);
  if (d->path_from != IR_NONE) explain_path (g, &x, d->path_from, d->path_to, IR_NONE);
  if (d->from != d->to) explain_path (g, &x, d->to, d->from, IR_NONE);
  add_conflict (g, &x);
}

// Returns true if the edge says something new.
static bool add_graph_edge (order_graph *g, graph_edge d) {
  if (d.from == d.to || active_precedes (g, d.to, d.from)) {
    add_cycle_conflict (g, &d);
    return false;
  }
  if (active_precedes (g, d.from, d.to)) return false;
  d.next = g->first_edge.data[d.from];
  g->first_edge.data[d.from] = g->edges.count;
  vec_push (&g->edges, d);
  if (inherit_predecessors (g, d.from, d.to)) propagate_order (g, d.to);
  return true;
}

static graph_edge new_edge (uint32_t from, uint32_t to) {
  return (graph_edge){.from = from, .to = to, .path_from = IR_NONE};
}
static void add_reason (graph_edge *d, term reason) { d->reasons[d->num_reasons++] = reason; }

static uint32_t last_of_thread (const order_graph *g, uint32_t t) {
  return g->of_thread.data[t].count ? vec_last (&g->of_thread.data[t]) : IR_NONE;
}

static void add_thread_edges (order_graph *g) {
  for (uint32_t t = 0; t < g->num_threads; t++)
    for (uint32_t k = 0; k < g->of_thread.data[t].count; k++) {
      uint32_t a = g->of_thread.data[t].data[k];
      after_of (g, a)[t] = k;
    }
  for (uint32_t t = 0; t < g->num_threads; t++) {
    uint32_t create = g->u->threads.data[t].create_node;
    if (create == IR_NONE || !g->of_thread.data[t].count || g->number.data[create] == IR_NONE) continue;
    graph_edge d = new_edge (g->number.data[create], g->of_thread.data[t].data[0]);
    add_reason (&d, g->u->threads.data[t].guard);
    add_graph_edge (g, d);
  }
  for (uint32_t a = 0; a < g->num_active; a++) {
    const unwound_node *n = &g->u->nodes.data[g->active.data[a]];
    for (uint32_t k = n->first_joined; k < n->first_joined + n->num_joined; k++) {
      const unwound_join *j = &g->u->joins.data[k];
      uint32_t last = last_of_thread (g, j->thread);
      const unwound_thread *t = &g->u->threads.data[j->thread];
      if (last == IR_NONE || !is_true_in_graph_model (g, j->condition) || !is_true_in_graph_model (g, t->ended))
        continue;
      graph_edge d = new_edge (last, a);
      add_reason (&d, n->executed);
      add_reason (&d, j->condition);
      add_reason (&d, t->ended);
      add_graph_edge (g, d);
    }
  }
}

static uint32_t active_node_of_event (const order_graph *g, uint32_t event) {
  return g->number.data[unwound_event_at (g->u, event)->node];
}

static void add_read_from_edges (order_graph *g) {
  for (uint32_t e = 0; e < g->u->events.count && g->conflicts < CONFLICTS_AT_ONCE; e++) {
    if (g->writer.data[e] == IR_NONE) continue;
    const read_from *r = &g->o->candidates.data[g->writer.data[e]];
    if (r->write == IR_NONE || active_node_of_event (g, r->write) == active_node_of_event (g, e)) continue;
    graph_edge d = new_edge (active_node_of_event (g, r->write), active_node_of_event (g, e));
    add_reason (&d, r->literal);
    add_graph_edge (g, d);
  }
}

// The last node that the thread executes before the access; if there is none, the node that started the thread.
static uint32_t previous_node (const order_graph *g, const unwound_access *a) {
  const unwound_node *n = &g->u->nodes.data[a->node];
  uint32_t create = g->u->threads.data[n->thread].create_node,
           last = create == IR_NONE ? IR_NONE : g->number.data[create];
  if (n->first_step < a->step) return g->number.data[a->node];  // inside an atomic region
  for (uint32_t k = 0; k < g->of_thread.data[n->thread].count; k++) {
    uint32_t x = g->of_thread.data[n->thread].data[k];
    if (g->u->nodes.data[g->active.data[x]].index >= n->index) break;
    last = x;
  }
  return last;
}

// A thread at a blocking operation need not get past it: the node of the operation may not be executed.
static void add_race_edge (order_graph *g, uint32_t from, uint32_t node, term literal) {
  uint32_t to = g->number.data[node];
  if (from == IR_NONE || to == IR_NONE) return;
  graph_edge d = new_edge (from, to);
  add_reason (&d, literal);
  add_reason (&d, g->u->nodes.data[g->active.data[from]].executed);
  add_reason (&d, g->u->nodes.data[node].executed);
  add_graph_edge (g, d);
}

static void add_race_edges (order_graph *g, const race_pair *r) {
  const unwound_access *a = &g->u->accesses.data[r->a], *b = &g->u->accesses.data[r->b];
  add_race_edge (g, previous_node (g, a), b->node, r->literal);
  add_race_edge (g, previous_node (g, b), a->node, r->literal);
}

static term visibility_literal (const order_graph *g, uint32_t event) {
  return g->u->nodes.data[unwound_event_at (g->u, event)->node].shows;
}

static void add_reason_same_place (order_graph *g, graph_edge *d, uint32_t a, uint32_t b) {
  const unwound_event *x = unwound_event_at (g->u, a), *y = unwound_event_at (g->u, b);
  if (x->offset.i != TERM_NONE.i) add_reason (d, term_eq (g->o->terms, x->offset, y->offset));
}

// Everything that the waiting thread reads has been written before.
static void add_wait_edges (order_graph *g, const lasting_wait *s) {
  uint32_t node = g->u->waits.data[s->wait].node;
  for (uint32_t e = 0; node != IR_NONE && e < g->u->events.count; e++) {
    const unwound_event *read = unwound_event_at (g->u, e);
    if (read->node != node || read->write || !g->event_happens.data[e]) continue;
    for (uint32_t k = 0; k < g->o->writes.data[read->cell].count; k++) {
      uint32_t other = g->o->writes.data[read->cell].data[k];
      if (!g->shown.data[other] || g->offset.data[other] != g->offset.data[e] ||
          active_node_of_event (g, other) == g->number.data[node])
        continue;
      graph_edge d = new_edge (active_node_of_event (g, other), g->number.data[node]);
      add_reason (&d, s->literal);
      add_reason (&d, unwound_event_at (g->u, other)->guard);
      add_reason (&d, visibility_literal (g, other));
      add_reason_same_place (g, &d, e, other);
      add_graph_edge (g, d);
    }
  }
}

static void add_write_orders (order_graph *g) {
  for (uint32_t k = 0; k < g->o->write_orders.count; k++) {
    const write_order w = g->o->write_orders.data[k];
    if (!g->shown.data[w.first] || !g->shown.data[w.second]) continue;
    if (g->offset.data[w.first] != g->offset.data[w.second]) continue;
    bool first = is_true_in_graph_model (g, w.literal);
    graph_edge d = first ? new_edge (active_node_of_event (g, w.first), active_node_of_event (g, w.second))
                         : new_edge (active_node_of_event (g, w.second), active_node_of_event (g, w.first));
    add_reason (&d, first ? w.literal : term_not (g->o->terms, w.literal));
    add_reason (
        &d, term_and (g->o->terms, unwound_event_at (g->u, w.first)->guard, unwound_event_at (g->u, w.second)->guard));
    add_reason (&d, term_and (g->o->terms, visibility_literal (g, w.first), visibility_literal (g, w.second)));
    add_reason_same_place (g, &d, w.first, w.second);
    add_graph_edge (g, d);
  }
}

// ---- contexts ---------------------------------------------------------------------------------------
static void add_context_edge (order_graph *g, uint32_t from, uint32_t to) {
  const contexts *x = g->o->contexts;
  uint32_t number = contexts_number (x, g->active.data[from]);
  graph_edge d = new_edge (from, to);
  add_reason (&d, contexts_at_most (x, g->active.data[from], number));
  add_reason (&d, term_not (g->o->terms, contexts_at_most (x, g->active.data[to], number)));
  add_graph_edge (g, d);
}

typedef struct context_ends {
  uint32_t first, last;  // active nodes; IR_NONE: there is none
} context_ends;

// The contexts one after the other; then, from each thread, its first node after the bound.
static void add_contexts (order_graph *g) {
  VEC (context_ends) ends = {0};
  VEC (uint32_t) beyond = {0};  // by thread
  for (uint32_t t = 0; t < g->num_threads; t++) vec_push (&beyond, IR_NONE);
  for (uint32_t a = 0; a < g->num_active; a++) {
    uint32_t number = contexts_number (g->o->contexts, g->active.data[a]), t = thread_of_active (g, a);
    if (!is_true_in_graph_model (g, g->u->nodes.data[g->active.data[a]].executed)) continue;
    if (number == contexts_count (g->o->contexts)) {
      if (beyond.data[t] == IR_NONE) beyond.data[t] = a;
      continue;
    }
    while (ends.count <= number) vec_push (&ends, ((context_ends){IR_NONE, IR_NONE}));
    if (ends.data[number].first == IR_NONE) ends.data[number].first = a;
    ends.data[number].last = a;
  }
  uint32_t last = IR_NONE;
  for (uint32_t c = 0; c < ends.count; c++) {
    if (ends.data[c].first == IR_NONE) continue;
    if (last != IR_NONE) add_context_edge (g, last, ends.data[c].first);
    last = ends.data[c].last;
  }
  for (uint32_t t = 0; t < g->num_threads; t++)
    if (last != IR_NONE && beyond.data[t] != IR_NONE) add_context_edge (g, last, beyond.data[t]);
  vec_release (&ends);
  vec_release (&beyond);
}

// ---- rules ------------------------------------------------------------------------------------------
static bool same_memory (const order_graph *g, uint32_t a, uint32_t b) {
  return g->offset.data[a] == g->offset.data[b];
}

static graph_edge new_rule_edge (order_graph *g, uint32_t from, uint32_t to, const read_from *r, uint32_t other) {
  graph_edge d = new_edge (from, to);
  add_reason (&d, r->literal);
  add_reason (&d, unwound_event_at (g->u, other)->guard);
  if (unwound_event_at (g->u, r->read)->node != unwound_event_at (g->u, other)->node)
    add_reason (&d, visibility_literal (g, other));
  add_reason_same_place (g, &d, r->read, other);
  return d;
}

// The other write is not between the two. If two of the three events are at one node, their order is known.
static bool apply_rules (order_graph *g, const read_from *r, uint32_t other) {
  uint32_t n = active_node_of_event (g, r->read), x = active_node_of_event (g, other),
           w = r->write == IR_NONE ? IR_NONE : active_node_of_event (g, r->write);
  if (x == n) {
    bool hides = other < r->read && (w != n || other > r->write);
    if (hides) add_cycle_conflict (g, &(graph_edge[]){new_rule_edge (g, n, n, r, other)}[0]);
    return false;
  }
  if (w == IR_NONE) return add_graph_edge (g, new_rule_edge (g, n, x, r, other));
  if (w == n) return false;
  if (x == w) {
    if (other > r->write) add_cycle_conflict (g, &(graph_edge[]){new_rule_edge (g, n, n, r, other)}[0]);
    return false;
  }
  bool changed = false;
  if (active_precedes (g, x, n) && !active_precedes (g, x, w)) {
    graph_edge d = new_rule_edge (g, x, w, r, other);
    d.path_from = x, d.path_to = n;
    changed |= add_graph_edge (g, d);
  }
  if (active_precedes (g, w, x) && !active_precedes (g, n, x)) {
    graph_edge d = new_rule_edge (g, n, x, r, other);
    d.path_from = w, d.path_to = x;
    changed |= add_graph_edge (g, d);
  }
  return changed;
}

static bool is_seen_by (const order_graph *g, uint32_t write, uint32_t read) {
  return active_node_of_event (g, write) == active_node_of_event (g, read) ? g->event_happens.data[write]
                                                                           : g->shown.data[write];
}

static bool apply_all_rules (order_graph *g) {
  bool changed = false;
  for (uint32_t e = 0; e < g->u->events.count; e++) {
    if (g->writer.data[e] == IR_NONE) continue;
    const read_from r = g->o->candidates.data[g->writer.data[e]];
    uint32_t cell = unwound_event_at (g->u, e)->cell;
    for (uint32_t k = 0; k < g->o->writes.data[cell].count; k++) {
      uint32_t other = g->o->writes.data[cell].data[k];
      if (g->conflicts >= CONFLICTS_AT_ONCE) return false;
      if (other == r.write || !is_seen_by (g, other, e) || !same_memory (g, e, other)) continue;
      changed |= apply_rules (g, &r, other);
    }
  }
  return changed;
}

// ---- all edges --------------------------------------------------------------------------------------
static void add_conflict_clauses (order_graph *g) {
  for (uint32_t first = 0, k = 0; k < g->clauses.count; k++) {
    if (g->clauses.data[k].i != TERM_NONE.i) continue;
    decider_clause (g->o->decider, g->clauses.data + first, k - first);
    first = k + 1;
  }
}

bool order_graph_line_up (order_graph *g) {
  while (!g->conflicts && apply_all_rules (g)) {}
  if (!g->conflicts) return order_graph_find_line (g);
  add_conflict_clauses (g);
  return false;
}

// ---- life cycle -------------------------------------------------------------------------------------
order_graph *order_graph_new (order *o) {
  order_graph *g = mem_zalloc (sizeof *g);
  g->o = o;
  g->u = o->u;
  g->num_threads = o->u->threads.count;
  for (uint32_t t = 0; t < g->num_threads; t++) {
    vec_reserve (&g->of_thread, t + 1);
    memset (&g->of_thread.data[t], 0, sizeof g->of_thread.data[t]);
    g->of_thread.count = t + 1;
  }
  find_active (g);
  read_model (g);
  g->after = mem_zalloc (sizeof *g->after * g->num_active * g->num_threads + 1);
  VEC (race_pair) racing = {0};
  for (uint32_t k = 0; k < o->races.count; k++)
    if (is_true_in_graph_model (g, o->races.data[k].literal)) vec_push (&racing, o->races.data[k]);
  add_thread_edges (g);
  add_read_from_edges (g);
  add_write_orders (g);
  if (o->contexts) add_contexts (g);
  for (uint32_t k = 0; k < racing.count; k++) add_race_edges (g, &racing.data[k]);
  for (uint32_t k = 0; k < o->stuck.count; k++)
    if (is_true_in_graph_model (g, o->stuck.data[k].literal)) add_wait_edges (g, &o->stuck.data[k]);
  vec_release (&racing);
  return g;
}

void order_graph_free (order_graph *g) {
  mem_free (g->after, sizeof *g->after * g->num_active * g->num_threads + 1);
  for (uint32_t t = 0; t < g->num_threads; t++) vec_release (&g->of_thread.data[t]);
  vec_release (&g->of_thread);
  vec_release (&g->active);
  vec_release (&g->number);
  vec_release (&g->position);
  vec_release (&g->edges);
  vec_release (&g->first_edge);
  vec_release (&g->writer);
  vec_release (&g->event_happens);
  vec_release (&g->shown);
  vec_release (&g->offset);
  vec_release (&g->touched);
  vec_release (&g->clauses);
  mem_free (g, sizeof *g);
}

bool order_graph_before (const order_graph *g, uint32_t m, uint32_t n) {
  uint32_t a = g->number.data[m], b = g->number.data[n];
  return a != IR_NONE && b != IR_NONE && active_precedes (g, a, b);
}

bool order_graph_is_executed (const order_graph *g, uint32_t node) { return g->number.data[node] != IR_NONE; }

uint32_t order_graph_writer (const order_graph *g, uint32_t read) {
  return g->writer.data[read] == IR_NONE ? IR_NONE : g->o->candidates.data[g->writer.data[read]].write;
}
