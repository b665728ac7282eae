// Declarations private to src/ir: tables of expressions, words of the text form, folding.
#ifndef LOCKSTEP_IR_IMPL_H
#define LOCKSTEP_IR_IMPL_H

#include "base/map.h"
#include "base/strbuf.h"
#include "ir/ir.h"

// Facts about expressions, parallel to program->exprs.
struct ir_tables {
  map by_hash;          // hash of a node -> the newest expression with that hash
  VEC (uint32_t) next;  // the one before it with the same hash, or IR_NONE
  VEC (uint16_t) size;  // nodes of the tree (not of the DAG), saturating
  VEC (bool) can_fail;  // contains an operation that --property=overflow checks; folding must not lose it
  strmap assumed;       // the texts in program->assumptions and gaps
  bool keeps_undefined; // ir_keep_undefined was called, and the checks are not added yet
};

extern const char *const ir_expr_op_text[IR_NUM_EXPR_OPS];
const char *ir_infix_text (ir_expr_op);          // the text of a binary operator: "+", "u<", or its name
bool ir_is_identifier (const char *);            // can the name be written in the text form without quotes?
extern const char *const ir_order_text[];        // [0..IR_SEQ_CST]
extern const char *const ir_rmw_text[];          // [0..IR_NUM_RMW_OPS[
extern const char *const ir_alloc_text[];        // [0..IR_ALLOC_HEAP_ZEROED]
extern const char *const ir_nondet_text[];       // [0..IR_NONDET_UNWRITTEN]
extern const char *const ir_origin_text[];       // [0..IR_INTERRUPT]; IR_INPUT is the default and is not written
extern const char *const ir_object_kind_text[];  // [0..IR_O_FUNCTION]
extern const char *const ir_type_kind_text[];    // [0..IR_T_OTHER]

// Returns the expression of exactly this node, without folding.  Ignores fields that the operator does not have.
ir_expr ir_intern (ir_program *, const ir_expr_node *);

// Each returns a simpler expression of the same value, or IR_NONE, and never loses an operation that can_fail.
ir_expr ir_fold_unary (ir_program *, ir_expr_op, unsigned bits, ir_expr);
ir_expr ir_fold_binary (ir_program *, ir_expr_op, ir_expr, ir_expr, bool nsw, bool nuw);
ir_expr ir_fold_ite (ir_program *, ir_expr condition, ir_expr, ir_expr);

// Returns the expression with the same operator and width over other operands, folded.
ir_expr ir_rebuild (ir_program *, ir_expr, const ir_expr args[3]);

unsigned ir_result_bits (ir_expr_op, unsigned operand_bits);  // the width of the result of a binary operator
static inline bool ir_is_const (const ir_program *p, ir_expr x) { return ir_expr_at (p, x)->op == IR_X_CONST; }
static inline ir_value ir_mask (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

#endif
