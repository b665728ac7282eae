// C11 lets atomic_compare_exchange_weak fail although the values are equal, and a compound literal end with its block.  The
// report named neither assumption, and both checks were SAFE without a condition.
#include <assert.h>
#include <stdatomic.h>

static atomic_int shared;
static int *kept;

static void keep (void) {
  if (!kept) {
    kept = &(int){4};
  }
  assert (*kept == 4);
}

int main (void) {
#ifdef LITERAL
  keep ();
#elif defined STRONG
  int old = 0;
  assert (atomic_compare_exchange_strong (&shared, &old, (int){1}));
#else
  int old = 0;
  assert (atomic_compare_exchange_weak (&shared, &old, 1));
#endif
  return 0;
}
