// A named semaphore opened twice is one semaphore.
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main (void) {
  sem_t *a = sem_open ("/lockstep-a", O_CREAT, 0600, 0);
  sem_t *b = sem_open ("/lockstep-a", 0);
  assert (a != SEM_FAILED && b != SEM_FAILED);
  sem_post (a);
  sem_wait (b);
  sem_close (b);
  sem_close (a);
  assert (sem_unlink ("/lockstep-a") == 0);
  return 0;
}
