// Builds the terms of propositions. The location of a thread follows from the step that it is before; in a library
// function, from the call that the thread will return to. None of this is stored: the machine has a copy of each
// procedure for each thread, and a variable holds where each copy returns to.
#include "engine/circuit/circuit_propositions.h"

enum {
  WIDE = 72,
  FARTHEST = 70
};  // Numbers must fit into values of 8 bytes; constants beyond 2^FARTHEST have the same effect as 2^FARTHEST.

// ---- watched memory and locks -----------------------------------------------------------------------
static const ir_program *program_of (const circuit_propositions *l) { return l->formula->program; }

static void watch_bytes (circuit_propositions *l, ir_object object, uint32_t offset, uint32_t bytes) {
  vec_push (&l->watch.bytes, ((efsm_bytes){object, offset, bytes}));
}

static void watch_operand (circuit_propositions *l, const temporal_operand *o) {
  if (!o->is_constant) watch_bytes (l, o->object, o->offset, o->bytes);
}

static void watch_lock (circuit_propositions *l, const temporal_lock *k) {
  watch_bytes (l, k->object, k->offset + ir_word_at (program_of (l), k->kind, IR_W_OWNER), 4);
  if (k->kind == IR_F_RWLOCK) watch_bytes (l, k->object, k->offset + IR_RW_READERS, 4);
}

static void watch_atom (circuit_propositions *l, uint32_t number) {
  const temporal_atom *a = &l->formula->atoms[number];
  vec_push (&l->first_bytes, l->watch.bytes.count);
  if (a->kind == LTL_COMPARE) watch_operand (l, &a->left), watch_operand (l, &a->right);
  if (a->kind == LTL_LOCKED || a->kind == LTL_HOLDS) watch_lock (l, &a->lock);
  for (uint32_t k = 0; a->kind == LTL_AT && k < program_of (l)->locs.count; k++)
    l->watch.class_of.data[k] |= (uint64_t) a->locs[k] << number;
}

static bool speaks_of_threads (const temporal_atom *a) {
  return a->kind == LTL_AT || a->kind == LTL_HOLDS || a->kind == LTL_ENDED;
}

// Can the operand be an address or the handle of a thread? The machine has other numbers for these than the program,
// and only 0 is the same.
static bool may_be_numbered_otherwise (const ir_program *p, const temporal_operand *o) {
  return !o->is_constant && !o->is_signed && 8u * o->bytes >= p->pointer_bits;
}

static bool compares_with_zero (const temporal_atom *a) {
  bool is_equality = a->relation == RELATION_EQ || a->relation == RELATION_NE;
  return is_equality && ((a->left.is_constant && !a->left.constant) || (a->right.is_constant && !a->right.constant));
}

static const char *objection_to (const ir_program *p, const temporal_atom *a) {
  bool otherwise = may_be_numbered_otherwise (p, &a->left) || may_be_numbered_otherwise (p, &a->right);
  if (a->kind == LTL_COMPARE && otherwise && !compares_with_zero (a))
    return "engine circuit has other numbers for addresses and threads: an unsigned variable of a pointer's size is "
           "compared with 0 only";
  if (speaks_of_threads (a) && a->threads.which == THREADS_NUMBERED)
    return "engine circuit knows threads by their functions, not by their numbers";
  if (a->kind == LTL_HOLDS && a->lock.kind == IR_F_RWLOCK)
    return "engine circuit does not say which threads read a lock";
  return NULL;
}

bool circuit_propositions_init (circuit_propositions *l, const temporal *formula, const char **why_not) {
  *l = (circuit_propositions){.formula = formula};
  *why_not = NULL;
  for (uint32_t k = 0; k < program_of (l)->locs.count; k++) vec_push (&l->watch.class_of, 0);
  for (uint32_t k = 0; k < formula->num_atoms && !*why_not; k++) {
    *why_not = objection_to (program_of (l), &formula->atoms[k]);
    if (!*why_not) watch_atom (l, k);
  }
  return !*why_not;
}

