// Which bytes are shared, how they are divided into cells, and which addresses are stored in them.
#include "engine/order/sharing.h"

#include "base/test.h"

enum { X = 1, Y = 2, NUM_STATIC = 3 };

// Thread 0 starts 1 and then 2; 1 starts 3.
static const uint32_t parent[] = {IR_NONE, 0, 0, 1}, child_number[] = {0, 0, 1, 0};
static const thread_tree tree = {4, parent, child_number};

static thread_set bit (uint32_t thread) { return (thread_set) 1 << thread; }

static memory_use access (uint32_t thread, uint32_t num_children, thread_set joined, bool write) {
  return (memory_use){.object = X,
                      .first = 0,
                      .end = 4,
                      .thread = thread,
                      .num_children = num_children,
                      .joined = joined,
                      .write = write};
}

static bool meet (memory_use a, memory_use b) {
  sharing s;
  sharing_init (&s, NULL, NUM_STATIC);
  sharing_use (&s, a);
  sharing_use (&s, b);
  sharing_learn (&s, &tree);
  bool shared = sharing_shared (&s, X, 0, 4);
  assert_int_equal (s.grew, shared);
  sharing_release (&s);
  return shared;
}

static bool meet_either_way (memory_use a, memory_use b) {
  bool yes = meet (a, b);
  assert_int_equal (meet (b, a), yes);
  return yes;
}

static void who_meets_whom (void **state) {
  (void) state;
  assert_true (meet_either_way (access (1, 0, 0, true), access (2, 0, 0, true)));
  assert_true (meet_either_way (access (1, 0, 0, true), access (2, 0, 0, false)));
  assert_false (meet_either_way (access (1, 0, 0, false), access (2, 0, 0, false)));
  assert_false (meet_either_way (access (1, 0, 0, true), access (1, 0, 0, true)));
}

static void before_a_thread_is_started (void **state) {
  (void) state;
  assert_false (meet_either_way (access (0, 0, 0, true), access (1, 0, 0, true)));
  assert_true (meet_either_way (access (0, 1, 0, true), access (1, 0, 0, true)));
  assert_false (meet_either_way (access (0, 1, 0, true), access (2, 0, 0, true)));
  assert_true (meet_either_way (access (0, 2, 0, true), access (2, 0, 0, true)));
  assert_false (meet_either_way (access (0, 0, 0, true), access (3, 0, 0, true)));  // nor do the threads that it starts
  assert_true (meet_either_way (access (0, 1, 0, true), access (3, 0, 0, true)));
  assert_true (meet_either_way (access (1, 1, 0, true), access (3, 0, 0, true)));
}

static void after_a_thread_was_joined (void **state) {
  (void) state;
  assert_false (meet_either_way (access (0, 2, bit (1), true), access (1, 0, 0, true)));
  assert_true (meet_either_way (access (0, 2, bit (1), true), access (2, 0, 0, true)));
  assert_true (meet_either_way (access (0, 2, bit (1), true), access (3, 0, 0, true)));  // thread 1 did not wait for it
  assert_false (meet_either_way (access (2, 0, bit (1), true), access (1, 1, 0, true)));
}

static void other_bytes_are_not_shared (void **state) {
  (void) state;
  memory_use a = access (1, 0, 0, true), b = access (2, 0, 0, true), other = b;
  b.first = 4, b.end = 8;
  assert_false (meet_either_way (a, b));
  b.first = 3;
  assert_true (meet_either_way (a, b));
  other.object = Y;
  assert_false (meet_either_way (a, other));
}

static void what_overlaps_is_shared_as_a_whole (void **state) {
  (void) state;
  sharing s;
  memory_use b = access (2, 0, 0, false);
  b.first = 3, b.end = 11;
  sharing_init (&s, NULL, NUM_STATIC);
  assert_true (sharing_use (&s, access (1, 0, 0, true)));
  assert_false (sharing_use (&s, access (1, 0, 0, true)));
  assert_true (sharing_use (&s, b));
  sharing_learn (&s, &tree);
  for (uint32_t k = 0; k < 11; k++) assert_true (sharing_shared (&s, X, k, k + 1));
  assert_false (sharing_shared (&s, X, 11, 100));
  assert_false (sharing_shared (&s, Y, 0, 100));
  s.grew = false;
  sharing_learn (&s, &tree);  // a walk without any use
  assert_false (s.grew);
  sharing_release (&s);
}

