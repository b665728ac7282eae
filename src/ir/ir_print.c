// Writes the text form.  Grammar: docs/formats/ir.md, "Text form"; ir_parse.c reads it back.
//
// An edge is one line that begins with its location, so that text tools can find, compare and filter edges.  The text
// contains the whole program, except values that are equal to their defaults.
#include <string.h>

#include "ir/ir_impl.h"

typedef struct ir_printer {
  const ir_program *p;
  strbuf *out;
  const bool *named;  // per object: its name is unambiguous, since no earlier object has it; NULL: not computed
  const char *file;   // file of the procedure being written, or NULL
} ir_printer;

static bool goes_by_name (const ir_printer *w, ir_object o) {
  if (w->named) return w->named[o.i];
  const char *name = ir_object_at (w->p, o)->name;
  if (!ir_is_identifier (name)) return false;
  for (uint32_t i = 0; i < o.i; i++)
    if (w->p->objects.data[i].name && !strcmp (w->p->objects.data[i].name, name)) return false;
  return true;
}

static void put_object (const ir_printer *w, ir_object o) {
  if (o.i < w->p->objects.count && goes_by_name (w, o)) strbuf_printf (w->out, "&%s", ir_object_at (w->p, o)->name);
  else strbuf_printf (w->out, "&#%u", o.i);
}

// Writes a string in quotes.  Bytes above 127 are written unchanged in texts for people (UTF-8), and escaped in
// contents of memory.
static void put_bytes (strbuf *out, const char *bytes, size_t count, bool is_text) {
  strbuf_add_char (out, '"');
  for (size_t i = 0; i < count; i++) {
    unsigned char c = (unsigned char) bytes[i];
    if (c == '"' || c == '\\') strbuf_printf (out, "\\%c", c);
    else if (c == '\n') strbuf_add (out, "\\n");
    else if (c < 32 || c == 127 || (c > 127 && !is_text)) strbuf_printf (out, "\\x%02x", c);
    else strbuf_add_char (out, (char) c);
  }
  strbuf_add_char (out, '"');
}

static void put_quoted_text (strbuf *out, const char *text) { put_bytes (out, text, strlen (text), true); }

static void put_name (strbuf *out, const char *name) {
  if (ir_is_identifier (name)) strbuf_add (out, name);
  else put_quoted_text (out, name ? name : "");
}

static void put_position (const ir_printer *w, const ir_position *pos) {
  if (!pos->file) return;
  strbuf_add (w->out, " @");
  if (!w->file || strcmp (w->file, pos->file)) {
    put_quoted_text (w->out, pos->file);
    strbuf_add_char (w->out, ':');
  }
  strbuf_printf (w->out, "%u:%u", pos->line, pos->column);
}

static void put_type (const ir_printer *w, ir_type t) {
  if (t.i != IR_NONE) strbuf_printf (w->out, " type t%u", t.i);
}

// ---- expressions -----------------------------------------------------------------------------------------

static void put_const (strbuf *out, ir_value v, unsigned bits) {
  ir_value minus = -v & ir_mask (bits);
  if (bits > 1 && v >> (bits - 1) && minus <= 1 << 16) strbuf_printf (out, "-%u", (unsigned) minus);
  else if (v < 1000000) strbuf_printf (out, "%u", (unsigned) v);
  else if (v >> 64) strbuf_printf (out, "0x%llx%016llx", (unsigned long long) (v >> 64), (unsigned long long) v);
  else strbuf_printf (out, "0x%llx", (unsigned long long) v);
  strbuf_printf (out, ":%u", bits);
}

