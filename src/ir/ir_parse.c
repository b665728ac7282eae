// Reads the text form.  Grammar: docs/formats/ir.md, "Text form"; ir_print.c writes it.
//
// The reader builds exactly the program in the text: it does not fold, and it leaves all rules of ir_check to ir_check,
// so a text can also describe a program that is not well-formed.  The length of the text is an upper bound for every
// index in it, which limits the memory that a bad text can request.
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "ir/ir_parse_impl.h"

static const char *keep_text (ir_parser *ps, const char *text) { return arena_strdup (ps->p->arena, text); }

static const char *scan_optional_text (ir_parser *ps) {
  return scan_peek (ps) == '"' ? keep_text (ps, scan_string (ps)) : NULL;
}

// Reads a name, quoted or not.  The result is valid until the next word or string is read.
static const char *scan_name (ir_parser *ps) { return scan_peek (ps) == '"' ? scan_string (ps) : scan_word (ps); }

static uint32_t expect_id (ir_parser *ps, char letter) {
  uint32_t id;
  if (!scan_id (ps, letter, &id)) parse_fail (ps, "expected %c and a number", letter);
  return id;
}

static unsigned scan_bits (ir_parser *ps) {
  uint32_t bits = scan_number (ps, 128);
  if (!bits) parse_fail (ps, "a width is 1 to 128 bits");
  return bits;
}

static const char *share_file (ir_parser *ps, const char *name) {
  bool is_new;
  uint64_t *index = strmap_insert (&ps->strings, name, 0, &is_new);
  if (is_new) *index = (uint64_t) (uintptr_t) keep_text (ps, name);
  return (const char *) (uintptr_t) *index;
}

static ir_position scan_position (ir_parser *ps) {
  ir_position pos = {0};
  if (!scan_char (ps, '@')) return pos;
  if (scan_peek (ps) == '"') {
    pos.file = share_file (ps, scan_string (ps));
    scan_expect (ps, ":");
  } else if (!(pos.file = ps->proc_file)) parse_fail (ps, "a position without a file, in no procedure with a file");
  pos.line = scan_number (ps, UINT32_MAX);
  scan_expect (ps, ":");
  pos.column = scan_number (ps, UINT32_MAX);
  return pos;
}

static ir_type scan_optional_type (ir_parser *ps) {
  return scan_keyword (ps, "type") ? (ir_type){expect_id (ps, 't')} : (ir_type){IR_NONE};
}

// ---- expressions -----------------------------------------------------------------------------------------

// Reads the name of an object, after `&`.  False: the name, now in ->word, is not declared (yet).
static bool scan_object (ir_parser *ps, ir_object *o) {
  if (scan_char (ps, '#')) {
    o->i = scan_number (ps, IR_NONE - 1);
    return true;
  }
  const uint64_t *known = strmap_find (&ps->objects, scan_word (ps));
  if (known) o->i = (uint32_t) *known;
  return known;
}

static ir_object expect_object (ir_parser *ps) {
  ir_object o;
  scan_expect (ps, "&");
  if (!scan_object (ps, &o)) parse_fail (ps, "no object `%s` is declared above", strbuf_text (&ps->word));
  if (o.i >= ps->p->objects.count) parse_fail (ps, "no object #%u is declared above", o.i);
  return o;
}

static ir_expr scan_expr (ir_parser *ps);

static ir_expr scan_const (ir_parser *ps) {
  ir_value v = scan_value (ps);
  scan_expect (ps, ":");
  unsigned bits = scan_bits (ps);
  if ((v & ~ir_mask (bits)) && ~(v | ir_mask (bits))) parse_fail (ps, "a constant does not fit into its %u bits", bits);
  return ir_const (ps->p, bits, v);
}

static ir_expr scan_address (ir_parser *ps) {
  ir_expr_node n = {.op = IR_X_ADDR, .bits = ps->p->pointer_bits};
  n.object = expect_object (ps);
  n.offset = *ps->at == '+' ? (ps->at++, scan_number (ps, UINT32_MAX)) : 0;
  return ir_intern (ps->p, &n);
}

static ir_expr_op find_unary (const char *text, size_t length) {
  for (unsigned op = 0; op < IR_NUM_EXPR_OPS; op++)
    if (ir_expr_arity (op) == 1 && strlen (ir_expr_op_text[op]) == length &&
        !memcmp (ir_expr_op_text[op], text, length))
      return op;
  return IR_NUM_EXPR_OPS;
}

