// A total order of all nodes, as literals. Threads are chains, so the order between two of them is a monotone matrix of
// literals: a node that comes before another comes before all nodes that follow that one in its thread. No three nodes
// of three threads may form a cycle. Nodes that are not executed have a position, too, anywhere between their
// neighbours; it restricts no other node. For two threads the number of clauses is quadratic, from three threads on
// cubic.
#include "engine/order/total_order.h"

#include "base/diag.h"

struct total_order {
  order *o;
  const unwound *u;
  uint32_t num_threads;
  term **matrix;  // [s * num_threads + t] for s < t: by node of s and node of t: the first node comes before the second
};

static uint32_t num_nodes (const total_order *x, uint32_t thread) { return x->u->threads.data[thread].nodes.count; }

// ---- the literal of two nodes -----------------------------------------------------------------------
// The node of thread `above` that starts `below`, or an ancestor of `below`; IR_NONE: there is none.
static uint32_t starting_node (const unwound *u, uint32_t above, uint32_t below) {
  for (uint32_t t = below; u->threads.data[t].parent != IR_NONE; t = u->threads.data[t].parent)
    if (u->threads.data[t].parent == above) return u->threads.data[t].create_node;
  return IR_NONE;
}

static bool starts_before (const unwound *u, uint32_t a, uint32_t b) {
  uint32_t start = starting_node (u, u->nodes.data[a].thread, u->nodes.data[b].thread);
  return start != IR_NONE && u->nodes.data[a].index <= u->nodes.data[start].index;
}

static term order_literal (const total_order *x, uint32_t a, uint32_t b) {
  const unwound_node *m = &x->u->nodes.data[a], *n = &x->u->nodes.data[b];
  term_pool *p = x->o->terms;
  if (m->thread == n->thread) return m->index < n->index ? p->truth : p->falsity;
  if (m->thread > n->thread) return term_not (p, order_literal (x, b, a));
  return x->matrix[m->thread * x->num_threads + n->thread][(size_t) m->index * num_nodes (x, n->thread) + n->index];
}

term total_order_before (const total_order *x, uint32_t a, uint32_t b) { return order_literal (x, a, b); }

static term new_literal (const total_order *x, uint32_t a, uint32_t b) {
  if (starts_before (x->u, a, b)) return x->o->terms->truth;
  if (starts_before (x->u, b, a)) return x->o->terms->falsity;
  return term_var (x->o->terms, 1);
}

static void make_matrix (total_order *x, uint32_t s, uint32_t t) {
  const unwound_thread *a = &x->u->threads.data[s], *b = &x->u->threads.data[t];
  term *m = x->matrix[s * x->num_threads + t] = mem_alloc (sizeof *m * ((size_t) a->nodes.count * b->nodes.count + 1));
  for (uint32_t i = 0; i < a->nodes.count; i++)
    for (uint32_t k = 0; k < b->nodes.count; k++) *m++ = new_literal (x, a->nodes.data[i], b->nodes.data[k]);
}

// ---- clauses ----------------------------------------------------------------------------------------
static void add_order_clause (total_order *x, const term *literals, uint32_t count) {
  decider_clause (x->o->decider, literals, count);
}
static term opposite_literal (total_order *x, term t) { return term_not (x->o->terms, t); }

static void make_monotone (total_order *x, uint32_t s, uint32_t t) {
  const unwound_thread *a = &x->u->threads.data[s], *b = &x->u->threads.data[t];
  for (uint32_t i = 0; i < a->nodes.count; i++)
    for (uint32_t k = 0; k < b->nodes.count && !order_stops (x->o); k++) {
      term here = order_literal (x, a->nodes.data[i], b->nodes.data[k]);
      if (k + 1 < b->nodes.count)
        add_order_clause (
            x, (term[]){opposite_literal (x, here), order_literal (x, a->nodes.data[i], b->nodes.data[k + 1])}, 2);
      if (i)
        add_order_clause (
            x, (term[]){opposite_literal (x, here), order_literal (x, a->nodes.data[i - 1], b->nodes.data[k])}, 2);
    }
}

