// The program: objects, procedures, and their control-flow automata.  Read this before anything else in the project:
// every engine, the judge and the front end work on these types.
//
// A program is a set of static objects (globals, string literals, thread-locals, functions) and procedures.  A
// procedure is a control-flow automaton: edges join locations, and each edge is one atomic operation on registers of
// the frame, on memory, or on a synchronisation object.  A location has either one edge, or several `assume` edges (a
// branch). docs/formats/ir.md defines every operation.
//
// Each thing has a 32-bit index wrapped in a one-field struct, so that the compiler catches mix-ups.
//
//   ir_program *p = ir_program_new ();
//   ir_proc f = ir_add_proc (p, "main");
//   ir_reg r = ir_add_reg (p, f, 32, "x");
//   ir_loc a = ir_add_loc (p, f), b = ir_add_loc (p, f);
//   ir_edge e = ir_add_edge (p, IR_ASSIGN, a, b);
//   ir_edge_at (p, e)->dst = r;
//   ir_add_arg (p, e, ir_const (p, 32, 7));
//   ...
//   ir_finish (p);                          // sorts edges by location; no edge may be added afterwards
//   if (!ir_check (p, &message)) BUG (...);
#ifndef LOCKSTEP_IR_H
#define LOCKSTEP_IR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/vec.h"

#define IR_NONE UINT32_MAX

typedef struct { uint32_t i; } ir_object;  // static object; id 0 is the null object
typedef struct { uint32_t i; } ir_proc;
typedef struct { uint32_t i; } ir_reg;     // index into the registers of one procedure
typedef struct { uint32_t i; } ir_loc;     // program-wide
typedef struct { uint32_t i; } ir_edge;    // program-wide
typedef struct { uint32_t i; } ir_expr;    // program-wide, hash-consed
typedef struct { uint32_t i; } ir_type;    // program-wide; only used to show memory by its C names

typedef unsigned __int128 ir_value;        // a bit-vector of up to 128 bits, upper bits zero

// ---- expressions -----------------------------------------------------------------------------------
// Expressions are pure and total: x/0 is all ones, x%0 is x, an over-wide shift gives 0 (ashr: copies of the sign bit).
// Pointers are integers of program->pointer_bits.  A float is the bit-vector of its encoding; the width of the operands
// (32, 64, 80) is the format of an operator on floats.  Comparisons yield 1 bit.
//        name    text     arity
#define IR_EXPR_OPS(OP)                                                                                \
  OP (CONST, "const", 0) OP (REG, "reg", 0) OP (ADDR, "addr", 0)                                       \
  OP (ADD, "add", 2) OP (SUB, "sub", 2) OP (MUL, "mul", 2) OP (UDIV, "udiv", 2) OP (SDIV, "sdiv", 2)   \
  OP (UREM, "urem", 2) OP (SREM, "srem", 2) OP (SHL, "shl", 2) OP (LSHR, "lshr", 2)                    \
  OP (ASHR, "ashr", 2) OP (AND, "and", 2) OP (OR, "or", 2) OP (XOR, "xor", 2)                          \
  OP (EQ, "eq", 2) OP (NE, "ne", 2) OP (ULT, "ult", 2) OP (ULE, "ule", 2) OP (SLT, "slt", 2)           \
  OP (SLE, "sle", 2) OP (ITE, "ite", 3) OP (ZEXT, "zext", 1) OP (SEXT, "sext", 1) OP (TRUNC, "trunc", 1)\
  OP (SADDO, "saddo", 2) OP (SSUBO, "ssubo", 2) OP (SMULO, "smulo", 2) OP (UADDO, "uaddo", 2)          \
  OP (USUBO, "usubo", 2) OP (UMULO, "umulo", 2)                                                        \
  OP (CTPOP, "ctpop", 1) OP (CTLZ, "ctlz", 1) OP (CTTZ, "cttz", 1) OP (BSWAP, "bswap", 1)              \
  OP (BITREV, "bitrev", 1)                                                                             \
  OP (FADD, "fadd", 2) OP (FSUB, "fsub", 2) OP (FMUL, "fmul", 2) OP (FDIV, "fdiv", 2)                  \
  OP (FREM, "frem", 2) OP (FNEG, "fneg", 1) OP (FABS, "fabs", 1) OP (FSQRT, "fsqrt", 1)                \
  OP (FFLOOR, "ffloor", 1) OP (FCEIL, "fceil", 1) OP (FTRUNC, "ftrunc", 1) OP (FROUND, "fround", 1)    \
  OP (FEQ, "feq", 2) OP (FLT, "flt", 2) OP (FLE, "fle", 2) OP (FUNO, "funo", 2)                        \
  OP (FCONV, "fconv", 1) OP (FTOSI, "ftosi", 1) OP (FTOUI, "ftoui", 1) OP (SITOF, "sitof", 1)          \
  OP (UITOF, "uitof", 1)

