// A try at an empty semaphore fails with EAGAIN in errno.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main (void) {
  sem_t s;
  sem_init (&s, 0, 1);
  assert (sem_trywait (&s) == 0);
  assert (sem_trywait (&s) == -1);
  assert (errno == EAGAIN);
  return 0;
}
