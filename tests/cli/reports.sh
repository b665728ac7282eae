# Reports: text, JSON, statistics; places that cannot be written.
. "$(dirname "$0")/lib.sh"

try 10 "$LOCKSTEP" check "$EXAMPLES/counter.c"
out_has 'data race'
out_has 'count++'
out_has 'thread 1'
out_lacks "$(printf '\033')"

# --json=- prints the object and nothing else.
try 10 "$LOCKSTEP" check --json=- "$EXAMPLES/counter.c"
is_true 'is one JSON value' python3 -m json.tool "$out" report.json
json_is "j['tool'] == 'lockstep' and j['version'] and j['verdict'] == 'bug'"
json_is "len (j['files']) == 1 and j['files'][0].endswith ('counter.c')"
json_is "any (g['property'] == 'race' and g['status'] == 'violated' for g in j['goals'])"
json_is "all (g['id'] and g['engine'] and g['message'] for g in j['goals'] if g['status'] == 'violated')"
json_is "all (l['line'] > 0 and l['file'] and l['function'] and l['thread'] >= 0 for g in j['goals'] if g['status'] == \
  'violated' for l in g['locations'])"
json_is "all ([s['step'] for s in g['trace']] == list (range (1, len (g['trace']) + 1)) for g in j['goals'] if \
  g['status'] == 'violated')"
json_is "all (s['file'] and s['line'] and s['function'] and s['op'] for g in j['goals'] if g['status'] == 'violated' \
  for s in g['trace'])"
json_is "isinstance (j['assumptions'], list) and 'bounds' in j"
json_is "j['stats']['states'] > 0 and j['stats']['transitions'] > 0 and j['stats']['time_s'] >= 0 and \
  j['stats']['memory_bytes'] > 0"

try 10 "$LOCKSTEP" check --json=report.json "$EXAMPLES/counter.c"
last_line 'VERDICT: BUG'
json_is "j['verdict'] == 'bug'"
try 10 "$LOCKSTEP" replay report.json
out_has 'count'
try 0 "$LOCKSTEP" check --json=report.json "$EXAMPLES/counter-fixed.c"
json_is "j['verdict'] == 'safe' and all (g['status'] == 'proved' for g in j['goals'])"

# A trace of another program is not believed.
cp "$EXAMPLES/counter.c" moving.c
try 10 "$LOCKSTEP" check --json=report.json moving.c
cp "$EXAMPLES/counter-fixed.c" moving.c
"$LOCKSTEP" replay report.json >"$out" 2>"$err"
code=$?
what='replay of a changed program'
case $code in 1 | 5) ok "$what: exit code $code" ;; *) fail "$what" "exit code $code" ;; esac

try 10 "$LOCKSTEP" check --stats "$EXAMPLES/counter.c"
cat "$out" "$err" >"$work/both"
is_true 'shows the states' grep -q 'states' "$work/both"
is_true 'shows the time' grep -q '[0-9] s' "$work/both"
try 10 "$LOCKSTEP" check -q "$EXAMPLES/counter.c"
is_true 'is short' test "$(wc -l <"$out")" -le 4
last_line 'VERDICT: BUG'

# Same program, same options: same output but for times.
without_times () { sed 's/[0-9.]* *\(s\|ms\|MB\|kB\|states\/s\)\b/#/g' "$1"; }
"$LOCKSTEP" check "$EXAMPLES/philosophers.c" >first 2>/dev/null
"$LOCKSTEP" check "$EXAMPLES/philosophers.c" >second 2>/dev/null
without_times first >first.plain
without_times second >second.plain
what='two runs'
is_true 'say the same' cmp -s first.plain second.plain

# A function without a body might do anything: no proof, and it is listed.
cat >external.c <<END
extern _Bool mystery (int);
int main (void) { return mystery (3) ? 1 : 2; }
END
try 11 "$LOCKSTEP" check external.c
out_has 'mystery'

# The page for a browser: the text report appears as well, and what cannot be written costs nothing else.
try 10 "$LOCKSTEP" check --html=report.html "$EXAMPLES/counter.c"
out_has 'data race'
is_true 'is a page' grep -q '^<!DOCTYPE html>' report.html
is_true 'holds the source' grep -q 'count++;' report.html
python3 -c "import re
page = open ('report.html').read ()
open ('report.json', 'w').write (re.search (r'id=\"data\">(.*?)</script', page, re.S).group (1))"
json_is "j['report']['verdict'] == 'bug' and j['sources'][0]['parts'][0]['lines'][9].strip () == 'count++;'"
try 1 "$LOCKSTEP" check --html=no/such/folder/report.html race.c
err_has 'html: cannot write no/such/folder/report.html'
try 1 "$LOCKSTEP" check --html=/dev/full race.c
err_has 'html: cannot write /dev/full'
last_line 'VERDICT: BUG'

# Places that cannot be written: a message, and exit code 1 (the verdict is still printed).
for place in /dev/full no/such/folder/report.json .; do
  try 1 "$LOCKSTEP" check --json=$place race.c
  err_has "$(basename $place)"
done
what='standard output is full'
"$LOCKSTEP" check race.c >/dev/full 2>"$err"
code=$?
if [ $code -eq 1 ]; then ok "$what"; else fail "$what" "exit code $code, not 1"; fi
"$LOCKSTEP" check --json=- race.c >/dev/full 2>"$err"
code=$?
if [ $code -eq 1 ]; then ok "$what: JSON"; else fail "$what: JSON" "exit code $code, not 1"; fi
what='a closed pipe'
"$LOCKSTEP" check race.c 2>"$err" | true
ok "$what"
