// Expressions, and loads, stores and atomic accesses of memory, as terms. docs/formats/ir.md defines their meaning.
#include "symbolic/executor.h"

// ---- expressions ------------------------------------------------------------------------------------
term executor_eval (const executor *x, ir_expr e) {
  const ir_expr_node *n = ir_expr_at (x->program, e);
  if (n->op == IR_X_CONST) return term_const (x->terms, n->bits, n->value);
  if (n->op == IR_X_REG) return x->hooks->get (x->self, n->reg, n->bits);
  if (n->op == IR_X_ADDR) return x->hooks->address_of (x->self, n->object, n->offset);
  term arg[3] = {TERM_NONE, TERM_NONE, TERM_NONE};
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) arg[k] = executor_eval (x, n->arg[k]);
  return term_apply (x->terms, n->op, n->bits, arg[0], arg[1], arg[2]);
}

term executor_argument (const executor *x, unsigned number) {
  return executor_eval (x, ir_arg (x->program, x->edge, number));
}

// ---- the bytes of an access -------------------------------------------------------------------------
typedef struct access {
  const executor *x;
  const ir_edge_data *d;
  targets at;
} access;

static cells read_all (const access *a) { return a->x->hooks->read (a->x->self, &a->at, 0, a->d->bytes); }

static void write_all (const access *a, cells c, term condition) {
  a->x->hooks->write (a->x->self, &a->at, 0, a->d->bytes, c, condition);
}

static void write_value (const access *a, term value, term condition) {
  write_all (a, cells_defined (a->x->terms, value, a->d->bytes), condition);
}

static term access_argument (const access *a, unsigned number) {
  return term_resize (a->x->terms, executor_argument (a->x, number), 8 * a->d->bytes);
}

static void set (const access *a, ir_reg r, term value) { a->x->hooks->set (a->x->self, r, value); }

// If all bytes are undefined, the value is chosen once and stored; if only some bytes are undefined, those are 0.
static term load (const access *a) {
  const executor *x = a->x;
  uint32_t bytes = a->d->bytes;
  cells c = read_all (a);
  term all = term_eq (x->terms, c.undefined, executor_number (x, bytes, ((uint64_t) 1 << bytes) - 1));
  if (term_is_false (x->terms, all)) return c.value;
  term chosen = x->hooks->choose (x->self, 8 * bytes, all);
  write_value (a, chosen, all);
  return term_ite (x->terms, all, chosen, c.value);
}

// ---- raw accesses: values with the mask of their undefined bytes ------------------------------------
static void load_raw (const access *a) {
  cells c = read_all (a);
  bool of_bits = a->d->aux == IR_MASK_OF_BITS;
  set (a, a->d->dst, c.value);
  set (a, a->d->dst2, of_bits ? term_spread_bytes (a->x->terms, c.undefined, a->d->bytes) : c.undefined);
}

// There is one undefined flag for each byte; a byte of which only some bits are undefined is not modelled.
static term byte_mask (const access *a) {
  const executor *x = a->x;
  const ir_edge_data *d = a->d;
  bool of_bits = d->aux == IR_MASK_OF_BITS;
  term mask = term_resize (x->terms, executor_argument (x, 2), of_bits ? 8u * d->bytes : d->bytes);
  if (!of_bits) return mask;
  term bytes = term_any_of_bytes (x->terms, mask, d->bytes);
  term whole = term_eq (x->terms, mask, term_spread_bytes (x->terms, bytes, d->bytes));
  x->hooks->doubt (x->self, term_not (x->terms, whole), "a byte of which only some bits were written");
  return bytes;
}

