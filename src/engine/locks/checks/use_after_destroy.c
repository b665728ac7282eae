// A lock that was destroyed must not be used or destroyed again before it is initialised.  For each destruction, this
// check looks at what the same thread, and threads created later, may do afterwards.  Threads that run at the same time
// are the business of lock_misuse.c.  The check does not see an initialisation in between, so it takes a lock that is
// initialised, used and destroyed many times for one that is used after its destruction.
#include "engine/locks/checks/checks_impl.h"

#include "ir/sync.h"

static bool is_lock_action (ir_op op, ir_action action) {
  return ir_sync_of (op)->action == action && ir_family_is_lock (ir_sync_of (op)->family);
}
static bool is_destruction (ir_op op) { return is_lock_action (op, IR_A_DESTROY); }
static bool is_lock_initialisation (ir_op op) { return is_lock_action (op, IR_A_INIT); }

// The check does not follow what other threads do after the destroying thread has ended.
static bool only_first_thread_destroys (const lock_analysis *a, ir_edge e) {
  for (uint32_t kind = 1; kind < threads_count (a->threads); kind++)
    if (threads_runs (a->threads, kind, ir_edge_at (a->program, e)->from)) return false;
  return true;
}

// reachable_after follows only the creations that it is given.  Adds those that may come after the destruction.
static bool add_creations (const ir_program *p, const bool *later, edge_list *from) {
  uint32_t before = from->count;
  vec_clear (from);
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == IR_THREAD_CREATE && later[p->edges.data[e].from.i]) vec_push (from, (ir_edge){e});
  return from->count + 1 > before;
}

static bool *reachable_behind (const lock_analysis *a, ir_edge destruction) {
  edge_list from = {0};
  bool *later = NULL;
  do {
    vec_push (&from, destruction);
    if (later) mem_free (later, reachable_bytes (a->program));
    later = reachable_after (a->program, a->targets, &from);
  } while (add_creations (a->program, later, &from));
  vec_release (&from);
  return later;
}

static bool uses_the_same (const lock_analysis *a, ir_edge destruction, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  if (ir_op_table[d->op].group != 'S' || is_lock_initialisation (d->op)) return false;
  for (unsigned k = 0; k < d->num_args; k++)
    if (pointsto_overlap (a->targets, destruction, 0, 1, e, k, 1)) return true;
  return false;
}

static bool is_used_again (const lock_analysis *a, ir_edge destruction) {
  const ir_program *p = a->program;
  if (!only_first_thread_destroys (a, destruction)) return true;
  bool *later = reachable_behind (a, destruction), used = false;
  for (uint32_t e = 0; e < p->edges.count && !used; e++)
    used = later[p->edges.data[e].from.i] && uses_the_same (a, destruction, (ir_edge){e});
  mem_free (later, reachable_bytes (p));
  return used;
}

ir_edge find_use_after_destroy (const lock_analysis *a) {
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    if (is_destruction (a->program->edges.data[e].op) && is_used_again (a, (ir_edge){e})) return (ir_edge){e};
  return (ir_edge){IR_NONE};
}
