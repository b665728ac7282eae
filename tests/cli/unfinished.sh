# A computation that time, memory or a signal cut short proves nothing: whatever stops it and whenever, a program with a
# bug is not called safe.
. "$(dirname "$0")/lib.sh"

# Many threads with many racy accesses of a table: there are so many pairs that the order of events is not laid out in
# the time given.
python3 - >wide.c <<'END'
threads, accesses = 5, 90
print ("#include <pthread.h>\nint nondet_int (void); int table[12];")
for t in range (threads):
    print ("static void *thread_%d (void *a) { int v = 0;" % t)
    for k in range (accesses):
        print ("  v += table[%d]; if (v > %d) table[%d] = v;" % ((5 * k + t) % 12, k, (k * (t + 2)) % 12))
    print ("  return a; }")
print ("int main (void) { pthread_t t[%d]; for (int i = 0; i < 12; i++) table[i] = nondet_int ();" % threads)
for t in range (threads): print ("  pthread_create (&t[%d], 0, thread_%d, 0);" % (t, t))
print ("  return 0; }")
END

# never_safe COMMAND...: any honest answer will do.
never_safe () {
  what=$(printf '%s' "$*" | sed "s|$LOCKSTEP|lockstep|g")
  timeout -k 5 60 "$@" >"$out" 2>"$err" </dev/null
  code=$?
  case $code in 5 | 10 | 11) ok "$what: exit code $code" ;; *) fail "$what" "exit code $code" ;; esac
  out_lacks 'VERDICT: SAFE'
  out_lacks 'none (proved)'
}

for seconds in 1 2 3; do
  never_safe "$LOCKSTEP" check --engine=order --property=race --timeout=$seconds wide.c
  never_safe "$LOCKSTEP" check --property=race --timeout=$seconds wide.c
done
for size in 12M 16M 24M 40M 80M; do
  never_safe "$LOCKSTEP" check --engine=order --property=race --memory=$size --timeout=4 wide.c
  never_safe "$LOCKSTEP" check --property=race --memory=$size --timeout=4 wide.c
done
for signal in INT TERM HUP; do
  never_safe env --default-signal=INT,TERM,HUP timeout --preserve-status -s $signal 1.5 "$LOCKSTEP" check \
    --engine=order --property=race wide.c
  never_safe env --default-signal=INT,TERM,HUP timeout --preserve-status -s $signal 1.5 "$LOCKSTEP" check \
    --property=race wide.c
done