static void forbid_cycles (total_order *x, uint32_t s, uint32_t t, uint32_t v) {
  const unwound_thread *threads = x->u->threads.data;
  for (uint32_t i = 0; i < threads[s].nodes.count; i++)
    for (uint32_t j = 0; j < threads[t].nodes.count; j++)
      for (uint32_t k = 0; k < threads[v].nodes.count && !order_stops (x->o); k++) {
        uint32_t a = threads[s].nodes.data[i], b = threads[t].nodes.data[j], c = threads[v].nodes.data[k];
        term ab = order_literal (x, a, b), bc = order_literal (x, b, c), ac = order_literal (x, a, c);
        add_order_clause (x, (term[]){opposite_literal (x, ab), opposite_literal (x, bc), ac}, 3);
        add_order_clause (x, (term[]){opposite_literal (x, ac), bc, ab}, 3);
      }
}

static void order_joins (total_order *x) {
  for (uint32_t n = 0; n < x->u->nodes.count; n++) {
    const unwound_node *node = &x->u->nodes.data[n];
    for (uint32_t k = node->first_joined; k < node->first_joined + node->num_joined; k++) {
      const unwound_join *j = &x->u->joins.data[k];
      const unwound_thread *t = &x->u->threads.data[j->thread];
      if (t->nodes.count)
        add_order_clause (x,
                          (term[]){opposite_literal (x, node->executed), opposite_literal (x, j->condition),
                                   order_literal (x, vec_last (&t->nodes), n)},
                          3);
    }
  }
}

// The other write is not between the two events; see the rules of order_graph.c.
static void exclude_write_between (total_order *x, const read_from *r, uint32_t other) {
  term_pool *p = x->o->terms;
  const unwound_event *read = unwound_event_at (x->u, r->read), *y = unwound_event_at (x->u, other);
  uint32_t n = read->node, z = y->node, w = r->write == IR_NONE ? IR_NONE : unwound_event_at (x->u, r->write)->node;
  term shows = z == n ? p->truth : x->u->nodes.data[z].shows;
  term literals[6] = {
      opposite_literal (x, r->literal), opposite_literal (x, y->guard), p->falsity, p->falsity, p->falsity,
      opposite_literal (x, shows)};
  if (read->offset.i != TERM_NONE.i) literals[2] = opposite_literal (x, term_eq (p, read->offset, y->offset));
  if (z == n) {
    if (other > r->read || (w == n && other < r->write)) return;
  } else if (w == n) return;
  else if (w == IR_NONE) literals[3] = order_literal (x, n, z);
  else if (z == w) {
    if (other < r->write) return;
  } else {
    literals[3] = order_literal (x, z, w);
    literals[4] = order_literal (x, n, z);
  }
  add_order_clause (x, literals, 6);
}

static void order_readings (total_order *x) {
  for (uint32_t k = 0; k < x->o->candidates.count && !order_stops (x->o); k++) {
    const read_from r = x->o->candidates.data[k];
    const unwound_event *read = unwound_event_at (x->u, r.read);
    if (r.write != IR_NONE && unwound_event_at (x->u, r.write)->node != read->node)
      add_order_clause (x,
                        (term[]){opposite_literal (x, r.literal),
                                 order_literal (x, unwound_event_at (x->u, r.write)->node, read->node)},
                        2);
    for (uint32_t i = 0; i < x->o->writes.data[read->cell].count; i++)
      if (x->o->writes.data[read->cell].data[i] != r.write)
        exclude_write_between (x, &r, x->o->writes.data[read->cell].data[i]);
  }
}

// ---- life cycle -------------------------------------------------------------------------------------
static uint64_t num_clauses (const total_order *x) {
  uint64_t all = 0;
  for (uint32_t s = 0; s < x->num_threads; s++)
    for (uint32_t t = s + 1; t < x->num_threads; t++) {
      uint64_t two = (uint64_t) num_nodes (x, s) * num_nodes (x, t);
      all += 2 * two;
      for (uint32_t v = t + 1; v < x->num_threads; v++) all += 2 * two * num_nodes (x, v);
    }
  for (uint32_t k = 0; k < x->o->candidates.count; k++)
    all += x->o->writes.data[unwound_event_at (x->u, x->o->candidates.data[k].read)->cell].count;
  return all;
}

