// The origins of addresses in registers. There is one answer per register, independent of the order of events: after
// the front end's mem2reg nearly every register gets its value at one edge, or at the few that meet at a join.
//
// An operand that is no address according to points-to has no origin. The results of calls come from the callees'
// result shapes; these depend on each other in recursion, so all procedures are visited, callees first, until no shape
// grows any more.
#include "analysis/escape_impl.h"
#include "base/limits.h"
#include "ir/sync.h"

// ---- numbering the sources ----------------------------------------------------------------------------

static bool holds_addresses (const allocation_sources *s, ir_proc f, ir_reg r) {
  return r.i != IR_NONE && pointsto_reg (s->pointsto, f, r) != POINTSTO_HOLDS_NOTHING;
}

static bool fits_pointer (const allocation_sources *s, ir_proc f, ir_reg r) {
  return ir_proc_at (s->program, f)->regs.data[r.i].bits >= s->program->pointer_bits;
}

static void number_params (allocation_sources *s, ir_proc f, frame_sources *frame) {
  uint32_t params = ir_proc_at (s->program, f)->num_params;
  frame->num_params = over_limit (ESCAPE_PARAMETERS, params) ? LIMIT_ESCAPE_PARAMETERS : params;
  for (uint32_t k = 0; k < frame->num_params; k++)
    if (holds_addresses (s, f, (ir_reg){k}) && fits_pointer (s, f, (ir_reg){k})) frame->followed |= (uint32_t) 1 << k;
  frame->count = frame->num_params;
}

static void number_edge (allocation_sources *s, ir_proc f, frame_sources *frame, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (s->program, e);
  if (d->op != IR_ALLOC && d->op != IR_CALL) return;
  if (!holds_addresses (s, f, d->dst) || !fits_pointer (s, f, d->dst) || at_limit (ESCAPE_SOURCES, frame->count))
    return;
  s->of_edge[e.i] = frame->count++;
  vec_push (&frame->edges, e.i);
}

static void number_edges (allocation_sources *s, ir_proc f, frame_sources *frame) {
  const ir_proc_data *d = ir_proc_at (s->program, f);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *loc = ir_loc_at (s->program, d->locs.data[k]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++)
      number_edge (s, f, frame, (ir_edge){e});
  }
}

// ---- origins ------------------------------------------------------------------------------------------

static void origin_clear (origin *o, uint32_t words) {
  memset (o->objects, 0, sizeof (uint64_t) * words);
  memset (o->contents, 0, sizeof (uint64_t) * words);
  o->elsewhere = false;
}

static void add_reg (const frame_sources *frame, ir_reg r, origin *out) {
  bits_unite (out->objects, reg_objects (frame, r), frame->words);
  bits_unite (out->contents, reg_contents (frame, r), frame->words);
  out->elsewhere |= frame->elsewhere[r.i];
}

static bool add_to_reg (frame_sources *frame, ir_reg r, const origin *o) {
  bool grew = bits_unite (reg_objects (frame, r), o->objects, frame->words);
  grew |= bits_unite (reg_contents (frame, r), o->contents, frame->words);
  grew |= o->elsewhere && !frame->elsewhere[r.i];
  frame->elsewhere[r.i] |= o->elsewhere;
  return grew;
}

// ---- expressions --------------------------------------------------------------------------------------

typedef struct origin_walk {
  const allocation_sources *s;
  ir_proc proc;
  bool anything;  // points-to has given up on the whole expression
  origin *out;
} origin_walk;

// If a register may hold anything but the whole expression may not, points-to took the register for an index.
static void walk_reg (origin_walk *w, ir_reg r) {
  pointsto_holding holding = pointsto_reg (w->s->pointsto, w->proc, r);
  bool elsewhere = w->out->elsewhere;
  if (holding == POINTSTO_HOLDS_NOTHING) return;
  add_reg (&w->s->frames[w->proc.i], r, w->out);
  if (holding == POINTSTO_HOLDS_ANYTHING && !w->anything) w->out->elsewhere = elsewhere;
}

static bool keeps_whole (ir_expr_op op) {
  return op == IR_X_ITE || op == IR_X_ZEXT || op == IR_X_SEXT || op == IR_X_TRUNC;
}

