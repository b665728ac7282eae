// sem_getvalue tells how many units are left.
#include <assert.h>
#include <semaphore.h>

int main (void) {
  sem_t s;
  int value;
  sem_init (&s, 0, 3);
  sem_wait (&s);
  sem_getvalue (&s, &value);
  assert (value == 2);
  return 0;
}
