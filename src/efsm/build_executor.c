// The builder as an executor of the operations in src/symbolic.
#include "efsm/build_impl.h"

static bool can_point_go_on (void *b) { return !term_is_false (((build *) b)->terms, ((build *) b)->alive); }

static term get_reg (void *self, ir_reg r, unsigned bits) {
  build *b = self;
  (void) bits;
  return build_get (b, build_reg (b, b->copy, r));
}

static term address_of (void *self, ir_object o, uint32_t offset) {
  build *b = self;
  bool local = ir_object_at (b->program, o)->kind == IR_O_THREAD_LOCAL;
  return pointers_to (&b->facts->pointers, local ? store_local_copy (b, o) : o.i, offset);
}

static void note_data (void *self, const targets *t, const ir_edge_data *d, term value) {
  bool write = value.i != TERM_NONE.i;
  primitive_note_access (self, t, d->bytes, write);
  if (write) primitive_note_write (self, d->bytes, value);
}

static void set_reg (void *b, ir_reg r, term value) { build_set (b, r, value); }
static void check (void *b, term address, access_kind a, targets *t) { store_check (b, address, a, t); }
static cells read (void *b, const targets *t, uint32_t at, uint32_t bytes) { return store_read (b, t, at, bytes); }
static void write (void *b, const targets *t, uint32_t at, uint32_t bytes, cells c, term condition) {
  store_write (b, t, at, bytes, c, condition);
}
static term choose (void *b, unsigned bits, term condition) { return build_choice (b, bits, condition); }
static void goal (void *b, ir_property p, term wrong) { build_goal (b, p, wrong); }
static void misuse (void *b, term wrong) { build_misuse (b, wrong); }
static void doubt (void *b, term condition, const char *what) { build_doubt (b, condition, what); }
static void note_wait (void *b, term blocked, waiting by) { build_note_wait (b, blocked, by); }
static void block (void *b, term enabled, waiting w) { build_waits (b, enabled, w); }

static const executor_hooks hooks = {can_point_go_on, get_reg, set_reg, address_of, check, read,      write,
                                     note_data,       choose,  goal,    misuse,     doubt, note_wait, block};

executor build_executor (build *b) {
  return (executor){
      .hooks = &hooks, .self = b, .program = b->program, .terms = b->terms, .edge = b->edge, .thread = b->thread};
}

term build_arg (build *b, unsigned k) {
  executor x = build_executor (b);
  return executor_argument (&x, k);
}
