// Heap: against a naive search for the largest score.
#include "base/heap.h"
#include "base/rng.h"
#include "base/test.h"

enum { NUMBERS = 40 };

static double naive_best (const bool *inside, const double *score) {
  double best = -1;
  for (uint32_t i = 0; i < NUMBERS; i++)
    if (inside[i] && score[i] > best) best = score[i];
  return best;
}

static void matches_naive_model (void **state) {
  (void) state;
  heap h = {0};
  rng r = {3};
  bool inside[NUMBERS] = {false};
  double score[NUMBERS] = {0};
  heap_grow (&h, NUMBERS / 2);
  heap_grow (&h, NUMBERS);
  for (unsigned round = 0; round < 20000; round++) {
    uint32_t number = rng_below (&r, NUMBERS);
    switch (rng_below (&r, 8)) {
    case 0:
    case 1:
    case 2:
      heap_insert (&h, number);
      inside[number] = true;
      break;
    case 3:
    case 4:
      score[number] += rng_below (&r, 5);
      heap_raise (&h, number, score[number]);
      break;
    case 5:
      if (rng_below (&r, 20)) break;
      heap_scale (&h, 0.5);
      for (unsigned i = 0; i < NUMBERS; i++) score[i] *= 0.5;
      break;
    default:
      if (!h.count) break;
      uint32_t best = heap_best (&h);
      assert_true (inside[best] && score[best] == naive_best (inside, score));
      assert_int_equal (heap_take (&h), best);
      inside[best] = false;
    }
    assert_int_equal (heap_has (&h, number), inside[number]);
    assert_true (heap_score (&h, number) == score[number]);
  }
  heap_release (&h);
}

TEST_MAIN (cmocka_unit_test (matches_naive_model))
