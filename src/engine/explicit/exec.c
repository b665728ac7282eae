// Executes one step of one thread: its visible operation, then local work up to the next visible one. So in every
// stored state the next operation of each thread is visible and its address is known.
//
// An operation that ends an execution (a failed check, an infeasible assume, a memory error, the end of the process)
// counts as visible while other threads run, because the other threads may have steps before it. When only one thread
// is alive nothing is visible and the step runs on to the next thread_create.
#include "base/diag.h"
#include "engine/explicit/exec.h"
#include "engine/explicit/protect.h"
#include "ir/sync.h"

// LOCAL_LIMIT: instructions after which a local loop pauses, so that its cycles close in the state table.
// LOCAL_CHOICES: the same for chosen values, outside of atomic regions, because a loop that chooses has too many paths.
enum { LOCAL_LIMIT = 20000, LOCAL_CHOICES = 8 };
// number of created threads that do their first local work within the step that creates them
enum { LOCAL_STARTS = 8 };
enum { OBSERVED_CHOICES = 2 };    // choices in one step of a formula check
enum { REGION_LIMIT = 1 << 24 };  // instructions of a step that cannot pause because it is inside an atomic region

// Returns whether a local loop should pause.
static bool is_long (const current_state *w, const state_thread *t, uint32_t count) {
  return count > LOCAL_LIMIT || (w->step.chosen.count > LOCAL_CHOICES && !t->atomic);
}

// ---- visibility ---------------------------------------------------------------------------------------
static bool overlaps_mutex (const next_access *plain, const next_access *waiting) {
  return plain->bytes && plain->plain && waiting->mutex && plain->address < waiting->mutex + 4 &&
         waiting->mutex < plain->address + plain->bytes;
}

