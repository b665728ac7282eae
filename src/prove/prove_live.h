// Justice properties of circuits (netlist.h: conditions that may not hold infinitely often), reduced to bad states of
// another circuit.
//
//   prove_result r;
//   live_proof how;
//   prove_live (&n, 0, &options, &r, &how);
//   if (r.answer == PROVE_HOLDS) CHECK (live_proof_is_good (&n, 0, how, &r.certificate, budget), "...");
//   if (r.answer == PROVE_VIOLATED) CHECK (net_path_shows_justice (&n, 0, &r.path), "...");      // a lasso
//   prove_result_release (&r);
//
// A bound (PROVE_BOUNDED) is one for lassos: there is none of at most `depth` steps.
#ifndef LOCKSTEP_PROVE_LIVE_H
#define LOCKSTEP_PROVE_LIVE_H

#include "prove/prove.h"

// The circuits. Each begins with the inputs and latches of the original, so that its paths are paths of the original;
// the constraints are the same.
// By safety (Biere, Artho and Schuppan, Liveness Checking as Safety Checking, 2002): one state of the path is stored,
// and the bad state is that it has come again after each condition was true. Its paths are the lassos of the original.
void live_by_safety (const netlist *, uint32_t justice, netlist *safety);
// By counting (Claessen and Sorensson, A Liveness Checking Algorithm That Counts, 2012): how often were all conditions
// true? Bad state k - 1: at least k times. If it is never reached the property holds; if it is reached, that means
// nothing.
void live_by_counting (const netlist *, uint32_t justice, uint32_t most, netlist *counting);
// Turns a path to the bad state into one of the original.
void live_lasso (const netlist *, const netlist *safety, const net_path *, net_path *lasso);
// By descent: the certificate has blocks of states, in an order, each with a condition. Bad state k: a step from block
// k on which its condition is true, and that leads into no earlier block; or on which the condition is false, and that
// leads neither into block k nor into an earlier one. The last bad state: to be in no block. If initial states do not
// have the last one, and no states, reachable or not, have the others, then every path ends in a block for ever, and
// the block's condition is not true any more. Returns false if the blocks do not fit the circuit and the property; then
// there is nothing to release.
bool live_by_descent (const netlist *, uint32_t justice, const prove_certificate *, netlist *descent);

// Number of conditions: those of the property, then fairness. The condition with this number is true everywhere.
uint32_t live_num_conditions (const netlist *, uint32_t justice);
aig_lit live_condition (const netlist *, uint32_t justice, uint32_t number);

typedef enum live_method { LIVE_BY_SAFETY, LIVE_BY_COUNTING, LIVE_BY_LENGTH, LIVE_BY_DESCENT } live_method;
typedef struct live_proof {
  live_method method;
  uint32_t count;              // by counting: less often than this; by length: no path has this many steps
} live_proof;

// Single methods: `prove` is any back end of prove.h. Counting cannot find a violation; `most`: how far it counts.
typedef void live_prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);
void prove_live_by_safety (const netlist *, uint32_t justice, live_prover *, const prove_options *, prove_result *);
void prove_live_by_counting (const netlist *, uint32_t justice, uint32_t most, const prove_options *, prove_result *,
                             uint32_t *count);

// Decision diagrams of the circuit itself: a lasso, or a proof by descent. They cover all depths, whatever the limit of
// the depth.
void prove_live_by_bdd (const netlist *, uint32_t justice, const prove_options *, prove_result *);

// Cannot find a violation; makes no certificate.
void prove_live_by_length (const netlist *, const prove_options *, prove_result *, uint32_t *length);
// No path has this many steps.
bool live_paths_end (const netlist *, uint32_t length, const budget *);
// Is the certificate a proof by descent?
bool live_descends (const netlist *, uint32_t justice, const prove_certificate *, const budget *);

// Uses this back end alone: decision diagrams on the circuit itself, all others by safety.
void prove_live_by (const netlist *, uint32_t justice, live_prover *, const prove_options *, prove_result *,
                    live_proof *);
// Searches short lassos first, then uses decision diagrams if the circuit is small, then all methods in turns, each
// turn twice as long as the one before.
void prove_live (const netlist *, uint32_t justice, const prove_options *, prove_result *, live_proof *);
bool live_proof_is_good (const netlist *, uint32_t justice, live_proof, const prove_certificate *, const budget *);

#endif
