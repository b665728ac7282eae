// Time frames of a netlist in one SAT solver: what the first steps of a path make of a literal of the circuit.
//
//   unroll u;
//   unroll_init (&u, net, bad, true, budget);
//   unroll_add_step (&u);                                            // step 0, its constraints hold from now on
//   if (sat_solve (u.solver, (int[]){unroll_literal (&u, 0, bad)}, 1) == SAT_YES) unroll_read_path (&u, 1, &path);
//   unroll_release (&u);
#ifndef LOCKSTEP_UNROLL_H
#define LOCKSTEP_UNROLL_H

#include "encode/cnf.h"
#include "netlist/netlist.h"

typedef struct unroll {
  const netlist *net;
  const budget *budget;
  bool from_reset;             // paths start as the latches are reset, else anywhere
  aig graph;                   // of all steps; constants from the reset are folded
  sat *solver;
  cnf cnf;
  VEC (uint32_t) cone;         // nodes of the netlist that matter, ascending
  VEC (uint32_t) place;        // by node: in `cone`, or UINT32_MAX
  VEC (uint32_t) latches;      // whose nodes are in the cone
  VEC (aig_lit) at;            // [step * cone.count + place]: literals of `graph`
  VEC (uint8_t) value;         // by node of `graph`, see unroll_evaluate
  uint32_t num_steps;
} unroll;

void unroll_init (unroll *, const netlist *, aig_lit bad, bool from_reset, const budget *);   // the cone is that of bad and of the constraints
void unroll_release (unroll *);
bool unroll_add_step (unroll *);                                           // false: the budget is spent
aig_lit unroll_find (const unroll *, uint32_t step, aig_lit);              // in `graph`; the literal lies in the cone
int unroll_literal (unroll *, uint32_t step, aig_lit);
// After SAT_YES, before anything is added:
void unroll_evaluate (unroll *);                                           // fills `value`; nodes without a variable are computed
void unroll_read_path (unroll *, uint32_t length, net_path *);
bool unroll_states_are_equal (const unroll *, uint32_t step, uint32_t other);   // of the latches in the cone, after unroll_evaluate

#endif