// Adds the origins of an expression. A number names an object only if it is the whole value (`whole`).
static void walk_expr (origin_walk *w, ir_expr x, bool whole) {
  const ir_expr_node *n = ir_expr_at (w->s->program, x);
  if (!pointsto_carries (n->op)) return;
  if (n->op == IR_X_REG) walk_reg (w, n->reg);
  if (n->op == IR_X_ADDR) w->out->elsewhere |= n->object.i != 0;
  if (n->op == IR_X_CONST) w->out->elsewhere |= whole && n->value >> w->s->program->offset_bits;
  for (unsigned k = n->op == IR_X_ITE; k < ir_expr_arity (n->op); k++)
    walk_expr (w, n->arg[k], whole && keeps_whole (n->op));
}

void origin_of_arg (const allocation_sources *s, ir_edge e, unsigned k, origin *out) {
  ir_proc proc = edge_procedure (s->program, e);
  pointsto_set set = pointsto_arg (s->pointsto, e, k);
  origin_walk w = {.s = s, .proc = proc, .anything = set.anything, .out = out};
  origin_clear (out, s->frames[proc.i].words);
  if (escape_set_used (set)) walk_expr (&w, ir_arg (s->program, e, k), true);
}

// ---- edges --------------------------------------------------------------------------------------------

// Turns the origin of an address into the origin of a value loaded from there.
static void become_contents (origin *o, uint32_t words) {
  bits_unite (o->contents, o->objects, words);
  memset (o->objects, 0, sizeof (uint64_t) * words);
}

static void add_edge_source (const allocation_sources *s, ir_edge e, origin *out) {
  if (s->of_edge[e.i] == IR_NONE) out->elsewhere = true;
  else bits_add (out->objects, s->of_edge[e.i]);
}

result_shape sources_call_shape (const allocation_sources *s, ir_edge call) {
  calls_list list = calls_of (s->calls, call);
  uint32_t all = ((uint32_t) 1 << LIMIT_ESCAPE_PARAMETERS) - 1;
  if (list.anything) return (result_shape){.objects = all, .contents = all, .elsewhere = true, .fresh = true};
  result_shape shape = {0};
  for (uint32_t k = 0; k < list.count; k++) {
    const result_shape *one = &s->frames[list.procs[k].i].result;
    shape.objects |= one->objects;
    shape.contents |= one->contents;
    shape.elsewhere |= one->elsewhere;
    shape.fresh |= one->fresh;
  }
  return shape;
}

void origin_of_passed (const allocation_sources *s, ir_edge call, const result_shape *shape, origin *out) {
  uint32_t words = s->frames[edge_procedure (s->program, call).i].words;
  origin_clear (out, words);
  for (uint32_t k = 0; k < LIMIT_ESCAPE_PARAMETERS && k + 1 < ir_edge_at (s->program, call)->num_args; k++) {
    if (!((shape->objects | shape->contents) >> k & 1)) continue;
    origin arg;
    origin_of_arg (s, call, k + 1, &arg);
    if (shape->contents >> k & 1) bits_unite (out->contents, arg.objects, words);
    if (shape->objects >> k & 1) bits_unite (out->objects, arg.objects, words);
    bits_unite (out->contents, arg.contents, words);
    out->elsewhere |= arg.elsewhere;
  }
}

static void origin_of_call (const allocation_sources *s, ir_edge e, origin *out) {
  result_shape shape = sources_call_shape (s, e);
  origin_of_passed (s, e, &shape, out);
  out->elsewhere |= shape.elsewhere;
  if (shape.fresh) add_edge_source (s, e, out);
}

static void origin_of_dst (const allocation_sources *s, ir_edge e, origin *out) {
  uint32_t words = s->frames[edge_procedure (s->program, e).i].words;
  origin_clear (out, words);
  ir_op op = ir_edge_at (s->program, e)->op;
  if (ir_sync_of (op)->action == IR_A_READ) {
    origin_of_arg (s, e, 0, out);
    become_contents (out, words);
    return;
  }
  switch (op) {
  case IR_ASSIGN: origin_of_arg (s, e, 0, out); return;
  case IR_LOAD:
  case IR_LOAD_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
    origin_of_arg (s, e, 0, out);
    become_contents (out, words);
    return;
  case IR_ALLOC: add_edge_source (s, e, out); return;
  case IR_CALL: origin_of_call (s, e, out); return;
  case IR_NOP:
  case IR_ASSUME:
  case IR_NONDET:
  case IR_CHECK:
  case IR_RETURN:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_STORE:
  case IR_STORE_RAW:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: out->elsewhere = true; return;
  }
}

// ---- procedures ---------------------------------------------------------------------------------------

