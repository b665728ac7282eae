// Spells the C text of an lvalue from the address computation that leads to it: "q->head", "a[{}].next", "*p".
//
// LLVM represents an access as a chain of loads and getelementptr steps.  Followed from its root (a global, a local, an
// SSA value that debug information ties to a variable), the chain gives the C expression.  At each point there are the
// text so far and what it denotes: the object itself, or a pointer to the object that no operator has dereferenced yet,
// because only the next step decides between `q->x`, `q[i]` and `*q`.  Types come from debug information; a step that
// does not fit the types gives no name rather than a wrong one.
#include "front/debug_impl.h"

#include <string.h>

enum { NAME_DEPTH = 32, NAME_CHARACTERS = 200 };

typedef struct lvalue {
  strbuf text;
  bool is_pointer;  // the text is a pointer to the object, not yet dereferenced
  ir_type type;     // of the object; IR_NONE: unknown
  value_list *indices;
} lvalue;

static bool spell_lvalue (debug_info *, LLVMValueRef pointer, lvalue *, int depth);

// ---- spelling ------------------------------------------------------------------------------------------

static const ir_type_data *lvalue_type (debug_info *d, const lvalue *l) {
  return l->type.i == IR_NONE ? NULL : ir_type_at (d->program, l->type);
}

static void set_lvalue_text (lvalue *l, const char *format, const char *text) {
  strbuf fresh = {0};
  strbuf_printf (&fresh, format, text);
  strbuf_release (&l->text);
  l->text = fresh;
}

// Adds parentheses before a postfix operator, which binds tighter than `*`.
static void add_parentheses (lvalue *l) {
  const char *text = strbuf_text (&l->text);
  if (text[0] == '*') set_lvalue_text (l, "(%s)", text);
}

static void append_member (lvalue *l, const ir_member *m) {
  if (m->name) {
    add_parentheses (l);
    strbuf_printf (&l->text, "%s%s", l->is_pointer ? "->" : ".", m->name);
    l->is_pointer = false;
  }
  l->type = m->type;
}

// Appends an index: a constant in digits, else {} for the value.
static void append_index (lvalue *l, LLVMValueRef index) {
  add_parentheses (l);
  if (LLVMIsAConstantInt (index)) strbuf_printf (&l->text, "[%lld]", LLVMConstIntGetSExtValue (index));
  else {
    strbuf_add (&l->text, "[{}]");
    vec_push (l->indices, index);
  }
  l->is_pointer = false;
}

static void append_constant_index (lvalue *l, int64_t index) {
  add_parentheses (l);
  strbuf_printf (&l->text, "[%lld]", (long long) index);
  l->is_pointer = false;
}

// ---- members -------------------------------------------------------------------------------------------

static bool is_aggregate (const ir_type_data *t) { return t && (t->kind == IR_T_STRUCT || t->kind == IR_T_UNION); }

// clang names the address of member x "x", with a number if there are several of them.
static bool is_hinted (const char *hint, const char *name) {
  size_t length = strlen (name);
  return !strncmp (hint, name, length) && strspn (hint + length, "0123456789") == strlen (hint + length);
}

static bool is_bit_field (const debug_info *d, const ir_member *m) {
  return map_find (&d->bit_fields, m->type.i) != NULL;
}

// Returns the member at this offset, preferably one with a size.  If bit-fields share a unit of up to 8 bytes there,
// returns the one that the hint names.
static const ir_member *member_at_offset (const debug_info *d, const ir_type_data *t, uint64_t offset,
                                          const char *hint) {
  const ir_member *first = NULL, *hinted = NULL;
  for (uint32_t i = 0; i < t->members.count; i++) {
    const ir_member *m = &t->members.data[i];
    if (m->offset == offset && (!first || !ir_type_at (d->program, first->type)->size)) first = m;
    if (!m->name || m->offset < offset || m->offset - offset >= 8 || !is_bit_field (d, m) || !is_hinted (hint, m->name))
      continue;
    if (!hinted || !strcmp (hint, m->name)) hinted = m;
  }
  return first && is_bit_field (d, first) && hinted ? hinted : first;
}

