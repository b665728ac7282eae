// Time frames of a netlist in one SAT solver: the value of a literal of the circuit at the first steps of a path.
//
//   unroll u;
//   unroll_init (&u, net, bad, true, budget);
//   unroll_add_step (&u);                                   // step 0, its constraints hold from now on
//   if (sat_solve (u.solver, (int[]){unroll_literal (&u, 0, bad)}, 1) == SAT_YES) unroll_read_path (&u, 1, &path);
//   unroll_release (&u);
#ifndef LOCKSTEP_UNROLL_H
#define LOCKSTEP_UNROLL_H

#include "encode/cnf.h"
#include "netlist/netlist.h"

typedef struct unroll {
  const netlist *net;
  const budget *budget;
  bool from_reset;             // paths start in reset states, else anywhere
  aig graph;                   // all steps; constants from the reset are folded
  sat *solver;
  cnf cnf;
  VEC (uint32_t) cone;         // nodes of the netlist that matter, ascending
  VEC (uint32_t) place;        // by node: its index in `cone`, or UINT32_MAX
  VEC (uint32_t) latches;      // latches whose nodes are in the cone
  VEC (aig_lit) at;            // [step * cone.count + place]: literals of `graph`
  VEC (uint8_t) value;         // by node of `graph`, see unroll_evaluate
  uint32_t num_steps;
} unroll;

// the cone of `bad` and of the constraints
void unroll_init (unroll *, const netlist *, aig_lit bad, bool from_reset, const budget *);
void unroll_release (unroll *);
bool unroll_add_step (unroll *);                                           // false: the budget is spent
// returns the literal of `graph`; the argument lies in the cone
aig_lit unroll_find (const unroll *, uint32_t step, aig_lit);
int unroll_literal (unroll *, uint32_t step, aig_lit);
// To be called after SAT_YES, before anything is added:
// fills `value`; nodes without a variable are computed
void unroll_evaluate (unroll *);
void unroll_read_path (unroll *, uint32_t length, net_path *);
// Compares the latches in the cone, after unroll_evaluate.
bool unroll_states_are_equal (const unroll *, uint32_t step, uint32_t other);

#endif
