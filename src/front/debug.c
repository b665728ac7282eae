// Names and positions from debug information: the C variable that an LLVM value holds, positions in the source.
//
// Values get their names from the llvm.dbg.declare and llvm.dbg.value calls, read once in program order.  The first
// variable that is bound to a value gives the value its name; later ones (`struct task *t = argument;`) are kept for
// lvalue.c.  Only calls with an empty expression bind a value to a whole variable.
#include "front/debug_impl.h"
#include "front/driver_impl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- variables -----------------------------------------------------------------------------------------

const debug_variable *debug_first_variable (const debug_info *d, LLVMValueRef value) {
  uint64_t *first = map_find (&d->values, (uintptr_t) value);
  return first ? &d->variables.data[*first] : NULL;
}

const debug_variable *debug_next_variable (const debug_info *d, const debug_variable *v) {
  return v->next == IR_NONE ? NULL : &d->variables.data[v->next];
}

static void bind_variable (debug_info *d, LLVMValueRef value, LLVMMetadataRef variable, bool is_address) {
  const char *name = node_string (d, variable, NODE_VARIABLE_NAME);
  if (!name) return;
  LLVMMetadataRef type = node_operand (d, variable, NODE_VARIABLE_TYPE);
  uint32_t index = d->variables.count;
  bool is_new;
  uint32_t last = (uint32_t) *map_insert (&d->values, (uintptr_t) value, index, &is_new);
  while (!is_new) {
    const debug_variable *v = &d->variables.data[last];
    if (v->type == type && !strcmp (v->name, name)) return;
    if (v->next == IR_NONE) break;
    last = v->next;
  }
  debug_variable v = {arena_strdup (d->program->arena, name), node_is_type (type) ? type : NULL, is_address, IR_NONE};
  vec_push (&d->variables, v);
  if (!is_new) d->variables.data[last].next = index;
}

static bool is_empty_expression (debug_info *d, LLVMMetadataRef expression) {
  if (!node_is_kind (expression, LLVMDIExpressionMetadataKind)) return false;
  bool is_new;
  map_insert (&d->empty_expressions, (uintptr_t) expression, 0, &is_new);
  uint64_t *is_empty = map_find (&d->empty_expressions, (uintptr_t) expression);
  if (is_new) {
    char *text = node_text (d, expression);
    *is_empty = text && strstr (text, "DIExpression()") != NULL;
    LLVMDisposeMessage (text);
  }
  return *is_empty;
}

static void read_debug_call (debug_info *d, LLVMValueRef call, bool is_address) {
  if (LLVMGetNumOperands (call) < 4) return;
  LLVMMetadataRef value = LLVMValueAsMetadata (LLVMGetOperand (call, 0));
  LLVMMetadataRef variable = LLVMValueAsMetadata (LLVMGetOperand (call, 1));
  if (!node_is_kind (value, LLVMLocalAsMetadataMetadataKind) ||
      !node_is_kind (variable, LLVMDILocalVariableMetadataKind))
    return;
  if (!is_empty_expression (d, LLVMValueAsMetadata (LLVMGetOperand (call, 2)))) return;
  LLVMValueRef bound = NULL;
  LLVMGetMDNodeOperands (LLVMGetOperand (call, 0), &bound);
  if (bound) bind_variable (d, bound, variable, is_address);
}

static void read_variables (debug_info *d) {
  LLVMValueRef declare = LLVMGetNamedFunction (d->module, "llvm.dbg.declare");
  LLVMValueRef value = LLVMGetNamedFunction (d->module, "llvm.dbg.value");
  LLVMValueRef assign = LLVMGetNamedFunction (d->module, "llvm.dbg.assign");
  if (!declare && !value && !assign) return;
  for (LLVMValueRef f = LLVMGetFirstFunction (d->module); f; f = LLVMGetNextFunction (f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (f); b; b = LLVMGetNextBasicBlock (b))
      for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
        if (LLVMGetInstructionOpcode (i) != LLVMCall) continue;
        LLVMValueRef callee = LLVMGetCalledValue (i);
        if (callee && (callee == declare || callee == value || callee == assign))
          read_debug_call (d, i, callee == declare);
      }
}

// Returns the DIGlobalVariable of a global, or NULL.
static LLVMMetadataRef global_variable (LLVMValueRef global) {
  LLVMMetadataRef result = NULL;
  size_t count = 0;
  if (!LLVMIsAGlobalVariable (global)) return NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata (global, &count);
  for (size_t i = 0; i < count && !result; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata (entries, (unsigned) i);
    if (node_is_kind (node, LLVMDIGlobalVariableExpressionMetadataKind))
      result = LLVMDIGlobalVariableExpressionGetVariable (node);
  }
  LLVMDisposeValueMetadataEntries (entries);
  return result;
}

