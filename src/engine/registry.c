// The engines there are.
#include <string.h>

#include "engine/engine.h"

const engine *const engine_registry[] = {&engine_auto,  &engine_explicit, &engine_order,  &engine_lazy, &engine_circuit,
                                         &engine_locks, &engine_random,   &engine_boolean, NULL};

const engine *engine_find (const char *name) {
  for (const engine *const *e = engine_registry; *e; e++)
    if (!strcmp ((*e)->name, name)) return *e;
  return NULL;
}
