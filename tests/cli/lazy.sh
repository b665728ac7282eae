# Options of the engine lazy: its two encodings, and the one that became an engine of its own.
. "$(dirname "$0")/lib.sh"

for encoding in lazy eager; do
  try 10 "$LOCKSTEP" check --engine=lazy --encoding=$encoding --property=race -q "$EXAMPLES/counter.c"
  out_has '^race-1: data race on `count`'
done
try 0 "$LOCKSTEP" check --engine=lazy --property=assert --json=report.json safe.c
json_is "j['goals'][0]['engine'] == 'lazy'"
try 1 "$LOCKSTEP" check --engine=lazy --encoding=none safe.c
err_has 'lazy|eager'
for engine in lazy auto; do
  try 1 "$LOCKSTEP" check --engine=$engine --encoding=order safe.c
  err_has '--encoding=order is an engine of its own now: use --engine=order'
done
try 1 "$LOCKSTEP" check --engine=lazy --unwind=3 safe.c
err_has '--unwind has no meaning for engine lazy (it is for order)'

# It does not look for deadlocks: what else was asked for is answered.
try 5 "$LOCKSTEP" check --engine=lazy --property=assert,deadlock safe.c
last_line 'VERDICT: UNKNOWN (engine lazy does not check deadlock)'
