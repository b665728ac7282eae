// Globals and functions as objects: initial bytes, relocations, constness, thread-locals.
//
// An object is made at the first reference to it, so that unused parts of headers and library models do not become part
// of the program.  The order of discovery is the order of translation, which is the same in every run.
#include <string.h>

#include "front/translate_impl.h"

const char *value_name (LLVMValueRef v) {
  size_t n;
  return LLVMGetValueName2 (v, &n);
}

static bool has_internal_attribute (LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex (function, (LLVMAttributeIndex) LLVMAttributeFunctionIndex, INTERNAL_MARK,
                                        strlen (INTERNAL_MARK));
}

bool value_is_internal (LLVMValueRef v) {
  if (!strncmp (value_name (v), LOCKSTEP_PREFIX, strlen (LOCKSTEP_PREFIX))) return true;
  if (LLVMIsAFunction (v)) return has_internal_attribute (v);
  const char *section = LLVMGetSection (v);
  return section && !strcmp (section, INTERNAL_MARK);
}

// ---- initial bytes -----------------------------------------------------------------------------------
static void initial_value_error (translator *t, ir_object o, LLVMValueRef v) {
  char *text = LLVMPrintValueToString (v);
  const ir_object_data *d = ir_object_at (t->p, o);
  diag_error (d->pos.file, d->pos.line, d->pos.column, "initial value of `%s` is not supported: %.80s", d->name, text);
  LLVMDisposeMessage (text);
  t->failed = true;
}

static void add_relocation (translator *t, ir_object o, uint32_t offset, ir_object target, uint32_t addend) {
  ir_relocation r = {offset, target, addend};
  vec_push (&ir_object_at (t->p, o)->relocations, r);
}

static void write_scalar (translator *t, ir_object o, uint32_t offset, LLVMValueRef v) {
  ir_expr x = constant_expr (t, v);
  if (x.i == IR_NONE) {
    initial_value_error (t, o, v);
    return;
  }
  ir_expr_node n = *ir_expr_at (t->p, x);
  if (n.op == IR_X_CONST) {
    uint8_t *bytes = ir_object_at (t->p, o)->init + offset;
    for (unsigned i = 0; i * 8 < n.bits; i++) bytes[i] = (uint8_t) (n.value >> (i * 8));
  } else if (n.op == IR_X_ADDR && n.bits == t->p->pointer_bits) {
    add_relocation (t, o, offset, n.object, n.offset);
  } else if (n.op == IR_X_ADD && ir_expr_at (t->p, n.arg[0])->op == IR_X_ADDR &&
             ir_expr_at (t->p, n.arg[1])->op == IR_X_CONST) {
    const ir_expr_node *base = ir_expr_at (t->p, n.arg[0]);
    add_relocation (t, o, offset, base->object, base->offset + (uint32_t) ir_expr_at (t->p, n.arg[1])->value);
  } else {
    initial_value_error (t, o, v);
  }
}

static void write_constant (translator *t, ir_object o, uint32_t offset, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf (v);
  if (value_is_undefined (v) || LLVMIsNull (v)) return;
  if (LLVMIsConstantString (v)) {
    size_t n;
    const char *text = LLVMGetAsString (v, &n);
    memcpy (ir_object_at (t->p, o)->init + offset, text, n);
  } else if (type_is_aggregate (type)) {
    for (unsigned i = 0; i < type_num_elements (type); i++) {
      write_constant (t, o, offset + (uint32_t) type_offset (t, type, i), LLVMGetAggregateElement (v, i));
    }
  } else {
    write_scalar (t, o, offset, v);
  }
}

// ---- variables ---------------------------------------------------------------------------------------
// Initial bytes are written later than the object is made: in a long list linked by initialisers each object refers to
// the next, so writing them at once would need deep recursion.
void define_variable (translator *t, LLVMValueRef global) {
  ir_object o = {(uint32_t) *map_find (&t->objects, llvm_key (global))};
  LLVMValueRef init = LLVMGetInitializer (global);
  if (!init) {
    unknown_variable (t, global, o);
    return;
  }
  if (LLVMIsNull (init) || value_is_undefined (init)) return;
  ir_object_at (t->p, o)->init = arena_zalloc (t->p->arena, ir_object_at (t->p, o)->size + 1);
  write_constant (t, o, 0, init);
}