const char *debug_value_name (debug_info *d, LLVMValueRef value) {
  LLVMMetadataRef global = global_variable (value);
  if (global) {
    const char *name = node_string (d, global, NODE_VARIABLE_NAME);
    return name ? arena_strdup (d->program->arena, name) : NULL;
  }
  const debug_variable *v = debug_first_variable (d, value);
  return v ? v->name : NULL;
}

const char *debug_label_name (debug_info *d, LLVMValueRef call) {
  LLVMMetadataRef node = LLVMValueAsMetadata (LLVMGetOperand (call, 0));
  const char *name = node_is_kind (node, LLVMDILabelMetadataKind) ? node_string (d, node, NODE_LABEL_NAME) : NULL;
  return name ? arena_strdup (d->program->arena, name) : NULL;
}

ir_type debug_alloca_type (debug_info *d, LLVMValueRef alloca_instruction) {
  const debug_variable *v = debug_first_variable (d, alloca_instruction);
  while (v && !(v->is_address && v->type)) v = debug_next_variable (d, v);
  return v ? debug_type (d, v->type) : (ir_type){IR_NONE};
}

ir_type debug_global_type (debug_info *d, LLVMValueRef global) {
  LLVMMetadataRef variable = global_variable (global);
  LLVMMetadataRef type = variable ? node_operand (d, variable, NODE_VARIABLE_TYPE) : NULL;
  return type ? debug_type (d, type) : (ir_type){IR_NONE};
}

ir_type debug_result_type (debug_info *d, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMIsAFunction (function) ? LLVMGetSubprogram (function) : NULL;
  LLVMMetadataRef type = subprogram ? node_operand (d, subprogram, NODE_FUNCTION_TYPE) : NULL;
  LLVMMetadataRef types = type ? node_operand (d, type, NODE_FUNCTION_TYPES) : NULL;
  return types ? debug_type (d, node_operand (d, types, 0)) : (ir_type){IR_NONE};
}

static LLVMMetadataRef parameter_type (debug_info *d, LLVMValueRef function, unsigned k) {
  LLVMMetadataRef subprogram = LLVMIsAFunction (function) ? LLVMGetSubprogram (function) : NULL;
  LLVMMetadataRef type = subprogram ? node_operand (d, subprogram, NODE_FUNCTION_TYPE) : NULL;
  LLVMMetadataRef types = type ? node_operand (d, type, NODE_FUNCTION_TYPES) : NULL;
  return types ? node_operand (d, types, k + 1) : NULL;
}

bool debug_parameter_is_read_only (debug_info *d, LLVMValueRef function, unsigned k) {
  LLVMMetadataRef type = parameter_type (d, function, k);
  return type && debug_is_pointer_to_const (d, type);
}

bool debug_parameter_holds_pointers (debug_info *d, LLVMValueRef function, unsigned k) {
  LLVMMetadataRef type = parameter_type (d, function, k);
  return type && debug_is_pointer_to_pointers (d, type);
}

bool debug_parameter_points_to_pointer (debug_info *d, LLVMValueRef function, unsigned k) {
  LLVMMetadataRef type = parameter_type (d, function, k);
  return type && debug_is_pointer_to_pointer (d, type);
}

bool debug_parameter_is_function (debug_info *d, LLVMValueRef function, unsigned k) {
  LLVMMetadataRef type = parameter_type (d, function, k);
  return type && debug_is_pointer_to_function (d, type);
}

// ---- positions -----------------------------------------------------------------------------------------

static bool is_readable_path (const char *path) { return !access (path, R_OK); }

// Returns the name that the user gave, if it leads to the file from the current directory; else the path from the
// directory of the compilation.
static const char *shown_file_name (debug_info *d, const char *name, const char *directory) {
  arena *a = d->program->arena;
  if (name[0] == '/' || !directory[0] || (d->directory && !strcmp (d->directory, directory)))
    return arena_strdup (a, name);
  const char *joined = compdb_path (a, directory, name);
  if (!is_readable_path (joined)) return arena_strdup (a, name);
  size_t length = d->directory ? strlen (d->directory) : 0;
  if (length > 1 && !strncmp (joined, d->directory, length) && joined[length] == '/') return joined + length + 1;
  return joined;
}

