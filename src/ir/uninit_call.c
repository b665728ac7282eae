// Shadows between procedures and threads.
//
// A caller stores the shadows of the arguments in cells of a thread-local object, and the callee loads them first; the
// shadow of the result is returned in the same way.  So calls through pointers work without knowing the callee
// (MemorySanitizer does the same).  Only shadows of values that may be undefined are passed.
//
// Threads pass a single pointer at start and end.  If it is undefined, the address of an object that the program does
// not know (the ghost) is passed instead, and the receiving thread recognises this address.
#include "ir/uninit_impl.h"

enum { CELL = 16, RESULT = 0, FIRST_ARGUMENT = 1 };  // bytes; cells

static ir_proc_data *data_of (const uninit *u, ir_proc f) { return ir_proc_at (u->p, f); }

static bool may_be_undefined (const uninit *u, uint32_t f, uint32_t k) {
  return k < u->p->procs.data[f].num_params && u->regs[u->procs[f].first_reg + k] != ORIGIN_NONE;
}

// Does a return from the procedure store the shadow of its result?
static bool stores_result_shadow (const uninit *u, ir_proc f) {
  const uninit_proc *d = &u->procs[f.i];
  return d->result != ORIGIN_NONE || (d->is_taken && u->result_of_pointer != ORIGIN_NONE);
}

static bool must_pass_shadow (const uninit *u, ir_proc callee, uint32_t k) {
  return callee.i != IR_NONE ? may_be_undefined (u, callee.i, k) : k < u->by_pointer.count && u->by_pointer.data[k];
}

void uninit_prepare_calls (uninit *u) {
  const ir_program *p = u->p;
  uint32_t most = 0;
  bool any = u->result_of_pointer != ORIGIN_NONE;
  for (uint32_t f = 0; f < p->procs.count; f++) {
    const ir_proc_data *d = &p->procs.data[f];
    if (u->procs[f].result != ORIGIN_NONE) any = true, u->is_wide |= d->result_bits > 64;
    for (uint32_t k = 0; k < d->num_params; k++) {
      if (!may_be_undefined (u, f, k)) continue;
      any = true;
      u->is_wide |= d->regs.data[k].bits > 64;
      if (k >= most) most = k + 1;
      while (u->by_pointer.count <= k) vec_push (&u->by_pointer, false);
      if (u->procs[f].is_taken) u->by_pointer.data[k] = true;
    }
  }
  u->cells.i = u->ghost.i = IR_NONE;
  if (u->thread_argument != ORIGIN_NONE || u->thread_result != ORIGIN_NONE) {
    u->ghost = ir_add_object (u->p, "never written", IR_O_GLOBAL, 1);
    ir_object_at (u->p, u->ghost)->internal = true;
  }
  if (!any) return;
  u->cells = ir_add_object (u->p, "undefined bits", IR_O_THREAD_LOCAL, CELL * (FIRST_ARGUMENT + most));
  ir_object_at (u->p, u->cells)->internal = true;
  ir_object_at (u->p, u->cells)->align = CELL;
}

// ---- cells ---------------------------------------------------------------------------------------------

static ir_expr resized (uninit *u, ir_expr x, unsigned bits) {
  unsigned from = uninit_bits (u, x);
  return from == bits ? x : ir_unary (u->p, from < bits ? IR_X_ZEXT : IR_X_TRUNC, bits, x);
}

static void store_half (uninit *u, uint32_t offset, ir_expr x) {
  ir_edge e = uninit_emit (u, IR_STORE);
  ir_add_arg (u->p, e, ir_addr (u->p, u->cells, offset));
  ir_add_arg (u->p, e, x);
  ir_edge_at (u->p, e)->bytes = 8;
  ir_edge_at (u->p, e)->aux = IR_UNSEEN;
}

static void store_cell (uninit *u, uint32_t cell, ir_expr shadow) {
  store_half (u, CELL * cell, resized (u, shadow, 64));
  if (!u->is_wide) return;
  ir_expr wide = resized (u, shadow, 128);
  store_half (u, CELL * cell + 8, resized (u, ir_binary (u->p, IR_X_LSHR, wide, ir_const (u->p, 128, 64)), 64));
}

static ir_expr load_half (uninit *u, uint32_t offset) {
  ir_reg r = ir_add_reg (u->p, u->proc, 64, NULL);
  ir_edge e = uninit_emit (u, IR_LOAD);
  ir_add_arg (u->p, e, ir_addr (u->p, u->cells, offset));
  ir_edge_at (u->p, e)->bytes = 8;
  ir_edge_at (u->p, e)->dst = r;
  return ir_use (u->p, u->proc, r);
}

static ir_expr load_cell (uninit *u, uint32_t cell, unsigned bits) {
  ir_expr low = load_half (u, CELL * cell);
  if (bits <= 64) return resized (u, low, bits);
  ir_expr high = resized (u, load_half (u, CELL * cell + 8), 128);
  ir_expr whole =
      ir_binary (u->p, IR_X_OR, ir_binary (u->p, IR_X_SHL, high, ir_const (u->p, 128, 64)), resized (u, low, 128));
  return resized (u, whole, bits);
}

// ---- threads -------------------------------------------------------------------------------------------

static ir_expr ghost_address (uninit *u) { return ir_addr (u->p, u->ghost, 0); }

