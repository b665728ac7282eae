// A lock for many readers or one writer, as one number: how many read, or -1.  A writer may have to wait for ever for a moment without readers.  Wrong: the writer looks and
// writes in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 2
#endif

atomic_schar state;
atomic_int reading, writing, wants_to_write;

static void *read_for_ever (void *argument) {
  for (;;) {
    signed char seen = state;
    if (seen < 0 || !atomic_compare_exchange_strong (&state, &seen, (signed char) (seen + 1))) continue;
    reading = 1;
    assert (!writing);
    state--;
  }
  return argument;
}

static void *write_for_ever (void *argument) {
  for (;;) {
    wants_to_write = 1;
#ifdef WRONG
    while (state) continue;
    state = -1;
#else
    for (signed char none = 0; !atomic_compare_exchange_strong (&state, &none, -1);) none = 0;
#endif
    writing = 1;
    wants_to_write = 0;
    assert (state == -1);
    writing = 0;
    state = 0;
  }
  return argument;
}

int main (void) {
  pthread_t readers[READERS], writer;
  for (int k = 0; k < READERS; k++) pthread_create (&readers[k], 0, read_for_ever, 0);
  pthread_create (&writer, 0, write_for_ever, 0);
  pthread_join (writer, 0);
}
