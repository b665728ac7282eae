// Resolves the names of a formula in the program: threads by the function in which they start or by number, places by
// line or label, variables and locks by their path from a global or static object. An error about an unknown name
// suggests the nearest existing one.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "temporal/temporal_impl.h"

typedef VEC (const char *) words;

// The error "there is no ... `name`", perhaps with a suggestion; releases the words.
static bool unknown (temporal *t, const char *what, const char *name, words *known, const char **why) {
  const char *near = nearest_word (name, known->data, known->count);
  *why = near ? arena_printf (t->pool->arena, "there is no %s `%s`; did you mean `%s`?", what, name, near)
              : arena_printf (t->pool->arena, "there is no %s `%s`", what, name);
  vec_release (known);
  return false;
}

static bool is_number (const char *text) { return *text && strspn (text, "0123456789") == strlen (text); }

// ---- threads and places ------------------------------------------------------------------------------

static bool number_threads (temporal *t, const char *name, temporal_threads *out, const char **why) {
  unsigned long slot = strtoul (name, NULL, 10);
  *out = (temporal_threads){.which = THREADS_NUMBERED, .slot = (uint32_t) slot};
  if (slot < IR_MAX_THREADS) return true;
  *why = arena_printf (t->pool->arena, "threads have numbers from 0 to %u", IR_MAX_THREADS - 1);
  return false;
}

bool resolve_threads (temporal *t, const char *name, temporal_threads *out, const char **why) {
  const ir_program *p = t->program;
  if (is_number (name)) return number_threads (t, name, out, why);
  bool *procs = arena_zalloc (t->pool->arena, p->procs.count), found = false;
  words known = {0};
  for (uint32_t f = 0; f < p->procs.count; f++) {
    if (p->procs.data[f].internal) continue;
    procs[f] = !strcmp (p->procs.data[f].name, name);
    found |= procs[f];
    vec_push (&known, p->procs.data[f].name);
  }
  *out = (temporal_threads){.which = THREADS_STARTED_IN, .procs = procs};
  if (!found) return unknown (t, "function", name, &known, why);
  vec_release (&known);
  return true;
}

bool resolve_place (temporal *t, const char *name, const bool **locs, const char **why) {
  const ir_program *p = t->program;
  const char *colon = strrchr (name, ':');
  bool *at = arena_zalloc (t->pool->arena, p->locs.count), found = false;
  words known = {0};
  for (uint32_t l = 0; l < p->locs.count; l++) {
    at[l] = ir_loc_is_at (p, (ir_loc){l}, name);
    found |= at[l];
    if (p->locs.data[l].label) vec_push (&known, p->locs.data[l].label);
  }
  *locs = at;
  if (!found && !is_number (colon ? colon + 1 : name)) return unknown (t, "label", name, &known, why);
  vec_release (&known);
  if (!found)
    *why = arena_printf (t->pool->arena, "there is no operation at line `%s`: a line with executable code is needed",
                         name);
  return found;
}

// ---- objects and their parts -------------------------------------------------------------------------

typedef struct member_ref {
  ir_object object;
  uint32_t offset;
  ir_type type;
} member_ref;

static bool enter_member (temporal *t, const char **path, member_ref *at, const char **why) {
  const ir_type_data *type = ir_type_at (t->program, at->type);
  size_t length = strcspn (*path + 1, ".[");
  words known = {0};
  for (uint32_t k = 0; k < type->members.count; k++) {
    const ir_member *m = &type->members.data[k];
    if (!m->name) continue;
    vec_push (&known, m->name);
    if (strlen (m->name) != length || strncmp (m->name, *path + 1, length)) continue;
    vec_release (&known);
    at->offset += m->offset;
    at->type = m->type;
    *path += 1 + length;
    return true;
  }
  return unknown (t, "member", arena_printf (t->pool->arena, "%.*s", (int) length, *path + 1), &known, why);
}

static bool enter_element (temporal *t, const char **path, member_ref *at, const char **why) {
  const ir_type_data *type = ir_type_at (t->program, at->type);
  char *end = NULL;
  unsigned long index = isdigit ((unsigned char) (*path)[1]) ? strtoul (*path + 1, &end, 10) : 0;
  if (type->kind != IR_T_ARRAY || !end || *end != ']' || index >= type->count) {
    *why = type->kind != IR_T_ARRAY
               ? arena_printf (t->pool->arena, "the expression before `%s` is not an array", *path)
               : arena_printf (t->pool->arena, "an index must be a number from 0 to %u", type->count - 1);
    return false;
  }
  at->offset += (uint32_t) index * ir_type_at (t->program, type->target)->size;
  at->type = type->target;
  *path = end + 1;
  return true;
}

static bool follow_path (temporal *t, const char *path, member_ref *at, const char **why) {
  while (*path) {
    if (at->type.i == IR_NONE) {
      *why = "the type of this variable is not known, so it has no parts with names";
      return false;
    }
    if (*path == '.' ? !enter_member (t, &path, at, why) : !enter_element (t, &path, at, why)) return false;
  }
  return true;
}