// Enters a union, for which LLVM has no address computation: the member is the one with the type of the next step.
static bool enter_union (debug_info *d, lvalue *l, LLVMTypeRef wanted) {
  uint64_t size = LLVMABISizeOfType (d->layout, wanted);
  bool want_array = LLVMGetTypeKind (wanted) == LLVMArrayTypeKind;
  ir_type named = debug_struct_type (d, wanted);
  const ir_type_data *t = lvalue_type (d, l);
  const ir_member *found = NULL;
  for (uint32_t i = 0; i < t->members.count; i++) {
    const ir_member *m = &t->members.data[i];
    const ir_type_data *of = ir_type_at (d->program, m->type);
    if (named.i != IR_NONE && m->type.i == named.i) {
      found = m;
      break;
    }
    if (of->size != size || (of->kind == IR_T_ARRAY) != want_array || (!want_array && !is_aggregate (of))) continue;
    if (found) return false;
    found = m;
  }
  if (!found) return false;
  ir_member copy = *found;
  append_member (l, &copy);
  return true;
}

// Makes the object's type agree with the type `source` of an address computation: the type is known already, or is
// found in a union, or by the name of the LLVM type if the pointer was cast.
static bool adopt_type (debug_info *d, lvalue *l, LLVMTypeRef source) {
  if (!LLVMTypeIsSized (source)) return false;
  uint64_t size = LLVMABISizeOfType (d->layout, source);
  LLVMTypeKind kind = LLVMGetTypeKind (source);
  for (int level = 0; level < NAME_DEPTH; level++) {
    const ir_type_data *t = lvalue_type (d, l);
    ir_type named = debug_struct_type (d, source);
    if (named.i != IR_NONE && l->type.i == named.i) return true;
    if (t && t->kind == IR_T_UNION && kind != LLVMIntegerTypeKind && enter_union (d, l, source)) continue;
    if (kind == LLVMArrayTypeKind) return t && t->kind == IR_T_ARRAY && (t->size == size || !t->count);
    if (kind != LLVMStructTypeKind) return true;
    if (t && is_aggregate (t) && t->size == size) return true;
    if (named.i == IR_NONE || !l->is_pointer) return false;
    l->type = named;
  }
  return false;
}

// ---- steps of an address computation -------------------------------------------------------------------

// Applies an offset in bytes: descends into members and elements to the outermost object that starts there.
static bool apply_byte_offset (debug_info *d, lvalue *l, int64_t offset, const char *hint) {
  const ir_type_data *t = lvalue_type (d, l);
  if (l->is_pointer && t && t->size && !is_aggregate (t) && t->kind != IR_T_ARRAY) {
    if (offset % t->size) return false;
    append_constant_index (l, offset / t->size);
    return true;
  }
  for (int level = 0; level < NAME_DEPTH && (offset || !level); level++) {
    t = lvalue_type (d, l);
    if (!t || offset < 0 || offset >= t->size) return false;
    if (t->kind == IR_T_ARRAY) {
      l->type = t->target;
      uint32_t size = ir_type_at (d->program, t->target)->size;
      if (!size) return false;
      if (l->is_pointer) set_lvalue_text (l, "(*%s)", strbuf_text (&l->text));
      append_constant_index (l, offset / size);
      offset %= size;
      continue;
    }
    if (!is_aggregate (t)) return false;
    const ir_member *m = member_at_offset (d, t, (uint64_t) offset, hint);
    for (uint32_t i = 0; i < t->members.count && !m; i++) {
      const ir_member *around = &t->members.data[i];
      uint32_t size = ir_type_at (d->program, around->type)->size;
      if (around->offset <= offset && offset < (int64_t) around->offset + size) m = around;
    }
    if (!m) return false;
    ir_member copy = *m;
    append_member (l, &copy);
    offset -= copy.offset;
  }
  return offset == 0;
}

