// Checks of --property=uninit: values that were never written are tracked through registers and memory, and the
// behaviour of the program must not depend on them.  docs/decisions/uninitialised-values.md defines which uses count.
//
// Each register that may have undefined bits gets a shadow register (uninit_shadow.c).  Memory has flags for undefined
// bytes already: loads and stores become raw loads and stores, which preserve the flags.  Before branches, addresses,
// outputs and operations with an effect, checks are added that the shadow is zero.  The undefined value itself is 0: up
// to the first check that fails, the behaviour does not depend on it.
//
// If an overflow check depends on an undefined value, the execution ends as unsupported.
#include "base/diag.h"
#include "ir/uninit_impl.h"

// ---- edges ---------------------------------------------------------------------------------------------

ir_edge uninit_emit (uninit *u, ir_op op) {
  ir_loc next = ir_add_loc (u->p, u->proc);
  ir_edge e = ir_add_edge (u->p, op, u->at, next);
  ir_edge_at (u->p, e)->pos = u->pos;
  u->at = next;
  return e;
}

static void emit_assign (uninit *u, ir_reg r, ir_expr x) {
  ir_edge e = uninit_emit (u, IR_ASSIGN);
  ir_add_arg (u->p, e, x);
  ir_edge_at (u->p, e)->dst = r;
}

ir_expr uninit_hold (uninit *u, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (u->p, x);
  if (n->op == IR_X_REG || n->op == IR_X_CONST) return x;
  ir_reg r = ir_add_reg (u->p, u->proc, n->bits, NULL);
  emit_assign (u, r, x);
  return ir_use (u->p, u->proc, r);
}

void uninit_set (uninit *u, ir_reg r, ir_expr shadow) {
  ir_reg s = u->shadows[uninit_reg (u, u->proc, r)];
  if (s.i != IR_NONE) emit_assign (u, s, shadow);
}

void uninit_give_up_unless (uninit *u, ir_expr holds, const char *what) {
  ir_program *p = u->p;
  if (ir_is_const (p, holds) && ir_expr_at (p, holds)->value) return;
  ir_loc good = ir_add_loc (p, u->proc), bad = ir_add_loc (p, u->proc);
  ir_expr conditions[2] = {holds, ir_not (p, holds)};
  for (unsigned k = 0; k < 2; k++) {
    ir_edge e = ir_add_edge (p, IR_ASSUME, u->at, k ? bad : good);
    ir_add_arg (p, e, conditions[k]);
    ir_edge_at (p, e)->pos = u->pos;
  }
  ir_edge e = ir_add_edge (p, IR_UNSUPPORTED, bad, good);
  ir_edge_at (p, e)->message = what;
  ir_edge_at (p, e)->pos = u->pos;
  u->at = good;
}

// Copies the edge's list of operands first, because edges may share a list.
void uninit_replace_arg (uninit *u, ir_edge e, unsigned arg, ir_expr x) {
  ir_edge_data *d = ir_edge_at (u->p, e);
  uint32_t first = u->p->args.count;
  for (uint32_t k = 0; k < d->num_args; k++) {
    ir_expr old = u->p->args.data[d->first_arg + k];
    vec_push (&u->p->args, k == arg ? x : old);
  }
  d->first_arg = first;
}

static void rejoin (uninit *u, ir_loc target) {
  ir_edge e = ir_add_edge (u->p, IR_NOP, u->at, target);
  ir_edge_at (u->p, e)->pos = u->pos;
}

// ---- checks --------------------------------------------------------------------------------------------

static void count_definitions (uninit *u) {
  for (uint32_t e = 0; e < u->num_edges; e++) {
    const ir_edge_data *d = &u->p->edges.data[e];
    uint32_t first = u->procs[ir_loc_at (u->p, d->from)->proc.i].first_reg;
    if (d->dst.i != IR_NONE && u->num_definitions[first + d->dst.i] < 2) u->num_definitions[first + d->dst.i]++;
  }
}

static bool has_lasting_value (const uninit *u, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (u->p, x);
  if (n->op == IR_X_REG) return u->num_definitions[uninit_reg (u, u->proc, n->reg)] < 2;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (!has_lasting_value (u, n->arg[k])) return false;
  return true;
}