typedef enum ir_expr_op {
#define OP(NAME, TEXT, ARITY) IR_X_##NAME,
  IR_EXPR_OPS (OP)
#undef OP
  IR_NUM_EXPR_OPS
} ir_expr_op;

typedef struct ir_expr_node {
  ir_expr_op op;
  uint16_t bits;     // width of the value, 1..128
  bool nsw, nuw;     // ADD SUB MUL SHL: signed / unsigned wrap is undefined in C (for --property=overflow)
  ir_expr arg[3];    // [0..arity[
  union {
    ir_value value;                                 // CONST
    ir_reg reg;                                     // REG
    struct { ir_object object; uint32_t offset; };  // ADDR; of a thread-local: the running thread's copy
  };
} ir_expr_node;

// ---- operations on edges ---------------------------------------------------------------------------
// The operands are the edge's args, in the order given.  Result: `-` none, `r` one register (dst), `R` two registers
// (dst, dst2), `o` an optional dst.  Group: L local, M memory, S synchronisation, T thread, P process.
// NONDET yields any value; its message says where the value comes from.  With an address as its operand, the value
// stands for the contents of that object; with a second operand 1, for the contents of a byte of it that was never
// written.
//
// tests/cli/added_operation.sh builds lockstep with two more operations, to see that no engine ignores them silently:
// one that has facts and a rule (sync.h), one that has none.
#ifdef IR_TEST_OPERATION
#define IR_ADDED_OPS(OP) OP (SEM_WAIT_TWO, "sem_wait_two", 1, 1, 'r', 'S') OP (STRANGE, "strange", 1, 1, 'r', 'S')
#else
#define IR_ADDED_OPS(OP)
#endif
//        name             text               args     result group   args mean
#define IR_OPS(OP)                                                                                     \
  OP (NOP,             "nop",             0, 0, '-', 'L') /* */                                        \
  OP (ASSUME,          "assume",          1, 1, '-', 'L') /* condition */                              \
  OP (ASSIGN,          "assign",          1, 1, 'r', 'L') /* value */                                  \
  OP (NONDET,          "nondet",          0, 2, 'r', 'L') /* [address [, 1]]; see above */             \
  OP (CHECK,           "check",           1, 1, '-', 'L') /* condition; aux: property; message */      \
  OP (CALL,            "call",            1, 0, 'o', 'L') /* callee, arguments... */                   \
  OP (RETURN,          "return",          0, 1, '-', 'L') /* value? */                                 \
  OP (UNSUPPORTED,     "unsupported",     0, 0, '-', 'L') /* message: the C construct */               \
  OP (STACK_SAVE,      "stack_save",      0, 0, 'r', 'L') /* */                                        \
  OP (STACK_RESTORE,   "stack_restore",   1, 1, '-', 'L') /* the result of a stack_save */             \
  OP (ALLOC,           "alloc",           1, 1, 'r', 'L') /* size; aux: ir_alloc_kind */               \
  OP (OBJECT_SIZE,     "object_size",     1, 1, 'r', 'L') /* address; dst the object's size or 0 */    \
  OP (FREE,            "free",            1, 1, '-', 'M') /* address of a heap object, or null */      \
  OP (FORGET,          "forget",          1, 1, '-', 'M') /* address; its object becomes undefined */  \
  OP (LOAD,            "load",            1, 1, 'r', 'M') /* address */                                \
  OP (STORE,           "store",           2, 2, '-', 'M') /* address, value */                         \
  OP (LOAD_RAW,        "load_raw",        1, 1, 'R', 'M') /* address; dst bytes, dst2 undefined-mask */\
  OP (STORE_RAW,       "store_raw",       3, 3, '-', 'M') /* address, value, undefined-mask */         \
  OP (RMW,             "rmw",             2, 2, 'r', 'M') /* address, value; aux: ir_rmw_op; dst old */\
  OP (CMPXCHG,         "cmpxchg",         3, 3, 'R', 'M') /* address, expected, new; dst old, dst2 ok */\
  OP (FENCE,           "fence",           0, 0, '-', 'M') /* */                                        \
  OP (OWN,             "own",             4, 4, '-', 'M') /* address, size, cell, value; bytes: of cell */\
  OP (ATOMIC_BEGIN,    "atomic_begin",    0, 0, '-', 'S') /* */                                        \
  OP (ATOMIC_END,      "atomic_end",      0, 0, '-', 'S') /* */                                        \
  OP (THREAD_CREATE,   "thread_create",   3, 3, 'r', 'T') /* handle address, function, argument */     \
  OP (THREAD_JOIN,     "thread_join",     1, 1, 'r', 'T') /* handle; dst the thread's result */        \
  OP (THREAD_DETACH,   "thread_detach",   1, 1, '-', 'T') /* handle */                                 \
  OP (THREAD_EXIT,     "thread_exit",     1, 1, '-', 'T') /* result */                                 \
  OP (THREAD_SELF,     "thread_self",     0, 0, 'r', 'L') /* */                                        \
  OP (OUTPUT,          "output",          2, 0, 'o', 'P') /* stream, format address, values... */      \
  OP (EXIT,            "exit",            1, 1, '-', 'P') /* code; the process and all threads end */    \
  OP (MUTEX_INIT,      "mutex_init",      2, 2, '-', 'S') /* address, kind (ir_mutex_kind) */          \
  OP (MUTEX_LOCK,      "mutex_lock",      1, 1, 'r', 'S') /* address; dst 0 or errno */                \
  OP (MUTEX_TRYLOCK,   "mutex_trylock",   1, 1, 'r', 'S')                                              \
  OP (MUTEX_TIMEDLOCK, "mutex_timedlock", 1, 1, 'r', 'S')                                              \
  OP (MUTEX_UNLOCK,    "mutex_unlock",    1, 1, 'r', 'S')                                              \
  OP (MUTEX_DESTROY,   "mutex_destroy",   1, 1, 'r', 'S')                                              \
  OP (RW_INIT,         "rw_init",         1, 1, '-', 'S')                                              \
  OP (RW_RDLOCK,       "rw_rdlock",       1, 1, 'r', 'S')                                              \
  OP (RW_WRLOCK,       "rw_wrlock",       1, 1, 'r', 'S')                                              \
  OP (RW_TRYRDLOCK,    "rw_tryrdlock",    1, 1, 'r', 'S')                                              \
  OP (RW_TRYWRLOCK,    "rw_trywrlock",    1, 1, 'r', 'S')                                              \
  OP (RW_TIMEDRDLOCK,  "rw_timedrdlock",  1, 1, 'r', 'S')                                              \
  OP (RW_TIMEDWRLOCK,  "rw_timedwrlock",  1, 1, 'r', 'S')                                              \
  OP (RW_UNLOCK,       "rw_unlock",       1, 1, 'r', 'S')                                              \
  OP (RW_DESTROY,      "rw_destroy",      1, 1, 'r', 'S')                                              \
  OP (SPIN_INIT,       "spin_init",       1, 1, '-', 'S')                                              \
  OP (SPIN_LOCK,       "spin_lock",       1, 1, 'r', 'S')                                              \
  OP (SPIN_TRYLOCK,    "spin_trylock",    1, 1, 'r', 'S')                                              \
  OP (SPIN_UNLOCK,     "spin_unlock",     1, 1, 'r', 'S')                                              \
  OP (SPIN_DESTROY,    "spin_destroy",    1, 1, 'r', 'S')                                              \
  OP (COND_INIT,       "cond_init",       1, 1, '-', 'S')                                              \
  OP (COND_WAIT,       "cond_wait",       2, 2, '-', 'S') /* cond, mutex: release it, start waiting */ \
  OP (COND_RESUME,     "cond_resume",     2, 2, 'r', 'S') /* cond, mutex: woken, acquire it again */   \
  OP (COND_TIMEDRESUME,"cond_timedresume",2, 2, 'r', 'S') /* ... or timed out */                       \
  OP (COND_SIGNAL,     "cond_signal",     1, 1, '-', 'S')                                              \
  OP (COND_BROADCAST,  "cond_broadcast",  1, 1, '-', 'S')                                              \
  OP (COND_DESTROY,    "cond_destroy",    1, 1, 'r', 'S')                                              \
  OP (SEM_INIT,        "sem_init",        2, 2, '-', 'S') /* address, value */                         \
  OP (SEM_WAIT,        "sem_wait",        1, 1, 'r', 'S')                                              \
  OP (SEM_TRYWAIT,     "sem_trywait",     1, 1, 'r', 'S') /* dst 0 or EAGAIN */                        \
  OP (SEM_TIMEDWAIT,   "sem_timedwait",   1, 1, 'r', 'S') /* dst 0 or ETIMEDOUT */                     \
  OP (SEM_POST,        "sem_post",        1, 1, 'r', 'S')                                              \
  OP (SEM_GETVALUE,    "sem_getvalue",    1, 1, 'r', 'S')                                              \
  OP (SEM_DESTROY,     "sem_destroy",     1, 1, 'r', 'S')                                              \
  OP (BARRIER_INIT,    "barrier_init",    2, 2, '-', 'S') /* address, count */                         \
  OP (BARRIER_ARRIVE,  "barrier_arrive",  1, 1, 'r', 'S') /* dst -1 for the last to arrive, else 0 */  \
  OP (BARRIER_RESUME,  "barrier_resume",  1, 1, '-', 'S') /* waits until all have arrived */           \
  OP (BARRIER_DESTROY, "barrier_destroy", 1, 1, 'r', 'S')                                              \
  OP (ONCE_BEGIN,      "once_begin",      1, 1, 'r', 'S') /* dst 1: caller runs the routine */         \
  OP (ONCE_END,        "once_end",        1, 1, '-', 'S')                                              \
  IR_ADDED_OPS (OP)

