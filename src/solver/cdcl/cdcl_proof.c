// The proof: what was learnt and what was deleted, as DRAT in its text form (Wetzler, Heule and Hunt 2014).  All that
// is learnt follows by unit propagation (RUP).
//
// Literals of level 0 are written before any clause is deleted, because the clauses that imply them may be deleted.
#include "solver/cdcl/cdcl_impl.h"

static void write_clause (FILE *f, const lit *literals, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) fprintf (f, "%d ", lit_outside (literals[i]));
  fputs ("0\n", f);
}

void proof_add (cdcl *s, const lit *literals, uint32_t size) {
  if (s->proof) write_clause (s->proof, literals, size);
}

void proof_delete (cdcl *s, const lit *literals, uint32_t size) {
  if (!s->proof) return;
  fputs ("d ", s->proof);
  write_clause (s->proof, literals, size);
}

void proof_add_units (cdcl *s) {
  if (!s->proof) return;
  uint32_t end = s->levels.count ? s->levels.data[0] : s->trail.count;
  for (; s->proved_units < end; s->proved_units++) proof_add (s, &s->trail.data[s->proved_units], 1);
}
