// Raw access to the metadata nodes of debug information.
//
// The C API gives scopes, lines and sizes of DI nodes, but not their names, base types or elements.  Those can only be
// read as numbered operands, through the view of metadata as a value.  All code that depends on these numbers is here
// and in the enums of debug_impl.h.
#include "front/debug_impl.h"

bool node_is_kind (LLVMMetadataRef node, LLVMMetadataKind kind) { return node && LLVMGetMetadataKind (node) == kind; }

bool node_is_type (LLVMMetadataRef node) {
  return node_is_kind (node, LLVMDIBasicTypeMetadataKind) || node_is_kind (node, LLVMDIDerivedTypeMetadataKind) ||
         node_is_kind (node, LLVMDICompositeTypeMetadataKind) || node_is_kind (node, LLVMDISubroutineTypeMetadataKind);
}

// Only nodes have operands; strings, values and argument lists are other kinds of metadata.
static bool has_operands (LLVMMetadataRef node) {
  switch (LLVMGetMetadataKind (node)) {
  case LLVMMDStringMetadataKind:
  case LLVMConstantAsMetadataMetadataKind:
  case LLVMLocalAsMetadataMetadataKind:
  case LLVMDistinctMDOperandPlaceholderMetadataKind:
  case LLVMDIArgListMetadataKind: return false;
  default: return true;
  }
}

void node_operands (debug_info *d, LLVMMetadataRef node, node_list *out) {
  vec_clear (out);
  if (!node || !has_operands (node)) return;
  LLVMValueRef view = LLVMMetadataAsValue (d->context, node);
  // A node with one constant operand is viewed as that constant.
  if (LLVMValueAsMetadata (view) != node) return;
  unsigned count = LLVMGetMDNodeNumOperands (view);
  if (!count) return;
  VEC (LLVMValueRef) views = {0};
  vec_reserve (&views, count);
  LLVMGetMDNodeOperands (view, views.data);
  for (unsigned i = 0; i < count; i++) vec_push (out, views.data[i] ? LLVMValueAsMetadata (views.data[i]) : NULL);
  vec_release (&views);
}

LLVMMetadataRef node_operand (debug_info *d, LLVMMetadataRef node, unsigned index) {
  node_list all = {0};
  node_operands (d, node, &all);
  LLVMMetadataRef result = index < all.count ? all.data[index] : NULL;
  vec_release (&all);
  return result;
}

const char *node_string (debug_info *d, LLVMMetadataRef node, unsigned index) {
  LLVMMetadataRef operand = node_operand (d, node, index);
  if (!node_is_kind (operand, LLVMMDStringMetadataKind)) return NULL;
  unsigned length = 0;
  const char *text = LLVMGetMDString (LLVMMetadataAsValue (d->context, operand), &length);
  return length ? text : NULL;
}

bool node_integer (debug_info *d, LLVMMetadataRef node, unsigned index, int64_t *result) {
  LLVMMetadataRef operand = node_operand (d, node, index);
  if (!node_is_kind (operand, LLVMConstantAsMetadataMetadataKind)) return false;
  LLVMValueRef value = NULL;
  LLVMGetMDNodeOperands (LLVMMetadataAsValue (d->context, operand), &value);
  if (!value || !LLVMIsAConstantInt (value) || LLVMGetIntTypeWidth (LLVMTypeOf (value)) > 64) return false;
  *result = LLVMConstIntGetSExtValue (value);
  return true;
}

char *node_text (debug_info *d, LLVMMetadataRef node) {
  return LLVMPrintValueToString (LLVMMetadataAsValue (d->context, node));
}
