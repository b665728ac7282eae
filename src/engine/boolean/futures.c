// Computes futures by a traversal along the paths of the thread, and of the threads that it starts, for each set of
// closed conditions that is queried; these are few.
#include "engine/boolean/futures.h"

#include <string.h>

#include "base/arena.h"

enum { KEPT_KNOWN = 100000 };

// ---- conditions -------------------------------------------------------------------------------------
static bool is_about_globals (const bp_program *p, bp_expr x, bp_expr_list *leaves) {
  vec_clear (leaves);
  bp_leaves (p, x, leaves);
  for (uint32_t i = 0; i < leaves->count; i++) {
    bp_node n = bp_node_at (p, leaves->data[i]);
    if (n.op != BP_VAR || !p->vars.data[n.a].global) return false;
  }
  return leaves->count != 0;
}

static uint32_t condition_number (symbolic_futures *f, bp_expr x) {
  uint32_t i = 0;
  while (i < f->conditions.count && f->conditions.data[i].i != x.i) i++;
  if (i == f->conditions.count && i < NUM_CONDITIONS) vec_push (&f->conditions, x);
  return i;
}

// An assume that a goto leads to is usually one of several branches; conditions of other assumes, where threads wait,
// get the lower numbers.
static void find_branches (const bp_program *p, bool *is_branch) {
  for (uint32_t l = 0; l < p->locs.count; l++)
    for (uint32_t i = 0; i < p->locs.data[l].next.count && p->locs.data[l].kind == BP_GOTO; i++)
      is_branch[p->locs.data[l].next.data[i].i] = true;
}

static void find_assume_conditions (symbolic_futures *f) {
  const bp_program *p = f->accesses->program;
  bp_expr_list leaves = {0};
  bool *is_branch = mem_zalloc (sizeof *is_branch * p->locs.count);
  find_branches (p, is_branch);
  memset (f->condition_at, NUM_CONDITIONS, sizeof *f->condition_at * p->locs.count);
  for (unsigned branches = 0; branches < 2; branches++)
    for (uint32_t l = 0; l < p->locs.count; l++) {
      const bp_location *d = &p->locs.data[l];
      if (d->kind != BP_ASSUME || !d->reached || is_branch[l] != branches) continue;
      if (is_about_globals (p, d->condition, &leaves))
        f->condition_at[l] = (uint8_t) condition_number (f, d->condition);
    }
  mem_free (is_branch, sizeof *is_branch * p->locs.count);
  vec_release (&leaves);
}

static void find_depends (symbolic_futures *f) {
  const bp_program *p = f->accesses->program;
  uint32_t words = f->accesses->words;
  f->depends = mem_zalloc (sizeof *f->depends * words * NUM_CONDITIONS);
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (f->condition_at[l] < NUM_CONDITIONS)
      memcpy (f->depends + (size_t) f->condition_at[l] * words, accesses_at (f->accesses, STEP_READS, l),
              sizeof *f->depends * words);
}

// ---- conditions ahead -------------------------------------------------------------------------------
static bool update_ahead (symbolic_futures *f, uint32_t l) {
  const bp_location *d = &f->accesses->program->locs.data[l];
  uint64_t ahead = f->condition_at[l] < NUM_CONDITIONS ? 1ull << f->condition_at[l] : 0;
  for (uint32_t i = 0; i < d->next.count; i++) ahead |= f->ahead[d->next.data[i].i];
  if (d->thread.i != BP_NONE) ahead |= f->ahead[d->thread.i];
  bool grown = ahead & ~f->ahead[l];
  f->ahead[l] |= ahead;
  return grown;
}

void futures_init (symbolic_futures *f, const accesses *a) {
  uint32_t locs = a->program->locs.count;
  *f = (symbolic_futures){.accesses = a, .arena = arena_new ()};
  f->condition_at = mem_alloc (sizeof *f->condition_at * locs);
  f->ahead = mem_zalloc (sizeof *f->ahead * locs);
  for (uint32_t l = 0; l < locs; l++) vec_push (&f->seen, 0);
  find_assume_conditions (f);
  find_depends (f);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = locs; l-- > 0;) changed |= update_ahead (f, l);
  }
}

void futures_release (symbolic_futures *f) {
  uint32_t locs = f->accesses->program->locs.count;
  mem_free (f->condition_at, sizeof *f->condition_at * locs);
  mem_free (f->ahead, sizeof *f->ahead * locs);
  mem_free (f->depends, sizeof *f->depends * f->accesses->words * NUM_CONDITIONS);
  vec_release (&f->conditions);
  intern_release (&f->asked);
  vec_release (&f->known);
  vec_release (&f->seen);
  vec_release (&f->stack);
  arena_free (f->arena);
}

void futures_trim (symbolic_futures *f) {
  if (f->known.count < KEPT_KNOWN) return;
  intern_release (&f->asked);
  f->asked = (intern){0};
  vec_clear (&f->known);
  arena_free (f->arena);
  f->arena = arena_new ();
}

// ---- the traversal ----------------------------------------------------------------------------------
static void visit_future_location (symbolic_futures *f, uint32_t l) {
  if (f->seen.data[l] == f->walk) return;
  f->seen.data[l] = f->walk;
  vec_push (&f->stack, l);
}

static bool is_closed_at (const symbolic_futures *f, uint32_t l, uint64_t closed) {
  return f->condition_at[l] < NUM_CONDITIONS && closed >> f->condition_at[l] & 1;
}

// A goto itself reads nothing.
static void add_step_accesses (const symbolic_futures *f, uint32_t l, uint64_t *reads, uint64_t *writes) {
  if (f->accesses->program->locs.data[l].kind == BP_GOTO) return;
  const uint64_t *r = accesses_at (f->accesses, STEP_READS, l), *w = accesses_at (f->accesses, STEP_WRITES, l);
  for (uint32_t i = 0; i < f->accesses->words; i++) {
    reads[i] |= r[i];
    writes[i] |= w[i];
  }
}

static symbolic_future traverse_future (symbolic_futures *f, uint32_t location, uint64_t closed) {
  uint32_t words = f->accesses->words;
  uint64_t *reads = arena_zalloc (f->arena, sizeof *reads * 2 * (words + !words)), *writes = reads + words, met = 0;
  f->walk++;
  visit_future_location (f, location);
  while (f->stack.count) {
    uint32_t l = vec_pop (&f->stack);
    const bp_location *d = &f->accesses->program->locs.data[l];
    if (is_closed_at (f, l, closed)) {
      met |= 1ull << f->condition_at[l];
      continue;
    }
    add_step_accesses (f, l, reads, writes);
    for (uint32_t i = 0; i < d->next.count; i++) visit_future_location (f, d->next.data[i].i);
    if (d->thread.i != BP_NONE) visit_future_location (f, d->thread.i);
  }
  return (symbolic_future){met, reads, writes};
}

symbolic_future futures_find (symbolic_futures *f, uint32_t location, uint64_t closed) {
  struct {
    uint64_t closed, location;
  } key = {closed & f->ahead[location], location};
  bool is_new;
  uint32_t number = intern_add (&f->asked, &key, sizeof key, &is_new);
  if (is_new) vec_push (&f->known, traverse_future (f, location, key.closed));
  return f->known.data[number];
}