static void put_expr (const ir_printer *w, ir_expr x) {
  if (x.i >= w->p->exprs.count) {
    strbuf_add (w->out, "?");  // occurs only in a program that ir_check rejects
    return;
  }
  const ir_expr_node *n = ir_expr_at (w->p, x);
  if (n->op == IR_X_CONST) put_const (w->out, n->value, n->bits);
  else if (n->op == IR_X_REG) strbuf_printf (w->out, "r%u", n->reg.i);
  else if (n->op == IR_X_ADDR) {
    put_object (w, n->object);
    if (n->offset) strbuf_printf (w->out, "+%u", n->offset);
  } else if (ir_expr_arity (n->op) == 1) {
    strbuf_printf (w->out, "%s.%u(", ir_expr_op_text[n->op], n->bits);
    put_expr (w, n->arg[0]);
    strbuf_add_char (w->out, ')');
  } else if (ir_expr_arity (n->op) == 2) {
    strbuf_add_char (w->out, '(');
    put_expr (w, n->arg[0]);
    strbuf_printf (w->out, " %s%s%s ", ir_infix_text (n->op), n->nsw ? ".nsw" : "", n->nuw ? ".nuw" : "");
    put_expr (w, n->arg[1]);
    strbuf_add_char (w->out, ')');
  } else {
    strbuf_add_char (w->out, '(');
    put_expr (w, n->arg[0]);
    strbuf_add (w->out, " ? ");
    put_expr (w, n->arg[1]);
    strbuf_add (w->out, " : ");
    put_expr (w, n->arg[2]);
    strbuf_add_char (w->out, ')');
  }
}

static void put_operands (const ir_printer *w, uint32_t first, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    if (k) strbuf_add (w->out, ", ");
    put_expr (w, w->p->args.data[first + k]);
  }
}

// ---- edges -----------------------------------------------------------------------------------------------

static void put_aux (strbuf *out, const ir_edge_data *d) {
  if (d->op == IR_ALLOC && d->aux <= IR_ALLOC_HEAP_ZEROED) strbuf_printf (out, " %s", ir_alloc_text[d->aux]);
  else if (d->op == IR_NONDET && d->aux && d->aux <= IR_NONDET_UNWRITTEN)
    strbuf_printf (out, " %s", ir_nondet_text[d->aux]);
  else if (d->op == IR_RMW && d->aux < IR_NUM_RMW_OPS) strbuf_printf (out, " %s", ir_rmw_text[d->aux]);
  else if (d->op == IR_CHECK && d->aux < IR_NUM_PROPERTIES) strbuf_printf (out, " %s", ir_property_name[d->aux]);
  else if (d->aux) strbuf_printf (out, " aux %u", d->aux);
}

static void put_result_registers (strbuf *out, const ir_edge_data *d) {
  if (d->dst.i == IR_NONE && d->dst2.i == IR_NONE) return;
  if (d->dst.i == IR_NONE) strbuf_add_char (out, '_');
  else strbuf_printf (out, "r%u", d->dst.i);
  if (d->dst2.i != IR_NONE) strbuf_printf (out, ", r%u", d->dst2.i);
  strbuf_add (out, " = ");
}

static void put_operation (const ir_printer *w, const ir_edge_data *d) {
  strbuf *out = w->out;
  put_result_registers (out, d);
  strbuf_add (out, ir_op_table[d->op].text);
  if (d->bytes) strbuf_printf (out, ".%u", d->bytes);
  put_aux (out, d);
  if (d->origin && d->origin <= IR_INTERRUPT) strbuf_printf (out, " %s", ir_origin_text[d->origin]);
  if (d->order && d->order <= IR_SEQ_CST) strbuf_printf (out, " %s", ir_order_text[d->order]);
  if (d->is_volatile) strbuf_add (out, " volatile");
  if (d->num_args) strbuf_add_char (out, ' ');
  put_operands (w, d->first_arg, d->num_args);
  if (d->message) {
    strbuf_add (out, " message ");
    put_quoted_text (out, d->message);
  }
  if (d->name) {
    strbuf_add (out, " name ");
    put_quoted_text (out, d->name);
    if (d->num_name_args) {
      strbuf_add (out, " (");
      put_operands (w, d->first_name_arg, d->num_name_args);
      strbuf_add_char (out, ')');
    }
  }
}

static void put_target (strbuf *out, const ir_edge_data *d) {
  if (d->to.i != IR_NONE) strbuf_printf (out, " -> L%u", d->to.i);
}

// ---- procedures --------------------------------------------------------------------------------------------

