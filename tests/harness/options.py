"""Every option is honoured or refused: each option of `lockstep check` is tried in each way of checking (`lockstep help
table` lists both).

A way that the table does not name for the option must refuse it by name before any work.  A way that it names must
accept it, and if the option is for some ways only, the report must change on one of the programs below.  A new option
fails here until it has a sample value.
"""
import concurrent.futures
import os
import re
import tempfile

from . import common

RACY = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int (void);
int x, y, z, request;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *work (void *a) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock (&m);
    pthread_mutex_lock (&n);
    y++;
    pthread_mutex_unlock (&n);
    pthread_mutex_unlock (&m);
  }
  x = x + 1;
  z = x + 2;
  return a;
}
int main (void) {
  pthread_t t, u;
  if (__VERIFIER_nondet_int () == 3) request = 1;
  pthread_create (&t, 0, work, 0);
  pthread_create (&u, 0, work, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  assert (x == 2);
  assert (y == 4);
  assert (z < 4);
DONE:
  return 0;
}
"""
SAFE = """
#include <assert.h>
#include <pthread.h>
int x, k;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work (void *a) {
  pthread_mutex_lock (&m);
  if (x < 5) x++;
  assert (x <= 5);
  pthread_mutex_unlock (&m);
  return a;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, work, 0);
  pthread_create (&u, 0, work, 0);
  pthread_join (t, 0);
  pthread_join (u, 0);
  while (k < 3) k++;
  assert (k == 3);
DONE:
  return 0;
}
"""
LATER = """
#include <assert.h>
extern int __VERIFIER_nondet_int (void);
int main (void) {
  int k = __VERIFIER_nondet_int ();
  assert (k != 7);
  while (k > 0 && k < 4) k++;
  assert (k != 5);
DONE:
  return 0;
}
"""
KEPT = """
#include <stdlib.h>
void *kept;
int main (void) { kept = malloc (4); return 0; }
"""
C_PROGRAMS = [("racy.c", ["--property=race,assert"]), ("safe.c", ["--property=assert"]),
              ("later.c", ["--property=assert"])]
BOOLEAN_PROGRAMS = ["tests/boolean/%s.bp" % name for name in ("operators_safe", "threads_bug", "start_in_loop_bug")]
FORMULA, THREAD_FORMULA = "--ltl=G(request -> F ended(main))", "--ltl=A G(acquired(m) -> F released(m))"

# How `check` is called in each way; programs and their options.
WAYS = {
    "auto": (["--timeout=5"], C_PROGRAMS),
    "explicit": (["--engine=explicit"], C_PROGRAMS),
    "order": (["--engine=order", "--timeout=8"], C_PROGRAMS),
    "lazy": (["--engine=lazy", "--timeout=8"],
             [("safe.c", ["--property=assert"]), ("racy.c", ["--property=race"])]),
    "circuit": (["--engine=circuit", "--timeout=8"], C_PROGRAMS[::-1]),
    "boolean+bp": (["--engine=boolean"], [(path, []) for path in BOOLEAN_PROGRAMS]),
    "boolean": (["--engine=boolean", "--property=assert", "--timeout=8"], [("safe.c", []), ("racy.c", [])]),
    "locks": (["--engine=locks"], [("racy.c", ["--property=race"])]),
    "random": (["--engine=random"], [("racy.c", ["--property=race,assert"])]),
    "auto+ltl": ([FORMULA, "--timeout=8"], [("racy.c", [])]),
    "explicit+ltl": (["--engine=explicit", FORMULA], [("racy.c", [])]),
    "circuit+ltl": (["--engine=circuit", FORMULA, "--timeout=8"], [("racy.c", [])]),
    "locks+ltl": ([THREAD_FORMULA], [("racy.c", [])]),
}

# Values of options that are not choices.  FILE is a name in a directory of its own.
SAMPLES = {
    "--property": ["assert"], "--bitstate": [""], "--ltl": None, "--reach-pair": ["15,16"], "--depth": ["4"],
    "--max-threads": ["1"], "--timeout": ["50"], "--memory": ["2G"], "-j": ["2"], "--seed": ["9"], "--steps": ["7"],
    "--runs": ["3"], "--unwind": ["1", "3"], "--unwindset": ["work:1"], "--context-bound": ["1"], "--entry": ["main"],
    "--args": ["one two"], "--error-label": ["DONE"], "-p": None, "-I": ["."], "-isystem": ["."], "-D": ["A"],
    "-U": ["A"], "-include": ["stdio.h"], "-std": ["=gnu11"], "--engine": None, "--baseline": None, "--help": None,
}
# Accepted, but the report of these programs is the same with them: it does not show what they change, they choose one
# of two solvers with the same answers, or (--exhaustive) the search is so small that it is complete anyway.
NO_DIFFERENCE = {("--qbf", "boolean"), ("--qbf-form", "boolean"), ("--property", "boolean+bp"), ("--search", "auto"),
                 ("--solver", "auto"), ("-j", "auto"), ("-j", "auto+ltl"), ("--exhaustive", "explicit"),
                 ("--exhaustive", "auto")}
WITHOUT_TIME = re.compile(r"(?m)^.*(; \d+\.\d+ s$|time \(s\)|memory \(bytes\)|_ms |per second).*$")


def read_table():
    rows, ways = [], {}
    for line in common.run([common.LOCKSTEP, "help", "table"], 20).out.splitlines():
        kind, *fields = line.split("\t")
        if kind == "way":
            ways[fields[0]] = fields[1]
        if kind == "option" and "check" in fields[2].split(","):
            rows.append({"name": fields[0], "title": fields[1], "values": fields[3], "initial": fields[5],
                         "ways": fields[6]})
    return rows, ways


def samples(row):
    """Words for the command line; None: the option is not tried here."""
    name, values = row["name"], row["values"]
    if name in SAMPLES:
        return SAMPLES[name] and [joined(row, v) for v in SAMPLES[name]]
    if values == "none":
        return [[name]]
    if values == "file":
        return [[name + "=FILE"]]
    if values not in ("any", "directory"):
        return [[name + "=" + v] for v in values.split() if v != row["initial"] and v != "abc"]
    raise LookupError("%s has no sample value: add one to tests/harness/options.py" % name)


def joined(row, value):
    joint = "=" if row["name"].startswith("--") and value else ""
    return [row["name"] + joint + value]


def programs_of(way, folder, option):
    base, programs = WAYS[way]
    if option == "--leaks" and way in ("auto", "explicit", "random"):
        programs = [("kept.c", ["--property=leak"])]
    for name, words in programs:
        path = os.path.join(common.ROOT, name) if name.startswith("tests/") else os.path.join(folder, name)
        command = base + words + [path]
        if option == "--reach-pair":  # it is asked instead
            command = [w for w in command if not w.startswith("--property")]
        yield command


def observe(words, folder):
    """What a user sees of a run: exit code, texts without times, files that were written."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        written = os.path.join(place, "out")
        outcome = common.run([common.LOCKSTEP, "check", "--stats"] + [w.replace("FILE", written) for w in words], 60)
        texts = WITHOUT_TIME.sub("", outcome.out.replace(place, "")), outcome.err.replace(place, "")
        return outcome.code, texts, sorted(os.listdir(place)), outcome.err


