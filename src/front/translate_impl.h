// Declarations that the files of the translation share.  The files, in reading order:
//
//   translate.c    the module: which functions, in which order; pointer layout
//   start.c        the procedure that calls constructors and the entry
//   main_arguments.c   argc, argv and envp of main
//   global.c       globals and functions as objects, initial bytes
//   constant.c     LLVM constants as expressions
//   types.c        widths and layout of LLVM types
//   function.c     one function: parameters, blocks in reverse post-order, registers
//   control_flow.c phi.c   terminators; parallel copies on edges
//   instruction.c operation.c aggregate.c wide.c   pure instructions
//   load_store.c atomic.c copy.c            loads, stores, allocations; atomics; memcpy and friends
//   call.c inline.c varargs.c               calls of functions with a body
//   intrinsic.c bits.c asm.c                llvm.* and inline assembly
//   library.c output_calls.c model_op.c     functions known by name
//   unknown.c                               results of functions without a body, variables that are defined nowhere
//   external.c callback.c                   functions without a body that return pointers to structs, or that get
//                                           functions as arguments
//   behaviour.c                             functions without a body that wait, do not return or run functions of the
//                                           program
//   uninit_locals.c uninit_value.c          locals before their first assignment
//
// Invariants.  An LLVM value is one expression: a register, a constant or an address.  It is never a larger expression:
// using it twice costs nothing, and copies on edges need to look at registers only.  While a routine is translated,
// `at` is the location where the next edge starts; after an operation that does not return it is IR_NONE.
#ifndef LOCKSTEP_TRANSLATE_IMPL_H
#define LOCKSTEP_TRANSLATE_IMPL_H

#include "base/diag.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "front/front_impl.h"

typedef struct expr_list {
  ir_expr *data;
  uint32_t count, capacity;
} expr_list;  // a VEC

// External objects: memory outside of the program, two objects of each type whose address a function without a body
// returns.
enum { EXTERNAL_OBJECTS = 2 };
typedef struct external_type {
  ir_type type;
  ir_object objects[EXTERNAL_OBJECTS];  // IR_NONE until needed
} external_type;

// An object with contents that lockstep invents.
typedef struct unknown_object {
  ir_object object;
  LLVMValueRef global;   // the variable that is defined nowhere; NULL: the object is the result of a function
  const char *owner;     // "what `f` returns", "`x`, which is not defined,"
  ir_type element;       // type of its elements; IR_NONE: unknown
  unsigned depth;        // number of pointers from the result to it
} unknown_object;

typedef struct translator {
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  const front_options *options;
  const word_list *system_folders;
  ir_program *p;
  debug_info *debug;
  map objects;         // global variable, or function with an unknown result -> ir_object
  map procs;           // function with a body -> ir_proc
  map thunks;          // declared function whose address is taken -> made function that calls it
  map block_numbers;   // block whose address is taken -> number that stands for the address
  strmap strings;      // texts made by the translation -> ir_object
  value_list pending;  // [next..count[: functions whose bodies are still to be translated
  uint32_t next;
  value_list contents;  // [next_contents..count[: global variables whose initial bytes are still to be written
  uint32_t next_contents;
  VEC (external_type) externals;
  bool externals_known;
  VEC (unknown_object) unknown;
  bool failed;  // diag_error has been called
} translator;

typedef struct routine routine;
struct routine {  // a function while its body is translated
  translator *t;
  ir_program *p;
  LLVMValueRef function;
  ir_proc proc;
  ir_loc at;
  ir_position pos;  // of the current instruction
  bool unsupported; // the current instruction is not supported: its result is unknown
  bool internal;    // the function is a library model
  bool atomic;      // the whole function is one atomic region
  map values;       // LLVM value -> ir_expr
  map seconds;      // cmpxchg, *.with.overflow -> ir_expr of the second result
  map wides;        // integer of more than 128 bits -> its first limb in `limbs`
  expr_list limbs;
  map blocks;         // block -> ir_loc, for each block that a translated edge leads to
  ir_expr varargs;    // address of the variable arguments, or IR_NONE
  routine *caller;    // not NULL: the routine into which this body is inlined
  LLVMValueRef call;  // inlined: the call instruction
  ir_loc after;       // inlined: location after the call; IR_NONE until a return is translated
  ir_reg result;      // inlined: register of the result, or IR_NONE
  ir_expr returned;   // inlined body of one block: the result itself, or IR_NONE
};

