// Building a program: objects, procedures, locations, edges.
//
// Clients (the front end, the parser, transformations) add edges in any order.  ir_finish then sorts the edges by
// location, so that the edges of a location are adjacent.  The sort is stable: the branches of a location stay in the
// order in which they were added.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "ir/ir_impl.h"

ir_program *ir_program_new (void) {
  arena *a = arena_new ();
  ir_program *p = arena_zalloc (a, sizeof *p);
  p->arena = a;
  p->pointer_bits = 64;
  p->offset_bits = 32;
  p->start.i = IR_NONE;
  p->tables = arena_zalloc (a, sizeof *p->tables);
  ir_add_object (p, "null", IR_O_CONSTANT, 0);
  return p;
}

void ir_program_free (ir_program *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->objects.count; i++) vec_release (&p->objects.data[i].relocations);
  for (uint32_t i = 0; i < p->types.count; i++) vec_release (&p->types.data[i].members);
  for (uint32_t i = 0; i < p->procs.count; i++) {
    vec_release (&p->procs.data[i].regs);
    vec_release (&p->procs.data[i].locs);
  }
  vec_release (&p->objects);
  vec_release (&p->procs);
  vec_release (&p->locs);
  vec_release (&p->edges);
  vec_release (&p->args);
  vec_release (&p->exprs);
  vec_release (&p->types);
  vec_release (&p->files);
  vec_release (&p->assumptions);
  vec_release (&p->gaps);
  map_release (&p->tables->by_hash);
  vec_release (&p->tables->next);
  vec_release (&p->tables->size);
  vec_release (&p->tables->can_fail);
  strmap_release (&p->tables->assumed);
  arena_free (p->arena);
}

static const char *copy_program_text (ir_program *p, const char *text) {
  return text ? arena_strdup (p->arena, text) : NULL;
}

ir_object ir_add_object (ir_program *p, const char *name, ir_object_kind kind, uint32_t size) {
  ir_object_data d = {.name = copy_program_text (p, name), .kind = kind, .size = size, .align = 1};
  d.type.i = d.proc.i = IR_NONE;
  vec_push (&p->objects, d);
  return (ir_object){p->objects.count - 1};
}

ir_proc ir_add_proc (ir_program *p, const char *name) {
  ir_proc f = {p->procs.count};
  ir_proc_data d = {.name = copy_program_text (p, name)};
  d.object = ir_add_object (p, name, IR_O_FUNCTION, 0);
  d.entry.i = IR_NONE;
  p->objects.data[d.object.i].proc = f;
  vec_push (&p->procs, d);
  return f;
}

ir_reg ir_add_reg (ir_program *p, ir_proc f, unsigned bits, const char *name) {
  CHECK (bits >= 1 && bits <= 128, "a register should have 1 to 128 bits, not %u", bits);
  ir_proc_data *d = ir_proc_at (p, f);
  ir_reg_data r = {.bits = (uint16_t) bits, .name = copy_program_text (p, name), .type = {IR_NONE}};
  vec_push (&d->regs, r);
  return (ir_reg){d->regs.count - 1};
}

ir_loc ir_add_loc (ir_program *p, ir_proc f) {
  ir_loc l = {p->locs.count};
  ir_loc_data d = {.proc = f};
  vec_push (&p->locs, d);
  vec_push (&ir_proc_at (p, f)->locs, l);
  return l;
}

ir_edge ir_add_edge (ir_program *p, ir_op op, ir_loc from, ir_loc to) {
  ir_edge_data d = {.op = op, .from = from, .to = to};
  d.dst.i = d.dst2.i = IR_NONE;
  d.first_arg = d.first_name_arg = p->args.count;
  vec_push (&p->edges, d);
  return (ir_edge){p->edges.count - 1};
}

// Appends to a list in program->args.  A list that is not the last one there is moved to the end first.
static void append_operand (ir_program *p, uint32_t *first, uint32_t *count, ir_expr x) {
  if (*first + *count != p->args.count) {
    uint32_t old = *first;
    *first = p->args.count;
    for (uint32_t i = 0; i < *count; i++) {
      ir_expr moved = p->args.data[old + i];
      vec_push (&p->args, moved);
    }
  }
  vec_push (&p->args, x);
  (*count)++;
}

void ir_add_arg (ir_program *p, ir_edge e, ir_expr x) {
  ir_edge_data *d = ir_edge_at (p, e);
  append_operand (p, &d->first_arg, &d->num_args, x);
}

void ir_add_name_arg (ir_program *p, ir_edge e, ir_expr x) {
  ir_edge_data *d = ir_edge_at (p, e);
  append_operand (p, &d->first_name_arg, &d->num_name_args, x);
}

ir_type ir_add_type (ir_program *p, ir_type_kind kind, const char *name, uint32_t size) {
  ir_type_data d = {.kind = kind, .name = copy_program_text (p, name), .size = size, .target = {IR_NONE}};
  vec_push (&p->types, d);
  return (ir_type){p->types.count - 1};
}

// Returns the formatted text in the program's arena, or NULL if assumptions or gaps contain it already.
static const char *add_text_once (ir_program *p, const char *format, va_list list) {
  strbuf text = {0};
  strbuf_vprintf (&text, format, list);
  bool is_new;
  strmap_insert (&p->tables->assumed, strbuf_text (&text), 0, &is_new);
  const char *kept = is_new ? arena_strdup (p->arena, strbuf_text (&text)) : NULL;
  strbuf_release (&text);
  return kept;
}

void ir_assume_in_report (ir_program *p, const char *format, ...) {
  va_list list;
  va_start (list, format);
  const char *text = add_text_once (p, format, list);
  va_end (list);
  if (text) vec_push (&p->assumptions, text);
}

void ir_add_gap (ir_program *p, const char *format, ...) {
  va_list list;
  va_start (list, format);
  const char *text = add_text_once (p, format, list);
  va_end (list);
  if (text) vec_push (&p->gaps, text);
}

// Sorts the edges by `from`, with a counting sort.
void ir_finish (ir_program *p) {
  for (uint32_t l = 0; l < p->locs.count; l++) p->locs.data[l].num_edges = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    uint32_t from = p->edges.data[e].from.i;
    CHECK (from < p->locs.count, "edge %u should leave a location, not L%u", e, from);
    p->locs.data[from].num_edges++;
  }
  uint32_t sum = 0;
  for (uint32_t l = 0; l < p->locs.count; l++) {
    p->locs.data[l].first_edge = sum;
    sum += p->locs.data[l].num_edges;
    p->locs.data[l].num_edges = 0;
  }
  if (!p->edges.count) return;
  size_t bytes = sizeof (ir_edge_data) * p->edges.count;
  ir_edge_data *old = mem_alloc (bytes);
  memcpy (old, p->edges.data, bytes);
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_loc_data *l = ir_loc_at (p, old[e].from);
    p->edges.data[l->first_edge + l->num_edges++] = old[e];
  }
  mem_free (old, bytes);
}
