// Three philosophers, three forks; each takes the fork on the left, then the one on the right.  When all hold their
// left fork, each waits for a neighbour for ever.
#include <pthread.h>

#define N 3

pthread_mutex_t fork_lock[N];
int meals[N];

void *philosopher (void *argument)
{
  int seat = (int) (long) argument;
  pthread_mutex_t *left = &fork_lock[seat], *right = &fork_lock[(seat + 1) % N];
  pthread_mutex_lock (left);
  pthread_mutex_lock (right);
  meals[seat]++;
  pthread_mutex_unlock (right);
  pthread_mutex_unlock (left);
  return NULL;
}

int main (void)
{
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_mutex_init (&fork_lock[i], NULL);
  for (long i = 0; i < N; i++) pthread_create (&thread[i], NULL, philosopher, (void *) i);
  for (int i = 0; i < N; i++) pthread_join (thread[i], NULL);
  return 0;
}
