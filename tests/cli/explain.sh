# --explain, and the order of the text report.
. "$(dirname "$0")/lib.sh"

try 10 "$LOCKSTEP" check --explain "$EXAMPLES/counter.c"
out_has '  why: `count` is 1 here, written at .*counter.c:10 (step [0-9]*)'
out_has '^  fix: hold one mutex at all accesses of `count`'
last_line 'VERDICT: BUG$'
line_of () { grep -n "^$1:" "$out" | cut -d: -f1; }
is_true 'the assertion comes before the race' test "$(line_of assert-1)" -lt "$(line_of race-1)"
try 10 "$LOCKSTEP" check "$EXAMPLES/counter.c"
out_lacks 'why:'
try 10 "$LOCKSTEP" check -q --explain "$EXAMPLES/counter.c"
out_lacks 'why:'

# One place of three forgets the lock.
cat >forgotten.c <<END
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;
void *worker (void *a) {
  pthread_mutex_lock (&m);
  count++;
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  count += 2;
  pthread_mutex_unlock (&m);
  return a;
}
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  count = 7;
  pthread_join (t, 0);
  return 0;
}
END
for engine in auto locks; do
  "$LOCKSTEP" check --property=race --engine=$engine --explain forgotten.c | tr -s '\n ' ' ' >"$work/flat"
  what="--engine=$engine --explain forgotten.c"
  is_true 'counts the places' \
    grep -q '`count` is protected by `m` at 2 of 3 places; not at forgotten.c:16 (write in main)' "$work/flat"
  is_true 'names the place to change' grep -q 'fix: use `m` also at forgotten.c:16' "$work/flat"
done
# Without the lock analysis it is known only from the interleavings, and said so.
"$LOCKSTEP" check --property=race --engine=explicit --explain forgotten.c | tr -s '\n ' ' ' >"$work/flat"
what='--engine=explicit --explain forgotten.c'
is_true 'says where it knows it from' grep -q 'places in the interleavings of this report; not at forgotten.c:16' \
  "$work/flat"

# Several races of one variable: one heading, one interleaving.
try 10 "$LOCKSTEP" check --property=race forgotten.c
out_has '^`count`: [0-9]* races$'
out_has 'like the one before'
try 10 "$LOCKSTEP" check --property=race --full-trace forgotten.c
out_lacks 'like the one before'

try 10 "$LOCKSTEP" check --explain --property=deadlock "$EXAMPLES/philosophers.c"
out_has 'why: The order of taking goes in a circle'
out_has '`fork_lock\[0\]` before `fork_lock\[1\]`'
try 10 "$LOCKSTEP" check --explain --property=deadlock "$EXAMPLES/lost-wakeup.c"
out_has 'why: The wake-up is lost: `ready` was signalled'
out_has 'fix: read `done` while holding `m`'
try 10 "$LOCKSTEP" check --explain --json=report.json "$EXAMPLES/use-after-free.c"
out_has '^`r->id`: 1 memory error, 1 race$'
out_has 'why: Thread 0 freed the object'
try 10 "$LOCKSTEP" replay --explain --goal=memory-1 report.json
out_has 'why: Thread 0 freed the object'
try 10 "$LOCKSTEP" check --explain --property=assert "$EXAMPLES/buffer.c"
out_has 'put the wait at .* into a loop that tests its condition'
try 10 "$LOCKSTEP" check --explain --no-spurious-wakeups --property=assert "$EXAMPLES/buffer.c"
out_has 'fix: test the condition again after the wait'
