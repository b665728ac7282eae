// The table of rules in docs/formats/ir.md agrees with ir/sync.h.  With the argument --print, this program writes the
// table, to be inserted between the two marks of that page.  It must run in the root of the repository.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/test.h"
#include "ir/sync.h"

static const char page[] = "docs/formats/ir.md", first_mark[] = "<!-- rules: begin -->\n",
                  last_mark[] = "<!-- rules: end -->\n";

// ---- expressions -------------------------------------------------------------------------------------------
// Operators that bind more tightly come later.  An argument is put in parentheses unless it binds more tightly than the
// expression around it.
typedef enum binding { BINDS_IF, BINDS_OR, BINDS_AND, BINDS_NOT, BINDS_EQUAL, BINDS_PLUS, BINDS_LEAF } binding;

static const char *word_name (uint32_t word) {
  static const char *const names[IR_NUM_WORDS] = {"state", "owner", "count", "kind", "readers", "value", "arrived"};
  return names[word];
}

static binding binding_of (const ir_rule_expr *x) {
  switch (x->op) {
  case IR_R_IF: return BINDS_IF;
  case IR_R_OR: return BINDS_OR;
  case IR_R_AND: return BINDS_AND;
  case IR_R_NOT:
    if (x->a->op == IR_R_NOT) return binding_of (x->a->a);
    return x->a->op == IR_R_EQUAL || x->a->op == IR_R_MINE ? BINDS_EQUAL : BINDS_NOT;
  case IR_R_EQUAL:
  case IR_R_MINE: return BINDS_EQUAL;
  case IR_R_PLUS: return BINDS_PLUS;
  case IR_R_NUMBER:
  case IR_R_ARG:
  case IR_R_SELF:
  case IR_R_WORD:
  case IR_R_READS:
  case IR_R_WAITING:
  case IR_R_IN_USE: return BINDS_LEAF;
  }
  return BINDS_LEAF;
}

static void add_rule_expr (strbuf *out, const ir_rule_expr *x, binding around);
static void add_operation_of (strbuf *out, const ir_rule_expr *x);

static void add_operator (strbuf *out, const ir_rule_expr *x, const char *text, binding b) {
  add_rule_expr (out, x->a, b);
  strbuf_printf (out, " %s ", text);
  add_rule_expr (out, x->b, b);
}

static void add_negation (strbuf *out, const ir_rule_expr *x) {
  if (x->a->op == IR_R_NOT) add_operation_of (out, x->a->a);
  else if (x->a->op == IR_R_EQUAL) add_operator (out, x->a, "≠", BINDS_EQUAL);
  else if (x->a->op == IR_R_MINE) strbuf_add (out, "owner ≠ self");
  else strbuf_add (out, "not "), add_rule_expr (out, x->a, BINDS_NOT);
}

static void add_choice (strbuf *out, const ir_rule_expr *x) {
  strbuf_printf (out, "if ");
  add_rule_expr (out, x->a, BINDS_IF);
  strbuf_printf (out, " then ");
  add_rule_expr (out, x->b, BINDS_IF);
  strbuf_printf (out, " else ");
  add_rule_expr (out, x->c, BINDS_IF);
}

static void add_operation_of (strbuf *out, const ir_rule_expr *x) {
  switch (x->op) {
  case IR_R_NUMBER: strbuf_printf (out, x->value == IR_DESTROYED ? "destroyed" : "%d", (int) x->value); break;
  case IR_R_ARG: strbuf_printf (out, "argument"); break;
  case IR_R_SELF: strbuf_printf (out, "self"); break;
  case IR_R_WORD: strbuf_printf (out, "%s", word_name (x->value)); break;
  case IR_R_MINE: strbuf_printf (out, "owner = self"); break;
  case IR_R_READS: strbuf_printf (out, "reads"); break;
  case IR_R_WAITING: strbuf_printf (out, "waiting"); break;
  case IR_R_IN_USE: strbuf_printf (out, "in-use"); break;
  case IR_R_EQUAL: add_operator (out, x, "=", BINDS_EQUAL); break;
  case IR_R_NOT: add_negation (out, x); break;
  case IR_R_AND: add_operator (out, x, "and", BINDS_AND); break;
  case IR_R_OR: add_operator (out, x, "or", BINDS_OR); break;
  case IR_R_IF: add_choice (out, x); break;
  case IR_R_PLUS:
    add_rule_expr (out, x->a, BINDS_PLUS);
    strbuf_printf (out, " %c %d", (int) x->value < 0 ? '-' : '+', abs ((int) x->value));
  }
}

static bool is_list (binding b) { return b == BINDS_AND || b == BINDS_OR || b == BINDS_PLUS; }

static void add_rule_expr (strbuf *out, const ir_rule_expr *x, binding around) {
  binding b = binding_of (x);
  bool inside = b < around || (b == around && !is_list (b)) || (b == BINDS_IF && around == BINDS_IF);
  bool whole = around == BINDS_IF && b != BINDS_IF;
  if (inside && !whole) strbuf_printf (out, "(");
  add_operation_of (out, x);
  if (inside && !whole) strbuf_printf (out, ")");
}

