// A procedure that does nothing but take the lock it is given, called from two places.  The encodings lazy and eager let a thread return from it whether it
// got the lock or not, and found races that do not replay.
#include <pthread.h>

static pthread_mutex_t table[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;

static void acquire (pthread_mutex_t *lock) { pthread_mutex_lock (lock); }

static void *count (void *number) {
  int n = *(int *) number;
  acquire (&table[n]);
  x++;
  pthread_mutex_unlock (&table[n]);
  acquire (&table[n + 1]);
  pthread_mutex_unlock (&table[n + 1]);
  return NULL;
}

int main (void) {
  pthread_t a, b;
  int numbers[] = {0, 0};
  pthread_create (&a, NULL, count, &numbers[0]);
  pthread_create (&b, NULL, count, &numbers[1]);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
