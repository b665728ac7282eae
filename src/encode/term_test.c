// Terms: rewriting never changes a value, known bits are correct, and the rules on which engines rely are applied.
#include "base/test.h"
#include "encode/evaluate.h"
#include "encode/random_term_test.h"

// ---- values --------------------------------------------------------------------------------------------------------

typedef struct assignment {
  const samples *s;
  unsigned number;
} assignment;

static bool leaf_value (void *state, term t, ir_value *value) {
  const assignment *a = state;
  const term_node *n = term_at (&a->s->pool, t);
  if (n->op != IR_X_REG) return false;
  *value = a->s->variables.data[n->variable].value[a->number];
  return true;
}

static void check_sample (const samples *s, evaluator e[NUM_ASSIGNMENTS], const sample *x) {
  term_known known = term_known_bits (&s->pool, x->term);
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) {
    ir_value value = evaluate_term (&e[k], x->term);
    if (value != x->value[k])
      fail_msg ("term %u (operator %d of %u bits) is %llx, not %llx", x->term.i, term_op (&s->pool, x->term),
                term_bits (&s->pool, x->term), (unsigned long long) value, (unsigned long long) x->value[k]);
    assert_true (!(known.zeros & value) && !(known.ones & ~value));
  }
}

static void run_random (uint64_t seed, const uint16_t *widths, unsigned num_widths, unsigned count) {
  samples s;
  assignment a[NUM_ASSIGNMENTS];
  evaluator e[NUM_ASSIGNMENTS];
  samples_init (&s, seed, widths, num_widths);
  s.floats = true;
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) {
    a[k] = (assignment){&s, k};
    e[k] = (evaluator){.pool = &s.pool, .leaf_value = leaf_value, .state = &a[k]};
  }
  for (unsigned i = 0; i < count; i++) {
    sample x = add_random (&s);
    check_sample (&s, e, &x);
  }
  for (unsigned k = 0; k < NUM_ASSIGNMENTS; k++) evaluator_release (&e[k]);
  samples_release (&s);
}

static const uint16_t few_bits[] = {1, 2, 3}, c_widths[] = {1, 8, 16, 32, 64},
                      odd_widths[] = {1, 7, 13, 32, 64, 80, 128};

static void rewriting_keeps_values (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 400; seed++) {
    run_random (seed, few_bits, 3, 300);
    run_random (seed, c_widths, 5, 300);
    run_random (seed, odd_widths, 7, 200);
  }
}

// ---- rules ---------------------------------------------------------------------------------------------------------

#define assert_term(A, B) assert_int_equal ((A).i, (B).i)

static void equal_terms_have_equal_names (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term x = term_var (&p, 32), y = term_var (&p, 32);
  assert_term (term_add (&p, x, y), term_add (&p, y, x));
  assert_term (term_add (&p, x, term_const (&p, 32, 0)), x);
  assert_term (term_not (&p, term_not (&p, term_ult (&p, x, y))), term_ult (&p, x, y));
  assert_term (term_ule (&p, x, y), term_not (&p, term_ult (&p, y, x)));
  assert_term (term_sub (&p, term_add (&p, x, term_const (&p, 32, 5)), term_add (&p, x, term_const (&p, 32, 3))),
               term_const (&p, 32, 2));
  assert_true (term_is_false (&p, term_eq (&p, term_add (&p, x, term_const (&p, 32, 1)), x)));
  term_pool_release (&p);
}

static void conditions_are_simplified (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term a = term_var (&p, 1), b = term_var (&p, 1), c = term_var (&p, 1);
  assert_term (term_and (&p, a, term_or (&p, a, b)), a);
  assert_term (term_and (&p, a, term_not (&p, term_and (&p, a, b))), term_and (&p, a, term_not (&p, b)));
  assert_true (term_is_false (&p, term_and (&p, a, term_and (&p, term_not (&p, a), b))));
  assert_true (term_is_true (&p, term_or (&p, a, term_implies (&p, a, b))));
  assert_term (term_ite (&p, c, a, term_ite (&p, c, b, a)), a);
  assert_term (term_ite (&p, term_not (&p, c), a, b), term_ite (&p, c, b, a));
  assert_term (term_ite (&p, c, p.truth, p.falsity), c);
  term_pool_release (&p);
}

