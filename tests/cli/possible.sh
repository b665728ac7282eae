# Possible violations of the lock analysis: what the report shows of them, the summary of locks, and what replay does
# with them.
. "$(dirname "$0")/lib.sh"
papers=$ROOT/tests/papers/lock

# LOCK section 5.1: the interleaving c1 c2 d1 d2 g1 g2 g3 h1 h2 c3, then both stand before c4 and g4.
try 5 "$LOCKSTEP" check --engine=locks --property=race --json=report.json "$papers/pair.c"
out_has 'possible data race on `x`: write at .*(thread_one, holds a, b), write at .*(thread_two, holds c, d)'
out_has 'holds a (taken at .*; then taken: c, b), b (taken at'
out_has 'an interleaving that the locks allow'
out_has 'locks are nested'
last_line 'VERDICT: UNKNOWN (1 pair of accesses may happen in parallel)'
json_is "[g['certainty'] for g in j['goals'] if g['id'].startswith('possible')] == ['possible']"
json_is "[(s['thread'], s['op'], s.get('object')) for s in j['goals'][0]['trace'] if s['op'] in ('lock', 'unlock', \
  'call')] == [(1, 'lock', 'a'), (1, 'call', 'acq_rel'), (1, 'lock', 'c'), (1, 'unlock', 'c'), (2, 'lock', 'c'), (2, \
  'lock', 'd'), (2, 'call', 'acq_rel'), (2, 'lock', 'b'), (2, 'unlock', 'b'), (1, 'lock', 'b')]"
json_is "[[l['lock'] for l in s['held']] for s in j['goals'][0]['sides']] == [['a', 'b'], ['c', 'd']]"
json_is "j['goals'][0]['sides'][1]['held'][0]['then'] == ['d', 'b']"

# Nothing to replay, and that is no failure.
try 5 "$LOCKSTEP" replay report.json
out_has 'possible-race-1 is skipped'
last_line 'VERDICT: UNKNOWN (nothing to replay)'
try 1 "$LOCKSTEP" replay --goal=race-7 report.json
try 10 "$LOCKSTEP" check --ltl='E F (holds(a) && holds(d))' --json=report.json "$papers/pair.c"
try 5 "$LOCKSTEP" replay report.json
out_has 'ltl is skipped'

# A run that may break a formula is shown.
try 5 "$LOCKSTEP" check --ltl='A G(acquired(c) -> F released(c))' "$papers/pair.c"
out_has 'ltl-1: possible counterexample'
out_has 'pair.c:[0-9]* thread_two: acquired(c)'
out_has 'the thread ends'

# Where an interleaving is shown, no lock is held by two threads; where the locks allow none, that is said.
try 5 "$LOCKSTEP" check --engine=locks --property=deadlock --json=report.json -DTHREE "$papers/cycles.c"
json_is "len(j['goals'][0]['sides']) == 3 and [s['held'] for s in j['goals'][0]['trace'][-3:]] == [['a'], ['b'], ['c']]"

# The summary of locks.
try 5 "$LOCKSTEP" check --engine=locks --property=race,deadlock --lock-report --lock-graph=graph.dot \
  --json=report.json "$papers/cycles.c"
out_has 'a -> b .*in take_both  (in a circle)'
json_is "[(o['from'], o['to']) for o in j['lock_order']] == [('a', 'b'), ('b', 'a')]"
is_true "the graph has a red edge" grep -q '"a" -> "b" \[label = "cycles.c:[0-9]*", color = red\];' graph.dot
try 0 "$LOCKSTEP" check --engine=locks --property=race --lock-report "$papers/nested.c"
out_has 'count  *2  a, b$'
out_has 'a -> b'
out_lacks 'circle'
# Without arrows a graph would say that no locks are taken one inside the other.
rm graph.dot
"$LOCKSTEP" check -q --property=assert --lock-graph=graph.dot "$papers/cycles.c" >"$out" 2>"$err" </dev/null
what='check --property=assert --lock-graph'
err_has 'lock-graph: graph.dot is not written: engine locks has not looked'
is_true 'there is no graph' test ! -e graph.dot
try 1 "$LOCKSTEP" check --engine=locks --lock-graph=missing/graph.dot "$papers/nested.c"
err_has 'lock-graph: cannot write missing/graph.dot'
try 1 "$LOCKSTEP" check --engine=explicit --lock-graph=graph.dot "$papers/nested.c"
err_has 'lock-graph has no meaning for engine explicit (it is for locks)'
