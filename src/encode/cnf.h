// An and-inverter graph as clauses of a SAT solver.  Requesting the literal of a node translates the node and all nodes
// below it.
#ifndef LOCKSTEP_CNF_H
#define LOCKSTEP_CNF_H

#include "encode/aig.h"
#include "solver/cdcl/cdcl.h"
#include "solver/sat.h"

// The receiver of the clauses: a solver, or a writer of files.
typedef struct clause_sink {
  void *solver;
  int (*new_var) (void *solver);
  void (*add_clause) (void *solver, const int *literals, uint32_t count);
} clause_sink;

typedef struct cnf {
  const aig *graph;
  clause_sink sink;
  VEC (int) variable;          // by node; 0: none
  VEC (uint8_t) uses;          // by node: number of and-nodes of which it is an operand, at most 2
  VEC (uint32_t) stack;        // nodes being translated
  VEC (aig_lit) inputs;        // inputs of the gate being translated
  VEC (aig_lit) inside;        // worklist of the and-nodes that this gate absorbs
  VEC (int) clause;            // scratch
} cnf;

void cnf_init (cnf *, const aig *, sat *);
void cnf_init_cdcl (cnf *, const aig *, cdcl *);
void cnf_init_sink (cnf *, const aig *, const clause_sink *);
void cnf_release (cnf *);
int cnf_literal (cnf *, aig_lit);                // may add variables and clauses
int cnf_find_literal (const cnf *, aig_lit);     // 0 if the node has no variable yet

#endif