static void cells_end_where_others_begin (void **state) {
  (void) state;
  sharing s;
  sharing_init (&s, NULL, NUM_STATIC);
  sharing_need_cell (&s, X, 0, 8);
  sharing_need_cell (&s, X, 2, 4);
  assert_true (s.grew);
  assert_int_equal (sharing_cell_end (&s, X, 0, 8), 2);
  assert_int_equal (sharing_cell_end (&s, X, 2, 8), 4);
  assert_int_equal (sharing_cell_end (&s, X, 4, 8), 8);
  assert_true (sharing_shared (&s, X, 7, 8) && !sharing_shared (&s, X, 8, 9));
  s.grew = false;
  sharing_need_cell (&s, X, 0, 4);
  assert_false (s.grew);
  sharing_release (&s);
}

// A cell that an index may name is an event for all threads.
static void an_index_shares_all_bytes (void **state) {
  (void) state;
  sharing s;
  sharing_init (&s, NULL, NUM_STATIC);
  sharing_need_cell (&s, X, 0, 4);
  sharing_share_all (&s, X, 16);
  for (uint32_t k = 0; k < 16; k++) assert_true (sharing_shared (&s, X, k, k + 1));
  assert_false (sharing_shared (&s, X, 16, 17));
  s.grew = false;
  sharing_share_all (&s, X, 16);
  assert_false (s.grew);
  sharing_release (&s);
}

static void a_grain_divides_all_of_them (void **state) {
  (void) state;
  sharing s;
  sharing_init (&s, NULL, NUM_STATIC);
  sharing_need_grain (&s, X, 8);
  assert_int_equal (s.objects.data[X].grain, 8);
  s.grew = false;
  sharing_need_grain (&s, X, 8);
  assert_false (s.grew);
  sharing_need_grain (&s, X, 4);
  assert_true (s.grew && s.objects.data[X].grain == 4);
  sharing_need_grain (&s, X, 3);
  assert_int_equal (s.objects.data[X].grain, 1);
  sharing_release (&s);
}

static void addresses_in_memory (void **state) {
  (void) state;
  sharing s;
  sharing_init (&s, NULL, NUM_STATIC);
  uint32_t one = pointers_single (&s.pointers, (address){X, {0, 0}}),
           two = pointers_single (&s.pointers, (address){Y, {0, 4}});
  uint32_t both = idset_unite (&s.pointers.sets, one, two);
  assert_int_equal (pointers_single (&s.pointers, (address){X, {0, 0}}), one);
  sharing_add_targets (&s, X, 8, one);
  assert_true (s.grew);
  assert_int_equal (sharing_targets (&s, X, 8), one);
  assert_int_equal (sharing_targets (&s, X, 12), one);  // half of the pointer
  assert_int_equal (sharing_targets (&s, X, 1), one);
  assert_int_equal (sharing_targets (&s, X, 0), IDSET_EMPTY);
  assert_int_equal (sharing_targets (&s, X, 16), IDSET_EMPTY);
  sharing_add_targets (&s, X, ANY_OFFSET, two);
  assert_int_equal (sharing_targets (&s, X, 0), two);
  assert_int_equal (sharing_targets (&s, X, 8), both);
  assert_int_equal (sharing_targets (&s, X, ANY_OFFSET), both);
  s.grew = false;
  sharing_add_targets (&s, X, 8, one);
  assert_false (s.grew);
  sharing_release (&s);
}

static void names_last_from_walk_to_walk (void **state) {
  (void) state;
  sharing s;
  sharing_init (&s, NULL, NUM_STATIC);
  uint32_t first = sharing_object (&s, 1, (ir_edge){7}, 0), second = sharing_object (&s, 1, (ir_edge){7}, 1),
           other = sharing_object (&s, 2, (ir_edge){7}, 0);
  assert_true (first >= NUM_STATIC && first != second && second != other && first != other);
  assert_int_equal (sharing_object (&s, 1, (ir_edge){7}, 0), first);
  uint32_t thread = sharing_thread (&s, 0, (ir_edge){3}, 0, (ir_proc){1});
  assert_true (thread > 0);
  assert_int_not_equal (sharing_thread (&s, 0, (ir_edge){3}, 0, (ir_proc){2}), thread);
  assert_int_not_equal (sharing_thread (&s, 0, (ir_edge){3}, 1, (ir_proc){1}), thread);
  assert_int_equal (sharing_thread (&s, 0, (ir_edge){3}, 0, (ir_proc){1}), thread);
  sharing_release (&s);
}

TEST_MAIN (cmocka_unit_test (who_meets_whom), cmocka_unit_test (before_a_thread_is_started),
           cmocka_unit_test (after_a_thread_was_joined), cmocka_unit_test (other_bytes_are_not_shared),
           cmocka_unit_test (what_overlaps_is_shared_as_a_whole), cmocka_unit_test (cells_end_where_others_begin),
           cmocka_unit_test (an_index_shares_all_bytes), cmocka_unit_test (a_grain_divides_all_of_them),
           cmocka_unit_test (addresses_in_memory), cmocka_unit_test (names_last_from_walk_to_walk))
