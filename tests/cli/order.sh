# Options of the engine order: which solver answers, how often loops are unwound, how many context switches there are,
# and what is said meanwhile.
. "$(dirname "$0")/lib.sh"

order () {
  wanted=$1
  shift
  try "$wanted" "$LOCKSTEP" check --engine=order -q "$@"
}

# Each solver, and both at once, gives the same answers.
for solver in cadical z3 both; do
  order 10 --solver=$solver "$EXAMPLES/counter.c"
  out_has '^race-1: data race on `count`'
  order 0 --solver=$solver "$EXAMPLES/counter-fixed.c"
  order 10 --solver=$solver --property=deadlock "$EXAMPLES/philosophers.c"
done
order 1 --solver=minisat safe.c
err_has 'cadical|z3'
order 1 --encoding=lazy safe.c
err_has '--encoding has no meaning for engine order (it is for lazy)'

# Without an answer to any question nothing is known, however little was unwound.
cat >hard.c <<END
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong (void);
int main (void) {
  unsigned long a = __VERIFIER_nondet_ulong (), b = __VERIFIER_nondet_ulong (), n = __VERIFIER_nondet_ulong (), sum = 0;
  for (unsigned long i = 0; i < n; i++) sum += i;
  __uint128_t product = (__uint128_t) a * b;
  assert (a < 3 || b < 3 || b > a || product != 0x9E3779B97F4A7C15ul * (__uint128_t) 0xC2B2AE3D27D4EB4Ful);
  return (int) sum;
}
END
try 5 "$LOCKSTEP" check --engine=order --property=assert --timeout=3 -v hard.c
last_line 'VERDICT: UNKNOWN (time limit'
err_has 'unwind 1, 0 events, [0-9]* clauses, 1 goals open, 0 bugs, [0-9] s left'

# Any number of 32 bits: the number of threads that goes with it is no smaller.
for many in 128 1073741823 4294967295; do order 10 --property=race --unwind=$many "$EXAMPLES/counter.c"; done

# --unwindset: the third round of one loop, the recursion of one function.
cat >loops.c <<END
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint (void);
unsigned down (unsigned n) { return n ? 1 + down (n - 1) : 0; }
int main (void) {
  unsigned n = __VERIFIER_nondet_uint (), i = 0, k = 0;
  while (i < n)
    i++;
  while (k < n)
    k++;
#ifdef DEEP
  assert (down (n) != 3);
#else
  assert (i != 3 || k != 3);
#endif
  return 0;
}
END
order 11 --property=assert --unwindset=main:6:1,main:8:9 loops.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (unwindset main:6:1,main:8:9)'
order 10 --property=assert --unwindset=main:6:3,main:8:3 loops.c
order 11 --property=assert --unwind=1 --unwindset=main:6:3 loops.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (unwind 1, unwindset main:6:3)'
order 10 --property=assert --unwind=1 --unwindset=main:3 loops.c
order 11 --property=assert -DDEEP --unwindset=main:9,down:2 loops.c
order 10 --property=assert -DDEEP --unwindset=main:9,down:3 loops.c
for list in main main:x main:6: main:7:1 man:3 main:3,,down:1; do
  order 1 --unwindset=$list loops.c
  err_has '--unwindset: .*the loops are main:6, main:8$'
done
try 1 "$LOCKSTEP" check --unwindset=man:3 loops.c
err_has 'no function `man`'

# --context-bound: thread 1 runs between two moments of thread 0; with FOUR it has to do so twice.
cat >switches.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *f (void *a) { x = 1; x = 2; return a; }
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, f, 0);
#ifdef FOUR
  if (x == 1) assert (x != 2);
#else
  assert (x != 1);
#endif
  pthread_join (t, 0);
  return 0;
}
END
order 11 --property=assert --context-bound=1 switches.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (context bound 1)'
order 10 --property=assert --context-bound=2 switches.c
order 11 --property=assert --context-bound=3 -DFOUR switches.c
order 10 --property=assert --context-bound=4 -DFOUR --json=report.json switches.c
json_is "len (j['goals'][0]['schedule']['parts']) == 5"
order 0 --property=race --context-bound=20 switches.c
order 11 --property=race --context-bound=2 switches.c
order 11 --property=deadlock --context-bound=2 "$EXAMPLES/lost-wakeup.c"
order 10 --property=deadlock --context-bound=3 "$EXAMPLES/lost-wakeup.c"
order 11 --property=deadlock --context-bound=2 "$EXAMPLES/philosophers.c"
order 10 --property=deadlock --context-bound=3 "$EXAMPLES/philosophers.c"