static ir_expr scan_unary (ir_parser *ps) {
  ir_expr_node n = {0};
  const char *word = scan_word (ps);
  size_t length = strcspn (word, ".");
  n.op = find_unary (word, length);
  char *end = NULL;
  unsigned long bits = word[length] ? strtoul (word + length + 1, &end, 10) : 0;
  if (n.op == IR_NUM_EXPR_OPS || !end || *end || bits < 1 || bits > 128)
    parse_fail (ps, "`%s` is not an operator with its width", word);
  n.bits = (uint16_t) bits;
  scan_expect (ps, "(");
  n.arg[0] = scan_expr (ps);
  scan_expect (ps, ")");
  return ir_intern (ps->p, &n);
}

// "+", "+.nsw", "+.nuw", "+.nsw.nuw"
static void scan_infix (ir_parser *ps, ir_expr_node *n) {
  const char *text = scan_operator (ps);
  size_t length = strcspn (text, ".");
  const char *flags = text + length;
  if (!strncmp (flags, ".nsw", 4)) n->nsw = true, flags += 4;
  if (!strncmp (flags, ".nuw", 4)) n->nuw = true, flags += 4;
  for (n->op = 0; n->op < IR_NUM_EXPR_OPS; n->op++) {
    const char *candidate = ir_infix_text (n->op);
    if (ir_expr_arity (n->op) == 2 && strlen (candidate) == length && !memcmp (candidate, text, length)) break;
  }
  bool has_flags = n->op == IR_X_ADD || n->op == IR_X_SUB || n->op == IR_X_MUL || n->op == IR_X_SHL;
  if (n->op == IR_NUM_EXPR_OPS || *flags || ((n->nsw || n->nuw) && !has_flags))
    parse_fail (ps, "`%s` is not an operator", text);
}

// Reads a binary expression or an `ite`, after `(`.
static ir_expr scan_compound (ir_parser *ps) {
  ir_expr_node n = {0};
  n.arg[0] = scan_expr (ps);
  if (scan_char (ps, '?')) {
    n.op = IR_X_ITE;
    n.arg[1] = scan_expr (ps);
    scan_expect (ps, ":");
    n.arg[2] = scan_expr (ps);
    n.bits = ir_expr_at (ps->p, n.arg[1])->bits;
  } else {
    scan_infix (ps, &n);
    n.arg[1] = scan_expr (ps);
    n.bits = (uint16_t) ir_result_bits (n.op, ir_expr_at (ps->p, n.arg[0])->bits);
  }
  scan_expect (ps, ")");
  return ir_intern (ps->p, &n);
}

static ir_expr scan_expr (ir_parser *ps) {
  if (over_limit (IR_EXPRESSION_DEPTH, ++ps->depth))
    parse_fail (ps, "an expression is nested deeper than %d", LIMIT_IR_EXPRESSION_DEPTH);
  ir_expr x;
  uint32_t reg;
  char next = scan_peek (ps);
  if (next == '(') ps->at++, x = scan_compound (ps);
  else if (next == '&') x = scan_address (ps);
  else if (next == '-' || (next >= '0' && next <= '9')) x = scan_const (ps);
  else if (scan_id (ps, 'r', &reg)) {
    if (reg >= ir_proc_at (ps->p, ps->proc)->regs.count)
      parse_fail (ps, "r%u is not a register of %s", reg, ir_proc_at (ps->p, ps->proc)->name);
    x = ir_use (ps->p, ps->proc, (ir_reg){reg});
  } else x = scan_unary (ps);
  ps->depth--;
  return x;
}

// ---- edges -----------------------------------------------------------------------------------------------

static bool scanning_args (ir_parser *ps) {
  char next = scan_peek (ps);
  if (next == '(' || next == '&' || (next >= '0' && next <= '9') || (next == '-' && ps->at[1] != '>')) return true;
  const char *word = scan_peek_word (ps);
  return *word && strcmp (word, "message") && strcmp (word, "name") &&
         (strchr (word, '.') || (word[0] == 'r' && word[1] >= '0' && word[1] <= '9'));
}

// [r1 | _] [, r2] =
static void scan_results (ir_parser *ps, ir_edge_data *d) {
  bool none = scan_keyword (ps, "_");
  if (!none && !scan_id (ps, 'r', &d->dst.i)) return;
  if (scan_char (ps, ',')) d->dst2.i = expect_id (ps, 'r');
  scan_expect (ps, "=");
}