bool xs_exec_conflict (const next_access *a, const next_access *b) {
  if (overlaps_mutex (a, b) || overlaps_mutex (b, a)) return true;
  return a->bytes && b->bytes && (a->write || b->write) && (a->plain || b->plain) &&
         a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

void xs_exec_violate (current_state *w, ir_property property, uint32_t slot, uint32_t edge, uint32_t other) {
  if (!(w->semantics->properties & (1u << property))) {
    if (ir_end_of_undefined (property)) w->ignored_error = edge, w->ignored_property = property;
    return;
  }
  violation v = {.property = property,
                 .thread = slot,
                 .edge = edge,
                 .other = other,
                 .other_edge = IR_NONE,
                 .num_parts = w->step.parts.count,
                 .num_chosen = w->step.chosen.count,
                 .edges_before = w->step.edges};
  if (other != IR_NONE) v.other_edge = xs_exec_insn (w, other)->edge;
  vec_push (&w->step.violations, v);
}

// The states inside an atomic region are not stored, so races with its accesses are detected while it runs.
void run_check_atomic_race (run *r, const next_access *mine) {
  current_state *w = r->w;
  if (w->reduced) vec_push (&w->step.accessed, *mine);
  if (!(w->semantics->properties & (1u << IR_P_RACE))) return;
  for (uint32_t u = 0; u < w->num_slots; u++) {
    const state_thread *other = &w->threads[u];
    if (u == r->slot || other->status != T_RUNNING || other->atomic || !xs_exec_conflict (mine, &other->pending))
      continue;
    xs_exec_violate (w, IR_P_RACE, r->slot, r->i->edge, u);
  }
}

step_continuation run_cut (run *r, const char *why) {
  r->w->step.stop_message = why;
  r->w->step.stop_edge = r->i->edge;
  return CUT;
}

static step_continuation exit_process (run *r) {
  bool in_order = r->w->program->edges.data[r->i->edge].aux != IR_EXIT_AT_ONCE;
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  if (!in_order || !xs_leaks (r->w, r->slot, IR_NONE)) return EXITED;
  xs_exec_violate (r->w, IR_P_LEAK, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

static step_continuation end_or_stop (run *r, step_continuation end) {
  return run_stopping (r) ? run_stop_before (r, (next_access){0}) : end;
}
// ---- other operations ---------------------------------------------------------------------------------
uint64_t xs_exec_nondet (current_state *w, uint32_t edge, unsigned bits, ir_value *wide) {
  uint32_t k = xs_step_choose (w, values_count (w->values, edge, bits));
  ir_value value = values_get (w->values, edge, bits, k);
  vec_push (&w->step.chosen, value);
  if (wide) *wide = value;
  return (uint64_t) value;
}

static void execute_generic (run *r) {
  const generic_shape *s = &r->w->code->shapes.data[r->i->target];
  const operand x[3] = {r->i->a, r->i->b, r->i->c};
  ir_value args[3] = {0};
  for (unsigned k = 0; k < s->arity; k++) args[k] = run_get_wide (r, x[k], s->operand_bits[k]);
  unsigned operand_bits = s->op == IR_X_ITE ? s->bits : s->operand_bits[0];
  run_set_wide (r, r->i->dst, ir_eval_op (s->op, s->bits, operand_bits, args), s->bits);
}

static step_continuation execute_check (run *r) {
  if (run_get (r, r->i->a)) return GO;
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  xs_exec_violate (r->w, (ir_property) r->i->aux, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

static step_continuation execute_unsupported (run *r) {
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  r->w->step.stop_message = r->w->program->edges.data[r->i->edge].message;
  r->w->step.stop_edge = r->i->edge;
  return UNSUPPORTED_OP;
}

static bool sync_is_disguised (const run *r) {
  bool names_thread = r->i->ir == IR_THREAD_JOIN || r->i->ir == IR_THREAD_DETACH;
  const state_object *o = names_thread ? NULL : xs_object_find (r->w, run_get (r, r->i->a));
  return o && run_is_disguised (r, o);
}

static bool sync_is_private (const run *r) {
  const ir_sync *facts = ir_sync_of (r->i->ir);
  if (facts->family == IR_F_THREAD || facts->untouched) return false;
  state_object *o = xs_object_find (r->w, run_get (r, r->i->a));
  if (!o) r->w->step.uncacheable = true;
  else if (o->kind != OBJ_STATIC) xs_object_note_read (r->w, o, 0, 0);
  return o && !o->shared;
}

static step_continuation execute_sync (run *r) {
  if (r->i->ir == IR_THREAD_EXIT) return run_end_thread (r, run_get (r, r->i->a));
  if (sync_is_disguised (r)) return run_stop_at_disguise (r);
  bool scheduled = r->first && run_watched (r);
  if (!scheduled) {
    next_access p;
    xs_sync_pending (r->w, r->slot, r->i, &p);
    if (r->w->running > 1 && r->t->atomic && p.bytes) run_check_atomic_race (r, &p);
    if (run_stopping (r) && !sync_is_private (r)) return run_stop_before (r, p);
    if (!xs_sync_can_step (r->w, r->slot, r->i, true)) return run_stop_before (r, p);
  }
  if (run_sync_intruding (r)) return run_break_ownership (r);
  // Outside of regions, transaction.c records the operation before the step.
  if (r->t->atomic && r->w->protect) protect_note_sync (r->w->protect, r->i->ir, run_get (r, r->i->a));
  sync_result result = xs_sync_execute (r->w, r->slot, r->i);
  run_refresh (r);
  switch (result) {
  case SYNC_GO: return GO;
  case SYNC_ENDED_THREAD: return THREAD_OVER;
  case SYNC_CUT: return CUT;
  case SYNC_VIOLATION: return VIOLATED;
  }
  return GO;
}

static step_continuation execute_atomic (run *r) {
  if (r->i->op == BC_ATOMIC_END) {
    if (r->t->atomic) r->t->atomic--;
    return GO;
  }
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  r->t->atomic++;
  r->w->step.uncacheable = true;  // other threads' next accesses are compared inside the region
  return GO;
}

static uint64_t tls_address (const run *r) {
  const current_state *w = r->w;
  uint32_t k = 0;
  while (w->tls.data[k] != r->i->target) k++;
  return ((uint64_t) w->threads[r->slot].objects.data[k]->number << w->program->offset_bits) + r->i->other;
}

static uint64_t read_object_size (const run *r) {
  r->w->step.uncacheable = true;
  const state_object *o = xs_object_find (r->w, run_get (r, r->i->a));
  return o && o->state == OBJ_ALIVE ? o->size : 0;
}

static inline void execute_arithmetic (run *r) {
  const insn *i = r->i;
  uint64_t a = run_get (r, i->a), b = run_get (r, i->b), x;
  unsigned n = i->bits;
  switch (i->op) {
  case BC_ADD: x = (a + b) & run_mask (n); break;
  case BC_SUB: x = (a - b) & run_mask (n); break;
  case BC_MUL: x = (a * b) & run_mask (n); break;
  case BC_AND: x = a & b; break;
  case BC_OR: x = a | b; break;
  case BC_XOR: x = a ^ b; break;
  case BC_SHL: x = b < n ? (a << b) & run_mask (n) : 0; break;
  case BC_LSHR: x = b < n ? a >> b : 0; break;
  case BC_ASHR: x = (uint64_t) (run_signed (a, n) >> (b < n ? b : n - 1)) & run_mask (n); break;
  case BC_EQ: x = a == b; break;
  case BC_NE: x = a != b; break;
  case BC_ULT: x = a < b; break;
  case BC_ULE: x = a <= b; break;
  case BC_SLT: x = run_signed (a, n) < run_signed (b, n); break;
  default: x = run_signed (a, n) <= run_signed (b, n); break;
  }
  r->regs[i->dst] = x;
}

static step_continuation execute_visible (run *r) {
  const insn *i = r->i;
  r->w->reached[i->edge] = 1;
  switch (i->op) {
  case BC_NONDET: {
    ir_value value;
    xs_exec_nondet (r->w, i->edge, i->bits, &value);
    run_set_wide (r, i->dst, value, i->bits);
    return GO;
  }
  case BC_CHECK: return execute_check (r);
  case BC_CALL: return run_call (r);
  case BC_RETURN: return run_return (r);
  case BC_UNSUPPORTED: return execute_unsupported (r);
  case BC_STACK_SAVE: r->regs[i->dst] = vec_last (&r->t->frames).num_stack; return GO;
  case BC_STACK_RESTORE: return run_stack_restore (r);
  case BC_ALLOC: return run_alloc (r);
  case BC_OBJECT_SIZE: r->regs[i->dst] = read_object_size (r) & run_mask (i->bits); return GO;
  case BC_SELF: r->regs[i->dst] = r->slot + 1; return GO;
  case BC_LOAD: return run_load (r);
  case BC_STORE: return run_store (r);
  case BC_LOAD_RAW: return run_load_raw (r);
  case BC_STORE_RAW: return run_store_raw (r);
  case BC_RMW: return run_rmw (r);
  case BC_CMPXCHG: return run_cmpxchg (r);
  case BC_FREE: return run_free (r);
  case BC_FORGET: return run_forget (r);
  case BC_OWN: return run_own (r);
  case BC_SYNC: return execute_sync (r);
  case BC_ATOMIC_BEGIN:
  case BC_ATOMIC_END: return execute_atomic (r);
  case BC_EXIT: return exit_process (r);
  case BC_INFEASIBLE: return end_or_stop (r, INFEASIBLE_PATH);
  default: BUG ("bytecode operation %d should be known", i->op);
  }
}

// ---- with a formula observer --------------------------------------------------------------------------
// Returns whether a thread may stop before this instruction: all operands of its edge have been computed.
static bool is_edge (const insn *i) { return i->weight ? i->op != BC_CALL : i->op == BC_NOP && i->aux; }

// An edge has been completed: returns whether the step should end before the next one. An atomic region is one step.
static bool observer_ends_step (run *r, uint32_t pc, uint32_t count) {
  current_state *w = r->w;
  vec_last (&r->t->frames).pc = pc;
  if (xs_exec_region_active (w)) return false;
  if (true_propositions (w, w->observer, false) != w->observer->letter) return true;
  w->observer->unnoticed++;
  if (w->step.next_choice >= OBSERVED_CHOICES) return true;  // a local loop with choices has too many paths
  return w->observer->every_edge || w->observer->unnoticed == w->observer->most || count > LOCAL_LIMIT;
}

// A thread that stops before a jump stops at its target. Returns false if the step has become too long.
static bool observer_allows_next (run *r, uint32_t *pc, uint32_t count, bool *halting) {
  const insn *code = r->w->code->insns.data;
  while (code[*pc].op == BC_JUMP) *pc = code[*pc].target;
  *halting = observer_ends_step (r, *pc, count);
  return *halting || count <= REGION_LIMIT;
}

static step_continuation run_thread (current_state *w, uint32_t slot, bool scheduled) {
  state_thread *t = &w->threads[slot];
  bool halting = w->observer && !scheduled;
  xs_state_mark_thread (w, slot);
  run r = {.w = w, .t = t, .slot = slot, .first = scheduled};
  w->step.edges = 0;
  run_refresh (&r);
  uint32_t pc = vec_last (&t->frames).pc, count = 0;
  t->pending = (next_access){0};
  const insn *code = w->code->insns.data;
  step_continuation result;
  for (;;) {
    const insn *i = r.i = &code[pc];
    if (halting && is_edge (i)) {
      vec_last (&t->frames).pc = pc;
      result = STOP;
      goto done;
    }
    count++;
    switch (i->op) {
    case BC_MOVE:
      r.regs[i->dst] = run_get (&r, i->a);
      pc++;
      break;
    case BC_MOVE2:
      run_set_wide (&r, i->dst, run_get_wide (&r, i->a, 128), 128);
      pc++;
      break;
    case BC_ITE:
      r.regs[i->dst] = run_get (&r, run_get (&r, i->a) ? i->b : i->c);
      pc++;
      break;
    case BC_SEXT:
      r.regs[i->dst] = (uint64_t) run_signed (run_get (&r, i->a), i->bits) & run_mask (i->aux);
      pc++;
      break;
    case BC_TRUNC:
      r.regs[i->dst] = run_get (&r, i->a) & run_mask (i->bits);
      pc++;
      break;
    case BC_GENERIC:
      execute_generic (&r);
      pc++;
      break;
    case BC_TLS_ADDR:
      r.regs[i->dst] = tls_address (&r);
      pc++;
      break;
    case BC_NOP: pc++; break;
    case BC_JUMP:
    case BC_BRANCH:
    case BC_BRANCH_IF:
      if (i->back && is_long (w, t, count) && !w->observer) {
        vec_last (&t->frames).pc = pc;
        w->step.took_sticky_jump = true;
        result = STOP;
        goto done;
      }
      if (i->op != BC_JUMP) w->reached[i->edge] = 1;
      if (i->op == BC_JUMP) pc = i->target;
      else if (run_get (&r, i->a)) pc = i->target;
      else if (i->op == BC_BRANCH) pc = i->other;
      else {
        pc++;
        r.first &= w->observer != NULL;
        continue;  // branch not taken: no edge is completed
      }
      if (i->sticky && &code[pc] <= i && w->running > 1) w->step.took_sticky_jump = true;
      break;
    default:
      if (i->op <= BC_SLE) {
        execute_arithmetic (&r);
        pc++;
        break;
      }
      vec_last (&t->frames).pc = pc;
      uint32_t held_by_others = w->num_owned ? run_held_by_others (&r) : 0;
      result = execute_visible (&r);
      if (w->num_owned || held_by_others) result = run_check_owned (&r, result, held_by_others);
      if (result != GO) goto done;
      pc = i->op == BC_CALL ? vec_last (&t->frames).pc : vec_last (&t->frames).pc + 1;
    }
    w->step.edges += i->weight;
    if (w->observer && !i->weight) continue;
    r.first = false;
    if (!w->observer || observer_allows_next (&r, &pc, count, &halting)) continue;
    result = run_cut (&r, "an atomic region goes on for more than 16 million operations");
    goto done;
  }
done:
  w->instructions += count;
  if (w->observer) t->pending = (next_access){0};  // formula checks do not detect races
  if (result == THREAD_OVER) w->step.edges++;
  if (w->step.edges) vec_push (&w->step.parts, ((schedule_part){slot, w->step.edges}));
  return result;
}

bool xs_exec_region_active (const current_state *w) {
  for (uint32_t t = 0; t < w->num_slots; t++) {
    if (w->threads[t].status != T_RUNNING || !w->threads[t].atomic) continue;
    const insn *i = xs_exec_insn (w, t);
    if (i->op != BC_SYNC || xs_sync_can_step (w, t, i, true)) return true;
  }
  return false;
}

static step_result step_result_of (step_continuation f) {
  switch (f) {
  case EXITED: return STEP_EXITED;
  case VIOLATED: return STEP_VIOLATION;
  case INFEASIBLE_PATH: return STEP_INFEASIBLE;
  case CUT: return STEP_CUT;
  case UNSUPPORTED_OP: return STEP_UNSUPPORTED;
  default: return STEP_DONE;
  }
}

step_result xs_exec_step (current_state *w, uint32_t slot) {
  vec_clear (&w->step.starts);
  if (w->num_owned) w->step.uncacheable = true;  // the declarations of other threads matter
  step_continuation f = run_thread (w, slot, true);
  // New threads do their first local work at once, unless an atomic region forbids it. If the new thread is the only
  // one alive, its local work includes starting the next thread and ending: a chain of such threads has to pause
  // somewhere, like a local loop.
  for (uint32_t k = 0; k < w->step.starts.count && k < LOCAL_STARTS && (f == STOP || f == THREAD_OVER); k++)
    if (w->observer || !xs_exec_region_active (w)) f = run_thread (w, w->step.starts.data[k], false);
  w->step.took_sticky_jump |= w->step.starts.count > LOCAL_STARTS;
  return step_result_of (f);
}

void xs_exec_settle (current_state *w, uint32_t slot) { run_thread (w, slot, false); }

bool xs_exec_enabled (const current_state *w, uint32_t slot) {
  const insn *i = xs_exec_insn (w, slot);
  return i->op != BC_SYNC || xs_sync_can_step (w, slot, i, false);
}
