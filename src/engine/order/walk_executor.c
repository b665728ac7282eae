// The walk as an executor of the operations in src/symbolic.
#include "engine/order/walk_impl.h"

static bool is_alive_in_walk (void *w) { return walk_alive (w); }

static term get_register_in_walk (void *self, ir_reg r, unsigned bits) {
  order_walk *w = self;
  term t = w->now->regs.data[r.i];
  return t.i == TERM_NONE.i ? walk_number (w, bits, 0) : t;
}

static term object_address_in_walk (void *self, ir_object o, uint32_t offset) {
  order_walk *w = self;
  bool local = ir_object_at (w->program, o)->kind == IR_O_THREAD_LOCAL;
  return pointers_to (walk_pointers (w), local ? ram_local_copy (w, o) : o.i, offset);
}

static void note_data_in_walk (void *w, const targets *t, const ir_edge_data *d, term value) {
  if (value.i != TERM_NONE.i) sync_overwritten (w, t, d->bytes, value, d->op == IR_STORE_RAW);
}

static void set_register_in_walk (void *w, ir_reg r, term value) { walk_set (w, r, value); }
static void check_address_in_walk (void *w, term address, access_kind a, targets *t) { ram_check (w, address, a, t); }
static cells read_in_walk (void *w, const targets *t, uint32_t at, uint32_t bytes) {
  return ram_read (w, t, at, bytes);
}
static void write_in_walk (void *w, const targets *t, uint32_t at, uint32_t bytes, cells c, term condition) {
  ram_write (w, t, at, bytes, c, condition);
}
static term choose_in_walk (void *w, unsigned bits, term condition) { return walk_choice (w, bits, condition); }
static void record_goal_in_walk (void *w, ir_property p, term wrong) { walk_goal (w, p, wrong); }
static void record_misuse_in_walk (void *w, term wrong) { walk_misuse (w, wrong); }
static void mark_incomplete_in_walk (void *w, term condition, const char *what) {
  walk_mark_incomplete (w, condition, what);
}
static void note_wait_in_walk (void *w, term blocked, waiting by) { walk_note_wait (w, blocked, by); }
static void block_in_walk (void *w, term enabled, waiting by) { walk_block (w, enabled, by); }

static const executor_hooks hooks = {
    is_alive_in_walk,      get_register_in_walk,    set_register_in_walk, object_address_in_walk, check_address_in_walk,
    read_in_walk,          write_in_walk,           note_data_in_walk,    choose_in_walk,         record_goal_in_walk,
    record_misuse_in_walk, mark_incomplete_in_walk, note_wait_in_walk,    block_in_walk};

executor walk_executor (order_walk *w) {
  return (executor){
      .hooks = &hooks, .self = w, .program = w->program, .terms = w->terms, .edge = w->edge, .thread = w->thread};
}

term walk_arg (order_walk *w, unsigned k) {
  executor x = walk_executor (w);
  return executor_argument (&x, k);
}
