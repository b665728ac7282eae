// Copies of programs, for transformations of a program that must not be changed itself.
#include <string.h>

#include "base/diag.h"
#include "ir/ir_impl.h"

#define CLONE_VEC(TO, FROM)                                                   \
  do {                                                                        \
    (TO)->data = NULL, (TO)->count = (TO)->capacity = 0;                      \
    if ((FROM)->count) {                                                      \
      vec_reserve ((TO), (FROM)->count);                                      \
      memcpy ((TO)->data, (FROM)->data, sizeof *(FROM)->data *(FROM)->count); \
      (TO)->count = (FROM)->count;                                            \
    }                                                                         \
  } while (0)

// Fills the table of expressions in the order of the original, so every expression keeps its number.
static void clone_exprs (ir_program *to, const ir_program *from) {
  for (uint32_t x = 0; x < from->exprs.count; x++) {
    ir_expr made = ir_intern (to, &from->exprs.data[x]);
    CHECK (made.i == x, "expression %u should not become %u", x, made.i);
  }
}

static void clone_lists (ir_program *to, const ir_program *from) {
  CLONE_VEC (&to->objects, &from->objects);
  CLONE_VEC (&to->procs, &from->procs);
  CLONE_VEC (&to->locs, &from->locs);
  CLONE_VEC (&to->edges, &from->edges);
  CLONE_VEC (&to->args, &from->args);
  CLONE_VEC (&to->types, &from->types);
  CLONE_VEC (&to->files, &from->files);
  CLONE_VEC (&to->assumptions, &from->assumptions);
  CLONE_VEC (&to->gaps, &from->gaps);
}

ir_program *ir_clone (const ir_program *from) {
  ir_program *to = ir_program_new ();
  vec_release (&to->objects);
  to->pointer_bits = from->pointer_bits;
  to->offset_bits = from->offset_bits;
  to->start = from->start;
  to->place = from->place;
  clone_lists (to, from);
  for (uint32_t o = 0; o < to->objects.count; o++)
    CLONE_VEC (&to->objects.data[o].relocations, &from->objects.data[o].relocations);
  for (uint32_t t = 0; t < to->types.count; t++) CLONE_VEC (&to->types.data[t].members, &from->types.data[t].members);
  for (uint32_t f = 0; f < to->procs.count; f++) {
    CLONE_VEC (&to->procs.data[f].regs, &from->procs.data[f].regs);
    CLONE_VEC (&to->procs.data[f].locs, &from->procs.data[f].locs);
  }
  clone_exprs (to, from);
  return to;
}
