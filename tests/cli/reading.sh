# Time and memory hold while files are read and compiled: pipes that no process writes to, devices without an end,
# sources that take clang for ever.
. "$(dirname "$0")/lib.sh"

# What it takes on this machine, just now, to start lockstep: sanitizers and other work make it long.
began=$(date +%s%N)
"$LOCKSTEP" check safe.c >"$out" 2>&1
allowance=$(((($(date +%s%N) - began) / 1000000) * 2 + 1500))

# in_time LIMIT WHAT...: answers with exit code 5 about half a second after the limit, and what a busy machine adds.
in_time () {
  limit=$1
  shift
  began=$(date +%s%N)
  try 5 "$LOCKSTEP" "$@"
  took=$((($(date +%s%N) - began) / 1000000))
  is_true "took $took ms" test $took -lt $((limit * 1000 + allowance))
}

mkfifo pipe.c pipe.i pipe.ll pipe.bc pipe.bp pipe.prp pipe pipe.aig included.h
mkdir db
mkfifo db/compile_commands.json
for kind in c i ll bc bp; do
  in_time 1 check --timeout=1 pipe.$kind
  last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
done
in_time 1 check --timeout=1 --json=report.json pipe.ll
json_is "j['verdict'] == 'unknown' and j['reason'] == 'time limit of 1 s'"
in_time 1 check --timeout=1 -p db
last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
in_time 1 check --property=pipe.prp --timeout=1 safe.c
last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
in_time 1 check --timeout=1 --baseline=pipe safe.c
last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
echo '#include "included.h"' | cat - safe.c >includes.c
in_time 1 check --timeout=1 includes.c
last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
in_time 1 run --timeout=1 pipe.c
in_time 1 ir --timeout=1 pipe.bc
in_time 1 circuit --timeout=1 -o x.aag pipe.c
in_time 1 abstract --timeout=1 -o x.bp pipe.c
in_time 1 replay --timeout=1 pipe
last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
in_time 1 replay --timeout=1 --aiger=pipe.aig pipe
in_time 1 circuit --timeout=1 --check-certificate=pipe

# Devices without an end.
ln -s /dev/zero zero.prp
ln -s /dev/zero zero.bp
ln -s /dev/zero zero.c
ln -s /dev/zero zero.bc
for kind in c bc bp; do
  timeout -k 5 60 "$LOCKSTEP" check --timeout=3 --memory=200M zero.$kind >"$out" 2>"$err" </dev/null
  code=$?
  what="check zero.$kind"
  is_true "exit code $code is 1 or 5" test $code -eq 1 -o $code -eq 5
  is_true 'it says why' test -s "$err" -o "$(grep -c 'y limit\|e limit' "$out")" -gt 0
done
timeout -k 5 60 "$LOCKSTEP" check --timeout=3 --memory=200M --property=zero.prp safe.c >"$out" 2>"$err" </dev/null
code=$?
what='check --property=zero.prp'
is_true "exit code $code is 1 or 5" test $code -eq 1 -o $code -eq 5

# clang does not come to an end.
cat >grows.h <<END
#ifndef DEPTH
#define DEPTH 0
#endif
#include "grows1.h"
END
i=1
while [ $i -lt 30 ]; do
  printf '#include "grows%d.h"\n#include "grows%d.h"\n' $((i + 1)) $((i + 1)) >grows$i.h
  i=$((i + 1))
done
echo 'int many;' >grows30.h
echo '#include "grows1.h"' | cat - safe.c >grows$$.c
in_time 1 check --timeout=1 grows$$.c
last_line 'VERDICT: UNKNOWN (time limit of 1 s)'
sleep 0.2
is_true 'clang is gone' test -z "$(pgrep -f -- "-- grows$$.c\$")"

# clang needs more memory than it may have.
python3 -c "
print ('#define X0 x = x + 1;')
for i in range (1, 24): print ('#define X%d X%d X%d' % (i, i - 1, i - 1))
print ('int main (void) { int x = 0; X23 return x; }')" >macros.c
try 5 "$LOCKSTEP" check --memory=100M --timeout=50 macros.c
last_line 'VERDICT: UNKNOWN (memory limit of 100 MB)'
err_has 'needs more than the memory limit of 100 MB'


# So does LLVM's reader: that says nothing about the file.
ln -s /dev/zero zero.ll
for kind in ll bc; do
  try 5 "$LOCKSTEP" check --memory=100M --timeout=50 zero.$kind
  last_line 'VERDICT: UNKNOWN (memory limit of 100 MB)'
  err_lacks 'not valid'
