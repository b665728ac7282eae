// Life cycle of the unwound program.
#include "engine/order/unwound.h"

void unwound_init (unwound *u) {
  *u = (unwound){0};
  u->arena = arena_new ();
}

void unwound_release (unwound *u) {
  for (uint32_t k = 0; k < u->threads.count; k++) {
    vec_release (&u->threads.data[k].steps);
    vec_release (&u->threads.data[k].nodes);
  }
  vec_release (&u->threads);
  vec_release (&u->nodes);
  vec_release (&u->events);
  vec_release (&u->joins);
  vec_release (&u->goals);
  vec_release (&u->accesses);
  vec_release (&u->waits);
  vec_release (&u->stops);
  vec_release (&u->cuts);
  vec_release (&u->cut_is_fixed);
  vec_release (&u->incomplete);
  vec_release (&u->incomplete_at);
  vec_release (&u->facts);
  arena_free (u->arena);
}
