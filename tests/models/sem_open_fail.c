// One that was never created cannot be opened.
#include <assert.h>
#include <semaphore.h>

int main (void) {
  assert (sem_open ("/lockstep-none", 0) != SEM_FAILED);
  return 0;
}
