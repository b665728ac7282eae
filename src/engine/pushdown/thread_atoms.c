// What the atoms of the formula mean in this program.  `at` and `in` depend on the location alone, `called` on the
// entered procedure.  Atoms about locks mean a static lock, or else all operations whose text names the lock.
#include <string.h>

#include "engine/pushdown/pushdown_impl.h"

static bool bind_error (pushdown *d, const ltl_atom *a, const char *message) {
  d->error = message;
  d->error_column = a->column;
  return false;
}

// ---- places ------------------------------------------------------------------------------------------

static bool is_line_number (const char *text) { return *text && strspn (text, "0123456789") == strlen (text); }

static bool bind_at (pushdown *d, uint32_t atom) {
  const ltl_atom *a = &d->pool->atoms.data[atom];
  const char *colon = strrchr (a->argument, ':');
  bool by_line = is_line_number (colon ? colon + 1 : a->argument), found = false;
  for (uint32_t l = 0; l < d->program->locs.count; l++)
    if (ir_loc_is_at (d->program, (ir_loc){l}, a->argument)) {
      d->at_location[l] |= UINT64_C (1) << atom;
      found = true;
    }
  if (found) return true;
  const char *what =
      by_line ? "there is no operation at line `%s`: a line with executable code is needed" : "there is no label `%s`";
  strbuf message = {0};
  strbuf_printf (&message, what, a->argument);
  bind_error (d, a, arena_strdup (d->arena, strbuf_text (&message)));
  strbuf_release (&message);
  return false;
}

// ---- functions ---------------------------------------------------------------------------------------

static bool bind_function (pushdown *d, uint32_t atom) {
  const ltl_atom *a = &d->pool->atoms.data[atom];
  const ir_program *p = d->program;
  uint64_t bit = UINT64_C (1) << atom;
  bool found = false;
  for (uint32_t f = 0; f < p->procs.count; f++) {
    if (strcmp (p->procs.data[f].name, a->argument)) continue;
    found = true;
    if (a->kind == LTL_CALLED) d->at_entry[f] |= bit;
    else
      for (uint32_t k = 0; k < p->procs.data[f].locs.count; k++) d->at_location[p->procs.data[f].locs.data[k].i] |= bit;
  }
  return found || bind_error (d, a, arena_printf (d->arena, "there is no function `%s` with a body", a->argument));
}

// ---- locks -------------------------------------------------------------------------------------------

static bool some_operation_means (pushdown *d, uint32_t atom) {
  const ir_program *p = d->program;
  for (uint32_t k = 0; k < p->edges.count; k++) {
    lock_op op = lockop_of (p->edges.data[k].op);
    if (op.action == IR_NO_ACTION) continue;
    if (d->atom_is_static[atom] ? lockop_may_mean (d, (ir_edge){k}, op, d->atom_lock[atom])
                                : lockop_named (p, (ir_edge){k}, op, d->pool->atoms.data[atom].argument))
      return true;
  }
  return false;
}

static bool bind_lock (pushdown *d, uint32_t atom) {
  const ltl_atom *a = &d->pool->atoms.data[atom];
  d->atom_is_static[atom] = static_lock_find (d->program, a->argument, &d->atom_lock[atom]);
  if (!some_operation_means (d, atom))
    return bind_error (d, a, arena_printf (d->arena, "no lock operation of the program is on `%s`", a->argument));
  if (d->atom_is_static[atom]) {
    if (!static_lock_follow (d, d->atom_lock[atom])) return bind_error (d, a, "too many different locks (at most 16)");
    d->atom_followed[atom] = static_lock_index (d, d->atom_lock[atom]);
    return true;
  }
  if (a->kind != LTL_HOLDS) return true;
  return bind_error (d, a,
                     arena_printf (d->arena,
                                   "holds() needs a global variable or a part of one: `%s` may name several locks",
                                   a->argument));
}

bool atoms_bind (pushdown *d) {
  for (uint32_t k = 0; k < d->pool->atoms.count; k++) {
    ltl_atom_kind kind = d->pool->atoms.data[k].kind;
    d->atom_followed[k] = NONE;
    bool bound = kind == LTL_AT                         ? bind_at (d, k)
                 : kind == LTL_IN || kind == LTL_CALLED ? bind_function (d, k)
                                                        : bind_lock (d, k);
    if (!bound) return false;
  }
  return true;
}
