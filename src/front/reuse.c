// Reuse of addresses.  malloc may return memory that was freed, so a compare-and-swap may find the expected address
// although another object is there now (the ABA problem of lock-free stacks).  In lockstep each allocation has its own
// address, so such bugs are not found; where a program could have one, the report lists an assumption.
#include "front/translate_impl.h"

static bool may_swap_addresses (const ir_program *p, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (p, e);
  if (d->op != IR_CMPXCHG || d->bytes != p->pointer_bits / 8) return false;
  return ir_expr_at (p, ir_arg (p, e, 1))->op != IR_X_CONST || ir_expr_at (p, ir_arg (p, e, 2))->op != IR_X_CONST;
}

void reuse_assume (ir_program *p) {
  bool frees = false, swaps = false;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    frees |= p->edges.data[e].op == IR_FREE;
    swaps |= may_swap_addresses (p, (ir_edge){e});
  }
  if (frees && swaps) ir_assume_in_report (p, "memory that was freed is not allocated again at the same address");
}
