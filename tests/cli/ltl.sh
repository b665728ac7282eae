# Temporal properties: proofs, possible runs, refutations, and formulas that are none.
. "$(dirname "$0")/lib.sh"

cat >two.c <<END
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void enter (pthread_mutex_t *p) { pthread_mutex_lock (p); }
static void *good (void *arg) {
  enter (&m);
  for (int i = 0; i < 10; i++) x++;
  pthread_mutex_unlock (&m);
  return arg;
}
static void *bad (void *arg) {
  enter (&m);
  if (x == 5) return NULL;
  pthread_mutex_unlock (&m);
  return arg;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, good, 0);
  pthread_create (&u, 0, bad, 0);
  return 0;
}
END
check () { code=$1; shift; try "$code" "$LOCKSTEP" check --json=report.json "$@" two.c; }

check 5 --ltl='A G(acquired(m) -> F released(m))'
json_is "[g['id'] for g in j['goals']] == ['ltl-1'] and 'starts in bad' in j['goals'][0]['message']"
json_is "[l['line'] for l in j['goals'][0]['locations']] == [12, 4, 13, 16]"
last_line 'VERDICT: UNKNOWN (possible counterexample'
check 0 --engine=locks --ltl='thread(good): A G(acquired(m) -> F released(m))'
last_line 'VERDICT: SAFE'
check 0 --ltl='thread(main): A G !acquired(m)'
check 0 --ltl='A G(at(two.c:7) -> holds(m))'
check 10 --ltl='thread(main): E F acquired(m)'
check 5 --ltl='E F(at(14) && holds(m))'
last_line 'VERDICT: UNKNOWN (possible witness'

check 1 --ltl='A X acquired(m)'
err_has 'LTL.X'
err_has '^      ^$'
check 1 --ltl='G acquired(m)'
err_has 'path quantifier'
check 1 --engine=explicit --ltl='A true'
err_has 'engine `locks`'
check 5 --ltl='A F acquired(n)'
err_has 'no lock operation of the program is on `n`'