static void put_reg (const ir_printer *w, const ir_proc_data *f, uint32_t r) {
  strbuf_printf (w->out, "r%u:%u", r, f->regs.data[r].bits);
  if (f->regs.data[r].name) {
    strbuf_add_char (w->out, ' ');
    put_quoted_text (w->out, f->regs.data[r].name);
  }
  put_type (w, f->regs.data[r].type);
}

enum { REGS_PER_LINE = 8 };

static void put_regs (const ir_printer *w, const ir_proc_data *f) {
  for (uint32_t r = f->num_params; r < f->regs.count; r++) {
    bool starts_line = (r - f->num_params) % REGS_PER_LINE == 0;
    strbuf_add (w->out, !starts_line ? ", " : r == f->num_params ? "  regs " : "\n  regs ");
    put_reg (w, f, r);
  }
  if (f->regs.count > f->num_params) strbuf_add_char (w->out, '\n');
}

static void put_loc_name (const ir_printer *w, ir_loc l, bool with_label) {
  strbuf_printf (w->out, "  L%u", l.i);
  if (with_label && ir_loc_at (w->p, l)->label) {
    strbuf_add_char (w->out, ' ');
    put_quoted_text (w->out, ir_loc_at (w->p, l)->label);
  }
  strbuf_add (w->out, ": ");
}

static void put_loc (const ir_printer *w, ir_loc l) {
  const ir_loc_data *d = ir_loc_at (w->p, l);
  for (uint32_t k = 0; k < d->num_edges; k++) {
    const ir_edge_data *e = &w->p->edges.data[d->first_edge + k];
    put_loc_name (w, l, k == 0);
    put_operation (w, e);
    put_position (w, &e->pos);
    put_target (w->out, e);
    strbuf_add_char (w->out, '\n');
  }
  if (!d->num_edges) {
    put_loc_name (w, l, true);
    strbuf_add (w->out, "none\n");
  }
}

static void put_proc (ir_printer *w, const ir_proc_data *f) {
  strbuf_add (w->out, "\nproc ");
  put_name (w->out, f->name);
  strbuf_printf (w->out, " = #%u (", f->object.i);
  for (uint32_t r = 0; r < f->num_params && r < f->regs.count; r++) {
    if (r) strbuf_add (w->out, ", ");
    put_reg (w, f, r);
  }
  strbuf_add_char (w->out, ')');
  if (f->result_bits) strbuf_printf (w->out, " -> %u", f->result_bits);
  if (f->internal) strbuf_add (w->out, " internal");
  put_position (w, &f->pos);
  if (f->entry.i != IR_NONE) strbuf_printf (w->out, " entry L%u", f->entry.i);
  strbuf_add (w->out, " {\n");
  w->file = f->pos.file;
  put_regs (w, f);
  for (uint32_t l = 0; l < f->locs.count; l++) put_loc (w, f->locs.data[l]);
  w->file = NULL;
  strbuf_add (w->out, "}\n");
}

// ---- objects, types, the whole -------------------------------------------------------------------------------

static void put_object_line (const ir_printer *w, ir_object o) {
  const ir_object_data *d = ir_object_at (w->p, o);
  strbuf_printf (w->out, "%s #%u ", ir_object_kind_text[d->kind], o.i);
  put_name (w->out, d->name);
  strbuf_printf (w->out, " : %u bytes", d->size);
  if (d->align != 1) strbuf_printf (w->out, " align %u", d->align);
  put_type (w, d->type);
  if (d->internal) strbuf_add (w->out, " internal");
  if (d->argument) strbuf_add (w->out, " argument");
  if (d->outside) {
    strbuf_add (w->out, " outside ");
    put_quoted_text (w->out, d->outside);
  }
  if (d->init) {
    uint32_t count = d->size;  // trailing zeros are not written
    while (count && !d->init[count - 1]) count--;
    strbuf_add (w->out, " init ");
    put_bytes (w->out, (const char *) d->init, count, false);
  }
  for (uint32_t i = 0; i < d->relocations.count; i++) {
    const ir_relocation *r = &d->relocations.data[i];
    strbuf_printf (w->out, " reloc %u ", r->offset);
    put_object (w, r->target);
    if (r->addend) strbuf_printf (w->out, "+%u", r->addend);
  }
  put_position (w, &d->pos);
  strbuf_add_char (w->out, '\n');
}

