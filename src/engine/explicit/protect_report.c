// Reports protecting locks in words: one line for each variable that has a name. Neighbouring parts of one variable
// with the same protection share a line.
#include <string.h>

#include "base/strbuf.h"
#include "engine/explicit/explicit_search.h"
#include "engine/explicit/protect.h"

// Appends the name of a variable: a static object and the path to the member. For a lock the path ends at the lock
// itself. Returns false if the variable has no name.
static bool append_protected_name (const current_state *w, uint64_t address, bool lock, strbuf *out) {
  uint64_t number = pointer_object (w, address);
  if (!number || number >= w->num_static) return false;
  const ir_object_data *o = &w->program->objects.data[number];
  if (o->internal || !o->name) return false;
  strbuf_add (out, o->name);
  uint32_t start = out->count;
  if (o->type.i != IR_NONE) ir_type_path (w->program, o->type, (uint32_t) pointer_offset (w, address), out);
  char *inner = lock && out->count > start ? strstr (out->data + start, ".__") : NULL;
  if (inner) {
    *inner = 0;
    out->count = (uint32_t) (inner - out->data);
  }
  return true;
}

static const char *name_lock (const current_state *w, arena *a, uint64_t address) {
  strbuf name = {0};
  const char *out =
      append_protected_name (w, address, true, &name) ? arena_strdup (a, name.data) : "a lock without a name";
  strbuf_release (&name);
  return out;
}

static protection_kind variable_protection_kind (const protected_variable *v) {
  if (!v->shared) return PROTECTED_BY_THREAD;
  if (v->num_locks) return PROTECTED_BY_LOCKS;
  return v->written ? UNPROTECTED : PROTECTED_BY_READING;
}

// Returns the addresses of the locks that protect something. A large program may have a variable for every four bytes,
// so the addresses are collected once.
static map protecting_locks (const protect *p) {
  map locks = {0};
  for (uint32_t k = 0; k < p->variables.count; k++)
    for (uint32_t n = 0; n < p->variables.data[k].num_locks; n++)
      map_insert (&locks, p->variables.data[k].locks[n].address, 0, NULL);
  return locks;
}

static void add_variable_protection (verdict *v, const current_state *w, const protected_variable *x) {
  strbuf name = {0};
  if (append_protected_name (w, x->address, false, &name)) {
    protection out = {
        .variable = arena_strdup (v->arena, name.data), .kind = variable_protection_kind (x), .accesses = x->accesses};
    const char **locks = arena_alloc (v->arena, sizeof *locks * (x->num_locks + 1));
    out.num_locks = out.kind == PROTECTED_BY_LOCKS ? x->num_locks : 0;
    for (uint32_t k = 0; k < out.num_locks; k++) locks[k] = name_lock (w, v->arena, x->locks[k].address);
    out.locks = locks;
    bool again = v->protections.count && !strcmp (vec_last (&v->protections).variable, out.variable);
    if (!again) vec_push (&v->protections, out);
  }
  strbuf_release (&name);
}

void protect_report (const protect *p, const current_state *w, verdict *v) {
  map locks = protecting_locks (p);
  for (uint32_t k = 0; k < p->variables.count; k++) {
    const protected_variable *x = &p->variables.data[k];
    if (x->accesses && !map_find (&locks, x->address)) add_variable_protection (v, w, x);
  }
  map_release (&locks);
}
