// Front end: a built-in of another verifier was taken for an ordinary function that returns anything, and an
// assertion about it was called a bug.
#include <assert.h>

int __CPROVER_uninterpreted_f (int);

int main (void) {
  assert (__CPROVER_uninterpreted_f (1) == __CPROVER_uninterpreted_f (1));
  return 0;
}
