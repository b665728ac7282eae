// C types from debug information: DI nodes become ir_types, each node once.
//
// A struct enters the cache before its members are read, so that the recursion ends at a struct that points to itself.
// Typedefs and qualifiers are skipped; the first typedef of an anonymous struct gives it its name, as clang does for
// the LLVM type.  An address computation shows only the LLVM type, `%struct.node`.  Its members are found by name, and
// by size where several translation units or scopes define that name.
#include "base/limits.h"
#include "front/debug_impl.h"

#include <stdlib.h>
#include <string.h>

// From the DWARF standard, section 7.5.3, and 7.8 for encodings.
enum {
  TAG_ARRAY = 0x01,
  TAG_ENUMERATION = 0x04,
  TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_STRUCTURE = 0x13,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c,
  TAG_CONST = 0x26,
  TAG_VOLATILE = 0x35,
  TAG_RESTRICT = 0x37,
  TAG_ATOMIC = 0x47
};

static bool is_struct_or_union (LLVMMetadataRef node) {
  if (!node_is_kind (node, LLVMDICompositeTypeMetadataKind)) return false;
  uint16_t tag = LLVMGetDINodeTag (node);
  return tag == TAG_STRUCTURE || tag == TAG_UNION;
}

static bool is_forward_declaration (LLVMMetadataRef node) { return LLVMDITypeGetFlags (node) & LLVMDIFlagFwdDecl; }

static uint32_t size_in_bytes (LLVMMetadataRef node) {
  uint64_t bytes = LLVMDITypeGetSizeInBits (node) / 8;
  return bytes < UINT32_MAX ? (uint32_t) bytes : UINT32_MAX;
}

// Returns the type behind typedefs and qualifiers; NULL: void.
static LLVMMetadataRef skip_qualifiers (debug_info *d, LLVMMetadataRef node) {
  while (node_is_kind (node, LLVMDIDerivedTypeMetadataKind)) {
    switch (LLVMGetDINodeTag (node)) {
    case TAG_TYPEDEF:
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT:
    case TAG_ATOMIC: node = node_operand (d, node, NODE_BASE_TYPE); break;
    default: return node;
    }
  }
  return node;
}

static bool is_pointer_type (LLVMMetadataRef node) {
  return node_is_kind (node, LLVMDIDerivedTypeMetadataKind) && LLVMGetDINodeTag (node) == TAG_POINTER;
}

static bool is_const_type (LLVMMetadataRef node) {
  return node_is_kind (node, LLVMDIDerivedTypeMetadataKind) && LLVMGetDINodeTag (node) == TAG_CONST;
}

static bool is_function_type (LLVMMetadataRef node) { return node_is_kind (node, LLVMDISubroutineTypeMetadataKind); }

// Returns whether the type is or contains a pointer to writable memory.
static bool leads_to_writable (debug_info *d, LLVMMetadataRef node, unsigned depth) {
  node = skip_qualifiers (d, node);
  if (is_pointer_type (node)) {
    LLVMMetadataRef target = node_operand (d, node, NODE_BASE_TYPE);
    return !is_const_type (target) && !is_function_type (skip_qualifiers (d, target));
  }
  if (!node_is_kind (node, LLVMDICompositeTypeMetadataKind)) return false;
  if (!depth) {
    if (is_struct_or_union (node)) limit_met (CONST_DEPTH);
    return false;
  }
  if (LLVMGetDINodeTag (node) == TAG_ARRAY) return leads_to_writable (d, node_operand (d, node, NODE_BASE_TYPE), depth);
  node_list members = {0};
  bool found = false;
  node_operands (d, node_operand (d, node, NODE_ELEMENTS), &members);
  for (uint32_t i = 0; i < members.count && !found && is_struct_or_union (node); i++)
    found = leads_to_writable (d, node_operand (d, members.data[i], NODE_BASE_TYPE), depth - 1);
  vec_release (&members);
  return found;
}

bool debug_is_pointer_to_const (debug_info *d, LLVMMetadataRef node) {
  node = skip_qualifiers (d, node);
  LLVMMetadataRef target = is_pointer_type (node) ? node_operand (d, node, NODE_BASE_TYPE) : NULL;
  return is_const_type (target) && !leads_to_writable (d, target, LIMIT_CONST_DEPTH);
}