static void words_are_simplified (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term x = term_var (&p, 16), y = term_var (&p, 16), not_x = term_complement (&p, x);
  assert_term (term_or (&p, x, term_and (&p, not_x, y)), term_or (&p, x, y));
  assert_term (term_or (&p, x, term_or (&p, not_x, y)), term_const (&p, 16, 0xffff));
  assert_term (term_or (&p, term_and (&p, x, term_const (&p, 16, 0xff)), term_and (&p, x, term_const (&p, 16, 0xff00))),
               x);
  assert_term (term_and (&p, x, term_or (&p, x, y)), x);
  term_pool_release (&p);
}

static void choices_of_constants_become_conditions (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term chain = term_const (&p, 64, 0), c[4];
  for (unsigned i = 0; i < 4; i++) {
    c[i] = term_var (&p, 1);
    chain = term_ite (&p, c[i], term_const (&p, 64, (ir_value) (i + 1) << 40), chain);
  }
  assert_term (term_eq (&p, chain, term_const (&p, 64, (ir_value) 4 << 40)), c[3]);
  assert_term (term_eq (&p, term_extract (&p, chain, 40, 24), term_const (&p, 24, 3)),
               term_and (&p, term_not (&p, c[3]), c[2]));
  assert_true (term_is_false (&p, term_eq (&p, chain, term_const (&p, 64, 77))));
  term flag = term_ite (&p, c[0], term_const (&p, 32, 1), term_const (&p, 32, 0));
  assert_term (term_eq (&p, flag, term_const (&p, 32, 0)), term_not (&p, c[0]));
  term_pool_release (&p);
}

static void bytes_come_back_together (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term x = term_var (&p, 32), y = term_var (&p, 16), up = term_extract (&p, x, 0, 8),
       down = term_extract (&p, x, 24, 8);
  for (unsigned i = 1; i < 4; i++) {
    up = term_concat (&p, term_extract (&p, x, 8 * i, 8), up);
    down = term_concat (&p, down, term_extract (&p, x, 24 - 8 * i, 8));
  }
  assert_term (up, x);
  assert_term (down, x);
  term both = term_concat (&p, x, y);
  assert_term (term_extract (&p, both, 0, 16), y);
  assert_term (term_extract (&p, both, 16, 32), x);
  assert_term (term_extract (&p, both, 8, 16),
               term_concat (&p, term_extract (&p, x, 0, 8), term_extract (&p, y, 8, 8)));
  term pointer = term_add (&p, term_resize (&p, y, 64), term_const (&p, 64, (ir_value) 7 << 40));
  assert_term (term_extract (&p, pointer, 40, 24), term_const (&p, 24, 7));
  term_pool_release (&p);
}

static void known_bits_decide (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term x = term_var (&p, 8), wide = term_resize (&p, x, 32),
       times = term_apply (&p, IR_X_MUL, 32, wide, term_const (&p, 32, 4), TERM_NONE);
  assert_true (term_is_true (&p, term_ult (&p, wide, term_const (&p, 32, 256))));
  assert_true (term_is_false (&p, term_eq (&p, times, term_const (&p, 32, 6))));
  assert_true (term_is_false (&p, term_apply (&p, IR_X_SADDO, 1, times, wide, TERM_NONE)));
  assert_term (term_apply (&p, IR_X_SLT, 1, wide, term_const (&p, 32, 9), TERM_NONE),
               term_ult (&p, x, term_const (&p, 8, 9)));
  term_pool_release (&p);
}

// Building each of these terms would take exponential time if a rule descended into both operands.
static void deep_terms_are_made_in_time (void **state) {
  (void) state;
  term_pool p;
  term_pool_init (&p);
  term x = term_var (&p, 32), y = term_var (&p, 32), c = term_var (&p, 1), d = c, zero = term_const (&p, 32, 0);
  for (unsigned i = 0; i < 20000; i++) {
    term next = term_add (&p, x, term_ite (&p, d, y, term_const (&p, 32, i)));
    d = term_eq (&p, term_ite (&p, d, next, term_const (&p, 32, 7 * i)), zero);
    y = x;
    x = i % 3 ? next : term_resize (&p, term_resize (&p, next, 17), 32);
  }
  assert_true (p.nodes.count < 1000000);
  term_pool_release (&p);
}

TEST_MAIN (cmocka_unit_test (rewriting_keeps_values), cmocka_unit_test (equal_terms_have_equal_names),
           cmocka_unit_test (conditions_are_simplified), cmocka_unit_test (words_are_simplified),
           cmocka_unit_test (choices_of_constants_become_conditions), cmocka_unit_test (bytes_come_back_together),
           cmocka_unit_test (known_bits_decide), cmocka_unit_test (deep_terms_are_made_in_time))
