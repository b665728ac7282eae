// Functions without a body that return a pointer to a struct or union: getters of a library, accessors of a kernel.
//
// Other results are any value, but an arbitrary pointer would be useless: nearly all values are no addresses.  So such
// a function returns the address of some known object of its type.  The candidates are: two external objects, outside
// of the program; members of this type in external objects of other types; globals of the program that are visible
// outside; members of such globals.  There are two external objects because two calls need not return the same object:
// a lock in the first does not protect the data in the second.  The choice leaves out null, objects on the heap, and
// elements of arrays but the first; the report lists the candidates as a bound.
//
// An external object starts with undefined bytes, so that the first load chooses a value.  Locks in it are initialised
// and free; pointers in it lead to other external objects, so that `get ()->next->value` exists.  Types with semaphores
// or barriers are not invented, because their counts are unknown.  Functions are excluded whose result is used as an
// array or freed, that are declared to allocate, or that come from a system header.
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "front/translate_impl.h"

// An object, or a member of one, whose address the function may return.
typedef struct returned_object {
  ir_object object;
  uint32_t offset;
  const char *name;
} returned_object;
typedef struct returned_object_list {
  returned_object *data;
  uint32_t count, capacity;
} returned_object_list;  // a VEC

static bool is_composite (const ir_type_data *t) { return t->kind == IR_T_STRUCT || t->kind == IR_T_UNION; }

// Each translation unit has a type node of its own; struct types with the same name and size are the same type.
static bool is_same_type (const ir_program *p, ir_type a, ir_type b) {
  if (a.i == b.i) return true;
  const ir_type_data *x = ir_type_at (p, a), *y = ir_type_at (p, b);
  return x->kind == y->kind && x->size == y->size && is_composite (x) && !strcmp (x->name, y->name) &&
         !strstr (x->name, "{...}");
}

// ---- synchronisation objects ---------------------------------------------------------------------------
static bool is_lock_type (const ir_type_data *t) {
  static const char *const names[] = {"pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t",
                                      "pthread_cond_t",  "pthread_once_t",   "mtx_t",
                                      "cnd_t",           "once_flag",        NULL};
  return t->name && text_is_one_of (t->name, names);
}

static bool has_unknown_state (const ir_type_data *t) {
  static const char *const names[] = {"sem_t", "pthread_barrier_t", "struct _IO_FILE", NULL};
  return t->name && text_is_one_of (t->name, names);
}

static bool contains_unknown_state (const ir_program *p, ir_type type) {
  if (type.i == IR_NONE) return false;
  const ir_type_data *t = ir_type_at (p, type);
  if (has_unknown_state (t)) return true;
  if (t->kind == IR_T_ARRAY) return contains_unknown_state (p, t->target);
  bool found = false;
  for (uint32_t i = 0; is_composite (t) && i < t->members.count; i++)
    found |= contains_unknown_state (p, t->members.data[i].type);
  return found;
}

// ---- which functions -----------------------------------------------------------------------------------
static bool is_zero_constant (LLVMValueRef v) { return LLVMIsAConstantInt (v) && !LLVMConstIntGetZExtValue (v); }

static bool is_freeing_call (LLVMValueRef user) {
  LLVMValueRef callee = LLVMIsACallInst (user) ? LLVMGetCalledValue (user) : NULL;
  return callee && LLVMIsAFunction (callee) &&
         (!strcmp (value_name (callee), "free") || !strcmp (value_name (callee), "realloc"));
}

// Only uses of the result in the calling function itself are inspected.
static bool is_used_as_one_object (LLVMValueRef pointer) {
  for (LLVMUseRef u = LLVMGetFirstUse (pointer); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (is_freeing_call (user)) return false;
    if (LLVMIsAGetElementPtrInst (user) && LLVMGetOperand (user, 0) == pointer &&
        !is_zero_constant (LLVMGetOperand (user, 1)))
      return false;
  }
  return true;
}

static bool all_calls_use_one_object (LLVMValueRef function) {
  bool called = false;
  for (LLVMUseRef u = LLVMGetFirstUse (function); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (!LLVMIsACallInst (user) || LLVMGetCalledValue (user) != function) continue;
    called = true;
    if (!is_used_as_one_object (user)) return false;
  }
  return called;
}