bool debug_is_pointer_to_pointers (debug_info *d, LLVMMetadataRef node) {
  node = skip_qualifiers (d, node);
  return is_pointer_type (node) && leads_to_writable (d, node_operand (d, node, NODE_BASE_TYPE), LIMIT_CONST_DEPTH);
}

bool debug_is_pointer_to_pointer (debug_info *d, LLVMMetadataRef node) {
  node = skip_qualifiers (d, node);
  return is_pointer_type (node) && is_pointer_type (skip_qualifiers (d, node_operand (d, node, NODE_BASE_TYPE)));
}

bool debug_is_pointer_to_function (debug_info *d, LLVMMetadataRef node) {
  node = skip_qualifiers (d, node);
  return is_pointer_type (node) && is_function_type (skip_qualifiers (d, node_operand (d, node, NODE_BASE_TYPE)));
}

// ---- finding the definitions ---------------------------------------------------------------------------

static const char *composite_name (debug_info *d, LLVMMetadataRef node) {
  const char *name = node_string (d, node, NODE_NAME);
  if (name) return name;
  uint64_t *typedefed = map_find (&d->names, (uintptr_t) node);
  return typedefed ? (const char *) (uintptr_t) *typedefed : NULL;
}

static void add_definition (debug_info *d, LLVMMetadataRef node) {
  const char *name = composite_name (d, node);
  if (!name || is_forward_declaration (node)) return;
  strbuf key = {0};
  strbuf_printf (&key, "%s.%s", LLVMGetDINodeTag (node) == TAG_UNION ? "union" : "struct", name);
  uint32_t index = d->definitions.count;
  bool is_new;
  uint64_t *first = strmap_insert (&d->composites, strbuf_text (&key), index, &is_new);
  uint32_t last = IR_NONE;
  for (uint32_t i = is_new ? IR_NONE : (uint32_t) *first; i != IR_NONE; i = d->definitions.data[i].next) {
    if (d->definitions.data[i].node == node) last = index;  // it is known already
    else if (last != index) last = i;
  }
  strbuf_release (&key);
  if (last == index) return;
  vec_push (&d->definitions, ((debug_composite){node, IR_NONE}));
  if (last != IR_NONE) d->definitions.data[last].next = index;
}

// Gives the anonymous struct behind a typedef the typedef's name.
static void visit_typedef (debug_info *d, LLVMMetadataRef node) {
  LLVMMetadataRef base = skip_qualifiers (d, node);
  const char *name = node_string (d, node, NODE_NAME);
  if (!name || !is_struct_or_union (base) || node_string (d, base, NODE_NAME)) return;
  bool is_new;
  map_insert (&d->names, (uintptr_t) base, (uintptr_t) arena_strdup (d->program->arena, name), &is_new);
  if (is_new) add_definition (d, base);
}

static bool leads_to_types (LLVMMetadataRef node) {
  switch (LLVMGetMetadataKind (node)) {
  case LLVMMDTupleMetadataKind:
  case LLVMDIDerivedTypeMetadataKind:
  case LLVMDICompositeTypeMetadataKind:
  case LLVMDISubroutineTypeMetadataKind:
  case LLVMDILocalVariableMetadataKind:
  case LLVMDIGlobalVariableMetadataKind:
  case LLVMDIGlobalVariableExpressionMetadataKind:
  case LLVMDISubprogramMetadataKind:
  case LLVMDICompileUnitMetadataKind: return true;
  default: return false;
  }
}

static void add_roots (debug_info *d, node_list *work) {
  static const char units[] = "llvm.dbg.cu";
  unsigned count = LLVMGetNamedMetadataNumOperands (d->module, units);
  VEC (LLVMValueRef) views = {0};
  if (count) {
    vec_reserve (&views, count);
    LLVMGetNamedMetadataOperands (d->module, units, views.data);
    for (unsigned i = 0; i < count; i++)
      if (views.data[i]) vec_push (work, LLVMValueAsMetadata (views.data[i]));
  }
  vec_release (&views);
  for (LLVMValueRef f = LLVMGetFirstFunction (d->module); f; f = LLVMGetNextFunction (f)) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram (f);
    if (subprogram) vec_push (work, subprogram);
  }
  for (uint32_t i = 0; i < d->variables.count; i++)
    if (d->variables.data[i].type) vec_push (work, d->variables.data[i].type);
}

