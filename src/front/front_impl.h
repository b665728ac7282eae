// Declarations that the files of src/front share.  Three parts: the driver (clang, options, linking, passes), the
// translation of the linked module, and what debug information says about LLVM values.
//
//   driver:    compile and link -> insert_uninitialised -> mem2reg -> old-style llvm.dbg.* calls
//   translate: translate_module, which asks debug_* and lvalue_name for positions, types and C names
#ifndef LOCKSTEP_FRONT_IMPL_H
#define LOCKSTEP_FRONT_IMPL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "front/front.h"

// Text of the report for a position (the argument) where --property=overflow cannot check an operation.
#define FRONT_COMPUTED "%s: clang has computed a constant expression that overflows, so it is not checked"

// Marks of library models: a function has a string attribute of this name, a global a section of this name or a name
// that starts with LOCKSTEP_PREFIX.
#define INTERNAL_MARK "lockstep-internal"
#define LOCKSTEP_PREFIX "__lockstep_"

typedef struct value_list {
  LLVMValueRef *data;
  uint32_t count, capacity;
} value_list;  // a VEC

// ---- translation (translate.c) -----------------------------------------------------------------------
// Translates a linked module on which mem2reg has run and which has old-style llvm.dbg.* calls.  Returns NULL after
// diag_error; the result is finished, not yet simplified.  The caller keeps the module.  `system_folders` come from
// system_headers.c; NULL: none.
ir_program *translate_module (LLVMModuleRef, const front_options *, const word_list *system_folders);
bool system_has (const word_list *folders, const char *path);  // (system_headers.c) is the file in a folder or in /usr?

// ---- uninitialised locals (uninit_locals.c), before mem2reg -----------------------------------------
// Gives each scalar local an arbitrary value where its lifetime starts: a store of the result of an external
// `__lockstep_uninit.<type>`, which translates to a non-deterministic value.  With `missing_results` also the result of
// a function that ends without a return gets one; otherwise that result is 0.  Pins the locals that mem2reg must not
// promote; returns the number of locals that it will promote.
uint32_t insert_uninitialised (LLVMModuleRef, bool missing_results, bool again);
void remove_pins (LLVMModuleRef);

// ---- debug information (debug.c); strings live as long as the program --------------------------------
typedef struct debug_info debug_info;
debug_info *debug_new (LLVMModuleRef, ir_program *);
void debug_free (debug_info *);
ir_type debug_global_type (debug_info *, LLVMValueRef global);              // IR_NONE-valued if unknown
ir_type debug_alloca_type (debug_info *, LLVMValueRef alloca_instruction);  // the same
ir_type debug_result_type (debug_info *, LLVMValueRef function);            // the same; also of called declarations
ir_position debug_first_use (debug_info *, LLVMValueRef global);            // first use in the text
ir_position debug_global_position (debug_info *, LLVMValueRef global);
ir_position debug_function_position (debug_info *, LLVMValueRef function);
// absolute path of its declaration; NULL: unknown
const char *debug_function_path (debug_info *, LLVMValueRef function);
// Of the declared type of parameter k: a pointer to something const;
bool debug_parameter_is_read_only (debug_info *, LLVMValueRef function, unsigned k);
// a pointer to memory with pointers to writable memory in it;
bool debug_parameter_holds_pointers (debug_info *, LLVMValueRef function, unsigned k);
// a pointer to a single pointer, T **;
bool debug_parameter_points_to_pointer (debug_info *, LLVMValueRef function, unsigned k);
// a pointer to a function.
bool debug_parameter_is_function (debug_info *, LLVMValueRef function, unsigned k);
ir_position debug_position (debug_info *, LLVMValueRef instruction);  // file as compiled, line, column
// of a call of llvm.dbg.label; NULL if it has none
const char *debug_label_name (debug_info *, LLVMValueRef call);
// Name of the C variable that this SSA value, alloca or argument holds; NULL: none.
const char *debug_value_name (debug_info *, LLVMValueRef);

// ---- C text of lvalues (lvalue.c) --------------------------------------------------------------------
// Returns the lvalue at pointer operand `pointer` of an access: "q->head", "buf[{}]"; for each {} the index value is
// appended to `indices`.  NULL if unknown.
const char *lvalue_name (debug_info *, LLVMValueRef pointer, value_list *indices);

#endif
