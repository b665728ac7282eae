// Undefined behaviour that clang takes for granted never to happen: `__builtin_unreachable` and the end of a function
// that is declared not to return.  An execution that got there was left out in silence, and the program was SAFE.
#include <assert.h>
#include <stdlib.h>

extern int nondet_int (void);

static _Noreturn void give_up (void) {
#ifndef RETURNS
  exit (1);
#endif
}

int main (void) {
  int n = nondet_int ();
#ifdef REACHED
  if (n == 5) __builtin_unreachable ();
#endif
  if (n == 5) give_up ();
  if (n > 7)
    if (n < 7) __builtin_unreachable ();
  assert (n != 5);
  return 0;
}
