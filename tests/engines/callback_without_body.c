// Functions without a body may call the functions that they are handed.
#include <pthread.h>

extern void soon (void (*) (void));
extern int each (int, void *(*) (void *), void *);
static int count;

static void reset (void) { count = 0; }

static void *add (void *to) {
  ++*(int *) to;
  return to;
}

static void *work (void *unused) {
  count++;
  return unused;
}

int main (void) {
  pthread_t thread;
  int mine = 0;
  pthread_create (&thread, NULL, work, NULL);
#ifdef SOON
  soon (reset);
#elif defined EACH
  each (3, add, &count);
#elif defined MINE
  each (3, add, &mine);
#endif
  pthread_join (thread, NULL);
  return mine;
}
