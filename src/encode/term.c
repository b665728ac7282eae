// Terms: the pool, and functions for single operators.
//
// An open hash table of their numbers finds existing nodes, so that building an existing term costs one look-up, and
// equal terms have equal numbers.  Operands are always older than the term: a loop over the numbers visits the nodes in
// topological order.
#include "encode/term.h"

#include <string.h>

#include "base/cutoff.h"
#include "base/hash.h"
#include "encode/encode_impl.h"

// ---- hash-consing ----------------------------------------------------------------------------------------------

static uint64_t term_node_hash (const term_node *n) {
  uint64_t h = hash_pair ((uint64_t) n->op << 16 | n->bits, (uint64_t) n->arg[0].i << 32 | n->arg[1].i);
  if (n->op == IR_X_CONST) return hash_pair (hash_pair (h, (uint64_t) n->value), (uint64_t) (n->value >> 64));
  return hash_pair (h, n->arg[2].i);
}

static bool equal_nodes (const term_node *a, const term_node *b) {
  if (a->op != b->op || a->bits != b->bits) return false;
  if (a->op == IR_X_CONST) return a->value == b->value;
  return a->arg[0].i == b->arg[0].i && a->arg[1].i == b->arg[1].i && a->arg[2].i == b->arg[2].i;
}

static void insert_term_node (term_pool *p, uint32_t node) {
  uint32_t i = (uint32_t) term_node_hash (&p->nodes.data[node]) & (p->num_slots - 1);
  while (p->slots[i]) i = (i + 1) & (p->num_slots - 1);
  p->slots[i] = node + 1;
}

static void grow_term_slots (term_pool *p) {
  mem_free (p->slots, sizeof *p->slots * p->num_slots);
  p->num_slots = p->num_slots ? p->num_slots * 2 : 64;
  p->slots = mem_zalloc (sizeof *p->slots * p->num_slots);
  for (uint32_t i = 0; i < p->nodes.count; i++)
    if (p->nodes.data[i].op != IR_X_REG) insert_term_node (p, i);
}

static term add_term_node (term_pool *p, const term_node *n, term_known known) {
  term t = {p->nodes.count};
  CHECK (t.i < UINT32_MAX - 1, "there should be less than 2^32 terms");
  vec_push (&p->nodes, *n);
  vec_push (&p->known, known);
  if (n->op == IR_X_REG) return t;  // each variable is new, so it is not entered
  if ((uint64_t) p->nodes.count * 2 > p->num_slots) grow_term_slots (p);
  else insert_term_node (p, t.i);
  return t;
}

static term find_term_node (const term_pool *p, const term_node *n) {
  if (!p->num_slots) return TERM_NONE;
  uint32_t i = (uint32_t) term_node_hash (n) & (p->num_slots - 1);
  for (; p->slots[i]; i = (i + 1) & (p->num_slots - 1))
    if (equal_nodes (&p->nodes.data[p->slots[i] - 1], n)) return (term){p->slots[i] - 1};
  return TERM_NONE;
}

// ---- leaves and operators ----------------------------------------------------------------------------------------

void term_pool_init (term_pool *p) {
  *p = (term_pool){0};
  p->falsity = term_const (p, 1, 0);
  p->truth = term_const (p, 1, 1);
}

void term_pool_release (term_pool *p) {
  vec_release (&p->nodes);
  vec_release (&p->known);
  vec_release (&p->variables);
  mem_free (p->slots, sizeof *p->slots * p->num_slots);
  *p = (term_pool){0};
}

static void check_width (unsigned bits) {
  CHECK (bits >= 1 && bits <= 128, "a term should have 1 to 128 bits, not %u", bits);
}

term term_const (term_pool *p, unsigned bits, ir_value value) {
  check_width (bits);
  value &= term_mask (bits);
  term_node n = {.op = IR_X_CONST, .bits = (uint16_t) bits, .arg = {TERM_NONE, TERM_NONE, TERM_NONE}, .value = value};
  term found = find_term_node (p, &n);
  return term_is_some (found) ? found
                              : add_term_node (p, &n, (term_known){.zeros = ~value & term_mask (bits), .ones = value});
}

term term_var (term_pool *p, unsigned bits) {
  check_width (bits);
  term_node n = {.op = IR_X_REG, .bits = (uint16_t) bits, .arg = {TERM_NONE, TERM_NONE, TERM_NONE}};
  n.variable = p->variables.count;
  term t = add_term_node (p, &n, (term_known){0});
  vec_push (&p->variables, t);
  return t;
}

// A term is a constant if the known bits of the operands determine all its bits.
term term_intern (term_pool *p, ir_expr_op op, unsigned bits, term a, term b, term c) {
  term_node n = {.op = op, .bits = (uint16_t) bits, .arg = {a, b, c}};
  cutoff_look ();
  term found = find_term_node (p, &n);
  if (term_is_some (found)) return found;
  term_known known = known_of_op (p, &n);
  if ((known.zeros | known.ones) == term_mask (bits)) return term_const (p, bits, known.ones);
  return add_term_node (p, &n, known);
}

