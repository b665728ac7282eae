// Rules of synchronisation (ir/sync.h) as terms, for the engines that execute programs symbolically.  The engine gives
// the terms of the leaves.
//
//   rule_terms t = {.terms = pool, .context = me, .leaf = my_leaf};
//   term enabled = rule_condition (&t, rule->enabled);   // 1 bit; NULL: true
//   term value = rule_number (&t, effect->value);        // 32 bits
#ifndef LOCKSTEP_ENCODE_RULE_H
#define LOCKSTEP_ENCODE_RULE_H

#include "encode/term.h"
#include "ir/sync.h"

typedef struct rule_terms {
  term_pool *terms;
  void *context;
  // Returns the term of a leaf: MINE, WAITING and IN_USE have 1 bit, the others 32.  Called for the leaves of the
  // expression only, and possibly several times for one leaf.
  term (*leaf) (void *context, ir_rule_op, ir_word);
} rule_terms;

term rule_condition (const rule_terms *, const ir_rule_expr *);
term rule_number (const rule_terms *, const ir_rule_expr *);

// The changes that a rule makes to the words of its object, as terms over the words before.  Returns their number.
typedef struct rule_change {
  ir_word word;
  term value, when;
} rule_change;
uint32_t rule_changes (const rule_terms *, const ir_rule *, rule_change out[IR_MOST_EFFECTS]);

#endif
