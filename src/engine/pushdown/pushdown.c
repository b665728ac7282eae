// One thread as a pushdown system, built on demand.  Control flow is exact and data is not: a branch whose condition is
// not known goes both ways.  Other threads do not appear: they can only make this one wait (LOCK, proposition 2).
//
// A run that meets an error (a check that certainly fails, a call to no function) has no step there, so it stops
// without an end.
#include <string.h>

#include "base/limits.h"
#include "engine/pushdown/pushdown_impl.h"
#include "ir/reason.h"

// ---- keys --------------------------------------------------------------------------------------------

static spot_key spot_at (const pushdown *d, uint32_t spot) {
  spot_key key;
  memcpy (&key, intern_get (&d->spots, spot, NULL), sizeof key);
  return key;
}

static mode_key mode_at (const pushdown *d, uint32_t mode) {
  mode_key key;
  memcpy (&key, intern_get (&d->modes, mode, NULL), sizeof key);
  return key;
}

static place_key place_key_at (const pushdown *d, uint32_t place) {
  place_key key;
  memcpy (&key, intern_get (&d->places, place, NULL), sizeof key);
  return key;
}

static uint32_t spot_make (pushdown *d, ir_loc l, known_set *known) {
  known_prune (d, known, l);
  if (at_limit (PUSHDOWN_SPOTS, d->spots_at.data[l.i])) known->count = 0;
  bool is_new;
  uint32_t spot = intern_add (&d->spots, &(spot_key){l.i, known_intern (d, known)}, sizeof (spot_key), &is_new);
  if (is_new && known->count) d->spots_at.data[l.i]++;
  return spot;
}

static uint32_t mode_make (pushdown *d, const mode_key *key) { return intern_add (&d->modes, key, sizeof *key, NULL); }

static uint32_t place_make (pushdown *d, uint32_t spot, uint32_t mode) {
  bool is_new;
  uint32_t place = intern_add (&d->places, &(place_key){spot, mode}, sizeof (place_key), &is_new);
  if (is_new) vec_push (&d->lists, ((step_list){NONE, 0}));
  return place;
}

ir_loc place_loc (const pushdown *d, uint32_t place) { return (ir_loc){spot_at (d, place_key_at (d, place).spot).loc}; }

void place_events (const pushdown *d, uint32_t place, uint64_t *yes, uint64_t *maybe) {
  mode_key m = mode_at (d, place_key_at (d, place).mode);
  *yes = m.yes;
  *maybe = m.maybe;
}

void pushdown_label (const pushdown *d, uint32_t place, uint64_t *yes, uint64_t *maybe) {
  mode_key m = mode_at (d, place_key_at (d, place).mode);
  *yes = m.yes | d->at_location[place_loc (d, place).i];
  *maybe = m.maybe;
  for (uint32_t k = 0; k < d->pool->atoms.count; k++) {
    if (d->pool->atoms.data[k].kind != LTL_HOLDS) continue;
    uint8_t held = m.held[d->atom_followed[k]];
    if (held == LOCK_MAYBE) *maybe |= UINT64_C (1) << k;
    else if (held) *yes |= UINT64_C (1) << k;
  }
}

// ---- steps -------------------------------------------------------------------------------------------

// What the steps of one place are built from.
typedef struct step_maker {
  pushdown *d;
  ir_proc proc;
  known_set known;
  mode_key quiet;  // the place's mode with nothing just happened
  VEC (pushdown_step) steps;
} step_maker;

static void add_go (step_maker *m, ir_edge e, known_set *known, const mode_key *mode, bool chosen) {
  ir_loc to = ir_edge_at (m->d->program, e)->to;
  if (to.i == IR_NONE) return;
  uint32_t place = place_make (m->d, spot_make (m->d, to, known), mode_make (m->d, mode));
  vec_push (&m->steps, ((pushdown_step){.kind = STEP_GO, .edge = e, .to = place, .chosen = chosen}));
}

