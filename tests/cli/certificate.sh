# Certificates: written, checked, and refused when they prove nothing; invariants in the report.
. "$(dirname "$0")/lib.sh"

cp "$EXAMPLES/counter-fixed.c" "$ROOT/tests/engines/taken_in_turn.c" .
check () { try "$1" "$LOCKSTEP" circuit --check-certificate="$2"; }

# Clauses of IC3, formulas of decision diagrams, depths of k-induction.
for backend in ic3 bdd; do
  try 0 "$LOCKSTEP" check --engine=circuit --backend=$backend --property=locks,race --certificate=$backend.txt \
    counter-fixed.c
  check 0 $backend.txt
  out_has '^locks: excluded by an invariant of'
  last_line 'VERDICT: SAFE'
done
is_true 'a formula' grep -q '^holds' bdd.txt
try 0 "$LOCKSTEP" check --engine=circuit --property=assert --certificate=turn.txt --json=report.json taken_in_turn.c
out_has 'invariant for assert: always: level is 0 to 3'
json_is '"invariant for assert: always: level is 0 to 3" in j["notes"]'
check 0 turn.txt

cat >turn.c <<END
#include <pthread.h>
#include <stdatomic.h>
atomic_int turn;
int inside;
void *worker (void *unused)
{
  while (turn != 1) {}
  inside++;
  turn = 0;
  return unused;
}
int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  turn = 1;
  while (turn != 0) {}
  inside++;
  return 0;
}
END
try 0 "$LOCKSTEP" check --engine=circuit --backend=induction --property=race --timeout=30 --certificate=steps.txt turn.c
is_true 'several steps' grep -q '^depth [2-9]' steps.txt
check 0 steps.txt
out_has '^race: excluded by induction over [2-9] steps'
sed 's/^depth.*/depth 1/' steps.txt >step.txt
check 1 step.txt

# No deadlock, but no peace either: that is not proved.
try 5 "$LOCKSTEP" check --engine=circuit --property=deadlock,race --timeout=30 --certificate=busy.txt turn.c
check 5 busy.txt
out_has 'wait busily'

# Less than the invariant proves nothing, nor does more; and what is missing is not proved.
grep -v '^clause.*started' ic3.txt >less.txt
check 1 less.txt
out_has '^locks: the invariant proves nothing'
last_line 'VERDICT: UNKNOWN'
sed '/^depth/a clause main pc[1]' ic3.txt >more.txt
check 1 more.txt
sed '/^proof/,$d' ic3.txt >none.txt
check 5 none.txt
out_has '^locks: there is no proof'
sed 's/^clause !/clause !no such /' ic3.txt >name.txt
check 1 name.txt
err_has 'the circuit has no latch `no such'
sed '/^end/d' ic3.txt >open.txt
check 1 open.txt
err_has 'before the `end`\|expected depth, clause'
sed 's/^proof locks/proof memory/' ic3.txt >other.txt
check 1 other.txt
out_has 'memory: was not requested'
echo nonsense >nonsense.txt
check 1 nonsense.txt
err_has 'no certificate'
check 1 nosuch.txt
err_has 'No such file'
try 1 "$LOCKSTEP" circuit --check-certificate=ic3.txt counter-fixed.c
err_has 'needs no files'
for option in --plain --property=race --max-threads=1 --no-spurious-wakeups --force --entry=main -p=. -DX; do
  try 1 "$LOCKSTEP" circuit --check-certificate=ic3.txt $option
  name=$(printf '%s' "$option" | sed 's/=.*//; s/-no//; s/X//')
  err_has "$name has no meaning with --check-certificate"
done
try 1 "$LOCKSTEP" circuit --check-certificate=ic3.txt -- -fwrapv
err_has 'flags for clang have no meaning with --check-certificate: -fwrapv'
sed -i 's/count++/count += 2/' counter-fixed.c
check 1 ic3.txt
err_has 'the source has changed'

# What cannot be by its form needs no invariant.
try 0 "$LOCKSTEP" check --engine=circuit --property=assert --certificate=form.txt safe.c
check 0 form.txt
out_has 'assert: cannot be, by the form of the circuit'

# Without a proof there is nothing to write, and what cannot be written is said first.
try 10 "$LOCKSTEP" check --engine=circuit --property=race --certificate=new.txt "$EXAMPLES/counter.c"
err_has 'new.txt is not written'
is_true 'no file' test ! -e new.txt
try 1 "$LOCKSTEP" check --engine=circuit --certificate=nowhere/new.txt safe.c
err_has 'cannot write nowhere/new.txt'
