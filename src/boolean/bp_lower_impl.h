// Lowering: translates a Boolean program to a program of ir/ir.h.  In reading order: bp_lower.c (objects, procedures,
// threads), bp_lower_step.c (one statement as edges), bp_lower_expr.c (expressions, their loads and choices).
//
// A global is one byte in memory, accessed atomically; a local is a register of one bit.  There is a procedure for the
// first thread and one for each location at which threads start; the argument of the latter contains the values of the
// creator's locals, one bit each.  A statement that accesses more than one global is an atomic region.  Dead variables
// are neither initialised nor passed.
#ifndef LOCKSTEP_BOOLEAN_LOWER_IMPL_H
#define LOCKSTEP_BOOLEAN_LOWER_IMPL_H

#include "base/map.h"
#include "boolean/bp_program.h"
#include "ir/ir.h"

typedef struct bp_lowering {
  const bp_program *p;
  ir_program *out;
  dataflow live;
  ir_object *object;           // [0..vars.count[, objects of globals
  ir_object handle;            // receives the handles of new threads, which are never read
  ir_proc *thread;             // [0..locs.count[, procedures of threads that start there; IR_NONE: not added yet
  bp_expr_list leaves;
  VEC (bp_loc) starts;         // locations at which threads start, in the order in which they are found

  // the current procedure
  ir_proc proc;
  map locs;                    // bp_loc -> ir_loc
  VEC (bp_loc) work;           // locations whose statements have not been translated yet
  ir_reg *local;               // [0..vars.count[, registers of locals; IR_NONE: not used yet

  // the current statement
  ir_loc at;                   // location at which its next edge begins
  uint32_t statement;          // 0: before the first one
  ir_position pos;
  map now, after;              // variable -> ir_expr, in the states before and after the step
  map choice;                  // choice -> ir_expr
  map built;                   // bp_expr -> ir_expr
} bp_lowering;

// ---- lower.c ----
ir_loc lower_loc (bp_lowering *, bp_loc);                 // the first call for a location adds it
ir_edge lower_edge (bp_lowering *, ir_op);                // adds an edge from `at` to a new location, the new `at`
ir_edge lower_edge_to (bp_lowering *, ir_op, ir_loc);     // adds an edge from `at`, which does not change
ir_reg lower_local (bp_lowering *, bp_var);
void lower_goto (bp_lowering *, bp_loc);                  // ends the statement with an edge to this location
void lower_assign_reg (bp_lowering *, ir_reg, ir_expr);
ir_position lower_position (const bp_lowering *, ir_position);   // the position with strings of the result

// ---- lower_step.c ----
void lower_step (bp_lowering *, bp_loc);

// ---- lower_expr.c ----
void lower_forget (bp_lowering *);                        // begins a statement: no global has been read, no choice made
void lower_read (bp_lowering *, bp_expr);                 // reads the globals and makes the choices of x, each once
void lower_set_next (bp_lowering *, bp_var, ir_expr);     // sets the value of x'; without this call x' is x
ir_expr lower_expr (bp_lowering *, bp_expr);              // lower_read must have been called for the expression
ir_expr lower_choice (bp_lowering *, uint32_t which);
void lower_store (bp_lowering *, bp_var, ir_expr);        // stores to a global

#endif