static void add_end_step (step_maker *m, ir_edge e, bool blocks) {
  vec_push (&m->steps, ((pushdown_step){.kind = STEP_END, .edge = e, .blocks = blocks}));
}

// Any other operation: its results are unknown, unless it is an assignment.
static void add_plain (step_maker *m, ir_edge e) {
  const ir_edge_data *edge = ir_edge_at (m->d->program, e);
  known_set known = m->known;
  uint64_t value = 0;
  bool has_value = edge->op == IR_ASSIGN && known_eval (m->d, &m->known, ir_arg (m->d->program, e, 0), &value);
  if (edge->dst.i != IR_NONE) known_assign (m->d, &known, m->proc, edge->dst, has_value, value);
  if (edge->dst2.i != IR_NONE) known_forget (&known, edge->dst2);
  add_go (m, e, &known, &m->quiet, false);
}

// assume and check: the condition may certainly be false.
static void add_conditional (step_maker *m, ir_edge e, bool branches) {
  uint64_t value;
  bool has_value = known_eval (m->d, &m->known, ir_arg (m->d->program, e, 0), &value);
  if (has_value && !value) return;
  known_set known = m->known;
  add_go (m, e, &known, &m->quiet, branches && !has_value);
}

// ---- locks -------------------------------------------------------------------------------------------

typedef struct meant {
  bool exact;
  static_lock lock;
  uint32_t followed;
} meant;  // the lock of an operation

static void add_lock_events (step_maker *m, ir_edge e, lock_op op, const meant *which, ltl_atom_kind event,
                             mode_key *mode) {
  const pushdown *d = m->d;
  for (uint32_t k = 0; k < d->pool->atoms.count; k++) {
    const ltl_atom *a = &d->pool->atoms.data[k];
    uint64_t bit = UINT64_C (1) << k;
    if (a->kind != event) continue;
    if (!d->atom_is_static[k]) {
      if (op.arg) mode->maybe |= bit;  // the mutex of a wait: not known by its text
      else if (lockop_named (d->program, e, op, a->argument)) mode->yes |= bit;
    } else if (which->exact) {
      bool same = which->lock.object == d->atom_lock[k].object && which->lock.offset == d->atom_lock[k].offset;
      if (same) mode->yes |= bit;
    } else if (lockop_may_mean (d, e, op, d->atom_lock[k])) mode->maybe |= bit;
  }
}

static void blur_followed (step_maker *m, ir_edge e, lock_op op, const meant *which, mode_key *mode) {
  const pushdown *d = m->d;
  for (uint32_t k = 0; k < d->num_followed && !which->exact; k++)
    if (lockop_may_mean (d, e, op, d->followed[k]))
      mode->held[k] = lockop_blur (op, d->followed_kinds[k], mode->held[k]);
}

static void add_lock_outcome (step_maker *m, ir_edge e, lock_op op, const meant *which, const lock_outcome *o) {
  const ir_edge_data *edge = ir_edge_at (m->d->program, e);
  if (o->blocks) {
    add_end_step (m, e, true);
    return;
  }
  bool releases = op.action == IR_A_RELEASE || op.action == IR_A_WAIT;
  mode_key mode = m->quiet;
  known_set known = m->known;
  if (which->followed != NONE) mode.held[which->followed] = o->held;
  if (releases || o->acquired) {
    blur_followed (m, e, op, which, &mode);
    add_lock_events (m, e, op, which, releases ? LTL_RELEASED : LTL_ACQUIRED, &mode);
  }
  if (edge->dst.i != IR_NONE) known_assign (m->d, &known, m->proc, edge->dst, o->has_result, o->result);
  add_go (m, e, &known, &mode, false);
  if (!which->exact || !(releases || o->acquired)) return;
  vec_last (&m->steps).effect = releases ? EFFECT_RELEASES : EFFECT_ACQUIRES;
  vec_last (&m->steps).lock = which->lock;
}

