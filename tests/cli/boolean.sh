# Boolean programs: errors with place and caret, all commands, options that do not fit.
. "$(dirname "$0")/lib.sh"

bp=$ROOT/tests/boolean

try 1 "$LOCKSTEP" check missing.bp
err_has 'missing.bp: error: cannot be read: No such file'
printf 'decl a;\nvoid main() begin\n  a := bb;\nend\n' >broken.bp
try 1 "$LOCKSTEP" check broken.bp
err_has '^broken.bp:3:8: error: there is no variable `bb`'
err_has '^    3 |   a := bb;$'
err_has '^      |        ^$'
printf 'void f() begin g(); end\nvoid g() begin f(); end\nvoid main() begin f(); end\n' >recursive.bp
try 1 "$LOCKSTEP" ir recursive.bp
err_has '^recursive.bp:1:16: error: recursion is not supported: f -> g -> f$'
printf 'decl a;\0' >binary.bp
try 1 "$LOCKSTEP" check binary.bp
err_has 'is no text'
: >empty.bp
try 1 "$LOCKSTEP" check empty.bp
err_has 'there is no procedure `main`'

# Only assertions, unless more is asked for; what makes no sense is refused.
try 10 "$LOCKSTEP" check "$bp/threads_bug.bp"
out_has 'properties assert; '
out_has '^  *>>  *threads_bug.bp:9 *assertion `!seen` failed'
out_lacks 'atomic'
out_lacks 'detach'
try 10 "$LOCKSTEP" check --engine=explicit --property=assert,race "$bp/threads_bug.bp"
out_has '^race: none (proved)'
try 1 "$LOCKSTEP" check --property=deadlock "$bp/threads_bug.bp"
err_has 'has no deadlocks'
try 1 "$LOCKSTEP" check --entry=other "$bp/threads_bug.bp"
err_has 'starts in its procedure `main`'
try 1 "$LOCKSTEP" check "$bp/threads_bug.bp" "$bp/threads_safe.bp"
err_has 'one file'

# The other commands and reports.
try 10 "$LOCKSTEP" check -q --json=report.json --html=report.html --sarif=report.sarif --witness=w.yml \
  "$bp/threads_bug.bp"
has w.yml 'language: "Boolean program"'
try 10 "$LOCKSTEP" check -q --witness=w.graphml "$bp/threads_bug.bp"
has w.graphml '"sourcecodelang">Boolean program<'
try 10 "$LOCKSTEP" replay report.json
out_has 'threads_bug.bp:12 *write seen = 1'
try 0 "$LOCKSTEP" run "$bp/parallel_safe.bp"
try 0 "$LOCKSTEP" ir "$bp/threads_safe.bp"
out_has '^proc child'
try 0 "$LOCKSTEP" circuit -o x.aag "$bp/threads_safe.bp"
try 10 "$LOCKSTEP" check -q '--ltl=G !seen' "$bp/threads_bug.bp"
try 10 "$LOCKSTEP" check -q --reach-pair=worker,worker --max-threads=3 "$bp/start_in_loop_bug.bp"
# the engine that is made for them
try 0 "$LOCKSTEP" check --engine=boolean --stats "$bp/mutual_exclusion_safe.bp"
out_has '^  states  *37$'
out_has '^  reduced_states  *[1-9]'
try 0 "$LOCKSTEP" check --engine=boolean --por=off --stats "$bp/mutual_exclusion_safe.bp"
out_lacks 'reduced_states'
try 10 "$LOCKSTEP" check --engine=boolean --qbf=both --qbf-form=state --json=boolean.json "$bp/threads_bug.bp"
try 10 "$LOCKSTEP" replay boolean.json
out_has 'threads_bug.bp:12 *write seen = 1'
try 1 "$LOCKSTEP" check --engine=boolean --depth=3 "$bp/threads_bug.bp"
err_has 'depth has no meaning for engine boolean'
try 5 "$LOCKSTEP" check --engine=boolean --property=race "$bp/threads_bug.bp"
out_has 'UNKNOWN (engine boolean decides assertions only'
try 1 "$LOCKSTEP" check --engine=boolean --por=sometimes "$bp/threads_bug.bp"
try 0 "$LOCKSTEP" help boolean
out_has 'start_thread goto other'
