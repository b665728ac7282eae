// What smt.c and smt_op.c share.
#ifndef LOCKSTEP_SMT_IMPL_H
#define LOCKSTEP_SMT_IMPL_H

#include <z3.h>

#include "ir/ir.h"

// A term of Z3 that is a bit-vector, or, if it has one bit, a Boolean.
Z3_ast smt_op_const (Z3_context, unsigned bits, ir_value);
// The operator on such terms; `from`: the width of the operands (ITE: of the branches).
Z3_ast smt_op_apply (Z3_context, ir_expr_op, unsigned bits, unsigned from, const Z3_ast arg[3]);

#endif