static void add_lock_steps (step_maker *m, ir_edge e, lock_op op) {
  pushdown *d = m->d;
  meant which = {.followed = NONE};
  uint64_t address = 0;
  bool has_address = known_eval (d, &m->known, ir_arg (d->program, e, op.arg), &address);
  which.exact = lockop_exact (d, e, op, has_address, address, &which.lock);
  if (which.exact) which.followed = static_lock_index (d, which.lock);
  bool follows = which.followed != NONE;
  lock_outcome outcomes[LOCK_OUTCOMES];
  uint32_t count = lockop_outcomes (op, follows ? d->followed_kinds[which.followed] : 1 << IR_MUTEX_NORMAL,
                                    follows ? m->quiet.held[which.followed] : LOCK_FREE, follows, outcomes);
  for (uint32_t k = 0; k < count; k++) add_lock_outcome (m, e, op, &which, &outcomes[k]);
}

// ---- calls -------------------------------------------------------------------------------------------

static void add_call_to (step_maker *m, ir_edge e, ir_proc callee, bool chosen) {
  pushdown *d = m->d;
  const ir_program *p = d->program;
  const ir_edge_data *edge = ir_edge_at (p, e);
  const ir_proc_data *proc = ir_proc_at (p, callee);
  known_set inside = {0}, behind = m->known;
  for (uint32_t k = 0; k + 1 < edge->num_args && k < proc->num_params; k++) {
    uint64_t value = 0;
    bool has_value = known_eval (d, &m->known, ir_arg (p, e, k + 1), &value);
    if (proc->regs.data[k].bits < 64) value &= (UINT64_C (1) << proc->regs.data[k].bits) - 1;
    known_assign (d, &inside, callee, (ir_reg){k}, has_value, value);
  }
  mode_key mode = m->quiet;
  mode.yes = d->at_entry[callee.i];
  pushdown_step s = {.kind = STEP_CALL, .edge = e, .chosen = chosen, .back_reg = NONE};
  s.to = place_make (d, spot_make (d, proc->entry, &inside), mode_make (d, &mode));
  if (edge->dst.i != IR_NONE) {
    known_forget (&behind, edge->dst);
    if (d->kept[m->proc.i][edge->dst.i]) s.back_reg = edge->dst.i;
  }
  s.back = spot_make (d, edge->to, &behind);
  vec_push (&m->steps, s);
}

static ir_proc body_of (const ir_program *p, uint64_t object) {
  bool is_function = object && object < p->objects.count && p->objects.data[object].kind == IR_O_FUNCTION;
  return is_function ? p->objects.data[object].proc : (ir_proc){IR_NONE};
}

// A pointer that may point to anything may point to any function.
static void add_call_steps (step_maker *m, ir_edge e) {
  const ir_program *p = m->d->program;
  uint64_t address;
  if (known_eval (m->d, &m->known, ir_arg (p, e, 0), &address)) {
    ir_proc callee = body_of (p, address >> p->offset_bits);
    if (callee.i != IR_NONE) add_call_to (m, e, callee, false);
    return;
  }
  pointsto_set s = pointsto_arg (m->d->targets, e, 0);
  uint32_t count = s.anything ? p->objects.count : s.count;
  for (uint32_t k = 0; k < count; k++) {
    ir_proc callee = body_of (p, s.anything ? k : s.objects[k]);
    if (callee.i != IR_NONE) add_call_to (m, e, callee, count > 1);
  }
}

static void add_return_step (step_maker *m, ir_edge e) {
  const ir_edge_data *edge = ir_edge_at (m->d->program, e);
  pushdown_step s = {.kind = STEP_RETURN, .edge = e, .mode = mode_make (m->d, &m->quiet)};
  s.has_result = edge->num_args && known_eval (m->d, &m->known, ir_arg (m->d->program, e, 0), &s.result);
  if (!s.has_result) s.result = 0;
  vec_push (&m->steps, s);
}

