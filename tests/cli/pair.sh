# Pairs of places: found and replayed by the search, excluded or left open by the lock analysis.
. "$(dirname "$0")/lib.sh"

# LOCK section 5.1: thread_one and thread_two; c4 and g4 can be reached together, and not if g3 takes a.
cat >two.c <<END
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, \
  c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
int x;
#ifndef AT_C4
#define AT_C4 b
#define AT_C5 a
#endif
static void acq_rel (pthread_mutex_t *m) { pthread_mutex_lock (m); pthread_mutex_unlock (m); }
static void *one (void *arg) {
c1: pthread_mutex_lock (&a);
c2: acq_rel (&c);
c3: pthread_mutex_lock (&b);
c4: pthread_mutex_unlock (&AT_C4);
c5: pthread_mutex_unlock (&AT_C5);
  return arg;
}
static void *two (void *arg) {
g1: pthread_mutex_lock (&c);
g2: pthread_mutex_lock (&d);
g3: acq_rel (&AT_G3);
g4: pthread_mutex_unlock (&d);
  x = 1;
  return arg;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  x = 2;
main1: pthread_join (t, 0);
  return 0;
}
END
check () { code=$1; shift; try "$code" "$LOCKSTEP" check --json=report.json "$@" two.c; }

check 10 --engine=explicit --reach-pair=c4,g4 -DAT_G3=b
out_has 'pair-1: thread 1 at `c4` (two.c:13), while thread 2 at `g4` (two.c:21)'
out_has 'reach-pair: 1 found'
out_lacks 'race on'
last_line 'VERDICT: BUG'
json_is "[g['id'] for g in j['goals']] == ['pair-1']"
try 10 "$LOCKSTEP" replay report.json
out_has 'replayed: the violation is confirmed'
check 5 --engine=locks --reach-pair=c4,g4 -DAT_G3=b
last_line 'VERDICT: UNKNOWN (locks, all of them nested, do not exclude it)'
check 5 --engine=locks --reach-pair=c4,g4 -DAT_G3=b -DAT_C4=a -DAT_C5=b
last_line 'VERDICT: UNKNOWN (locks do not exclude it, but they are not nested (two.c:13)'

for engine in explicit locks; do
  check 0 --engine=$engine --reach-pair=c4,g4 -DAT_G3=a
  out_has 'reach-pair: none (proved)'
  check 0 --engine=$engine --reach-pair=c4,c4 -DAT_G3=a
  check 0 --engine=$engine --reach-pair=one:c4,two.c:12 -DAT_G3=a
done
check 10 --engine=explicit --reach-pair=one:c3,two.c:20 -DAT_G3=a
check 10 --engine=explicit --reach-pair=11,main1 -DAT_G3=a

check 1 --reach-pair=c4,h4 -DAT_G3=a
err_has 'there is no label `h4`'
check 1 --reach-pair=c4,3 -DAT_G3=a
err_has 'nothing is executed at line `3`'
check 1 --reach-pair=c4 -DAT_G3=a
err_has 'two places'
check 1 --reach-pair=c4,c4 --ltl='A true' -DAT_G3=a
err_has 'two questions'