static bool add_return (allocation_sources *s, ir_proc f, ir_edge e) {
  frame_sources *frame = &s->frames[f.i];
  result_shape *shape = &frame->result, old = *shape;
  uint32_t all_params = ((uint32_t) 1 << frame->num_params) - 1;
  if (!ir_edge_at (s->program, e)->num_args) return false;
  origin o;
  origin_of_arg (s, e, 0, &o);
  shape->elsewhere |= o.elsewhere;
  for (uint32_t k = 0; k < frame->words; k++) {
    uint64_t params = k ? 0 : all_params;
    shape->objects |= (uint32_t) (o.objects[k] & params);
    shape->contents |= (uint32_t) (o.contents[k] & params);
    shape->fresh |= ((o.objects[k] | o.contents[k]) & ~params) != 0;
  }
  return shape->objects != old.objects || shape->contents != old.contents || shape->elsewhere != old.elsewhere ||
         shape->fresh != old.fresh;
}

typedef struct origin_change {
  bool registers, shape;
} origin_change;

static void update_edge (allocation_sources *s, ir_proc f, ir_edge e, origin_change *grown) {
  const ir_edge_data *d = ir_edge_at (s->program, e);
  if (d->op == IR_RETURN) grown->shape |= add_return (s, f, e);
  if (!holds_addresses (s, f, d->dst)) return;
  origin o;
  origin_of_dst (s, e, &o);
  grown->registers |= add_to_reg (&s->frames[f.i], d->dst, &o);
}

// Updates all origins of a procedure; returns whether the shape of its result has grown.
static bool update_proc (allocation_sources *s, ir_proc f) {
  const ir_proc_data *d = ir_proc_at (s->program, f);
  origin_change grown = {.registers = true};
  while (grown.registers) {
    grown.registers = false;
    for (uint32_t k = 0; k < d->locs.count; k++) {
      const ir_loc_data *loc = ir_loc_at (s->program, d->locs.data[k]);
      for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++)
        update_edge (s, f, (ir_edge){e}, &grown);
    }
  }
  return grown.shape;
}

static void init_frame (allocation_sources *s, ir_proc f) {
  frame_sources *frame = &s->frames[f.i];
  frame->num_regs = ir_proc_at (s->program, f)->regs.count;
  number_params (s, f, frame);
  number_edges (s, f, frame);
  frame->words = (frame->count + 63) / 64;
  frame->origins = mem_zalloc (sizeof (uint64_t) * 2 * frame->words * frame->num_regs);
  frame->elsewhere = mem_zalloc (frame->num_regs);
  for (uint32_t k = 0; k < ir_proc_at (s->program, f)->num_params; k++) {
    if (k < frame->num_params && frame->followed >> k & 1) bits_add (reg_objects (frame, (ir_reg){k}), k);
    else frame->elsewhere[k] = holds_addresses (s, f, (ir_reg){k});
  }
}

static bool stores_anywhere (const allocation_sources *s, ir_edge e) {
  return escape_stored_value (ir_edge_at (s->program, e)->op) && pointsto_arg (s->pointsto, e, 0).anything;
}

void sources_init (allocation_sources *s, const ir_program *p, const pointsto *facts, const calls *graph) {
  *s = (allocation_sources){.program = p, .pointsto = facts, .calls = graph};
  s->frames = mem_zalloc (sizeof (frame_sources) * p->procs.count);
  s->of_edge = mem_zalloc (sizeof (uint32_t) * p->edges.count);
  for (uint32_t e = 0; e < p->edges.count; e++) {
    s->of_edge[e] = IR_NONE;
    s->wild_stores |= stores_anywhere (s, (ir_edge){e});
  }
  for (uint32_t f = 0; f < p->procs.count; f++) init_frame (s, (ir_proc){f});
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t k = 0; k < p->procs.count; k++) grown |= update_proc (s, calls_order (graph)[k]);
  }
  for (uint32_t f = 0; f < p->procs.count; f++) sources_find_survivors (s, (ir_proc){f});
}

void sources_release (allocation_sources *s) {
  for (uint32_t f = 0; f < s->program->procs.count; f++) {
    frame_sources *frame = &s->frames[f];
    mem_free (frame->origins, sizeof (uint64_t) * 2 * frame->words * frame->num_regs);
    mem_free (frame->elsewhere, frame->num_regs);
    mem_free (frame->old_objects, sizeof (uint64_t) * 2 * frame->words);
    vec_release (&frame->edges);
  }
  mem_free (s->frames, sizeof (frame_sources) * s->program->procs.count);
  mem_free (s->of_edge, sizeof (uint32_t) * s->program->edges.count);
}
