// Clauses for executions with few context switches. The context of a node is a number in unary: for every number except
// the last, a literal says that the context is at most that number. Numbers grow along a thread, and nodes of an
// earlier context come first. A node within the counted contexts has its thread as the owner of the context, so nodes
// of two threads are never in the same context. A node that is not executed has a number, too (for instance that of the
// node before it in its thread), but owns nothing.
#include "engine/order/contexts.h"

#include "base/diag.h"
#include "engine/order/total_order.h"

enum { OWNER_BITS = 8 };

struct contexts {
  order *o;
  const unwound *u;
  uint32_t count;      // number of contexts within the bound
  VEC (term) at_most;  // [node * count + number]
};

static term negated_literal (const contexts *x, term t) { return term_not (x->o->terms, t); }
static void add_context_clause (const contexts *x, const term *literals, uint32_t count) {
  decider_clause (x->o->decider, literals, count);
}

term contexts_at_most (const contexts *x, uint32_t node, uint32_t number) {
  return number < x->count ? x->at_most.data[(size_t) node * x->count + number] : x->o->terms->truth;
}

uint32_t contexts_count (const contexts *x) { return x->count; }

// ---- the greatest number of contexts ----------------------------------------------------------------
// Every switch needs a node on both sides: the thread with the most nodes alternates at most as often as the other
// threads have nodes.
static uint64_t most_possible (const unwound *u) {
  uint64_t most = 0, all = u->nodes.count;
  for (uint32_t t = 0; t < u->threads.count; t++)
    if (u->threads.data[t].nodes.count > most) most = u->threads.data[t].nodes.count;
  uint64_t others = all - most;
  return others < most ? 2 * others : all ? all - 1 : 0;
}

// ---- clauses ----------------------------------------------------------------------------------------
static void number_nodes (contexts *x) {
  for (uint32_t n = 0; n < x->u->nodes.count; n++)
    for (uint32_t c = 0; c < x->count; c++) vec_push (&x->at_most, term_var (x->o->terms, 1));
}

static void grow_along_threads (contexts *x) {
  for (uint32_t t = 0; t < x->u->threads.count; t++) {
    const unwound_thread *thread = &x->u->threads.data[t];
    for (uint32_t k = 0; k < thread->nodes.count && !order_stops (x->o); k++)
      for (uint32_t c = 0; c < x->count; c++) {
        uint32_t n = thread->nodes.data[k];
        term here = contexts_at_most (x, n, c);
        add_context_clause (x, (term[]){negated_literal (x, here), contexts_at_most (x, n, c + 1)}, 2);
        if (k)
          add_context_clause (
              x, (term[]){negated_literal (x, here), contexts_at_most (x, thread->nodes.data[k - 1], c)}, 2);
      }
  }
}

static void have_owners (contexts *x) {
  term_pool *p = x->o->terms;
  for (uint32_t c = 0; c < x->count && !order_stops (x->o); c++) {
    term owner = term_var (p, OWNER_BITS);
    for (uint32_t n = 0; n < x->u->nodes.count; n++) {
      const unwound_node *node = &x->u->nodes.data[n];
      term earlier = c ? contexts_at_most (x, n, c - 1) : p->falsity,
           owns = term_eq (p, owner, term_const (p, OWNER_BITS, node->thread));
      add_context_clause (
          x,
          (term[]){negated_literal (x, node->executed), negated_literal (x, contexts_at_most (x, n, c)), earlier, owns},
          4);
    }
  }
}

// Two nodes of different threads. Without a total order, the graph orders them (order_graph.c).
static void come_in_order (contexts *x) {
  uint64_t nodes = x->u->nodes.count;
  if (!x->o->total || nodes * nodes * x->count > ORDER_CLAUSES) return;
  for (uint32_t a = 0; a < nodes && !order_stops (x->o); a++)
    for (uint32_t b = 0; b < nodes; b++) {
      if (x->u->nodes.data[a].thread == x->u->nodes.data[b].thread) continue;
      for (uint32_t c = 0; c < x->count; c++)
        add_context_clause (x,
                            (term[]){negated_literal (x, contexts_at_most (x, a, c)), contexts_at_most (x, b, c),
                                     total_order_before (x->o->total, a, b)},
                            3);
    }
}

contexts *contexts_new (order *o, uint64_t most_switches) {
  if (most_possible (o->u) <= most_switches) return NULL;
  contexts *x = mem_zalloc (sizeof *x);
  x->o = o;
  x->u = o->u;
  x->count = (uint32_t) most_switches + 1;
  number_nodes (x);
  grow_along_threads (x);
  have_owners (x);
  come_in_order (x);
  return x;
}

void contexts_free (contexts *x) {
  if (!x) return;
  vec_release (&x->at_most);
  mem_free (x, sizeof *x);
}

// ---- queries ----------------------------------------------------------------------------------------
// A thread without a node before the step is reached when its creator starts it.
term contexts_reached (const contexts *x, uint32_t thread, uint32_t step, bool with_node) {
  const unwound_thread *t = &x->u->threads.data[thread];
  uint32_t last = t->create_node;
  for (uint32_t k = 0; k < t->nodes.count; k++) {
    uint32_t first = x->u->nodes.data[t->nodes.data[k]].first_step;
    if (first < step || (with_node && first == step)) last = t->nodes.data[k];
  }
  return last == IR_NONE ? x->o->terms->truth : contexts_at_most (x, last, x->count - 1);
}

void contexts_restrict_deadlocks (contexts *x) {
  term any = term_var (x->o->terms, 1);
  for (uint32_t k = 0; k < x->o->stuck.count; k++)
    add_context_clause (x, (term[]){negated_literal (x, x->o->stuck.data[k].literal), any}, 2);
  for (uint32_t n = 0; n < x->u->nodes.count; n++)
    add_context_clause (x,
                        (term[]){negated_literal (x, any), negated_literal (x, x->u->nodes.data[n].executed),
                                 contexts_at_most (x, n, x->count - 1)},
                        3);
}

uint32_t contexts_number (const contexts *x, uint32_t node) {
  uint32_t number = 0;
  while (number < x->count && !decider_value (x->o->decider, contexts_at_most (x, node, number))) number++;
  return number;
}
