// Integers of more than 128 bits.  C has none, but clang reads a run of packed bit-fields as one integer of any length,
// moves bits in it, and writes it back.
//
// Such a value is a row of 64-bit limbs, lowest first; bits above its width are 0.  The operations that clang uses on
// bit-fields are supported: load, store, and, or, xor, shifts by constants, widening and narrowing, equality.  _BitInt
// arithmetic is not.
#include "base/limits.h"
#include "front/translate_impl.h"

enum { LIMB = 64 };

typedef struct wide {
  unsigned bits, count;
  ir_expr limb[LIMIT_WIDE_WORDS];
} wide;

static unsigned integer_width (LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf (v);
  return LLVMGetTypeKind (type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth (type) : 0;
}

bool instruction_is_wide (LLVMValueRef i) {
  if (LLVMIsACallInst (i) || LLVMIsAPHINode (i)) return false;
  return integer_width (i) > 128 || (LLVMGetNumOperands (i) && integer_width (LLVMGetOperand (i, 0)) > 128);
}

static unsigned limb_bits (const wide *w, unsigned k) { return w->bits - k * LIMB < LIMB ? w->bits - k * LIMB : LIMB; }

static wide wide_zero (routine *r, unsigned bits) {
  wide w = {.bits = bits, .count = (bits + LIMB - 1) / LIMB};
  for (unsigned k = 0; k < w.count; k++) w.limb[k] = value_from_number (r, LIMB, 0);
  return w;
}

// ---- between values and limbs ------------------------------------------------------------------------
static ir_expr limb_at (const wide *w, unsigned k, ir_expr beyond) { return k < w->count ? w->limb[k] : beyond; }

// Decimal digits of the printed constant, modulo 2^bits.
static wide wide_constant (routine *r, LLVMValueRef v) {
  wide w = wide_zero (r, integer_width (v));
  uint64_t limbs[LIMIT_WIDE_WORDS] = {0};
  char *text = LLVMPrintValueToString (v), *s = text;
  while (*s && *s != ' ') s++;
  bool negative = s[0] && s[1] == '-';
  for (s += negative ? 2 : 1; *s >= '0' && *s <= '9'; s++) {
    ir_value carry = (ir_value) (*s - '0');
    for (unsigned k = 0; k < w.count; k++, carry >>= LIMB) limbs[k] = (uint64_t) (carry += (ir_value) limbs[k] * 10);
  }
  LLVMDisposeMessage (text);
  bool carry = true;
  for (unsigned k = 0; k < w.count; k++) {
    if (negative) carry = (limbs[k] = ~limbs[k] + carry) == 0 && carry;
    ir_value mask = ((ir_value) 1 << limb_bits (&w, k)) - 1;
    w.limb[k] = value_from_number (r, LIMB, limbs[k] & mask);
  }
  return w;
}

static wide wide_of (routine *r, LLVMValueRef v) {
  uint64_t *first = map_find (&r->wides, llvm_key (v));
  if (!first) return LLVMIsAConstantInt (v) ? wide_constant (r, v) : wide_zero (r, integer_width (v));
  wide w = wide_zero (r, integer_width (v));
  for (unsigned k = 0; k < w.count; k++) w.limb[k] = r->limbs.data[*first + k];
  return w;
}

static void wide_bind (routine *r, LLVMValueRef v, const wide *w) {
  map_insert (&r->wides, llvm_key (v), r->limbs.count, NULL);
  for (unsigned k = 0; k < w->count; k++) {
    ir_value mask = ((ir_value) 1 << limb_bits (w, k)) - 1;
    ir_expr x = limb_bits (w, k) == LIMB ? w->limb[k]
                                         : ir_binary (r->p, IR_X_AND, w->limb[k], value_from_number (r, LIMB, mask));
    x = value_assign (r, x, NULL);
    vec_push (&r->limbs, x);
  }
}

// ---- operations --------------------------------------------------------------------------------------
static void wide_load (routine *r, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMGetOperand (i, 0);
  memory_access a = {operand_value (r, pointer), pointer, order_from_llvm (LLVMGetOrdering (i)), LLVMGetVolatile (i),
                     NULL};
  wide w = wide_zero (r, integer_width (i));
  for (unsigned k = 0; k < w.count; k++) {
    memory_access part = a;
    part.address = pointer_add (r->t, a.address, k * LIMB / 8);
    w.limb[k] = value_resize (r, load_bits (r, &part, limb_bits (&w, k)), LIMB, false);
  }
  wide_bind (r, i, &w);
}

static void wide_store (routine *r, LLVMValueRef i) {
  LLVMValueRef pointer = LLVMGetOperand (i, 1);
  memory_access a = {operand_value (r, pointer), pointer, order_from_llvm (LLVMGetOrdering (i)), LLVMGetVolatile (i),
                     NULL};
  wide w = wide_of (r, LLVMGetOperand (i, 0));
  for (unsigned k = 0; k < w.count; k++) {
    memory_access part = a;
    part.address = pointer_add (r->t, a.address, k * LIMB / 8);
    store_bits (r, &part, value_resize (r, w.limb[k], limb_bits (&w, k), false));
  }
}

static void wide_logic (routine *r, LLVMValueRef i, ir_expr_op op) {
  wide a = wide_of (r, LLVMGetOperand (i, 0)), b = wide_of (r, LLVMGetOperand (i, 1));
  for (unsigned k = 0; k < a.count; k++) a.limb[k] = ir_binary (r->p, op, a.limb[k], b.limb[k]);
  wide_bind (r, i, &a);
}

// Returns all ones if the topmost bit is set, else 0; fills the unused bits of the top limb with the topmost bit.
static ir_expr sign_fill (routine *r, wide *w) {
  unsigned top = w->count - 1;
  w->limb[top] =
      value_assign (r, value_resize (r, value_resize (r, w->limb[top], limb_bits (w, top), false), LIMB, true), NULL);
  return value_assign (r, ir_binary (r->p, IR_X_ASHR, w->limb[top], value_from_number (r, LIMB, LIMB - 1)), NULL);
}

// Returns the 64 bits that start at bit `from`, which may be negative; bits below 0 are 0, bits above the top are
// `fill`.
static ir_expr limb_from_bit (routine *r, const wide *w, int from, ir_expr fill) {
  ir_program *p = r->p;
  int k = from >= 0 ? from / LIMB : -((LIMB - 1 - from) / LIMB);
  unsigned shift = (unsigned) (from - k * LIMB);
  ir_expr low = k < 0 ? value_from_number (r, LIMB, 0) : limb_at (w, (unsigned) k, fill);
  if (!shift) return low;
  ir_expr high = k + 1 < 0 ? value_from_number (r, LIMB, 0) : limb_at (w, (unsigned) (k + 1), fill);
  low = ir_binary (p, IR_X_LSHR, low, value_from_number (r, LIMB, shift));
  return ir_binary (p, IR_X_OR, low, ir_binary (p, IR_X_SHL, high, value_from_number (r, LIMB, LIMB - shift)));
}

static bool wide_shift (routine *r, LLVMValueRef i, LLVMOpcode opcode) {
  LLVMValueRef amount = LLVMGetOperand (i, 1);
  wide w = wide_of (r, LLVMGetOperand (i, 0)), result = wide_zero (r, w.bits);
  if (!LLVMIsAConstantInt (amount) || constant_integer (amount) >= w.bits) return false;
  int by = (int) constant_integer (amount);
  ir_expr fill = opcode == LLVMAShr ? sign_fill (r, &w) : value_from_number (r, LIMB, 0);
  for (unsigned k = 0; k < result.count; k++)
    result.limb[k] = limb_from_bit (r, &w, (int) (k * LIMB) + (opcode == LLVMShl ? -by : by), fill);
  wide_bind (r, i, &result);
  return true;
}

static void wide_narrow (routine *r, LLVMValueRef i) {
  wide w = wide_of (r, LLVMGetOperand (i, 0));
  unsigned bits = integer_width (i);
  if (bits > 128) {
    wide result = wide_zero (r, bits);
    for (unsigned k = 0; k < result.count; k++) result.limb[k] = w.limb[k];
    wide_bind (r, i, &result);
    return;
  }
  ir_expr x = bits <= LIMB ? w.limb[0] : bits_insert (r->p, value_resize (r, w.limb[0], 128, false), LIMB, w.limb[1]);
  value_bind_named (r, i, value_resize (r, x, bits, false));
}

static void wide_extend (routine *r, LLVMValueRef i, bool is_signed) {
  LLVMValueRef v = LLVMGetOperand (i, 0);
  unsigned from = integer_width (v);
  wide w = from > 128 ? wide_of (r, v) : wide_zero (r, from), result = wide_zero (r, integer_width (i));
  if (from <= 128) {
    ir_expr x = value_resize (r, operand_value (r, v), 128, false);
    for (unsigned k = 0; k < w.count; k++) w.limb[k] = value_assign (r, bits_extract (r->p, x, k * LIMB, LIMB), NULL);
  }
  ir_expr fill = is_signed ? sign_fill (r, &w) : value_from_number (r, LIMB, 0);
  for (unsigned k = 0; k < result.count; k++) result.limb[k] = limb_at (&w, k, fill);
  wide_bind (r, i, &result);
}

static bool wide_compare (routine *r, LLVMValueRef i) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate (i);
  if (predicate != LLVMIntEQ && predicate != LLVMIntNE) return false;
  wide a = wide_of (r, LLVMGetOperand (i, 0)), b = wide_of (r, LLVMGetOperand (i, 1));
  ir_expr equal = value_from_number (r, 1, 1);
  for (unsigned k = 0; k < a.count; k++)
    equal = ir_binary (r->p, IR_X_AND, equal, ir_binary (r->p, IR_X_EQ, a.limb[k], b.limb[k]));
  value_bind (r, i, value_assign (r, predicate == LLVMIntEQ ? equal : ir_not (r->p, equal), NULL));
  return true;
}

static bool is_translatable (LLVMValueRef i) {
  unsigned result = integer_width (i), operand = integer_width (LLVMGetOperand (i, 0));
  return !over_limit (WIDE_WORDS, ((result > operand ? result : operand) + LIMB - 1) / LIMB);
}

void translate_wide (routine *r, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode (i);
  bool done = is_translatable (i);
  if (done) switch (opcode) {
    case LLVMLoad: wide_load (r, i); break;
    case LLVMStore: wide_store (r, i); break;
    case LLVMAnd: wide_logic (r, i, IR_X_AND); break;
    case LLVMOr: wide_logic (r, i, IR_X_OR); break;
    case LLVMXor: wide_logic (r, i, IR_X_XOR); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: done = wide_shift (r, i, opcode); break;
    case LLVMTrunc: wide_narrow (r, i); break;
    case LLVMZExt: wide_extend (r, i, false); break;
    case LLVMSExt: wide_extend (r, i, true); break;
    case LLVMICmp: done = wide_compare (r, i); break;
    default: done = false;
    }
  if (!done) emit_unsupported (r, "arithmetic on an integer of more than 128 bits");
}