void debug_collect_types (debug_info *d) {
  node_list work = {0}, operands = {0};
  map seen = {0};
  add_roots (d, &work);
  for (uint32_t next = 0; next < work.count; next++) {
    LLVMMetadataRef node = work.data[next];
    bool is_new;
    map_insert (&seen, (uintptr_t) node, 1, &is_new);
    if (!is_new || !leads_to_types (node)) continue;
    if (is_struct_or_union (node)) add_definition (d, node);
    else if (node_is_kind (node, LLVMDIDerivedTypeMetadataKind) && LLVMGetDINodeTag (node) == TAG_TYPEDEF)
      visit_typedef (d, node);
    node_operands (d, node, &operands);
    for (uint32_t i = 0; i < operands.count; i++)
      if (operands.data[i] && leads_to_types (operands.data[i])) vec_push (&work, operands.data[i]);
  }
  map_release (&seen);
  vec_release (&operands);
  vec_release (&work);
}

// Returns the definition with this key and size in bytes (UINT64_MAX: any size), or NULL.
static LLVMMetadataRef find_definition (debug_info *d, const char *key, uint64_t size) {
  uint64_t *first = strmap_find (&d->composites, key);
  for (uint32_t i = first ? (uint32_t) *first : IR_NONE; i != IR_NONE; i = d->definitions.data[i].next)
    if (size == UINT64_MAX || size_in_bytes (d->definitions.data[i].node) == size) return d->definitions.data[i].node;
  return NULL;
}

ir_type debug_struct_type (debug_info *d, LLVMTypeRef type) {
  ir_type none = {IR_NONE};
  if (LLVMGetTypeKind (type) != LLVMStructTypeKind || LLVMIsLiteralStruct (type)) return none;
  const char *name = LLVMGetStructName (type);
  if (!name || !LLVMTypeIsSized (type)) return none;
  uint64_t size = LLVMABISizeOfType (d->layout, type);
  LLVMMetadataRef node = find_definition (d, name, size);
  // If two types have the same name, LLVM adds a number to the second: "struct.node.12".
  size_t stem = strlen (name);
  while (stem && name[stem - 1] >= '0' && name[stem - 1] <= '9') stem--;
  if (!node && name[stem] && stem > 1 && name[stem - 1] == '.') {
    char *shorter = strndup (name, stem - 1);
    node = find_definition (d, shorter, size);
    free (shorter);
  }
  return node ? debug_type (d, node) : none;
}

// ---- translation ---------------------------------------------------------------------------------------

static ir_type cache_type (debug_info *d, LLVMMetadataRef node, ir_type type) {
  map_insert (&d->types, (uintptr_t) node, type.i, NULL);
  return type;
}

static const char *type_name (debug_info *d, ir_type type) {
  const char *name = type.i == IR_NONE ? NULL : ir_type_at (d->program, type)->name;
  return name ? name : "?";
}

static ir_type_kind basic_kind (debug_info *d, LLVMMetadataRef node, const char *name) {
  char *text = node_text (d, node);
  const char *found = text ? strstr (text, "encoding: DW_ATE_") : NULL;
  char encoding[32] = "";
  if (found) sscanf (found, "encoding: DW_ATE_%31[a-zA-Z_]", encoding);
  LLVMDisposeMessage (text);
  if (!strcmp (encoding, "boolean")) return IR_T_BOOL;
  if (!strcmp (encoding, "float")) return IR_T_FLOAT;
  if (name && !strcmp (name, "char")) return IR_T_CHAR;
  if (!strcmp (encoding, "signed") || !strcmp (encoding, "signed_char")) return IR_T_INT;
  if (!strcmp (encoding, "unsigned") || !strcmp (encoding, "unsigned_char") || !strcmp (encoding, "UTF"))
    return IR_T_UINT;
  return IR_T_OTHER;
}

static ir_type basic_type (debug_info *d, LLVMMetadataRef node) {
  const char *name = node_string (d, node, NODE_NAME);
  return cache_type (d, node, ir_add_type (d->program, basic_kind (d, node, name), name, size_in_bytes (node)));
}

static ir_type pointer_type (debug_info *d, LLVMMetadataRef node) {
  uint64_t bits = LLVMDITypeGetSizeInBits (node);
  ir_type type =
      ir_add_type (d->program, IR_T_POINTER, NULL, bits ? (uint32_t) (bits / 8) : d->program->pointer_bits / 8u);
  cache_type (d, node, type);
  ir_type target = debug_type (d, node_operand (d, node, NODE_BASE_TYPE));
  const char *name = type_name (d, target);
  size_t length = strlen (name);
  ir_type_data *data = ir_type_at (d->program, type);
  data->target = target;
  data->name = arena_printf (d->program->arena, "%s%s*", name, length && name[length - 1] == '*' ? "" : " ");
  return type;
}