typedef enum ir_op {
#define OP(NAME, TEXT, MIN, MAX, RESULT, GROUP) IR_##NAME,
  IR_OPS (OP)
#undef OP
  IR_NUM_OPS
} ir_op;

// A switch over operations has no `default`, so that the compiler names each switch that leaves out a new operation.
// These ranges stand for all operations of a group: `case IR_OBJECT_OPERATIONS:`.
#define IR_LOCAL_OPERATIONS IR_NOP ... IR_OBJECT_SIZE            // thread_self is local, too
#define IR_MEMORY_OPERATIONS IR_FREE ... IR_OWN
#define IR_REGION_OPERATIONS IR_ATOMIC_BEGIN ... IR_ATOMIC_END
#define IR_THREAD_OPERATIONS IR_THREAD_CREATE ... IR_THREAD_EXIT
#define IR_PROCESS_OPERATIONS IR_OUTPUT ... IR_EXIT
// on synchronisation objects; IR_NUM_OPS is no operation
#define IR_OBJECT_OPERATIONS IR_MUTEX_INIT ... IR_NUM_OPS

typedef struct ir_op_info {
  const char *text;
  uint8_t min_args, max_args;  // max 0 with min > 0: any number from min on
  char result;                 // '-' none, 'r' dst, 'R' dst and dst2, 'o' dst optional
  char group;                  // as above
} ir_op_info;
extern const ir_op_info ir_op_table[IR_NUM_OPS];

