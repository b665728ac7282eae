// A finding that rests on an invented value comes first, and the same place goes wrong without any: the second is the bug.
#include <assert.h>
#include <pthread.h>
#include <wchar.h>

extern int nondet_int (void);
static int count;

static void check (int good) { assert (good); }

#ifdef RACE
static void *add (void *unused) {
  count++;
  return unused;
}

static void start_two (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, add, NULL);
  pthread_create (&b, NULL, add, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}
#endif

int main (void) {
#ifdef BUG_BEFORE
  if (nondet_int () == 3) check (0);
#elif defined RACE_BEFORE
  if (nondet_int () == 3) start_two ();
  else
#endif
#ifdef FIRST  // one value of the function
    if (wcwidth (L'a') == 7) check (0);
#elif defined MOST  // nearly all
    if (wcwidth (L'a') != 7) check (0);
#elif defined ALL
    if (wcwidth (L'a') != 7) check (0);
    else check (0);
#elif defined RACE
    if (wcwidth (L'a') != 7) start_two ();
#endif
#ifdef BUG
  if (nondet_int () == 3) check (0);
#elif defined NO_BUG
  for (int k = 0; k < 3; k++) count++;
  if (count > 5) check (0);
#endif
  return 0;
}
