// A memory cell is stable if every store that may reach it lies where no thread has been created yet.
#include "engine/locks/names/names.h"

#define WHOLE_OBJECT UINT32_MAX

// ---- threaded locations ---------------------------------------------------------------------------------
static void find_late (stable *s) {
  edge_list creations = {0};
  for (uint32_t e = 0; e < s->program->edges.count; e++)
    if (s->program->edges.data[e].op == IR_THREAD_CREATE) vec_push (&creations, (ir_edge){e});
  s->threaded = reachable_after (s->program, s->targets, &creations);
  vec_release (&creations);
}

// ---- threaded writes ------------------------------------------------------------------------------------
static uint64_t word_key (uint32_t object, uint32_t word) { return (uint64_t) object << 32 | word; }

static void mark_word_written (stable *s, uint32_t object, uint32_t word) {
  map_insert (&s->written, word_key (object, word), 1, NULL);
  map_insert (&s->touched, object, 1, NULL);
}

static void mark_written (stable *s, ir_edge e, bool whole) {
  pointsto_list all = pointsto_targets (s->targets, e, 0);
  s->all_written |= all.anything;
  uint32_t bytes = ir_edge_at (s->program, e)->bytes;
  for (uint32_t k = 0; k < all.count; k++) {
    pointsto_target t = all.targets[k];
    if (whole || t.offset == POINTSTO_ANY_OFFSET) mark_word_written (s, t.object, WHOLE_OBJECT);
    else
      for (uint32_t word = t.offset / 8; word <= (t.offset + (bytes ? bytes : 8) - 1) / 8; word++)
        mark_word_written (s, t.object, word);
  }
}

static void find_threaded_writes (stable *s) {
  for (uint32_t e = 0; e < s->program->edges.count; e++) {
    const ir_edge_data *d = &s->program->edges.data[e];
    if (!s->threaded[d->from.i]) continue;
    switch (d->op) {
    case IR_STORE:
    case IR_STORE_RAW:
    case IR_RMW:
    case IR_CMPXCHG:
    case IR_THREAD_CREATE: mark_written (s, (ir_edge){e}, false); break;
    case IR_FREE:
    case IR_FORGET: mark_written (s, (ir_edge){e}, true); break;
    case IR_LOCAL_OPERATIONS:
    case IR_THREAD_SELF:
    case IR_LOAD:
    case IR_LOAD_RAW:
    case IR_FENCE:
    case IR_OWN:
    case IR_REGION_OPERATIONS:
    case IR_THREAD_JOIN:
    case IR_THREAD_DETACH:
    case IR_THREAD_EXIT:
    case IR_PROCESS_OPERATIONS:
    case IR_OBJECT_OPERATIONS: break;
    }
  }
}

void stable_init (stable *s, const ir_program *p, const pointsto *targets) {
  *s = (stable){.program = p, .targets = targets};
  find_late (s);
  find_threaded_writes (s);
}

void stable_release (stable *s) {
  mem_free (s->threaded, s->program->locs.count + 1);
  map_release (&s->written);
  map_release (&s->touched);
}

static bool is_written (const stable *s, uint32_t object, uint32_t word) {
  return map_find (&s->written, word_key (object, word)) || map_find (&s->written, word_key (object, WHOLE_OBJECT));
}

bool stable_load (const stable *s, ir_edge load) {
  const ir_edge_data *d = ir_edge_at (s->program, load);
  pointsto_list all = pointsto_targets (s->targets, load, 0);
  if (!s->threaded[d->from.i] || s->all_written || all.anything) return false;
  for (uint32_t k = 0; k < all.count; k++) {
    pointsto_target t = all.targets[k];
    if (t.offset == POINTSTO_ANY_OFFSET && map_find (&s->touched, t.object)) return false;
    if (t.offset == POINTSTO_ANY_OFFSET) continue;
    for (uint32_t word = t.offset / 8; word <= (t.offset + d->bytes - 1u) / 8; word++)
      if (is_written (s, t.object, word)) return false;
  }
  return true;
}
