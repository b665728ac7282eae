# Functions that return with a lock on some paths only: advice of the lock analysis, in text and JSON, which changes no
# verdict.
. "$(dirname "$0")/lib.sh"
programs=$ROOT/tests/engines

# Each with the lock, and the lines: acquired, returns with it, returns without it, released before that.
try 5 "$LOCKSTEP" check --engine=locks --property=locks --json=report.json "$programs/returns_held.c"
out_has '^advice:'
out_has '  early_return returns with `m` held on some paths only$'
out_has 'taken at .*:23, held when it returns after .*:25, not held when it returns after .*:28 (given back at .*:27)$'
out_has 'taken at .*:126, held when it returns after .*:126, not held when it returns after .*:125 (not taken there)$'
cat >wanted <<END
early_return m 23 25 28 27
early_return_of_nothing m 34 35 38 38
goto_behind_the_unlock rw 45 48 51 51
return_in_a_loop spin 60 62 65 63
take q->lock 71 73 75 75
take_first queues[0] 83 89 87 86
one_of_three m 100 103 105 104
sum m 114 116 119 118
take_and_forget m 126 126 125 -
END
shown="[u['function'], u['lock']] + [str (u[k]['line']) if u[k] else '-' for k in ('taken', 'with', 'without', \
  'given_back')]"
json_is "[' '.join ($shown) for u in j['uneven_returns']] == open ('wanted').read ().splitlines ()"

# What is meant is not reported.
try 5 "$LOCKSTEP" check --engine=locks --property=locks --json=report.json "$programs/returns_as_meant.c"
out_lacks '^advice:'
json_is "j['uneven_returns'] == []"

# Whatever the engine that decides, the verdict is not touched.
forgotten=$programs/forgotten_unlock.c
try 0 "$LOCKSTEP" check "$forgotten"
out_has '^locks: none (proved)'
out_has 'add returns with `m` held on some paths only'
last_line 'VERDICT: SAFE'
try 0 "$LOCKSTEP" check --engine=locks --property=locks "$forgotten"
out_has 'add returns with'

# It is part of the report on locks, and of that on the property; otherwise of the JSON report only.
try 0 "$LOCKSTEP" check --engine=locks --property=deadlock --json=report.json "$forgotten"
out_lacks '^advice:'
json_is "[u['function'] for u in j['uneven_returns']] == ['add']"
try 0 "$LOCKSTEP" check --engine=locks --property=deadlock --lock-report "$forgotten"
out_has '^advice:'
try 0 "$LOCKSTEP" check -q "$forgotten"
out_lacks '^advice:'
