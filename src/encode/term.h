// Bit-vector terms of 1 to 128 bits: hash-consed, so that equal terms have equal numbers, and rewritten when they are
// built. The operators are those of the program's expressions (ir.h), with the same total semantics; leaves are
// constants and variables.  A condition is a term of one bit.
//
//   term_pool pool;
//   term_pool_init (&pool);
//   term x = term_var (&pool, 32), y = term_add (&pool, x, term_const (&pool, 32, 0));    // y.i == x.i
#ifndef LOCKSTEP_TERM_H
#define LOCKSTEP_TERM_H

#include "base/map.h"
#include "ir/ir.h"

typedef struct { uint32_t i; } term;
#define TERM_NONE ((term){UINT32_MAX})

typedef struct term_node {
  ir_expr_op op;               // IR_X_CONST; IR_X_REG: a variable; else an operator
  uint16_t bits;
  term arg[3];                 // [0..arity[
  union {
    ir_value value;            // CONST
    uint32_t variable;         // REG: 0, 1, ... in order of creation
  };
} term_node;

// Bits that are known to be 0 or 1 in all values of a term, from its structure.  Used for alignment and bounds.
typedef struct term_known { ir_value zeros, ones; } term_known;

typedef struct term_pool {
  VEC (term_node) nodes;
  VEC (term_known) known;      // by node
  VEC (term) variables;        // by number of the variable
  uint32_t *slots;             // hash table of node + 1; 0: free
  uint32_t num_slots;
  term truth, falsity;         // the constants of one bit
  uint32_t depth;              // current nesting depth of rewrites
} term_pool;

void term_pool_init (term_pool *);
void term_pool_release (term_pool *);
term term_const (term_pool *, unsigned bits, ir_value);
term term_var (term_pool *, unsigned bits);
// Returns the term of any operator of ir.h, rewritten and folded.  `bits` is the width of the result; unused operands
// are TERM_NONE.
term term_apply (term_pool *, ir_expr_op, unsigned bits, term, term, term);

// Functions for single operators.  Conditions:
term term_not (term_pool *, term);
term term_and (term_pool *, term, term);
term term_or (term_pool *, term, term);
term term_implies (term_pool *, term, term);
term term_ite (term_pool *, term condition, term, term);
// Words:
term term_eq (term_pool *, term, term);
term term_add (term_pool *, term, term);
term term_sub (term_pool *, term, term);
term term_ult (term_pool *, term, term);
term term_ule (term_pool *, term, term);
term term_extract (term_pool *, term, unsigned low, unsigned bits);   // bits [low..low+bits[ of the term
term term_concat (term_pool *, term high, term low);
term term_spread_bytes (term_pool *, term, unsigned bytes);            // bit i becomes all bits of byte i
term term_any_of_bytes (term_pool *, term, unsigned bytes);            // bit i: is a bit of byte i set?
term term_resize (term_pool *, term, unsigned bits);                  // zero-extends or truncates

static inline const term_node *term_at (const term_pool *p, term t) { return &p->nodes.data[t.i]; }
static inline unsigned term_bits (const term_pool *p, term t) { return p->nodes.data[t.i].bits; }
static inline bool term_is_const (const term_pool *p, term t) { return p->nodes.data[t.i].op == IR_X_CONST; }
// The value of a constant.
static inline ir_value term_value (const term_pool *p, term t) { return p->nodes.data[t.i].value; }
static inline bool term_is_true (const term_pool *p, term t) { return t.i == p->truth.i; }
static inline bool term_is_false (const term_pool *p, term t) { return t.i == p->falsity.i; }

static inline term_known term_known_bits (const term_pool *p, term t) { return p->known.data[t.i]; }

#endif