static bool is_allocator (LLVMValueRef function) {
  return LLVMGetEnumAttributeAtIndex (function, LLVMAttributeReturnIndex,
                                      LLVMGetEnumAttributeKindForName ("noalias", 7));
}

bool external_is_of_system (translator *t, LLVMValueRef function) {
  const char *path = debug_function_path (t->debug, function);
  return !path || system_has (t->system_folders, path);
}

// Returns the struct or union type whose address the function returns, or IR_NONE.
static ir_type returned_composite (translator *t, LLVMValueRef function) {
  ir_type none = {IR_NONE};
  LLVMTypeRef result = LLVMGetReturnType (LLVMGlobalGetValueType (function));
  if (!LLVMIsDeclaration (function) || LLVMGetTypeKind (result) != LLVMPointerTypeKind) return none;
  if (is_allocator (function) || external_is_of_system (t, function) || !all_calls_use_one_object (function))
    return none;
  ir_type pointer = debug_result_type (t->debug, function);
  if (pointer.i == IR_NONE || ir_type_at (t->p, pointer)->kind != IR_T_POINTER) return none;
  ir_type type = ir_type_at (t->p, pointer)->target;
  const ir_type_data *d = ir_type_at (t->p, type);
  return is_composite (d) && d->size && !contains_unknown_state (t->p, type) ? type : none;
}

static external_type *find_external (translator *t, ir_type type) {
  for (uint32_t i = 0; i < t->externals.count; i++)
    if (is_same_type (t->p, t->externals.data[i].type, type)) return &t->externals.data[i];
  return NULL;
}

static void find_externals (translator *t) {
  if (t->externals_known) return;
  t->externals_known = true;
  for (LLVMValueRef f = LLVMGetFirstFunction (t->module); f; f = LLVMGetNextFunction (f)) {
    ir_type type = returned_composite (t, f);
    if (type.i == IR_NONE || find_external (t, type)) continue;
    external_type new = {.type = type};
    for (unsigned k = 0; k < EXTERNAL_OBJECTS; k++) new.objects[k].i = IR_NONE;
    vec_push (&t->externals, new);
  }
}

// ---- candidates ----------------------------------------------------------------------------------------
static ir_object external_object (translator *t, external_type *e, unsigned k) {
  static const char *const which[EXTERNAL_OBJECTS] = {"external", "another external"};
  if (e->objects[k].i != IR_NONE) return e->objects[k];
  const ir_type_data *type = ir_type_at (t->p, e->type);
  strbuf name = {0};
  strbuf_printf (&name, "%s %s", which[k], type->name);
  e->objects[k] = ir_add_object (t->p, strbuf_text (&name), IR_O_GLOBAL, type->size);
  ir_object_data *d = ir_object_at (t->p, e->objects[k]);
  d->type = e->type;
  d->outside = arena_printf (t->p->arena, "a function without a body returns the address of `%s`", d->name);
  d->align = t->p->pointer_bits / 8;
  strbuf_release (&name);
  return e->objects[k];
}

typedef struct member_search {
  const translator *t;
  ir_type wanted;
  returned_object_list *out;
} member_search;

// Appends the members of the wanted type in a part of an object: the part has type `in`, this offset, and this name.
static void collect_members (const member_search *s, ir_type in, uint32_t offset, const char *name) {
  const ir_program *p = s->t->p;
  if (in.i == IR_NONE) return;
  if (is_same_type (p, in, s->wanted)) {
    if (!at_limit (EXTERNAL_PLACES, s->out->count)) vec_push (s->out, ((returned_object){{IR_NONE}, offset, name}));
    return;
  }
  const ir_type_data *t = ir_type_at (p, in);
  if (t->kind == IR_T_ARRAY && t->count) collect_members (s, t->target, offset, arena_printf (p->arena, "%s[0]", name));
  for (uint32_t i = 0; is_composite (t) && i < t->members.count; i++) {
    const ir_member *m = &t->members.data[i];
    collect_members (s, m->type, offset + m->offset, m->name ? arena_printf (p->arena, "%s.%s", name, m->name) : name);
  }
}

