// Exclusive access as the program declares it, checked during execution: after Flanagan and Qadeer (2003), sections 4.1
// and 4.2. While the cell of a declaration holds its value, the declaring thread owns the bytes.
//
// Each declaration stores whether it holds. Only the declaring thread may change that, so after each instruction the
// stored flags of the other threads' declarations are compared with their cells. An access to bytes of another owner is
// stopped before it happens; the effect of an instruction on cells is checked afterwards, which is early enough because
// a state after a violation is not explored.
#include <string.h>

#include "engine/explicit/exec.h"

static bool owned_ranges_overlap (uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes;
}

// Returns whether the cell holds the declared value; undefined bytes count as 0.
static bool cell_matches (const current_state *w, const owned_bytes *d) {
  const state_object *o = xs_object_find (w, d->cell);
  uint64_t value = 0;
  memcpy (&value, o->bytes + pointer_offset (w, d->cell), d->cell_bytes);
  return value == d->value;
}

static bool is_owned_by_other (const current_state *w, uint32_t slot, uint64_t address, uint64_t bytes) {
  for (uint32_t u = 0; u < w->num_slots; u++) {
    const state_thread *t = &w->threads[u];
    for (uint32_t k = 0; u != slot && k < t->owned.count; k++)
      if (t->owned.data[k].holds &&
          owned_ranges_overlap (address, bytes, t->owned.data[k].address, t->owned.data[k].bytes))
        return true;
  }
  return false;
}

bool run_intruding (const run *r, uint64_t address, uint64_t bytes) {
  return r->w->num_owned && is_owned_by_other (r->w, r->slot, address, bytes);
}

// Returns false if one of the accesses is impossible: that is a memory error, reported elsewhere.
bool run_sync_intruding (const run *r) {
  const current_state *w = r->w;
  next_access p;
  if (!w->num_owned) return false;
  xs_sync_pending (w, r->slot, r->i, &p);
  if (p.bytes && !xs_object_access (w, p.address, p.bytes, p.write)) return false;
  if (p.mutex && !xs_object_access (w, p.mutex, 4, true)) return false;
  return run_intruding (r, p.address, p.bytes) || (p.mutex && run_intruding (r, p.mutex, 4));
}

step_continuation run_break_ownership (run *r) {
  r->w->broken_ownership = r->i->edge;
  xs_exec_violate (r->w, IR_P_ASSERT, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

// ---- the declaration ----------------------------------------------------------------------------------
static owned_bytes evaluate_declaration (const run *r) {
  const call_operand *x = &r->w->code->call_operands.data[r->w->code->calls.data[r->i->other].first];
  uint64_t size = run_get (r, x[1].value);
  return (owned_bytes){.address = run_get (r, x[0].value),
                       .cell = run_get (r, x[2].value),
                       .value = run_get (r, x[3].value) & run_mask (r->i->bytes * 8u),
                       .bytes = size < UINT32_MAX ? (uint32_t) size : UINT32_MAX,
                       .cell_bytes = r->i->bytes};
}

// A declaration is visible: other threads may no longer access the bytes, and every later change of the cell matters to
// them.
step_continuation run_own (run *r) {
  current_state *w = r->w;
  owned_bytes d = evaluate_declaration (r);
  w->step.uncacheable = true;
  if (!xs_object_access (w, d.address, d.bytes, false) || !xs_object_access (w, d.cell, d.cell_bytes, false))
    return run_memory_violation (r);
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  xs_object_publish (w, d.cell);
  d.holds = cell_matches (w, &d);
  if (d.holds && run_intruding (r, d.address, d.bytes)) return run_break_ownership (r);
  xs_thread_declare (w, r->slot, &d);
  return GO;
}

// ---- after an instruction -----------------------------------------------------------------------------
uint32_t run_held_by_others (const run *r) {
  uint32_t count = 0;
  for (uint32_t u = 0; u < r->w->num_slots; u++) {
    const state_thread *t = &r->w->threads[u];
    for (uint32_t k = 0; u != r->slot && k < t->owned.count; k++) count += t->owned.data[k].holds;
  }
  return count;
}

static bool others_changed (const run *r) {
  for (uint32_t u = 0; u < r->w->num_slots; u++) {
    const state_thread *t = &r->w->threads[u];
    for (uint32_t k = 0; u != r->slot && k < t->owned.count; k++)
      if (cell_matches (r->w, &t->owned.data[k]) != t->owned.data[k].holds) return true;
  }
  return false;
}

// Updates the flags of the thread's own declarations; returns whether the thread now owns bytes that another thread
// owns.
static bool own_clashes (run *r) {
  bool clashes = false;
  for (uint32_t k = 0; k < r->t->owned.count; k++) {
    owned_bytes *d = &r->t->owned.data[k];
    bool held = d->holds;
    d->holds = cell_matches (r->w, d);
    clashes |= d->holds && !held && run_intruding (r, d->address, d->bytes);
  }
  return clashes;
}

static bool is_access_insn (bc_op op) { return op >= BC_LOAD && op <= BC_FREE; }

step_continuation run_check_owned (run *r, step_continuation f, uint32_t held_by_others) {
  if (f != GO && f != THREAD_OVER) return f;
  bool lost = run_held_by_others (r) != held_by_others;  // a declaration vanishes with its object
  if (!lost && !others_changed (r) && !own_clashes (r)) return f;
  if (is_access_insn (r->i->op)) return run_break_ownership (r);
  r->w->step.stop_message = "something other than an access changes who owns an object";
  r->w->step.stop_edge = r->i->edge;
  return UNSUPPORTED_OP;
}
