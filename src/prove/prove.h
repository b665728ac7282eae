// Model checking of sequential circuits: each back end decides one bad state of a netlist, by a path to it or by an
// invariant that excludes it.
//
//   prove_result r;
//   prove_by_ic3 (&n, 0, &options, &r);
//   if (r.answer == PROVE_HOLDS) CHECK (certificate_is_good (&n, 0, &r.certificate, budget), "...");
//   prove_result_release (&r);
#ifndef LOCKSTEP_PROVE_H
#define LOCKSTEP_PROVE_H

#include "base/budget.h"
#include "netlist/netlist.h"

typedef enum prove_answer {
  PROVE_UNKNOWN,               // the budget ended, or the back end has no answer
  PROVE_HOLDS,                 // not reached on any path: there is a certificate
  PROVE_VIOLATED,              // there is a path
  PROVE_BOUNDED,               // not reached on paths of at most `depth` steps
} prove_answer;

// Why a bad state is never reached. The invariant is a conjunction of clauses over latches, and of an and-inverter
// graph over latches if there is one (the k-th input of `graph` is latch k). A step of a path is good if it satisfies
// the invariant and is not bad. `depth` k: the first k steps of every path are good, and k good steps from any state
// are followed by a good one; `simple`: only paths without equal states, in the latches that matter, have to be
// considered. An inductive invariant that excludes the bad state is the case of depth 1.
typedef struct prove_block { aig_lit states; uint32_t condition; } prove_block;   // of a proof by descent, prove_live.h
typedef struct prove_certificate {
  VEC (int32_t) clauses;       // literals: +-(latch + 1); 0 ends a clause
  aig graph;                   // nodes.count 0: there is no graph
  aig_lit holds;               // in it
  VEC (prove_block) blocks;    // states: in it
  uint32_t depth;
  bool simple;
} prove_certificate;

typedef struct prove_options {
  const budget *budget;
  uint32_t max_depth;          // 0: no limit
  uint64_t seed;               // selects the configuration; 0 is the one that did best alone
  uint32_t jobs;               // number of processes of a race; 0: one
  void (*say) (void *, const char *text);   // progress; or NULL
  void *say_state;
} prove_options;

typedef struct prove_result {
  prove_answer answer;
  uint32_t depth;              // number of steps that were excluded, or the length of the path
  net_path path;
  prove_certificate certificate;
  uint64_t sat_calls, clauses, obligations, bdd_nodes;   // effort
  const char *why;             // reason of an unknown answer; a constant string, or NULL
} prove_result;

void prove_by_bmc (const netlist *, uint32_t bad, const prove_options *, prove_result *);
void prove_by_induction (const netlist *, uint32_t bad, const prove_options *, prove_result *);
void prove_by_ic3 (const netlist *, uint32_t bad, const prove_options *, prove_result *);
void prove_by_bdd (const netlist *, uint32_t bad, const prove_options *, prove_result *);
// Berkeley-abc, if it is installed.
void prove_by_abc (const netlist *, uint32_t bad, const prove_options *, prove_result *);
bool prove_abc_is_there (void);
// Runs the others but ABC in parallel, options->jobs processes at a time; the first answer counts.
void prove_by_race (const netlist *, uint32_t bad, const prove_options *, prove_result *);
// Decides the bad states [bad..end[, each of which implies the one before it in any state, reachable or not. If one is
// reached the search goes on with the next, and with all its lemmas. The result is that of `*last`: the first one that
// is never reached, or the one at which the search ended.
void prove_chain_by_ic3 (const netlist *, uint32_t bad, uint32_t end, const prove_options *, prove_result *,
                         uint32_t *last);
void prove_result_release (prove_result *);

// Is the literal false for all values of the graph's inputs?
prove_answer prove_never (const aig *, aig_lit, const budget *);

// Checks by its own queries, as said above. Returns false also if the budget is spent.
bool certificate_is_good (const netlist *, uint32_t bad, const prove_certificate *, const budget *);

#endif