done

# JSON becomes a tree of values, which counts, too.
mkdir large
python3 -c "print ('[' + ','.join (['1'] * 4000000) + ']')" >large/compile_commands.json
try 5 "$LOCKSTEP" check --memory=50M --timeout=50 -p large
last_line 'VERDICT: UNKNOWN (memory limit of 50 MB)'
try 5 "$LOCKSTEP" replay --memory=50M --timeout=50 large/compile_commands.json
last_line 'VERDICT: UNKNOWN (memory limit of 50 MB)'
rm -r large

# A source that speaks of memory has errors of its own.
echo 'int main (void) { const char *text = "out of memory: Cannot allocate memory" return !text; }' >speaks.c
try 1 "$LOCKSTEP" check speaks.c
err_has "speaks.c:1:.*expected ';'"

# The system may kill clang, for lack of memory or of processor time: that is no error of the source either.
"$LOCKSTEP" check --timeout=40 grows$$.c >"$out" 2>"$err" </dev/null &
pid=$!
sleep 1
kill -KILL $(pgrep -P $pid)
wait $pid
code=$?
what='clang is killed'
is_true 'exit code 5' test $code -eq 5
last_line 'VERDICT: UNKNOWN (clang-19 was killed, perhaps for lack of memory)'
try 5 sh -c "ulimit -t 1; exec $LOCKSTEP check --timeout=40 grows$$.c"
last_line 'VERDICT: UNKNOWN (clang-19 was '

# A signal ends it, and clang with it.
"$LOCKSTEP" check --timeout=40 grows$$.c >"$out" 2>"$err" </dev/null &
pid=$!
sleep 1
kill -TERM $pid
began=$(date +%s%N)
wait $pid
code=$?
took=$((($(date +%s%N) - began) / 1000000))
what='SIGTERM while compiling'
is_true 'exit code 5' test $code -eq 5
last_line 'VERDICT: UNKNOWN (interrupted)'
is_true "took $took ms" test $took -lt $allowance
sleep 0.2
is_true 'clang is gone' test -z "$(pgrep -f -- "-- grows$$.c\$")"

# Nothing else is waited for: a pipe as the place of a source line, or as the baseline that another process writes.
(sleep 0.3; echo '# nothing' >pipe) &
try 0 "$LOCKSTEP" check --timeout=20 --baseline=pipe safe.c
printf '#line 3 "pipe"\nint x;\n#include <pthread.h>\nvoid *f (void *a) { x = 1; return a; }\n'\
'int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); return x; }\n' >lines.c
try 10 "$LOCKSTEP" check --timeout=20 --property=race --html=lines.html --sarif=lines.sarif --json=lines.json \
  --witness=lines.yml lines.c

# Nor is a file that is larger than any source: it takes no time, and its lines are not shown.
truncate -s 40G huge
sed 's/"pipe"/"huge"/' lines.c >huge.c
try 10 "$LOCKSTEP" check --timeout=20 --property=race --explain --html=huge.html --sarif=huge.sarif --json=report.json \
  --witness=huge.yml huge.c
json_is "j['goals'][0]['locations'][0]['file'].endswith ('huge')"
try 10 "$LOCKSTEP" replay report.json
rm huge

# A signal ends each command while it reads anything: the answer is the same as when the time is up.
# interrupted LAST COMMAND...: exit code 5 after SIGTERM, and the last line of standard output
interrupted () {
  last=$1
  shift
  "$LOCKSTEP" "$@" >"$out" 2>"$err" </dev/null &
  pid=$!
  sleep 0.3
  kill -TERM $pid
  wait $pid
  code=$?
  what="SIGTERM during $*"
  is_true "exit code 5, not $code" test $code -eq 5
  if test "$last"; then last_line "$last"; fi
}
stopped='VERDICT: UNKNOWN (interrupted)'
interrupted "$stopped" check -p db
interrupted "$stopped" check --baseline=pipe safe.c
interrupted "$stopped" check --property=pipe.prp safe.c
interrupted "$stopped" replay pipe
interrupted "$stopped" replay --aiger=pipe.aig pipe
interrupted "$stopped" circuit --check-certificate=pipe
interrupted '' circuit -o x.aag pipe.c
interrupted '' abstract -o x.bp --property=assert pipe.c
interrupted '' run pipe.bp
interrupted '' ir pipe.c
