// A return forgets the lock.  Nobody takes the lock again, so nothing goes wrong here; the lock report says it all the same.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static int
add (int x)
{
  pthread_mutex_lock (&m);
  if (count + x > 9)
    return -1;
  count += x;
  pthread_mutex_unlock (&m);
  return 0;
}

int
main (void)
{
  return add (10) == 0;
}
