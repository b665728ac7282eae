// Invented values: the result of a function that lockstep does not know, and the contents of an object that is defined
// nowhere.
//
// A pointer from such a function is null, or the address of an object with any contents; one object represents all that
// the function returns.  An arbitrary value would be useless: nearly all values are no addresses, and the search would
// end at the first use.  Findings that depend on invented values are marked (ir_origin) and count as conditional;
// docs/decisions/invented-values.md has the rules.
//
// An integer from a function that the program declares itself is not invented but an input, as in other verifiers.
#include <string.h>

#include "base/limits.h"
#include "front/translate_impl.h"

enum { TEXT_BYTES = 4, UNKNOWN_BYTES = 64, ELEMENTS = 8 };

// ---- objects -------------------------------------------------------------------------------------------
static bool is_character (const ir_type_data *d) {
  return d->kind == IR_T_CHAR || (d->size == 1 && d->kind != IR_T_BOOL);
}

static bool is_aggregate_type (const ir_type_data *d) {
  return d->kind == IR_T_STRUCT || d->kind == IR_T_UNION || d->kind == IR_T_ARRAY;
}

// Returns the size of an invented object for a pointer to this type: one struct, a short text, or a few numbers.
static uint32_t object_bytes (const translator *t, ir_type target) {
  const ir_type_data *d = target.i == IR_NONE ? NULL : ir_type_at (t->p, target);
  if (!d || !d->size) return UNKNOWN_BYTES;
  return is_character (d) ? TEXT_BYTES : is_aggregate_type (d) ? d->size : ELEMENTS * d->size;
}

static ir_type pointed_type (const translator *t, ir_type pointer) {
  if (pointer.i == IR_NONE || ir_type_at (t->p, pointer)->kind != IR_T_POINTER) return (ir_type){IR_NONE};
  return ir_type_at (t->p, pointer)->target;
}

static ir_object add_invented_object (translator *t, const char *name, const char *owner, ir_type target,
                                      unsigned depth, ir_position pos) {
  ir_object o = ir_add_object (t->p, name, IR_O_GLOBAL, object_bytes (t, target));
  ir_object_data *d = ir_object_at (t->p, o);
  if (target.i != IR_NONE && ir_type_at (t->p, target)->size == d->size) d->type = target;
  d->align = t->p->pointer_bits / 8;
  d->pos = pos;
  d->outside = arena_printf (t->p->arena, "%s %s an object of %u bytes", owner,
                             depth ? "leads to" : "is the address of", d->size);
  vec_push (&t->unknown, ((unknown_object){.object = o, .owner = owner, .element = target, .depth = depth}));
  return o;
}

static ir_object object_of_result (routine *r, LLVMValueRef callee) {
  uint64_t *known = map_find (&r->t->objects, llvm_key (callee));
  if (known) return (ir_object){(uint32_t) *known};
  const char *name = value_name (callee);
  ir_object o = add_invented_object (r->t, arena_printf (r->p->arena, "result of %s", name),
                                     arena_printf (r->p->arena, "what `%s` returns", name),
                                     pointed_type (r->t, debug_result_type (r->t->debug, callee)), 0, r->pos);
  map_insert (&r->t->objects, llvm_key (callee), o.i, NULL);
  return o;
}

// ---- results -------------------------------------------------------------------------------------------
static ir_type type_of_failure (ir_program *p) {
  ir_type type = ir_add_type (p, IR_T_UINT, "failure", 1), none = {IR_NONE};
  vec_push (&ir_type_at (p, type)->members, ((ir_member){"an address", 0, none}));
  vec_push (&ir_type_at (p, type)->members, ((ir_member){"null", 1, none}));
  return type;
}

static ir_expr invented_pointer (routine *r, LLVMValueRef callee, const char *message) {
  ir_expr fails = value_invented (r, IR_NONDET_NUMBER, IR_FAILURE, 1, message);
  ir_type type = type_of_failure (r->p);
  ir_proc_at (r->p, r->proc)->regs.data[ir_expr_at (r->p, fails)->reg.i].type = type;
  ir_expr address = ir_addr (r->p, object_of_result (r, callee), 0);
  return ir_ite (r->p, fails, value_from_number (r, routine_pointer_bits (r), 0), address);
}

