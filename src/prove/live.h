// Justice properties of circuits (netlist.h: what may not hold infinitely often), put to the back ends for bad states by way of another circuit.
//
//   prove_result r;
//   live_proof how;
//   prove_live (&n, 0, &options, &r, &how);
//   if (r.answer == PROVE_HOLDS) CHECK (live_proof_is_good (&n, 0, how, &r.certificate, budget), "...");
//   if (r.answer == PROVE_VIOLATED) CHECK (net_path_shows_justice (&n, 0, &r.path), "...");      // a lasso
//   prove_result_release (&r);
//
// A bound (PROVE_BOUNDED) is one for lassos: none of at most `depth` steps.
#ifndef LOCKSTEP_LIVE_H
#define LOCKSTEP_LIVE_H

#include "prove/prove.h"

// The circuits.  Both begin with the inputs and latches of the original, so that a path is one of the original as well; the constraints are the same.
// By safety (Biere, Artho and Schuppan, Liveness Checking as Safety Checking, 2002): one state of the path is stored, and the bad state is that it has come again while each condition
// has held.  Its paths are the lassos of the original.
void live_by_safety (const netlist *, uint32_t justice, netlist *safety);
// By counting (Claessen and Sorensson, A Liveness Checking Algorithm That Counts, 2012): how often have all conditions held?  Bad state k - 1: at least k times.  If it is never
// reached the property holds; if it is, that says nothing.
void live_by_counting (const netlist *, uint32_t justice, uint32_t most, netlist *counting);
void live_lasso (const netlist *, const netlist *safety, const net_path *, net_path *lasso);   // a path to the bad state, as one of the original
// By descent: the certificate has blocks of states, in an order, each with a condition.  Bad state k: a step from block k on which its condition holds, and that leads into no block before it; or on which it does not,
// and that leads into no block up to it.  The last bad state: to be in no block.  If the latter is not so at the start, and the others in no state, reachable or not, then every path comes to stay in a block whose condition
// does not hold any more.  False: the blocks do not fit the circuit and the property, and there is nothing to release.
bool live_by_descent (const netlist *, uint32_t justice, const prove_certificate *, netlist *descent);

// Conditions: those of the property, then fairness.  The one after the last holds always.
uint32_t live_num_conditions (const netlist *, uint32_t justice);
aig_lit live_condition (const netlist *, uint32_t justice, uint32_t number);

typedef enum live_method { LIVE_BY_SAFETY, LIVE_BY_COUNTING, LIVE_BY_LENGTH, LIVE_BY_DESCENT } live_method;
typedef struct live_proof {
  live_method method;
  uint32_t count;              // by counting: less often than this; by length: no path has so many steps
} live_proof;

// One way alone: `prove` is any back end of prove.h.  Counting cannot find a violation; `most`: how far it counts.
typedef void live_prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);
void prove_live_by_safety (const netlist *, uint32_t justice, live_prover *, const prove_options *, prove_result *);
void prove_live_by_counting (const netlist *, uint32_t justice, uint32_t most, const prove_options *, prove_result *, uint32_t *count);

// Decision diagrams of the circuit itself: a lasso, or a proof by descent.  All of it is looked at, whatever the limit of the depth.
void prove_live_by_bdd (const netlist *, uint32_t justice, const prove_options *, prove_result *);

void prove_live_by_length (const netlist *, const prove_options *, prove_result *, uint32_t *length);   // cannot find a violation, either; there is no certificate
bool live_paths_end (const netlist *, uint32_t length, const budget *);                                 // none has so many steps
bool live_descends (const netlist *, uint32_t justice, const prove_certificate *, const budget *);      // it is a proof by descent

// With this back end: decision diagrams of the circuit itself, the others by safety.
void prove_live_by (const netlist *, uint32_t justice, live_prover *, const prove_options *, prove_result *, live_proof *);
// Short lassos first, decision diagrams if the circuit is small, then all ways in turn, each time for twice as long.
void prove_live (const netlist *, uint32_t justice, const prove_options *, prove_result *, live_proof *);
bool live_proof_is_good (const netlist *, uint32_t justice, live_proof, const prove_certificate *, const budget *);

#endif
