// The list of all engines, the names of their ways of working, and the records of their options.
#include <string.h>

#include "base/diag.h"
#include "engine/engine.h"

const engine *const engine_registry[] = {&engine_auto,   &engine_explicit, &engine_order,
                                         &engine_lazy,   &engine_circuit,  &engine_locks,
                                         &engine_random, &engine_boolean,  NULL};

const engine *engine_find (const char *name) {
  for (const engine *const *e = engine_registry; *e; e++)
    if (!strcmp ((*e)->name, name)) return *e;
  return NULL;
}

// An engine with a way of its own for Boolean programs has one for C programs, too.
const char *engine_way_text (const engine *e, engine_way way) {
  switch (way) {
  case WAY_PROPERTIES: return e->ways & WAY_BOOLEAN ? " on C programs" : "";
  case WAY_BOOLEAN: return " on Boolean programs";
  case WAY_FORMULA:
  case WAY_THREADS: return " with --ltl";
  case END_OF_WAYS: break;
  }
  BUG ("way %u should be one", (unsigned) way);
}

const void *task_options (const task *t, const engine *e) {
  for (uint32_t k = 0; k < t->num_own; k++)
    if (t->own[k].engine == e) return t->own[k].options;
  return e->options->initial;
}

void task_set_options (task *t, const engine *e, const void *record) {
  CHECK (t->num_own < ENGINE_ROOM, "there should be room for the options of engine %s", e->name);
  t->own[t->num_own].engine = e;
  t->own[t->num_own++].options = record;
}