static bool has_pointer (LLVMTypeRef type) {
  if (LLVMGetTypeKind (type) == LLVMPointerTypeKind) return true;
  bool found = false;
  for (unsigned i = 0; type_is_aggregate (type) && i < type_num_elements (type); i++)
    found |= has_pointer (type_of_element (type, i));
  return found;
}

ir_expr unknown_result (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  LLVMTypeRef type = LLVMTypeOf (call);
  const char *message = arena_printf (r->p->arena, "result of `%s`", value_name (callee));
  if (LLVMGetTypeKind (type) == LLVMPointerTypeKind) return invented_pointer (r, callee, message);
  bool invented = external_is_of_system (r->t, callee) || has_pointer (type);
  return value_invented (r, IR_NONDET_NUMBER, invented ? IR_INVENTED : IR_INPUT, type_bits (r->t, type), message);
}

// ---- structs by value ----------------------------------------------------------------------------------
static LLVMTypeRef returned_struct_type (LLVMValueRef callee) {
  unsigned kind = LLVMGetEnumAttributeKindForName ("sret", 4);
  LLVMAttributeRef a = LLVMCountParams (callee) ? LLVMGetEnumAttributeAtIndex (callee, 1, kind) : NULL;
  return a ? LLVMGetTypeAttributeValue (a) : NULL;
}

// A large struct is returned in the memory that the first argument points to.  If that is a whole local variable, each
// call gives it any values; elsewhere the memory keeps its contents.
static void forget_returned_struct (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  LLVMTypeRef type = returned_struct_type (callee);
  if (!type || !LLVMIsAAllocaInst (LLVMGetOperand (call, 0))) return;
  ir_expr address = call_argument (r, call, 0);
  if (r->t->options->check_uninit) {  // a returned struct is written
    ir_expr args[2] = {address, value_from_number (r, routine_pointer_bits (r), type_size (r->t, type))};
    call_by_name (r, LOCKSTEP_PREFIX "input_bytes", args, 2, NULL);
    return;
  }
  ir_edge e = emit_edge (r, IR_FORGET);
  bool invented = external_is_of_system (r->t, callee) || has_pointer (type);
  ir_edge_at (r->p, e)->origin = invented ? IR_INVENTED : IR_INPUT;
  const char *contents = arena_printf (r->p->arena, "what `%s` returns holds these values", value_name (callee));
  ir_edge_at (r->p, e)->message = contents;
  ir_add_arg (r->p, e, address);
}

// ---- memory that its arguments lead to -----------------------------------------------------------------
typedef enum handed_part { ALL, UNWRITTEN, POINTER_AND_UNWRITTEN } handed_part;

// Marks memory at the address that may have changed: all of it; only bytes that were never written; or those and the
// pointer at the address.
static void mark_handed (routine *r, ir_expr address, const char *message, handed_part part) {
  value_invented (r, IR_NONDET_NUMBER, IR_INVENTED, 1, message);
  ir_edge e = {r->p->edges.count - 1};
  ir_add_arg (r->p, e, address);
  if (part != ALL) ir_add_arg (r->p, e, value_from_number (r, 1, part == UNWRITTEN));
}

// Returns the variable behind errno, or NULL if no function of the program uses errno.
static LLVMValueRef find_errno (const translator *t) {
  LLVMValueRef location = LLVMGetNamedFunction (t->module, "__errno_location");
  for (LLVMUseRef u = location ? LLVMGetFirstUse (location) : NULL; u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    LLVMBasicBlockRef block = LLVMIsAInstruction (user) ? LLVMGetInstructionParent (user) : NULL;
    if (!block || !value_is_internal (LLVMGetBasicBlockParent (block)))
      return LLVMGetNamedGlobal (t->module, LOCKSTEP_PREFIX "errno");
  }
  return NULL;
}

// A function that the program declares gets pointers to memory for its results.  Numbers stored there are inputs, but
// pointers are as unknown as a returned pointer, and --property=uninit counts all of the memory as written.
static bool may_hold_results (routine *r, LLVMValueRef callee, unsigned k) {
  return r->t->options->check_uninit || debug_parameter_holds_pointers (r->t->debug, callee, k);
}

