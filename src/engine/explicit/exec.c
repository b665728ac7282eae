// One step of one thread: its visible operation, then local work up to the next one (so that in every stored
// state each thread stands before a visible operation whose address is known).
//
// What ends an execution (a failed check, an infeasible assume, a memory error, the end of the process) counts as
// visible while other threads run: the others must get their chance before it.  When only one thread is alive
// nothing is visible and the step runs on to the next thread_create.
#include "base/diag.h"
#include "engine/explicit/exec.h"
#include "ir/sync.h"

// Instructions after which a local loop pauses; cycles then close in the state table.  The same for values chosen, outside of atomic regions: all ways
// through a loop that chooses are too many.
enum { LOCAL_LIMIT = 20000, LOCAL_CHOICES = 8 };
enum { LOCAL_STARTS = 8 };        // so many threads that a step creates do local work in it
enum { WATCHED_CHOICES = 2 };     // of a step with a watch
enum { REGION_LIMIT = 1 << 24 };  // instructions of a step that cannot pause, because it is inside an atomic region

// Should a local loop pause?
static bool is_long (const world *w, const thread *t, uint32_t count) {
  return count > LOCAL_LIMIT || (w->step.chosen.count > LOCAL_CHOICES && !t->atomic);
}

// ---- visibility ----------------------------------------------------------------------------------------
static bool overlaps_mutex (const pending *plain, const pending *waiting) {
  return plain->bytes && plain->plain && waiting->mutex && plain->address < waiting->mutex + 4 &&
         waiting->mutex < plain->address + plain->bytes;
}

