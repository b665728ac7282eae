// A division by zero, or of the smallest number by -1, ends the execution: what stands behind it cannot happen, and no proof goes on there.
//   (nothing)  the assertion behind 1 / 0     REMAINDER  behind 5 % 0       LEAST  behind INT_MIN / -1
//   RACE       a race behind it               GUARDED    the divisor is tested before
//   THREAD     a thread divides, main does not
#include <assert.h>
#include <limits.h>
#include <pthread.h>
static volatile int zero, minus_one = -1, least = INT_MIN;
static int shared, result;
static void *work (void *argument) {
#ifdef THREAD
  result = 1 / zero;
#endif
  shared++;
  return argument;
}
int main (void) {
#if defined REMAINDER
  result = 5 % zero;
  assert (!"not reached");
#elif defined LEAST
  result = least / minus_one;
  assert (!"not reached");
#elif defined GUARDED
  int divisor = zero;
  if (divisor) result = 1 / divisor;
#elif defined RACE || defined THREAD
  pthread_t t;
#ifdef RACE
  result = 1 / zero;
#endif
  pthread_create (&t, 0, work, 0);
#ifdef RACE
  shared++;
#endif
  pthread_join (t, 0);
#else
  result = 1 / zero;
  assert (!"not reached");
#endif
  return 0;
}