static handed_part changed_part (routine *r, LLVMValueRef callee, unsigned k) {
  if (external_is_of_system (r->t, callee)) return ALL;
  return debug_parameter_points_to_pointer (r->t->debug, callee, k) ? POINTER_AND_UNWRITTEN : UNWRITTEN;
}

// The translated call does not change this memory or errno, but a real one may: findings that depend on later reads are
// conditional.
void unknown_handed (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  bool of_system = external_is_of_system (r->t, callee);
  const char *name = value_name (callee);
  const char *message = arena_printf (r->p->arena, "`%s` does not change what it is handed", name);
  LLVMValueRef error = of_system ? find_errno (r->t) : NULL;
  forget_returned_struct (r, call, callee);
  if (error)
    mark_handed (r, global_address (r->t, error), arena_printf (r->p->arena, "`%s` does not change `errno`", name),
                 ALL);
  for (unsigned k = returned_struct_type (callee) ? 1 : 0; k < LLVMGetNumArgOperands (call); k++) {
    LLVMValueRef v = LLVMGetOperand (call, k);
    if (!value_is_pointer (v) || LLVMIsAConstantPointerNull (v)) continue;
    if (LLVMIsAFunction (v) || debug_parameter_is_read_only (r->t->debug, callee, k)) continue;
    if (of_system || may_hold_results (r, callee, k))
      mark_handed (r, call_argument (r, call, k), message, changed_part (r, callee, k));
  }
}

// ---- variables -----------------------------------------------------------------------------------------
void unknown_variable (translator *t, LLVMValueRef global, ir_object o) {
  const char *name = value_name (global);
  if (LLVMIsThreadLocal (global)) {
    ir_add_gap (t->p, "`%s` is not defined: taken as 0", name);
    ir_object_at (t->p, o)->outside = arena_printf (t->p->arena, "`%s`, which is not defined, holds 0 at first", name);
    return;
  }
  ir_add_gap (t->p, "`%s` is not defined: holds any values", name);
  ir_object_data *d = ir_object_at (t->p, o);
  if (!d->pos.file) d->pos = debug_first_use (t->debug, global);
  if (!d->size) d->outside = arena_printf (t->p->arena, "`%s`, which is not defined, has no elements", name);
  const char *owner = arena_printf (t->p->arena, "`%s`, which is not defined,", name);
  vec_push (&t->unknown, ((unknown_object){.object = o, .global = global, .owner = owner, .element = {IR_NONE}}));
}

// ---- initial contents ----------------------------------------------------------------------------------
// For --property=uninit external contents count as written: any value, chosen at once.
static void store_invented_bytes (routine *r, ir_object o, const char *contents) {
  uint32_t size = ir_object_at (r->p, o)->size;
  for (uint32_t done = 0; done < size;) {
    uint32_t left = size - done, bytes = left >= 8 ? 8 : left >= 4 ? 4 : 1;
    external_store (r, o, done, value_invented (r, IR_NONDET_NUMBER, IR_INVENTED, 8 * bytes, contents));
    done += bytes;
  }
}

void unknown_forget (routine *r, ir_object o, const char *contents) {
  if (r->t->options && r->t->options->check_uninit) {
    store_invented_bytes (r, o, contents);
    return;
  }
  ir_edge e = emit_edge (r, IR_FORGET);
  ir_edge_at (r->p, e)->origin = IR_INVENTED;
  ir_edge_at (r->p, e)->message = contents;
  ir_edge_at (r->p, e)->pos = ir_object_at (r->p, o)->pos;
  ir_add_arg (r->p, e, ir_addr (r->p, o, 0));
}

static bool is_lock_struct (LLVMTypeRef type) {
  static const char *const names[] = {"pthread_mutex_t", "pthread_rwlock_t", "pthread_cond_t", "mtx_t", "cnd_t",
                                      "sem_t",           "pthread_barrier_t"};
  const char *name = LLVMGetTypeKind (type) == LLVMStructTypeKind ? LLVMGetStructName (type) : NULL;
  const char *dot = name ? strchr (name, '.') : NULL;
  for (unsigned i = 0; dot && i < sizeof names / sizeof *names; i++)
    if (!strncmp (dot + 1, names[i], strlen (names[i]))) return true;
  return false;
}

