// The walk as an executor of the operations in src/symbolic.
#include "engine/order/walk_impl.h"

static bool alive (void *w) { return walk_alive (w); }

static term get_reg (void *self, ir_reg r, unsigned bits) {
  walk *w = self;
  term t = w->now->regs.data[r.i];
  return t.i == TERM_NONE.i ? walk_number (w, bits, 0) : t;
}

static term address_of (void *self, ir_object o, uint32_t offset) {
  walk *w = self;
  bool local = ir_object_at (w->program, o)->kind == IR_O_THREAD_LOCAL;
  return pointers_to (walk_pointers (w), local ? ram_local_copy (w, o) : o.i, offset);
}

static void note_data (void *w, const targets *t, const ir_edge_data *d, term value) {
  if (value.i != TERM_NONE.i) sync_overwritten (w, t, d->bytes, value, d->op == IR_STORE_RAW);
}

static void set_reg (void *w, ir_reg r, term value) { walk_set (w, r, value); }
static void check (void *w, term address, access_kind a, targets *t) { ram_check (w, address, a, t); }
static cells read (void *w, const targets *t, uint32_t at, uint32_t bytes) { return ram_read (w, t, at, bytes); }
static void write (void *w, const targets *t, uint32_t at, uint32_t bytes, cells c, term condition) {
  ram_write (w, t, at, bytes, c, condition);
}
static term choose (void *w, unsigned bits, term condition) { return walk_choice (w, bits, condition); }
static void refuse (void *w, ir_property p, term wrong) { walk_goal (w, p, wrong); }
static void misuse (void *w, term wrong) { walk_misuse (w, wrong); }
static void doubt (void *w, term condition, const char *what) { walk_doubt (w, condition, what); }
static void note_wait (void *w, term blocked, waiting by) { walk_note_wait (w, blocked, by); }
static void block (void *w, term enabled, waiting by) { walk_block (w, enabled, by); }

static const executor_hooks hooks = {alive,     get_reg, set_reg, address_of, check, read,      write,
                                     note_data, choose,  refuse,  misuse,     doubt, note_wait, block};

executor walk_executor (walk *w) {
  return (executor){
      .hooks = &hooks, .self = w, .program = w->program, .terms = w->terms, .edge = w->edge, .thread = w->thread};
}

term walk_arg (walk *w, unsigned k) {
  executor x = walk_executor (w);
  return executor_argument (&x, k);
}