// ---- shorthands --------------------------------------------------------------------------------------------------

term term_complement (term_pool *p, term x) {
  return term_binary (p, IR_X_XOR, x, term_const_like (p, x, ~(ir_value) 0));
}

term term_not (term_pool *p, term x) { return term_compare (p, IR_X_XOR, x, p->truth); }
term term_and (term_pool *p, term x, term y) { return term_binary (p, IR_X_AND, x, y); }
term term_or (term_pool *p, term x, term y) { return term_binary (p, IR_X_OR, x, y); }
term term_implies (term_pool *p, term x, term y) { return term_or (p, term_not (p, x), y); }
term term_ite (term_pool *p, term c, term x, term y) { return term_apply (p, IR_X_ITE, term_bits (p, x), c, x, y); }
term term_eq (term_pool *p, term x, term y) { return term_compare (p, IR_X_EQ, x, y); }
term term_add (term_pool *p, term x, term y) { return term_binary (p, IR_X_ADD, x, y); }
term term_sub (term_pool *p, term x, term y) { return term_binary (p, IR_X_SUB, x, y); }
term term_ult (term_pool *p, term x, term y) { return term_compare (p, IR_X_ULT, x, y); }
term term_ule (term_pool *p, term x, term y) { return term_compare (p, IR_X_ULE, x, y); }

term term_extract (term_pool *p, term x, unsigned low, unsigned bits) {
  check_width (bits);
  CHECK (low + bits <= term_bits (p, x), "bits %u..%u should be inside a word of %u", low, low + bits - 1,
         term_bits (p, x));
  return rewrite_extract (p, x, low, bits);
}

term term_resize (term_pool *p, term x, unsigned bits) {
  if (bits == term_bits (p, x)) return x;
  return term_unary (p, bits > term_bits (p, x) ? IR_X_ZEXT : IR_X_TRUNC, bits, x);
}

term term_concat (term_pool *p, term high, term low) {
  unsigned below = term_bits (p, low), bits = below + term_bits (p, high);
  check_width (bits);
  term joined = rewrite_concat (p, high, low);
  if (term_is_some (joined)) return joined;
  term shifted = term_binary (p, IR_X_SHL, term_resize (p, high, bits), term_const (p, bits, below));
  return term_or (p, shifted, term_resize (p, low, bits));
}

term term_spread_bytes (term_pool *p, term mask, unsigned bytes) {
  term all = term_unary (p, IR_X_SEXT, 8, term_extract (p, mask, 0, 1));
  for (unsigned k = 1; k < bytes; k++)
    all = term_concat (p, term_unary (p, IR_X_SEXT, 8, term_extract (p, mask, k, 1)), all);
  return all;
}

term term_any_of_bytes (term_pool *p, term x, unsigned bytes) {
  term all = TERM_NONE, none = term_const (p, 8, 0);
  for (unsigned k = 0; k < bytes; k++) {
    term any = term_not (p, term_eq (p, term_extract (p, x, 8 * k, 8), none));
    all = k ? term_concat (p, any, all) : any;
  }
  return all;
}

// ---- shapes ------------------------------------------------------------------------------------------------------

bool term_is_op_const (const term_pool *p, term t, ir_expr_op op, term *x, ir_value *c) {
  const term_node *n = term_at (p, t);
  if (n->op != op || !term_is_const (p, n->arg[1])) return false;
  *x = n->arg[0];
  *c = term_value (p, n->arg[1]);
  return true;
}

bool term_is_complement (const term_pool *p, term t, term *x) {
  const term_node *n = term_at (p, t);
  if (n->op != IR_X_XOR || !term_is_ones (p, n->arg[1])) return false;
  *x = n->arg[0];
  return true;
}

static bool is_high_part (const term_pool *p, term t, term *high, unsigned *place) {
  term x;
  ir_value amount;
  if (!term_is_op_const (p, t, IR_X_SHL, &x, &amount) || term_op (p, x) != IR_X_ZEXT) return false;
  *high = term_arg (p, x, 0);
  *place = (unsigned) amount;
  return *place + term_bits (p, *high) <= term_bits (p, t);
}

bool term_is_concat (const term_pool *p, term t, term *high, term *low) {
  if (term_op (p, t) != IR_X_OR) return false;
  for (unsigned k = 0; k < 2; k++) {
    term above = term_arg (p, t, k), below = term_arg (p, t, 1 - k);
    unsigned place;
    if (!is_high_part (p, above, high, &place) || term_op (p, below) != IR_X_ZEXT) continue;
    *low = term_arg (p, below, 0);
    return term_bits (p, *low) == place;
  }
  return false;
}
