// Questions about C strings: prefixes and membership of lists, with empty texts and empty lists.
#include "base/text.h"

#include "base/test.h"

static void compares_prefixes (void **state) {
  (void) state;
  assert_true (text_starts_with ("lockstep", "lock"));
  assert_true (text_starts_with ("lock", "lock"));
  assert_true (text_starts_with ("lock", ""));
  assert_false (text_starts_with ("loc", "lock"));
  assert_false (text_starts_with ("a lock", "lock"));
}

static void searches_lists (void **state) {
  (void) state;
  static const char *const list[] = {"ab", "c", NULL}, *const none[] = {NULL};
  assert_true (text_is_one_of ("c", list));
  assert_false (text_is_one_of ("cd", list));
  assert_false (text_is_one_of ("", list));
  assert_false (text_is_one_of ("", none));
  assert_true (text_starts_with_one_of ("cd", list));
  assert_true (text_starts_with_one_of ("ab", list));
  assert_false (text_starts_with_one_of ("a", list));
  assert_false (text_starts_with_one_of ("a", none));
}

TEST_MAIN (cmocka_unit_test (compares_prefixes), cmocka_unit_test (searches_lists))
