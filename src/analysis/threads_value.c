// Expressions over values that are known numbers, known handles, or anything.
//
// The address of an object created during the walk is a number, too, but not the one it has in an execution. It may be
// moved and compared for equality; all other arithmetic on it gives anything. A number that only looks like such an
// address (a negative one) is treated in the same way.
#include "analysis/threads_impl.h"

static bool looks_made (const value_scope *s, uint64_t number) {
  return address_number (s->program, number) >= s->program->objects.count;
}

static const made_object *made_object_at (const value_scope *s, uint64_t address) {
  uint64_t number = address_number (s->program, address);
  if (number < s->program->objects.count || number - s->program->objects.count >= s->made->count) return NULL;
  return &s->made->data[number - s->program->objects.count];
}

// Compares two values of which at least one looks like the address of a created object. A heap object may be null if
// allocation fails.
static thread_value compare_made (const value_scope *s, ir_expr_op op, uint64_t x, uint64_t y) {
  const made_object *a = made_object_at (s, x), *b = made_object_at (s, y);
  if (a && a == b) return value_of_number ((x == y) == (op == IR_X_EQ));
  bool a_null = x == 0, b_null = y == 0;
  if ((a && !a->on_heap && b_null) || (b && !b->on_heap && a_null)) return value_of_number (op == IR_X_NE);
  return value_any ();
}

static thread_value operate_on_made (const value_scope *s, const ir_expr_node *n, uint64_t x, uint64_t y,
                                     thread_value plain) {
  bool same = address_number (s->program, x) == address_number (s->program, y);
  switch (n->op) {
  case IR_X_ADD: return plain;
  case IR_X_SUB: return same || !looks_made (s, y) ? plain : value_any ();
  case IR_X_EQ:
  case IR_X_NE: return compare_made (s, n->op, x, y);
  default: return value_any ();
  }
}

static thread_value conditional_value (const value_scope *s, const ir_expr_node *n) {
  thread_value condition = value_of_expression (s, n->arg[0]);
  if (condition.tag == VALUE_NUMBER) return value_of_expression (s, n->arg[condition.number ? 1 : 2]);
  thread_value x = value_of_expression (s, n->arg[1]), y = value_of_expression (s, n->arg[2]);
  return x.tag == y.tag && x.number == y.number ? x : value_any ();
}

static thread_value operation_value (const value_scope *s, const ir_expr_node *n) {
  ir_value args[3] = {0};
  unsigned arity = ir_expr_arity (n->op);
  bool made = false;
  for (unsigned k = 0; k < arity; k++) {
    thread_value v = value_of_expression (s, n->arg[k]);
    if (v.tag != VALUE_NUMBER) return value_any ();
    args[k] = v.number;
    made |= looks_made (s, v.number);
  }
  unsigned operand_bits = ir_expr_at (s->program, n->arg[0])->bits;
  ir_value result = ir_eval_op (n->op, n->bits, operand_bits, args);
  thread_value plain = result >> 64 ? value_any () : value_of_number ((uint64_t) result);
  return made ? operate_on_made (s, n, (uint64_t) args[0], (uint64_t) args[1], plain) : plain;
}

static thread_value static_address_value (const value_scope *s, const ir_expr_node *n) {
  if (ir_object_at (s->program, n->object)->kind == IR_O_THREAD_LOCAL) return value_any ();
  return value_of_number ((uint64_t) n->object.i << s->program->offset_bits | n->offset);
}

thread_value value_of_expression (const value_scope *s, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (s->program, x);
  switch (n->op) {
  case IR_X_CONST: return n->value >> 64 ? value_any () : value_of_number ((uint64_t) n->value);
  case IR_X_REG: return s->slot[n->reg.i] == IR_NONE ? value_any () : s->values[s->slot[n->reg.i]];
  case IR_X_ADDR: return static_address_value (s, n);
  case IR_X_ITE: return conditional_value (s, n);
  default: return operation_value (s, n);
  }
}

thread_value value_cut (thread_value v, unsigned bits, unsigned pointer_bits) {
  if (bits < pointer_bits && v.tag == VALUE_HANDLE) return value_any ();
  if (v.tag == VALUE_NUMBER && bits < 64) v.number &= ((uint64_t) 1 << bits) - 1;
  return v;
}
