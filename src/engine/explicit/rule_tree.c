// Builds the decision trees of rules (rule_tree.h). A rule is evaluated with unknown inputs; where it depends on a
// comparison that was not decided yet, that comparison becomes a node, and both answers are followed.
#include "engine/explicit/rule_tree.h"

#include "base/diag.h"

enum { ASKED_ROOM = 16 };

typedef struct comparison_answer {
  rule_node test;
  bool yes;
} comparison_answer;

typedef struct tree_builder {
  rule_tree *tree;
  const ir_program *program;
  const ir_rule *rule;
  ir_family family;                     // family of the object that the rule's words belong to
  comparison_answer asked[ASKED_ROOM];  // answers on the path to this node
  uint32_t num_asked;
  bool undecided;  // the evaluation needs the answer to `next`
  rule_node next;
} tree_builder;

// ---- evaluation ---------------------------------------------------------------------------------------
static uint8_t rule_place (const tree_builder *b, ir_word word) {
  uint32_t at = ir_word_at (b->program, b->family, word);
  CHECK (at < INPUT_ZERO, "a rule should name words that its object has");
  return (uint8_t) at;
}

static bool same_comparison (const rule_node *x, const rule_node *y) {
  return x->a == y->a && x->b == y->b && x->plus == y->plus;
}

static bool compares_number (const rule_node *x) { return x->b == INPUT_ZERO; }

// A word that equals one number, or SELF (which is never 0), differs from other numbers: returns whether a positive
// answer to `x` makes `y` false.
static bool denies_comparison (const rule_node *x, const rule_node *y) {
  if (x->a != y->a) return false;
  if (compares_number (x) && compares_number (y)) return x->plus != y->plus;
  const rule_node *number = compares_number (x) ? x : y, *other = number == x ? y : x;
  return compares_number (number) && !number->plus && other->b == INPUT_SELF && !other->plus;
}

// Returns the answer to a comparison; if it is open, the comparison becomes the next test and the result is
// meaningless.
static bool answer_comparison (tree_builder *b, rule_node test) {
  for (uint32_t k = 0; k < b->num_asked; k++) {
    const comparison_answer *x = &b->asked[k];
    if (same_comparison (&x->test, &test)) return x->yes;
    if (x->yes && denies_comparison (&x->test, &test)) return false;
  }
  if (!b->undecided) b->next = test;
  b->undecided = true;
  return false;
}

static bool compare_terms (tree_builder *b, rule_term x, rule_term y) {
  if (x.input == y.input) return x.plus == y.plus;
  if (x.input == INPUT_ZERO) return compare_terms (b, y, x);
  return answer_comparison (b, (rule_node){.a = x.input, .b = y.input, .plus = y.plus - x.plus});
}

static rule_term number_term (uint32_t value) { return (rule_term){INPUT_ZERO, value}; }

static bool rule_truth (tree_builder *b, const ir_rule_expr *x);

static rule_term rule_term_of (tree_builder *b, const ir_rule_expr *x) {
  rule_term t;
  switch (x->op) {
  case IR_R_NUMBER: return number_term (x->value);
  case IR_R_ARG: return (rule_term){INPUT_ARG, 0};
  case IR_R_SELF: return (rule_term){INPUT_SELF, 0};
  case IR_R_WORD: return (rule_term){rule_place (b, (ir_word) x->value), 0};
  case IR_R_READS: return (rule_term){INPUT_READS, 0};
  case IR_R_WAITING: return (rule_term){INPUT_WAITING, 0};
  case IR_R_IN_USE: return (rule_term){INPUT_IN_USE, 0};
  case IR_R_IF: return rule_term_of (b, rule_truth (b, x->a) ? x->b : x->c);
  case IR_R_PLUS:
    t = rule_term_of (b, x->a);
    t.plus += x->value;
    return t;
  case IR_R_MINE:
  case IR_R_EQUAL:
  case IR_R_NOT:
  case IR_R_AND:
  case IR_R_OR: break;
  }
  return number_term (rule_truth (b, x));
}

