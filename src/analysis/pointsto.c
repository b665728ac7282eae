// Translates a program to inclusion constraints, and stores the answers.
//
// Every register has a node, and so has the value of every operand that is more than a register. Pointers are integers
// here, so a target is inherited by everything that is computed from an address: sums keep the offset if it is known,
// all other arithmetic loses the offset but keeps the object. Comparisons and counts of bits carry no target. Narrow
// values carry targets, too: a pointer may be split into bytes and put together again.
//
// An input (`nondet`) as wide as a pointer may point to anything, unless its kind says that it is a number or comes
// from outside. An index is an exception: a value that is added to the address of a static object, is scaled by the
// size of an element, or fits into the offset of a pointer counts as a distance inside the object.
#include "analysis/pointsto_impl.h"
#include "base/limits.h"
#include "ir/sync.h"

// The nodes of a procedure. Small library models have one copy per call, so that the result of one memcpy does not
// contain what another one copies.
typedef struct instance {
  ir_proc proc;
  uint32_t first_reg;  // node of register 0
  uint32_t result;     // node
  uint32_t caller;     // a copy: the instance that contains the call
  unsigned depth;      // a copy: number of copies in its chain of callers, including itself
} instance;

typedef struct call_site {
  uint32_t edge, instance;
} call_site;

typedef struct constraint_builder {
  pointsto *result;
  const ir_program *p;
  solver s;
  VEC (instance) instances;  // [proc]: instance for calls without a copy of their own; then the copies
  uint32_t at;               // instance whose edges are being translated
  VEC (call_site) calls;     // call sites, as numbered in rules
  bool *begun;               // [proc]: it may be called, so its edges count
  VEC (uint32_t) to_begin;   // called procedures whose edges have not been added yet
  uint32_t *num_edges;       // [proc]
  uint32_t thread_result;    // node
  uint32_t first_any_param;  // + k: node of parameter k in calls of any function
  uint32_t any_result;
  bool any_called;
  map values;  // instance << 32 | expression -> node
} constraint_builder;

// ---- expressions --------------------------------------------------------------------------------------

static const ir_expr_node *constraint_expr (const constraint_builder *b, ir_expr x) { return ir_expr_at (b->p, x); }
static uint32_t reg_node (const constraint_builder *b, uint32_t i, ir_reg r) {
  return b->instances.data[i].first_reg + r.i;
}

bool pointsto_carries (ir_expr_op op) {
  switch (op) {
  case IR_X_EQ:
  case IR_X_NE:
  case IR_X_ULT:
  case IR_X_ULE:
  case IR_X_SLT:
  case IR_X_SLE:
  case IR_X_SADDO:
  case IR_X_SSUBO:
  case IR_X_SMULO:
  case IR_X_UADDO:
  case IR_X_USUBO:
  case IR_X_UMULO:
  case IR_X_FEQ:
  case IR_X_FLT:
  case IR_X_FLE:
  case IR_X_FUNO:
  case IR_X_CTPOP:
  case IR_X_CTLZ:
  case IR_X_CTTZ: return false;
  default: return true;
  }
}

static unsigned length_of (ir_value v) {
  unsigned bits = 0;
  while (bits < 128 && v >> bits) bits++;
  return bits;
}

// Returns the number of low bits that may be set in the value, without looking at registers.
static unsigned significant_bits (const constraint_builder *b, ir_expr x) {
  const ir_expr_node *n = constraint_expr (b, x);
  const ir_expr_node *c = ir_expr_arity (n->op) == 2 ? constraint_expr (b, n->arg[1]) : NULL;
  bool by_constant = c && c->op == IR_X_CONST;
  if (n->op == IR_X_CONST) return length_of (n->value);
  if (n->op == IR_X_ZEXT) return significant_bits (b, n->arg[0]);
  if (n->op == IR_X_AND && by_constant) return length_of (c->value);
  if (n->op == IR_X_UREM && by_constant && c->value) return length_of (c->value);
  if (n->op == IR_X_LSHR && by_constant && c->value < n->bits) return n->bits - (unsigned) c->value;
  return n->bits;
}

