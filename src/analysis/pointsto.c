// The constraints of a program, and the answers.
//
// Every register has a node; so has the value of every operand that is more than a register.  Pointers are integers here, so a
// target sticks to whatever is computed from an address: sums keep the offset where it is known, all other arithmetic loses
// it but keeps the object.  Comparisons and counts of bits carry nothing.  Narrow values carry targets too: a pointer may be
// taken apart into bytes and put together again.
//
// An input (`nondet`) as wide as a pointer may be one, to anything.  That is not believed of an index: what is
// added to the address of a static object, what is scaled by the size of an element or fits into the offset of a pointer is
// taken for a distance inside the object.
#include "analysis/pointsto_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

typedef struct answer {
  uint32_t first, count;
  bool anything;
} answer;

struct pointsto {
  const ir_program *program;
  uint32_t num_objects;
  uint32_t *site;    // [edge]: object of an ALLOC
  uint32_t *of_arg;  // [index into program->args]: into answers; while solving: node
  VEC (answer) answers;
  VEC (uint32_t) objects;  // of all answers
};

typedef struct builder {
  pointsto *result;
  const ir_program *p;
  solver s;
  ir_proc proc;              // whose edges are being translated
  uint32_t *first_reg;       // [proc]: node of its register 0
  uint32_t first_result;     // + proc: node of its result
  uint32_t thread_result;    // node
  uint32_t first_any_param;  // + k: node of parameter k of calls to any function
  uint32_t any_result;
  bool any_called;
  map values;  // proc << 32 | expression -> node
} builder;

// ---- expressions -----------------------------------------------------------------------------------------

static const ir_expr_node *expr (const builder *b, ir_expr x) { return ir_expr_at (b->p, x); }

