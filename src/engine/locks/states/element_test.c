// Elements of arrays: what an address with an index is taken apart into, and what a common index tells.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

#define INDEX "r7 = nondet; r1 = nondet; "
#define AT(NAME, ADDRESS) "store.8 " ADDRESS ", 0:64 name '" NAME "'; "

static lock_fixture with_body (const char *one) {
  lock_fixture f;
  fixture_init (&f, BOTH EXIT, one, NULL, NULL);
  return f;
}

static element element_at (lock_fixture *f, const char *edge) {
  return element_of (&f->a.values, address_of (f, edge, 0));
}

static void an_address_is_taken_apart (void **state) {
  (void) state;
  lock_fixture f = with_body (INDEX AT ("plain", "(&s+8 + (sext.64(r7) * 48:64))") AT ("shifted", "(&s + (r1 << 4:64))")
                                  AT ("bytes", "(&s + r1)") AT ("fixed", "&s+8") AT ("two", "((&s + r1) + (r2 * 8:64))")
                                      AT ("unknown", "(r1 + (r2 * 8:64))") RETURN);
  element e = element_at (&f, "plain");
  assert_true (e.found && e.offset == 8 && e.stride == 48);
  assert_int_equal (e.base.i, element_at (&f, "bytes").base.i);
  assert_true (element_at (&f, "shifted").found && element_at (&f, "shifted").stride == 16);
  assert_true (element_at (&f, "bytes").found && element_at (&f, "bytes").stride == 1);
  assert_int_equal (element_at (&f, "bytes").index.i, element_at (&f, "shifted").index.i);
  assert_false (element_at (&f, "fixed").found);
  assert_false (element_at (&f, "two").found);
  assert_false (element_at (&f, "unknown").found);
  fixture_release (&f);
}

// A wide index may come round: with a stride of 8, two that differ by 2^61 are at one address.
static void a_common_address_tells_the_index (void **state) {
  (void) state;
  lock_fixture f =
      with_body (INDEX AT ("narrow", "(&s + (sext.64(r7) * 8:64))") AT ("wide", "(&s + (r1 * 8:64))") RETURN);
  assert_true (element_fixes_lock (&f.a.values, element_at (&f, "narrow"), 1));
  assert_true (element_fixes_lock (&f.a.values, element_at (&f, "narrow"), 40));
  assert_true (element_fixes_lock (&f.a.values, element_at (&f, "wide"), 40));
  assert_false (element_fixes_lock (&f.a.values, element_at (&f, "wide"), 4));
  fixture_release (&f);
}

// ---- extents -----------------------------------------------------------------------------------------------------
static extent array_of (uint32_t low, uint32_t high, uint32_t stride) { return (extent){true, 9, low, high, stride}; }

static void arrays_with_elements_of_different_sizes_are_apart (void **state) {
  (void) state;
  lock_fixture f = with_body (RETURN);
  extent a = array_of (0, 40, 4), b = array_of (40, 440, 40), c = array_of (40, 80, 4), d = array_of (0, 40, 40),
         fixed = array_of (440, 444, 0), nothing = {0};
  assert_true (extents_disjoint (f.program, &a, &b) && extents_disjoint (f.program, &b, &a));
  assert_false (extents_disjoint (f.program, &a, &c));
  assert_false (extents_disjoint (f.program, &a, &d));
  assert_false (extents_disjoint (f.program, &a, &fixed));  // what the types of the object are is not known
  assert_false (extents_disjoint (f.program, &a, &nothing));
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (an_address_is_taken_apart), cmocka_unit_test (a_common_address_tells_the_index),
           cmocka_unit_test (arrays_with_elements_of_different_sizes_are_apart))