// Returns the constant if x is a value times a constant, otherwise 0.
static uint64_t factor_of (const constraint_builder *b, ir_expr x) {
  const ir_expr_node *n = constraint_expr (b, x);
  if (n->op != IR_X_MUL && n->op != IR_X_SHL) return 0;
  const ir_expr_node *c = constraint_expr (b, n->arg[1]);
  unsigned offset_bits = b->p->offset_bits;
  if (c->op != IR_X_CONST) return 0;
  if (n->op == IR_X_SHL) return c->value < offset_bits ? (uint64_t) 1 << (unsigned) c->value : 0;
  return length_of (c->value) <= offset_bits ? (uint64_t) c->value : 0;
}

static bool is_index (const constraint_builder *b, ir_expr x) {
  const ir_expr_node *n = constraint_expr (b, x);
  if (n->op == IR_X_SEXT && constraint_expr (b, n->arg[0])->bits <= b->p->offset_bits) return true;
  return significant_bits (b, x) <= b->p->offset_bits || factor_of (b, x) > 1;
}

// Returns whether x is the address of a static object plus something.
static bool is_address (const constraint_builder *b, ir_expr x) {
  const ir_expr_node *n = constraint_expr (b, x);
  while (n->op == IR_X_ADD || n->op == IR_X_SUB) n = constraint_expr (b, n->arg[0]);
  return n->op == IR_X_ADDR;
}

// What happens to a subexpression on the way to the whole expression.
typedef struct constraint_path {
  uint32_t to;         // node of the whole expression
  int64_t shift;       // the value is moved by this distance
  bool blurred;        // ... and by an unknown distance
  uint64_t factor;     // ... which is a multiple of this; 0: nothing is known
  bool drops_any;      // it is an index, so "anything" is dropped
  bool in_arithmetic;  // the subexpression is not the whole value
} constraint_path;

static void collect_targets (constraint_builder *b, ir_expr x, constraint_path way);

static constraint_path blurred (constraint_path way) {
  way.blurred = way.in_arithmetic = true;
  way.shift = 0;
  way.factor = 0;
  return way;
}

static void collect_register (constraint_builder *b, ir_reg r, constraint_path way) {
  uint32_t from = reg_node (b, b->at, r);
  if (way.blurred || way.shift) {
    pointsto_rule move = {.kind = way.blurred ? RULE_BLUR : RULE_SHIFT,
                          .keeps_any = !way.drops_any,
                          .other = way.to,
                          .amount = way.shift,
                          .factor = way.factor};
    solver_add_rule (&b->s, from, move);
  } else {
    solver_add_copy (&b->s, from, way.to);
  }
}

static target make_moved_target (constraint_builder *b, ir_object o, ir_value offset, const constraint_path *way) {
  place_table *places = &b->s.places;
  uint32_t place = place_at (places, (int64_t) offset);
  if (way->blurred) place = place_spread (places, place, way->factor);
  return target_make (o.i, way->shift ? place_shift (places, place, way->shift) : place);
}

static void collect_address (constraint_builder *b, const ir_expr_node *n, constraint_path way) {
  if (n->object.i) solver_add_target (&b->s, way.to, make_moved_target (b, n->object, n->offset, &way));
}

// A number that is the whole value may be the address of a static object.
static void collect_constant (constraint_builder *b, const ir_expr_node *n, constraint_path way) {
  const ir_program *p = b->p;
  if (way.in_arithmetic || n->bits < p->pointer_bits) return;
  ir_value value = n->value & (((ir_value) 1 << p->pointer_bits) - 1), number = value >> p->offset_bits;
  if (!number || number >= p->objects.count) return;
  ir_value offset = value - (number << p->offset_bits);
  solver_add_target (&b->s, way.to, make_moved_target (b, (ir_object){(uint32_t) number}, offset, &way));
}

static void collect_sum_with_constant (constraint_builder *b, const ir_expr_node *n, constraint_path way) {
  ir_value top = (ir_value) 1 << (n->bits - 1);
  uint64_t distance = (uint64_t) ((constraint_expr (b, n->arg[1])->value ^ top) - top);
  way.in_arithmetic = true;
  way.shift = (int64_t) ((uint64_t) way.shift + (n->op == IR_X_ADD ? distance : -distance));
  collect_targets (b, n->arg[0], way);
}

// Returns the path of one operand of a sum, which the other operand moves.
static constraint_path moved_by (const constraint_builder *b, constraint_path way, ir_expr other) {
  uint64_t factor = factor_of (b, other);
  if (!factor || (way.blurred && !way.factor)) factor = 0;
  else if (way.blurred) factor = common_factor (factor, way.factor);
  if (!factor) return blurred (way);
  way.blurred = way.in_arithmetic = true;
  way.factor = factor;
  return way;
}