static const char *file_name (debug_info *d, LLVMMetadataRef file) {
  if (!node_is_kind (file, LLVMDIFileMetadataKind)) return NULL;
  uint64_t *known = map_find (&d->files, (uintptr_t) file);
  if (known) return (const char *) (uintptr_t) *known;
  unsigned name_length = 0, directory_length = 0;
  const char *name_bytes = LLVMDIFileGetFilename (file, &name_length);
  const char *directory_bytes = LLVMDIFileGetDirectory (file, &directory_length);
  char *name = strndup (name_bytes ? name_bytes : "", name_length);
  char *directory = strndup (directory_bytes ? directory_bytes : "", directory_length);
  const char *shown = name[0] ? shown_file_name (d, name, directory) : NULL;
  free (name);
  free (directory);
  map_insert (&d->files, (uintptr_t) file, (uintptr_t) shown, NULL);
  return shown;
}

static ir_position position_in_file (debug_info *d, LLVMMetadataRef file, unsigned line, unsigned column) {
  ir_position p = {file_name (d, file), line, column};
  if (!p.file || !line) return (ir_position){NULL, 0, 0};
  return p;
}

ir_position debug_position (debug_info *d, LLVMValueRef instruction) {
  LLVMMetadataRef location = LLVMIsAInstruction (instruction) ? LLVMInstructionGetDebugLoc (instruction) : NULL;
  if (!location) return (ir_position){NULL, 0, 0};
  return position_in_file (d, LLVMDIScopeGetFile (LLVMDILocationGetScope (location)), LLVMDILocationGetLine (location),
                           LLVMDILocationGetColumn (location));
}

ir_position debug_function_position (debug_info *d, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMIsAFunction (function) ? LLVMGetSubprogram (function) : NULL;
  if (!subprogram) return (ir_position){NULL, 0, 0};
  return position_in_file (d, LLVMDIScopeGetFile (subprogram), LLVMDISubprogramGetLine (subprogram), 0);
}

const char *debug_function_path (debug_info *d, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMIsAFunction (function) ? LLVMGetSubprogram (function) : NULL;
  LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile (subprogram) : NULL;
  if (!node_is_kind (file, LLVMDIFileMetadataKind)) return NULL;
  unsigned length = 0, directory_length = 0;
  const char *name = LLVMDIFileGetFilename (file, &length);
  const char *directory = LLVMDIFileGetDirectory (file, &directory_length);
  arena *a = d->program->arena;
  if (!length) return NULL;
  return compdb_path (a, arena_printf (a, "%.*s", (int) directory_length, directory ? directory : ""),
                      arena_printf (a, "%.*s", (int) length, name));
}

ir_position debug_global_position (debug_info *d, LLVMValueRef global) {
  LLVMMetadataRef variable = global_variable (global);
  if (!variable) return (ir_position){NULL, 0, 0};
  return position_in_file (d, LLVMDIVariableGetFile (variable), LLVMDIVariableGetLine (variable), 0);
}

static void update_first_use (debug_info *d, LLVMValueRef v, unsigned depth, ir_position *first) {
  for (LLVMUseRef u = LLVMGetFirstUse (v); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (LLVMIsAConstantExpr (user) && depth) update_first_use (d, user, depth - 1, first);
    ir_position p = debug_position (d, user);
    if (p.file && (!first->file || p.line < first->line)) *first = p;
  }
}

ir_position debug_first_use (debug_info *d, LLVMValueRef global) {
  ir_position first = {NULL, 0, 0};
  update_first_use (d, global, 4, &first);
  return first;
}

// ---- life cycle ----------------------------------------------------------------------------------------

debug_info *debug_new (LLVMModuleRef module, ir_program *program) {
  debug_info *d = mem_zalloc (sizeof *d);
  d->program = program;
  d->module = module;
  d->context = LLVMGetModuleContext (module);
  d->layout = LLVMGetModuleDataLayout (module);
  d->directory = getcwd (NULL, 0);
  d->void_type.i = IR_NONE;
  read_variables (d);
  debug_collect_types (d);
  return d;
}

void debug_free (debug_info *d) {
  if (!d) return;
  free (d->directory);
  map_release (&d->types);
  map_release (&d->files);
  map_release (&d->empty_expressions);
  map_release (&d->bit_fields);
  map_release (&d->names);
  strmap_release (&d->composites);
  vec_release (&d->definitions);
  map_release (&d->values);
  vec_release (&d->variables);
  mem_free (d, sizeof *d);
}
