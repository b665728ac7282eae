// Translates the program to bytecode: expression trees become three-address instructions on 64-bit slots, and the edges
// of each location become a run of instructions, so that one step of the search is a short loop over a flat array. Each
// instruction names the edge it comes from, and its weight is the number of edges that it completes: schedules are
// counted in edges.
#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"
#include "engine/explicit/rule_tree.h"

typedef struct compiler {
  code *code;
  const ir_program *program;
  uint32_t proc;
  VEC (uint32_t) reg_slot;        // register -> first slot
  uint32_t next_slot, num_slots;  // temporaries start at next_slot for each edge
  VEC (uint32_t) loc_address;     // location (program-wide) -> code address, IR_NONE
  VEC (uint32_t) worklist;
  VEC (uint32_t) fixups;  // addresses of jumps whose target and other are still locations
  uint32_t edge;
  operand zero;  // operand for absent arguments, which makes reading them harmless
} compiler;

bool insn_is_jump (const insn *i) { return i->op == BC_JUMP || i->op == BC_BRANCH || i->op == BC_BRANCH_IF; }

bool insn_falls_through (const insn *i) {
  switch (i->op) {
  case BC_JUMP:
  case BC_BRANCH:
  case BC_INFEASIBLE:
  case BC_RETURN:
  case BC_UNSUPPORTED:
  case BC_EXIT: return false;
  case BC_SYNC: return i->ir != IR_THREAD_EXIT;
  default: return true;
  }
}

static bool needs_two_slots (unsigned bits) { return bits > 64; }

static operand pooled_constant (compiler *c, ir_value value, unsigned bits) {
  operand x = c->code->constants.count | CONST_BIT;
  vec_push (&c->code->constants, (uint64_t) value);
  if (needs_two_slots (bits)) vec_push (&c->code->constants, (uint64_t) (value >> 64));
  return x;
}

static uint32_t new_temporary (compiler *c, unsigned bits) {
  uint32_t slot = c->next_slot;
  c->next_slot += needs_two_slots (bits) ? 2 : 1;
  if (c->next_slot > c->num_slots) c->num_slots = c->next_slot;
  return slot;
}

static insn *emit_insn (compiler *c, bc_op op) {
  insn i = {.op = (uint8_t) op,
            .dst = IR_NONE,
            .dst2 = IR_NONE,
            .a = c->zero,
            .b = c->zero,
            .c = c->zero,
            .edge = c->edge,
            .live = IR_NONE};
  vec_push (&c->code->insns, i);
  return &vec_last (&c->code->insns);
}

// ---- expressions --------------------------------------------------------------------------------------
static int fast_op (ir_expr_op op) {
  switch (op) {
  case IR_X_ADD: return BC_ADD;
  case IR_X_SUB: return BC_SUB;
  case IR_X_MUL: return BC_MUL;
  case IR_X_AND: return BC_AND;
  case IR_X_OR: return BC_OR;
  case IR_X_XOR: return BC_XOR;
  case IR_X_SHL: return BC_SHL;
  case IR_X_LSHR: return BC_LSHR;
  case IR_X_ASHR: return BC_ASHR;
  case IR_X_EQ: return BC_EQ;
  case IR_X_NE: return BC_NE;
  case IR_X_ULT: return BC_ULT;
  case IR_X_ULE: return BC_ULE;
  case IR_X_SLT: return BC_SLT;
  case IR_X_SLE: return BC_SLE;
  case IR_X_ITE: return BC_ITE;
  case IR_X_ZEXT: return BC_MOVE;
  case IR_X_SEXT: return BC_SEXT;
  case IR_X_TRUNC: return BC_TRUNC;
  default: return -1;
  }
}

static operand compile_operand (compiler *, ir_expr);

static void compile_generic (compiler *c, const ir_expr_node *n, const operand *args, uint32_t dst) {
  generic_shape shape = {.op = n->op, .bits = (uint8_t) n->bits, .arity = (uint8_t) ir_expr_arity (n->op)};
  for (unsigned k = 0; k < shape.arity; k++) shape.operand_bits[k] = (uint8_t) ir_expr_at (c->program, n->arg[k])->bits;
  insn *i = emit_insn (c, BC_GENERIC);
  i->dst = dst;
  i->a = args[0], i->b = args[1], i->c = args[2];
  i->bits = (uint8_t) n->bits;
  i->target = c->code->shapes.count;
  vec_push (&c->code->shapes, shape);
}

