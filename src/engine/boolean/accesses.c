// Computes the sets of globals that the statement at each location reads and writes.
#include "engine/boolean/accesses.h"

#include "engine/boolean/symbolic.h"

static uint64_t *access_row (accesses *a, access_set s, uint32_t location) {
  return a->bits[s] + (size_t) location * a->words;
}

static void add_global (const bp_program *p, uint64_t *set, uint32_t var) {
  if (p->vars.data[var].global) set[var / 64] |= 1ull << var % 64;
}

static void add_reads (const bp_program *p, uint64_t *set, bp_expr x) {
  bp_expr_list leaves = {0};
  bp_leaves (p, x, &leaves);
  for (uint32_t i = 0; i < leaves.count; i++) {
    bp_node n = bp_node_at (p, leaves.data[i]);
    if (n.op != BP_CHOICE) add_global (p, set, n.a);
  }
  vec_release (&leaves);
}

static void add_statement (accesses *a, uint32_t location, const bp_location *d) {
  const bp_program *p = a->program;
  uint64_t *reads = access_row (a, STEP_READS, location);
  for (uint32_t i = 0; i < d->targets.count; i++)
    add_global (p, access_row (a, STEP_WRITES, location), d->targets.data[i].i);
  for (uint32_t i = 0; i < d->values.count; i++) add_reads (p, reads, d->values.data[i]);
  add_reads (p, reads, d->condition);
}

// A value after the step is computed from the values that are assigned: a constrained assignment waits for all that it
// reads. A goto waits for what the statement that it leads to waits for.
static void find_step_accesses (accesses *a, uint32_t location) {
  const bp_program *p = a->program;
  const bp_location *d = &p->locs.data[location];
  uint64_t *reads = access_row (a, STEP_READS, location), *waits = access_row (a, STEP_WAITS, location);
  add_statement (a, location, d);
  for (uint32_t i = 0; i < d->next.count && d->kind == BP_GOTO; i++)
    if (simulate_may_wait (p, bp_loc_at (p, d->next.data[i])))
      add_statement (a, location, bp_loc_at (p, d->next.data[i]));
  bool waiting = d->kind == BP_GOTO || simulate_may_wait (p, d);
  for (uint32_t w = 0; w < a->words && waiting; w++) waits[w] = reads[w];
}

void accesses_init (accesses *a, const bp_program *p) {
  *a = (accesses){.program = p, .words = (p->vars.count + 63) / 64};
  for (unsigned s = 0; s < NUM_ACCESS_SETS; s++) a->bits[s] = mem_zalloc (sizeof (uint64_t) * a->words * p->locs.count);
  for (uint32_t l = 0; l < p->locs.count; l++) find_step_accesses (a, l);
}

void accesses_release (accesses *a) {
  for (unsigned s = 0; s < NUM_ACCESS_SETS; s++)
    mem_free (a->bits[s], sizeof (uint64_t) * a->words * a->program->locs.count);
}
