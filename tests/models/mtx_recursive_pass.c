// A recursive mtx_t may be taken again.
#include <threads.h>

int main (void) {
  mtx_t m;
  mtx_init (&m, mtx_plain | mtx_recursive);
  mtx_lock (&m);
  mtx_lock (&m);
  mtx_unlock (&m);
  mtx_unlock (&m);
  mtx_destroy (&m);
  return 0;
}