static void collect_sum (constraint_builder *b, const ir_expr_node *n, constraint_path way) {
  if (constraint_expr (b, n->arg[1])->op == IR_X_CONST && n->bits == b->p->pointer_bits) {
    collect_sum_with_constant (b, n, way);
    return;
  }
  for (unsigned k = 0; k < 2; k++) {
    bool negated = k && n->op == IR_X_SUB;
    constraint_path part = negated || n->bits != b->p->pointer_bits ? blurred (way) : moved_by (b, way, n->arg[1 - k]);
    part.drops_any |= is_index (b, n->arg[k]) || (n->op == IR_X_ADD && is_address (b, n->arg[1 - k]));
    collect_targets (b, n->arg[k], part);
  }
}

static void collect_operands (constraint_builder *b, const ir_expr_node *n, constraint_path way) {
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) collect_targets (b, n->arg[k], way);
}

static void collect_targets (constraint_builder *b, ir_expr x, constraint_path way) {
  const ir_expr_node *n = constraint_expr (b, x);
  if (!pointsto_carries (n->op)) return;
  switch (n->op) {
  case IR_X_CONST: collect_constant (b, n, way); return;
  case IR_X_REG: collect_register (b, n->reg, way); return;
  case IR_X_ADDR: collect_address (b, n, way); return;
  case IR_X_ITE:
    collect_targets (b, n->arg[1], way);
    collect_targets (b, n->arg[2], way);
    return;
  case IR_X_ADD:
  case IR_X_SUB: collect_sum (b, n, way); return;
  case IR_X_ZEXT:
  case IR_X_SEXT: collect_operands (b, n, way); return;
  case IR_X_TRUNC: collect_operands (b, n, n->bits >= b->p->pointer_bits ? way : blurred (way)); return;
  default: collect_operands (b, n, blurred (way)); return;
  }
}

static bool has_leaf (const constraint_builder *b, ir_expr x) {
  const ir_expr_node *n = constraint_expr (b, x);
  if (!pointsto_carries (n->op)) return false;
  if (n->op == IR_X_REG || n->op == IR_X_ADDR || n->op == IR_X_CONST)
    return n->op != IR_X_CONST || n->value >> b->p->offset_bits;
  for (unsigned k = n->op == IR_X_ITE; k < ir_expr_arity (n->op); k++)
    if (has_leaf (b, n->arg[k])) return true;
  return false;
}

// Returns the node of an operand's value.
static uint32_t operand_node (constraint_builder *b, ir_expr x) {
  const ir_expr_node *n = constraint_expr (b, x);
  if (n->op == IR_X_REG) return reg_node (b, b->at, n->reg);
  if (!has_leaf (b, x)) return NODE_NOTHING;
  bool is_new;
  uint64_t *found = map_insert (&b->values, (uint64_t) b->at << 32 | x.i, b->s.nodes.count, &is_new);
  uint32_t value = (uint32_t) *found;
  if (!is_new) return value;
  solver_add_node (&b->s);
  collect_targets (b, x, (constraint_path){.to = value});
  return value;
}

// ---- calls --------------------------------------------------------------------------------------------

static const ir_edge_data *site_edge (const constraint_builder *b, call_site c) { return &b->p->edges.data[c.edge]; }

static uint32_t arg_node (constraint_builder *b, call_site c, unsigned k) {
  uint32_t at = b->at;
  b->at = c.instance;
  uint32_t n = operand_node (b, b->p->args.data[site_edge (b, c)->first_arg + k]);
  b->at = at;
  return n;
}

static uint32_t constraint_register_bits (const constraint_builder *b, uint32_t i, ir_reg r) {
  return ir_proc_at (b->p, b->instances.data[i].proc)->regs.data[r.i].bits;
}

// Adds a copy into a register, which may be too narrow for a pointer.
static void add_register_copy_constraint (constraint_builder *b, uint32_t from, uint32_t i, ir_reg r) {
  if (from == NODE_NOTHING || r.i == IR_NONE) return;
  uint32_t to = reg_node (b, i, r);
  if (constraint_register_bits (b, i, r) >= b->p->pointer_bits) solver_add_copy (&b->s, from, to);
  else solver_add_rule (&b->s, from, (pointsto_rule){.kind = RULE_BLUR, .keeps_any = true, .other = to});
}