static void scan_operation_name (ir_parser *ps, ir_edge_data *d) {
  const char *word = scan_word (ps);
  size_t length = strcspn (word, ".");
  for (d->op = 0; d->op < IR_NUM_OPS; d->op++)
    if (strlen (ir_op_table[d->op].text) == length && !memcmp (ir_op_table[d->op].text, word, length)) break;
  char *end = NULL;
  unsigned long bytes = word[length] ? strtoul (word + length + 1, &end, 10) : 0;
  if (d->op == IR_NUM_OPS || (end && (*end || end == word + length + 1)) || bytes > UINT16_MAX)
    parse_fail (ps, "`%s` is not an operation", word);
  d->bytes = (uint16_t) bytes;
}

static int scan_aux (ir_parser *ps, ir_op op) {
  if (op == IR_ALLOC) return scan_one_of (ps, ir_alloc_text, IR_ALLOC_HEAP_ZEROED + 1);
  if (op == IR_NONDET) return scan_one_of (ps, ir_nondet_text, IR_NONDET_UNWRITTEN + 1);
  if (op == IR_RMW) return scan_one_of (ps, ir_rmw_text, IR_NUM_RMW_OPS);
  if (op == IR_CHECK) return scan_one_of (ps, ir_property_name, IR_NUM_PROPERTIES);
  return -1;
}

static void scan_attributes (ir_parser *ps, ir_edge_data *d) {
  int aux = scan_keyword (ps, "aux") ? (int) scan_number (ps, UINT8_MAX) : scan_aux (ps, d->op);
  if (aux >= 0) d->aux = (uint8_t) aux;
  int origin = scan_one_of (ps, ir_origin_text + 1, IR_INTERRUPT);
  if (origin >= 0) d->origin = (uint8_t) (origin + 1);
  int order = scan_one_of (ps, ir_order_text, IR_SEQ_CST + 1);
  if (order >= 0) d->order = (uint8_t) order;
  d->is_volatile = scan_keyword (ps, "volatile");
}

static void scan_edge_line (ir_parser *ps, ir_loc from) {
  ir_edge_data d = {.dst = {IR_NONE}, .dst2 = {IR_NONE}};
  scan_results (ps, &d);
  scan_operation_name (ps, &d);
  scan_attributes (ps, &d);
  ir_edge e = ir_add_edge (ps->p, d.op, from, (ir_loc){IR_NONE});
  if (scanning_args (ps)) do
      ir_add_arg (ps->p, e, scan_expr (ps));
    while (scan_char (ps, ','));
  if (scan_keyword (ps, "message")) d.message = keep_text (ps, scan_string (ps));
  if (scan_keyword (ps, "name")) {
    d.name = keep_text (ps, scan_string (ps));
    if (scan_char (ps, '(')) {
      do ir_add_name_arg (ps->p, e, scan_expr (ps));
      while (scan_char (ps, ','));
      scan_expect (ps, ")");
    }
  }
  d.pos = scan_position (ps);
  ir_edge_data *made = ir_edge_at (ps->p, e);
  if (scan_char (ps, '-')) scan_expect (ps, ">"), made->to.i = expect_id (ps, 'L');
  made->dst = d.dst, made->dst2 = d.dst2, made->bytes = d.bytes, made->aux = d.aux, made->order = d.order;
  made->origin = d.origin;
  made->is_volatile = d.is_volatile, made->message = d.message, made->name = d.name, made->pos = d.pos;
}

// ---- procedures --------------------------------------------------------------------------------------------

static void scan_reg (ir_parser *ps) {
  ir_proc_data *f = ir_proc_at (ps->p, ps->proc);
  if (expect_id (ps, 'r') != f->regs.count)
    parse_fail (ps, "registers are numbered in order: r%u comes next", f->regs.count);
  scan_expect (ps, ":");
  unsigned bits = scan_bits (ps);
  ir_reg r = ir_add_reg (ps->p, ps->proc, bits, scan_peek (ps) == '"' ? scan_string (ps) : NULL);
  f->regs.data[r.i].type = scan_optional_type (ps);
}

static void scan_regs (ir_parser *ps) {
  do scan_reg (ps);
  while (scan_char (ps, ','));
}

// Adds all locations up to this one; locations that the text has not mentioned yet belong to no procedure.
static void reach_loc (ir_parser *ps, uint32_t l) {
  while (ps->p->locs.count <= l) vec_push (&ps->p->locs, ((ir_loc_data){.proc = {IR_NONE}}));
}

