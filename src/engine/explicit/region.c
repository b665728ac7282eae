// Whether a blocking operation lies between the beginning and the end of an atomic region, by control flow alone. A
// call counts as blocking if the called procedure may block, directly or through calls; a call through a pointer, if
// any operation of the program may.
#include "engine/explicit/region.h"

#include "base/vec.h"
#include "ir/sync.h"

typedef VEC (bool) flags;  // by procedure: it may block

static bool some_wait (const flags *waits) {
  for (uint32_t f = 0; f < waits->count; f++)
    if (waits->data[f]) return true;
  return false;
}

static bool call_waits (const ir_program *p, uint32_t e, const flags *waits) {
  const ir_expr_node *callee = ir_expr_at (p, ir_arg (p, (ir_edge){e}, 0));
  if (callee->op == IR_X_ADDR) {
    ir_proc f = ir_object_at (p, callee->object)->proc;
    return f.i != IR_NONE && waits->data[f.i];
  }
  return some_wait (waits);
}

static bool edge_waits (const ir_program *p, uint32_t e, const flags *waits) {
  ir_op op = p->edges.data[e].op;
  return ir_sync_of (op)->blocks || (op == IR_CALL && call_waits (p, e, waits));
}

static void find_waiting (const ir_program *p, flags *waits) {
  for (uint32_t f = 0; f < p->procs.count; f++) vec_push (waits, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t e = 0; e < p->edges.count; e++) {
      uint32_t f = ir_loc_at (p, p->edges.data[e].from)->proc.i;
      if (waits->data[f] || !edge_waits (p, e, waits)) continue;
      waits->data[f] = changed = true;
    }
  }
}

// Traverses the region from its beginning to its end. If its procedure returns before the end, the rest may block if
// any operation of the program may.
static bool waits_within (const ir_program *p, ir_loc begin, const flags *waits) {
  VEC (ir_loc) work = {0};
  flags seen = {0};
  bool found = false;
  for (uint32_t l = 0; l < p->locs.count; l++) vec_push (&seen, false);
  vec_push (&work, begin);
  while (work.count && !found) {
    const ir_loc_data *l = ir_loc_at (p, vec_pop (&work));
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges && !found; e++) {
      const ir_edge_data *d = &p->edges.data[e];
      found = edge_waits (p, e, waits) || (d->op == IR_RETURN && some_wait (waits));
      if (d->op == IR_ATOMIC_END || d->to.i == IR_NONE || seen.data[d->to.i]) continue;
      seen.data[d->to.i] = true;
      vec_push (&work, d->to);
    }
  }
  vec_release (&work);
  vec_release (&seen);
  return found;
}

bool region_may_wait (const ir_program *p) {
  flags waits = {0};
  bool found = false;
  for (uint32_t e = 0; e < p->edges.count && !found; e++) {
    if (p->edges.data[e].op != IR_ATOMIC_BEGIN) continue;
    if (!waits.count) find_waiting (p, &waits);
    found = waits_within (p, p->edges.data[e].to, &waits);
  }
  vec_release (&waits);
  return found;
}