// Applies the first index, which moves by whole objects: p[i], or from one element of an array to another.
static bool apply_first_index (debug_info *d, lvalue *l, LLVMTypeRef source, LLVMValueRef index, bool is_last,
                               const char *hint) {
  bool is_constant = LLVMIsAConstantInt (index), is_zero = is_constant && !LLVMConstIntGetSExtValue (index);
  uint64_t size = LLVMABISizeOfType (d->layout, source);
  const ir_type_data *t = lvalue_type (d, l);
  if (!l->is_pointer && t && t->kind == IR_T_ARRAY && ir_type_at (d->program, t->target)->size == size &&
      t->size != size) {
    l->type = t->target;
    append_index (l, index);
    return true;
  }
  if (is_zero && !is_last) return true;
  if (t && t->size && t->size != size && !(is_aggregate (t) && debug_struct_type (d, source).i != IR_NONE)) {
    if (size != 1 || !is_constant) return false;
    return apply_byte_offset (d, l, LLVMConstIntGetSExtValue (index), hint);
  }
  if (!l->is_pointer && !t) return false;
  if (!l->is_pointer && is_zero) return true;
  if (!l->is_pointer) set_lvalue_text (l, "(&%s)", strbuf_text (&l->text));
  if (l->is_pointer && (!t || t->size != size)) l->type = debug_struct_type (d, source);
  append_index (l, index);
  return true;
}

static bool apply_inner_index (debug_info *d, lvalue *l, LLVMTypeRef *source, LLVMValueRef index, const char *hint) {
  if (!adopt_type (d, l, *source)) return false;
  const ir_type_data *t = lvalue_type (d, l);
  if (LLVMGetTypeKind (*source) == LLVMArrayTypeKind) {
    l->type = t->target;
    if (l->is_pointer) set_lvalue_text (l, "(*%s)", strbuf_text (&l->text));
    append_index (l, index);
    *source = LLVMGetElementType (*source);
    return true;
  }
  if (LLVMGetTypeKind (*source) != LLVMStructTypeKind || !LLVMIsAConstantInt (index)) return false;
  unsigned element = (unsigned) LLVMConstIntGetZExtValue (index);
  const ir_member *m = member_at_offset (d, t, LLVMOffsetOfElement (d->layout, *source, element), hint);
  if (!m) return false;
  ir_member copy = *m;
  append_member (l, &copy);
  *source = LLVMStructGetTypeAtIndex (*source, element);
  return true;
}

static bool spell_address (debug_info *d, LLVMValueRef address, lvalue *l, int depth) {
  LLVMTypeRef source = LLVMGetGEPSourceElementType (address);
  int count = LLVMGetNumOperands (address);
  if (!LLVMTypeIsSized (source) || !spell_lvalue (d, LLVMGetOperand (address, 0), l, depth)) return false;
  const char *hint = LLVMIsAInstruction (address) ? LLVMGetValueName (address) : "";
  if (count > 2 && !adopt_type (d, l, source) && !(lvalue_type (d, l) && lvalue_type (d, l)->kind == IR_T_ARRAY))
    return false;
  if (count > 1 && !apply_first_index (d, l, source, LLVMGetOperand (address, 1), count == 2, hint)) return false;
  for (int i = 2; i < count; i++)
    if (!apply_inner_index (d, l, &source, LLVMGetOperand (address, (unsigned) i), hint)) return false;
  return l->text.count < NAME_CHARACTERS;
}

// ---- roots ---------------------------------------------------------------------------------------------

static bool spell_global (debug_info *d, LLVMValueRef global, lvalue *l) {
  const char *name = debug_value_name (d, global);
  if (!name) name = LLVMGetValueName (global);
  if (!name[0] || name[0] == '.') return false;  // a string literal
  strbuf_add (&l->text, name);
  l->is_pointer = false;
  l->type = debug_global_type (d, global);
  return true;
}

