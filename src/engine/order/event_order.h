// The order encoding. An execution of the unwound program is a choice, for every read, of the write it reads from, such
// that the nodes have a total order in which every read comes after its write, with no other write of the same memory
// between them (Alglave, Kroening, Tautschnig, CAV 2013). The solver makes the choice; the order is computed outside of
// the solver. If no order exists, the cycle that prevents it becomes a clause (Yin, Dong, Liu, Wang: "Scheduling
// constraint based abstraction refinement", ASE 2018).
//
//   order *o = order_new (&unwound, &terms, decider, budget);
//   if (order_check (o, assumptions, n) == DECIDED_YES) {
// o->line.data[...]                     // the executed nodes, in the order of execution
//     decider_value (...)
//   }
#ifndef LOCKSTEP_ORDER_EVENT_ORDER_H
#define LOCKSTEP_ORDER_EVENT_ORDER_H

#include "encode/decider.h"
#include "engine/order/unwound.h"
#include "engine/suspects.h"

typedef struct read_from { uint32_t read, write; term literal; } read_from;  // write IR_NONE: the initial value

// Two accesses that can come right after each other: each access comes after the nodes before the other access in its
// thread.
typedef struct race_pair { uint32_t a, b; /* accesses */ term literal; } race_pair;
typedef struct lasting_wait { uint32_t wait; term literal; } lasting_wait;   // the thread waits there for ever
// of events; the literal is true if `first` comes first
typedef struct write_order { uint32_t first, second; term literal; } write_order;

typedef struct order {
  const unwound *u;
  term_pool *terms;
  decider *decider;
  VEC (read_from) candidates;  // by read, in the order of events
  VEC (uint32_t) first_candidate;  // by event: index into candidates
  VEC (race_pair) races;
  VEC (write_order) write_orders;
  VEC (lasting_wait) stuck;
  VEC (VEC (uint32_t)) writes; // by cell: events
  VEC (uint32_t) line;         // after YES: the executed nodes in order
  struct order_graph *graph;   // after YES
  struct total_order *total;   // NULL: the program has too many nodes for it
  struct contexts *contexts;   // NULL: any number of context switches
  uint64_t rounds, clauses;
  const budget *budget;
  uint32_t asked;              // number of times that the budget was queried
  bool stopped;                // the budget is spent: some clauses are missing
} order;

order *order_new (const unwound *, term_pool *, decider *, const budget *);
void order_free (order *);
bool order_stops (order *);  // the budget is spent; for long loops: looks at the clock only now and then
void order_bound_contexts (order *, uint64_t most_switches);  // called before the functions below
void order_add_races (order *, const suspects *);
void order_add_deadlocks (order *);                      // order_deadlock.c
term order_condition (const order *, const unwound_goal *);  // the goal is violated, within the context bound
decided order_check (order *, const term *assumptions, uint32_t count);

// After YES: whether node m must be executed before node n; false if n is IR_NONE.
bool order_before (const order *, uint32_t m, uint32_t n);
bool order_is_executed (const order *, uint32_t node);
uint32_t order_writer (const order *, uint32_t read);      // event, IR_NONE: the initial value

// In every execution in which both nodes are executed, `node` comes before `other`.
bool order_must_precede (const unwound *, uint32_t node, uint32_t other);

#endif