def given(row, words):
    return any(w == row["name"] or w.startswith(row["name"] + "=") for w in words)


def try_one(item):
    """Why the option is neither honoured nor refused in this way; None: all is well."""
    row, way, values, folder = item
    base = next(programs_of(way, folder, row["name"]))
    if given(row, base):
        return None
    if row["ways"] != "*" and way not in row["ways"].split(","):
        code, _, _, err = observe(values[0] + base, folder)
        named = row["name"] in err
        if way.startswith("auto") and code != 1:  # some engine of the chain knows it
            return None
        return None if code == 1 and named else "is not refused by name (exit code %s): %s" % (code, err)
    changed = row["ways"] == "*" or (row["name"], way) in NO_DIFFERENCE
    for words in programs_of(way, folder, row["name"]):
        before = None if changed else observe(words, folder)
        for value in values:
            after = observe(value + words, folder)
            if after[0] == 1 and row["name"] in after[3]:  # this value, or this language, is refused by name
                changed = changed or row["ways"] == "*"
                continue
            if after[0] not in (0, 10, 11, 5):
                return "%s is not taken (exit code %s): %s" % (" ".join(value), after[0], after[3])
            changed = changed or after[:3] != before[:3]
        if changed:
            return None
    return "changes nothing"


def run(results, options):
    rows, ways = read_table()
    if sorted(ways) != sorted(WAYS):
        results.fail("ways", "tests/harness/options.py should know the ways of `lockstep help table`")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("racy.c", RACY), ("safe.c", SAFE), ("later.c", LATER), ("kept.c", KEPT)):
            with open(os.path.join(folder, name), "w", encoding="utf8") as f:
                f.write(text)
        items = []
        for row in rows:
            if options.match and not re.search(options.match, row["name"]):
                continue
            try:
                values = samples(row)
            except LookupError as error:
                results.fail(row["name"], str(error))
                continue
            for way in ways if values else ():
                # What all ways honour alike is tried once for each language.
                if row["ways"] != "*" or way in ("explicit", "boolean+bp"):
                    items.append((row, way, values, folder))
        items = common.sample(items, options.sample, lambda i: i[0]["name"] + i[1], lambda i: i[1])
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for item, why in zip(items, pool.map(try_one, items)):
                if why:
                    words = item[2][0] + next(programs_of(item[1], folder, item[0]["name"]))
                    results.fail("%s in way %s" % (item[0]["name"], item[1]), why, [common.LOCKSTEP, "check"] + words)
                else:
                    results.ok()
