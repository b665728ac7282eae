# Reasons for UNKNOWN: the construct that is not supported comes first, with file and line, whichever engine has met it;
# and what engine `locks` calls possible misuse is listed by `auto` as long as no search has confirmed or refuted it.
. "$(dirname "$0")/lib.sh"

cat >asm.c <<'E'
#include <assert.h>
#include <pthread.h>
int x;
void *f (void *a) { x++; return a; }
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, f, 0);
  __asm__ volatile ("cpuid");
  pthread_join (t, 0);
  assert (x == 1);
  return 0;
}
E
for engine in auto explicit order lazy circuit boolean random; do
  try 5 "$LOCKSTEP" check --engine=$engine --property=assert --timeout=20 asm.c
  last_line 'VERDICT: UNKNOWN (asm.c:8: unsupported: inline assembly "cpuid")$'
done
try 5 "$LOCKSTEP" run asm.c
err_has 'asm.c:8: unsupported: inline assembly "cpuid"'

# In a library function: where the program calls it.
cat >robust.c <<'E'
#include <pthread.h>
int main (void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init (&a);
  pthread_mutexattr_setrobust (&a, PTHREAD_MUTEX_ROBUST);
  return 0;
}
E
for engine in explicit order random; do
  try 5 "$LOCKSTEP" check --engine=$engine --property=assert robust.c
  last_line 'VERDICT: UNKNOWN (robust.c:5: unsupported: robust mutex)$'
done

# The search that met the construct ran out of time, and so did all others.
cat >long.c <<'E'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint x[6];
void *f (void *a) {
  for (;;) assert (x[(long) a]++ + x[0] != 4000000001u);
  return a;
}
int main (void) {
  pthread_t t;
  for (long i = 0; i < 6; i++) pthread_create (&t, 0, f, (void *) i);
  if (x[0] == 1) __asm__ volatile ("cpuid");
  pthread_exit (0);
}
E
try 5 "$LOCKSTEP" check --engine=explicit --property=assert --timeout=3 long.c
last_line 'VERDICT: UNKNOWN (long.c:12: unsupported: inline assembly "cpuid")$'
out_has 'the search ended early: time limit of 3 s'
# Nothing within bounds, or nothing at all, as the machine is fast: the construct is named in any case.
what='check --timeout=5 long.c'
"$LOCKSTEP" check --property=assert --timeout=5 long.c >"$out" 2>"$err"
code=$?
out_has 'long.c:12: unsupported: inline assembly "cpuid"'
out_lacks 'time limit of [0-9]*[.]'  # workers name the limit that the user gave, not theirs

# Possible misuse of locks: listed, unless it is refuted.
cat >misuse.c <<'E'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int taken;
void *f (void *a) {
  if (taken) pthread_mutex_lock (&m);
#ifdef OPEN
  __asm__ volatile ("cpuid");
#endif
  if (taken * taken + taken) pthread_mutex_unlock (&m);
  return a;
}
int main (void) {
  pthread_t t;
  taken = 1;
  pthread_create (&t, 0, f, 0);
  pthread_join (t, 0);
  return 0;
}
E
try 5 "$LOCKSTEP" check --property=locks --timeout=20 -DOPEN misuse.c
out_has 'possible-locks-1: unlock of `m`, which may not be held: misuse.c:9'
last_line 'VERDICT: UNKNOWN (misuse.c:7: unsupported: inline assembly "cpuid")$'
try 0 "$LOCKSTEP" check --property=locks misuse.c
out_lacks 'possible'

# After a bug, the report says why the search ended early, although the violated property is another one than the one
# that is known within bounds only.  A property that the engine never checks gives no such reason.
cat >more.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f (void *a) {
  for (;;) {
    pthread_mutex_lock (&m);
    x = !x;
    pthread_mutex_unlock (&m);
  }
  return a;
}
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, f, 0);
  pthread_mutex_lock (&m);
  assert (!x);
  pthread_mutex_unlock (&m);
  pthread_join (t, 0);
  return 0;
}
C
try 10 "$LOCKSTEP" check --engine=boolean --json=report.json more.c
out_has '^deadlock: unknown (not decided by engine boolean)$'
out_has '^There may be more bugs; the search ended early: not decided by engine boolean$'
json_is 'j["reason"] == "not decided by engine boolean"'
try 10 "$LOCKSTEP" check --engine=lazy --property=assert,deadlock more.c
out_lacks 'ended early: engine lazy does not check deadlock'
