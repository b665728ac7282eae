# replay --step: commands from standard input, at a terminal and from a pipe.
. "$(dirname "$0")/lib.sh"
"$LOCKSTEP" check --no-spurious-wakeups --property=assert --json=report.json "$EXAMPLES/buffer.c" >/dev/null

# step CODE COMMANDS: replays with these commands, one per line
step () {
  what="replay --step with $(printf '%s' "$2" | tr '\n' ' ')"
  printf '%s\n' "$2" | timeout 60 "$LOCKSTEP" replay --step report.json >"$out" 2>"$err"
  code=$?
  if [ $code -eq "$1" ]; then ok "$what"; else fail "$what" "exit code $code, not $1"; fi
}

step 10 'q'
out_has '^step 1 of [0-9]*: thread 0 in main$'
out_has '^>  *39 |'
out_has '^   *37 |'
out_has '^   *41 |'
out_lacks 'step 2 of'
last_line 'VERDICT: BUG'
step 10 'n

p
q'
is_true 'goes on and back' test "$(grep -c '^step 2 of' "$out")" -eq 2
is_true 'Enter goes on' grep -q '^step 3 of' "$out"
step 10 's
q'
out_has '^step 2 of .*: thread 1 in producer$'
step 10 'g 12
v
l
b
q'
out_has '^items = 1  (step 12, thread 1)$'
out_has '^locks held: thread 1 {m}$'
is_true 'goes back to the beginning' test "$(grep -c '^step 1 of' "$out")" -eq 2
step 10 'e'
out_has '^the end, after [0-9]* steps: assert-1: assertion'
out_has '>>'
step 10 'g 999
g x
frobnicate
h
q'
out_has 'there are the steps 1 to'
out_has 'unknown command `frobnicate`; h lists them'
step 10 ''
out_has 'replayed: the violation is confirmed'

# Enter at the end leads to the next finding; after q the others are only checked.
"$LOCKSTEP" check --json=report.json "$EXAMPLES/counter.c" >/dev/null
step 10 'e

q'
is_true 'both findings are stepped through' test "$(grep -c '^step 1 of' "$out")" -eq 2
step 10 'q'
is_true 'one finding is stepped through' test "$(grep -c '^step 1 of' "$out")" -eq 1
is_true 'both are confirmed' test "$(grep -c '^replayed: ' "$out")" -eq 2

# At a terminal there is a prompt, and -i means the same.
cat >terminal.py <<'END'
import os, pty, sys
output = b""
def read (fd):
    global output
    data = os.read (fd, 4096)
    output += data
    return data
child, fd = pty.fork ()
if not child:
    os.execv (sys.argv[1], [sys.argv[1], "replay", "-i", "--no-color", "--goal=race-1", "report.json"])
os.write (fd, b"n\nq\n")
try:
    while read (fd):
        pass
except OSError:
    pass
status = os.waitpid (child, 0)[1]
text = output.decode ()
sys.stdout.write (text)
sys.exit (0 if "> " in text and "step 2 of" in text and os.WEXITSTATUS (status) == 10 else 1)
END
try 0 python3 terminal.py "$LOCKSTEP"
try 10 "$LOCKSTEP" replay report.json
out_lacks 'step 1 of'
