// What the files of src/front share.  Three parts: the driver (clang, options, linking, passes), the
// translation of the linked module, and what debug information says about LLVM values.
//
//   driver:    compile and link -> insert_uninitialised -> mem2reg -> old-style llvm.dbg.* calls
//   translate: translate_module, which asks debug_* and lvalue_name for positions, types and C names
#ifndef LOCKSTEP_FRONT_IMPL_H
#define LOCKSTEP_FRONT_IMPL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "front/front.h"

// What the report says of a place (its argument) where an operation with --property=overflow has no check.
#define FRONT_COMPUTED "%s: clang has computed a constant expression that overflows, so it is not checked"

// A function or global of a library model carries this mark: functions a string attribute of this name, globals a
// section of this name or a name that starts with LOCKSTEP_PREFIX.
#define INTERNAL_MARK "lockstep-internal"
#define LOCKSTEP_PREFIX "__lockstep_"

typedef struct value_list {
  LLVMValueRef *data;
  uint32_t count, capacity;
} value_list;  // a VEC

// ---- translation (translate.c) ---------------------------------------------------------------------- The module is
// linked, has been through mem2reg and has old-style llvm.dbg.* calls.  NULL after diag_error; the result is
// finished, not yet simplified.  The module stays the caller's.  `system_folders`: system.c; NULL: none.
ir_program *translate_module (LLVMModuleRef, const front_options *, const word_list *system_folders);
bool system_has (const word_list *folders, const char *path);  // (system.c) is the file in one of them, or in /usr?

// ---- uninitialised locals (uninit.c), before mem2reg ------------------------------------------------
// Gives each scalar local an arbitrary value where its life starts: a store of the result of an external
// `__lockstep_uninit.<type>`, which translates to a non-deterministic value.  With `missing_results` also the result of a
// function that ends without a return, which is 0 otherwise.
uint32_t insert_uninitialised (LLVMModuleRef, bool missing_results, bool again);  // how many locals mem2reg will promote; pins all others
void remove_pins (LLVMModuleRef);

// ---- debug information (debug.c); strings live as long as the program --------------------------------
typedef struct debug_info debug_info;
debug_info *debug_new (LLVMModuleRef, ir_program *);
void debug_free (debug_info *);
ir_type debug_global_type (debug_info *, LLVMValueRef global);              // IR_NONE-valued if unknown
ir_type debug_alloca_type (debug_info *, LLVMValueRef alloca_instruction);  // the same
ir_type debug_result_type (debug_info *, LLVMValueRef function);             // of a declared one that is called, too; IR_NONE-valued if unknown
ir_position debug_first_use (debug_info *, LLVMValueRef global);            // the first place in the text that uses it; of a variable without a position
ir_position debug_global_position (debug_info *, LLVMValueRef global);
ir_position debug_function_position (debug_info *, LLVMValueRef function);
const char *debug_function_path (debug_info *, LLVMValueRef function);  // the file that declares it, absolute; NULL: unknown
bool debug_parameter_is_read (debug_info *, LLVMValueRef function, unsigned k);  // it is declared to be a pointer to something const
bool debug_parameter_holds_pointers (debug_info *, LLVMValueRef function, unsigned k);  // it leads to pointers to what may be written
bool debug_parameter_is_place_of_pointer (debug_info *, LLVMValueRef function, unsigned k);  // T **: it leads to a pointer alone
bool debug_parameter_is_function (debug_info *, LLVMValueRef function, unsigned k);  // a pointer to a function
ir_position debug_position (debug_info *, LLVMValueRef instruction);  // file as compiled, line, column
const char *debug_label_name (debug_info *, LLVMValueRef call);        // of a call of llvm.dbg.label; NULL if it has none
const char *debug_value_name (debug_info *,
                              LLVMValueRef);  // C variable held by this SSA value, alloca, argument; or NULL

// ---- C text of lvalues (lvalue.c) ------------------------------------------------------------------- The lvalue at
// pointer operand `pointer` of an access: "q->head", "buf[{}]"; for each {} the index value is appended to `indices`.
// NULL if unknown.
const char *lvalue_name (debug_info *, LLVMValueRef pointer, value_list *indices);

#endif