static ir_type enumeration_type (debug_info *d, LLVMMetadataRef node) {
  const char *name = node_string (d, node, NODE_NAME);
  LLVMMetadataRef base = skip_qualifiers (d, node_operand (d, node, NODE_BASE_TYPE));
  ir_type_kind kind = IR_T_UINT;
  if (node_is_kind (base, LLVMDIBasicTypeMetadataKind)) kind = basic_kind (d, base, NULL);
  strbuf text = {0};
  strbuf_printf (&text, "enum %s", name ? name : "{...}");
  ir_type type = ir_add_type (d->program, kind, strbuf_text (&text), size_in_bytes (node));
  strbuf_release (&text);
  return cache_type (d, node, type);
}

// Dimensions are listed outermost first: int a[2][3] is an array of 2 arrays of 3.  A dimension of unknown length is 0.
static ir_type array_type (debug_info *d, LLVMMetadataRef node) {
  ir_type type = debug_type (d, node_operand (d, node, NODE_BASE_TYPE));
  strbuf element = {0};
  strbuf_add (&element, type_name (d, type));
  node_list dimensions = {0};
  node_operands (d, node_operand (d, node, NODE_ELEMENTS), &dimensions);
  strbuf brackets = {0}, name = {0}, outer = {0};
  for (uint32_t i = dimensions.count; i-- > 0;) {
    int64_t count = 0;
    if (!node_integer (d, dimensions.data[i], NODE_SUBRANGE_COUNT, &count) || count < 0 || count > UINT32_MAX)
      count = 0;
    uint64_t size = (uint64_t) count * ir_type_at (d->program, type)->size;
    strbuf_clear (&outer);
    strbuf_printf (&outer, count ? "[%u]%s" : "[]%.0u%s", (unsigned) count, strbuf_text (&brackets));
    strbuf_clear (&brackets);
    strbuf_add (&brackets, strbuf_text (&outer));
    strbuf_clear (&name);
    strbuf_printf (&name, "%s %s", strbuf_text (&element), strbuf_text (&brackets));
    ir_type array =
        ir_add_type (d->program, IR_T_ARRAY, strbuf_text (&name), size < UINT32_MAX ? (uint32_t) size : UINT32_MAX);
    ir_type_at (d->program, array)->target = type;
    ir_type_at (d->program, array)->count = (uint32_t) count;
    type = array;
  }
  strbuf_release (&outer);
  strbuf_release (&name);
  strbuf_release (&brackets);
  strbuf_release (&element);
  vec_release (&dimensions);
  return cache_type (d, node, type);
}

// The type of a bit-field covers only the bytes that contain its bits, so that it does not hide the members after it.
static ir_type bit_field_type (debug_info *d, LLVMMetadataRef member, ir_type declared) {
  uint64_t bits = LLVMDITypeGetSizeInBits (member), first = LLVMDITypeGetOffsetInBits (member) % 8;
  ir_type_kind kind = ir_type_at (d->program, declared)->kind;
  strbuf name = {0};
  strbuf_printf (&name, "%s:%u", type_name (d, declared), (unsigned) bits);
  ir_type type = ir_add_type (d->program, kind, strbuf_text (&name), (uint32_t) ((first + bits + 7) / 8));
  strbuf_release (&name);
  map_insert (&d->bit_fields, type.i, 1, NULL);
  return type;
}

static void add_debug_member (debug_info *d, ir_type type, LLVMMetadataRef member) {
  if (!node_is_kind (member, LLVMDIDerivedTypeMetadataKind)) return;
  uint16_t tag = LLVMGetDINodeTag (member);
  LLVMDIFlags flags = LLVMDITypeGetFlags (member);
  uint64_t offset = LLVMDITypeGetOffsetInBits (member) / 8;
  if ((tag != TAG_MEMBER && tag != TAG_INHERITANCE) || flags & LLVMDIFlagStaticMember || offset > UINT32_MAX) return;
  const char *name = node_string (d, member, NODE_NAME);
  ir_type of = debug_type (d, node_operand (d, member, NODE_BASE_TYPE));
  if (flags & LLVMDIFlagBitField) of = bit_field_type (d, member, of);
  ir_member m = {name ? arena_strdup (d->program->arena, name) : NULL, (uint32_t) offset, of};
  vec_push (&ir_type_at (d->program, type)->members, m);
}

