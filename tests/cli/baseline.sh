# Baselines: written, read, moved code, new findings, exit codes, bad files.
. "$(dirname "$0")/lib.sh"
cp "$EXAMPLES/counter.c" counter.c

try 10 "$LOCKSTEP" check --write-baseline=accepted.txt counter.c
last_line 'VERDICT: BUG$'
is_true 'one line per finding' test "$(grep -c '^[0-9a-f]\{16\} [a-z]*: ' accepted.txt)" -eq 2
try 0 "$LOCKSTEP" check --baseline=accepted.txt --json=report.json counter.c
out_lacks 'data race on'
out_has '^race: none (proved), beside 1 accepted$'
out_has 'findings accepted by the baseline accepted.txt are hidden'
last_line 'VERDICT: SAFE (beside 2 accepted findings)$'
json_is "j['verdict'] == 'safe' and j['baseline']['file'] == 'accepted.txt' and j['baseline']['unmatched'] == 0"
json_is "sorted (a['property'] for a in j['baseline']['accepted']) == ['assert', 'race']"
try 0 "$LOCKSTEP" check -q --baseline=accepted.txt counter.c
is_true 'is one line' test "$(wc -l <"$out")" -eq 1

# The JSON report has the fingerprints of the file.
try 10 "$LOCKSTEP" check --json=report.json counter.c
is_true 'the same fingerprints' python3 -c "
import json
goals = json.load (open ('report.json'))['goals']
lines = [l.split ()[0] for l in open ('accepted.txt') if l[0] != '#']
assert sorted (g['fingerprint'] for g in goals if g['status'] == 'violated') == sorted (lines)"
json_is "j['baseline'] is None"

# Code that moves keeps its fingerprint; code that changes does not.
{ echo '// a new first line'; echo; cat "$EXAMPLES/counter.c"; } >counter.c
try 0 "$LOCKSTEP" check --baseline=accepted.txt counter.c
sed 's/count++;/count += 1;/' "$EXAMPLES/counter.c" >counter.c
try 10 "$LOCKSTEP" check --baseline=accepted.txt counter.c
out_has 'race-1: data race on `count`'
out_has '1 line of the baseline accepted.txt matches nothing that was found'

# A new finding beside accepted ones is the only one that counts; both options may name one file.
cp race.c both.c
try 10 "$LOCKSTEP" check --property=race --write-baseline=accepted.txt both.c
sed 's/x = 2;/x = 2; y = 3;/; s/x = 1;/x = 1; y = 4;/; s/^int x;/int x, y;/' race.c >both.c
cp accepted.txt before.txt
try 10 "$LOCKSTEP" check --property=race --baseline=accepted.txt --write-baseline=accepted.txt both.c
out_has 'data race on `y`'
try 0 "$LOCKSTEP" check --property=race --baseline=accepted.txt both.c
last_line 'VERDICT: SAFE (beside'

# What was left out stays left out: bounds and limits decide the verdict.
cat >bounded.c <<END
#include <pthread.h>
extern int mystery (void);
int x;
void *f (void *a) { x = 1; return a; }
int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); x = mystery (); pthread_join (t, 0); return 0; }
END
try 10 "$LOCKSTEP" check --property=race --write-baseline=accepted.txt bounded.c
try 11 "$LOCKSTEP" check --property=race --baseline=accepted.txt bounded.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (.*mystery.*; beside 1 accepted finding)$'
try 10 "$LOCKSTEP" check --stop-at-first --property=race --write-baseline=accepted.txt race.c
try 5 "$LOCKSTEP" check --stop-at-first --property=race --baseline=accepted.txt race.c

# Possible violations, which the engine `locks` could not exclude.
try 5 "$LOCKSTEP" check --engine=locks --property=race,deadlock --write-baseline=accepted.txt race.c
try 0 "$LOCKSTEP" check --engine=locks --property=race,deadlock --baseline=accepted.txt race.c
try 10 "$LOCKSTEP" check --property=race --baseline=accepted.txt race.c

# Bad files are known before the work starts.
try 1 "$LOCKSTEP" check --baseline=missing.txt race.c
err_has '--baseline: cannot read missing.txt: No such file'
echo 'not a fingerprint' >bad.txt
try 1 "$LOCKSTEP" check --baseline=bad.txt race.c
err_has 'bad.txt is no baseline: line 1: expected a fingerprint'
try 1 "$LOCKSTEP" check --baseline=. race.c
err_has '--baseline: cannot read'
try 1 "$LOCKSTEP" check --write-baseline=no/such/folder race.c
err_has '--write-baseline: cannot write no/such/folder'
try 1 "$LOCKSTEP" check --write-baseline=/dev/full race.c
err_has '/dev/full'
out_has 'VERDICT: BUG'
