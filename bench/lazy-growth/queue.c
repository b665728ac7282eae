// A queue of length N: one thread puts N values in, whatever they are, the other takes out what is there.  It comes out
// as it went in.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint (void);

unsigned given[N], cell[N], head, tail;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *put (void *unused)
{
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock (&m);
    cell[tail++] = given[i];
    pthread_mutex_unlock (&m);
  }
  return unused;
}

void *take (void *unused)
{
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock (&m);
    if (head < tail) {
      assert (cell[head] == given[head]);
      head++;
    }
    pthread_mutex_unlock (&m);
  }
  return unused;
}

int main (void)
{
  pthread_t a, b;
  for (int i = 0; i < N; i++) given[i] = __VERIFIER_nondet_uint ();
  pthread_create (&a, 0, put, 0);
  pthread_create (&b, 0, take, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
  return 0;
}