// IR_P_FORMULA is the formula of --ltl: findings name it as their property, but no operation checks it, and --property
// does not accept it.
typedef enum ir_property {
  IR_P_ASSERT, IR_P_RACE, IR_P_DEADLOCK, IR_P_LOCKS, IR_P_MEMORY, IR_P_OVERFLOW, IR_P_LEAK, IR_P_UNINIT,
  IR_NUM_PROPERTIES, IR_P_FORMULA = IR_NUM_PROPERTIES, IR_NUM_QUESTIONS
} ir_property;
extern const char *const ir_property_name[IR_NUM_QUESTIONS];
// For a property whose violation is undefined behaviour: the reason why nothing is proved if executions end at such a
// violation although the property was not requested.  NULL for other properties.
const char *ir_end_of_undefined (ir_property);

typedef enum ir_order { IR_PLAIN, IR_RELAXED, IR_ACQUIRE, IR_RELEASE, IR_ACQ_REL, IR_SEQ_CST } ir_order;
typedef enum ir_rmw_op {
  IR_RMW_XCHG, IR_RMW_ADD, IR_RMW_SUB, IR_RMW_AND, IR_RMW_OR, IR_RMW_XOR, IR_RMW_NAND,
  IR_RMW_MAX, IR_RMW_MIN, IR_RMW_UMAX, IR_RMW_UMIN, IR_RMW_FADD, IR_RMW_FSUB, IR_NUM_RMW_OPS
} ir_rmw_op;
typedef enum ir_alloc_kind { IR_ALLOC_STACK, IR_ALLOC_HEAP, IR_ALLOC_HEAP_ZEROED } ir_alloc_kind;
typedef enum ir_nondet_kind {
  IR_NONDET_ANY,
  IR_NONDET_NUMBER,            // not an address
  IR_NONDET_OUTSIDE,           // null, or an address of memory that the program has not allocated or declared
  IR_NONDET_UNWRITTEN          // the value of a local that was never written; ir_add_uninit_checks removes this kind
} ir_nondet_kind;
// Why a NONDET or a FORGET does not know its value, and so whether a finding may depend on that value.
typedef enum ir_origin {
  IR_INPUT,                    // any value can occur: a finding may depend on it
  IR_INVENTED,                 // the result or memory of a function or object that lockstep knows nothing about
  IR_FAILURE,                  // NONDET: 1 if such a function fails, 0 if it succeeds; success is taken for granted
  // NONDET: which object's address such a function returns.  Only findings about that address (a wrong use of it, a
  // race at it) depend on the choice.
  IR_WHICH,
  // NONDET: from here on a signal handler is left out.  HANDLER: the handler calls functions, so it could end any wait
  // except one for a lock.  INTERRUPT: it calls none, so it could end waits at semaphores.  A deadlock with such a wait
  // depends on the choice.
  IR_HANDLER, IR_INTERRUPT
} ir_origin;
enum { IR_MASK_OF_BITS = 1 };  // aux of load_raw, store_raw: the mask has a bit for each bit, not for each byte
enum { IR_EXIT_AT_ONCE = 1 };  // aux of exit: abort, _exit and the like, after which memory leaks do not count
// aux of atomic_begin, atomic_end, thread_detach, store: the source has no such statement, and traces do not show it
enum { IR_UNSEEN = 1 };
typedef enum ir_mutex_kind { IR_MUTEX_NORMAL, IR_MUTEX_RECURSIVE, IR_MUTEX_ERRORCHECK } ir_mutex_kind;