// Marks a procedure as called. The edges of other procedures are never taken.
static void mark_procedure_called (constraint_builder *b, uint32_t f) {
  if (b->begun[f]) return;
  b->begun[f] = true;
  vec_push (&b->to_begin, f);
}

static void bind_call (constraint_builder *b, call_site c, uint32_t callee) {
  const ir_edge_data *e = site_edge (b, c);
  uint32_t params = ir_proc_at (b->p, b->instances.data[callee].proc)->num_params;
  for (uint32_t k = 0; k + 1 < e->num_args && k < params; k++)
    add_register_copy_constraint (b, arg_node (b, c, k + 1), callee, (ir_reg){k});
  add_register_copy_constraint (b, b->instances.data[callee].result, c.instance, e->dst);
}

static void bind_thread (constraint_builder *b, call_site c, uint32_t callee) {
  const instance *i = &b->instances.data[callee];
  uint32_t result = i->result;
  if (ir_proc_at (b->p, i->proc)->num_params) add_register_copy_constraint (b, arg_node (b, c, 2), callee, (ir_reg){0});
  solver_add_copy (&b->s, result, b->thread_result);
}

static uint32_t most_params (const ir_program *p) {
  uint32_t most = 1;
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (p->procs.data[f].num_params > most) most = p->procs.data[f].num_params;
  return most;
}

// Connects every procedure to the nodes that stand for calls of any function.
static void open_any_call (constraint_builder *b) {
  if (b->any_called) return;
  b->any_called = true;
  for (uint32_t f = 0; f < b->p->procs.count; f++) {
    mark_procedure_called (b, f);
    for (uint32_t k = 0; k < b->p->procs.data[f].num_params; k++)
      add_register_copy_constraint (b, b->first_any_param + k, f, (ir_reg){k});
    solver_add_copy (&b->s, b->instances.data[f].result, b->any_result);
  }
}

static void bind_any (constraint_builder *b, call_site c) {
  const ir_edge_data *e = site_edge (b, c);
  uint32_t most = most_params (b->p);
  open_any_call (b);
  if (e->op == IR_THREAD_CREATE) {
    solver_add_copy (&b->s, arg_node (b, c, 2), b->first_any_param);
    solver_add_copy (&b->s, b->any_result, b->thread_result);
    return;
  }
  for (uint32_t k = 0; k + 1 < e->num_args && k < most; k++)
    solver_add_copy (&b->s, arg_node (b, c, k + 1), b->first_any_param + k);
  add_register_copy_constraint (b, b->any_result, c.instance, e->dst);
}

// Called by the solver when it has found a callee of a site.
static void add_called_procedure (void *state, uint32_t site, uint32_t object) {
  constraint_builder *b = state;
  call_site c = b->calls.data[site];
  if (object == IR_NONE) {
    bind_any (b, c);
    return;
  }
  if (object >= b->p->objects.count) return;
  const ir_object_data *o = &b->p->objects.data[object];
  if (o->kind != IR_O_FUNCTION || o->proc.i == IR_NONE) return;
  mark_procedure_called (b, o->proc.i);
  if (site_edge (b, c)->op == IR_CALL) bind_call (b, c, o->proc.i);
  else bind_thread (b, c, o->proc.i);
}

// ---- copies of library models -------------------------------------------------------------------------

static bool has_copies (const constraint_builder *b, ir_proc f) {
  enum { COPIED_EDGES = 100 };
  return ir_proc_at (b->p, f)->internal && b->num_edges[f.i] <= COPIED_EDGES;
}

// Returns the callee of a direct call if it may get a copy here; otherwise IR_NONE.
static ir_proc copied_callee (const constraint_builder *b, const ir_edge_data *e) {
  enum { COPIES_INSIDE = 4 };
  const ir_expr_node *n = constraint_expr (b, b->p->args.data[e->first_arg]);
  const ir_proc none = {IR_NONE};
  if (n->op != IR_X_ADDR || n->offset || ir_object_at (b->p, n->object)->kind != IR_O_FUNCTION) return none;
  ir_proc f = ir_object_at (b->p, n->object)->proc;
  if (f.i == IR_NONE || !has_copies (b, f) || b->instances.data[b->at].depth >= COPIES_INSIDE) return none;
  const instance *i = &b->instances.data[b->at];
  for (; i->depth; i = &b->instances.data[i->caller])
    if (i->proc.i == f.i) return none;
  return i->proc.i == f.i ? none : f;
}

