// Declarations that the readers of debug information share: debug_node.c, debug_type.c, debug.c, lvalue.c.
#ifndef LOCKSTEP_DEBUG_IMPL_H
#define LOCKSTEP_DEBUG_IMPL_H

#include <llvm-c/DebugInfo.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "front/front_impl.h"

// A C variable tied to an LLVM value by an llvm.dbg.* call.
typedef struct debug_variable {
  const char *name;
  LLVMMetadataRef type;  // DI node, NULL: unknown
  bool is_address;       // the value is the variable's address (dbg.declare), not its contents (dbg.value)
  uint32_t next;         // index of the next variable of the same value, in program order; IR_NONE: none
} debug_variable;

// A definition of a struct or union.  Translation units and scopes may have different definitions of one name.
typedef struct debug_composite {
  LLVMMetadataRef node;
  uint32_t next;
} debug_composite;

struct debug_info {
  ir_program *program;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  char *directory;    // the current one, malloced; NULL: unknown
  map types;          // DI type node -> ir_type
  map files;          // DIFile node -> const char * of the name to show
  map bit_fields;     // ir_type of a bit-field -> 1
  map empty_expressions;  // DIExpression node -> 1 if it is empty, else 0
  map names;          // anonymous composite node -> const char * of the first typedef for it
  strmap composites;  // "struct.node" -> index of the first definition in `definitions`
  VEC (debug_composite) definitions;
  map values;  // LLVM value -> index of its first variable
  VEC (debug_variable) variables;
  ir_type void_type;  // IR_NONE until needed
};

// ---- types (debug_type.c) ----------------------------------------------------------------------------
// A pointer to const memory that contains no pointer to writable memory.
bool debug_is_pointer_to_const (debug_info *, LLVMMetadataRef type);
// A pointer to a pointer, or to a struct with pointers, to writable memory.
bool debug_is_pointer_to_pointers (debug_info *, LLVMMetadataRef type);
bool debug_is_pointer_to_pointer (debug_info *, LLVMMetadataRef type);  // to a single pointer
bool debug_is_pointer_to_function (debug_info *, LLVMMetadataRef type);

// ---- nodes (debug_node.c) ----------------------------------------------------------------------------
// Operand positions of DI nodes; the C API has no names for them.
enum { NODE_NAME = 2, NODE_BASE_TYPE = 3, NODE_ELEMENTS = 4 };  // of types
enum { NODE_VARIABLE_NAME = 1, NODE_VARIABLE_TYPE = 3 };        // of variables
enum { NODE_LABEL_NAME = 1 };
enum { NODE_FUNCTION_TYPE = 4, NODE_FUNCTION_TYPES = 3 };  // of functions; of their types: result, then parameters
enum { NODE_SUBRANGE_COUNT = 0 };

typedef VEC (LLVMMetadataRef) node_list;
bool node_is_type (LLVMMetadataRef);
bool node_is_kind (LLVMMetadataRef, LLVMMetadataKind);               // false for NULL
void node_operands (debug_info *, LLVMMetadataRef, node_list *out);  // NULL for absent ones; `out` is cleared first
LLVMMetadataRef node_operand (debug_info *, LLVMMetadataRef, unsigned index);  // NULL if absent
const char *node_string (debug_info *, LLVMMetadataRef,
                         unsigned index);  // NULL if absent or empty; valid as long as the module
bool node_integer (debug_info *, LLVMMetadataRef, unsigned index, int64_t *);
char *node_text (debug_info *, LLVMMetadataRef);  // as LLVM prints it; free it with LLVMDisposeMessage

// ---- types (debug_type.c) ------------------------------------------------------------------------------
void debug_collect_types (debug_info *);                // finds all composites of the module; call it first
ir_type debug_type (debug_info *, LLVMMetadataRef);     // of any DI type node; NULL is void
ir_type debug_struct_type (debug_info *, LLVMTypeRef);  // of an LLVM struct type, by its name; IR_NONE if unknown

// ---- lvalues (lvalue.c) --------------------------------------------------------------------------------
// As lvalue_name, for an access of a scalar of `bytes` bytes: returns `g.first`, `row[0]`, `u.word` where lvalue_name
// returns `g`, `row`, `u`.  0 bytes: an access of the whole object.
const char *lvalue_access_name (debug_info *, LLVMValueRef pointer, unsigned bytes, value_list *indices);

// ---- variables (debug.c) -------------------------------------------------------------------------------
const debug_variable *debug_first_variable (const debug_info *, LLVMValueRef);  // NULL if there is none
const debug_variable *debug_next_variable (const debug_info *, const debug_variable *);

#endif
