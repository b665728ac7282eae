// Dispatches an instruction to the file that translates its kind.
#include "front/translate_impl.h"

static void translate_address (routine *r, LLVMValueRef i) {
  ir_expr x = address_of_gep (r, r->t, i);
  if (x.i == IR_NONE) {
    emit_unsupported (r, "vector of addresses");
    return;
  }
  value_bind_named (r, i, x);
}

void translate_instruction (routine *r, LLVMValueRef i) {
  if (translate_terminator (r, i)) return;
  if (instruction_is_wide (i)) {
    translate_wide (r, i);
    return;
  }
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMPHI: phi_register (r, i); break;
  case LLVMAlloca:
  case LLVMLoad:
  case LLVMStore: translate_memory (r, i); break;
  case LLVMFence:
  case LLVMAtomicCmpXchg:
  case LLVMAtomicRMW: translate_atomic (r, i); break;
  case LLVMGetElementPtr: translate_address (r, i); break;
  case LLVMCall: translate_call (r, i); break;
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector: translate_aggregate (r, i); break;
  case LLVMVAArg: emit_unsupported (r, "va_arg instruction"); break;
  default: translate_operation (r, i); break;
  }
}
