# Two operations more in the table of ir/ir.h, in a lockstep of its own: `sem_wait_two` with facts and a rule in
# ir/sync.h, which the interpreter of src/verdict does not know, and `strange` with neither. Each engine must execute
# such an operation or refuse it by name; none may pass over it and call the program safe.
. "$(dirname "$0")/lib.sh"

# Only files that depend on the number of operations are compiled again. The other operations keep their numbers, so all
# other objects remain valid. The new objects stand before the library, which then contributes the rest.
build=$(dirname "$LOCKSTEP")
python3 - "$ROOT" "$build" "$work" <<'PYTHON' || exit 1
import concurrent.futures, json, os, re, subprocess, sys
root, build, work = sys.argv[1:]
def depends (path):
    text = open (path, encoding='utf-8').read ()
    return re.search (r'IR_NUM_OPS|IR_OBJECT_OPERATIONS|IR_TEST_OPERATION|->rule_trees|ir_rule_table', text)
commands, objects = [], []
for entry in json.load (open (os.path.join (build, 'compile_commands.json'))):
    path = os.path.normpath (os.path.join (entry['directory'], entry['file']))
    ours = path.startswith (os.path.join (root, 'src')) and path.endswith ('.c')
    wanted = ours and 'liblockstep.a.p' in entry['output']
    if wanted and depends (path):
        objects.append (os.path.join (work, '%d.o' % len (objects)))
        command = re.sub (r' -o \S+', ' -o ' + objects[-1], entry['command'])
        command = re.sub (r' -M[QF] \S+| -MD', '', command)
        commands.append (command.replace (' -O2 ', ' -O1 ') + ' -DIR_TEST_OPERATION')
with concurrent.futures.ThreadPoolExecutor (2) as pool:
    codes = list (pool.map (lambda c: subprocess.call (c, shell=True, cwd=build), commands))
link = subprocess.run (['ninja', '-C', build, '-t', 'commands', 'lockstep'], capture_output=True, text=True).stdout
link = [line for line in link.splitlines () if ' -o lockstep ' in line][-1]
link = link.replace (' -o lockstep ', ' -o %s/lockstep %s ' % (work, ' '.join (objects)))
sys.exit (any (codes) or subprocess.call (link, shell=True, cwd=build))
PYTHON
added=$work/lockstep

cat >posts.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int __lockstep_sem_wait_two (sem_t *), __lockstep_strange (sem_t *);
#ifndef WAIT
#define WAIT __lockstep_sem_wait_two
#endif
sem_t s;
static void *post (void *unused)
{
  for (int i = 0; i < POSTS; i++) sem_post (&s);
  return unused;
}
int main (void)
{
  pthread_t t;
  sem_init (&s, 0, 0);
  pthread_create (&t, 0, post, 0);
  WAIT (&s);
  pthread_join (t, 0);
  int value;
  sem_getvalue (&s, &value);
#ifdef WRONG
  assert (value);
#endif
  return 0;
}
C

# refused NAME ENGINE OPTIONS: neither safe nor a bug (the interpreter cannot confirm one), and the operation is named.
refused () {
  name=$1
  shift
  what="check --engine=$*"
  timeout -k 5 60 "$added" check --timeout=20 --engine="$@" posts.c >"$out" 2>"$err" </dev/null
  code=$?
  case $code in 5 | 6 | 11) ok "$what" ;; *) fail "$what" "exit code $code" ;; esac
  out_has "$name"
}

# With one post too few, the thread waits for ever.
for engine in 'explicit --reduction=none' 'explicit --reduction=transactions' explicit order circuit; do
  refused sem_wait_two $engine --property=deadlock -DPOSTS=1
done
refused 'posts.c:19: waiting at semaphores is not covered' locks --property=deadlock -DPOSTS=1

# With two posts the value is 0 afterwards, which the program denies.
for engine in 'explicit --reduction=none' explicit order 'lazy --depth=20' circuit boolean random auto; do
  refused sem_wait_two $engine --property=assert -DPOSTS=2 -DWRONG
done
for engine in 'explicit --reduction=none' explicit order 'lazy --depth=20' circuit boolean random auto; do
  refused strange $engine --property=assert -DPOSTS=1 -DWAIT=__lockstep_strange
done
refused strange locks --property=deadlock -DPOSTS=1 -DWAIT=__lockstep_strange

# With enough posts, an engine that executes the operation finds nothing wrong.
for engine in explicit order circuit; do
  try 0 "$added" check --timeout=20 --engine=$engine --property=deadlock,assert -DPOSTS=2 posts.c
done