static bool carries (ir_expr_op op) {
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

// Bits that may be set in the value, seen without looking at registers.
static unsigned significant_bits (const builder *b, ir_expr x) {
  const ir_expr_node *n = expr (b, x);
  const ir_expr_node *c = ir_expr_arity (n->op) == 2 ? expr (b, n->arg[1]) : NULL;
  bool by_constant = c && c->op == IR_X_CONST;
  if (n->op == IR_X_CONST) return length_of (n->value);
  if (n->op == IR_X_ZEXT) return significant_bits (b, n->arg[0]);
  if (n->op == IR_X_AND && by_constant) return length_of (c->value);
  if (n->op == IR_X_UREM && by_constant && c->value) return length_of (c->value);
  if (n->op == IR_X_LSHR && by_constant && c->value < n->bits) return n->bits - (unsigned) c->value;
  return n->bits;
}

// x is y times a constant: how much?  Else 0.
static uint64_t factor_of (const builder *b, ir_expr x) {
  const ir_expr_node *n = expr (b, x);
  if (n->op != IR_X_MUL && n->op != IR_X_SHL) return 0;
  const ir_expr_node *c = expr (b, n->arg[1]);
  unsigned offset_bits = b->p->offset_bits;
  if (c->op != IR_X_CONST) return 0;
  if (n->op == IR_X_SHL) return c->value < offset_bits ? (uint64_t) 1 << (unsigned) c->value : 0;
  return length_of (c->value) <= offset_bits ? (uint64_t) c->value : 0;
}

static bool is_index (const builder *b, ir_expr x) {
  const ir_expr_node *n = expr (b, x);
  if (n->op == IR_X_SEXT && expr (b, n->arg[0])->bits <= b->p->offset_bits) return true;
  return significant_bits (b, x) <= b->p->offset_bits || factor_of (b, x) > 1;
}

// The address of a static object plus something.
static bool is_address (const builder *b, ir_expr x) {
  const ir_expr_node *n = expr (b, x);
  while (n->op == IR_X_ADD || n->op == IR_X_SUB) n = expr (b, n->arg[0]);
  return n->op == IR_X_ADDR;
}

// What has happened to a part of an expression on the way to the whole.
typedef struct path {
  uint32_t to;         // node of the whole
  bool blurred;        // moved by an unknown distance
  int64_t amount;      // not blurred: the distance; blurred: a factor of it, 0 if none is known
  bool drops_any;      // it is an index
  bool in_arithmetic;  // it is not the whole value
} path;

static void collect (builder *b, ir_expr x, path way);

static path blurred (path way) {
  way.blurred = way.in_arithmetic = true;
  way.amount = 0;
  return way;
}

static void collect_register (builder *b, ir_reg r, path way) {
  uint32_t from = b->first_reg[b->proc.i] + r.i;
  if (way.blurred) {
    rule blur = {.kind = RULE_BLUR, .keeps_any = !way.drops_any, .other = way.to, .amount = way.amount};
    solver_add_rule (&b->s, from, blur);
  } else if (way.amount) {
    solver_add_rule (&b->s, from, (rule){.kind = RULE_SHIFT, .other = way.to, .amount = way.amount});
  } else {
    solver_add_copy (&b->s, from, way.to);
  }
}

static uint32_t target_at (const builder *b, ir_object o, ir_value offset, const path *way) {
  uint32_t word = b->s.word;
  bool aligned = offset % word == 0;
  if (way->blurred)
    return target_make (o.i, aligned && way->amount && way->amount % word == 0 ? OFFSET_ALIGNED : OFFSET_ANY);
  if (offset < NUM_OFFSETS) return target_make (o.i, (uint32_t) offset);
  return target_make (o.i, aligned ? OFFSET_ALIGNED : OFFSET_ANY);
}

static void collect_address (builder *b, const ir_expr_node *n, path way) {
  ir_value offset = n->offset + (ir_value) (way.blurred ? 0 : way.amount);
  if (n->object.i) solver_add_target (&b->s, way.to, target_at (b, n->object, offset, &way));
}

// A number on its own may name a static object.
static void collect_constant (builder *b, const ir_expr_node *n, path way) {
  const ir_program *p = b->p;
  if (way.in_arithmetic || n->bits < p->pointer_bits) return;
  ir_value value = n->value & (((ir_value) 1 << p->pointer_bits) - 1), number = value >> p->offset_bits;
  if (!number || number >= p->objects.count) return;
  ir_value offset = value - (number << p->offset_bits);
  solver_add_target (&b->s, way.to, target_at (b, (ir_object){(uint32_t) number}, offset, &way));
}

// Adding a constant keeps an offset that is known, or known to be a multiple of a word.
static void collect_sum_with_constant (builder *b, const ir_expr_node *n, path way) {
  ir_value top = (ir_value) 1 << (n->bits - 1);
  uint64_t distance = (uint64_t) ((expr (b, n->arg[1])->value ^ top) - top);
  way.in_arithmetic = true;
  if (way.blurred) way.amount = distance % b->s.word ? 0 : way.amount;
  else way.amount = (int64_t) ((uint64_t) way.amount + (n->op == IR_X_ADD ? distance : -distance));
  collect (b, n->arg[0], way);
}

static void collect_sum (builder *b, const ir_expr_node *n, path way) {
  if (expr (b, n->arg[1])->op == IR_X_CONST && n->bits == b->p->pointer_bits) {
    collect_sum_with_constant (b, n, way);
    return;
  }
  bool moves_by_words = way.amount % b->s.word == 0 && (way.amount || !way.blurred);
  for (unsigned k = 0; k < 2; k++) {
    path part = blurred (way);
    if (moves_by_words) part.amount = (int64_t) factor_of (b, n->arg[1 - k]);
    part.drops_any |= is_index (b, n->arg[k]) || (n->op == IR_X_ADD && is_address (b, n->arg[1 - k]));
    collect (b, n->arg[k], part);
  }
}

static void collect_operands (builder *b, const ir_expr_node *n, path way) {
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) collect (b, n->arg[k], way);
}

