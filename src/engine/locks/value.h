// Values of registers as terms: what a lock and the data beside it have in common is that their addresses are the same term
// plus constants.  Equal terms of one thread, taken while none of their registers changed, are equal values.
//
// A register that is assigned once stands for what it was assigned; one that was loaded from a stable cell (written only
// before the first thread was created) for the cell's content; one that got the address of a unique object for that
// address.  What is left are the leaves: registers.  A term without them is *fixed*: the same value for every thread.
#ifndef LOCKSTEP_LOCKS_VALUE_H
#define LOCKSTEP_LOCKS_VALUE_H

#include "analysis/unique.h"
#include "base/intern.h"
#include "base/map.h"
#include "engine/locks/stable.h"
#include "ir/ir.h"

typedef struct { uint32_t i; } value;       // a term; value_none: unknown
#define VALUE_NONE UINT32_MAX

typedef enum value_kind { V_CONST, V_ADDR, V_REG, V_RESULT, V_LOAD, V_OP } value_kind;
typedef struct value_node {
  uint8_t kind, op;            // value_kind; ir_expr_op of V_OP
  uint16_t bits;
  uint32_t a, b, c;            // V_ADDR: object; V_REG: procedure, register; V_LOAD: address, bytes; V_OP: arguments
  uint64_t low, high;          // V_CONST: the number
} value_node;

typedef struct address { value base; int64_t offset; } address;  // base + offset; base VALUE_NONE: unknown

typedef struct values_table {
  const ir_program *program;
  const stable *stable;
  const unique *unique;
  intern nodes;                // value_node
  map resolved;                // procedure << 32 | expression -> value
  ir_edge **definition;        // [procedure][register]: the only edge that defines it, IR_NONE: several, or it is a parameter
  bool *assigned_param;        // [procedure]: one of its parameters is assigned to
  VEC (uint32_t) sizes;        // [value]: nodes of its tree
  VEC (bool) fixed;            // [value], filled on demand
  int depth;                   // of registers being looked through
} values_table;

void values_table_init (values_table *, const ir_program *, const stable *, const unique *);
void values_table_release (values_table *);
const value_node *value_at (const values_table *, value);

value value_in (values_table *, ir_proc, ir_expr);          // the expression's value in a frame of the procedure
value value_assigned (values_table *, ir_proc, ir_edge assign); // of its right side; VALUE_NONE where a term would not mean that
address address_in (values_table *, ir_proc, ir_expr);
address address_split (values_table *, value);
value value_reg (values_table *, ir_proc, uint32_t reg);    // the register itself, unresolved
value value_result (values_table *);                        // what the procedure returns, seen from its caller
value value_const (values_table *, unsigned bits, ir_value);
value value_load (values_table *, value address, uint32_t bytes);  // what is there, if it does not change
value value_apply (values_table *, ir_expr_op, unsigned bits, value, value);  // a binary operator
bool value_is_fixed (values_table *, value);
bool value_uses (const values_table *, value, ir_proc, uint32_t reg);
bool value_is_param (const values_table *, value, ir_proc, uint32_t *k);  // a parameter of the procedure that is never assigned
bool value_over_params (const values_table *, value, ir_proc);            // all its registers are such parameters
bool value_constant (const values_table *, value, ir_value *);

// The value with every register leaf replaced; a leaf for which `leaf` gives VALUE_NONE makes the whole unknown.
typedef value (*value_leaf) (void *state, value leaf);
value value_replace (values_table *, value, value_leaf, void *state);

#endif