// ---- atomic accesses --------------------------------------------------------------------------------
static term combine (const executor *x, ir_rmw_op op, term old, term value) {
  static const ir_expr_op plain[IR_NUM_RMW_OPS] = {
      [IR_RMW_ADD] = IR_X_ADD, [IR_RMW_SUB] = IR_X_SUB,  [IR_RMW_AND] = IR_X_AND,   [IR_RMW_OR] = IR_X_OR,
      [IR_RMW_XOR] = IR_X_XOR, [IR_RMW_NAND] = IR_X_AND, [IR_RMW_FADD] = IR_X_FADD, [IR_RMW_FSUB] = IR_X_FSUB};
  term_pool *p = x->terms;
  unsigned bits = term_bits (p, old);
  bool is_signed = op == IR_RMW_MAX || op == IR_RMW_MIN;
  term less = term_apply (p, is_signed ? IR_X_SLT : IR_X_ULT, 1, old, value, TERM_NONE);
  if (op == IR_RMW_XCHG) return value;
  if (op == IR_RMW_MAX || op == IR_RMW_UMAX) return term_ite (p, less, value, old);
  if (op == IR_RMW_MIN || op == IR_RMW_UMIN) return term_ite (p, less, old, value);
  term result = term_apply (p, plain[op], bits, old, value, TERM_NONE), ones = term_const (p, bits, ~(ir_value) 0);
  return op == IR_RMW_NAND ? term_apply (p, IR_X_XOR, bits, result, ones, TERM_NONE) : result;
}

static void read_modify_write (const access *a) {
  term old = load (a);
  write_value (a, combine (a->x, (ir_rmw_op) a->d->aux, old, access_argument (a, 1)), a->x->terms->truth);
  set (a, a->d->dst, old);
}

static void compare_exchange (const access *a) {
  term old = load (a), same = term_eq (a->x->terms, old, access_argument (a, 1));
  write_value (a, access_argument (a, 2), same);
  set (a, a->d->dst, old);
  set (a, a->d->dst2, same);
}

// ---- one access -------------------------------------------------------------------------------------
static void perform (const access *a) {
  ir_op op = a->d->op;
  if (op == IR_LOAD) set (a, a->d->dst, load (a));
  else if (op == IR_LOAD_RAW) load_raw (a);
  else if (op == IR_STORE_RAW) write_all (a, (cells){access_argument (a, 1), byte_mask (a)}, a->x->terms->truth);
  else if (op == IR_RMW) read_modify_write (a);
  else if (op == IR_CMPXCHG) compare_exchange (a);
  else write_value (a, access_argument (a, 1), a->x->terms->truth);
}

static void access_memory (const executor *x) {
  access a = {.x = x, .d = executor_edge (x)};
  bool write = a.d->op != IR_LOAD && a.d->op != IR_LOAD_RAW;
  access_kind kind = {.bytes = a.d->bytes, .write = write, .plain = a.d->order == IR_PLAIN};
  x->hooks->check (x->self, executor_argument (x, 0), kind, &a.at);
  x->hooks->note_data (x->self, &a.at, a.d, write ? access_argument (&a, 1) : TERM_NONE);
  if (x->hooks->alive (x->self)) perform (&a);
  pointers_release_targets (&a.at);
}

// ---- the operations ---------------------------------------------------------------------------------
static bool is_access (ir_op op) {
  return op == IR_LOAD || op == IR_STORE || op == IR_LOAD_RAW || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG;
}

bool executor_perform (const executor *x) {
  const ir_edge_data *d = executor_edge (x);
  const executor_hooks *h = x->hooks;
  term truth = x->terms->truth;
  if (is_access (d->op)) access_memory (x);
  else if (d->op == IR_OUTPUT) h->set (x->self, d->dst, executor_number (x, 32, 0));
  else if (d->op == IR_ASSIGN) h->set (x->self, d->dst, executor_argument (x, 0));
  else if (d->op == IR_CHECK) h->goal (x->self, (ir_property) d->aux, term_not (x->terms, executor_argument (x, 0)));
  else if (d->op == IR_UNSUPPORTED) h->doubt (x->self, truth, d->message ? d->message : "an unsupported construct");
  else if (d->op == IR_OWN) h->doubt (x->self, truth, "exclusive access declared with lockstep.h");
  else return d->op == IR_NOP || d->op == IR_FENCE;
  return true;
}