static void collect (builder *b, ir_expr x, path way) {
  const ir_expr_node *n = expr (b, x);
  if (!carries (n->op)) return;
  switch (n->op) {
  case IR_X_CONST: collect_constant (b, n, way); return;
  case IR_X_REG: collect_register (b, n->reg, way); return;
  case IR_X_ADDR: collect_address (b, n, way); return;
  case IR_X_ITE:
    collect (b, n->arg[1], way);
    collect (b, n->arg[2], way);
    return;
  case IR_X_ADD:
  case IR_X_SUB: collect_sum (b, n, way); return;
  case IR_X_ZEXT:
  case IR_X_SEXT: collect_operands (b, n, way); return;
  case IR_X_TRUNC: collect_operands (b, n, n->bits >= b->p->pointer_bits ? way : blurred (way)); return;
  default: collect_operands (b, n, blurred (way)); return;
  }
}

static bool has_leaf (const builder *b, ir_expr x) {
  const ir_expr_node *n = expr (b, x);
  if (!carries (n->op)) return false;
  if (n->op == IR_X_REG || n->op == IR_X_ADDR || n->op == IR_X_CONST)
    return n->op != IR_X_CONST || n->value >> b->p->offset_bits;
  for (unsigned k = n->op == IR_X_ITE; k < ir_expr_arity (n->op); k++)
    if (has_leaf (b, n->arg[k])) return true;
  return false;
}

// The node of an operand's value.
static uint32_t value_of (builder *b, ir_expr x) {
  const ir_expr_node *n = expr (b, x);
  if (n->op == IR_X_REG) return b->first_reg[b->proc.i] + n->reg.i;
  if (!has_leaf (b, x)) return NODE_NOTHING;
  bool is_new;
  uint64_t *found = map_insert (&b->values, (uint64_t) b->proc.i << 32 | x.i, b->s.nodes.count, &is_new);
  uint32_t value = (uint32_t) *found;
  if (!is_new) return value;
  solver_add_node (&b->s);
  collect (b, x, (path){.to = value});
  return value;
}

// ---- calls -----------------------------------------------------------------------------------------------

static uint32_t arg_node (const builder *b, const ir_edge_data *e, unsigned k) {
  return b->result->of_arg[e->first_arg + k];
}

static uint32_t reg_bits (const builder *b, ir_proc f, ir_reg r) { return ir_proc_at (b->p, f)->regs.data[r.i].bits; }

// Into a register, which may be too narrow for a pointer.
static void flow (builder *b, uint32_t from, ir_proc f, ir_reg r) {
  uint32_t to = b->first_reg[f.i] + r.i;
  if (from == NODE_NOTHING || r.i == IR_NONE) return;
  if (reg_bits (b, f, r) >= b->p->pointer_bits) solver_add_copy (&b->s, from, to);
  else solver_add_rule (&b->s, from, (rule){.kind = RULE_BLUR, .keeps_any = true, .other = to});
}

static ir_proc proc_of (const builder *b, const ir_edge_data *e) { return ir_loc_at (b->p, e->from)->proc; }

static void bind_call (builder *b, const ir_edge_data *e, ir_proc callee) {
  uint32_t params = ir_proc_at (b->p, callee)->num_params;
  for (uint32_t k = 0; k + 1 < e->num_args && k < params; k++) flow (b, arg_node (b, e, k + 1), callee, (ir_reg){k});
  flow (b, b->first_result + callee.i, proc_of (b, e), e->dst);
}

static void bind_thread (builder *b, const ir_edge_data *e, ir_proc callee) {
  if (ir_proc_at (b->p, callee)->num_params) flow (b, arg_node (b, e, 2), callee, (ir_reg){0});
  solver_add_copy (&b->s, b->first_result + callee.i, b->thread_result);
}