// Adds the address from which the value was loaded to the check's name, if the address expression still has the same
// value at the check.  The message then says where that object was allocated or declared.
static void name_check (uninit *u, ir_edge check, origin from) {
  if (from == ORIGIN_NONE || from == ORIGIN_SEVERAL) return;
  ir_edge source = {from - 1};
  const ir_edge_data *d = ir_edge_at (u->p, source);
  if ((d->op != IR_LOAD && d->op != IR_LOAD_RAW) || ir_loc_at (u->p, d->from)->proc.i != u->proc.i) return;
  ir_expr address = ir_arg (u->p, source, 0);
  if (!has_lasting_value (u, address)) return;
  ir_add_name_arg (u->p, check, address);
  ir_edge_at (u->p, check)->name = "{}";
}

static void add_uninit_check (uninit *u, ir_expr holds, origin from, const char *message) {
  if (ir_is_const (u->p, holds) && ir_expr_at (u->p, holds)->value) return;
  ir_edge e = uninit_emit (u, IR_CHECK);
  ir_add_arg (u->p, e, holds);
  ir_edge_at (u->p, e)->aux = IR_P_UNINIT;
  ir_edge_at (u->p, e)->message = message;
  name_check (u, e, from);
}

static void check_arg (uninit *u, ir_edge e, unsigned arg) {
  ir_expr x = ir_arg (u->p, e, arg);
  origin from = uninit_origin (u, u->proc, x);
  if (from != ORIGIN_NONE) add_uninit_check (u, uninit_defined (u, x), from, uninit_message (u, e, arg, from));
}

static void check_all_args (uninit *u, ir_edge e) {
  for (unsigned k = 0; k < ir_edge_at (u->p, e)->num_args; k++) check_arg (u, e, k);
}

// Adds one check for all branches of the location.
static void check_branch (uninit *u, ir_edge first, uint32_t count) {
  ir_expr all = ir_const (u->p, 1, 1);
  origin from = ORIGIN_NONE;
  for (uint32_t k = 0; k < count; k++) {
    ir_expr x = ir_arg (u->p, (ir_edge){first.i + k}, 0);
    origin here = uninit_origin (u, u->proc, x);
    if (here == ORIGIN_NONE) continue;
    from = from == ORIGIN_NONE || from == here ? here : ORIGIN_SEVERAL;
    all = ir_binary (u->p, IR_X_AND, all, uninit_hold (u, uninit_defined (u, x)));
  }
  if (from != ORIGIN_NONE) add_uninit_check (u, all, from, uninit_message (u, first, 0, from));
}

// ---- memory --------------------------------------------------------------------------------------------

// Turns the load into a raw load, whose mask is the shadow of the loaded value.
static void make_load (uninit *u, ir_edge e) {
  ir_reg mask = ir_add_reg (u->p, u->proc, 8u * ir_edge_at (u->p, e)->bytes, NULL);
  ir_edge_data *d = ir_edge_at (u->p, e);
  d->op = IR_LOAD_RAW;
  d->aux = IR_MASK_OF_BITS;
  d->dst2 = mask;
}

static void set_loaded_shadow (uninit *u, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (u->p, e);
  CHECK (d->aux == IR_MASK_OF_BITS, "a raw load should keep undefined bits");
  unsigned bits = ir_proc_at (u->p, u->proc)->regs.data[d->dst.i].bits, loaded = 8u * d->bytes;
  ir_expr mask = ir_use (u->p, u->proc, d->dst2);
  uninit_set (u, d->dst, bits < loaded ? ir_unary (u->p, IR_X_TRUNC, bits, mask) : mask);
}

// Returns one bit: does the address point into a word of the command line?  These objects start undefined, too, so that
// a value is chosen when one is read; but they are inputs, not values that were never written.
static ir_expr is_argument_address (uninit *u, ir_expr address) {
  ir_program *p = u->p;
  unsigned bits = uninit_bits (u, address);
  ir_expr object = ir_binary (p, IR_X_LSHR, address, ir_const (p, bits, p->offset_bits)), any = ir_const (p, 1, 0);
  for (uint32_t o = 0; o < u->num_objects; o++)
    if (p->objects.data[o].argument)
      any = ir_binary (p, IR_X_OR, any, ir_binary (p, IR_X_EQ, object, ir_const (p, bits, o)));
  return any;
}

// May the load read a word of the command line?  The program accesses these objects through pointers only.
static bool may_read_argument (const uninit *u, ir_edge e) {
  return u->has_arguments && ir_expr_at (u->p, ir_arg (u->p, e, 0))->op != IR_X_ADDR;
}

