# Damaged bitcode and assembly: LLVM's readers may crash on them, lockstep must not.
. "$(dirname "$0")/lib.sh"

clang-19 -O1 -Xclang -disable-llvm-passes -g -emit-llvm -c race.c -o race.bc
clang-19 -O1 -Xclang -disable-llvm-passes -g -emit-llvm -S race.c -o race.ll
try 10 "$LOCKSTEP" check race.bc
try 10 "$LOCKSTEP" check race.ll
# damage FILE COUNT: flips bits, runs lockstep on each result, prints the exit codes and whether a reader crashed
damage () {
  python3 - "$LOCKSTEP" "$1" "$2" <<'END'
import random, subprocess, sys
lockstep, name, count = sys.argv[1], sys.argv[2], int (sys.argv[3])
whole = open (name, "rb").read ()
bad, crashed, silent = [], 0, 0
for seed in range (count):
    rng = random.Random (seed)
    text = bytearray (whole)
    for _ in range (rng.choice ([1, 2, 4, 8])):
        text[rng.randrange (len (text))] ^= 1 << rng.randrange (8)
    damaged = "damaged." + name.split (".")[1]
    open (damaged, "wb").write (text)
    ran = subprocess.run ([lockstep, "check", "-q", "--timeout=10", damaged], capture_output=True, timeout=60)
    if ran.returncode not in (0, 1, 5, 10, 11): bad.append ((seed, ran.returncode))
    crashed += b"LLVM's reader crashed (signal" in ran.stderr
    silent += ran.returncode == 1 and not ran.stderr
print ("bad", bad, "silent", silent, "crashed", "some" if crashed else "none")
END
}
damage race.bc 80 >"$out" 2>"$err"
what='damaged bitcode'
out_has 'bad \[\] silent 0 crashed some'
damage race.ll 20 >"$out" 2>"$err"
what='damaged assembly'
out_has 'bad \[\] silent 0'

# What C does not have is unsupported, by name.
cat >invoke.ll <<'END'
declare i32 @personality(...)
declare i32 @may_throw()
define i32 @main() personality ptr @personality {
  %r = invoke i32 @may_throw() to label %good unwind label %bad
good:
  %s = add i32 %r, 1
  ret i32 %s
bad:
  %l = landingpad {ptr, i32} cleanup
  resume {ptr, i32} %l
}
END
try 0 "$LOCKSTEP" ir invoke.ll
try 5 "$LOCKSTEP" check invoke.ll
last_line 'VERDICT: UNKNOWN (.*unsupported: exceptions)'
