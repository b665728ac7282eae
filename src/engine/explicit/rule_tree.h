// Rules of ir/sync.h as decision trees, built when a program is compiled. An inner node compares two inputs; a leaf
// lists what the operation does then, with nothing left to decide. A mutex that is free, for example, takes one
// comparison to be locked, where the rule's expressions have 20 nodes.
//
//   const rule_tree *t = rule_trees_get (&trees, IR_MUTEX_LOCK);
//   if (rule_tree_enabled (t, &inputs)) x = rule_tree_outcome (t, &inputs); ...
#ifndef LOCKSTEP_RULE_TREE_H
#define LOCKSTEP_RULE_TREE_H

#include <string.h>

#include "base/vec.h"
#include "ir/sync.h"

// An input is the word at this offset of the object, or one of these.
enum {
  INPUT_ZERO = 64, INPUT_ARG, INPUT_SELF, INPUT_READS, INPUT_WAITING, INPUT_IN_USE, INPUTS_END,
  NUM_INPUTS = INPUTS_END - INPUT_ZERO
};
typedef struct rule_inputs {
  const uint8_t *bytes;        // words of the object
  uint32_t others[NUM_INPUTS];  // the first is 0; READS and IN_USE are set only if the rule looks at them
} rule_inputs;

typedef struct rule_term { uint8_t input; uint32_t plus; } rule_term;   // input + plus, modulo 2^32
typedef struct rule_tree_change { uint8_t at; rule_term value; } rule_tree_change;  // of the word at this offset
typedef struct rule_outcome {
  bool misused, takes, gives, waits, wakes;
  uint8_t num_changes;
  rule_tree_change changes[IR_MOST_EFFECTS];
  rule_term result;
} rule_outcome;

enum { TREE_LEAF = 0x8000 };   // a leaf: this plus the index of an outcome, or plus the answer (0 or 1) of a question
typedef struct rule_node { uint8_t a, b; uint16_t yes, no; uint32_t plus; } rule_node;  // a == b + plus?

typedef struct rule_tree {
  VEC (rule_node) nodes;
  VEC (rule_outcome) outcomes;
  uint16_t enabled, for_ever, outcome;  // root nodes of these questions, or leaves
  uint32_t size;               // of the object's state in bytes
  bool has_rare_inputs;        // the rule may read ARG, READS or IN_USE
} rule_tree;

void rule_tree_init (rule_tree *, const ir_program *, ir_op);  // the operation must have a rule
void rule_tree_release (rule_tree *);

static inline uint32_t rule_input (const rule_inputs *in, uint8_t input) {
  uint32_t value;
  if (input >= INPUT_ZERO) return in->others[input - INPUT_ZERO];
  memcpy (&value, in->bytes + input, 4);
  return value;
}
static inline uint32_t rule_term_value (const rule_term *t, const rule_inputs *in) {
  return rule_input (in, t->input) + t->plus;
}
static inline uint32_t rule_tree_decide (const rule_tree *t, uint16_t at, const rule_inputs *in) {
  while (at < TREE_LEAF) {
    const rule_node *n = &t->nodes.data[at];
    at = rule_input (in, n->a) == rule_input (in, n->b) + n->plus ? n->yes : n->no;
  }
  return at - TREE_LEAF;
}
static inline bool rule_tree_enabled (const rule_tree *t, const rule_inputs *in) {
  return rule_tree_decide (t, t->enabled, in) != 0;
}
static inline bool rule_tree_for_ever (const rule_tree *t, const rule_inputs *in) {
  return rule_tree_decide (t, t->for_ever, in) != 0;
}
static inline const rule_outcome *rule_tree_outcome (const rule_tree *t, const rule_inputs *in) {
  return &t->outcomes.data[rule_tree_decide (t, t->outcome, in)];
}

#endif
