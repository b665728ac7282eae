// Builds a netlist from the tables of an AIGER file.  The ands of an ASCII file may be in any order, so operands are
// built first, and an and that depends on itself is found on the way.
#include "netlist/aiger_impl.h"

enum { UNBUILT = UINT32_MAX, OPEN = UINT32_MAX - 1 };

typedef struct netlist_builder {
  aiger_reader *file;
  netlist *n;
  VEC (uint32_t) image;  // by variable: literal of the graph
  VEC (uint32_t) stack;  // variables that must be built
} netlist_builder;

static bool is_built (const netlist_builder *b, uint32_t variable) { return b->image.data[variable] < OPEN; }

static aig_lit built_literal (const netlist_builder *b, uint32_t x) {
  return (aig_lit){b->image.data[x / 2] ^ (x & 1)};
}

// Pushes an operand that has not been built.  False: the operand is already being built, so it depends on itself;
// `line` is the line of the use.
static bool demand (netlist_builder *b, uint32_t x, uint32_t line) {
  uint32_t variable = x / 2;
  if (b->file->defined.data[variable] == AIGER_UNDEFINED)
    return aiger_fail_at (b->file, line, "literal %u is used, but not defined", x);
  if (b->image.data[variable] == OPEN) return aiger_fail_at (b->file, line, "the and of literal %u needs itself", x);
  if (!is_built (b, variable)) vec_push (&b->stack, variable);
  return true;
}

static bool build_variable (netlist_builder *b, uint32_t variable) {
  uint32_t number = b->file->defined.data[variable] - AIGER_FIRST_AND, line = b->file->ands_line + number;
  const aiger_and *a = &b->file->ands.data[number];
  if (is_built (b, a->left / 2) && is_built (b, a->right / 2)) {
    b->image.data[variable] = aig_and (&b->n->graph, built_literal (b, a->left), built_literal (b, a->right)).i;
    return true;
  }
  b->image.data[variable] = OPEN;
  return demand (b, a->left, line) && demand (b, a->right, line);
}

static bool build_literal (netlist_builder *b, uint32_t x, uint32_t line) {
  if (!demand (b, x, line)) return false;
  while (b->stack.count) {
    uint32_t variable = vec_last (&b->stack);
    if (!is_built (b, variable) && !build_variable (b, variable)) return false;
    if (is_built (b, variable)) b->stack.count--;
  }
  return true;
}

static void build_leaves (netlist_builder *b) {
  const aiger_reader *r = b->file;
  for (uint32_t k = 0; k <= r->sizes.variables; k++) vec_push (&b->image, UNBUILT);
  b->image.data[0] = AIG_FALSE.i;
  for (uint32_t k = 0; k < r->inputs.count; k++)
    b->image.data[r->inputs.data[k] / 2] = netlist_add_input (b->n, NULL).i;
  for (uint32_t k = 0; k < r->latches.count; k++) {
    const aiger_latch *l = &r->latches.data[k];
    b->image.data[l->now / 2] = netlist_add_latch (b->n, l->reset, NULL).i;
  }
}

static bool build_nexts (netlist_builder *b) {
  const aiger_reader *r = b->file;
  for (uint32_t k = 0; k < r->latches.count; k++) {
    if (!build_literal (b, r->latches.data[k].next, r->latches_line + k)) return false;
    netlist_set_next (b->n, k, built_literal (b, r->latches.data[k].next));
  }
  return true;
}

static bool build_list (netlist_builder *b, const aiger_literals *list, uint32_t line,
                        void (*add) (netlist *, aig_lit, const char *)) {
  for (uint32_t k = 0; k < list->count; k++) {
    if (!build_literal (b, list->data[k], line + k)) return false;
    if (add) add (b->n, built_literal (b, list->data[k]), NULL);
  }
  return true;
}

static void add_justice (netlist_builder *b) {
  const aiger_reader *r = b->file;
  for (uint32_t k = 0, at = 0; k < r->justice_sizes.count; k++) {
    net_justice *j = netlist_add_justice (b->n, NULL);
    for (uint32_t i = 0; i < r->justice_sizes.data[k]; i++)
      vec_push (&j->conditions, built_literal (b, r->justice.data[at++]));
  }
}

static bool build_properties (netlist_builder *b) {
  const aiger_reader *r = b->file;
  uint32_t bads = r->outputs_line + r->outputs.count, constraints = bads + r->bads.count,
           justice = constraints + r->constraints.count + r->justice_sizes.count, fairness = justice + r->justice.count;
  if (!build_list (b, &r->outputs, r->outputs_line, aiger_outputs_are_bads (r) ? netlist_add_bad : NULL) ||
      !build_list (b, &r->bads, bads, netlist_add_bad) ||
      !build_list (b, &r->constraints, constraints, netlist_add_constraint) ||
      !build_list (b, &r->justice, justice, NULL) || !build_list (b, &r->fairness, fairness, netlist_add_fairness))
    return false;
  add_justice (b);
  return true;
}

bool aiger_build (aiger_reader *r, netlist *n) {
  netlist_builder b = {.file = r, .n = n};
  build_leaves (&b);
  bool good = build_nexts (&b) && build_properties (&b);
  for (uint32_t k = 0; good && k < r->ands.count; k++)
    good = build_literal (&b, r->ands.data[k].result, r->ands_line + k);
  vec_release (&b.image);
  vec_release (&b.stack);
  return good;
}