// Sets the shadow after a raw load.  If the load has read undefined bytes of an input, a normal load reads them again,
// which chooses their values, and the shadow is zero.
static void set_loaded_shadow_or_input (uninit *u, ir_edge e) {
  ir_program *p = u->p;
  ir_edge_data d = *ir_edge_at (p, e);
  ir_expr undefined = ir_binary (p, IR_X_NE, ir_use (p, u->proc, d.dst2), ir_const (p, 8u * d.bytes, 0)),
          is_input = uninit_hold (u, ir_binary (p, IR_X_AND, undefined, is_argument_address (u, ir_arg (p, e, 0))));
  ir_loc from = u->at, behind = ir_add_loc (p, u->proc), ways[2] = {ir_add_loc (p, u->proc), ir_add_loc (p, u->proc)};
  for (unsigned k = 0; k < 2; k++) {
    ir_edge way = ir_add_edge (p, IR_ASSUME, from, ways[k]);
    ir_add_arg (p, way, k ? ir_not (p, is_input) : is_input);
    ir_edge_at (p, way)->pos = u->pos;
  }
  u->at = ways[0];
  ir_edge again = uninit_emit (u, IR_LOAD);
  ir_add_arg (p, again, ir_arg (p, e, 0));
  ir_edge_data *a = ir_edge_at (p, again);
  a->bytes = d.bytes, a->order = d.order, a->is_volatile = d.is_volatile, a->dst = d.dst;
  a->name = d.name, a->first_name_arg = d.first_name_arg, a->num_name_args = d.num_name_args;
  uninit_set (u, d.dst, ir_const (p, ir_proc_at (p, u->proc)->regs.data[d.dst.i].bits, 0));
  rejoin (u, behind);
  u->at = ways[1];
  set_loaded_shadow (u, e);
  rejoin (u, behind);
  u->at = behind;
}

static void make_store (uninit *u, ir_edge e) {
  ir_expr x = ir_arg (u->p, e, 1), s = uninit_shadow (u, x);
  unsigned bits = 8u * ir_edge_at (u->p, e)->bytes;
  if (ir_is_const (u->p, s) && !ir_expr_at (u->p, s)->value) return;
  s = uninit_hold (u, uninit_bits (u, s) < bits ? ir_unary (u->p, IR_X_ZEXT, bits, s) : s);
  ir_expr address = ir_arg (u->p, e, 0);
  ir_edge_data *d = ir_edge_at (u->p, e);
  d->op = IR_STORE_RAW;
  d->aux = IR_MASK_OF_BITS;
  d->first_arg = u->p->args.count;
  d->num_args = 3;
  vec_push (&u->p->args, address);
  vec_push (&u->p->args, x);
  vec_push (&u->p->args, s);
}

static void emit_region (uninit *u, ir_op op) { ir_edge_at (u->p, uninit_emit (u, op))->aux = IR_UNSEEN; }

// Checks the old value of a read-modify-write operation: begins an atomic region, reads the value and adds a check.
// True: a check was added, and the caller must end the region after the operation.
static bool check_old_value (uninit *u, ir_edge e) {
  ir_expr address = ir_arg (u->p, e, 0);
  if (uninit_origin_of_memory (u, address) == ORIGIN_NONE) return false;
  ir_edge_data d = *ir_edge_at (u->p, e);
  ir_reg value = ir_add_reg (u->p, u->proc, 8u * d.bytes, NULL), mask = ir_add_reg (u->p, u->proc, 8u * d.bytes, NULL);
  emit_region (u, IR_ATOMIC_BEGIN);
  ir_edge look = uninit_emit (u, IR_LOAD_RAW);
  ir_add_arg (u->p, look, address);
  ir_edge_data *l = ir_edge_at (u->p, look);
  l->bytes = d.bytes, l->order = d.order, l->is_volatile = d.is_volatile;
  l->dst = value, l->dst2 = mask, l->aux = IR_MASK_OF_BITS;
  l->name = d.name, l->first_name_arg = d.first_name_arg, l->num_name_args = d.num_name_args;
  ir_expr none = ir_binary (u->p, IR_X_EQ, ir_use (u->p, u->proc, mask), ir_const (u->p, 8u * d.bytes, 0));
  add_uninit_check (u, none, ORIGIN_NONE, uninit_message (u, e, 1, 1 + look.i));
  return true;
}

// ---- one location --------------------------------------------------------------------------------------

