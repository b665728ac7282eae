// Included by every unit test: cmocka with the headers that it requires, and a check that no memory is leaked.
// A test program ends with
//   TEST_MAIN (cmocka_unit_test (one), cmocka_unit_test (two))
#ifndef LOCKSTEP_TEST_H
#define LOCKSTEP_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"

// Seconds that a run may take which was given a fraction of a second and would take minutes without a limit. Tests do
// not measure speed: the machine may be busy.
enum { TEST_PATIENCE = 20 };

// Group teardown: whatever the tests took from the counted heap has been given back.
static inline int test_no_live_bytes (void **state) {
  (void) state;
  if (!mem_live_bytes ()) return 0;
  print_error ("%zu bytes are still live after the tests\n", mem_live_bytes ());
  return -1;
}

#define TEST_MAIN(...)                                                       \
  int main (void) {                                                          \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                         \
    return cmocka_run_group_tests (tests, NULL, test_no_live_bytes);         \
  }

#endif
