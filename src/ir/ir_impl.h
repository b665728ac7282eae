// What the files of src/ir share and nobody else sees.
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
  VEC (bool) can_fail;  // holds an operation that --property=overflow checks; folding must not lose it
  strmap assumed;       // the texts in program->assumptions and gaps
  bool keeps_undefined; // ir_keep_undefined was called, and the checks are not added yet
};

extern const char *const ir_expr_op_text[IR_NUM_EXPR_OPS];
const char *ir_infix_text (ir_expr_op);          // of a binary operator: "+", "u<", or its name
bool ir_is_identifier (const char *);            // can stand in the text form without quotes
extern const char *const ir_order_text[];        // [0..IR_SEQ_CST]
extern const char *const ir_rmw_text[];          // [0..IR_NUM_RMW_OPS[
extern const char *const ir_alloc_text[];        // [0..IR_ALLOC_HEAP_ZEROED]
extern const char *const ir_nondet_text[];       // [0..IR_NONDET_UNWRITTEN]
extern const char *const ir_origin_text[];       // [0..IR_INTERRUPT], the first is never written
extern const char *const ir_object_kind_text[];  // [0..IR_O_FUNCTION]
extern const char *const ir_type_kind_text[];    // [0..IR_T_OTHER]

// The expression of exactly this node, without any folding.  Fields the operator does not have are ignored.
ir_expr ir_intern (ir_program *, const ir_expr_node *);

// A simpler expression of the same value, or IR_NONE.  Never loses an operation that can_fail.
ir_expr ir_fold_unary (ir_program *, ir_expr_op, unsigned bits, ir_expr);
ir_expr ir_fold_binary (ir_program *, ir_expr_op, ir_expr, ir_expr, bool nsw, bool nuw);
ir_expr ir_fold_ite (ir_program *, ir_expr condition, ir_expr, ir_expr);

// The same operator and width over other operands, folded.
ir_expr ir_rebuild (ir_program *, ir_expr, const ir_expr args[3]);

unsigned ir_result_bits (ir_expr_op, unsigned operand_bits);  // of a binary operator
static inline ir_value ir_mask (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

#endif