// The key of an LLVM value, block, ... in a map.
static inline uint64_t llvm_key (const void *p) { return (uint64_t) (uintptr_t) p; }

// ---- types.c ----
bool value_is_pointer (LLVMValueRef);
unsigned type_bits (const translator *, LLVMTypeRef);  // width of its values in registers; 0: none, or more than 128
uint64_t type_size (const translator *, LLVMTypeRef);  // bytes in memory with padding; 0 if opaque
bool type_is_aggregate (LLVMTypeRef);                  // struct or array
LLVMTypeRef type_of_element (LLVMTypeRef, unsigned index);
uint64_t type_offset (const translator *, LLVMTypeRef aggregate, unsigned index);  // bytes
unsigned type_lane_bits (const translator *, LLVMTypeRef vector);
unsigned type_num_elements (LLVMTypeRef);  // struct, array, vector
bool type_is_float (LLVMTypeRef);          // a format expressions can compute with
char *type_text (LLVMTypeRef);             // free it with LLVMDisposeMessage

// ---- global.c ----
ir_expr global_address (translator *, LLVMValueRef global);       // variable, function, alias
void define_variable (translator *, LLVMValueRef global);         // writes its initial bytes
ir_proc function_proc (translator *, LLVMValueRef);               // of a function with a body
ir_object object_of_string (translator *, const char *text);      // a constant made by the translation
const char *constant_text (LLVMValueRef pointer, size_t *count);  // the constant string at the pointer, or NULL
bool value_is_internal (LLVMValueRef global);
const char *value_name (LLVMValueRef);  // as in LLVM; "" if none

// ---- constant.c ----
bool value_is_undefined (LLVMValueRef);              // undef or poison as a whole
ir_expr constant_expr (translator *, LLVMValueRef);  // IR_NONE if no expression denotes it
ir_value constant_integer (LLVMValueRef);            // of a ConstantInt, up to 128 bits
ir_expr pointer_add (translator *, ir_expr pointer, int64_t offset);
ir_expr block_number (translator *, LLVMBasicBlockRef);