static uint32_t add_constraint_nodes (constraint_builder *b, uint32_t count) {
  uint32_t first = b->s.nodes.count;
  for (uint32_t k = 0; k < count; k++) solver_add_node (&b->s);
  return first;
}

static uint32_t add_instance (constraint_builder *b, ir_proc f) {
  instance i = {.proc = f,
                .first_reg = add_constraint_nodes (b, ir_proc_at (b->p, f)->regs.count),
                .result = add_constraint_nodes (b, 1)};
  vec_push (&b->instances, i);
  return b->instances.count - 1;
}

static void add_instance_edges (constraint_builder *b, uint32_t i);

static void add_copy (constraint_builder *b, call_site c, ir_proc f) {
  uint32_t i = add_instance (b, f), at = b->at;
  b->instances.data[i].caller = at;
  b->instances.data[i].depth = b->instances.data[at].depth + 1;
  bind_call (b, c, i);
  add_instance_edges (b, i);
  b->at = at;
}

// ---- edges --------------------------------------------------------------------------------------------

static uint32_t edge_operand_node (constraint_builder *b, const ir_edge_data *e, unsigned k) {
  return operand_node (b, b->p->args.data[e->first_arg + k]);
}

// Library models copy memory by raw accesses: bytes that they load otherwise are characters, not parts of pointers.
static bool loads_character (const constraint_builder *b, const ir_edge_data *e, unsigned bytes) {
  return e->op == IR_LOAD && bytes < b->s.word && ir_proc_at (b->p, b->instances.data[b->at].proc)->internal;
}

static void add_load_constraints (constraint_builder *b, const ir_edge_data *e, unsigned bytes) {
  if (e->dst.i == IR_NONE || loads_character (b, e, bytes)) return;
  solver_add_load (&b->s, edge_operand_node (b, e, 0), reg_node (b, b->at, e->dst), bytes);
}

static void add_store_constraints (constraint_builder *b, const ir_edge_data *e, unsigned value, unsigned bytes,
                                   bool mixes) {
  solver_add_store (&b->s, edge_operand_node (b, e, 0), edge_operand_node (b, e, value), bytes, mixes);
}

static void add_call_constraints (constraint_builder *b, uint32_t edge) {
  const ir_edge_data *e = &b->p->edges.data[edge];
  call_site c = {edge, b->at};
  ir_proc copied = e->op == IR_CALL ? copied_callee (b, e) : (ir_proc){IR_NONE};
  if (copied.i != IR_NONE) {
    add_copy (b, c, copied);
    return;
  }
  vec_push (&b->calls, c);
  pointsto_rule r = {.kind = RULE_CALL, .other = b->calls.count - 1};
  solver_add_rule (&b->s, edge_operand_node (b, e, e->op == IR_THREAD_CREATE), r);
}

// Memory from outside points to itself, because its structure is not known.
static void add_input_constraints (constraint_builder *b, uint32_t edge, uint32_t dst) {
  uint32_t outside = b->result->site[edge];
  if (b->p->edges.data[edge].aux == IR_NONDET_ANY) solver_add_any (&b->s, dst);
  if (!outside) return;
  solver_add_target (&b->s, dst, target_make (outside, 0));
  solver_add_target (&b->s, solver_cell (&b->s, outside, NUM_OFFSETS), target_make (outside, PLACE_ANY));
}