// Pointers point to objects, so that a search does not end where one is dereferenced.
void unknown_link (routine *r, const unknown_object *u, uint32_t offset, ir_type target) {
  uint32_t word = routine_pointer_bits (r) / 8;
  if (at_limit (UNKNOWN_DEPTH, u->depth) || at_limit (UNKNOWN_OBJECTS, r->t->unknown.count)) return;
  if (offset + word > ir_object_at (r->p, u->object)->size) return;
  const char *name = ir_object_at (r->p, u->object)->name;
  ir_object to = add_invented_object (r->t, arena_printf (r->p->arena, "%s+%u", name, offset), u->owner, target,
                                      u->depth + 1, ir_object_at (r->p, u->object)->pos);
  external_store (r, u->object, offset, ir_addr (r->p, to, 0));
}

static bool may_hold_pointers (const ir_type_data *d) {
  return d->kind == IR_T_POINTER || d->kind == IR_T_ARRAY || d->kind == IR_T_STRUCT;
}

static void link_typed (routine *r, const unknown_object *u, ir_type type, uint32_t offset) {
  if (type.i == IR_NONE) return;
  const ir_type_data d = *ir_type_at (r->p, type);
  if (d.kind == IR_T_POINTER) unknown_link (r, u, offset, d.target);
  if (d.kind == IR_T_ARRAY && d.target.i != IR_NONE && may_hold_pointers (ir_type_at (r->p, d.target)))
    for (uint32_t i = 0; i < d.count && !at_limit (UNKNOWN_POINTERS, i); i++)
      link_typed (r, u, d.target, offset + i * ir_type_at (r->p, d.target)->size);
  for (uint32_t i = 0; d.kind == IR_T_STRUCT && i < d.members.count; i++)
    link_typed (r, u, d.members.data[i].type, offset + d.members.data[i].offset);
}

// Returns whether there may be pointers after the first LIMIT_UNKNOWN_POINTERS elements or members.
static bool has_more_pointers (LLVMTypeRef type) {
  unsigned count = type_num_elements (type);
  if (LLVMGetTypeKind (type) == LLVMArrayTypeKind && count > LIMIT_UNKNOWN_POINTERS) count = LIMIT_UNKNOWN_POINTERS + 1;
  for (unsigned i = LIMIT_UNKNOWN_POINTERS; i < count; i++) {
    LLVMTypeRef element = type_of_element (type, i);
    if (type_is_aggregate (element) || LLVMGetTypeKind (element) == LLVMPointerTypeKind) return true;
  }
  return false;
}

// Only the LLVM type of a variable is known.  Locks in it are initialised and free.
static void initialise_variable (routine *r, const unknown_object *u, LLVMTypeRef type, uint32_t offset) {
  ir_type unknown = {IR_NONE};
  if (is_lock_struct (type)) {
    external_store_zeros (r, u->object, offset, (uint32_t) type_size (r->t, type));
    return;
  }
  if (LLVMGetTypeKind (type) == LLVMPointerTypeKind) unknown_link (r, u, offset, unknown);
  if (!type_is_aggregate (type)) return;
  if (has_more_pointers (type)) limit_met (UNKNOWN_POINTERS);
  for (unsigned i = 0; i < type_num_elements (type) && i < LIMIT_UNKNOWN_POINTERS; i++)
    initialise_variable (r, u, type_of_element (type, i), offset + (uint32_t) type_offset (r->t, type, i));
}

void unknown_initialise (routine *r, unknown_object u) {
  unknown_forget (r, u.object, arena_printf (r->p->arena, "%s holds these values", u.owner));
  if (u.global) initialise_variable (r, &u, LLVMGlobalGetValueType (u.global), 0);
  if (u.element.i == IR_NONE) return;
  const ir_type_data *element = ir_type_at (r->p, u.element);
  // A text has at most one character: longer texts would have to be distinguished byte by byte wherever they are
  // printed.
  if (is_character (element)) external_store_zeros (r, u.object, 1, TEXT_BYTES - 1);
  else link_typed (r, &u, u.element, 0);
}