static void scan_loc_line (ir_parser *ps) {
  ir_loc l = {expect_id (ps, 'L')};
  reach_loc (ps, l.i);
  ir_loc_data *d = ir_loc_at (ps->p, l);
  if (d->proc.i == IR_NONE) {
    d->proc = ps->proc;
    vec_push (&ir_proc_at (ps->p, ps->proc)->locs, l);
    d->label = scan_optional_text (ps);
  } else if (d->proc.i != ps->proc.i) parse_fail (ps, "L%u is in another procedure already", l.i);
  scan_expect (ps, ":");
  if (!scan_keyword (ps, "none")) scan_edge_line (ps, l);
}

static void scan_proc_head (ir_parser *ps, ir_proc_data *f) {
  scan_expect (ps, "(");
  if (scan_peek (ps) != ')') scan_regs (ps);
  scan_expect (ps, ")");
  f->num_params = f->regs.count;
  if (scan_char (ps, '-')) scan_expect (ps, ">"), f->result_bits = (uint16_t) scan_bits (ps);
  f->internal = scan_keyword (ps, "internal");
  f->pos = scan_position (ps);
  if (scan_keyword (ps, "entry")) f->entry.i = expect_id (ps, 'L');
  ps->proc_file = f->pos.file;
}

static void scan_procedure (ir_parser *ps) {
  ir_proc_data f = {.entry = {IR_NONE}, .name = keep_text (ps, scan_name (ps))};
  scan_expect (ps, "=");
  scan_expect (ps, "#");
  f.object.i = scan_number (ps, IR_NONE - 1);
  ir_object_data *o = f.object.i < ps->p->objects.count ? ir_object_at (ps->p, f.object) : NULL;
  if (!o || o->kind != IR_O_FUNCTION) parse_fail (ps, "no function #%u is declared above", f.object.i);
  if (o->proc.i != IR_NONE) parse_fail (ps, "function #%u has a body already", f.object.i);
  ps->proc.i = o->proc.i = ps->p->procs.count;
  vec_push (&ps->p->procs, f);
  scan_proc_head (ps, ir_proc_at (ps->p, ps->proc));
  scan_expect (ps, "{");
  while (!scan_char (ps, '}')) {
    if (scan_keyword (ps, "regs")) scan_regs (ps);
    else scan_loc_line (ps);
  }
  ps->proc_file = NULL;
}

// ---- objects, types, the whole -------------------------------------------------------------------------------

static void scan_init (ir_parser *ps, ir_object_data *d) {
  scan_string (ps);
  if (ps->text.count > d->size) parse_fail (ps, "%u initial bytes in an object of %u", ps->text.count, d->size);
  d->init = arena_zalloc (ps->p->arena, d->size);
  if (ps->text.count) memcpy (d->init, ps->text.data, ps->text.count);
}

static void scan_relocation (ir_parser *ps, ir_object o) {
  ir_object_data *d = ir_object_at (ps->p, o);
  ir_relocation r = {.offset = scan_number (ps, UINT32_MAX), .target = {IR_NONE}};
  scan_expect (ps, "&");
  if (!scan_object (ps, &r.target)) {
    pending_relocation later = {o, d->relocations.count, (char *) keep_text (ps, strbuf_text (&ps->word)), ps->line};
    vec_push (&ps->relocations, later);
  }
  if (*ps->at == '+') ps->at++, r.addend = scan_number (ps, UINT32_MAX);
  vec_push (&d->relocations, r);
}

static void scan_object_line (ir_parser *ps, ir_object_kind kind) {
  scan_expect (ps, "#");
  if (scan_number (ps, IR_NONE - 1) != ps->p->objects.count)
    parse_fail (ps, "objects are numbered in order: #%u comes next", ps->p->objects.count);
  ir_object o = ir_add_object (ps->p, scan_name (ps), kind, 0);
  ir_object_data *d = ir_object_at (ps->p, o);
  strmap_insert (&ps->objects, d->name, o.i, NULL);
  scan_expect (ps, ":");
  d->size = scan_number (ps, UINT32_MAX);
  scan_expect (ps, "bytes");
  if (scan_keyword (ps, "align")) d->align = scan_number (ps, UINT32_MAX);
  d->type = scan_optional_type (ps);
  d->internal = scan_keyword (ps, "internal");
  d->argument = scan_keyword (ps, "argument");
  if (scan_keyword (ps, "outside")) d->outside = keep_text (ps, scan_string (ps));
  if (scan_keyword (ps, "init")) scan_init (ps, d);
  while (scan_keyword (ps, "reloc")) scan_relocation (ps, o);
  d->pos = scan_position (ps);
}

