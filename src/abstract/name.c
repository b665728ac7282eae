// Prints terms as a person would write them in C, if that is short.
#include "abstract/predicates.h"

enum { NAME_DEPTH = 5, NAME_CHARACTERS = 120 };

static const char *operator_sign (ir_expr_op op) {
  switch (op) {
  case IR_X_ADD: return "+";
  case IR_X_SUB: return "-";
  case IR_X_MUL: return "*";
  case IR_X_UDIV:
  case IR_X_SDIV: return "/";
  case IR_X_UREM:
  case IR_X_SREM: return "%";
  case IR_X_SHL: return "<<";
  case IR_X_LSHR:
  case IR_X_ASHR: return ">>";
  case IR_X_AND: return "&";
  case IR_X_OR: return "|";
  case IR_X_XOR: return "^";
  case IR_X_EQ: return "==";
  case IR_X_NE: return "!=";
  case IR_X_ULT: return "<u";
  case IR_X_ULE: return "<=u";
  case IR_X_SLT: return "<";
  case IR_X_SLE: return "<=";
  default: return NULL;
  }
}

static const char *operator_word (ir_expr_op op) {
  static const char *const words[IR_NUM_EXPR_OPS] = {
#define OP(NAME, TEXT, ARITY) [IR_X_##NAME] = TEXT,
      IR_EXPR_OPS (OP)
#undef OP
  };
  return words[op];
}

// Braces would end a name of a Boolean program.
static void append_without_braces (const char *name, strbuf *out) {
  for (; *name; name++) strbuf_add_char (out, *name == '{' ? '(' : *name == '}' ? ')' : *name == '\n' ? ' ' : *name);
}

static void append_number (const term_node *n, strbuf *out) {
  bool negative = n->bits > 1 && n->bits <= 64 && (n->value >> (n->bits - 1) & 1);
  if (n->bits > 64)
    strbuf_printf (out, "0x%llx%016llx", (unsigned long long) (n->value >> 64), (unsigned long long) n->value);
  else if (negative && n->bits < 64) strbuf_printf (out, "%lld", (long long) n->value - (1ll << n->bits));
  else if (negative) strbuf_printf (out, "%lld", (long long) n->value);
  else strbuf_printf (out, "%llu", (unsigned long long) n->value);
}

// Is the variable narrower than in the program: not the value, but the number of one of a few values?
static bool is_number_of_value (const efsm *m, const efsm_variable *v) {
  if (v->value.i == TERM_NONE.i || v->value.i == v->now.i) return false;
  const term_node *n = term_at (&m->terms, v->value);
  return n->op != IR_X_ZEXT || n->arg[0].i != v->now.i;
}

static void append_variable (const efsm *m, term t, strbuf *out) {
  const uint64_t *v = map_find (&m->variable_of, t.i);
  if (!v) strbuf_printf (out, "input %u", t.i);
  else if (m->variables.data[*v].name) append_without_braces (m->variables.data[*v].name, out);
  else strbuf_printf (out, "variable %u", (unsigned) *v);
  if (v && is_number_of_value (m, &m->variables.data[*v])) strbuf_add (out, "#");
}

// Bit k of a variable is trunc (variable >> k).
static bool append_bit (const efsm *m, const term_node *n, strbuf *out) {
  if (n->op != IR_X_TRUNC || n->bits != 1) return false;
  const term_node *of = term_at (&m->terms, n->arg[0]);
  bool shifted = of->op == IR_X_LSHR && term_is_const (&m->terms, of->arg[1]);
  term word = shifted ? of->arg[0] : n->arg[0];
  if (term_at (&m->terms, word)->op != IR_X_REG) return false;
  strbuf_printf (out, "bit %u of ", shifted ? (unsigned) term_value (&m->terms, of->arg[1]) : 0);
  append_variable (m, word, out);
  return true;
}

static void append_term (const efsm *m, term t, unsigned depth, strbuf *out) {
  const term_node *n = term_at (&m->terms, t);
  const char *sign = operator_sign (n->op);
  if (n->op == IR_X_CONST) append_number (n, out);
  else if (n->op == IR_X_REG) append_variable (m, t, out);
  else if (append_bit (m, n, out)) return;
  else if (depth == NAME_DEPTH || out->count > NAME_CHARACTERS) strbuf_printf (out, "term %u", t.i);
  else if (sign) {
    if (depth) strbuf_add (out, "(");
    append_term (m, n->arg[0], depth + 1, out);
    strbuf_printf (out, " %s ", sign);
    append_term (m, n->arg[1], depth + 1, out);
    if (depth) strbuf_add (out, ")");
  } else {
    strbuf_printf (out, "%s%u(", operator_word (n->op), n->bits);
    for (unsigned k = 0; k < ir_expr_arity (n->op); k++) {
      if (k) strbuf_add (out, ", ");
      append_term (m, n->arg[k], depth + 1, out);
    }
    strbuf_add (out, ")");
  }
}

void term_print (const efsm *m, term t, strbuf *out) { append_term (m, t, 0, out); }
