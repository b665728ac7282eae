// What the files of ir_add_uninit_checks share:
//
//   uninit_origin.c   which registers, results and objects may hold bits that were never written, and where these come from
//   uninit_shadow.c   the shadow of an expression: an expression whose set bits are the undefined ones
//   uninit.c          the edges that compute shadows, pass them through memory and calls, and check them
#ifndef LOCKSTEP_UNINIT_IMPL_H
#define LOCKSTEP_UNINIT_IMPL_H

#include "ir/ir_impl.h"

// Where undefined bits come from: nowhere, one edge (a local without a value, or a load), or several.
typedef uint32_t origin;
enum { ORIGIN_NONE = 0, ORIGIN_SEVERAL = UINT32_MAX };  // otherwise 1 + edge

typedef struct uninit_proc {
  uint32_t first_reg;     // its registers are [first_reg..first_reg + num_regs[ of the arrays below
  uint32_t num_regs;      // before any was added
  bool is_taken;          // its address is used otherwise than in direct calls
  origin result;
} uninit_proc;

typedef struct uninit {
  ir_program *p;
  uint32_t num_edges, num_locs;  // of the program as it was
  uninit_proc *procs;
  uint32_t num_regs;             // of all procedures
  origin *regs;                  // per register
  uint8_t *num_definitions;      // per register: edges that set it, at most 2
  ir_reg *shadows;               // per register: where its shadow is, or IR_NONE
  origin *objects;               // per static object: of what is stored there directly
  bool *is_escaped;              // per static object: it may be reached by pointers
  uint32_t num_objects;
  bool has_fresh;                // there is memory that starts undefined
  bool has_threads;              // some thread is created
  bool has_arguments;            // there are words of the command line, which are inputs
  origin stored;                 // of what is stored through pointers
  origin result_of_pointer;      // of what procedures return whose addresses are taken
  origin thread_argument, thread_result;
  bool changed;
  // while edges are added
  ir_proc proc;
  ir_loc at;                     // where the next edge starts
  ir_position pos;
  ir_object cells;               // thread-local: shadows of the result and of the arguments; IR_NONE: nothing is passed
  ir_object ghost;               // its address stands for a thread's undefined argument or result; IR_NONE: there is none
  bool is_wide;                  // something passed has more than 64 bits
  VEC (bool) by_pointer;         // per parameter: may it be undefined in a procedure whose address is taken?
} uninit;

static inline bool uninit_is_const (const ir_program *p, ir_expr x) { return ir_expr_at (p, x)->op == IR_X_CONST; }
static inline unsigned uninit_bits (const uninit *u, ir_expr x) { return ir_expr_at (u->p, x)->bits; }
static inline uint32_t uninit_reg (const uninit *u, ir_proc f, ir_reg r) { return u->procs[f.i].first_reg + r.i; }

// ---- uninit_origin.c -------------------------------------------------------------------------------
void uninit_find_origins (uninit *);
origin uninit_origin (const uninit *, ir_proc, ir_expr);       // of its undefined bits
origin uninit_origin_of_memory (const uninit *, ir_expr address);
ir_proc uninit_callee (const uninit *, ir_expr);                // of a call of this address; IR_NONE: not known
origin uninit_origin_of_result (const uninit *, ir_expr callee);

// ---- uninit_shadow.c -------------------------------------------------------------------------------
// The shadow of an expression of the procedure at hand.  May add edges at `at`.
ir_expr uninit_shadow (uninit *, ir_expr);
ir_expr uninit_defined (uninit *, ir_expr);                      // one bit: has the value no undefined bits?

// ---- uninit_call.c: what is passed between procedures and threads ----------------------------------
void uninit_prepare_calls (uninit *);
void uninit_add_prologue (uninit *, ir_proc);
void uninit_pass_arguments (uninit *, ir_edge call);
void uninit_take_result (uninit *, ir_edge call);           // behind the call
void uninit_pass_result (uninit *, ir_edge end);            // in front of `return` and `thread_exit`
void uninit_pass_thread_argument (uninit *, ir_edge create);
void uninit_take_thread_result (uninit *, ir_edge join);    // behind the join

// ---- uninit_message.c ------------------------------------------------------------------------------
const char *uninit_message (uninit *, ir_edge, unsigned arg, origin);

// ---- uninit.c --------------------------------------------------------------------------------------
ir_edge uninit_emit (uninit *, ir_op);                    // at -> a new location
ir_expr uninit_hold (uninit *, ir_expr);                  // in a register, unless it is one or a constant
void uninit_set (uninit *, ir_reg, ir_expr shadow);       // the shadow of the register, if it has one
void uninit_give_up_unless (uninit *, ir_expr holds, const char *what);  // else the execution ends as unsupported
void uninit_replace_arg (uninit *, ir_edge, unsigned arg, ir_expr);

#endif