static void compile_operator (compiler *c, const ir_expr_node *n, uint32_t dst) {
  operand args[3] = {0};
  unsigned arity = ir_expr_arity (n->op), widest = n->bits;
  for (unsigned k = 0; k < arity; k++) {
    args[k] = compile_operand (c, n->arg[k]);
    unsigned bits = ir_expr_at (c->program, n->arg[k])->bits;
    if (bits > widest) widest = bits;
  }
  int op = needs_two_slots (widest) ? -1 : fast_op (n->op);
  if (op < 0) {
    compile_generic (c, n, args, dst);
    return;
  }
  unsigned operand_bits = ir_expr_at (c->program, n->arg[0])->bits;
  insn *i = emit_insn (c, (bc_op) op);
  i->dst = dst;
  i->a = args[0], i->b = args[1], i->c = args[2];
  bool by_result = n->op == IR_X_ITE || n->op == IR_X_TRUNC;
  i->bits = (uint8_t) (by_result ? n->bits : operand_bits);
  i->aux = (uint8_t) n->bits;
}

static operand compile_operand (compiler *c, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (c->program, x);
  switch (n->op) {
  case IR_X_CONST: return pooled_constant (c, n->value, n->bits);
  case IR_X_REG: return c->reg_slot.data[n->reg.i];
  case IR_X_ADDR:
    if (ir_object_at (c->program, n->object)->kind != IR_O_THREAD_LOCAL)
      return pooled_constant (c, ((ir_value) n->object.i << c->program->offset_bits) + n->offset, n->bits);
    break;
  default: break;
  }
  uint32_t dst = new_temporary (c, n->bits);
  if (n->op == IR_X_ADDR) {
    insn *i = emit_insn (c, BC_TLS_ADDR);
    i->dst = dst;
    i->target = n->object.i;
    i->other = n->offset;
  } else compile_operator (c, n, dst);
  return dst;
}

static void compile_into (compiler *c, ir_expr x, uint32_t dst) {
  const ir_expr_node *n = ir_expr_at (c->program, x);
  if (n->op > IR_X_ADDR) {
    compile_operator (c, n, dst);
    return;
  }
  operand from = compile_operand (c, x);
  insn *i = emit_insn (c, needs_two_slots (n->bits) ? BC_MOVE2 : BC_MOVE);
  i->dst = dst;
  i->a = from;
  i->bits = (uint8_t) n->bits;
}

