# Options: wrong ones are named, the right ones work, and the exit codes are those of `lockstep help`.
. "$(dirname "$0")/lib.sh"

try 1 "$LOCKSTEP"
err_has '[Uu]sage'
try 1 "$LOCKSTEP" chekc safe.c
err_has 'chekc'
try 1 "$LOCKSTEP" check
err_has 'error'
try 1 "$LOCKSTEP" check --no-such-option safe.c
err_has 'no-such-option'
try 1 "$LOCKSTEP" check -Z safe.c
err_has 'Z'
try 1 "$LOCKSTEP" check --property=nonsense safe.c
err_has 'nonsense'
try 1 "$LOCKSTEP" check --property=ltl safe.c
err_has 'unknown property `ltl`'
try 1 "$LOCKSTEP" check --property= safe.c
try 1 "$LOCKSTEP" check --engine=steam safe.c
err_has 'steam'
try 1 "$LOCKSTEP" check --reduction=magic safe.c
err_has 'magic'
try 1 "$LOCKSTEP" check --search=sideways safe.c
err_has 'sideways'
try 1 "$LOCKSTEP" check --data-model=ILP64 safe.c
err_has 'ILP64'
for value in '' abc -3 5x 1e 30sec; do
  try 1 "$LOCKSTEP" check "--timeout=$value" safe.c
  err_has 'timeout'
done
for value in '' lots -1 4Q; do
  try 1 "$LOCKSTEP" check "--memory=$value" safe.c
  err_has 'memory'
done
for value in '' x -1 0 1000; do
  try 1 "$LOCKSTEP" check "--max-threads=$value" race.c
  err_has 'max-threads'
done
try 1 "$LOCKSTEP" check --depth=deep safe.c
err_has 'depth'
for value in '' x 0; do
  try 1 "$LOCKSTEP" check "-j$value" safe.c
  err_has '-j'
done
try 1 "$LOCKSTEP" check --bitstate=much safe.c
err_has 'bitstate'
for option in --depth=5 --search=bfs --reduction=transactions --reduction=left-movers; do
  try 1 "$LOCKSTEP" check --bitstate $option safe.c
  err_has 'does not go with'
done
try 1 "$LOCKSTEP" run --seed=x safe.c
err_has 'seed'

for property in assert race deadlock locks memory overflow uninit all assert,race memory,locks,deadlock; do
  try 0 "$LOCKSTEP" check --property=$property safe.c
done
for property in leak; do  # an engine that does not decide a property must not call the program safe
  for engine in order lazy circuit locks boolean; do
    try 5 "$LOCKSTEP" check --property=$property --engine=$engine safe.c
    last_line "VERDICT: UNKNOWN (this engine does not check the properties that are asked for)"
    try 5 "$LOCKSTEP" check --property=race,assert,$property --engine=$engine safe.c
    last_line "VERDICT: UNKNOWN ("
    out_has "$property: unknown (engine $engine does not check $property)"
  done
  try 1 "$LOCKSTEP" circuit --property=race,$property -o x.aig safe.c
  err_has "a circuit does not check $property"
done
# a wait that is left without a signal, if it may be
spurious=$ROOT/tests/engines/spurious.c
try 10 "$LOCKSTEP" check --explain --json=report.json -DIF "$spurious"
out_has 'put the wait at .*spurious.c:14 into a loop'
try 10 "$LOCKSTEP" check --spurious-wakeups --json=report.json -DIF "$spurious"
json_is "j['options']['spurious-wakeups'] and [g for g in j['goals'] if g['status'] == 'violated'][0]['needs'] == \
  ['spurious wake-up']"
json_is "any ('without a signal' in (s.get ('value') or '') for s in [g for g in j['goals'] if g['status'] == \
  'violated'][0]['trace'])"
try 10 "$LOCKSTEP" replay report.json
try 1 "$LOCKSTEP" replay report.json -- -DX
err_has 'takes no flags for clang'
mkdir directory
try 1 "$LOCKSTEP" replay directory
err_has 'directory: Is a directory'
try 0 "$LOCKSTEP" check --no-spurious-wakeups -DIF "$spurious"
try 10 "$LOCKSTEP" check --no-spurious-wakeups --json=report.json -DLOST "$spurious"
json_is "not j['options']['spurious-wakeups'] and [g for g in j['goals'] if g['status'] == 'violated'][0]['needs'] == \
  []"
try 10 "$LOCKSTEP" replay report.json

try 1 "$LOCKSTEP" check --error-label=EROR "$ROOT/tests/engines/error_label.c"
err_has 'no label .EROR.; did you mean ERROR?'
try 1 "$LOCKSTEP" check --error-label=main:ERROR "$ROOT/tests/engines/error_label.c"
err_has 'no label .main:ERROR.'
try 1 "$LOCKSTEP" check --error-label=ERROR safe.c
err_has 'the program has no labels'
for value in 30 30s 5m 1h; do try 0 "$LOCKSTEP" check --timeout=$value safe.c; done
for value in 200M 1G 1g 500000k 4000000000; do try 0 "$LOCKSTEP" check --memory=$value safe.c; done
try 0 "$LOCKSTEP" check --engine=explicit --reduction=none --search=bfs safe.c
try 0 "$LOCKSTEP" check -j 2 safe.c
try 0 "$LOCKSTEP" check -j2 --engine=explicit --reduction=none safe.c
err_lacks 'one processor'
try 0 "$LOCKSTEP" check --engine=explicit -j 2 --property=race --reduction=transactions safe.c
err_has 'one processor'
try 11 "$LOCKSTEP" check --bitstate safe.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (bitstate: '
try 11 "$LOCKSTEP" check --bitstate=1M -j 2 safe.c
err_has 'one processor'
try 10 "$LOCKSTEP" check --bitstate=64K race.c
try 0 "$LOCKSTEP" check --no-color -q safe.c
try 0 "$LOCKSTEP" check -v safe.c

# Exit codes and last lines.
try 0 "$LOCKSTEP" check safe.c
last_line 'VERDICT: SAFE$'
try 10 "$LOCKSTEP" check race.c
last_line 'VERDICT: BUG$'
try 0 "$LOCKSTEP" check --property=assert race.c
last_line 'VERDICT: SAFE$'
try 5 "$LOCKSTEP" check --timeout=1 endless.c
last_line 'VERDICT: UNKNOWN (.*)$'
cat >wide.c <<END
extern unsigned __VERIFIER_nondet_uint (void);
int main (void) { unsigned x = __VERIFIER_nondet_uint (), y = x * 3 + (x >> 7); return y == 17; }
END
try 11 "$LOCKSTEP" check --engine=explicit wide.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS'

# SV-COMP property files.
echo 'CHECK( init(main()), LTL(G ! data-race) )' >race.prp
try 10 "$LOCKSTEP" check --property=race.prp race.c
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >reach.prp
try 0 "$LOCKSTEP" check --property=reach.prp race.c
echo 'this is no property' >bad.prp
try 1 "$LOCKSTEP" check --property=bad.prp race.c
err_has 'bad.prp'
try 1 "$LOCKSTEP" check --property=missing.prp race.c
err_has 'missing.prp'
