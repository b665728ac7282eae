// The order encoding: an execution of the unwound program is a choice, for every read, of the write it reads from, such that the nodes
// can be put into one order in which every read comes after its write with no other write of the same memory between them (Alglave, Kroening,
// Tautschnig, CAV 2013).  The solver chooses; the order is looked for outside of it, and where there is none, the cycle that
// prevents it becomes a clause (Yin, Dong, Liu, Wang: "Scheduling constraint based abstraction refinement", ASE 2018).
//
//   order *o = order_new (&unwound, &terms, decider, budget);
//   if (order_check (o, assumptions, n) == DECIDED_YES) {
//     o->line.data[...]                     // nodes that happen, in the order in which they do
//     decider_value (...)
//   }
#ifndef LOCKSTEP_ORDER_EVENT_ORDER_H
#define LOCKSTEP_ORDER_EVENT_ORDER_H

#include "encode/decider.h"
#include "engine/order/unwound.h"
#include "engine/suspects.h"

typedef struct reading { uint32_t read, write; term literal; } reading;  // write IR_NONE: the initial value

// Two nodes that stand side by side: each comes after what stands before the other one in its thread.
typedef struct race_pair { uint32_t a, b; /* accesses */ term literal; } race_pair;
typedef struct stuck_wait { uint32_t wait; term literal; } stuck_wait;   // the thread waits there for ever
typedef struct write_order { uint32_t first, second; term literal; } write_order;  // events; holds: in this order

typedef struct order {
  const unwound *u;
  term_pool *terms;
  decider *decider;
  VEC (reading) readings;      // by read, in order of events
  VEC (uint32_t) first_reading;  // by event: index into readings
  VEC (race_pair) races;
  VEC (write_order) write_orders;
  VEC (stuck_wait) stuck;
  VEC (VEC (uint32_t)) writes; // by cell: events
  VEC (uint32_t) line;         // after YES
  struct order_graph *graph;   // after YES
  struct total_order *total;   // NULL: too many nodes for it
  struct contexts *contexts;   // NULL: any number of them
  uint64_t rounds, clauses;
  const budget *budget;
  uint32_t asked;              // how often whether it is spent
  bool stopped;                // it is: the clauses are not all there
} order;

order *order_new (const unwound *, term_pool *, decider *, const budget *);
void order_free (order *);
bool order_stops (order *);                              // for long loops; looks at the clock now and then
void order_bound_contexts (order *, uint64_t most_switches);  // before what follows
void order_add_races (order *, const suspects *);
void order_add_deadlocks (order *);                      // deadlock.c
term order_condition (const order *, const unwound_goal *);  // it is violated, within the contexts that count
decided order_check (order *, const term *assumptions, uint32_t count);

// After YES: what node m has to come before so that node n (or IR_NONE: nothing) can happen?
bool order_before (const order *, uint32_t m, uint32_t n);
bool order_happens (const order *, uint32_t node);
uint32_t order_writer (const order *, uint32_t read);      // event, IR_NONE: the initial value

// In every execution in which both happen.
bool order_surely_before (const unwound *, uint32_t node, uint32_t other);

#endif