typedef struct ir_position { const char *file; uint32_t line, column; } ir_position;  // file NULL: unknown

typedef struct ir_edge_data {
  ir_op op;
  ir_loc from, to;             // RETURN, EXIT, THREAD_EXIT: to is IR_NONE
  ir_reg dst, dst2;            // IR_NONE if absent
  uint32_t first_arg, num_args;  // in program->args
  uint16_t bytes;              // LOAD STORE RMW CMPXCHG *_RAW, OWN: 1..8
  uint8_t order;               // ir_order of memory operations; IR_PLAIN is a non-atomic access
  uint8_t aux;                 // ir_alloc_kind, ir_rmw_op, ir_nondet_kind, ir_property of CHECK, IR_UNSEEN
  uint8_t origin;              // ir_origin of NONDET, FORGET
  bool is_volatile;
  ir_position pos;
  // CHECK: what fails; NONDET, FORGET: source of the value; UNSUPPORTED: construct; or NULL
  const char *message;
  const char *name;            // CHECK: the error function that is called, "reach_error", or NULL;
                               // memory and sync: the C lvalue, "q->head", "buf[{}]"; {} stands for the
  uint32_t first_name_arg, num_name_args;  // values of these expressions (in program->args)
  // Of an edge that comes from a Boolean program (boolean/bp_program.h): the number of its statement, and for NONDET
  // the number of the choice in that statement.  0: none.
  uint32_t statement, choice;
} ir_edge_data;

