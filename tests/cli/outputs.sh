# Files that are written: a file that lockstep did not write is not replaced, and a report is there as a whole or not at
# all.
. "$(dirname "$0")/lib.sh"

cat >header.h <<END
#define ZERO 0
END
cat >uses.c <<END
#include "header.h"
int main (void) { return ZERO; }
END
cp uses.c victim.c
mkdir db
printf '[{"directory": "%s", "file": "safe.c", "arguments": ["cc", "-c", "safe.c"]}]' "$work" >db/compile_commands.json
echo 'CHECK( init(main()), LTL(G ! data-race) )' >race.prp
echo 'void main() begin skip; end' >x.bp
ln -s uses.c symbolic
ln uses.c hard
ln -s missing dangling
cp /dev/null empty
cp /dev/null empty.h
cp /dev/null empty.c
cp safe.c map.c
clang-19 -c -o map.o map.c
nm map.o >system.map
rm map.o map.c
printf '%s\n' 0123456789abcdef '# comment' 'fedcba9876543210 racecar: not a finding' >sums
ls -A | grep -v '^\.' | sort >"$work/.names"
cksum header.h uses.c victim.c safe.c race.prp db/compile_commands.json x.bp system.map sums >"$work/.sums"

# refused TEXT COMMAND...: exit code 1, the text, and no file is another one.
refused () {
  text=$1
  shift
  try 1 "$LOCKSTEP" "$@"
  err_has "$text"
  cksum header.h uses.c victim.c safe.c race.prp db/compile_commands.json x.bp system.map sums >"$work/.now"
  is_true 'all files are as before' cmp -s "$work/.sums" "$work/.now"
  ls -A | grep -v '^\.' | sort >"$work/.now"
  is_true 'there is no new file' cmp -s "$work/.names" "$work/.now"
}
for option in --json --html --sarif --witness --lock-graph --write-baseline --certificate; do
  refused 'not a report' check $option victim.c safe.c
  for name in uses.c ./uses.c "$work/uses.c" db/../uses.c symbolic hard; do
    refused 'is an input file' check $option=$name uses.c
  done
  refused 'not a report' check $option=header.h uses.c
  refused 'is an input file' check $option=db/compile_commands.json -p db
  refused 'is an input file' check $option=race.prp --property=race.prp uses.c
  refused 'is an input file' check $option=x.bp x.bp
done
for name in victim.aig victim.btor2 victim.aag; do
  cp victim.c $name
  try 1 "$LOCKSTEP" circuit -o $name uses.c
  err_has 'not a report'
  is_true 'it is as before' cmp -s victim.c $name
  rm $name
done
refused 'is an input file' abstract --property=assert -o uses.c uses.c
refused 'not a report' abstract --property=assert -o x.bp uses.c
refused 'both go to' check --json=both --html=./both uses.c
# An empty header is an input that the command line does not name; other programs write tables of sixteen digits, too.
for name in empty.h empty.c system.map sums; do refused 'not a report' check --json=$name uses.c; done
refused 'symbolic link to a file that is not there' check --json=dangling uses.c
for option in --html --sarif --witness --lock-graph --write-baseline --certificate; do
  refused "$option: .-. is possible for --json only" check $option=- uses.c
done
refused 'both go to' check --json=both --sarif=db/../both uses.c
refused 'both go to' check --json=empty --witness=empty uses.c

# What lockstep wrote, and what is empty, is replaced: each kind of report by itself and by others.
all () {
  "$LOCKSTEP" check --json=r.json --html=r.html --sarif=r.sarif --witness=r.graphml --lock-graph=r.dot \
    --write-baseline=r.txt "$@" \
    "$EXAMPLES/philosophers.c" >"$out" 2>"$err" </dev/null
  code=$?
  what="all reports $*"
  if [ $code -eq 10 ]; then ok "$what"; else fail "$what" "exit code $code, not 10"; fi
}
all
all
try 10 "$LOCKSTEP" check --property=race --witness=w.yml race.c
try 10 "$LOCKSTEP" check --property=race --witness=w.yml race.c
for name in r.json r.html r.sarif r.graphml r.dot r.txt w.yml empty; do
  try 0 "$LOCKSTEP" check --json=$name safe.c
done
cat >assert.c <<END
#include <assert.h>
int x;
int main (void) { x = 1; assert (x == 1); return 0; }
END
for times in once again; do
  try 0 "$LOCKSTEP" check --engine=circuit --property=assert --certificate=proof.txt assert.c
  try 0 "$LOCKSTEP" abstract --property=assert -o made.bp assert.c
  for kind in aag aig btor2; do try 0 "$LOCKSTEP" circuit -q -o x.$kind "$EXAMPLES/counter.c"; done
done
try 10 "$LOCKSTEP" check --write-baseline=accepted race.c
try 0 "$LOCKSTEP" check --baseline=accepted --write-baseline=accepted race.c
try 1 "$LOCKSTEP" check --baseline=accepted --json=accepted race.c
err_has 'is an input file'

# --force replaces all of it.
cp uses.c copy.c
try 0 "$LOCKSTEP" check --force --json=copy.c copy.c
has copy.c '"tool": "lockstep"'
try 0 "$LOCKSTEP" circuit -q --force -o x.aag "$EXAMPLES/counter.c"
refused_always () { try 1 "$LOCKSTEP" check --force --json=both --html=both safe.c; }
refused_always
err_has 'both go to'

# Devices, and standard output by its other names, are no files to protect.
try 0 "$LOCKSTEP" check --json=/dev/null --html=/dev/null --sarif=/dev/null safe.c
echo 'was here' >log
"$LOCKSTEP" check --json=/dev/stdout safe.c >>log 2>"$err" </dev/null
what='--json=/dev/stdout into a file'
has log 'was here'
has log '^VERDICT: SAFE'
has log '"tool": "lockstep"'
"$LOCKSTEP" check --json=/dev/fd/3 safe.c 3>other >"$out" 2>"$err" </dev/null
has other '"tool": "lockstep"'
try 1 "$LOCKSTEP" check --json=/dev/fd/77 safe.c
err_has '/dev/fd/77'

# A pipe without a reader is waited for a little, with or without a time limit.  A slow reader gets the report once and
# as a whole.
mkfifo pipe
for limit in --timeout=1 -q; do
  try 1 "$LOCKSTEP" check $limit --property=race --json=pipe race.c
  err_has 'no process reads this pipe'
  is_true 'the verdict is said once' test "$(grep -c '^VERDICT: BUG' "$out")" -eq 1
done
cat pipe >through &
try 10 "$LOCKSTEP" check --property=race --html=pipe race.c
wait
has through '</html>'
"$LOCKSTEP" check --timeout=1 --property=race --html=/dev/stdout race.c 2>"$err" </dev/null | (sleep 4; cat >slow)
what='a reader that is slower than --timeout'
has slow '</html>'
is_true 'the page is there once' test "$(grep -c '</html>' slow)" -eq 1
is_true 'nothing is on standard error' test ! -s "$err"

# No place for the report: the verdict is said, the old report stays, nothing is left beside it.
"$LOCKSTEP" check --html=page.html race.c >"$out" 2>"$err" </dev/null
cp page.html old.html
(ulimit -f 80; exec "$LOCKSTEP" check --html=page.html race.c) >"$out" 2>"$err" </dev/null
code=$?
what='a report that is too large for the disk'
is_true 'exit code 1' test $code -eq 1
last_line 'VERDICT: BUG'
err_has 'html: cannot write page.html: File too large'
is_true 'the old report is there' cmp -s page.html old.html
is_true 'nothing is left beside it' test -z "$(ls | grep '\.tmp$')"
