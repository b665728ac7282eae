# The engine's process stops, dies or is killed: the run ends in time with a verdict, reports are whole, and what was
# found is kept.
. "$(dirname "$0")/lib.sh"

cat >racy.c <<END
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

# disturb SIGNAL PROGRAM OPTION...: sends the signal to the engine's process after two seconds; prints seconds and exit
# code at the end
disturb () {
  what="SIG$1: check $2 $3"
  python3 - "$LOCKSTEP" "$@" >"$out" 2>"$err" <<'END'
import os, signal, subprocess, sys, time
start = time.time ()
p = subprocess.Popen ([sys.argv[1], "check", "--json=report.json"] + sys.argv[3:])
time.sleep (2)
children = open ("/proc/%d/task/%d/children" % (p.pid, p.pid)).read ().split ()
print ("one child" if len (children) == 1 else "children: %s" % children, flush = True)
for child in children: os.kill (int (child), getattr (signal, "SIG" + sys.argv[2]))
code = p.wait (60)
print ("ended in time" if time.time () - start < 7 else "took %.1f s" % (time.time () - start))
sys.exit (code)
END
  code=$?
}

for engine in explicit auto; do
  disturb STOP endless.c --engine=$engine --timeout=5
  is_true 'exit code 5' test $code -eq 5
  out_has 'one child'
  out_has 'VERDICT: UNKNOWN (time limit of 5 s)'
  out_has 'ended in time'
  json_is "j['verdict'] == 'unknown' and 'time limit' in j['reason']"
done
for signal in KILL SEGV; do
  disturb $signal endless.c --engine=explicit --timeout=20
  case $signal in KILL) wanted=5 ;; *) wanted=6 ;; esac
  is_true "exit code $wanted" test $code -eq $wanted
  out_has 'VERDICT: UNKNOWN (.*process of the engine \(was killed\|died\)'
  out_has 'ended in time'
  disturb $signal racy.c --engine=explicit --timeout=20 --property=race
  is_true 'exit code 10' test $code -eq 10
  out_has 'VERDICT: BUG'
  json_is "j['verdict'] == 'bug' and len (j['goals'][0]['trace']) > 0"
done
disturb STOP racy.c --engine=explicit --timeout=5 --property=race
is_true 'exit code 10' test $code -eq 10
out_has 'VERDICT: BUG'
out_has 'ended in time'

# A library that ends the process of the engine, with the code of SAFE.  (A Boolean program needs no other processes.)
cat >ends.c <<END
#include <unistd.h>
int prctl (int what, ...) { (void) what; _exit (CODE); }
END
cc -shared -fPIC -DCODE=0 -o ends.so ends.c
cc -shared -fPIC -DCODE=5 -o exhausted.so ends.c
echo 'void main() begin assert (T); end' >safe.bp
try 0 "$LOCKSTEP" check -q --engine=explicit safe.bp
try 6 env LD_PRELOAD="$work/ends.so" ASAN_OPTIONS=verify_asan_link_order=0 "$LOCKSTEP" check -q --engine=explicit \
  safe.bp
last_line 'VERDICT: UNKNOWN (internal error: the process of the engine ended without an answer)'
try 5 env LD_PRELOAD="$work/exhausted.so" ASAN_OPTIONS=verify_asan_link_order=0 "$LOCKSTEP" check -q --engine=explicit \
  safe.bp
last_line 'VERDICT: UNKNOWN (out of memory)'

# What lockstep is started with: children that are never waited for, standard files that are closed.
forgetful () {
  what="check with SIGCHLD ignored $*"
  timeout -k 5 60 python3 -c 'import os, signal, sys
signal.signal (signal.SIGCHLD, signal.SIG_IGN)
os.execv (sys.argv[1], sys.argv[1:])' "$LOCKSTEP" check -q "$@" >"$out" 2>"$err" </dev/null
  code=$?
}
for engine in auto explicit; do
  forgetful --engine=$engine --property=race race.c
  is_true 'exit code 10' test $code -eq 10
  last_line 'VERDICT: BUG'
done
forgetful --engine=auto -j 2 --property=race safe.c
is_true 'exit code 0' test $code -eq 0
echo 'int main (void) { return' >broken.c
forgetful broken.c
err_has 'could not compile'
for file in 0 2; do
  what="check with file $file closed"
  rm -f report.json
  if [ $file -eq 0 ]; then "$LOCKSTEP" check -q --property=race --json=report.json race.c >"$out" 2>"$err" <&-
  else "$LOCKSTEP" check -q --property=race --json=report.json race.c >"$out" 2>&-; fi
  code=$?
  is_true 'exit code 10' test $code -eq 10
  json_is "j['verdict'] == 'bug'"
done
what='check without standard output'
rm -f report.json
"$LOCKSTEP" check --property=race --json=report.json race.c >&- 2>"$err"
code=$?
is_true 'exit code 1' test $code -eq 1
err_has 'cannot write to standard output'
json_is "j['verdict'] == 'bug'"

# Executions that take long to replay: a replay that would end too late is not begun.
{
  echo '#include <pthread.h>'
  echo 'int k;'
  for i in 1 2 3 4 5 6 7 8; do echo "int x$i;"; done
  echo 'void *w (void *a) {'
  for i in 1 2 3 4 5 6 7 8; do echo "  x$i++;"; done
  echo '  return a;'
  echo '}'
  echo 'int main (void) {'
  echo '  for (k = 0; k < 1000000; k++);'
  echo '  pthread_t t, u;'
  echo '  pthread_create (&t, 0, w, 0);'
  echo '  pthread_create (&u, 0, w, 0);'
  echo '  pthread_join (t, 0);'
  echo '  pthread_join (u, 0);'
  echo '}'
} >late.c
for engine in explicit random; do
  what="long replays by $engine"
  if nm "$LOCKSTEP" 2>/dev/null | grep -q __asan_init; then
    ok "$what: not with AddressSanitizer, where the first one takes too long"
    continue
  fi
  # Other work on the machine can make a single replay late, but hardly three in a row.
  for attempt in 1 2 3; do
    "$LOCKSTEP" check -q --engine=$engine --property=race --timeout=6 late.c >"$out" 2>"$err" </dev/null
    grep -q 'was ended' "$err" || break
  done
  err_lacks 'was ended'
done