typedef struct ir_reg_data { uint16_t bits; const char *name; ir_type type; } ir_reg_data;  // name: C variable or NULL

typedef struct ir_proc_data {
  const char *name;
  ir_object object;            // its address as a function
  ir_position pos;
  bool internal;               // a library model: traces show its steps as the call in user code
  uint32_t num_params;         // registers 0..num_params-1
  uint16_t result_bits;        // 0: void
  ir_loc entry;
  VEC (ir_reg_data) regs;
  VEC (ir_loc) locs;           // in order of creation
} ir_proc_data;

typedef struct ir_loc_data {
  ir_proc proc;
  uint32_t first_edge, num_edges;
  const char *label;           // C label or NULL
} ir_loc_data;

// ---- objects and their layout ----------------------------------------------------------------------
typedef enum ir_object_kind { IR_O_GLOBAL, IR_O_CONSTANT, IR_O_THREAD_LOCAL, IR_O_FUNCTION } ir_object_kind;
// A pointer in the initial bytes of an object.
typedef struct ir_relocation { uint32_t offset; ir_object target; uint32_t addend; } ir_relocation;
typedef struct ir_object_data {
  const char *name;
  ir_object_kind kind;
  uint32_t size, align;
  ir_type type;                // IR_NONE: unknown
  ir_position pos;
  ir_proc proc;                // FUNCTION with a body, else IR_NONE
  bool internal;               // belongs to a library model
  bool argument;               // a word of the command line: its undefined bytes are an input
  // NULL, or for an object that stands for one of which lockstep knows nothing, why it exists:
  // "`getpwuid` returns the address of such an object".
  const char *outside;
  uint8_t *init;               // [0..size[, NULL: zeros.  Relocations are not applied to it
  VEC (ir_relocation) relocations;
} ir_object_data;

typedef enum ir_type_kind {
  IR_T_INT, IR_T_UINT, IR_T_BOOL, IR_T_CHAR, IR_T_FLOAT, IR_T_POINTER, IR_T_STRUCT, IR_T_UNION, IR_T_ARRAY, IR_T_OTHER
} ir_type_kind;
typedef struct ir_member { const char *name; uint32_t offset; ir_type type; } ir_member;
typedef struct ir_type_data {
  ir_type_kind kind;
  const char *name;
  uint32_t size;               // bytes
  ir_type target;              // POINTER, ARRAY: element type
  uint32_t count;              // ARRAY
  VEC (ir_member) members;     // STRUCT, UNION; UINT: named values (of an enum), where `offset` is the value
} ir_type_data;

typedef struct ir_program {
  arena *arena;                // owns everything below
  uint16_t pointer_bits;       // 64 or 32: size of a pointer in memory and in registers
  uint16_t offset_bits;        // a pointer is object << offset_bits | offset
  VEC (ir_object_data) objects;  // [0] is the null object
  VEC (ir_proc_data) procs;
  VEC (ir_loc_data) locs;
  VEC (ir_edge_data) edges;
  VEC (ir_expr) args;          // operand lists of edges
  VEC (ir_expr_node) exprs;
  VEC (ir_type_data) types;
  VEC (const char *) files;    // source files, as given
  VEC (const char *) assumptions;  // assumptions of the front end, for the report
  // functions without a body and the like, whose effects are left out: nothing can be proved
  VEC (const char *) gaps;
  ir_proc start;               // the process starts here, in thread 0, with no arguments
  // after ir_add_pair: the object that only the two added accesses use; else the null object
  ir_object place;
  struct ir_tables *tables;    // hash-consing, private to src/ir
} ir_program;