static uint32_t most_params (const ir_program *p) {
  uint32_t most = 1;
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (p->procs.data[f].num_params > most) most = p->procs.data[f].num_params;
  return most;
}

// Joins every procedure to the nodes that calls of any function go through.
static void open_any_call (builder *b) {
  if (b->any_called) return;
  b->any_called = true;
  for (uint32_t f = 0; f < b->p->procs.count; f++) {
    for (uint32_t k = 0; k < b->p->procs.data[f].num_params; k++)
      flow (b, b->first_any_param + k, (ir_proc){f}, (ir_reg){k});
    solver_add_copy (&b->s, b->first_result + f, b->any_result);
  }
}

static void bind_any (builder *b, const ir_edge_data *e) {
  uint32_t most = most_params (b->p);
  open_any_call (b);
  if (e->op == IR_THREAD_CREATE) {
    solver_add_copy (&b->s, arg_node (b, e, 2), b->first_any_param);
    solver_add_copy (&b->s, b->any_result, b->thread_result);
    return;
  }
  for (uint32_t k = 0; k + 1 < e->num_args && k < most; k++)
    solver_add_copy (&b->s, arg_node (b, e, k + 1), b->first_any_param + k);
  flow (b, b->any_result, proc_of (b, e), e->dst);
}

// The solver has found what an edge calls.
static void called (void *state, uint32_t edge, uint32_t object) {
  builder *b = state;
  const ir_edge_data *e = &b->p->edges.data[edge];
  if (object == IR_NONE) {
    bind_any (b, e);
    return;
  }
  if (object >= b->p->objects.count) return;
  const ir_object_data *o = &b->p->objects.data[object];
  if (o->kind != IR_O_FUNCTION || o->proc.i == IR_NONE) return;
  if (e->op == IR_CALL) bind_call (b, e, o->proc);
  else bind_thread (b, e, o->proc);
}

// ---- edges -----------------------------------------------------------------------------------------------

static void load (builder *b, const ir_edge_data *e, unsigned bytes) {
  if (e->dst.i != IR_NONE) solver_add_load (&b->s, arg_node (b, e, 0), b->first_reg[b->proc.i] + e->dst.i, bytes);
}

static void store (builder *b, const ir_edge_data *e, unsigned value, unsigned bytes, bool mixes) {
  solver_add_store (&b->s, arg_node (b, e, 0), arg_node (b, e, value), bytes, mixes);
}

static void add_edge (builder *b, uint32_t edge) {
  enum { SYNC_WORD = 4 };
  const ir_edge_data *e = &b->p->edges.data[edge];
  uint32_t dst = e->dst.i == IR_NONE ? NODE_NOTHING : b->first_reg[b->proc.i] + e->dst.i;
  switch (e->op) {
  case IR_ASSIGN: flow (b, arg_node (b, e, 0), b->proc, e->dst); return;
  case IR_NONDET:
    if (dst && reg_bits (b, b->proc, e->dst) >= b->p->pointer_bits) solver_add_any (&b->s, dst);
    return;
  case IR_CALL:
  case IR_THREAD_CREATE:
    solver_add_rule (&b->s, arg_node (b, e, e->op == IR_THREAD_CREATE), (rule){.kind = RULE_CALL, .other = edge});
    return;
  case IR_RETURN:
    if (e->num_args) solver_add_copy (&b->s, arg_node (b, e, 0), b->first_result + b->proc.i);
    return;
  case IR_THREAD_EXIT: solver_add_copy (&b->s, arg_node (b, e, 0), b->thread_result); return;
  case IR_THREAD_JOIN: flow (b, b->thread_result, b->proc, e->dst); return;
  case IR_ALLOC:
    if (dst) solver_add_target (&b->s, dst, target_make (b->result->site[edge], 0));
    return;
  case IR_LOAD:
  case IR_LOAD_RAW: load (b, e, e->bytes); return;
  case IR_STORE:
  case IR_STORE_RAW: store (b, e, 1, e->bytes, false); return;
  case IR_RMW:
    load (b, e, e->bytes);
    store (b, e, 1, e->bytes, e->aux != IR_RMW_XCHG);
    return;
  case IR_CMPXCHG:
    load (b, e, e->bytes);
    store (b, e, 2, e->bytes, false);
    return;
  case IR_MUTEX_INIT:
  case IR_SEM_INIT:
  case IR_BARRIER_INIT: store (b, e, 1, SYNC_WORD, true); return;
  case IR_SEM_GETVALUE: load (b, e, SYNC_WORD); return;
  default: return;
  }
}

