// Boolean programs (`*.bp`): the form that the reader builds, the engines analyse, and the printer writes.
//
// A program is one flat control-flow graph: calls have been inlined, `if` and `while` are gotos and assumes.  A
// location has one statement, which is one atomic step of the thread at the location.  Every thread has its own copy of
// every local; the locals of a new thread start with the values of its creator's.  docs/formats/boolean-programs.md
// defines every statement.
//
//   bp_program *p = bp_program_new ("x.bp");
//   bp_var g = bp_add_var (p, "g", true);
//   bp_loc a = bp_add_loc (p, BP_ASSIGN), b = bp_add_loc (p, BP_END_THREAD);
//   bp_add_target (p, a, g, bp_choice (p));                              // g := *
//   bp_add_next (p, a, b);
//   p->start = a;
//   if (!bp_find_regions (p, &error)) ...                                // fills in the depths of atomic regions
//
// Read next: bp_parse_impl.h (reading), bp_print.c, bp_lower_impl.h (translation to ir/ir.h).
#ifndef LOCKSTEP_BOOLEAN_PROGRAM_H
#define LOCKSTEP_BOOLEAN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dataflow.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "ir/ir.h"

#define BP_NONE UINT32_MAX

typedef struct { uint32_t i; } bp_var;
typedef struct { uint32_t i; } bp_loc;
typedef struct { uint32_t i; } bp_expr;    // equal expressions have equal numbers

// ---- expressions -----------------------------------------------------------------------------------
typedef enum bp_op {
  BP_CONST, BP_VAR, BP_NEXT /* x', in constraints */, BP_CHOICE /* * */, BP_NOT, BP_AND, BP_OR, BP_XOR
} bp_op;
typedef struct bp_node {
  uint32_t op;                 // bp_op
  // CONST: the value; VAR, NEXT: the variable; CHOICE: its number; NOT: an expression; AND OR XOR: two expressions.
  // Else 0.
  uint32_t a, b;
} bp_node;

// ---- statements ------------------------------------------------------------------------------------
typedef enum bp_kind {
  BP_SKIP, BP_ASSIGN, BP_ASSUME, BP_ASSERT, BP_GOTO, BP_START_THREAD, BP_END_THREAD,
  BP_ATOMIC_BEGIN, BP_ATOMIC_END, BP_NUM_KINDS
} bp_kind;

typedef struct bp_location {
  bp_kind kind;
  uint16_t depth;              // number of atomic regions around the location, equal on all paths; from bp_find_regions
  bool reached;                // reachable from the start over `next` and `thread`; from bp_find_regions
  VEC (bp_var) targets;        // ASSIGN: all different, assigned simultaneously
  VEC (bp_expr) values;        // ASSIGN: [0..targets.count[, in the state before the step
  bp_expr condition;           // ASSUME, ASSERT; ASSIGN: constraint on the states before and after the step.  Else true
  VEC (bp_loc) next;           // GOTO: one or more; END_THREAD: none; all others: one
  bp_loc thread;               // START_THREAD: location at which the new thread starts, with depth 0; else BP_NONE
  const char *label;           // label in the source, or NULL
  const char *procedure;       // procedure in the source, or NULL
  ir_position pos;
} bp_location;

typedef struct bp_variable {
  const char *name;            // unique; an identifier, or any text in braces: "{x > 0}"
  const char *shown;           // the name in the source: "x" of procedure f may have the unique name "f_x"
  bool global;                 // false: each thread has its own copy
  ir_position pos;
} bp_variable;

typedef struct bp_program {
  arena *arena;                // strings
  const char *file;
  VEC (bp_variable) vars;      // each has an arbitrary value until it is assigned
  VEC (bp_location) locs;
  bp_loc start;                // location at which the first thread starts
  intern nodes;                // a bp_node per expression
  uint32_t num_choices;
} bp_program;

// ---- building --------------------------------------------------------------------------------------
bp_program *bp_program_new (const char *file);         // file: the source of the program.  All strings are copied
void bp_program_free (bp_program *);
bp_var bp_add_var (bp_program *, const char *name, bool global);
bp_loc bp_add_loc (bp_program *, bp_kind);
void bp_add_target (bp_program *, bp_loc, bp_var, bp_expr value);   // the location must be an assignment
void bp_add_next (bp_program *, bp_loc, bp_loc next);

bp_expr bp_const (bp_program *, bool);
bp_expr bp_use (bp_program *, bp_var);
bp_expr bp_use_next (bp_program *, bp_var);
// Returns a new choice.  A statement in which a choice occurs more than once cannot be printed.
bp_expr bp_choice (bp_program *);
bp_expr bp_not (bp_program *, bp_expr);                // simplifies, like the next three
bp_expr bp_and (bp_program *, bp_expr, bp_expr);
bp_expr bp_or (bp_program *, bp_expr, bp_expr);
bp_expr bp_xor (bp_program *, bp_expr, bp_expr);

// ---- reading it ------------------------------------------------------------------------------------
static inline bp_location *bp_loc_at (const bp_program *p, bp_loc l) { return &p->locs.data[l.i]; }
static inline bp_variable *bp_var_at (const bp_program *p, bp_var v) { return &p->vars.data[v.i]; }
static inline bp_node bp_node_at (const bp_program *p, bp_expr x) {
  return *(const bp_node *) intern_get (&p->nodes, x.i, NULL);
}
static inline bool bp_is_const (const bp_program *p, bp_expr x, bool value) {
  bp_node n = bp_node_at (p, x);
  return n.op == BP_CONST && n.a == value;
}
// Appends the different VAR, NEXT and CHOICE nodes of the expression, from left to right.
typedef VEC (bp_expr) bp_expr_list;
void bp_leaves (const bp_program *, bp_expr, bp_expr_list *out);

// An error for diag_error.  All zero before use; the caller releases the text.
typedef struct bp_error { uint32_t line, column; strbuf text; } bp_error;

// Sets `reached` and `depth`.  False: paths reach a location with different depths, or a region ends that has not
// begun.
bool bp_find_regions (bp_program *, bp_error *);

// Finds the live variables: those that a thread at the location, or a thread that it starts, may read before it assigns
// them.  The caller releases the result with dataflow_release.
void bp_find_live (dataflow *, const bp_program *);
static inline bool bp_is_live (const dataflow *live, bp_loc l, bp_var x) { return dataflow_is_live (live, l.i, x.i); }

// ---- text ------------------------------------------------------------------------------------------
bp_program *bp_parse (const char *text, const char *file, bp_error *);   // NULL: see the error.  Calls bp_find_regions
bp_program *bp_load (const char *path);                // NULL after diag_error
// one procedure `main`; reading it back gives the same text again
void bp_print (const bp_program *, strbuf *out);
void bp_print_expr (const bp_program *, bp_expr, bool shown /* names as in the source */, strbuf *out);

// ---- as a program of ir/ir.h -----------------------------------------------------------------------
// Translates the program.  The edges of the result have numbers of their origin: `statement` is the number of the
// location plus one (0: before the first statement).  `choice` of a NONDET is one of these numbers plus one: the number
// of the choice; at a GOTO with several targets the number of the target, which is taken if the value is 1; before the
// first statement the variable whose initial value the NONDET is.
// NULL after diag_error: too many locals are passed to a new thread
ir_program *bp_lower (const bp_program *);
bool bp_is_file (const char *path);                    // is the name *.bp?

#endif