// ---- threads, dynamic objects, synchronisation objects: facts shared by all executors --------------
// Threads have slots 0..IR_MAX_THREADS-1; thread 0 runs `start`; a new thread gets the lowest free slot.  A slot is
// free again when its thread has ended and was joined or detached.  The handle (pthread_t) is slot + 1.
// Pointer object numbers: 0 null, 1..n-1 static (program->objects), then the dynamic object with index k of
// slot t is n + k * IR_MAX_THREADS + t.  A thread's copies of the thread-locals are its first dynamic
// objects, in order of their static ids.
#define IR_MAX_THREADS 128
// 4-byte words at these offsets of a synchronisation object; all zero is the state after static initialisation.
enum { IR_MUTEX_STATE = 0 /* 0, or IR_DESTROYED */, IR_MUTEX_COUNT = 4, IR_MUTEX_OWNER = 8 /* slot + 1 */ };
#define IR_MUTEX_KIND(P) ((P)->pointer_bits == 64 ? 16 : 12)  // the offset that glibc's static initialisers use
enum { IR_RW_STATE = 0, IR_RW_READERS = 20, IR_RW_WRITER = 24 /* slot + 1; overlaps no word of a mutex */ };
enum { IR_SPIN_OWNER = 0 /* slot + 1, or IR_DESTROYED */ };
enum { IR_SEM_VALUE = 0, IR_SEM_STATE = 4 };
enum { IR_BARRIER_COUNT = 0 /* 0: not initialised */, IR_BARRIER_ARRIVED = 4, IR_BARRIER_STATE = 8 };
enum { IR_ONCE_STATE = 0 /* 0 new, 1 running, 2 done */ };
enum { IR_COND_STATE = 0 };
#define IR_DESTROYED 0xDEADu
#define IR_OWNER_ENDED 0xFFFFu  // owner or writer word of a lock whose holder has ended: no thread will release it

// ---- building --------------------------------------------------------------------------------------
ir_program *ir_program_new (void);                     // owns its arena
void ir_program_free (ir_program *);
ir_object ir_add_object (ir_program *, const char *name, ir_object_kind, uint32_t size);  // copies the name
ir_proc ir_add_proc (ir_program *, const char *name);  // with its function object
ir_reg ir_add_reg (ir_program *, ir_proc, unsigned bits, const char *name /* or NULL */);
ir_loc ir_add_loc (ir_program *, ir_proc);
ir_edge ir_add_edge (ir_program *, ir_op, ir_loc from, ir_loc to);
void ir_add_arg (ir_program *, ir_edge, ir_expr);      // fastest if all operands of an edge are added in a row
void ir_add_name_arg (ir_program *, ir_edge, ir_expr); // only after all operands of the edge
ir_type ir_add_type (ir_program *, ir_type_kind, const char *name, uint32_t size);
void ir_assume_in_report (ir_program *, const char *format, ...);  // adds to assumptions, once
void ir_add_gap (ir_program *, const char *format, ...);           // adds to gaps, once
void ir_finish (ir_program *);                         // sorts the edges by location; no edge may be added afterwards
// A copy that may be changed.  It shares the strings of the original, which must live longer.
ir_program *ir_clone (const ir_program *);

// ---- settle.c: fixed values for invented ones ----
// Which value each invented value (ir_origin) gets.  Functions without a body succeed, and return the address of their
// first object.  COMPARED: the first constant that the value is compared with.  NEVER: no execution chooses an invented
// value.
typedef enum ir_settlement {
  IR_SETTLE_ZERO, IR_SETTLE_ONE, IR_SETTLE_ONES, IR_SETTLE_COMPARED, IR_SETTLE_NEVER, IR_NUM_SETTLEMENTS
} ir_settlement;
bool ir_invents (const ir_program *);                  // has the program an invented value?
// A clone with fixed values.  Its edges keep the numbers that they have in the original; added edges have larger ones.
ir_program *ir_settle (const ir_program *, ir_settlement);

ir_expr ir_const (ir_program *, unsigned bits, ir_value);
ir_expr ir_use (ir_program *, ir_proc, ir_reg);        // the register's value
ir_expr ir_addr (ir_program *, ir_object, uint32_t offset);
ir_expr ir_unary (ir_program *, ir_expr_op, unsigned bits, ir_expr);          // folds, like the next four functions
ir_expr ir_binary (ir_program *, ir_expr_op, ir_expr, ir_expr);               // takes the width from the operands
ir_expr ir_binary_flags (ir_program *, ir_expr_op, ir_expr, ir_expr, bool nsw, bool nuw);
ir_expr ir_ite (ir_program *, ir_expr condition, ir_expr, ir_expr);
ir_expr ir_not (ir_program *, ir_expr);                // the operand has one bit