total_order *total_order_new (order *o) {
  total_order *x = mem_zalloc (sizeof *x);
  x->o = o;
  x->u = o->u;
  x->num_threads = o->u->threads.count;
  x->matrix = mem_zalloc (sizeof *x->matrix * x->num_threads * x->num_threads);
  if (num_clauses (x) > ORDER_CLAUSES) {
    total_order_free (x);
    return NULL;
  }
  for (uint32_t s = 0; s < x->num_threads; s++)
    for (uint32_t t = s + 1; t < x->num_threads; t++) make_matrix (x, s, t);
  for (uint32_t s = 0; s < x->num_threads; s++)
    for (uint32_t t = s + 1; t < x->num_threads; t++) {
      make_monotone (x, s, t);
      for (uint32_t v = t + 1; v < x->num_threads; v++) forbid_cycles (x, s, t, v);
    }
  order_joins (x);
  order_readings (x);
  return x;
}

void total_order_free (total_order *x) {
  if (!x) return;
  for (uint32_t s = 0; s < x->num_threads; s++)
    for (uint32_t t = s + 1; t < x->num_threads; t++)
      if (x->matrix[s * x->num_threads + t])
        mem_free (x->matrix[s * x->num_threads + t],
                  sizeof (term) * ((size_t) num_nodes (x, s) * num_nodes (x, t) + 1));
  mem_free (x->matrix, sizeof *x->matrix * x->num_threads * x->num_threads);
  mem_free (x, sizeof *x);
}

static uint32_t node_before (const total_order *x, const unwound_access *a) {
  const unwound_node *n = &x->u->nodes.data[a->node];
  const unwound_thread *t = &x->u->threads.data[n->thread];
  if (n->first_step < a->step) return a->node;  // inside an atomic region
  return n->index ? t->nodes.data[n->index - 1] : t->create_node;
}

void total_order_add_race (total_order *x, const race_pair *r) {
  const unwound_access *a = &x->u->accesses.data[r->a], *b = &x->u->accesses.data[r->b];
  uint32_t before_a = node_before (x, a), before_b = node_before (x, b);
  if (before_a != IR_NONE)
    add_order_clause (x, (term[]){opposite_literal (x, r->literal), order_literal (x, before_a, b->node)}, 2);
  if (before_b != IR_NONE)
    add_order_clause (x, (term[]){opposite_literal (x, r->literal), order_literal (x, before_b, a->node)}, 2);
}

// The waiting thread reads the final values: all writes come before.
void total_order_add_stuck (total_order *x, const lasting_wait *s) {
  uint32_t node = x->u->waits.data[s->wait].node;
  for (uint32_t e = 0; e < x->u->events.count; e++) {
    const unwound_event *read = unwound_event_at (x->u, e);
    if (read->node != node || read->write) continue;
    for (uint32_t k = 0; k < x->o->writes.data[read->cell].count; k++) {
      const unwound_event *y = unwound_event_at (x->u, x->o->writes.data[read->cell].data[k]);
      term apart = read->offset.i == TERM_NONE.i ? x->o->terms->falsity
                                                 : opposite_literal (x, term_eq (x->o->terms, read->offset, y->offset));
      term shows = x->u->nodes.data[y->node].shows;
      if (y->node != node)
        add_order_clause (x,
                          (term[]){opposite_literal (x, s->literal), opposite_literal (x, y->guard), apart,
                                   order_literal (x, y->node, node), opposite_literal (x, shows)},
                          5);
    }
  }
}

// ---- the order of a model ---------------------------------------------------------------------------
static bool is_next_in_order (const total_order *x, const uint32_t *next, uint32_t t) {
  for (uint32_t s = 0; s < x->num_threads; s++) {
    if (s == t || next[s] == num_nodes (x, s)) continue;
    uint32_t a = x->u->threads.data[t].nodes.data[next[t]], b = x->u->threads.data[s].nodes.data[next[s]];
    if (!decider_value (x->o->decider, order_literal (x, a, b))) return false;
  }
  return true;
}

void total_order_line_up (total_order *x, const bool *executed) {
  uint32_t left = x->u->nodes.count, *next = mem_zalloc (sizeof *next * x->num_threads);
  vec_clear (&x->o->line);
  while (left--) {
    uint32_t t = 0;
    while (t < x->num_threads && (next[t] == num_nodes (x, t) || !is_next_in_order (x, next, t))) t++;
    CHECK (t < x->num_threads, "a total order should have a first node");
    uint32_t node = x->u->threads.data[t].nodes.data[next[t]++];
    if (executed[node]) vec_push (&x->o->line, node);
  }
  mem_free (next, sizeof *next * x->num_threads);
}