// ---- function.c ----
void translate_function (translator *, LLVMValueRef);
void translate_body (routine *);  // all blocks; `at` is where the entry block starts
void routine_release (routine *);
ir_edge emit_edge (routine *, ir_op);           // at -> a new location
ir_edge emit_to (routine *, ir_op, ir_loc to);  // at -> to; `at` becomes IR_NONE
ir_edge emit_last (routine *, ir_op);           // an operation that does not return
ir_reg reg_new (routine *, unsigned bits, const char *name);
ir_expr reg_use (routine *, ir_reg);
ir_expr value_assign (routine *, ir_expr, const char *name);  // adds an edge unless it is a register, constant, address
void value_bind (routine *, LLVMValueRef, ir_expr);
void value_bind_named (routine *, LLVMValueRef, ir_expr);     // assigns it to a register with the C variable's name
ir_expr operand_value (routine *, LLVMValueRef);     // may add edges for undefined constants
ir_expr value_condition (routine *, LLVMValueRef);  // != 0 as one bit
ir_expr value_nondet (routine *, unsigned bits, const char *message);         // any value, also an address
ir_expr value_nondet_number (routine *, unsigned bits, const char *message);  // any value that is no address
ir_expr value_unwritten (routine *, unsigned bits, const char *message);   // a number; --property=uninit follows it
// Any number; of a pointer type: a pointer into memory that is not the program's.
ir_expr value_from_outside (routine *, LLVMTypeRef, const char *message);
ir_expr value_invented (routine *, ir_nondet_kind, ir_origin, unsigned bits, const char *message);
ir_expr value_resize (routine *, ir_expr, unsigned bits, bool is_signed);
ir_expr value_from_number (routine *, unsigned bits, ir_value);
unsigned value_bits (const routine *, ir_expr);
unsigned routine_pointer_bits (const routine *);
void emit_unsupported (routine *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void emit_exit (routine *, ir_expr code);  // EXIT
void emit_exit_at_once (routine *, ir_expr code);  // abort, _exit

// ---- control_flow.c, phi.c ----
bool translate_terminator (routine *, LLVMValueRef);  // false: the instruction is no terminator
void flow_jump (routine *, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
ir_loc flow_location (routine *, LLVMBasicBlockRef);
bool phi_in_block (LLVMBasicBlockRef);
void phi_copy_all (routine *, LLVMBasicBlockRef from, LLVMBasicBlockRef to);  // ends with an edge to the block
ir_expr phi_register (routine *, LLVMValueRef);

// ---- instruction.c, operation.c, aggregate.c ----
void translate_instruction (routine *, LLVMValueRef);
ir_expr operation_expr (translator *, LLVMOpcode, LLVMValueRef user, const ir_expr *operands,
                        unsigned bits);                          // IR_NONE: the operation is not supported
ir_expr address_of_gep (routine *, translator *, LLVMValueRef);  // routine NULL: constants only
void translate_operation (routine *, LLVMValueRef);
void translate_aggregate (routine *, LLVMValueRef);
bool instruction_is_wide (LLVMValueRef);  // an operand or the result is an integer of more than 128 bits
void translate_wide (routine *, LLVMValueRef);
ir_expr bits_extract (ir_program *, ir_expr, unsigned from, unsigned bits);
ir_expr bits_insert (ir_program *, ir_expr whole, unsigned from, ir_expr part);

// ---- load_store.c, atomic.c, copy.c ----
typedef struct memory_access {
  ir_expr address;
  LLVMValueRef pointer;  // gives the C text; NULL: none
  ir_order order;
  bool is_volatile;
  const char *name;  // the C variable that gets the loaded value, or NULL
} memory_access;
ir_expr load_value (routine *, LLVMTypeRef, const memory_access *);
void store_value (routine *, LLVMTypeRef, const memory_access *, ir_expr);
unsigned access_piece_bytes (uint64_t bytes_left);                    // size of the next edge's access: 8, 4, 2 or 1
ir_expr load_bits (routine *, const memory_access *, unsigned bits);  // in pieces of at most 8 bytes
void store_bits (routine *, const memory_access *, ir_expr);
void access_name (routine *, LLVMValueRef pointer, expr_list *args, const char **name);
ir_edge emit_access (routine *, ir_op, const memory_access *, unsigned bytes, const ir_expr *args, unsigned num_args);
void translate_memory (routine *, LLVMValueRef);  // alloca load store
void translate_atomic (routine *, LLVMValueRef);  // fence cmpxchg atomicrmw
ir_order order_from_llvm (LLVMAtomicOrdering);
ir_expr emit_alloc (routine *, ir_expr size, ir_alloc_kind, const char *name, ir_type);
void emit_copy_bytes (routine *, memory_access *to, memory_access *from, uint64_t count, bool may_overlap);
bool translate_atomic_library (routine *, LLVMValueRef call, const char *name);
void translate_copy (routine *, LLVMValueRef call, const char *name);  // llvm.memcpy memmove memset

// ---- call.c, inline.c, varargs.c ----
void translate_call (routine *, LLVMValueRef);
LLVMValueRef global_resolve_alias (LLVMValueRef);
void call_by_name (routine *, const char *model, const ir_expr *args, unsigned num_args,
                   ir_expr *result);                            // calls a model; result may be NULL
bool call_does_not_return (LLVMValueRef call);
void call_bind_result (routine *, LLVMValueRef call, ir_expr);  // converts it to the call's width first
ir_reg call_result_reg (routine *, LLVMValueRef call, unsigned default_bits);
unsigned call_bits (routine *, LLVMValueRef call);                          // width of the result; 0: none
ir_expr call_argument (routine *, LLVMValueRef call, unsigned);             // 32-bit 0 for a missing argument
LLVMTypeRef type_of_byval (LLVMValueRef function_or_call, unsigned index);  // NULL: not byval
bool call_inlining (routine *, LLVMValueRef call, LLVMValueRef callee);
void call_inline (routine *, LLVMValueRef call, LLVMValueRef callee);
ir_expr varargs_pass (routine *, LLVMValueRef call, unsigned first);  // address of a new stack object
void translate_va_start (routine *, LLVMValueRef call);
void translate_va_copy (routine *, LLVMValueRef call);

// ---- intrinsic.c, bits.c, classify.c, asm.c ----
void translate_intrinsic (routine *, LLVMValueRef call, const char *name);
// Of the following, false says that the intrinsic is another one.
bool translate_bit_intrinsic (routine *, LLVMValueRef call, const char *name);    // integers
bool translate_float_intrinsic (routine *, LLVMValueRef call, const char *name);  // floats
bool translate_classification (routine *, LLVMValueRef call, const char *name);   // llvm.is.fpclass
void translate_asm (routine *, LLVMValueRef call, LLVMValueRef code);

// ---- library.c, output_calls.c, model_op.c ----
bool translate_library (routine *, LLVMValueRef call, LLVMValueRef callee,
                        const char *name);  // false: no function known by name
bool translate_output (routine *, LLVMValueRef call, const char *name);
bool translate_model_operation (routine *, LLVMValueRef call, const char *name);  // __lockstep_*

// ---- uninit_value.c ----
bool value_is_uninitialised (LLVMValueRef);  // the value is a call that uninit_locals.c has inserted
ir_expr value_of_uninitialised (routine *, LLVMValueRef call);
void translate_uninitialised (routine *, LLVMValueRef call);

// ---- external.c, callback.c ----
// The function is declared in a system header, or at an unknown position.
bool external_is_of_system (translator *, LLVMValueRef function);
// Lets a function without a body call the functions that it gets as arguments.
void callback_call (routine *, LLVMValueRef call, LLVMValueRef callee);
// The function does nothing: clang and passes.c insert calls of it into every function.
bool behaviour_is_mark (LLVMValueRef callee);
// Assumes that a function of a system header returns, does not wait and calls no function of the program.
void behaviour_assume (routine *, LLVMValueRef call, LLVMValueRef callee);

// ---- reuse.c ----
void reuse_assume (ir_program *);  // assumes that freed memory is not allocated again, where that matters

// ---- handler.c ----
void handler_note (routine *, LLVMValueRef call, LLVMValueRef callee);  // reports installed signal handlers as bounds
// Appends the functions that the program stores into the struct at `pointer`; false: there may be others.
bool handler_stored (LLVMValueRef pointer, value_list *out);

// ---- external.c ----
bool external_call (routine *, LLVMValueRef call, LLVMValueRef callee);  // false: the call returns no external object
void external_store (routine *, ir_object, uint32_t offset, ir_expr value);
void external_store_zeros (routine *, ir_object, uint32_t offset, uint32_t size);
void external_initialise (translator *);  // stores initial contents; call it after everything else is translated

// ---- main_arguments.c ----
bool arguments_of_main (routine *, LLVMValueRef entry, expr_list *out);  // one per parameter; true: they are inputs

// ---- unknown.c ----
ir_expr unknown_result (routine *, LLVMValueRef call, LLVMValueRef callee);  // result of a function without a body
// Marks memory that the arguments of a function without a body lead to: the function may have changed it.
void unknown_handed (routine *, LLVMValueRef call, LLVMValueRef callee);
void unknown_variable (translator *, LLVMValueRef global, ir_object);  // of a variable that is not defined
void unknown_forget (routine *, ir_object, const char *contents);      // sets it to any values; `contents` says so
// Lets the pointer at this offset point to an invented object of type `target`.
void unknown_link (routine *, const unknown_object *, uint32_t offset, ir_type target);
// stores the contents at the start of the process
void unknown_initialise (routine *, unknown_object);

// ---- start.c ----
void translate_start (translator *, LLVMValueRef entry);
void emit_orderly_exit (routine *, ir_expr code);  // runs destructors, then EXIT

#endif
