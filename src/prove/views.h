// Invariants of systems with any number of like parts, about the views of a few of them.
//
// A state has views: the shared state, and the private states of k of the parts, in any order. An invariant says of
// every view of a state that it satisfies its clauses. So it is enough to consider one step of a state in which k parts
// are tracked and one more stands for any other: if all views of these k + 1 parts are good before the step, the view
// of the k tracked ones is good after it. This is Ashcroft's assertion with as many quantifiers as there are parts in a
// view (1975); as a set of Horn clauses it is in Hoenicke, Majumdar, Podelski, "Thread modularity at many levels"
// (2017), section 4, and the best solution is the fixpoint of Abdulla, Haziza, Holik, "All for the price of few"
// (2013).
//
//   views x;
//   views_init (&x, &graph);                              // then its fields
//   views_prove (&x, &options, &result);                  // PROVE_VIOLATED: no invariant of this form exists;
//                                                         // that says nothing about the system
//   if (result.answer == PROVE_HOLDS) CHECK (views_certificate_is_good (&x, &result.certificate, budget), "...");
//   views_release (&x);
#ifndef LOCKSTEP_VIEWS_H
#define LOCKSTEP_VIEWS_H

#include "prove/prove.h"

// The meaning of a bit of a view: a condition of its own; a digit of a number; a bit of a code with few values, each of
// which is also a condition.
typedef enum view_kind { VIEW_FACT, VIEW_DIGIT, VIEW_CODE } view_kind;

typedef struct views {
  const aig *graph;            // over bits of states and choices
  uint32_t num_bits;           // of a view
  uint32_t num_plain;          // bits from this one on are conditions on the bits before
  uint32_t num_views;          // views of k + 1 parts; number 0 is that of the tracked parts
  uint32_t num_sets;           // the first of these views, which differ as sets of parts, not only in order
  VEC (aig_lit) seen;          // [view * num_bits + bit]
  VEC (aig_lit) next;          // by bit: in view 0, after the step
  VEC (uint8_t) reset;         // by bit: net_reset
  VEC (uint8_t) kind;          // by bit: view_kind
  VEC (aig_lit) choices;       // inputs of the graph that the views do not determine
  aig_lit allowed, bad;        // the step may be taken; the step is bad
} views;

void views_init (views *, const aig *);
void views_release (views *);
void views_forget (views *, view_kind);          // an invariant may not use these bits any more, except by conditions
void views_forget_conditions (views *);
// The certificate is about bits of a view, as others are about latches. The search works by IC3; views_prove_by_bdd by
// decision diagrams, which need bits only and no conditions.
void views_prove (const views *, const prove_options *, prove_result *);
void views_prove_by_bdd (const views *, const prove_options *, prove_result *);
// Checks by its own queries: initial states satisfy the invariant, steps from states all of whose views satisfy it lead
// to such states again, and no such step is bad.
bool views_certificate_is_good (const views *, const prove_certificate *, const budget *);

#endif