static void add_external_objects (translator *t, ir_type wanted, returned_object_list *out) {
  external_type *own = find_external (t, wanted);
  for (unsigned k = 0; own && k < EXTERNAL_OBJECTS; k++) {
    ir_object o = external_object (t, own, k);
    vec_push (out, ((returned_object){o, 0, ir_object_at (t->p, o)->name}));
  }
  for (uint32_t i = 0; i < t->externals.count; i++) {
    external_type *e = &t->externals.data[i];
    if (e == own) continue;
    uint32_t first = out->count;
    const char *name = arena_printf (t->p->arena, "external %s", ir_type_at (t->p, e->type)->name);
    collect_members (&(member_search){t, wanted, out}, e->type, 0, name);
    for (uint32_t k = first; k < out->count; k++) out->data[k].object = external_object (t, e, 0);
  }
}

static bool is_visible_outside (LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage (global);
  return !LLVMIsDeclaration (global) && linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
         !LLVMIsThreadLocal (global) && !LLVMIsGlobalConstant (global) && !value_is_internal (global);
}

static void add_own_objects (translator *t, ir_type wanted, returned_object_list *out) {
  for (LLVMValueRef g = LLVMGetFirstGlobal (t->module); g; g = LLVMGetNextGlobal (g)) {
    if (!is_visible_outside (g)) continue;
    uint32_t first = out->count;
    collect_members (&(member_search){t, wanted, out}, debug_global_type (t->debug, g), 0, value_name (g));
    if (out->count == first) continue;
    ir_object o = ir_expr_at (t->p, global_address (t, g))->object;
    for (uint32_t k = first; k < out->count; k++) out->data[k].object = o;
  }
}

// ---- the call ------------------------------------------------------------------------------------------
static void report_returned_objects (routine *r, const char *name, const returned_object_list *candidates) {
  strbuf text = {0};
  for (uint32_t i = 0; i < candidates->count; i++)
    strbuf_printf (&text, "%s`%s`", !i ? "" : i + 1 < candidates->count ? ", " : " or ", candidates->data[i].name);
  ir_add_gap (r->p, "`%s` has no body: returns the address of %s, taken to change nothing", name, strbuf_text (&text));
  strbuf_release (&text);
}

// Adds a type for the choice: its values have the names of the candidates.
static ir_type type_of_choice (ir_program *p, const returned_object_list *candidates) {
  ir_type type = ir_add_type (p, IR_T_UINT, "choice", 1);
  for (uint32_t i = 0; i < candidates->count; i++) {
    ir_member m = {arena_printf (p->arena, "&%s", candidates->data[i].name), i, {IR_NONE}};
    vec_push (&ir_type_at (p, type)->members, m);
  }
  return type;
}

static ir_expr returned_address (routine *r, const returned_object *p) { return ir_addr (r->p, p->object, p->offset); }

static ir_expr choose_returned_object (routine *r, const char *name, const returned_object_list *candidates) {
  unsigned bits = 1;
  while (candidates->count > 1u << bits) bits++;
  strbuf text = {0};
  strbuf_printf (&text, "result of `%s`", name);
  ir_expr choice = value_invented (r, IR_NONDET_NUMBER, IR_WHICH, bits, strbuf_text (&text));
  strbuf_release (&text);
  ir_type type = type_of_choice (r->p, candidates);
  ir_proc_at (r->p, r->proc)->regs.data[ir_expr_at (r->p, choice)->reg.i].type = type;
  if (candidates->count < 1u << bits) {
    ir_edge e = emit_edge (r, IR_ASSUME);
    ir_add_arg (r->p, e, ir_binary (r->p, IR_X_ULT, choice, value_from_number (r, bits, candidates->count)));
  }
  ir_expr result = returned_address (r, &candidates->data[candidates->count - 1]);
  for (uint32_t i = candidates->count - 1; i-- > 0;) {
    ir_expr chosen = ir_binary (r->p, IR_X_EQ, choice, value_from_number (r, bits, i));
    result = ir_ite (r->p, chosen, returned_address (r, &candidates->data[i]), result);
  }
  return result;
}