void circuit_propositions_release (circuit_propositions *l) {
  vec_release (&l->watch.bytes);
  vec_release (&l->watch.class_of);
  vec_release (&l->first_bytes);
  vec_release (&l->holds);
}

// ---- frames -----------------------------------------------------------------------------------------
typedef VEC (term) terms_by_copy;  // TERM_NONE: not computed yet

typedef struct proposition_context {
  transition_system *s;
  efsm *m;
  term_pool *p;
  const ir_program *program;
  const temporal_atom *atom;
  terms_by_copy at_call;   // of an internal procedure: it works for a call at one of the atom's locations
  terms_by_copy has_root;  // some frame is not internal
  terms_by_copy in_root;   // the outermost frame that is not internal belongs to one of the atom's procedures
} proposition_context;

static bool is_internal_copy (const proposition_context *x, uint32_t copy) {
  return ir_proc_at (x->program, x->m->copies.data[copy].proc)->internal;
}

typedef term frame_term (proposition_context *, uint32_t copy);

// Joins a term over all callers of the copy, each under the condition that it is the caller.
static term by_caller (proposition_context *x, uint32_t copy, frame_term *of_caller, bool of_site) {
  term any = x->p->falsity;
  for (uint32_t k = 0; k < x->m->sites.count; k++) {
    if (x->m->sites.data[k].copy != copy) continue;
    uint32_t caller = of_site ? k : x->m->points.data[x->m->sites.data[k].from].copy;
    any = term_or (x->p, any, term_and (x->p, x->m->sites.data[k].current, of_caller (x, caller)));
  }
  return any;
}

static term constant_truth (const proposition_context *x, bool value) { return value ? x->p->truth : x->p->falsity; }

static term at_call_of (proposition_context *x, uint32_t copy);
static term at_site (proposition_context *x, uint32_t site) {
  uint32_t caller = x->m->points.data[x->m->sites.data[site].from].copy;
  if (is_internal_copy (x, caller)) return at_call_of (x, caller);
  return constant_truth (x, x->atom->locs[ir_edge_at (x->program, x->m->sites.data[site].edge)->from.i]);
}

static term at_call_of (proposition_context *x, uint32_t copy) {
  if (x->at_call.data[copy].i == TERM_NONE.i) {
    term t = by_caller (x, copy, at_site, true);
    x->at_call.data[copy] = t;
  }
  return x->at_call.data[copy];
}

static term has_root_in (proposition_context *x, uint32_t copy) {
  if (x->has_root.data[copy].i == TERM_NONE.i) {
    bool internal = is_internal_copy (x, copy);
    term t = internal ? by_caller (x, copy, has_root_in, false) : x->p->truth;
    x->has_root.data[copy] = t;
  }
  return x->has_root.data[copy];
}

static term has_no_root_in (proposition_context *x, uint32_t copy) { return term_not (x->p, has_root_in (x, copy)); }

static term root_is_meant (proposition_context *x, uint32_t copy) {
  if (x->in_root.data[copy].i != TERM_NONE.i) return x->in_root.data[copy];
  bool is_start = x->m->copies.data[copy].is_start,
       meant = !is_internal_copy (x, copy) && x->atom->threads.procs[x->m->copies.data[copy].proc.i];
  term t = constant_truth (x, meant);
  if (!is_start) {
    t = by_caller (x, copy, root_is_meant, false);
    if (meant) t = term_or (x->p, t, by_caller (x, copy, has_no_root_in, false));
  }
  return x->in_root.data[copy] = t;
}

// ---- threads ----------------------------------------------------------------------------------------
static const efsm_point *step_point (const proposition_context *x, uint32_t step) {
  return &x->m->points.data[x->s->steps.steps.data[step].point];
}

static bool is_start (const proposition_context *x, uint32_t step) {
  return x->m->threads.data[step_point (x, step)->thread].start == x->s->steps.steps.data[step].point;
}

