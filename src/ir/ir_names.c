// The tables of words of the text form, and the C path to a byte of an object ("[3].next").
#include <ctype.h>
#include <string.h>

#include "ir/ir_impl.h"

const ir_op_info ir_op_table[IR_NUM_OPS] = {
#define OP(NAME, TEXT, MIN, MAX, RESULT, GROUP) {TEXT, MIN, MAX, RESULT, GROUP},
    IR_OPS (OP)
#undef OP
};

const uint8_t ir_expr_arity_table[IR_NUM_EXPR_OPS] = {
#define OP(NAME, TEXT, ARITY) ARITY,
    IR_EXPR_OPS (OP)
#undef OP
};

const char *const ir_expr_op_text[IR_NUM_EXPR_OPS] = {
#define OP(NAME, TEXT, ARITY) TEXT,
    IR_EXPR_OPS (OP)
#undef OP
};

const char *ir_infix_text (ir_expr_op op) {
  switch (op) {
  case IR_X_ADD: return "+";
  case IR_X_SUB: return "-";
  case IR_X_MUL: return "*";
  case IR_X_UDIV: return "u/";
  case IR_X_SDIV: return "s/";
  case IR_X_UREM: return "u%";
  case IR_X_SREM: return "s%";
  case IR_X_SHL: return "<<";
  case IR_X_LSHR: return "u>>";
  case IR_X_ASHR: return "s>>";
  case IR_X_AND: return "&";
  case IR_X_OR: return "|";
  case IR_X_XOR: return "^";
  case IR_X_EQ: return "==";
  case IR_X_NE: return "!=";
  case IR_X_ULT: return "u<";
  case IR_X_ULE: return "u<=";
  case IR_X_SLT: return "s<";
  case IR_X_SLE: return "s<=";
  default: return ir_expr_op_text[op];
  }
}

bool ir_is_identifier (const char *text) {
  if (!text || !(isalpha ((unsigned char) text[0]) || strchr ("_.$", text[0])) || !text[0]) return false;
  for (const char *c = text; *c; c++)
    if (!isalnum ((unsigned char) *c) && !strchr ("_.$", *c)) return false;
  return true;
}

const char *const ir_property_name[IR_NUM_QUESTIONS] = {"assert",   "race", "deadlock", "locks", "memory",
                                                        "overflow", "leak", "uninit",   "ltl"};
const char *const ir_order_text[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
const char *const ir_rmw_text[] = {"xchg", "add", "sub",  "and",  "or",   "xor", "nand",
                                   "max",  "min", "umax", "umin", "fadd", "fsub"};
const char *const ir_alloc_text[] = {"stack", "heap", "heap_zeroed"};
const char *const ir_nondet_text[] = {"any", "number", "outside", "unwritten"};
const char *ir_end_of_undefined (ir_property p) {
  if (p == IR_P_MEMORY) return "executions end at a memory error (--property=memory shows it)";
  if (p == IR_P_OVERFLOW) return "executions end at a division (--property=overflow shows it)";
  return NULL;
}

const char *const ir_origin_text[] = {"input", "invented", "failure", "which", "handler", "interrupt"};
const char *const ir_object_kind_text[] = {"global", "constant", "thread_local", "function"};
const char *const ir_type_kind_text[] = {"int",     "uint",   "bool",  "char",  "float",
                                         "pointer", "struct", "union", "array", "other"};

static uint32_t known_type_size (const ir_program *p, ir_type t) {
  return t.i < p->types.count ? ir_type_at (p, t)->size : 0;
}

// Returns the member to which the byte belongs: the first member that covers the byte; else the last member without a
// size (a flexible array) that starts at or before the byte; else NULL, since the byte is padding.
static const ir_member *member_covering (const ir_program *p, const ir_type_data *t, uint32_t offset) {
  const ir_member *open = NULL;
  for (uint32_t i = 0; i < t->members.count; i++) {
    const ir_member *m = &t->members.data[i];
    uint32_t size = known_type_size (p, m->type);
    if (offset < m->offset) continue;
    if (offset - m->offset < size) return m;
    if (!size) open = m;
  }
  return open;
}

void ir_type_path (const ir_program *p, ir_type type, uint32_t offset, strbuf *out) {
  // Each round goes down one level.  The bound on the depth ends the loop for a malformed type that contains itself.
  for (uint32_t depth = 0; type.i < p->types.count && depth < p->types.count; depth++) {
    const ir_type_data *t = ir_type_at (p, type);
    if (t->kind == IR_T_STRUCT || t->kind == IR_T_UNION) {
      const ir_member *m = member_covering (p, t, offset);
      if (!m) return;
      if (m->name && m->name[0]) strbuf_printf (out, ".%s", m->name);
      offset -= m->offset;
      type = m->type;
    } else if (t->kind == IR_T_ARRAY) {
      uint32_t size = known_type_size (p, t->target);
      if (!size) return;
      strbuf_printf (out, "[%u]", offset / size);
      offset %= size;
      type = t->target;
    } else return;
  }
}
