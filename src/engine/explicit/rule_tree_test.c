// Compares the decision trees with the rules from which they are built, evaluated expression by expression: in every
// state whose words, and other inputs of the rule, are small numbers.
#include "engine/explicit/rule_tree.h"

#include "base/test.h"

enum { MOST = 3, BYTES = 64 };

typedef struct tree_case {
  ir_program *p;
  ir_op op;
  rule_tree tree;
  ir_family family;
  uint32_t word[IR_NUM_WORDS], arg, self, reads, waiting, in_use;
  uint8_t bytes[BYTES];
} tree_case;

static void lay_out_words (tree_case *c) {
  memset (c->bytes, 0, sizeof c->bytes);
  for (ir_word k = 0; k < IR_NUM_WORDS; k++) {
    uint32_t at = ir_word_at (c->p, c->family, k);
    if (at != IR_NONE && c->word[k]) memcpy (c->bytes + at, &c->word[k], 4);
  }
}

static ir_rule_state state_of_rule (const tree_case *c) {
  return (ir_rule_state){.bytes = c->bytes,
                         .places = ir_word_places[c->family],
                         .kind_at = IR_MUTEX_KIND (c->p),
                         .arg = c->arg,
                         .self = c->self,
                         .reads = c->reads,
                         .waiting = c->waiting,
                         .in_use = c->in_use};
}

static rule_inputs inputs_of_tree (const tree_case *c) {
  return (rule_inputs){c->bytes, {0, c->arg, c->self, c->reads, c->waiting, c->in_use}};
}

static void check_changes (const ir_rule *r, const ir_rule_state *s, const rule_outcome *out, const rule_inputs *in,
                           const tree_case *c) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < r->num_effects; k++) {
    if (!ir_rule_holds (r->effects[k].when, s, true)) continue;
    assert_true (count < out->num_changes);
    assert_int_equal (out->changes[count].at, ir_word_at (c->p, c->family, r->effects[k].word));
    assert_int_equal (rule_term_value (&out->changes[count].value, in), ir_rule_value (r->effects[k].value, s));
    count++;
  }
  assert_int_equal (out->num_changes, count);
}

static void check_state (tree_case *c) {
  lay_out_words (c);
  const ir_rule *r = ir_rule_of (c->op);
  ir_rule_state s = state_of_rule (c);
  rule_inputs in = inputs_of_tree (c);
  assert_int_equal (rule_tree_enabled (&c->tree, &in), ir_rule_holds (r->enabled, &s, true));
  assert_int_equal (rule_tree_for_ever (&c->tree, &in), ir_rule_holds (r->for_ever.when, &s, false));
  const rule_outcome *out = rule_tree_outcome (&c->tree, &in);
  assert_int_equal (out->misused, ir_rule_holds (r->misuse.when, &s, false));
  assert_int_equal (out->takes, ir_rule_holds (r->takes, &s, false));
  assert_int_equal (out->gives, ir_rule_holds (r->gives, &s, false));
  assert_int_equal (out->waits, ir_rule_holds (r->waits, &s, false));
  assert_int_equal (out->wakes, ir_rule_holds (r->wakes, &s, false));
  assert_int_equal (rule_term_value (&out->result, &in), r->result ? ir_rule_value (r->result, &s) : 0);
  check_changes (r, &s, out, &in, c);
}

// Enumerates the states like an odometer; words that the object does not have stay 0.
static bool next_digit (uint32_t *digit, uint32_t first, uint32_t last) {
  if (*digit < last) {
    ++*digit;
    return true;
  }
  *digit = first;
  return false;
}

static bool next_words (tree_case *c) {
  for (ir_word k = 0; k < IR_NUM_WORDS; k++) {
    uint32_t last = ir_word_at (c->p, c->family, k) == IR_NONE ? 0 : MOST;
    if (next_digit (&c->word[k], 0, last)) return true;
  }
  return false;
}

static bool next_tree_state (tree_case *c) {
  return next_words (c) || next_digit (&c->self, 1, 2) || next_digit (&c->arg, 0, 2) ||
         next_digit (&c->reads, 0, ir_rule_of (c->op)->looks_at_reads ? 2 : 0) || next_digit (&c->waiting, 0, 1) ||
         next_digit (&c->in_use, 0, ir_rule_of (c->op)->looks_at_use ? 1 : 0);
}

static void check_operation (ir_program *p, ir_op op) {
  const ir_sync *facts = ir_sync_of (op);
  tree_case c = {.p = p, .op = op, .self = 1, .family = facts->names_mutex ? IR_F_MUTEX : facts->family};
  rule_tree_init (&c.tree, p, op);
  do check_state (&c);
  while (next_tree_state (&c));
  rule_tree_release (&c.tree);
}

static void trees_do_what_rules_say (void **state) {
  (void) state;
  for (uint16_t bits = 32; bits <= 64; bits += 32) {
    ir_program *p = ir_program_new ();
    p->pointer_bits = bits;
    for (ir_op op = 0; op < IR_NUM_OPS; op++)
      if (ir_rule_of (op)) check_operation (p, op);
    ir_program_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (trees_do_what_rules_say))