// Returns whether the expression is not 0.
static bool rule_truth (tree_builder *b, const ir_rule_expr *x) {
  switch (x->op) {
  case IR_R_MINE: return compare_terms (b, (rule_term){rule_place (b, IR_W_OWNER), 0}, (rule_term){INPUT_SELF, 0});
  case IR_R_EQUAL: return compare_terms (b, rule_term_of (b, x->a), rule_term_of (b, x->b));
  case IR_R_NOT: return !rule_truth (b, x->a);
  case IR_R_AND: return rule_truth (b, x->a) && rule_truth (b, x->b);
  case IR_R_OR: return rule_truth (b, x->a) || rule_truth (b, x->b);
  case IR_R_NUMBER:
  case IR_R_ARG:
  case IR_R_SELF:
  case IR_R_WORD:
  case IR_R_READS:
  case IR_R_WAITING:
  case IR_R_IN_USE:
  case IR_R_IF:
  case IR_R_PLUS: break;
  }
  return !compare_terms (b, rule_term_of (b, x), number_term (0));
}

static bool rule_truth_or (tree_builder *b, const ir_rule_expr *x, bool otherwise) {
  return x ? rule_truth (b, x) : otherwise;
}

// ---- the trees ----------------------------------------------------------------------------------------
static uint16_t enabled_leaf (tree_builder *b) { return TREE_LEAF + rule_truth_or (b, b->rule->enabled, true); }
static uint16_t for_ever_leaf (tree_builder *b) { return TREE_LEAF + rule_truth_or (b, b->rule->for_ever.when, false); }

static void add_rule_change (tree_builder *b, rule_outcome *out, const ir_effect *e) {
  if (!rule_truth_or (b, e->when, true)) return;
  out->changes[out->num_changes++] = (rule_tree_change){rule_place (b, e->word), rule_term_of (b, e->value)};
}

static uint16_t outcome_leaf (tree_builder *b) {
  const ir_rule *r = b->rule;
  rule_outcome out = {.misused = rule_truth_or (b, r->misuse.when, false),
                      .takes = rule_truth_or (b, r->takes, false),
                      .gives = rule_truth_or (b, r->gives, false),
                      .waits = rule_truth_or (b, r->waits, false),
                      .wakes = rule_truth_or (b, r->wakes, false)};
  for (uint32_t k = 0; k < r->num_effects; k++) add_rule_change (b, &out, &r->effects[k]);
  out.result = r->result ? rule_term_of (b, r->result) : number_term (0);
  if (!b->undecided) vec_push (&b->tree->outcomes, out);
  return (uint16_t) (TREE_LEAF + b->tree->outcomes.count - 1);
}

static uint16_t grow_rule_tree (tree_builder *b, uint16_t (*leaf) (tree_builder *));

static uint16_t grow_child (tree_builder *b, rule_node test, bool yes, uint16_t (*leaf) (tree_builder *)) {
  CHECK (b->num_asked < ASKED_ROOM, "a rule should depend on at most %d comparisons", ASKED_ROOM);
  b->asked[b->num_asked++] = (comparison_answer){test, yes};
  uint16_t at = grow_rule_tree (b, leaf);
  b->num_asked--;
  return at;
}

static uint16_t grow_rule_tree (tree_builder *b, uint16_t (*leaf) (tree_builder *)) {
  b->undecided = false;
  uint16_t at = leaf (b);
  if (!b->undecided) return at;
  rule_node test = b->next;
  at = (uint16_t) b->tree->nodes.count;
  vec_push (&b->tree->nodes, test);
  uint16_t yes = grow_child (b, test, true, leaf), no = grow_child (b, test, false, leaf);
  b->tree->nodes.data[at].yes = yes;
  b->tree->nodes.data[at].no = no;
  return at;
}

void rule_tree_init (rule_tree *t, const ir_program *p, ir_op op) {
  const ir_sync *facts = ir_sync_of (op);
  tree_builder b = {
      .tree = t, .program = p, .rule = ir_rule_of (op), .family = facts->names_mutex ? IR_F_MUTEX : facts->family};
  bool has_rare_inputs = facts->action == IR_A_INIT || b.rule->looks_at_reads || b.rule->looks_at_use;
  *t = (rule_tree){.size = ir_family_bytes (p, b.family), .has_rare_inputs = has_rare_inputs};
  t->enabled = grow_rule_tree (&b, enabled_leaf);
  t->for_ever = grow_rule_tree (&b, for_ever_leaf);
  t->outcome = grow_rule_tree (&b, outcome_leaf);
}

void rule_tree_release (rule_tree *t) {
  vec_release (&t->nodes);
  vec_release (&t->outcomes);
}