static void scan_members (ir_parser *ps, ir_type_data *d) {
  do {
    ir_member m = {.offset = scan_number (ps, UINT32_MAX)};
    m.name = scan_optional_text (ps);
    m.type = scan_optional_type (ps);
    vec_push (&d->members, m);
  } while (scan_char (ps, ','));
  scan_expect (ps, "}");
}

static void scan_type_line (ir_parser *ps) {
  if (expect_id (ps, 't') != ps->p->types.count)
    parse_fail (ps, "types are numbered in order: t%u comes next", ps->p->types.count);
  int kind = scan_one_of (ps, ir_type_kind_text, IR_T_OTHER + 1);
  if (kind < 0) parse_fail (ps, "`%s` is not a kind of type", scan_peek_word (ps));
  ir_type t = ir_add_type (ps->p, kind, scan_peek (ps) == '"' ? scan_string (ps) : NULL, 0);
  ir_type_data *d = ir_type_at (ps->p, t);
  scan_expect (ps, ":");
  d->size = scan_number (ps, UINT32_MAX);
  scan_expect (ps, "bytes");
  if (scan_keyword (ps, "of")) d->target.i = expect_id (ps, 't');
  if (scan_keyword (ps, "count")) d->count = scan_number (ps, UINT32_MAX);
  if (scan_char (ps, '{')) scan_members (ps, d);
}

static void scan_statement (ir_parser *ps) {
  int kind = scan_one_of (ps, ir_object_kind_text, IR_O_FUNCTION + 1);
  if (kind >= 0) scan_object_line (ps, kind);
  else if (scan_keyword (ps, "proc")) scan_procedure (ps);
  else if (scan_keyword (ps, "type")) scan_type_line (ps);
  else if (scan_keyword (ps, "file")) vec_push (&ps->p->files, keep_text (ps, scan_string (ps)));
  else if (scan_keyword (ps, "assumption")) ir_assume_in_report (ps->p, "%s", scan_string (ps));
  else if (scan_keyword (ps, "gap")) ir_add_gap (ps->p, "%s", scan_string (ps));
  else if (scan_keyword (ps, "start")) ps->start = expect_object (ps), ps->has_start = true;
  else parse_fail (ps, "`%s` begins no statement", scan_peek_word (ps));
}

static void resolve_relocations (ir_parser *ps) {
  ir_program *p = ps->p;
  for (uint32_t i = 0; i < ps->relocations.count; i++) {
    const pending_relocation *r = &ps->relocations.data[i];
    const uint64_t *known = strmap_find (&ps->objects, r->name);
    ps->line = r->line;
    if (!known) parse_fail (ps, "no object `%s` is declared", r->name);
    ir_object_at (p, r->object)->relocations.data[r->index].target.i = (uint32_t) *known;
  }
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (p->locs.data[l].proc.i == IR_NONE) parse_fail (ps, "L%u has no line; locations are numbered without gaps", l);
  if (!ps->has_start) return;
  p->start = ir_object_at (p, ps->start)->proc;
  if (p->start.i == IR_NONE) parse_fail (ps, "the start #%u is not a function with a body", ps->start.i);
}

// Returns false after parse_fail.  The parser object belongs to the caller, so longjmp does not change it.
static bool scan_program (ir_parser *ps) {
  if (setjmp (ps->failed)) return false;
  scan_expect (ps, "lockstep-ir 1");
  scan_expect (ps, "pointer_bits");
  ps->p->pointer_bits = (uint16_t) scan_bits (ps);
  scan_expect (ps, "offset_bits");
  ps->p->offset_bits = (uint16_t) scan_bits (ps);
  while (scan_peek (ps)) scan_statement (ps);
  resolve_relocations (ps);
  ir_finish (ps->p);
  return true;
}

ir_program *ir_parse (const char *text, const char *file, char **error) {
  ir_parser ps = {.p = ir_program_new (), .file = file ? file : "-", .at = text, .length = strlen (text), .line = 1};
  strmap_insert (&ps.objects, "null", 0, NULL);
  bool good = scan_program (&ps);
  strbuf_release (&ps.word);
  strbuf_release (&ps.text);
  strmap_release (&ps.objects);
  strmap_release (&ps.strings);
  vec_release (&ps.relocations);
  if (good) return ps.p;
  ir_program_free (ps.p);
  if (error) *error = ps.error;
  else free (ps.error);
  return NULL;
}
