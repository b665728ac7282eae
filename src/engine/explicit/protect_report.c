// Protecting locks in words: what was seen for each variable that has a name.  Neighbouring parts of one variable with the same protection are
// one line.
#include <string.h>

#include "base/strbuf.h"
#include "engine/explicit/protect.h"
#include "engine/explicit/search.h"

// A static object and the path to the member; the inside of a lock is the lock.  False: it has no name.
static bool name_of (const world *w, uint64_t address, bool lock, strbuf *out) {
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

static const char *name_lock (const world *w, arena *a, uint64_t address) {
  strbuf name = {0};
  const char *out = name_of (w, address, true, &name) ? arena_strdup (a, name.data) : "a lock without a name";
  strbuf_release (&name);
  return out;
}

static protection_kind kind_of (const protected_variable *v) {
  if (!v->shared) return PROTECTED_BY_THREAD;
  if (v->num_locks) return PROTECTED_BY_LOCKS;
  return v->written ? UNPROTECTED : PROTECTED_BY_READING;
}

// Addresses of the locks that protect something.  There may be a variable for every four bytes of a large program, so they are collected
// once.
static map locks_of (const protect *p) {
  map locks = {0};
  for (uint32_t k = 0; k < p->variables.count; k++)
    for (uint32_t n = 0; n < p->variables.data[k].num_locks; n++)
      map_insert (&locks, p->variables.data[k].locks[n].address, 0, NULL);
  return locks;
}

static void add_variable (verdict *v, const world *w, const protected_variable *x) {
  strbuf name = {0};
  if (name_of (w, x->address, false, &name)) {
    protection out = {.variable = arena_strdup (v->arena, name.data), .kind = kind_of (x), .accesses = x->accesses};
    const char **locks = arena_alloc (v->arena, sizeof *locks * (x->num_locks + 1));
    out.num_locks = out.kind == PROTECTED_BY_LOCKS ? x->num_locks : 0;
    for (uint32_t k = 0; k < out.num_locks; k++) locks[k] = name_lock (w, v->arena, x->locks[k].address);
    out.locks = locks;
    bool again = v->protections.count && !strcmp (vec_last (&v->protections).variable, out.variable);
    if (!again) vec_push (&v->protections, out);
  }
  strbuf_release (&name);
}

void protect_report (const protect *p, const world *w, verdict *v) {
  map locks = locks_of (p);
  for (uint32_t k = 0; k < p->variables.count; k++) {
    const protected_variable *x = &p->variables.data[k];
    if (x->accesses && !map_find (&locks, x->address)) add_variable (v, w, x);
  }
  map_release (&locks);
}