// ---- the whole program -----------------------------------------------------------------------------------

static uint32_t add_nodes (builder *b, uint32_t count) {
  uint32_t first = b->s.nodes.count;
  for (uint32_t k = 0; k < count; k++) solver_add_node (&b->s);
  return first;
}

static void add_proc_nodes (builder *b) {
  uint32_t count = b->p->procs.count;
  b->first_reg = mem_zalloc (sizeof (uint32_t) * count);
  for (uint32_t f = 0; f < count; f++) b->first_reg[f] = add_nodes (b, b->p->procs.data[f].regs.count);
  b->first_result = add_nodes (b, count);
  b->thread_result = add_nodes (b, 1);
  b->first_any_param = add_nodes (b, most_params (b->p));
  b->any_result = add_nodes (b, 1);
}

// Nothing comes out of a constant but the addresses that stand in its initial bytes.
static void mark_constants (builder *b) {
  for (uint32_t o = 0; o < b->p->objects.count; o++) {
    const ir_object_data *d = &b->p->objects.data[o];
    b->s.objects[o].constant = d->kind == IR_O_CONSTANT || d->kind == IR_O_FUNCTION;
    b->s.objects[o].empty = b->s.objects[o].constant && !d->relocations.count;
  }
}

static void add_relocations (builder *b) {
  for (uint32_t o = 0; o < b->p->objects.count; o++) {
    const ir_object_data *d = &b->p->objects.data[o];
    for (uint32_t k = 0; k < d->relocations.count; k++) {
      const ir_relocation *r = &d->relocations.data[k];
      uint32_t target = target_at (b, r->target, r->addend, &(path){0});
      bool aligned = r->offset % b->s.word == 0;
      if (!r->target.i) continue;
      if (!aligned) target = target_make (r->target.i, OFFSET_ANY);
      solver_add_target (&b->s, solver_cell (&b->s, o, r->offset), target);
      if (!aligned) solver_add_target (&b->s, solver_cell (&b->s, o, r->offset + b->s.word - 1), target);
    }
  }
}

static void add_edges (builder *b) {
  for (uint32_t e = 0; e < b->p->edges.count; e++) {
    const ir_edge_data *d = &b->p->edges.data[e];
    b->proc = proc_of (b, d);
    for (uint32_t k = 0; k < d->num_args; k++)
      b->result->of_arg[d->first_arg + k] = value_of (b, b->p->args.data[d->first_arg + k]);
    add_edge (b, e);
  }
}

// ---- answers ---------------------------------------------------------------------------------------------

