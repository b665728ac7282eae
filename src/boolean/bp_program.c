// Building Boolean programs: variables, locations, statements.
#include "boolean/bp_program.h"

bp_program *bp_program_new (const char *file) {
  bp_program *p = mem_zalloc (sizeof *p);
  p->arena = arena_new ();
  p->file = arena_strdup (p->arena, file);
  p->start.i = BP_NONE;
  return p;
}

void bp_program_free (bp_program *p) {
  for (uint32_t i = 0; i < p->locs.count; i++) {
    vec_release (&p->locs.data[i].targets);
    vec_release (&p->locs.data[i].values);
    vec_release (&p->locs.data[i].next);
  }
  vec_release (&p->locs);
  vec_release (&p->vars);
  intern_release (&p->nodes);
  arena_free (p->arena);
  mem_free (p, sizeof *p);
}

bp_var bp_add_var (bp_program *p, const char *name, bool global) {
  const char *copy = arena_strdup (p->arena, name);
  vec_push (&p->vars, ((bp_variable){.name = copy, .shown = copy, .global = global}));
  return (bp_var){p->vars.count - 1};
}

bp_loc bp_add_loc (bp_program *p, bp_kind kind) {
  vec_push (&p->locs, ((bp_location){.kind = kind, .condition = bp_const (p, true), .thread = {BP_NONE}}));
  return (bp_loc){p->locs.count - 1};
}

void bp_add_target (bp_program *p, bp_loc l, bp_var target, bp_expr value) {
  vec_push (&bp_loc_at (p, l)->targets, target);
  vec_push (&bp_loc_at (p, l)->values, value);
}

void bp_add_next (bp_program *p, bp_loc l, bp_loc next) { vec_push (&bp_loc_at (p, l)->next, next); }