// Chooses, of the variables that a pointer value is bound to, the one with the best known target type: a thread
// function's `void *argument` is also the `struct task *t` to which it is assigned.
static bool spell_variable (debug_info *d, LLVMValueRef value, lvalue *l) {
  const debug_variable *best = NULL;
  ir_type best_type = {IR_NONE};
  bool found = false;
  for (const debug_variable *v = debug_first_variable (d, value); v && !found; v = debug_next_variable (d, v)) {
    ir_type type = v->type ? debug_type (d, v->type) : (ir_type){IR_NONE};
    if (!v->is_address && type.i != IR_NONE) {
      ir_type_data *data = ir_type_at (d->program, type);
      type = data->kind == IR_T_POINTER ? data->target : (ir_type){IR_NONE};
      if (type.i != IR_NONE && ir_type_at (d->program, type)->kind == IR_T_OTHER) type.i = IR_NONE;
    }
    found = type.i != IR_NONE;
    if (best && !found) continue;
    best = v;
    best_type = type;
  }
  if (!best) return false;
  strbuf_add (&l->text, best->name);
  l->is_pointer = !best->is_address;
  l->type = best_type;
  return true;
}

// Without debug information, LLVM's names of arguments and locals are often those of C.
static bool spell_unnamed (LLVMValueRef value, lvalue *l) {
  bool is_local = LLVMIsAAllocaInst (value);
  if (!is_local && !LLVMIsAArgument (value)) return false;
  LLVMValueRef function =
      is_local ? LLVMGetBasicBlockParent (LLVMGetInstructionParent (value)) : LLVMGetParamParent (value);
  const char *name = LLVMGetValueName (value);
  if (LLVMGetSubprogram (function) || !name[0] || strchr (name, '.')) return false;
  strbuf_add (&l->text, name);
  l->is_pointer = !is_local;
  l->type.i = IR_NONE;
  return true;
}

static bool spell_load (debug_info *d, LLVMValueRef load, lvalue *l, int depth) {
  if (!spell_lvalue (d, LLVMGetOperand (load, 0), l, depth)) return false;
  if (l->is_pointer) set_lvalue_text (l, "*%s", strbuf_text (&l->text));
  const ir_type_data *t = lvalue_type (d, l);
  l->type = t && t->kind == IR_T_POINTER ? t->target : (ir_type){IR_NONE};
  if (l->type.i != IR_NONE && ir_type_at (d->program, l->type)->kind == IR_T_OTHER) l->type.i = IR_NONE;
  l->is_pointer = true;
  return true;
}

static bool spell_call (debug_info *d, LLVMValueRef call, lvalue *l, int depth) {
  LLVMValueRef callee = LLVMGetCalledValue (call);
  if (!callee || !LLVMIsAFunction (callee)) return false;
  if (strncmp (LLVMGetValueName (callee), "llvm.threadlocal.address", 24)) return false;
  return spell_lvalue (d, LLVMGetOperand (call, 0), l, depth);
}

// Fills `l` with the lvalue that `pointer` points to.
static bool spell_lvalue (debug_info *d, LLVMValueRef pointer, lvalue *l, int depth) {
  if (depth > NAME_DEPTH) return false;
  if (LLVMIsAGlobalVariable (pointer)) return spell_global (d, pointer, l);
  if (LLVMIsAConstantExpr (pointer)) {
    LLVMOpcode op = LLVMGetConstOpcode (pointer);
    if (op == LLVMGetElementPtr) return spell_address (d, pointer, l, depth + 1);
    if (op == LLVMAddrSpaceCast) return spell_lvalue (d, LLVMGetOperand (pointer, 0), l, depth + 1);
    return false;
  }
  if (spell_variable (d, pointer, l)) return true;
  if (!LLVMIsAInstruction (pointer)) return spell_unnamed (pointer, l);
  switch (LLVMGetInstructionOpcode (pointer)) {
  case LLVMGetElementPtr: return spell_address (d, pointer, l, depth + 1);
  case LLVMLoad: return spell_load (d, pointer, l, depth + 1);
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze: return spell_lvalue (d, LLVMGetOperand (pointer, 0), l, depth + 1);
  case LLVMCall: return spell_call (d, pointer, l, depth + 1);
  default: return spell_unnamed (pointer, l);
  }
}

