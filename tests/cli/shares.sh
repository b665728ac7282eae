# Shares of the time: an engine ends by itself when its share is spent, and says what it knows, and what one property
# leaves the others have.
. "$(dirname "$0")/lib.sh"

# Building the circuit of Daisy takes longer than this.
daisy=$EXAMPLES/daisy
for engine in circuit order boolean locks; do
  for seconds in 1 2; do
    try 5 "$LOCKSTEP" check --engine=$engine --timeout=$seconds --property=deadlock,locks -I"$daisy" \
      "$daisy"/drivers/four.c "$daisy"/*.c
    err_lacks 'was ended'
  done
done
try 5 "$LOCKSTEP" check --engine=circuit --timeout=1 --ltl='G F ended(1)' -I"$daisy" "$daisy"/drivers/four.c \
  "$daisy"/*.c
err_lacks 'was ended'
try 5 "$LOCKSTEP" circuit --timeout=1 -o four.aig -I"$daisy" "$daisy"/drivers/four.c "$daisy"/*.c
is_true 'names the limit' grep -q 'time limit of 1 s' "$out" "$err"

# The bug is out of reach, the other properties are proved at once: the whole time is for the first.
cat >late.c <<END
#include <assert.h>
unsigned char nondet_uchar (void);
int table[4];
int main (void) {
  unsigned steps = 0, state = 1;
  for (;;) {
    unsigned char c = nondet_uchar ();
    if (c % 5 == state % 5) state = (state * 7 + c) % 113, steps++;
    table[state % 4] = steps;
    assert (steps < 2000000 || state != 50);
  }
}
END
for backend in "" --backend=bmc; do
  start=$(date +%s%N)
  "$LOCKSTEP" check --engine=circuit $backend --property=assert,locks,memory,overflow --timeout=3 late.c >"$out" \
    2>"$err"
  what="circuit $backend: shares"
  code=$?
  is_true 'uses its time' test $((($(date +%s%N) - start) / 1000000)) -ge 2400
  out_has '^locks: none (proved)'
  out_has '^assert: \(none within bounds\|unknown (time limit of 3 s\)'
done

# Several properties are looked for at once: all get to the same depth.
cat >several.c <<END
#include <assert.h>
#include <pthread.h>
unsigned char nondet_uchar (void);
int table[8], sum;
void *worker (void *unused) {
  for (;;) {
    unsigned char c = nondet_uchar ();
    if (c < 8) table[c] = c + sum % 5;
  }
  return unused;
}
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  for (unsigned char i = 0;; i++) {
    sum = table[i % 8] + 100 * (sum != 0);
    assert (sum < 120);
  }
}
END
try 11 "$LOCKSTEP" check --engine=circuit --backend=bmc --property=assert,memory,overflow --timeout=6 \
  --json=report.json several.c
json_is "len ({g['message'] for g in j['goals'] if g['id'] != 'overflow'}) == 1 and all ('depth' in g['message'] for g \
  in j['goals'])"