bool external_call (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  ir_type type = returned_composite (r->t, callee);
  if (type.i == IR_NONE || !value_is_pointer (call)) return false;
  find_externals (r->t);
  returned_object_list candidates = {0};
  add_external_objects (r->t, type, &candidates);
  add_own_objects (r->t, type, &candidates);
  report_returned_objects (r, value_name (callee), &candidates);
  if (LLVMGetFirstUse (call)) call_bind_result (r, call, choose_returned_object (r, value_name (callee), &candidates));
  vec_release (&candidates);
  return true;
}

// ---- initial contents ----------------------------------------------------------------------------------
void external_store (routine *r, ir_object o, uint32_t offset, ir_expr value) {
  ir_edge e = emit_edge (r, IR_STORE);
  ir_edge_at (r->p, e)->bytes = (uint16_t) (value_bits (r, value) / 8);
  ir_edge_at (r->p, e)->aux = IR_UNSEEN;
  ir_add_arg (r->p, e, ir_addr (r->p, o, offset));
  ir_add_arg (r->p, e, value);
}

void external_store_zeros (routine *r, ir_object o, uint32_t offset, uint32_t size) {
  for (uint32_t done = 0; done < size;) {
    uint32_t left = size - done, bytes = left >= 8 ? 8 : left >= 4 ? 4 : 1;
    external_store (r, o, offset + done, value_from_number (r, 8 * bytes, 0));
    done += bytes;
  }
}

// Stores a pointer to another external object: of the target type, if a function returns that type, else an invented
// one.
static void initialise_external_pointer (routine *r, ir_object o, uint32_t offset, ir_type target) {
  external_type *to = target.i != IR_NONE ? find_external (r->t, target) : NULL;
  unsigned k = to && to->objects[0].i == o.i;
  const char *owner = arena_printf (r->p->arena, "`%s`", ir_object_at (r->p, o)->name);
  if (to && to->objects[k].i != IR_NONE) external_store (r, o, offset, ir_addr (r->p, to->objects[k], 0));
  else if (!to) unknown_link (r, &(unknown_object){.object = o, .owner = owner}, offset, target);
}

static void initialise_external_part (routine *r, ir_object o, ir_type type, uint32_t offset) {
  if (type.i == IR_NONE) return;
  ir_type_data t = *ir_type_at (r->p, type);
  if (is_lock_type (&t)) {
    external_store_zeros (r, o, offset, t.size);
    return;
  }
  if (t.kind == IR_T_POINTER) initialise_external_pointer (r, o, offset, t.target);
  uint32_t size = t.kind == IR_T_ARRAY && t.target.i != IR_NONE ? ir_type_at (r->p, t.target)->size : 0;
  for (uint32_t i = 0; size && i < t.count; i++) initialise_external_part (r, o, t.target, offset + i * size);
  for (uint32_t i = 0; is_composite (&t) && i < t.members.count; i++)
    initialise_external_part (r, o, t.members.data[i].type, offset + t.members.data[i].offset);
}

static void initialise_external_object (routine *r, ir_object o) {
  const char *name = ir_object_at (r->p, o)->name;
  unknown_forget (r, o, arena_printf (r->p->arena, "`%s` holds these values", name));
  initialise_external_part (r, o, ir_object_at (r->p, o)->type, 0);
}

// Inserts the initial stores before the first edge of the start procedure.
void external_initialise (translator *t) {
  ir_loc first = ir_proc_at (t->p, t->p->start)->entry;
  routine r = {.t = t, .p = t->p, .proc = t->p->start};
  ir_proc_at (t->p, t->p->start)->entry = r.at = ir_add_loc (t->p, t->p->start);
  for (uint32_t i = 0; i < t->externals.count; i++)
    for (unsigned k = 0; k < EXTERNAL_OBJECTS; k++)
      if (t->externals.data[i].objects[k].i != IR_NONE)
        initialise_external_object (&r, t->externals.data[i].objects[k]);
  for (uint32_t i = 0; i < t->unknown.count; i++) unknown_initialise (&r, t->unknown.data[i]);  // may add more
  emit_to (&r, IR_NOP, first);
}