static ir_type composite_type (debug_info *d, LLVMMetadataRef node) {
  bool is_union = LLVMGetDINodeTag (node) == TAG_UNION;
  const char *tag_name = node_string (d, node, NODE_NAME), *any_name = composite_name (d, node);
  strbuf name = {0};
  if (!tag_name && any_name) strbuf_add (&name, any_name);
  else strbuf_printf (&name, "%s %s", is_union ? "union" : "struct", any_name ? any_name : "{...}");
  ir_type type =
      ir_add_type (d->program, is_union ? IR_T_UNION : IR_T_STRUCT, strbuf_text (&name), size_in_bytes (node));
  strbuf_release (&name);
  cache_type (d, node, type);
  node_list members = {0};
  node_operands (d, node_operand (d, node, NODE_ELEMENTS), &members);
  for (uint32_t i = 0; i < members.count; i++) add_debug_member (d, type, members.data[i]);
  vec_release (&members);
  return type;
}

// A struct that this translation unit only declares may be defined in another one.
static ir_type forward_type (debug_info *d, LLVMMetadataRef node) {
  const char *name = composite_name (d, node);
  strbuf key = {0};
  strbuf_printf (&key, "%s.%s", LLVMGetDINodeTag (node) == TAG_UNION ? "union" : "struct", name ? name : "");
  LLVMMetadataRef definition = name ? find_definition (d, strbuf_text (&key), UINT64_MAX) : NULL;
  strbuf_release (&key);
  return cache_type (d, node, definition ? debug_type (d, definition) : composite_type (d, node));
}

static ir_type void_type (debug_info *d) {
  if (d->void_type.i == IR_NONE) d->void_type = ir_add_type (d->program, IR_T_OTHER, "void", 0);
  return d->void_type;
}

// Some synchronisation objects are integers in C: only the name of the typedef distinguishes them.
static bool is_named_lock (debug_info *d, LLVMMetadataRef node) {
  if (!node_is_kind (node, LLVMDIDerivedTypeMetadataKind) || LLVMGetDINodeTag (node) != TAG_TYPEDEF) return false;
  const char *name = node_string (d, node, NODE_NAME);
  return name && (!strcmp (name, "pthread_spinlock_t") || !strcmp (name, "pthread_once_t"));
}

static ir_type named_lock_type (debug_info *d, LLVMMetadataRef node) {
  ir_type plain = debug_type (d, node_operand (d, node, NODE_BASE_TYPE));
  ir_type_kind kind = ir_type_at (d->program, plain)->kind;
  uint32_t size = ir_type_at (d->program, plain)->size;
  return cache_type (d, node, ir_add_type (d->program, kind, node_string (d, node, NODE_NAME), size));
}

ir_type debug_type (debug_info *d, LLVMMetadataRef node) {
  if (is_named_lock (d, node)) {
    uint64_t *named = map_find (&d->types, (uintptr_t) node);
    return named ? (ir_type){(uint32_t) *named} : named_lock_type (d, node);
  }
  node = skip_qualifiers (d, node);
  if (!node_is_type (node)) return void_type (d);
  uint64_t *known = map_find (&d->types, (uintptr_t) node);
  if (known) return (ir_type){(uint32_t) *known};
  switch (LLVMGetMetadataKind (node)) {
  case LLVMDIBasicTypeMetadataKind: return basic_type (d, node);
  case LLVMDISubroutineTypeMetadataKind:
    return cache_type (d, node, ir_add_type (d->program, IR_T_OTHER, "function", 0));
  case LLVMDIDerivedTypeMetadataKind:
    if (LLVMGetDINodeTag (node) == TAG_POINTER) return pointer_type (d, node);
    return cache_type (d, node,
                       ir_add_type (d->program, IR_T_OTHER, node_string (d, node, NODE_NAME), size_in_bytes (node)));
  default: break;
  }
  if (is_struct_or_union (node))
    return is_forward_declaration (node) ? forward_type (d, node) : composite_type (d, node);
  switch (LLVMGetDINodeTag (node)) {
  case TAG_ARRAY: return array_type (d, node);
  case TAG_ENUMERATION: return enumeration_type (d, node);
  default:
    return cache_type (d, node,
                       ir_add_type (d->program, IR_T_OTHER, node_string (d, node, NODE_NAME), size_in_bytes (node)));
  }
}