// ---- accesses at the start of an object ----------------------------------------------------------------

// Appends to `found` the paths to the scalars of this size at the start of the type, and counts them.
static unsigned find_scalars (debug_info *d, ir_type type, unsigned bytes, const lvalue *so_far, lvalue *found,
                              int depth) {
  const ir_type_data *t = ir_type_at (d->program, type);
  unsigned count = 0;
  if (depth > NAME_DEPTH) return 2;
  if (!is_aggregate (t) && t->kind != IR_T_ARRAY) {
    if (t->size != bytes) return 0;
    set_lvalue_text (found, "%s", so_far->text.data ? so_far->text.data : "");
    found->is_pointer = so_far->is_pointer;
    return 1;
  }
  for (uint32_t i = 0; i < (t->kind == IR_T_ARRAY ? 1 : t->members.count) && count < 2; i++) {
    lvalue next = {.is_pointer = so_far->is_pointer};
    set_lvalue_text (&next, "%s", so_far->text.data ? so_far->text.data : "");
    if (t->kind == IR_T_ARRAY) {
      if (next.is_pointer) set_lvalue_text (&next, "(*%s)", strbuf_text (&next.text));
      append_constant_index (&next, 0);
      next.type = t->target;
    } else if (t->members.data[i].offset == 0 && !is_bit_field (d, &t->members.data[i]))
      append_member (&next, &t->members.data[i]);
    else next.type.i = IR_NONE;
    if (next.type.i != IR_NONE) count += find_scalars (d, next.type, bytes, &next, found, depth + 1);
    strbuf_release (&next.text);
  }
  return count;
}

// Extends the lvalue of an object to the scalar at its start: `g.first` and `row[0]` have the address of `g` and `row`,
// and a member of a union that of the union.  The size of the access selects the scalar, if only one fits.  A pointer
// to a struct is not extended: clang computes addresses of members explicitly, so a direct access through such a
// pointer has another type.
static void extend_to_scalar (debug_info *d, lvalue *l, unsigned bytes) {
  const ir_type_data *t = lvalue_type (d, l);
  if (!t || !(is_aggregate (t) || t->kind == IR_T_ARRAY) || (l->is_pointer && t->kind != IR_T_UNION)) return;
  lvalue found = {0};
  if (find_scalars (d, l->type, bytes, l, &found, 0) == 1) {
    set_lvalue_text (l, "%s", strbuf_text (&found.text));
    l->is_pointer = found.is_pointer;
  }
  strbuf_release (&found.text);
}

const char *lvalue_access_name (debug_info *d, LLVMValueRef pointer, unsigned bytes, value_list *indices) {
  lvalue l = {.type = {IR_NONE}, .indices = indices};
  uint32_t before = indices->count;
  const char *name = NULL;
  if (LLVMGetTypeKind (LLVMTypeOf (pointer)) == LLVMPointerTypeKind && spell_lvalue (d, pointer, &l, 0)) {
    if (bytes) extend_to_scalar (d, &l, bytes);
    if (l.is_pointer) set_lvalue_text (&l, "*%s", strbuf_text (&l.text));
    name = arena_strdup (d->program->arena, strbuf_text (&l.text));
  } else indices->count = before;
  strbuf_release (&l.text);
  return name;
}

const char *lvalue_name (debug_info *d, LLVMValueRef pointer, value_list *indices) {
  return lvalue_access_name (d, pointer, 0, indices);
}
