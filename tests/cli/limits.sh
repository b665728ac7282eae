# Limits of what is analysed (docs/limits.md): a program per engine that meets one, and the report names it.
. "$(dirname "$0")/lib.sh"

# repeat N TEXT: the text N times, with the number in place of @
repeat () { seq 1 "$1" | while read -r k; do printf '%s\n' "$2" | sed "s/@/$k/g"; done; }
names () { out_has "^limits that were met (docs/limits.md):"; out_has "^  - $1: at most $2[;]"; }

cat >deep.c <<END
int f (int n) { return n ? 1 + f (n - 1) : 0; }
int main (void) { return f (6000) == 1; }
END
try 11 "$LOCKSTEP" check --engine=explicit deep.c
names 'explicit search' '5000 calls inside one another'
last_line 'VERDICT: NO BUG WITHIN BOUNDS (recursion deeper than 5000 calls)'
try 11 "$LOCKSTEP" check --engine=circuit --property=race,assert deep.c
names 'finite-state machines' '3 calls of one procedure inside one another'
# What a worker of auto meets is known to its parent.
try 11 "$LOCKSTEP" check --json=report.json deep.c
json_is "[l['value'] for l in j['limits'] if l['name'] == 'EXPLICIT_CALLS'] == [5000]"
json_is "all (l['part'] and l['counted'] and l['beyond'] for l in j['limits'])"

{
  echo '#include <pthread.h>'
  echo 'int g;'
  echo 'static void *f (void *x) { __atomic_add_fetch (&g, 1, 5); return x; }'
  echo 'int main (void) { pthread_t t;'
  repeat 40 'pthread_create (&t, 0, f, 0);'
  echo 'return 0; }'
} >threads.c
try 5 "$LOCKSTEP" check --engine=circuit --timeout=5 threads.c
names 'finite-state machines' '32 threads'
# Where an answer is whole, a limit had no part in it, and is named only if asked for.
try 0 "$LOCKSTEP" check --engine=auto threads.c
out_lacks 'limits that were met'

{
  echo '#include <pthread.h>'
  repeat 40 'static pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER;'
  echo 'int g;'
  echo 'static void *f (void *x) {'
  repeat 40 'pthread_mutex_lock (&m@);'
  echo 'g++;'
  repeat 40 'pthread_mutex_unlock (&m@);'
  echo 'return x; }'
  echo 'int main (void) { pthread_t a, b; pthread_create (&a, 0, f, 0); pthread_create (&b, 0, f, 0); return 0; }'
} >held.c
try 5 "$LOCKSTEP" check --engine=locks --json=report.json --html=report.html held.c
names 'lock analysis' '32 locks that a thread holds at once'
json_is "'LOCKS_HELD' in [l['name'] for l in j['limits']]"
has report.html 'Limits that were met'
has report.html '32 locks that a thread holds at once'

{
  echo 'int n;'
  echo 'int main (void) { int s = 0;'
  repeat 18 'for (int i@ = 0; i@ < n; i@++)'
  echo 's += n;'
  echo 'return s; }'
} >loops.c
try 5 "$LOCKSTEP" check --engine=order loops.c
names 'order encoding' '16 loops inside one another'

cat >index.c <<END
#include <pthread.h>
char a[5000];
extern int nondet_int (void);
static void *f (void *x) { int i = nondet_int (); if (i >= 0 && i < 5000) a[i]++; return x; }
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, f, 0);
  int i = nondet_int ();
  if (i >= 0 && i < 5000) a[i] = 2;
  return 0;
}
END
for engine in boolean circuit; do
  try 5 "$LOCKSTEP" check --engine=$engine --property=assert index.c
  names 'finite-state machines' '4096 places that one access with an index may mean'
done

# What is refused names its limit, too.
formula=$(printf '%0250d' 0 | sed 's/0/!(/g')true$(printf '%0250d' 0 | sed 's/0/)/g')
try 1 "$LOCKSTEP" check --ltl="$formula" safe.c
err_has 'nested too deeply'
{
  echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )'
  repeat 3000 'this line is not one of a property file @'
} >long.prp
try 1 "$LOCKSTEP" check --property=long.prp safe.c
err_has 'long.prp: more than 65536 characters besides comments'