// Is the thread before the step, started and not ended?
static term runs_at (proposition_context *x, uint32_t step) {
  const efsm_point *p = step_point (x, step);
  term there = system_is_at_step (x->s, step);
  if (is_start (x, step)) return term_and (x->p, there, x->m->view.started.data[p->thread]);
  return p->location.i == IR_NONE ? x->p->falsity : there;
}

static term is_meant_at (proposition_context *x, uint32_t step) {
  return x->atom->threads.which == THREADS_ALL ? x->p->truth : root_is_meant (x, step_point (x, step)->copy);
}

static ir_loc step_location (const proposition_context *x, uint32_t step) {
  const efsm_point *p = step_point (x, step);
  return is_start (x, step) ? ir_proc_at (x->program, x->m->copies.data[p->copy].proc)->entry : p->location;
}

static term is_placed_at (proposition_context *x, uint32_t step) {
  uint32_t copy = step_point (x, step)->copy;
  ir_loc at = step_location (x, step);
  if (is_internal_copy (x, copy)) return at_call_of (x, copy);
  return constant_truth (x, at.i != IR_NONE && x->atom->locs[at.i]);
}

// Is one of the atom's threads at a step for which the condition is true?
typedef term step_term (proposition_context *, uint32_t step);
static term some_thread (proposition_context *x, uint32_t thread /* or IR_NONE */, step_term *condition) {
  term any = x->p->falsity;
  for (uint32_t k = 0; k < x->s->steps.steps.count; k++) {
    if (thread != IR_NONE && step_point (x, k)->thread != thread) continue;
    if (!is_start (x, k) && step_point (x, k)->location.i == IR_NONE) continue;
    term here = condition ? condition (x, k) : x->p->truth;
    here = term_and (x->p, here, is_meant_at (x, k));
    any = term_or (x->p, any, term_and (x->p, runs_at (x, k), here));
  }
  return term_and (x->p, any, system_goes_on (x->s));
}

// ---- propositions -----------------------------------------------------------------------------------
static term read_watched_bytes (const circuit_propositions *l, const proposition_context *x, uint32_t atom,
                                uint32_t number) {
  return x->m->view.bytes.data[l->first_bytes.data[atom] + number];
}

static term word_is_zero (proposition_context *x, term word) {
  return term_eq (x->p, word, term_const (x->p, term_bits (x->p, word), 0));
}

static term is_lock_taken (const circuit_propositions *l, proposition_context *x, uint32_t atom) {
  term free = word_is_zero (x, read_watched_bytes (l, x, atom, 0));
  if (x->atom->lock.kind == IR_F_RWLOCK)
    free = term_and (x->p, free, word_is_zero (x, read_watched_bytes (l, x, atom, 1)));
  return term_not (x->p, free);
}

// Is the lock held by one of the atom's threads? The word of the lock is the number of its owner + 1.
static term is_held_by_thread (const circuit_propositions *l, proposition_context *x, uint32_t atom) {
  term owner = read_watched_bytes (l, x, atom, 0), any = x->p->falsity;
  for (uint32_t t = 0; t < x->m->threads.count; t++) {
    term is_it = term_eq (x->p, owner, term_const (x->p, 32, t + 1));
    any = term_or (x->p, any, term_and (x->p, is_it, some_thread (x, t, NULL)));
  }
  return any;
}

static term operand_number (proposition_context *x, const temporal_operand *o, term bytes) {
  if (!o->is_constant)
    return term_apply (x->p, o->is_signed ? IR_X_SEXT : IR_X_ZEXT, WIDE, bytes, TERM_NONE, TERM_NONE);
  __int128 most = (__int128) 1 << FARTHEST, value = o->constant;
  value = value > most ? most : value < -most ? -most : value;
  return term_const (x->p, WIDE, (ir_value) value & (((ir_value) 1 << WIDE) - 1));
}

