// A buffer with one place, a producer of two items and two consumers of one each.  A consumer that was woken does not
// look again whether there is an item (`if` where `while` belongs): the other consumer may have taken it meanwhile.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int items = 0;

void *producer (void *unused)
{
  (void) unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock (&m);
    while (items == 1) pthread_cond_wait (&not_full, &m);
    items++;
    pthread_cond_signal (&not_empty);
    pthread_mutex_unlock (&m);
  }
  return NULL;
}

void *consumer (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  if (items == 0) pthread_cond_wait (&not_empty, &m);
  assert (items > 0);
  items--;
  pthread_cond_signal (&not_full);
  pthread_mutex_unlock (&m);
  return NULL;
}

int main (void)
{
  pthread_t p, c1, c2;
  pthread_create (&p, NULL, producer, NULL);
  pthread_create (&c1, NULL, consumer, NULL);
  pthread_create (&c2, NULL, consumer, NULL);
  pthread_join (p, NULL);
  pthread_join (c1, NULL);
  pthread_join (c2, NULL);
  return 0;
}