// ---- edges --------------------------------------------------------------------------------------------
static bc_op edge_op (ir_op op) {
  switch (op) {
  case IR_NONDET: return BC_NONDET;
  case IR_CHECK: return BC_CHECK;
  case IR_RETURN: return BC_RETURN;
  case IR_UNSUPPORTED: return BC_UNSUPPORTED;
  case IR_STACK_SAVE: return BC_STACK_SAVE;
  case IR_STACK_RESTORE: return BC_STACK_RESTORE;
  case IR_ALLOC: return BC_ALLOC;
  case IR_OBJECT_SIZE: return BC_OBJECT_SIZE;
  case IR_THREAD_SELF: return BC_SELF;
  case IR_LOAD: return BC_LOAD;
  case IR_STORE: return BC_STORE;
  case IR_LOAD_RAW: return BC_LOAD_RAW;
  case IR_STORE_RAW: return BC_STORE_RAW;
  case IR_RMW: return BC_RMW;
  case IR_CMPXCHG: return BC_CMPXCHG;
  case IR_FREE: return BC_FREE;
  case IR_FORGET: return BC_FORGET;
  case IR_ATOMIC_BEGIN: return BC_ATOMIC_BEGIN;
  case IR_ATOMIC_END: return BC_ATOMIC_END;
  case IR_EXIT: return BC_EXIT;
  case IR_NOP:
  case IR_FENCE:
  case IR_OUTPUT: return BC_NOP;
  case IR_ASSUME:
  case IR_ASSIGN:
  case IR_CALL:
  case IR_OWN:
  case IR_THREAD_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return BC_SYNC;
}

static unsigned register_bits (const compiler *c, ir_reg r) {
  return c->program->procs.data[c->proc].regs.data[r.i].bits;
}

static void compile_call (compiler *c, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (c->program, e);
  call_operand args[d->num_args];
  for (uint32_t k = 0; k < d->num_args; k++) {
    ir_expr x = ir_arg (c->program, e, k);
    args[k] = (call_operand){compile_operand (c, x), ir_expr_at (c->program, x)->bits};
  }
  call_shape shape = {c->code->call_operands.count, d->num_args - 1};
  for (uint32_t k = 1; k < d->num_args; k++) vec_push (&c->code->call_operands, args[k]);
  const ir_expr_node *callee = ir_expr_at (c->program, ir_arg (c->program, e, 0));
  // a thread whose next edge is the call has not evaluated it yet
  if (c->code->stops_anywhere) emit_insn (c, BC_NOP)->aux = 1;
  insn *i = emit_insn (c, BC_CALL);
  i->a = args[0].value;
  if (callee->op == IR_X_ADDR && callee->offset == 0) {
    const ir_object_data *o = ir_object_at (c->program, callee->object);
    if (o->kind == IR_O_FUNCTION && o->proc.i != IR_NONE) i->target = o->proc.i + 1;
  }
  i->other = c->code->calls.count;
  i->weight = 1;
  if (d->dst.i != IR_NONE) {
    i->dst = c->reg_slot.data[d->dst.i];
    i->bits = (uint8_t) register_bits (c, d->dst);
  }
  vec_push (&c->code->calls, shape);
}

// An ownership declaration has four operands, more than an instruction has room for: they go to call_operands.
static void compile_own (compiler *c, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (c->program, e);
  call_operand args[4];
  for (uint32_t k = 0; k < 4; k++) args[k] = (call_operand){compile_operand (c, ir_arg (c->program, e, k)), 64};
  call_shape shape = {c->code->call_operands.count, 4};
  for (uint32_t k = 0; k < 4; k++) vec_push (&c->code->call_operands, args[k]);
  insn *i = emit_insn (c, BC_OWN);
  i->ir = (uint8_t) d->op;
  i->weight = 1;
  i->bytes = (uint8_t) d->bytes;
  i->other = c->code->calls.count;
  vec_push (&c->code->calls, shape);
}

static void compile_plain (compiler *c, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (c->program, e);
  bc_op op = edge_op (d->op);
  operand args[3] = {c->zero, c->zero, c->zero};
  unsigned first_bits = 0;
  for (uint32_t k = 0; k < d->num_args && k < 3 && op != BC_NOP && op != BC_NONDET; k++) {
    args[k] = compile_operand (c, ir_arg (c->program, e, k));
    if (k == 0) first_bits = ir_expr_at (c->program, ir_arg (c->program, e, 0))->bits;
  }
  insn *i = emit_insn (c, op);
  i->a = args[0], i->b = args[1], i->c = args[2];
  i->ir = (uint8_t) d->op;
  i->weight = 1;
  i->bytes = (uint8_t) d->bytes;
  i->order = d->order;
  i->aux = d->aux;
  if (d->op == IR_RETURN) {
    i->bits = (uint8_t) first_bits;  // 0: no value
    i->aux = d->num_args != 0;
  }
  if (op == BC_NOP) return;
  if (d->dst.i != IR_NONE) {
    i->dst = c->reg_slot.data[d->dst.i];
    i->bits = (uint8_t) register_bits (c, d->dst);
  }
  if (d->dst2.i != IR_NONE) i->dst2 = c->reg_slot.data[d->dst2.i];
}

// Emits a jump to a location; fix_jumps turns locations into code addresses when the procedure is complete.
static insn *emit_jump (compiler *c, bc_op op, ir_loc target) {
  vec_push (&c->fixups, c->code->insns.count);
  insn *i = emit_insn (c, op);
  i->target = target.i;
  i->other = IR_NONE;
  vec_push (&c->worklist, target.i);
  return i;
}

static void compile_branch (compiler *c, ir_loc l) {
  const ir_loc_data *d = ir_loc_at (c->program, l);
  for (uint32_t k = 0; k < d->num_edges; k++) {
    ir_edge e = {d->first_edge + k};
    c->edge = e.i;
    c->next_slot = c->reg_slot.data[c->reg_slot.count - 1];
    operand condition = compile_operand (c, ir_arg (c->program, e, 0));
    insn *i = emit_jump (c, BC_BRANCH_IF, ir_edge_at (c->program, e)->to);
    i->a = condition;
    i->weight = 1;
  }
  emit_insn (c, BC_INFEASIBLE);
}

static bool is_opposite_comparison (const ir_expr_node *a, const ir_expr_node *b) {
  bool same = a->arg[0].i == b->arg[0].i && a->arg[1].i == b->arg[1].i;
  bool crossed = a->arg[0].i == b->arg[1].i && a->arg[1].i == b->arg[0].i;
  switch (a->op) {
  case IR_X_EQ: return b->op == IR_X_NE && (same || crossed);
  case IR_X_NE: return b->op == IR_X_EQ && (same || crossed);
  case IR_X_ULT: return b->op == IR_X_ULE && crossed;
  case IR_X_ULE: return b->op == IR_X_ULT && crossed;
  case IR_X_SLT: return b->op == IR_X_SLE && crossed;
  case IR_X_SLE: return b->op == IR_X_SLT && crossed;
  default: return false;
  }
}

// Returns whether y is the negation of x, as ir_not builds it.
static bool is_negation (const ir_program *p, ir_expr x, ir_expr y) {
  const ir_expr_node *a = ir_expr_at (p, x), *b = ir_expr_at (p, y);
  if (b->op == IR_X_XOR && b->arg[0].i == x.i) return ir_expr_at (p, b->arg[1])->op == IR_X_CONST;
  if (a->op == IR_X_XOR && a->arg[0].i == y.i) return ir_expr_at (p, a->arg[1])->op == IR_X_CONST;
  return is_opposite_comparison (a, b);
}

// A two-way branch on x and `not x` needs only one test.
static bool compile_two_way (compiler *c, ir_loc l) {
  const ir_loc_data *d = ir_loc_at (c->program, l);
  if (d->num_edges != 2) return false;
  ir_edge yes = {d->first_edge}, no = {d->first_edge + 1};
  ir_expr x = ir_arg (c->program, yes, 0), y = ir_arg (c->program, no, 0);
  if (!is_negation (c->program, x, y)) return false;
  c->edge = yes.i;
  c->next_slot = c->reg_slot.data[c->reg_slot.count - 1];
  operand condition = compile_operand (c, x);
  insn *i = emit_jump (c, BC_BRANCH, ir_edge_at (c->program, yes)->to);
  i->a = condition;
  i->weight = 1;
  i->other = ir_edge_at (c->program, no)->to.i;
  vec_push (&c->worklist, i->other);
  return true;
}

static void compile_edge (compiler *c, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (c->program, e);
  c->edge = e.i;
  c->next_slot = c->reg_slot.data[c->reg_slot.count - 1];
  if (d->op == IR_CALL) compile_call (c, e);
  else if (d->op == IR_OWN) compile_own (c, e);
  else if (d->op == IR_ASSIGN) {
    compile_into (c, ir_arg (c->program, e, 0), c->reg_slot.data[d->dst.i]);
    vec_last (&c->code->insns).weight = 1;
  } else compile_plain (c, e);
}

// Compiles from a location along single edges up to a branch or to code that exists already.
static void compile_chain (compiler *c, ir_loc l) {
  while (c->loc_address.data[l.i] == IR_NONE) {
    c->loc_address.data[l.i] = c->code->insns.count;
    const ir_loc_data *d = ir_loc_at (c->program, l);
    ir_edge e = {d->first_edge};
    if (d->num_edges > 1 || ir_edge_at (c->program, e)->op == IR_ASSUME) {
      if (!compile_two_way (c, l)) compile_branch (c, l);
      return;
    }
    compile_edge (c, e);
    l = ir_edge_at (c->program, e)->to;
    if (l.i == IR_NONE) return;
  }
  emit_jump (c, BC_JUMP, l);
}

static void fix_jumps (compiler *c) {
  for (uint32_t k = 0; k < c->fixups.count; k++) {
    uint32_t at = c->fixups.data[k];
    insn *i = &c->code->insns.data[at];
    i->target = c->loc_address.data[i->target];
    if (i->other != IR_NONE) i->other = c->loc_address.data[i->other];
    i->back = i->target <= at || (i->other != IR_NONE && i->other <= at);
  }
  vec_clear (&c->fixups);
}

static void lay_out_registers (compiler *c, const ir_proc_data *p) {
  vec_clear (&c->reg_slot);
  uint32_t slot = 0;
  for (uint32_t r = 0; r < p->regs.count; r++) {
    vec_push (&c->reg_slot, slot);
    slot += needs_two_slots (p->regs.data[r].bits) ? 2 : 1;
  }
  vec_push (&c->reg_slot, slot);  // slot of the first temporary
  c->num_slots = slot;
}

static void compile_proc (compiler *c, uint32_t proc) {
  const ir_proc_data *p = &c->program->procs.data[proc];
  c->proc = proc;
  if (p->entry.i == IR_NONE) {  // declared only: cannot be entered
    vec_push (&c->code->procs, (code_proc){.entry = IR_NONE});
    return;
  }
  lay_out_registers (c, p);
  uint32_t first = c->code->insns.count;
  c->edge = ir_loc_at (c->program, p->entry)->first_edge;
  emit_insn (c, BC_NOP);  // a new thread waits here until its first step
  vec_push (&c->worklist, p->entry.i);
  while (c->worklist.count) {
    ir_loc l = {vec_pop (&c->worklist)};
    if (c->loc_address.data[l.i] == IR_NONE) compile_chain (c, l);
  }
  fix_jumps (c);
  code_proc out = {.entry = first,
                   .end = c->code->insns.count,
                   .num_slots = c->num_slots,
                   .first_temporary = vec_last (&c->reg_slot),
                   .result_bits = p->result_bits};
  for (uint32_t k = 0; k < p->num_params; k++) {
    vec_push (&out.param_slot, c->reg_slot.data[k]);
    vec_push (&out.param_bits, p->regs.data[k].bits);
  }
  vec_push (&c->code->procs, out);
  code_mark_sticky (c->code, first, c->code->insns.count);
  code_compute_liveness (c->code, first, c->code->insns.count, c->num_slots);
}

static void compile_rules (code *c) {
  c->rule_trees = mem_zalloc (IR_NUM_OPS * sizeof *c->rule_trees);
  for (uint32_t e = 0; e < c->program->edges.count; e++) {
    ir_op op = c->program->edges.data[e].op;
    if (ir_rule_of (op) && !c->rule_trees[op].size) rule_tree_init (&c->rule_trees[op], c->program, op);
  }
}

static void compile (code *out, const ir_program *p, bool stops_anywhere) {
  *out = (code){.program = p, .stops_anywhere = stops_anywhere};
  compiler c = {.code = out, .program = p};
  c.zero = pooled_constant (&c, 0, 64);
  for (uint32_t l = 0; l < p->locs.count; l++) vec_push (&c.loc_address, IR_NONE);
  for (uint32_t f = 0; f < p->procs.count; f++) compile_proc (&c, f);
  compile_rules (out);
  vec_release (&c.reg_slot);
  vec_release (&c.loc_address);
  vec_release (&c.worklist);
  vec_release (&c.fixups);
}

void code_init (code *out, const ir_program *p) { compile (out, p, false); }
void code_init_anywhere (code *out, const ir_program *p) { compile (out, p, true); }

void code_release (code *c) {
  for (uint32_t f = 0; f < c->procs.count; f++) {
    vec_release (&c->procs.data[f].param_slot);
    vec_release (&c->procs.data[f].param_bits);
  }
  vec_release (&c->insns);
  vec_release (&c->constants);
  vec_release (&c->shapes);
  vec_release (&c->calls);
  vec_release (&c->call_operands);
  vec_release (&c->procs);
  vec_release (&c->live_lists);
  vec_release (&c->live_slots);
  for (ir_op op = 0; op < IR_NUM_OPS; op++) rule_tree_release (&c->rule_trees[op]);
  mem_free (c->rule_trees, IR_NUM_OPS * sizeof *c->rule_trees);
}