static bool is_always (const ir_rule_expr *x) { return x->op == IR_R_NUMBER && x->value; }

static void add_top (strbuf *out, const ir_rule_expr *x) {
  if (is_always (x)) strbuf_printf (out, "always");
  else add_operation_of (out, x);
}

// ---- the table ---------------------------------------------------------------------------------------------
static void add_effects (strbuf *out, const ir_rule *r) {
  for (uint32_t k = 0; k < r->num_effects; k++) {
    const ir_effect *e = &r->effects[k];
    strbuf_printf (out, "%s%s := ", k ? "; " : "", word_name (e->word));
    add_operation_of (out, e->value);
    if (e->when) strbuf_printf (out, " when "), add_operation_of (out, e->when);
  }
}

static void add_part (strbuf *out, size_t start, const char *name, const ir_rule_expr *when) {
  if (!when) return;
  strbuf_printf (out, "%s%s: ", out->count > start ? "; " : "", name);
  add_top (out, when);
}

static void add_holding (strbuf *out, const ir_sync *s, const ir_rule *r) {
  size_t start = out->count;
  add_part (out, start, s->shared ? "takes, shared" : "takes", r->takes);
  add_part (out, start, r->gives_all ? "gives, of all threads" : "gives", r->gives);
  add_part (out, start, r->may_wake_alone ? "waits, unless spurious" : "waits", r->waits);
  add_part (out, start, s->action == IR_A_WAKE_ONE ? "wakes one" : "wakes all", r->wakes);
  if (r->stops_waiting) strbuf_printf (out, "%swaits no longer", out->count > start ? "; " : "");
}

static void add_misuse (strbuf *out, const ir_misuse *m, const char *prefix) {
  if (!m->when) return;
  strbuf_printf (out, "%s", prefix);
  add_operation_of (out, m->when);
}

static void add_row (strbuf *out, ir_op op) {
  const ir_sync *s = ir_sync_of (op);
  const ir_rule *r = ir_rule_of (op);
  strbuf_printf (out, "| `%s` | ", ir_op_table[op].text);
  if (r->enabled) add_top (out, r->enabled);
  strbuf_printf (out, " | ");
  add_effects (out, r);
  strbuf_printf (out, " | ");
  add_holding (out, s, r);
  strbuf_printf (out, " | ");
  if (r->result) add_operation_of (out, r->result);
  strbuf_printf (out, " | ");
  add_misuse (out, &r->for_ever, "for ever: ");
  add_misuse (out, &r->misuse, "");
  strbuf_printf (out, " |\n");
}

static void add_rule_table (strbuf *out) {
  strbuf_printf (
      out, "| operation | enabled | words | holding and waiting | result | misuse |\n|---|---|---|---|---|---|\n");
  for (ir_op op = 0; op < IR_NUM_OPS; op++)
    if (ir_rule_of (op)) add_row (out, op);
}

// ---- the comparison ----------------------------------------------------------------------------------------
static void the_page_has_the_table (void **state) {
  (void) state;
  strbuf text = {0}, table = {0};
  assert_true (strbuf_add_file (&text, page));
  add_rule_table (&table);
  const char *begin = strstr (strbuf_text (&text), first_mark), *end = strstr (strbuf_text (&text), last_mark);
  assert_true (begin && end && begin < end);
  begin += strlen (first_mark);
  assert_int_equal (end - begin, table.count);
  assert_memory_equal (begin, strbuf_text (&table), table.count);
  strbuf_release (&text);
  strbuf_release (&table);
}

// The page also explains each operation in words, under its name or, for groups of operations, under the beginning of
// its name.
static void the_page_explains_each_operation (void **state) {
  (void) state;
  strbuf text = {0};
  assert_true (strbuf_add_file (&text, page));
  const char *end = strstr (strbuf_text (&text), first_mark);
  assert_non_null (end);
  for (ir_op op = 0; op < IR_NUM_OPS; op++) {
    if (!ir_sync_of (op)->family) continue;
    const char *name = ir_op_table[op].text, *at = strstr (strbuf_text (&text), name);
    bool alike = !strncmp (name, "rw_t", 4) || !strncmp (name, "spin_", 5);
    if (!alike && (!at || at > end)) print_error ("%s does not explain %s\n", page, name);
    assert_true (alike || (at && at < end));
  }
  strbuf_release (&text);
}

static void print_rule_table (void) {
  strbuf table = {0};
  add_rule_table (&table);
  fputs (strbuf_text (&table), stdout);
  strbuf_release (&table);
}

int main (int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (the_page_has_the_table),
                                     cmocka_unit_test (the_page_explains_each_operation)};
  if (argc > 1 && !strcmp (argv[1], "--print")) return print_rule_table (), 0;
  return cmocka_run_group_tests (tests, NULL, test_no_live_bytes);
}