static ir_object variable_object (translator *t, LLVMValueRef global) {
  uint64_t *known = map_find (&t->objects, llvm_key (global));
  if (known) return (ir_object){(uint32_t) *known};
  LLVMTypeRef type = LLVMGlobalGetValueType (global);
  uint64_t size = LLVMTypeIsSized (type) ? type_size (t, type) : 8;
  const char *name = value_name (global);
  ir_position pos = debug_global_position (t->debug, global);
  if (size >= (uint64_t) 1 << t->p->offset_bits) {
    diag_error (pos.file, pos.line, pos.column, "object `%s` of %llu bytes is too large", name,
                (unsigned long long) size);
    t->failed = true;
    size = 8;
  }
  ir_object_kind kind = LLVMIsThreadLocal (global)      ? IR_O_THREAD_LOCAL
                        : LLVMIsGlobalConstant (global) ? IR_O_CONSTANT
                                                        : IR_O_GLOBAL;
  if (kind == IR_O_CONSTANT && !LLVMGetInitializer (global)) kind = IR_O_GLOBAL;
  ir_object o = ir_add_object (t->p, name, kind, (uint32_t) size);
  map_insert (&t->objects, llvm_key (global), o.i, NULL);
  ir_type described = debug_global_type (t->debug, global);
  ir_object_data *d = ir_object_at (t->p, o);
  d->align = LLVMGetAlignment (global) ? LLVMGetAlignment (global) : 1;
  d->type = described;
  d->pos = pos;
  d->internal = value_is_internal (global);
  vec_push (&t->contents, global);
  return o;
}

ir_object object_of_string (translator *t, const char *text) {
  bool is_new;
  uint64_t *slot = strmap_insert (&t->strings, text, 0, &is_new);
  if (!is_new) return (ir_object){(uint32_t) *slot};
  size_t n = strlen (text) + 1;
  ir_object o = ir_add_object (t->p, "string", IR_O_CONSTANT, (uint32_t) n);
  *slot = o.i;
  ir_object_at (t->p, o)->init = (uint8_t *) arena_strdup (t->p->arena, text);
  ir_object_at (t->p, o)->internal = true;
  return o;
}

// ---- functions ---------------------------------------------------------------------------------------
static ir_proc named_proc (translator *t, LLVMValueRef function, const char *name) {
  uint64_t *known = map_find (&t->procs, llvm_key (function));
  if (known) return (ir_proc){(uint32_t) *known};
  ir_proc f = ir_add_proc (t->p, name);
  map_insert (&t->procs, llvm_key (function), f.i, NULL);
  vec_push (&t->pending, function);
  return f;
}

// Linking adds a number to the name of a static function if another file has one of that name: `check.12`.  The
// procedure gets the written name back; the object that stands for its address keeps the unique one.
static void use_written_name (translator *t, ir_proc f) {
  const char *name = ir_proc_at (t->p, f)->name, *dot = strrchr (name, '.');
  if (!dot || dot == name || !dot[1] || dot[1 + strspn (dot + 1, "0123456789")]) return;
  ir_proc_at (t->p, f)->name = arena_printf (t->p->arena, "%.*s", (int) (dot - name), name);
}

ir_proc function_proc (translator *t, LLVMValueRef function) {
  ir_proc f = named_proc (t, function, value_name (function));
  use_written_name (t, f);
  return f;
}

