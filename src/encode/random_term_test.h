// For tests: random terms of any operator and width, each with its correct values under a few assignments of the
// variables, which are computed operator by operator, without rewriting.
#ifndef LOCKSTEP_ENCODE_RANDOM_TEST_H
#define LOCKSTEP_ENCODE_RANDOM_TEST_H

#include "base/rng.h"
#include "encode/encode_impl.h"

enum { NUM_ASSIGNMENTS = 6 };
typedef struct sample { term term; ir_value value[NUM_ASSIGNMENTS]; } sample;
typedef struct samples {
  term_pool pool;
  rng r;
  VEC (sample) all;
  VEC (sample) variables;      // by number
  unsigned num_widths;
  const uint16_t *widths;
  bool floats;                 // also operators on floats without an exact model
} samples;

// Returns a random value; extreme values are more likely than others.
static inline ir_value random_value (rng *r, unsigned bits) {
  ir_value top = term_least (bits), v;
  switch (rng_below (r, 8)) {
  case 0: v = 0; break;
  case 1: v = 1; break;
  case 2: v = ~(ir_value) 0; break;
  case 3: v = top; break;
  case 4: v = top - 1; break;
  case 5: v = rng_below (r, 200); break;
  default: v = (ir_value) rng_next (r) << 64 | rng_next (r); break;
  }
  return v & term_mask (bits);
}

static inline bool is_float_width (unsigned bits) { return bits == 32 || bits == 64 || bits == 80; }

// Can the operator have operands of width `from` and a result of width `bits`?
static inline bool op_has_widths (ir_expr_op op, unsigned bits, unsigned from) {
  bool compares = (op >= IR_X_EQ && op <= IR_X_SLE) || (op >= IR_X_SADDO && op <= IR_X_UMULO) ||
                  (op >= IR_X_FEQ && op <= IR_X_FUNO);
  if (op >= IR_X_FADD && op <= IR_X_FUNO && !is_float_width (from)) return false;
  if (compares) return bits == 1;
  switch (op) {
  case IR_X_ZEXT:
  case IR_X_SEXT: return from <= bits;
  case IR_X_TRUNC: return from >= bits;
  case IR_X_BSWAP: return bits == from && bits % 8 == 0;
  case IR_X_FCONV: return is_float_width (bits) && is_float_width (from);
  case IR_X_FTOSI:
  case IR_X_FTOUI: return is_float_width (from);
  case IR_X_SITOF:
  case IR_X_UITOF: return is_float_width (bits);
  default: return bits == from;
  }
}

static inline void add_variable (samples *s, unsigned bits) {
  sample v = {.term = term_var (&s->pool, bits)};
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) v.value[k] = random_value (&s->r, bits);
  vec_push (&s->variables, v);
  vec_push (&s->all, v);
}

static inline sample constant_sample (samples *s, unsigned bits, ir_value c) {
  sample v = {.term = term_const (&s->pool, bits, c)};
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) v.value[k] = c & term_mask (bits);
  return v;
}

// Returns a sample of this width, in most cases one of the newest.
static inline sample random_sample (samples *s, unsigned bits) {
  for (unsigned tries = 0; tries < 60; tries++) {
    uint32_t window = rng_below (&s->r, 3) && s->all.count > 24 ? 24 : s->all.count;
    sample x = s->all.data[s->all.count - 1 - rng_below (&s->r, window)];
    if (term_bits (&s->pool, x.term) == bits) return x;
  }
  if (rng_below (&s->r, 2)) add_variable (s, bits);
  else vec_push (&s->all, constant_sample (s, bits, random_value (&s->r, bits)));
  return vec_last (&s->all);
}

// Returns a constant as it is typical of programs: small amounts for shifts, masks for other operators.
static inline sample fitting_constant (samples *s, ir_expr_op op, unsigned bits) {
  if (op == IR_X_SHL || op == IR_X_LSHR || op == IR_X_ASHR)
    return constant_sample (s, bits, rng_below (&s->r, bits + 1));
  switch (rng_below (&s->r, 4)) {
  case 0: return constant_sample (s, bits, ~(ir_value) 0);
  case 1: return constant_sample (s, bits, term_mask (1 + rng_below (&s->r, bits)));
  case 2: return constant_sample (s, bits, ~term_mask (1 + rng_below (&s->r, bits)));
  default: return constant_sample (s, bits, random_value (&s->r, bits));
  }
}

static inline sample apply_random (samples *s, ir_expr_op op, unsigned bits, unsigned from) {
  sample arg[3] = {{.term = TERM_NONE}, {.term = TERM_NONE}, {.term = TERM_NONE}}, r;
  unsigned arity = ir_expr_arity (op);
  for (unsigned k = 0; k < arity; k++) arg[k] = random_sample (s, op == IR_X_ITE && !k ? 1 : from);
  if (arity == 2 && !rng_below (&s->r, 8)) arg[1] = arg[0];
  if (arity == 2 && !rng_below (&s->r, 3)) arg[1] = fitting_constant (s, op, from);
  r.term = term_apply (&s->pool, op, bits, arg[0].term, arg[1].term, arg[2].term);
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) {
    ir_value v[3] = {arg[0].value[k], arity > 1 ? arg[1].value[k] : 0, arity > 2 ? arg[2].value[k] : 0};
    r.value[k] = ir_eval_op (op, bits, from, v);
  }
  return r;
}

// Returns a concatenation of two words, or a part of a word.
static inline sample random_part (samples *s, unsigned bits) {
  sample r;
  unsigned other = s->widths[rng_below (&s->r, s->num_widths)];
  if (other < bits) {
    sample high = random_sample (s, bits - other), low = random_sample (s, other);
    r.term = term_concat (&s->pool, high.term, low.term);
    for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) r.value[k] = high.value[k] << other | low.value[k];
    return r;
  }
  sample word = random_sample (s, other);
  unsigned low = rng_below (&s->r, other - bits + 1);
  r.term = term_extract (&s->pool, word.term, low, bits);
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) r.value[k] = word.value[k] >> low & term_mask (bits);
  return r;
}

static inline sample add_random (samples *s) {
  for (;;) {
    ir_expr_op op = IR_X_ADD + rng_below (&s->r, IR_NUM_EXPR_OPS - IR_X_ADD);
    unsigned from = s->widths[rng_below (&s->r, s->num_widths)];
    unsigned bits = rng_below (&s->r, 3) ? from : s->widths[rng_below (&s->r, s->num_widths)];
    if (!op_has_widths (op, bits, from)) bits = 1;
    if (!op_has_widths (op, bits, from) || (!s->floats && term_op_is_inexact (op))) continue;
    sample r = rng_below (&s->r, 6) ? apply_random (s, op, bits, from) : random_part (s, bits);
    vec_push (&s->all, r);
    return r;
  }
}

static inline void samples_init (samples *s, uint64_t seed, const uint16_t *widths, unsigned num_widths) {
  *s = (samples){.r = {seed}, .widths = widths, .num_widths = num_widths};
  term_pool_init (&s->pool);
  for (unsigned i = 0; i < 2 * num_widths; i++) add_variable (s, widths[i % num_widths]);
}

static inline void samples_release (samples *s) {
  term_pool_release (&s->pool);
  vec_release (&s->all);
  vec_release (&s->variables);
}

#endif
