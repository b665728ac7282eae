# More memory objects than pointers of 32 bits can name.  The interpreter cannot hold them, and the engines' own numbers
# end: neither is an internal error, and what was found before stays.
. "$(dirname "$0")/lib.sh"

cat >many.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *p[2000], g;
static void *f (void *a) { g = 1; return a; }
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, f, 0);
  g = 2;
  for (int i = 0; i < 2000; i++) p[i] = malloc (4);
  assert (0);
}
END
for engine in explicit auto; do
  try 10 "$LOCKSTEP" check -m32 --engine=$engine --timeout=20 many.c
  err_lacks 'internal error'
  out_lacks 'internal error'
done
try 11 "$LOCKSTEP" check -m32 --engine=explicit --property=assert --timeout=20 many.c
out_has 'too many memory objects for the pointers'
try 5 "$LOCKSTEP" check -m32 --engine=order --property=assert --unwind=2001 --timeout=40 many.c
out_has 'too many memory objects for the pointers'
out_lacks 'internal error'
try 10 "$LOCKSTEP" check --engine=explicit --property=assert --timeout=20 many.c