static term comparison_term (const circuit_propositions *l, proposition_context *x, uint32_t atom) {
  const temporal_atom *a = x->atom;
  term none = TERM_NONE,
       left = operand_number (x, &a->left, a->left.is_constant ? none : read_watched_bytes (l, x, atom, 0)),
       right = operand_number (
           x, &a->right, a->right.is_constant ? none : read_watched_bytes (l, x, atom, a->left.is_constant ? 0 : 1));
  switch (a->relation) {
  case RELATION_EQ: return term_eq (x->p, left, right);
  case RELATION_NE: return term_not (x->p, term_eq (x->p, left, right));
  case RELATION_LT: return term_apply (x->p, IR_X_SLT, 1, left, right, none);
  case RELATION_GE: return term_not (x->p, term_apply (x->p, IR_X_SLT, 1, left, right, none));
  case RELATION_GT: return term_apply (x->p, IR_X_SLT, 1, right, left, none);
  default: return term_not (x->p, term_apply (x->p, IR_X_SLT, 1, right, left, none));
  }
}

// Has one of the atom's threads existed, and does none exist now?
static term all_have_ended (proposition_context *x) {
  term now = some_thread (x, IR_NONE, NULL);
  uint32_t helper = system_add_helper (x->s, 1, 0);
  system_state *seen = &x->s->states.data[helper];
  seen->next = term_or (x->p, seen->now, now);
  return term_and (x->p, seen->now, term_not (x->p, now));
}

static term atom_holds (const circuit_propositions *l, proposition_context *x, uint32_t atom) {
  switch (x->atom->kind) {
  case LTL_AT: return some_thread (x, IR_NONE, is_placed_at);
  case LTL_HOLDS: return is_held_by_thread (l, x, atom);
  case LTL_LOCKED: return is_lock_taken (l, x, atom);
  case LTL_ENDED: return all_have_ended (x);
  default: return comparison_term (l, x, atom);
  }
}

// False for a thread with several functions to start in: propositions would have to say everywhere which of them it
// runs.
static bool has_one_start (const proposition_context *x, uint32_t thread) {
  uint32_t first = x->m->points.data[x->m->threads.data[thread].start].copy;
  for (uint32_t k = 0; k < x->m->points.count; k++) {
    const efsm_point *p = &x->m->points.data[k];
    if (p->thread == thread && x->m->copies.data[p->copy].is_start && p->copy != first) return false;
  }
  return true;
}

static const char *objection_to_machine (const proposition_context *x) {
  for (uint32_t t = 0; t < x->m->threads.count; t++)
    if (!has_one_start (x, t)) return "a thread may start in several functions";
  for (uint32_t k = 0; k < x->s->steps.steps.count; k++)
    if (step_point (x, k)->inside && x->s->steps.steps.data[k].exits.count) return "an atomic region has a loop";
  return NULL;
}

static void forget_frames (proposition_context *x) {
  vec_clear (&x->at_call);
  vec_clear (&x->has_root);
  vec_clear (&x->in_root);
  for (uint32_t c = 0; c < x->m->copies.count; c++) {
    vec_push (&x->at_call, TERM_NONE);
    vec_push (&x->has_root, TERM_NONE);
    vec_push (&x->in_root, TERM_NONE);
  }
}

bool circuit_propositions_make (circuit_propositions *l, transition_system *s, const char **why_not) {
  proposition_context x = {.s = s, .m = s->m, .p = &s->m->terms, .program = program_of (l)};
  *why_not = objection_to_machine (&x);
  for (uint32_t k = 0; k < l->formula->num_atoms && !*why_not; k++) {
    x.atom = &l->formula->atoms[k];
    forget_frames (&x);
    term holds = atom_holds (l, &x, k);
    vec_push (&l->holds, holds);
  }
  vec_release (&x.at_call);
  vec_release (&x.has_root);
  vec_release (&x.in_root);
  return !*why_not;
}
