// A Boolean program as a program of ir/ir.h.  In reading order: lower.c (objects, procedures, threads), lower_step.c (one statement as
// edges), lower_expr.c (expressions and what they read).
//
// A global is one byte in memory, accessed atomically; a local is a register of one bit.  There is a procedure for the first thread and
// one for each place where threads start; their argument holds the values of the creator's locals, one bit each.  A statement that
// accesses more than one global is an atomic region.  What is dead is neither initialised nor handed on.
#ifndef LOCKSTEP_BOOLEAN_LOWER_IMPL_H
#define LOCKSTEP_BOOLEAN_LOWER_IMPL_H

#include "base/map.h"
#include "boolean/program.h"
#include "ir/ir.h"

typedef struct lowering {
  const bp_program *p;
  ir_program *out;
  dataflow live;
  ir_object *object;           // [0..vars.count[, of globals
  ir_object handle;            // where the handles of new threads go; nobody reads it
  ir_proc *thread;             // [0..locs.count[, for threads that start there; IR_NONE: not made yet
  bp_expr_list leaves;
  VEC (bp_loc) starts;         // places where threads start, in the order they are found

  // the procedure at hand
  ir_proc proc;
  map locs;                    // bp_loc -> ir_loc
  VEC (bp_loc) work;           // locations that have to be made
  ir_reg *local;               // [0..vars.count[, registers of locals; IR_NONE: not used yet

  // the statement at hand
  ir_loc at;                   // where its next edge begins
  uint32_t statement;          // 0: before the first one
  ir_position pos;
  map now, after, choice;      // variable -> ir_expr, the same for the state after the step, choice -> ir_expr
  map built;                   // bp_expr -> ir_expr
} lowering;

// ---- lower.c ----
ir_loc lower_loc (lowering *, bp_loc);                 // made when it is first asked for
ir_edge lower_edge (lowering *, ir_op);                // from `at`, which moves to a new location
ir_edge lower_edge_to (lowering *, ir_op, ir_loc);     // from `at`, which does not move
ir_reg lower_local (lowering *, bp_var);
void lower_goto (lowering *, bp_loc);                  // ends the statement
void lower_assign_reg (lowering *, ir_reg, ir_expr);
ir_position lower_position (const lowering *, ir_position);   // which lives as long as the result

// ---- lower_step.c ----
void lower_step (lowering *, bp_loc);

// ---- lower_expr.c ----
void lower_forget (lowering *);                        // a new statement begins: nothing has been read
void lower_read (lowering *, bp_expr);                 // reads the globals and takes the choices that are in it, once
void lower_set_next (lowering *, bp_var, ir_expr);     // what x' stands for; else for x
ir_expr lower_expr (lowering *, bp_expr);              // everything in it has been read
ir_expr lower_choice (lowering *, uint32_t which);
void lower_store (lowering *, bp_var, ir_expr);        // of a global

#endif