static int compare_objects (const void *a, const void *b) {
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

static void list_objects (pointsto *r, const target_set *s) {
  uint32_t first = r->objects.count, kept = first;
  for (set_cursor c = {0}; set_next (s, &c);) vec_push (&r->objects, target_object (c.target));
  if (r->objects.count == first) return;
  qsort (r->objects.data + first, r->objects.count - first, sizeof (uint32_t), compare_objects);
  for (uint32_t k = first; k < r->objects.count; k++)
    if (kept == first || r->objects.data[k] != r->objects.data[kept - 1]) r->objects.data[kept++] = r->objects.data[k];
  r->objects.count = kept;
}

// The index of the answer; equal ones are kept once.
static uint32_t keep_answer (pointsto *r, const target_set *s, map *known) {
  answer a = {.first = r->objects.count, .anything = s->any};
  list_objects (r, s);
  a.count = r->objects.count - a.first;
  const uint32_t *list = r->objects.data + a.first;
  size_t bytes = sizeof *list * a.count;
  bool is_new;
  uint64_t *found = map_insert (known, hash_bytes (list, bytes, a.anything), r->answers.count, &is_new);
  if (!is_new) {
    answer old = r->answers.data[*found];
    bool same = old.count == a.count && old.anything == a.anything &&
                (!bytes || !memcmp (r->objects.data + old.first, list, bytes));
    if (same) r->objects.count = a.first;
    if (same) return (uint32_t) *found;
  }
  vec_push (&r->answers, a);
  return r->answers.count - 1;
}

// Nodes become answers.
static void keep_answers (builder *b) {
  pointsto *r = b->result;
  map known = {0}, of_set = {0};  // hash of an answer -> answer; node -> answer
  for (uint32_t e = 0; e < b->p->edges.count; e++) {
    const ir_edge_data *d = &b->p->edges.data[e];
    for (uint32_t k = d->first_arg; k < d->first_arg + d->num_args; k++) {
      const target_set *s = solver_targets (&b->s, r->of_arg[k]);
      bool is_new;
      uint64_t *kept = map_insert (&of_set, r->of_arg[k], 0, &is_new);
      if (is_new) *kept = keep_answer (r, s, &known);
      r->of_arg[k] = (uint32_t) *kept;
    }
  }
  map_release (&known);
  map_release (&of_set);
}

static void number_sites (pointsto *r) {
  r->num_objects = r->program->objects.count;
  r->site = mem_zalloc (sizeof (uint32_t) * r->program->edges.count);
  for (uint32_t e = 0; e < r->program->edges.count; e++)
    if (r->program->edges.data[e].op == IR_ALLOC) r->site[e] = r->num_objects++;
}

pointsto *pointsto_new (const ir_program *p) {
  pointsto *r = mem_zalloc (sizeof *r);
  r->program = p;
  r->of_arg = mem_zalloc (sizeof (uint32_t) * p->args.count);
  number_sites (r);
  builder b = {.result = r, .p = p};
  solver_init (&b.s, r->num_objects, p->pointer_bits / 8);
  b.s.called = called;
  b.s.state = &b;
  mark_constants (&b);
  add_proc_nodes (&b);
  add_relocations (&b);
  add_edges (&b);
  solver_run (&b.s);
  keep_answers (&b);
  map_release (&b.values);
  mem_free (b.first_reg, sizeof (uint32_t) * p->procs.count);
  solver_release (&b.s);
  return r;
}

void pointsto_free (pointsto *r) {
  mem_free (r->of_arg, sizeof (uint32_t) * r->program->args.count);
  mem_free (r->site, sizeof (uint32_t) * r->program->edges.count);
  vec_release (&r->answers);
  vec_release (&r->objects);
  mem_free (r, sizeof *r);
}

uint32_t pointsto_num_objects (const pointsto *r) { return r->num_objects; }
uint32_t pointsto_site (const pointsto *r, ir_edge alloc) { return r->site[alloc.i]; }

pointsto_set pointsto_arg (const pointsto *r, ir_edge e, unsigned k) {
  const answer *a = &r->answers.data[r->of_arg[ir_edge_at (r->program, e)->first_arg + k]];
  return (pointsto_set){.anything = a->anything, .count = a->count, .objects = r->objects.data + a->first};
}

bool pointsto_may (const pointsto *r, ir_edge e, unsigned k, uint32_t object) {
  pointsto_set s = pointsto_arg (r, e, k);
  uint32_t low = 0, high = s.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s.objects[middle] < object) low = middle + 1;
    else high = middle;
  }
  return s.anything || (low < s.count && s.objects[low] == object);
}
