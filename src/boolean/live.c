// Which variables matter at which location: those that are read on some way from there before they are assigned, by the thread that
// stands there or by one that it starts.  This is what paper BOOL, section 4, calls active; backwards until nothing changes.
#include <string.h>

#include "boolean/program.h"

typedef struct liveness_sets {
  const bp_program *p;
  bp_liveness *live;
  uint64_t *reads, *assigns;  // as live->bits
  bp_expr_list leaves;
} liveness_sets;

static void set_bit (uint64_t *row, uint32_t i) { row[i / 64] |= 1ull << i % 64; }
static bool has_bit (const uint64_t *row, uint32_t i) { return row[i / 64] >> i % 64 & 1; }

static void add_reads (liveness_sets *s, uint64_t *reads, const uint64_t *assigns, bp_expr x) {
  vec_clear (&s->leaves);
  bp_leaves (s->p, x, &s->leaves);
  for (uint32_t i = 0; i < s->leaves.count; i++) {
    bp_node n = bp_node_at (s->p, s->leaves.data[i]);
    if (n.op == BP_VAR || (n.op == BP_NEXT && !has_bit (assigns, n.a))) set_bit (reads, n.a);
  }
}

static void find_accesses (liveness_sets *s, uint32_t l) {
  const bp_location *d = &s->p->locs.data[l];
  uint64_t *reads = s->reads + (size_t) l * s->live->words, *assigns = s->assigns + (size_t) l * s->live->words;
  for (uint32_t i = 0; i < d->targets.count; i++) set_bit (assigns, d->targets.data[i].i);
  for (uint32_t i = 0; i < d->values.count; i++) add_reads (s, reads, assigns, d->values.data[i]);
  add_reads (s, reads, assigns, d->condition);
}

// What is live before `l`, given what is behind it.  True: it has grown.
static bool update (liveness_sets *s, uint32_t l) {
  const bp_location *d = &s->p->locs.data[l];
  uint32_t words = s->live->words;
  uint64_t *row = s->live->bits + (size_t) l * words, grown = 0;
  for (uint32_t w = 0; w < words; w++) {
    uint64_t after = 0, thread = d->thread.i == BP_NONE ? 0 : s->live->bits[(size_t) d->thread.i * words + w];
    for (uint32_t i = 0; i < d->next.count; i++) after |= s->live->bits[(size_t) d->next.data[i].i * words + w];
    uint64_t before = s->reads[(size_t) l * words + w] | ((after | thread) & ~s->assigns[(size_t) l * words + w]);
    grown |= before & ~row[w];
    row[w] |= before;
  }
  return grown != 0;
}

void bp_liveness_find (bp_liveness *live, const bp_program *p) {
  live->words = (p->vars.count + 63) / 64 + !p->vars.count;
  size_t bytes = sizeof *live->bits * live->words * p->locs.count;
  live->bits = mem_zalloc (bytes);
  liveness_sets s = {.p = p, .live = live, .reads = mem_zalloc (bytes), .assigns = mem_zalloc (bytes)};
  for (uint32_t l = 0; l < p->locs.count; l++) find_accesses (&s, l);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = p->locs.count; l-- > 0;) changed |= update (&s, l);
  }
  mem_free (s.reads, bytes);
  mem_free (s.assigns, bytes);
  vec_release (&s.leaves);
}

void bp_liveness_release (bp_liveness *live, const bp_program *p) {
  mem_free (live->bits, sizeof *live->bits * live->words * p->locs.count);
}