static bool is_memory (const ir_object_data *o) {
  return (o->kind == IR_O_GLOBAL || o->kind == IR_O_CONSTANT) && !o->internal && o->name && *o->name;
}

// The longest name of an object that the text begins with: it may itself contain a dot (a static variable of a
// function).
static uint32_t find_object (temporal *t, const char *text, words *known) {
  const ir_program *p = t->program;
  uint32_t best = 0;
  size_t best_length = 0;
  for (uint32_t k = 1; k < p->objects.count; k++) {
    const ir_object_data *o = &p->objects.data[k];
    if (!is_memory (o)) continue;
    size_t length = strlen (o->name);
    vec_push (known, o->name);
    if (length <= best_length || strncmp (o->name, text, length)) continue;
    if (text[length] && text[length] != '.' && text[length] != '[') continue;
    best = k;
    best_length = length;
  }
  return best;
}

static bool resolve_member (temporal *t, const char *text, member_ref *out, const char **why) {
  words known = {0};
  uint32_t object = find_object (t, text, &known);
  if (!object) {
    const char *name = arena_printf (t->pool->arena, "%.*s", (int) strcspn (text, ".["), text);
    return unknown (t, "global or static variable that the program uses called", name, &known, why);
  }
  vec_release (&known);
  const ir_object_data *o = &t->program->objects.data[object];
  *out = (member_ref){{object}, 0, o->type};
  return follow_path (t, text + strlen (o->name), out, why);
}

// ---- values ------------------------------------------------------------------------------------------

static bool resolve_constant (temporal *t, const char *text, temporal_operand *out, const char **why) {
  char *end;
  bool negative = *text == '-';
  unsigned long long value = strtoull (text + negative, &end, 0);
  *out = (temporal_operand){.is_constant = true, .constant = negative ? -(__int128) value : (__int128) value};
  if (!*end) return true;
  *why = arena_printf (t->pool->arena, "`%s` is not a number", text);
  return false;
}

static const char *why_not_scalar (const ir_type_data *type) {
  if (!type) return "its type is not known";
  if (strchr (type->name ? type->name : "", ':')) return "it is a bit-field";
  if (type->kind == IR_T_FLOAT) return "it is a floating-point number";
  bool number = type->kind == IR_T_INT || type->kind == IR_T_UINT || type->kind == IR_T_BOOL ||
                type->kind == IR_T_CHAR || type->kind == IR_T_POINTER;
  bool fits = type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;
  return number && fits ? NULL : "it is neither an integer nor a pointer";
}

bool resolve_operand (temporal *t, const char *text, temporal_operand *out, const char **why) {
  if (*text == '-' || isdigit ((unsigned char) *text)) return resolve_constant (t, text, out, why);
  member_ref at;
  if (!resolve_member (t, text, &at, why)) return false;
  const ir_type_data *type = at.type.i == IR_NONE ? NULL : ir_type_at (t->program, at.type);
  const char *not_scalar = why_not_scalar (type);
  if (not_scalar) {
    *why = arena_printf (t->pool->arena, "`%s` cannot be compared: %s", text, not_scalar);
    return false;
  }
  *out = (temporal_operand){.object = at.object,
                            .offset = at.offset,
                            .bytes = (uint8_t) type->size,
                            .is_signed = type->kind == IR_T_INT || type->kind == IR_T_CHAR};
  return true;
}

// ---- locks -------------------------------------------------------------------------------------------

// An object is a lock if some operation of the program uses it as one.
static bool kind_by_operation (const ir_program *p, member_ref at, ir_family *kind) {
  for (uint32_t e = 0; e < p->edges.count; e++) {
    *kind = ir_sync_of (p->edges.data[e].op)->family;
    if (!ir_family_is_lock (*kind)) continue;
    const ir_expr_node *address = ir_expr_at (p, ir_arg (p, (ir_edge){e}, 0));
    if (address->op == IR_X_ADDR && address->object.i == at.object.i && address->offset == at.offset) return true;
  }
  return false;
}

static bool kind_by_type (const ir_program *p, member_ref at, ir_family *kind) {
  static const struct {
    const char *type;
    ir_family kind;
  } types[] = {{"pthread_mutex_t", IR_F_MUTEX}, {"mtx_t", IR_F_MUTEX}, {"pthread_rwlock_t", IR_F_RWLOCK}};
  const char *name = at.type.i == IR_NONE ? NULL : ir_type_at (p, at.type)->name;
  for (uint32_t k = 0; name && k < sizeof types / sizeof *types; k++)
    if (!strcmp (name, types[k].type)) return *kind = types[k].kind, true;
  return false;
}

bool resolve_lock (temporal *t, const char *name, temporal_lock *out, const char **why) {
  member_ref at;
  if (!resolve_member (t, name, &at, why)) return false;
  *out = (temporal_lock){.object = at.object, .offset = at.offset};
  if (kind_by_operation (t->program, at, &out->kind) || kind_by_type (t->program, at, &out->kind)) return true;
  *why = arena_printf (t->pool->arena, "`%s` is not a lock (a mutex, a reader-writer lock or a spin lock)", name);
  return false;
}