// A call of a function without a body is translated by its name.  If the address of such a function is taken, a small
// function that calls it represents it, so that direct and indirect calls have the same effect.
static LLVMValueRef make_thunk (translator *t, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType (function);
  LLVMValueRef thunk = LLVMAddFunction (t->module, value_name (function), type);
  LLVMContextRef context = LLVMGetModuleContext (t->module);
  LLVMAttributeRef mark = LLVMCreateStringAttribute (context, INTERNAL_MARK, strlen (INTERNAL_MARK), "", 0);
  LLVMAddAttributeAtIndex (thunk, (LLVMAttributeIndex) LLVMAttributeFunctionIndex, mark);
  LLVMBuilderRef b = LLVMCreateBuilderInContext (context);
  LLVMPositionBuilderAtEnd (b, LLVMAppendBasicBlockInContext (context, thunk, "entry"));
  value_list args = {0};
  for (unsigned i = 0; i < LLVMCountParams (thunk); i++) vec_push (&args, LLVMGetParam (thunk, i));
  LLVMValueRef result = LLVMBuildCall2 (b, type, function, args.data, args.count, "");
  if (LLVMGetTypeKind (LLVMGetReturnType (type)) == LLVMVoidTypeKind) LLVMBuildRetVoid (b);
  else LLVMBuildRet (b, result);
  vec_release (&args);
  LLVMDisposeBuilder (b);
  return thunk;
}

// The address of a weak function that is not defined is null, as `if (f) f ();` expects.
static bool is_missing_weak (LLVMValueRef global) {
  return LLVMIsDeclaration (global) && LLVMGetLinkage (global) == LLVMExternalWeakLinkage;
}

static ir_expr function_address (translator *t, LLVMValueRef function) {
  const char *name = value_name (function);
  if (LLVMIsDeclaration (function)) {
    uint64_t *known = map_find (&t->thunks, llvm_key (function));
    LLVMValueRef thunk = known ? (LLVMValueRef) (uintptr_t) *known : make_thunk (t, function);
    if (!known) map_insert (&t->thunks, llvm_key (function), llvm_key (thunk), NULL);
    function = thunk;
  }
  ir_proc f = named_proc (t, function, name);
  return ir_addr (t->p, ir_proc_at (t->p, f)->object, 0);
}

LLVMValueRef global_resolve_alias (LLVMValueRef v) {
  while (LLVMIsAGlobalAlias (v)) v = LLVMAliasGetAliasee (v);
  return v;
}

ir_expr global_address (translator *t, LLVMValueRef global) {
  if (LLVMIsAGlobalAlias (global)) return constant_expr (t, LLVMAliasGetAliasee (global));
  if (is_missing_weak (global)) return ir_const (t->p, t->p->pointer_bits, 0);
  if (LLVMIsAFunction (global)) return function_address (t, global);
  if (LLVMIsAGlobalVariable (global)) return ir_addr (t->p, variable_object (t, global), 0);
  return (ir_expr){IR_NONE};
}

// ---- constant strings --------------------------------------------------------------------------------
const char *constant_text (LLVMValueRef pointer, size_t *count) {
  uint64_t skip = 0;
  if (LLVMIsAConstantExpr (pointer) && LLVMGetConstOpcode (pointer) == LLVMGetElementPtr) {
    int last = LLVMGetNumOperands (pointer) - 1;
    LLVMValueRef index = LLVMGetOperand (pointer, (unsigned) last);
    for (int i = 1; i < last; i++)
      if (!LLVMIsNull (LLVMGetOperand (pointer, (unsigned) i))) return NULL;
    if (!LLVMIsAConstantInt (index)) return NULL;
    skip = LLVMConstIntGetZExtValue (index);
    pointer = LLVMGetOperand (pointer, 0);
  }
  if (!LLVMIsAGlobalVariable (pointer) || !LLVMIsGlobalConstant (pointer)) return NULL;
  LLVMValueRef init = LLVMGetInitializer (pointer);
  if (!init) return NULL;
  if (LLVMIsNull (init) && !skip) {
    *count = 0;
    return "";
  }
  if (!LLVMIsConstantString (init)) return NULL;
  size_t n;
  const char *text = LLVMGetAsString (init, &n);
  if (skip >= n || !memchr (text + skip, 0, n - skip)) return NULL;
  *count = strlen (text + skip);
  return text + skip;
}