uint32_t pushdown_return (pushdown *d, const pushdown_step *call, uint32_t mode, bool has_result, uint64_t result) {
  spot_key back = spot_at (d, call->back);
  known_set known;
  known_load (d, back.known, &known);
  if (call->back_reg == NONE) return place_make (d, call->back, mode);
  ir_proc f = ir_loc_at (d->program, (ir_loc){back.loc})->proc;
  unsigned bits = ir_proc_at (d->program, f)->regs.data[call->back_reg].bits;
  bool fits = has_result && bits <= 64 && (bits == 64 || result >> bits == 0);
  known_assign (d, &known, f, (ir_reg){call->back_reg}, fits, result);
  return place_make (d, spot_make (d, (ir_loc){back.loc}, &known), mode);
}

// ---- all ---------------------------------------------------------------------------------------------

static void add_steps_of (step_maker *m, ir_edge e, bool branches) {
  pushdown *d = m->d;
  const ir_edge_data *edge = ir_edge_at (d->program, e);
  lock_op op = lockop_of (edge->op);
  if (op.action != IR_NO_ACTION) add_lock_steps (m, e, op);
  else if (edge->op == IR_ASSUME || edge->op == IR_CHECK) add_conditional (m, e, branches);
  else if (edge->op == IR_CALL) add_call_steps (m, e);
  else if (edge->op == IR_RETURN) add_return_step (m, e);
  else if (edge->op == IR_EXIT || edge->op == IR_THREAD_EXIT) add_end_step (m, e, false);
  else {
    if (edge->op == IR_UNSUPPORTED && !d->unsupported)
      d->unsupported = reason_unsupported (d->arena, d->program, e, edge->message);
    add_plain (m, e);
  }
}

step_list pushdown_steps (pushdown *d, uint32_t place) {
  if (d->lists.data[place].first != NONE) return d->lists.data[place];
  place_key key = place_key_at (d, place);
  spot_key spot = spot_at (d, key.spot);
  const ir_loc_data *loc = ir_loc_at (d->program, (ir_loc){spot.loc});
  step_maker m = {.d = d, .proc = loc->proc, .quiet = mode_at (d, key.mode)};
  m.quiet.yes = m.quiet.maybe = 0;
  known_load (d, spot.known, &m.known);
  for (uint32_t k = 0; k < loc->num_edges; k++) add_steps_of (&m, (ir_edge){loc->first_edge + k}, loc->num_edges > 1);
  step_list list = {d->steps.count, m.steps.count};
  for (uint32_t k = 0; k < m.steps.count; k++) vec_push (&d->steps, m.steps.data[k]);
  vec_release (&m.steps);
  d->lists.data[place] = list;
  return list;
}

uint32_t pushdown_start (pushdown *d, ir_proc entry) {
  mode_key mode = {.yes = d->at_entry[entry.i]};
  known_set nothing = {0};
  return place_make (d, spot_make (d, ir_proc_at (d->program, entry)->entry, &nothing), mode_make (d, &mode));
}

void pushdown_init (pushdown *d, const ir_program *p, const pointsto *targets, const ltl_pool *pool, arena *a) {
  *d = (pushdown){.program = p, .targets = targets, .pool = pool, .arena = a, .follows_all = true};
  d->at_location = arena_zalloc (a, sizeof *d->at_location * (p->locs.count + 1));
  d->at_entry = arena_zalloc (a, sizeof *d->at_entry * (p->procs.count + 1));
  for (uint32_t k = 0; k < p->locs.count; k++) vec_push (&d->spots_at, 0);
  known_prepare (d);
}

void pushdown_forget (pushdown *d) {
  intern_release (&d->knowns);
  intern_release (&d->spots);
  intern_release (&d->modes);
  intern_release (&d->places);
  vec_clear (&d->lists);
  vec_clear (&d->steps);
  for (uint32_t k = 0; k < d->spots_at.count; k++) d->spots_at.data[k] = 0;
}

void pushdown_release (pushdown *d) {
  pushdown_forget (d);
  known_release (d);
  vec_release (&d->lists);
  vec_release (&d->steps);
  vec_release (&d->spots_at);
}