static void put_type_line (const ir_printer *w, uint32_t t) {
  const ir_type_data *d = &w->p->types.data[t];
  strbuf_printf (w->out, "type t%u %s", t, ir_type_kind_text[d->kind]);
  if (d->name) {
    strbuf_add_char (w->out, ' ');
    put_quoted_text (w->out, d->name);
  }
  strbuf_printf (w->out, " : %u bytes", d->size);
  if (d->target.i != IR_NONE) strbuf_printf (w->out, " of t%u", d->target.i);
  if (d->count) strbuf_printf (w->out, " count %u", d->count);
  for (uint32_t i = 0; i < d->members.count; i++) {
    const ir_member *m = &d->members.data[i];
    strbuf_printf (w->out, "%s%u", i ? ", " : " { ", m->offset);
    if (m->name) {
      strbuf_add_char (w->out, ' ');
      put_quoted_text (w->out, m->name);
    }
    put_type (w, m->type);
  }
  strbuf_add (w->out, d->members.count ? " }\n" : "\n");
}

static bool *find_unambiguous_names (const ir_program *p) {
  bool *named = mem_zalloc (p->objects.count * sizeof *named);
  strmap seen = {0};
  for (uint32_t i = 0; i < p->objects.count; i++) {
    bool is_new = false;
    if (p->objects.data[i].name) strmap_insert (&seen, p->objects.data[i].name, i, &is_new);
    named[i] = is_new && ir_is_identifier (p->objects.data[i].name);
  }
  strmap_release (&seen);
  return named;
}

static void put_program_head (const ir_printer *w) {
  const ir_program *p = w->p;
  strbuf_printf (w->out, "lockstep-ir 1\npointer_bits %u\noffset_bits %u\n", p->pointer_bits, p->offset_bits);
  for (uint32_t i = 0; i < p->files.count; i++) {
    strbuf_add (w->out, "file ");
    put_quoted_text (w->out, p->files.data[i]);
    strbuf_add_char (w->out, '\n');
  }
  for (uint32_t i = 0; i < p->assumptions.count; i++) {
    strbuf_add (w->out, "assumption ");
    put_quoted_text (w->out, p->assumptions.data[i]);
    strbuf_add_char (w->out, '\n');
  }
  for (uint32_t i = 0; i < p->gaps.count; i++) {
    strbuf_add (w->out, "gap ");
    put_quoted_text (w->out, p->gaps.data[i]);
    strbuf_add_char (w->out, '\n');
  }
  if (p->types.count) strbuf_add_char (w->out, '\n');
  for (uint32_t i = 0; i < p->types.count; i++) put_type_line (w, i);
  if (p->objects.count > 1) strbuf_add_char (w->out, '\n');
  for (uint32_t i = 1; i < p->objects.count; i++) put_object_line (w, (ir_object){i});
  if (p->start.i >= p->procs.count) return;
  strbuf_add (w->out, "\nstart ");
  put_object (w, ir_proc_at (p, p->start)->object);
  strbuf_add_char (w->out, '\n');
}

static void flush_text (strbuf *text, FILE *file) {
  fwrite (strbuf_text (text), 1, text->count, file);
  strbuf_clear (text);
}

void ir_print (const ir_program *p, FILE *file) {
  bool *named = find_unambiguous_names (p);
  strbuf text = {0};
  ir_printer w = {.p = p, .out = &text, .named = named};
  put_program_head (&w);
  for (uint32_t i = 0; i < p->procs.count; i++) {
    put_proc (&w, &p->procs.data[i]);
    flush_text (&text, file);
  }
  flush_text (&text, file);
  strbuf_release (&text);
  mem_free (named, p->objects.count * sizeof *named);
}

void ir_print_edge (const ir_program *p, ir_edge e, strbuf *out) {
  ir_printer w = {.p = p, .out = out};
  put_operation (&w, ir_edge_at (p, e));
  put_target (out, ir_edge_at (p, e));
}

void ir_print_expr (const ir_program *p, ir_expr x, strbuf *out) { put_expr (&(ir_printer){.p = p, .out = out}, x); }