// Lets the edge lead to a new location, at which the next edges are added, and returns its old target.  The caller ends
// the added edges with `rejoin (target)`.
static ir_loc detach_target (uninit *u, ir_edge e) {
  ir_loc target = ir_edge_at (u->p, e)->to, behind = ir_add_loc (u->p, u->proc);
  ir_edge_at (u->p, e)->to = behind;
  u->at = behind;
  return target;
}

// Replaces the NONDET of a local that was never written by an assign of 0, with all bits of the shadow set.
static void define_unwritten_local (uninit *u, ir_edge e) {
  ir_reg r = ir_edge_at (u->p, e)->dst;
  unsigned bits = ir_proc_at (u->p, u->proc)->regs.data[r.i].bits;
  uninit_set (u, r, ir_const (u->p, bits, ir_mask (bits)));
  ir_edge_at (u->p, e)->op = IR_ASSIGN;
  ir_edge_at (u->p, e)->aux = 0;
  ir_add_arg (u->p, e, ir_const (u->p, bits, 0));
}

static void check_condition_is_defined (uninit *u, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (u->p, e);
  if (d->aux != IR_P_OVERFLOW) {
    check_arg (u, e, 0);
    return;
  }
  if (uninit_origin (u, u->proc, ir_arg (u->p, e, 0)) == ORIGIN_NONE) return;
  uninit_give_up_unless (u, uninit_hold (u, uninit_defined (u, ir_arg (u->p, e, 0))),
                         "an overflow check of a value that was never written");
}

static bool has_shadow (const uninit *u, ir_reg r) {
  return r.i != IR_NONE && u->shadows[uninit_reg (u, u->proc, r)].i != IR_NONE;
}