bool xs_exec_conflict (const pending *a, const pending *b) {
  if (overlaps_mutex (a, b) || overlaps_mutex (b, a)) return true;
  return a->bytes && b->bytes && (a->write || b->write) && (a->plain || b->plain) &&
         a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

void xs_exec_violate (world *w, ir_property property, uint32_t slot, uint32_t edge, uint32_t other) {
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

// Inside an atomic region the states between are not stored, so races are looked for on the way.
void run_check_atomic_race (run *r, const pending *mine) {
  world *w = r->w;
  if (w->reduced) vec_push (&w->step.touched, *mine);
  if (!(w->semantics->properties & (1u << IR_P_RACE))) return;
  for (uint32_t u = 0; u < w->num_slots; u++) {
    const thread *other = &w->threads[u];
    if (u == r->slot || other->status != T_RUNNING || other->atomic || !xs_exec_conflict (mine, &other->pending))
      continue;
    xs_exec_violate (w, IR_P_RACE, r->slot, r->i->edge, u);
  }
}

flow run_cut (run *r, const char *why) {
  r->w->step.stop_message = why;
  r->w->step.stop_edge = r->i->edge;
  return CUT;
}

static flow exit_process (run *r) {
  bool in_order = r->w->program->edges.data[r->i->edge].aux != IR_EXIT_AT_ONCE;
  if (run_stopping (r)) return run_stop_before (r, (pending){0});
  if (!in_order || !xs_leaks (r->w, r->slot, IR_NONE)) return EXITED;
  xs_exec_violate (r->w, IR_P_LEAK, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

static flow end_or_stop (run *r, flow end) { return run_stopping (r) ? run_stop_before (r, (pending){0}) : end; }
// ---- the rest ------------------------------------------------------------------------------------------
uint64_t xs_exec_nondet (world *w, uint32_t edge, unsigned bits, ir_value *wide) {
  uint32_t k = world_choose (w, values_count (w->values, edge, bits));
  ir_value value = values_get (w->values, edge, bits, k);
  vec_push (&w->step.chosen, value);
  if (wide) *wide = value;
  return (uint64_t) value;
}

static void do_generic (run *r) {
  const generic_shape *s = &r->w->code->shapes.data[r->i->target];
  const operand x[3] = {r->i->a, r->i->b, r->i->c};
  ir_value args[3] = {0};
  for (unsigned k = 0; k < s->arity; k++) args[k] = run_get_wide (r, x[k], s->operand_bits[k]);
  unsigned operand_bits = s->op == IR_X_ITE ? s->bits : s->operand_bits[0];
  run_set_wide (r, r->i->dst, ir_eval_op (s->op, s->bits, operand_bits, args), s->bits);
}

static flow do_check (run *r) {
  if (run_get (r, r->i->a)) return GO;
  if (run_stopping (r)) return run_stop_before (r, (pending){0});
  xs_exec_violate (r->w, (ir_property) r->i->aux, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

static flow do_unsupported (run *r) {
  if (run_stopping (r)) return run_stop_before (r, (pending){0});
  r->w->step.stop_message = r->w->program->edges.data[r->i->edge].message;
  r->w->step.stop_edge = r->i->edge;
  return UNSUPPORTED_OP;
}

static bool sync_is_disguised (const run *r) {
  bool names_thread = r->i->ir == IR_THREAD_JOIN || r->i->ir == IR_THREAD_DETACH;
  const object *o = names_thread ? NULL : xs_object_find (r->w, run_get (r, r->i->a));
  return o && run_is_disguised (r, o);
}

static bool sync_is_private (const run *r) {
  const ir_sync *facts = ir_sync_of (r->i->ir);
  if (facts->family == IR_F_THREAD || facts->untouched) return false;
  object *o = xs_object_find (r->w, run_get (r, r->i->a));
  if (!o) r->w->step.uncacheable = true;
  else if (o->kind != OBJ_STATIC) xs_object_note_read (r->w, o, 0, 0);
  return o && !o->shared;
}

static flow do_sync (run *r) {
  if (r->i->ir == IR_THREAD_EXIT) return run_end_thread (r, run_get (r, r->i->a));
  if (sync_is_disguised (r)) return run_stop_at_disguise (r);
  bool scheduled = r->first && run_watched (r);
  if (!scheduled) {
    pending p;
    xs_sync_pending (r->w, r->slot, r->i, &p);
    if (r->w->running > 1 && r->t->atomic && p.bytes) run_check_atomic_race (r, &p);
    if (run_stopping (r) && !sync_is_private (r)) return run_stop_before (r, p);
    if (!xs_sync_can_step (r->w, r->slot, r->i, true)) return run_stop_before (r, p);
  }
  if (run_sync_intruding (r)) return run_break_ownership (r);
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

static flow do_atomic (run *r) {
  if (r->i->op == BC_ATOMIC_END) {
    if (r->t->atomic) r->t->atomic--;
    return GO;
  }
  if (run_stopping (r)) return run_stop_before (r, (pending){0});
  r->t->atomic++;
  r->w->step.uncacheable = true;  // the others matter on the way
  return GO;
}

static uint64_t tls_address (const run *r) {
  const world *w = r->w;
  uint32_t k = 0;
  while (w->tls.data[k] != r->i->target) k++;
  return ((uint64_t) w->threads[r->slot].objects.data[k]->number << w->program->offset_bits) + r->i->other;
}

static uint64_t object_size (const run *r) {
  r->w->step.uncacheable = true;
  const object *o = xs_object_find (r->w, run_get (r, r->i->a));
  return o && o->state == OBJ_ALIVE ? o->size : 0;
}

static inline void arithmetic (run *r) {
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

static flow effect (run *r) {
  const insn *i = r->i;
  r->w->reached[i->edge] = 1;
  switch (i->op) {
  case BC_NONDET: {
    ir_value value;
    xs_exec_nondet (r->w, i->edge, i->bits, &value);
    run_set_wide (r, i->dst, value, i->bits);
    return GO;
  }
  case BC_CHECK: return do_check (r);
  case BC_CALL: return run_call (r);
  case BC_RETURN: return run_return (r);
  case BC_UNSUPPORTED: return do_unsupported (r);
  case BC_STACK_SAVE: r->regs[i->dst] = vec_last (&r->t->frames).num_stack; return GO;
  case BC_STACK_RESTORE: return run_stack_restore (r);
  case BC_ALLOC: return run_alloc (r);
  case BC_OBJECT_SIZE: r->regs[i->dst] = object_size (r) & run_mask (i->bits); return GO;
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
  case BC_SYNC: return do_sync (r);
  case BC_ATOMIC_BEGIN:
  case BC_ATOMIC_END: return do_atomic (r);
  case BC_EXIT: return exit_process (r);
  case BC_INFEASIBLE: return end_or_stop (r, INFEASIBLE_PATH);
  default: BUG ("bytecode operation %d should be known", i->op);
  }
}

// ---- with a watch --------------------------------------------------------------------------------------
// A place where a thread may stand: what belongs to the edge's operands has been computed.
static bool is_edge (const insn *i) { return i->weight ? i->op != BC_CALL : i->op == BC_NOP && i->aux; }

// An edge has been completed: should the step end before the next one?  What is inside an atomic region is one step.
static bool watch_halts (run *r, uint32_t pc, uint32_t count) {
  world *w = r->w;
  vec_last (&r->t->frames).pc = pc;
  if (xs_exec_region_active (w)) return false;
  if (letters_now (w, w->watch, false) != w->watch->letter) return true;
  w->watch->unnoticed++;
  if (w->step.next_choice >= WATCHED_CHOICES)
    return true;  // a local loop that chooses could go on in any number of ways
  return w->watch->every_edge || w->watch->unnoticed == w->watch->most || count > LOCAL_LIMIT;
}

// The place behind a jump is where it leads.  False: it cannot be followed further.
static bool watch_goes_on (run *r, uint32_t *pc, uint32_t count, bool *halting) {
  const insn *code = r->w->code->insns.data;
  while (code[*pc].op == BC_JUMP) *pc = code[*pc].target;
  *halting = watch_halts (r, *pc, count);
  return *halting || count <= REGION_LIMIT;
}

static flow run_thread (world *w, uint32_t slot, bool scheduled) {
  thread *t = &w->threads[slot];
  bool halting = w->watch && !scheduled;
  world_touch_thread (w, slot);
  run r = {.w = w, .t = t, .slot = slot, .first = scheduled};
  w->step.edges = 0;
  run_refresh (&r);
  uint32_t pc = vec_last (&t->frames).pc, count = 0;
  t->pending = (pending){0};
  const insn *code = w->code->insns.data;
  flow result;
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
      do_generic (&r);
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
      if (i->back && is_long (w, t, count) && !w->watch) {
        vec_last (&t->frames).pc = pc;
        w->step.came_round = true;
        result = STOP;
        goto done;
      }
      if (i->op != BC_JUMP) w->reached[i->edge] = 1;
      if (i->op == BC_JUMP) pc = i->target;
      else if (run_get (&r, i->a)) pc = i->target;
      else if (i->op == BC_BRANCH) pc = i->other;
      else {
        pc++;
        r.first &= w->watch != NULL;
        continue;  // not taken: no edge completed
      }
      if (i->sticky && &code[pc] <= i && w->running > 1) w->step.came_round = true;
      break;
    default:
      if (i->op <= BC_SLE) {
        arithmetic (&r);
        pc++;
        break;
      }
      vec_last (&t->frames).pc = pc;
      uint32_t held_by_others = w->num_owned ? run_held_by_others (&r) : 0;
      result = effect (&r);
      if (w->num_owned || held_by_others) result = run_check_owned (&r, result, held_by_others);
      if (result != GO) goto done;
      pc = i->op == BC_CALL ? vec_last (&t->frames).pc : vec_last (&t->frames).pc + 1;
    }
    w->step.edges += i->weight;
    if (w->watch && !i->weight) continue;
    r.first = false;
    if (!w->watch || watch_goes_on (&r, &pc, count, &halting)) continue;
    result = run_cut (&r, "an atomic region goes on for more than 16 million operations");
    goto done;
  }
done:
  w->instructions += count;
  if (w->watch) t->pending = (pending){0};  // nobody looks for races
  if (result == THREAD_OVER) w->step.edges++;
  if (w->step.edges) vec_push (&w->step.parts, ((schedule_part){slot, w->step.edges}));
  return result;
}

bool xs_exec_region_active (const world *w) {
  for (uint32_t t = 0; t < w->num_slots; t++) {
    if (w->threads[t].status != T_RUNNING || !w->threads[t].atomic) continue;
    const insn *i = xs_exec_insn (w, t);
    if (i->op != BC_SYNC || xs_sync_can_step (w, t, i, true)) return true;
  }
  return false;
}

static step_result step_result_of (flow f) {
  switch (f) {
  case EXITED: return STEP_EXITED;
  case VIOLATED: return STEP_VIOLATION;
  case INFEASIBLE_PATH: return STEP_INFEASIBLE;
  case CUT: return STEP_CUT;
  case UNSUPPORTED_OP: return STEP_UNSUPPORTED;
  default: return STEP_DONE;
  }
}

step_result xs_exec_step (world *w, uint32_t slot) {
  vec_clear (&w->step.starts);
  if (w->num_owned) w->step.uncacheable = true;  // the others' declarations matter
  flow f = run_thread (w, slot, true);
  // New threads do their first local work at once, unless an atomic region forbids it.  If it is the only one alive, that is also starting the next one and ending:
  // a chain of such threads has to pause somewhere, like a local loop.
  for (uint32_t k = 0; k < w->step.starts.count && k < LOCAL_STARTS && (f == STOP || f == THREAD_OVER); k++)
    if (w->watch || !xs_exec_region_active (w)) f = run_thread (w, w->step.starts.data[k], false);
  w->step.came_round |= w->step.starts.count > LOCAL_STARTS;
  return step_result_of (f);
}

void xs_exec_settle (world *w, uint32_t slot) { run_thread (w, slot, false); }

bool xs_exec_enabled (const world *w, uint32_t slot) {
  const insn *i = xs_exec_insn (w, slot);
  return i->op != BC_SYNC || xs_sync_can_step (w, slot, i, false);
}
