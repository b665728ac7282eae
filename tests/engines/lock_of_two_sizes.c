// A lock made of an atomic variable.  With BYTE one thread looks at its first byte only, which the other leaves 0; with PAIR one thread takes and gives back two such locks at
// once, also the one that another holds.
#include <pthread.h>
#include <stdint.h>

static union {
  uint64_t both;
  uint32_t one[2];
} lock;
static int data;

static void take (uint32_t *l) {
  for (uint32_t free = 0; !__atomic_compare_exchange_n (l, &free, 256, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);) free = 0;
}

static void *use (void *unused) {
  take (&lock.one[1]);
  data++;
  __atomic_store_n (&lock.one[1], 0, __ATOMIC_SEQ_CST);
  return unused;
}

static void *use_otherwise (void *unused) {
#ifdef BYTE
  uint8_t free = 0, *first = (uint8_t *) &lock.one[1];
  if (!__atomic_compare_exchange_n (first, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return unused;
  data++;
  __atomic_store_n (first, 0, __ATOMIC_SEQ_CST);
#elif defined PAIR
  uint64_t free = 0;
  if (!__atomic_compare_exchange_n (&lock.both, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return unused;
  __atomic_store_n (&lock.both, 0, __ATOMIC_SEQ_CST);
#else
  use (unused);
#endif
  return unused;
}

int main (void) {
  pthread_t one, two, three;
  pthread_create (&one, NULL, use, NULL);
  pthread_create (&two, NULL, use, NULL);
  pthread_create (&three, NULL, use_otherwise, NULL);
  return 0;
}
