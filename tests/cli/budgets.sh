# Budgets and interruption: time, memory and Ctrl-C end a run with a verdict, soon and without a crash.
. "$(dirname "$0")/lib.sh"

now () { date +%s; }

start=$(now)
try 5 "$LOCKSTEP" check --timeout=2 endless.c
last_line 'VERDICT: UNKNOWN (.*time limit'
is_true 'stops soon' test $(($(now) - start)) -le 30
try 5 "$LOCKSTEP" check --timeout=1 --json=report.json endless.c
json_is "j['verdict'] == 'unknown' and 'time limit' in j['reason']"
json_is "j['stats']['states'] > 0"

try 5 "$LOCKSTEP" check --engine=explicit --memory=40M --timeout=50 endless.c
last_line 'VERDICT: UNKNOWN (.*memory limit'
try 5 "$LOCKSTEP" check --engine=explicit -j 3 --memory=60M --timeout=50 endless.c
last_line 'VERDICT: UNKNOWN (.*memory limit'
try 5 "$LOCKSTEP" check --engine=explicit -j 3 --timeout=2 endless.c
last_line 'VERDICT: UNKNOWN (.*time limit'
# Side by side, the solver has something to say when time is up.
try 11 "$LOCKSTEP" check -j 2 --timeout=3 endless.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (unwind '
try 5 "$LOCKSTEP" check --memory=1M --timeout=50 endless.c
last_line 'VERDICT: UNKNOWN (.*memory'
try 5 "$LOCKSTEP" check --memory=1k --timeout=50 race.c
last_line 'VERDICT: UNKNOWN (.*memory'
# A real limit from outside: no crash either, whatever the answer.  (AddressSanitizer itself needs terabytes of
# addresses.)
for jobs in 1 3; do
  what="ulimit -v 400000, -j $jobs"
  if nm "$LOCKSTEP" 2>/dev/null | grep -q __asan_init; then ok "$what: not with AddressSanitizer"
  else
    (ulimit -v 400000; exec timeout -k 5 60 "$LOCKSTEP" check -j $jobs --timeout=30 endless.c) >"$out" 2>"$err"
    code=$?
    case $code in 1 | 5 | 6 | 11) ok "$what: exit code $code" ;; *) fail "$what" "exit code $code" ;; esac
  fi
done
# Also if there is hardly enough to begin.
if nm "$LOCKSTEP" 2>/dev/null | grep -q __asan_init; then ok 'ulimit -d: not with AddressSanitizer'
else
  for limit in 12000 15000 18000; do
    try 5 sh -c "ulimit -d $limit; exec $LOCKSTEP check safe.c"
    last_line 'VERDICT: UNKNOWN (out of memory)'
  done
fi

# What was found before the budget ended is reported.
cat >racy-endless.c <<END
#include <pthread.h>
#include <stdatomic.h>
int x; atomic_uint n[8];
void *f (void *a) { x = 1; for (;;) n[(long) a]++; return a; }
int main (void) {
  pthread_t t;
  for (long i = 0; i < 8; i++) pthread_create (&t, 0, f, (void *) i);
  pthread_exit (0);
}
END
for jobs in 1 3; do
  try 10 "$LOCKSTEP" check -j $jobs --property=race --timeout=3 racy-endless.c
  last_line 'VERDICT: BUG'
done

# Ctrl-C and kill: a verdict, and its exit code.  Shells start background jobs with SIGINT ignored; python does not.
for signal in INT,--engine=explicit TERM,--engine=explicit INT,--engine=explicit,-j3 INT TERM INT,-j3; do
  what="SIG$signal"
  python3 - "$LOCKSTEP" $(echo $signal | tr , ' ') >"$out" 2>"$err" <<'END'
import signal, subprocess, sys, time
signal.signal (signal.SIGINT, signal.SIG_DFL)
p = subprocess.Popen ([sys.argv[1], "check", "endless.c"] + sys.argv[3:])
time.sleep (2)
p.send_signal (getattr (signal, "SIG" + sys.argv[2]))
start = time.time ()
try:
    code = p.wait (20)
except subprocess.TimeoutExpired:
    p.kill ()
    code = 99
if time.time () - start > 5: code = 98
sys.exit (code if code >= 0 else 100 - code)
END
  code=$?
  case $signal in
    *explicit*) codes=5 lines='VERDICT: UNKNOWN (interrupted' ;;
    *) codes='5 or 11' lines='VERDICT: \(UNKNOWN (interrupted\|NO BUG WITHIN BOUNDS (unwind\)' ;;
  esac
  case " $codes " in *" $code "*) ok "$what: exit code $code" ;; *) fail "$what" "exit code $code, not $codes" ;; esac
  last_line "$lines"
done