// Returns the shadow of a value passed between threads: all bits are undefined if the value is the ghost's address.
static ir_expr shadow_of_ghost (uninit *u, ir_expr value) {
  unsigned bits = uninit_bits (u, value);
  ir_expr is_ghost = ir_binary (u->p, IR_X_EQ, value, ghost_address (u));
  return ir_ite (u->p, is_ghost, ir_const (u->p, bits, ir_mask (bits)), ir_const (u->p, bits, 0));
}

static bool has_width_of_pointer (const uninit *u, ir_expr x) { return uninit_bits (u, x) == u->p->pointer_bits; }

static void pass_to_thread (uninit *u, ir_edge e, unsigned arg) {
  ir_expr x = ir_arg (u->p, e, arg);
  ir_expr s = uninit_hold (u, uninit_shadow (u, x));
  if (ir_is_const (u->p, s) && !ir_expr_at (u->p, s)->value) return;
  unsigned bits = uninit_bits (u, x);
  ir_expr none = ir_binary (u->p, IR_X_EQ, s, ir_const (u->p, bits, 0));
  ir_expr all = ir_binary (u->p, IR_X_EQ, s, ir_const (u->p, bits, ir_mask (bits)));
  bool fits = has_width_of_pointer (u, x);
  uninit_give_up_unless (u, fits ? ir_binary (u->p, IR_X_OR, none, all) : none,
                         "an undefined value that is passed to or from a thread in part");
  if (fits) uninit_replace_arg (u, e, arg, uninit_hold (u, ir_ite (u->p, none, x, ghost_address (u))));
}

void uninit_pass_thread_argument (uninit *u, ir_edge create) { pass_to_thread (u, create, 2); }

void uninit_take_thread_result (uninit *u, ir_edge join) {
  ir_reg r = ir_edge_at (u->p, join)->dst;
  if (r.i == IR_NONE) return;
  ir_expr x = ir_use (u->p, u->proc, r);
  bool may_be = u->thread_result != ORIGIN_NONE && has_width_of_pointer (u, x);
  uninit_set (u, r, may_be ? shadow_of_ghost (u, x) : ir_const (u->p, uninit_bits (u, x), 0));
}

// May a thread start in this procedure?
static bool is_entry (const uninit *u, ir_proc f) {
  return u->has_threads && u->procs[f.i].is_taken && data_of (u, f)->num_params <= 1;
}

// ---- calls ---------------------------------------------------------------------------------------------

void uninit_add_prologue (uninit *u, ir_proc f) {
  ir_loc first = data_of (u, f)->entry;
  u->proc = f;
  u->pos = data_of (u, f)->pos;
  u->at.i = IR_NONE;
  for (uint32_t k = 0; k < data_of (u, f)->num_params; k++) {
    if (!may_be_undefined (u, f.i, k)) continue;
    if (u->at.i == IR_NONE) data_of (u, f)->entry = u->at = ir_add_loc (u->p, f);
    ir_expr x = ir_use (u->p, f, (ir_reg){k}), s = load_cell (u, FIRST_ARGUMENT + k, uninit_bits (u, x));
    if (!k && u->thread_argument != ORIGIN_NONE && is_entry (u, f) && has_width_of_pointer (u, x))
      s = ir_binary (u->p, IR_X_OR, s, shadow_of_ghost (u, x));
    uninit_set (u, (ir_reg){k}, s);
  }
  if (u->at.i != IR_NONE) ir_add_edge (u->p, IR_NOP, u->at, first);
}

void uninit_pass_arguments (uninit *u, ir_edge call) {
  ir_proc callee = uninit_callee (u, ir_arg (u->p, call, 0));
  uint32_t count = callee.i != IR_NONE ? data_of (u, callee)->num_params : u->by_pointer.count;
  for (uint32_t k = 0; k < count; k++) {
    if (!must_pass_shadow (u, callee, k)) continue;
    bool is_given = k + 1 < ir_edge_at (u->p, call)->num_args;
    store_cell (u, FIRST_ARGUMENT + k,
                is_given ? uninit_shadow (u, ir_arg (u->p, call, k + 1)) : ir_const (u->p, 64, 0));
  }
}

void uninit_take_result (uninit *u, ir_edge call) {
  const ir_edge_data *d = ir_edge_at (u->p, call);
  ir_reg r = d->dst;
  if (r.i == IR_NONE || u->shadows[uninit_reg (u, u->proc, r)].i == IR_NONE) return;
  unsigned bits = data_of (u, u->proc)->regs.data[r.i].bits;
  ir_proc callee = uninit_callee (u, ir_arg (u->p, call, 0));
  bool is_left = callee.i != IR_NONE ? stores_result_shadow (u, callee) : u->result_of_pointer != ORIGIN_NONE;
  uninit_set (u, r, is_left ? load_cell (u, RESULT, bits) : ir_const (u->p, bits, 0));
}

void uninit_pass_result (uninit *u, ir_edge end) {
  bool has_value = ir_edge_at (u->p, end)->num_args > 0;
  if (ir_edge_at (u->p, end)->op == IR_THREAD_EXIT) {
    pass_to_thread (u, end, 0);
    return;
  }
  if (stores_result_shadow (u, u->proc))
    store_cell (u, RESULT, has_value ? uninit_shadow (u, ir_arg (u->p, end, 0)) : ir_const (u->p, 64, 0));
  if (has_value && is_entry (u, u->proc)) pass_to_thread (u, end, 0);
}