// ---- concrete evaluation ---------------------------------------------------------------------------
// The value of an operator (not a leaf) of width `bits` for these values of its operands.  Total.  `operand_bits` is
// the width of the operands (ite: of the branches).  The judge has an evaluator of its own.
ir_value ir_eval_op (ir_expr_op, unsigned bits, unsigned operand_bits, const ir_value args[3]);

// ---- reading ---------------------------------------------------------------------------------------
static inline ir_edge_data *ir_edge_at (const ir_program *p, ir_edge e) { return &p->edges.data[e.i]; }
static inline ir_loc_data *ir_loc_at (const ir_program *p, ir_loc l) { return &p->locs.data[l.i]; }
static inline ir_proc_data *ir_proc_at (const ir_program *p, ir_proc f) { return &p->procs.data[f.i]; }
// of a static object, at most 16 bytes
ir_value ir_initial_value (const ir_program *, ir_object, uint32_t at, uint32_t bytes);
static inline ir_object_data *ir_object_at (const ir_program *p, ir_object o) { return &p->objects.data[o.i]; }
static inline ir_expr_node *ir_expr_at (const ir_program *p, ir_expr x) { return &p->exprs.data[x.i]; }
static inline ir_type_data *ir_type_at (const ir_program *p, ir_type t) { return &p->types.data[t.i]; }
static inline ir_expr ir_arg (const ir_program *p, ir_edge e, unsigned k) {
  return p->args.data[p->edges.data[e.i].first_arg + k];
}
bool ir_op_commutes (ir_expr_op);                      // may its two operands be exchanged?
static inline unsigned ir_expr_arity (ir_expr_op op) {
  extern const uint8_t ir_expr_arity_table[];
  return ir_expr_arity_table[op];
}

// Appends the C path to a byte of an object of this type: ".head", "[3].next".  The path of the whole object is empty.
struct strbuf;
void ir_type_path (const ir_program *, ir_type, uint32_t offset, struct strbuf *out);

// Is the location at the place?  Places are `label`, `function:label`, `line` (of the first file), `file:line`.
bool ir_loc_is_at (const ir_program *, ir_loc, const char *place);

// ---- text form, check ------------------------------------------------------------------------------
void ir_print (const ir_program *, FILE *);            // grammar: docs/formats/ir.md
void ir_print_edge (const ir_program *, ir_edge, struct strbuf *out);   // one edge, without its position
void ir_print_expr (const ir_program *, ir_expr, struct strbuf *out);
ir_program *ir_parse (const char *text, const char *file, char **error);  // NULL and *error (malloced) for bad text
bool ir_check (const ir_program *, char **error);      // well-formed?  If not, *error (malloced) names rule and place

// ---- transformations (each keeps every shared access and its order) --------------------------------
// Substitutes local expressions forward, folds, and removes dead assigns and nops.
void ir_simplify (ir_program *);
// adds a CHECK of property overflow before nsw operations, divisions, shifts
void ir_add_overflow_checks (ir_program *);
// Adds only the checks before divisions, at which executions end whether or not the property overflow was requested.
void ir_add_division_checks (ir_program *);
// For --property=uninit: adds checks that the program's behaviour does not depend on a value that was never written
// (docs/decisions/uninitialised-values.md).  A CHECK of this property that is already in the program marks its
// condition as one on which behaviour depends.
void ir_add_uninit_checks (ir_program *);
// To be called before building expressions of a program that will get these checks.  From then on until the checks are
// added, `x - x` is not folded, since it is undefined if x is.
void ir_keep_undefined (ir_program *);
// Turns the question whether two threads can be at two places at once into a race between accesses put at these places
// ("here,there"; place.c).  To be called before ir_simplify.  False: *error (malloced) says what is wrong with the
// places.
bool ir_add_pair (ir_program *, const char *places, char **error);
bool ir_edge_is_place (const ir_program *, ir_edge);   // is the edge one of the accesses that ir_add_pair has added?
// Adds a check that always fails at the C label `label` or `function:label` (error_label.c).  To be called before
// ir_simplify.  False: there is no such label, and *error (malloced) says so.
bool ir_add_error_label (ir_program *, const char *place, char **error);
bool ir_has_label (const ir_program *, const char *place);

#endif
