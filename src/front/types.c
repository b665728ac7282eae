// Widths and layout of LLVM types.
//
// A value in a register is a bit-vector.  Integers, floats and pointers are their own bits, a vector its lanes from the
// low end, a struct or array its bytes in memory (padding is 0).  The ABI passes small structs as such values; they
// never have more than 128 bits.
#include "front/translate_impl.h"

bool value_is_pointer (LLVMValueRef v) { return LLVMGetTypeKind (LLVMTypeOf (v)) == LLVMPointerTypeKind; }

bool type_is_aggregate (LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

unsigned type_bits (const translator *t, LLVMTypeRef type) {
  switch (LLVMGetTypeKind (type)) {
  case LLVMVoidTypeKind:
  case LLVMLabelTypeKind:
  case LLVMMetadataTypeKind:
  case LLVMTokenTypeKind:
  case LLVMFunctionTypeKind:
  case LLVMScalableVectorTypeKind:
  case LLVMX86_AMXTypeKind:
  case LLVMTargetExtTypeKind: return 0;
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind: {
    uint64_t size = type_size (t, type);
    return size <= 16 ? (unsigned) size * 8 : 0;
  }
  default: {
    uint64_t bits = LLVMSizeOfTypeInBits (t->layout, type);
    return bits <= 128 ? (unsigned) bits : 0;
  }
  }
}

uint64_t type_size (const translator *t, LLVMTypeRef type) {
  return LLVMTypeIsSized (type) ? LLVMABISizeOfType (t->layout, type) : 0;
}

LLVMTypeRef type_of_element (LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind (type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex (type, index)
                                                      : LLVMGetElementType (type);
}

uint64_t type_offset (const translator *t, LLVMTypeRef aggregate, unsigned index) {
  if (LLVMGetTypeKind (aggregate) == LLVMStructTypeKind) return LLVMOffsetOfElement (t->layout, aggregate, index);
  return index * type_size (t, LLVMGetElementType (aggregate));
}

unsigned type_lane_bits (const translator *t, LLVMTypeRef vector) {
  return (unsigned) LLVMSizeOfTypeInBits (t->layout, LLVMGetElementType (vector));
}

unsigned type_num_elements (LLVMTypeRef type) {
  switch (LLVMGetTypeKind (type)) {
  case LLVMStructTypeKind: return LLVMCountStructElementTypes (type);
  case LLVMArrayTypeKind: return (unsigned) LLVMGetArrayLength2 (type);
  case LLVMVectorTypeKind: return LLVMGetVectorSize (type);
  default: return 0;
  }
}

bool type_is_float (LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
}

char *type_text (LLVMTypeRef type) { return LLVMPrintTypeToString (type); }
