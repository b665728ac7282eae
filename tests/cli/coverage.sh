# What executions came to, and no SAFE for a program whose threads no execution creates.
. "$(dirname "$0")/lib.sh"

cat >early.c <<'END'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f (void *a) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_unlock (&m);
  return a;
}
int main (int argc, char **argv) {
  pthread_t t;
  (void) argv;
  if (argc < 2) return 1;
  pthread_create (&t, 0, f, 0);
  pthread_join (t, 0);
  return 0;
}
END
try 10 "$LOCKSTEP" check --property=locks early.c
out_has 'reached: 1 of 1 thread function, 1 of 1 access of shared memory, 3 of 3 lock operations'
for engine in auto explicit order circuit; do
  try 11 "$LOCKSTEP" check --engine=$engine --args "" --property=locks early.c
  missing='no execution that creates a thread was found: the creation at early.c:13 was never reached'
  last_line "VERDICT: NO BUG WITHIN BOUNDS ($missing)"
done
try 11 "$LOCKSTEP" check --engine=locks --args "" --property=race --json=early.json --html=early.html early.c
out_has 'reached: 0 of 1 thread function (not: f), 0 of 1 access of shared memory, 0 of 3 lock operations'
has early.json '"reached": {"threads":{"reached":0,"all":1,"not":\["f"\]}'
has early.json '"status": "bounded"'
has early.html '0 of 1 thread function (not: f)'

# That no input creates a thread can be proved.
cat >never.c <<'END'
#include <pthread.h>
int zero, x;
void *f (void *a) { x++; return a; }
int main (int argc, char **argv) {
  pthread_t t;
  (void) argv;
  if (argc < 1 || zero) pthread_create (&t, 0, f, 0), x++;
  return 0;
}
END
try 0 "$LOCKSTEP" check never.c
out_has 'no execution creates a thread, whatever the input (proved): the creation at never.c:7 is never reached'
out_has 'no known execution reaches the thread function `f`'
try 11 "$LOCKSTEP" check --args "" never.c

# A model that creates the thread counts; so does one that only a long way leads to.
cat >late.c <<'END'
#include <pthread.h>
#include <threads.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint (void);
int x;
int f (void *a) { x++; (void) a; return 0; }
void *g (void *a) { assert (x < 3); return a; }
int main (void) {
  thrd_t t;
  pthread_t u;
  if (__VERIFIER_nondet_uint () != 123456789) return 0;
  thrd_create (&t, f, 0);
  thrd_join (t, 0);
  if (x == 2) pthread_create (&u, 0, g, 0);
  return 0;
}
END
for engine in auto explicit order; do
  try 0 "$LOCKSTEP" check --engine=$engine --property=race,assert late.c
  out_has 'reached: 1 of 2 thread functions (not: g), 0 of 1 assertion, 3 of 4 accesses of shared memory'
  out_has 'no known execution reaches the thread function `g`'
  out_has 'no known execution reaches the assertion at late.c:7'
done

# Where there is nothing to reach nothing is said.
try 0 "$LOCKSTEP" check safe.c
out_lacks 'reached'