static void add_edge_constraints (constraint_builder *b, uint32_t edge) {
  enum { SYNC_WORD = 4 };
  const ir_edge_data *e = &b->p->edges.data[edge];
  uint32_t dst = e->dst.i == IR_NONE ? NODE_NOTHING : reg_node (b, b->at, e->dst);
  switch (e->op) {
  case IR_ASSIGN: add_register_copy_constraint (b, edge_operand_node (b, e, 0), b->at, e->dst); return;
  case IR_NONDET:
    if (dst && constraint_register_bits (b, b->at, e->dst) >= b->p->pointer_bits) add_input_constraints (b, edge, dst);
    return;
  case IR_CALL:
  case IR_THREAD_CREATE: add_call_constraints (b, edge); return;
  case IR_RETURN:
    if (e->num_args) solver_add_copy (&b->s, edge_operand_node (b, e, 0), b->instances.data[b->at].result);
    return;
  case IR_THREAD_EXIT: solver_add_copy (&b->s, edge_operand_node (b, e, 0), b->thread_result); return;
  case IR_THREAD_JOIN: add_register_copy_constraint (b, b->thread_result, b->at, e->dst); return;
  case IR_ALLOC:
    if (dst) solver_add_target (&b->s, dst, target_make (b->result->site[edge], 0));
    return;
  case IR_LOAD:
  case IR_LOAD_RAW: add_load_constraints (b, e, e->bytes); return;
  case IR_STORE:
  case IR_STORE_RAW: add_store_constraints (b, e, 1, e->bytes, false); return;
  case IR_RMW:
    add_load_constraints (b, e, e->bytes);
    add_store_constraints (b, e, 1, e->bytes, e->aux != IR_RMW_XCHG);
    return;
  case IR_CMPXCHG:
    add_load_constraints (b, e, e->bytes);
    add_store_constraints (b, e, 2, e->bytes, false);
    return;
  case IR_NOP:
  case IR_ASSUME:
  case IR_CHECK:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_DETACH:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS:
    if (ir_sync_stores_argument (e->op)) add_store_constraints (b, e, 1, SYNC_WORD, true);
    if (ir_sync_of (e->op)->action == IR_A_READ) add_load_constraints (b, e, SYNC_WORD);
    return;
  }
}

// ---- the whole program --------------------------------------------------------------------------------

static void add_proc_nodes (constraint_builder *b) {
  uint32_t count = b->p->procs.count;
  b->num_edges = mem_zalloc (sizeof (uint32_t) * count);
  for (uint32_t e = 0; e < b->p->edges.count; e++) b->num_edges[ir_loc_at (b->p, b->p->edges.data[e].from)->proc.i]++;
  for (uint32_t f = 0; f < count; f++) add_instance (b, (ir_proc){f});
  b->thread_result = add_constraint_nodes (b, 1);
  b->first_any_param = add_constraint_nodes (b, most_params (b->p));
  b->any_result = add_constraint_nodes (b, 1);
}

// Only the addresses in its initial bytes can be loaded from a constant.
static void describe_objects (constraint_builder *b) {
  const pointsto *r = b->result;
  for (uint32_t o = 0; o < b->s.num_objects; o++) b->s.objects[o].size = r->sizes[o];
  for (uint32_t o = 0; o < b->p->objects.count; o++) {
    const ir_object_data *d = &b->p->objects.data[o];
    b->s.objects[o].constant = d->kind == IR_O_CONSTANT || d->kind == IR_O_FUNCTION;
    b->s.objects[o].empty = b->s.objects[o].constant && !d->relocations.count;
  }
}

static void add_relocations (constraint_builder *b) {
  for (uint32_t o = 0; o < b->p->objects.count; o++) {
    const ir_object_data *d = &b->p->objects.data[o];
    for (uint32_t k = 0; k < d->relocations.count; k++) {
      const ir_relocation *r = &d->relocations.data[k];
      target at = make_moved_target (b, r->target, r->addend, &(constraint_path){0});
      bool aligned = r->offset % b->s.word == 0;
      if (!r->target.i) continue;
      if (!aligned) at = target_make (r->target.i, PLACE_ANY);
      solver_add_target (&b->s, solver_cell (&b->s, o, r->offset), at);
      if (!aligned) solver_add_target (&b->s, solver_cell (&b->s, o, r->offset + b->s.word - 1), at);
    }
  }
}

// Records the node of an operand for later queries: its own, or one that unites those of all copies.
static void note_operands (constraint_builder *b, const ir_edge_data *e) {
  bool copied = has_copies (b, b->instances.data[b->at].proc);
  for (uint32_t k = 0; k < e->num_args; k++) {
    uint32_t *noted = &b->result->of_arg[e->first_arg + k], n = edge_operand_node (b, e, k);
    if (!copied) *noted = n;
    else if (n != NODE_NOTHING && *noted == NODE_NOTHING) *noted = solver_add_node (&b->s);
    if (copied) solver_add_copy (&b->s, n, *noted);
  }
}

static void add_instance_edges (constraint_builder *b, uint32_t i) {
  const ir_proc_data *f = ir_proc_at (b->p, b->instances.data[i].proc);
  b->at = i;
  for (uint32_t l = 0; l < f->locs.count; l++) {
    const ir_loc_data *at = ir_loc_at (b->p, f->locs.data[l]);
    for (uint32_t e = at->first_edge; e < at->first_edge + at->num_edges; e++) {
      note_operands (b, &b->p->edges.data[e]);
      add_edge_constraints (b, e);
    }
  }
}

