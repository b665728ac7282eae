// Declarations private to the files of ir_add_uninit_checks, in reading order:
//
//   uninit_origin.c   which registers, results and objects may have bits that were never written, and from which edges
//   uninit_shadow.c   the shadow of an expression: an expression whose set bits are the undefined ones
//   uninit_checks.c   adds the edges that compute shadows, store and load them, and check them
//   uninit_call.c     passes shadows between procedures and threads
//   uninit_message.c  the messages of the checks
#ifndef LOCKSTEP_UNINIT_IMPL_H
#define LOCKSTEP_UNINIT_IMPL_H

#include "ir/ir_impl.h"

// The origin of the undefined bits of a value: none, one edge (a local without a value, or a load), or several edges.
typedef uint32_t origin;
enum { ORIGIN_NONE = 0, ORIGIN_SEVERAL = UINT32_MAX };  // otherwise 1 + edge

typedef struct uninit_proc {
  uint32_t first_reg;     // its registers are [first_reg..first_reg + num_regs[ of the arrays below
  uint32_t num_regs;      // number of registers before shadow registers were added
  bool is_taken;          // its address is used otherwise than in direct calls
  origin result;          // origin of its return value
} uninit_proc;

typedef struct uninit {
  ir_program *p;
  uint32_t num_edges, num_locs;  // numbers before edges and locations were added
  uninit_proc *procs;
  uint32_t num_regs;             // of all procedures together
  origin *regs;                  // per register: origin of its value
  uint8_t *num_definitions;      // per register: number of edges that set it, at most 2
  ir_reg *shadows;               // per register: its shadow register, or IR_NONE
  origin *objects;               // per static object: origin of the values that are stored in it by name
  bool *is_escaped;              // per static object: pointers may reach it
  uint32_t num_objects;
  bool has_fresh;                // the program allocates memory that starts undefined
  bool has_threads;              // the program creates a thread
  bool has_arguments;            // objects hold words of the command line, which are inputs
  origin stored;                 // origin of the values that are stored through pointers
  origin result_of_pointer;      // origin of the return values of procedures whose addresses are taken
  origin thread_argument, thread_result;
  bool changed;
  // while edges are added
  ir_proc proc;                  // procedure being changed
  ir_loc at;                     // location at which the next added edge starts
  ir_position pos;
  ir_object cells;               // thread-local: shadows of the result and the arguments; IR_NONE: nothing is passed
  ir_object ghost;               // its address stands for an undefined argument or result of a thread; IR_NONE: none
  bool is_wide;                  // a value that is passed has more than 64 bits
  VEC (bool) by_pointer;         // per parameter: may it be undefined in a procedure whose address is taken?
} uninit;

static inline unsigned uninit_bits (const uninit *u, ir_expr x) { return ir_expr_at (u->p, x)->bits; }
static inline uint32_t uninit_reg (const uninit *u, ir_proc f, ir_reg r) { return u->procs[f.i].first_reg + r.i; }

// ---- uninit_origin.c -------------------------------------------------------------------------------
void uninit_find_origins (uninit *);
origin uninit_origin (const uninit *, ir_proc, ir_expr);       // the origin of the undefined bits of the expression
origin uninit_origin_of_memory (const uninit *, ir_expr address);
ir_proc uninit_callee (const uninit *, ir_expr);                // the procedure at this address; IR_NONE: not known
origin uninit_origin_of_result (const uninit *, ir_expr callee);

// ---- uninit_shadow.c -------------------------------------------------------------------------------
// The shadow of an expression of the current procedure.  May add edges at `at`.
ir_expr uninit_shadow (uninit *, ir_expr);
ir_expr uninit_defined (uninit *, ir_expr);                      // one bit: are all bits of the value defined?

// ---- uninit_call.c: what is passed between procedures and threads ----------------------------------
void uninit_prepare_calls (uninit *);
void uninit_add_prologue (uninit *, ir_proc);
void uninit_pass_arguments (uninit *, ir_edge call);
void uninit_take_result (uninit *, ir_edge call);           // adds edges after the call
void uninit_pass_result (uninit *, ir_edge end);            // adds edges before `return` and `thread_exit`
void uninit_pass_thread_argument (uninit *, ir_edge create);
void uninit_take_thread_result (uninit *, ir_edge join);    // adds edges after the join

// ---- uninit_message.c ------------------------------------------------------------------------------
const char *uninit_message (uninit *, ir_edge, unsigned arg, origin);

// ---- uninit_checks.c --------------------------------------------------------------------------------------
ir_edge uninit_emit (uninit *, ir_op);                    // adds an edge from `at` to a new location, the new `at`
// assigns the value to a register, unless it is one or constant
ir_expr uninit_hold (uninit *, ir_expr);
void uninit_set (uninit *, ir_reg, ir_expr shadow);       // assigns the shadow of the register, if it has one
void uninit_give_up_unless (uninit *, ir_expr holds, const char *what);  // the execution ends as unsupported otherwise
void uninit_replace_arg (uninit *, ir_edge, unsigned arg, ir_expr);

#endif