// Adds the edges before this edge.  True: an atomic region must be ended after it.
static bool add_checks_before (uninit *u, ir_edge e) {
  ir_op op = ir_edge_at (u->p, e)->op;
  switch (op) {
  case IR_ASSIGN:
    if (has_shadow (u, ir_edge_at (u->p, e)->dst))
      uninit_set (u, ir_edge_at (u->p, e)->dst, uninit_shadow (u, ir_arg (u->p, e, 0)));
    return false;
  case IR_NONDET:
    if (ir_edge_at (u->p, e)->aux == IR_NONDET_UNWRITTEN) define_unwritten_local (u, e);
    return false;
  case IR_CHECK: check_condition_is_defined (u, e); return false;
  case IR_LOAD:
    check_arg (u, e, 0);
    // the loaded register may occur in the address, which is needed again after the load
    if (may_read_argument (u, e)) uninit_replace_arg (u, e, 0, uninit_hold (u, ir_arg (u->p, e, 0)));
    return false;
  case IR_LOAD_RAW:
  case IR_STORE_RAW:
  case IR_FORGET: check_arg (u, e, 0); return false;
  case IR_STORE:
    check_arg (u, e, 0);
    make_store (u, e);
    return false;
  case IR_RMW:
  case IR_CMPXCHG: check_all_args (u, e); return check_old_value (u, e);
  case IR_CALL:
    check_arg (u, e, 0);
    uninit_pass_arguments (u, e);
    return false;
  case IR_RETURN:
  case IR_THREAD_EXIT: uninit_pass_result (u, e); return false;
  case IR_THREAD_CREATE:
    check_arg (u, e, 0);
    check_arg (u, e, 1);
    uninit_pass_thread_argument (u, e);
    return false;
  case IR_NOP:
  case IR_ASSUME:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_ALLOC:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  check_all_args (u, e);
  return false;
}

static void add_edges_after (uninit *u, ir_edge e, bool close_region) {
  ir_op op = ir_edge_at (u->p, e)->op;
  ir_reg dst = ir_edge_at (u->p, e)->dst;
  bool sets = has_shadow (u, dst) && op != IR_ASSIGN;
  bool is_load = op == IR_LOAD || op == IR_LOAD_RAW;
  bool is_raw = is_load && sets && uninit_origin_of_memory (u, ir_arg (u->p, e, 0)) != ORIGIN_NONE;
  if (op == IR_LOAD && is_raw) make_load (u, e);
  if (!sets && !close_region) return;
  ir_loc target = detach_target (u, e);
  if (close_region) emit_region (u, IR_ATOMIC_END);
  if (is_raw && op == IR_LOAD && may_read_argument (u, e)) set_loaded_shadow_or_input (u, e);
  else if (is_raw) set_loaded_shadow (u, e);
  else if (sets && op == IR_CALL) uninit_take_result (u, e);
  else if (sets && op == IR_THREAD_JOIN) uninit_take_thread_result (u, e);
  else if (sets) uninit_set (u, dst, ir_const (u->p, ir_proc_at (u->p, u->proc)->regs.data[dst.i].bits, 0));
  rejoin (u, target);
}

static void add_location_checks (uninit *u, ir_loc l) {
  ir_loc_data d = *ir_loc_at (u->p, l);
  if (!d.num_edges) return;
  u->proc = d.proc;
  u->at = l;
  u->pos = u->p->edges.data[d.first_edge].pos;
  ir_edge first = {d.first_edge};
  bool is_branch = ir_edge_at (u->p, first)->op == IR_ASSUME, close_region = false;
  if (is_branch) check_branch (u, first, d.num_edges);
  else close_region = add_checks_before (u, first);
  for (uint32_t k = 0; k < d.num_edges; k++) u->p->edges.data[first.i + k].from = u->at;
  if (!is_branch) add_edges_after (u, first, close_region);
}

// ---- the program ---------------------------------------------------------------------------------------

static void uninit_init (uninit *u, ir_program *p) {
  *u = (uninit){.p = p, .num_edges = p->edges.count, .num_locs = p->locs.count, .num_objects = p->objects.count};
  u->procs = mem_zalloc (p->procs.count * sizeof *u->procs);
  for (uint32_t f = 0; f < p->procs.count; f++) {
    u->procs[f].first_reg = u->num_regs;
    u->procs[f].num_regs = p->procs.data[f].regs.count;
    u->num_regs += u->procs[f].num_regs;
  }
  u->regs = mem_zalloc (u->num_regs * sizeof *u->regs);
  u->num_definitions = mem_zalloc (u->num_regs * sizeof *u->num_definitions);
  u->shadows = mem_zalloc (u->num_regs * sizeof *u->shadows);
  u->objects = mem_zalloc (u->num_objects * sizeof *u->objects);
  u->is_escaped = mem_zalloc (u->num_objects * sizeof *u->is_escaped);
  for (uint32_t o = 0; o < u->num_objects; o++) u->has_arguments |= p->objects.data[o].argument;
}

static void uninit_release (uninit *u, uint32_t num_procs) {
  mem_free (u->procs, num_procs * sizeof *u->procs);
  mem_free (u->regs, u->num_regs * sizeof *u->regs);
  mem_free (u->num_definitions, u->num_regs * sizeof *u->num_definitions);
  mem_free (u->shadows, u->num_regs * sizeof *u->shadows);
  mem_free (u->objects, u->num_objects * sizeof *u->objects);
  mem_free (u->is_escaped, u->num_objects * sizeof *u->is_escaped);
  vec_release (&u->by_pointer);
}

static void add_shadow_registers (uninit *u) {
  ir_program *p = u->p;
  for (uint32_t f = 0; f < p->procs.count; f++)
    for (uint32_t r = 0; r < u->procs[f].num_regs; r++) {
      uint32_t i = u->procs[f].first_reg + r;
      u->shadows[i].i = IR_NONE;
      if (u->regs[i] != ORIGIN_NONE)
        u->shadows[i] = ir_add_reg (p, (ir_proc){f}, p->procs.data[f].regs.data[r].bits, NULL);
    }
}

// Removes the checks of this property that the front end has added: they only marked conditions on which behaviour
// depends, and the checks of the shadows of these conditions have been added now.
static void remove_marking_checks (ir_program *p, uint32_t num_edges) {
  for (uint32_t e = 0; e < num_edges; e++) {
    ir_edge_data *d = &p->edges.data[e];
    if (d->op != IR_CHECK || d->aux != IR_P_UNINIT) continue;
    d->op = IR_NOP;
    d->aux = 0;
    d->num_args = 0;
    d->message = NULL;
  }
}

void ir_keep_undefined (ir_program *p) { p->tables->keeps_undefined = true; }

void ir_add_uninit_checks (ir_program *p) {
  uninit u;
  p->tables->keeps_undefined = false;
  ir_finish (p);
  uninit_init (&u, p);
  uninit_find_origins (&u);
  count_definitions (&u);
  uninit_prepare_calls (&u);
  add_shadow_registers (&u);
  for (uint32_t l = 0; l < u.num_locs; l++) add_location_checks (&u, (ir_loc){l});
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (p->procs.data[f].entry.i != IR_NONE) uninit_add_prologue (&u, (ir_proc){f});
  remove_marking_checks (p, u.num_edges);
  uninit_release (&u, p->procs.count);
  ir_finish (p);
}
