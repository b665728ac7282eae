# Formulas about the whole program: runs shown with their loop, replayed, in all reports; and formulas that are none.
. "$(dirname "$0")/lib.sh"

peterson=$ROOT/tests/engines/ltl_peterson.c
server=$ROOT/tests/engines/ltl_server.c
check () { code=$1; shift; try "$code" "$LOCKSTEP" check --json=report.json "$@"; }

check 10 --ltl='G(flag[1] -> F inside[1])' --sarif=report.sarif --html=report.html "$peterson"
out_has '^        -- from here on, again and again --$'
out_has '(flag\[1\]: true)'
last_line 'VERDICT: BUG'
json_is "[(g['id'], g['status'], g['certainty'], g['stays']) for g in j['goals']] == [('ltl-1', 'violated', \
  'confirmed', False)]"
json_is "[g['property'] for g in j['goals']] == ['ltl']"
json_is "1 <= j['goals'][0]['loop_step'] <= len (j['goals'][0]['trace'])"
json_is "0 < j['goals'][0]['claim']['loop_from'] < sum (e for t, e in j['goals'][0]['schedule']['parts'])"
json_is "any (s.get ('note') == 'flag[1]: true' for s in j['goals'][0]['trace'])"
is_true 'the loop is in the page' grep -q 'from here on, again and again' report.html
is_true 'the loop is in the log' grep -q 'from here on, again and again' report.sarif
try 10 "$LOCKSTEP" replay report.json
out_has '-- from here on, again and again --'
out_has 'replayed: the violation is confirmed'

# A loop that does not close, and a run that the formula allows, are not believed.
python3 - <<'END'
import json
j = json.load (open ('report.json'))
g = j['goals'][0]
g['schedule']['parts'][-1][1] -= 1
json.dump (j, open ('open.json', 'w'))
g['schedule']['parts'][-1][1] += 1
j['options']['fair'] = True
json.dump (j, open ('fair.json', 'w'))
j['options']['fair'] = False
j['options']['ltl'] = 'true'
json.dump (j, open ('other.json', 'w'))
j['options']['ltl'] = None
json.dump (j, open ('none.json', 'w'))
END
try 1 "$LOCKSTEP" replay open.json
err_has 'the loop does not lead back'
try 1 "$LOCKSTEP" replay fair.json
err_has 'the loop is not fair: thread 1 could always move'
try 1 "$LOCKSTEP" replay other.json
err_has 'the formula holds on this run'
try 1 "$LOCKSTEP" replay none.json
err_has 'does not say which formula'

check 10 --ltl='G(request -> F granted)' -DFORGETS "$server"
out_has '^        -- the program stays so for ever --$'
json_is "j['goals'][0]['stays'] and j['goals'][0]['loop_step'] is None"
try 10 "$LOCKSTEP" replay report.json
check 0 --ltl='G(request -> F granted)' --stats "$server"
out_has 'holds on every run'
out_has 'automaton_states'
json_is "[(g['id'], g['status']) for g in j['goals']] == [('ltl', 'proved')]"
check 0 --engine=explicit --ltl='X !request' "$server"
out_has 'because of X'

# What is wrong with a formula is pointed at.
check 1 --ltl='G(reqest -> F granted)' "$server"
err_has 'did you mean `request`'
err_has '^      ^$'
check 1 --ltl='F at(servr, 12)' "$server"
err_has 'did you mean `server`'
check 1 --ltl='F at(server, 1)' "$server"
err_has 'no operation at line `1`'
check 1 --ltl='G(request' "$server"
err_has 'never closed'
check 1 --fair "$server"
err_has '--fair needs a formula'
check 1 --fair --ltl='A true' "$server"
err_has '--fair needs a formula'
check 1 --engine=order --ltl='F granted' "$server"
err_has 'by the engines `explicit` and `circuit`'
check 1 --engine=locks --ltl='F granted' "$server"
err_has 'by the engines `explicit` and `circuit`'

check 1 --engine=explicit --ltl='A true' "$server"
err_has 'by the engine `locks` if it is about threads'

# Help tells in which ways an engine honours an option.
try 0 "$LOCKSTEP" help options
out_has 'for explicit, explicit with --ltl, circuit)'

check 1 --depth=9 --ltl='F granted' "$server"
err_has 'does not go with --depth'

# What runs out is said.
check 5 --ltl='F granted' --memory=5M "$server"

# A run that rests on an invented value breaks nothing, and proves nothing.
cat > invented.c <<'END'
#include <stddef.h>
extern int *outside (void);
int done;
int main (void) {
  if (!outside ()) for (;;) {}
  done = 1;
  return 0;
}
END
check 11 --ltl='F done' invented.c
last_line 'VERDICT: NO BUG WITHIN BOUNDS (ltl only if `outside` returns null)'
json_is "[(g['id'], g['property'], g['status']) for g in j['goals']] == [('ltl-conditional-1', 'ltl', 'conditional')]"