// Adds the edges of procedures as calls of them are found, and solves.
static void solve_constraints (constraint_builder *b) {
  b->begun = mem_zalloc (b->p->procs.count);
  if (b->p->start.i != IR_NONE) mark_procedure_called (b, b->p->start.i);
  while (b->to_begin.count) {
    while (b->to_begin.count) add_instance_edges (b, vec_pop (&b->to_begin));
    solver_run (&b->s);
  }
  mem_free (b->begun, b->p->procs.count);
  vec_release (&b->to_begin);
}

// ---- the analysis -------------------------------------------------------------------------------------

static void number_sites (pointsto *r) {
  strmap origins = {0};  // message of an input from outside -> its object
  r->num_objects = r->program->objects.count;
  r->site = mem_zalloc (sizeof (uint32_t) * r->program->edges.count);
  for (uint32_t e = 0; e < r->program->edges.count; e++) {
    const ir_edge_data *d = &r->program->edges.data[e];
    bool is_new = d->op == IR_ALLOC;
    if (d->op == IR_NONDET && d->aux == IR_NONDET_OUTSIDE)
      r->site[e] = (uint32_t) *strmap_insert (&origins, d->message ? d->message : "", r->num_objects, &is_new);
    else if (is_new) r->site[e] = r->num_objects;
    r->num_objects += is_new;
  }
  strmap_release (&origins);
}

static pointsto_holding holding_of (const target_set *s) {
  if (s->any) return POINTSTO_HOLDS_ANYTHING;
  return set_is_empty (s) ? POINTSTO_HOLDS_NOTHING : POINTSTO_HOLDS_SOME;
}

static void keep_registers (constraint_builder *b) {
  pointsto *r = b->result;
  for (uint32_t f = 0; f < b->p->procs.count; f++) r->num_regs += b->p->procs.data[f].regs.count;
  r->first_reg = mem_zalloc (sizeof (uint32_t) * b->p->procs.count);
  r->reg_holds = mem_zalloc (r->num_regs);
  for (uint32_t f = 0, n = 0; f < b->p->procs.count; n += b->p->procs.data[f++].regs.count) r->first_reg[f] = n;
  for (uint32_t i = 0; i < b->instances.count; i++) {
    uint32_t f = b->instances.data[i].proc.i;
    for (uint32_t k = 0; k < b->p->procs.data[f].regs.count; k++) {
      pointsto_holding holds = holding_of (solver_targets (&b->s, b->instances.data[i].first_reg + k));
      uint8_t *kept = &r->reg_holds[r->first_reg[f] + k];
      if (holds > *kept) *kept = (uint8_t) holds;
    }
  }
}

static void find_sizes (pointsto *r) {
  const ir_program *p = r->program;
  r->sizes = mem_zalloc (sizeof (uint32_t) * r->num_objects);
  for (uint32_t o = 0; o < r->num_objects; o++)
    r->sizes[o] = o < p->objects.count ? p->objects.data[o].size : UINT32_MAX;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    if (p->edges.data[e].op != IR_ALLOC) continue;
    const ir_expr_node *n = ir_expr_at (p, ir_arg (p, (ir_edge){e}, 0));
    if (n->op == IR_X_CONST && n->value < UINT32_MAX) r->sizes[r->site[e]] = (uint32_t) n->value;
  }
}

pointsto *pointsto_new_limited (const ir_program *p, uint32_t most_targets) {
  pointsto *r = mem_zalloc (sizeof *r);
  r->program = p;
  r->of_arg = mem_zalloc (sizeof (uint32_t) * p->args.count);
  number_sites (r);
  find_sizes (r);
  constraint_builder b = {.result = r, .p = p};
  solver_init (&b.s, r->num_objects, p->pointer_bits / 8);
  b.s.most_targets = most_targets;
  b.s.called = add_called_procedure;
  b.s.state = &b;
  describe_objects (&b);
  add_proc_nodes (&b);
  add_relocations (&b);
  solve_constraints (&b);
  keep_registers (&b);
  answers_keep (r, &b.s);
  map_release (&b.values);
  mem_free (b.num_edges, sizeof (uint32_t) * p->procs.count);
  vec_release (&b.instances);
  vec_release (&b.calls);
  solver_release (&b.s);
  return r;
}

pointsto *pointsto_new (const ir_program *p) { return pointsto_new_limited (p, LIMIT_POINTSTO_TARGETS); }
