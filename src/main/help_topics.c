// The texts of `lockstep help TOPIC`.  Plain data; lists that the program knows (options, engines) are added by help.c.
#include "main/main_impl.h"

// clang-format off
const help_page help_pages[] = {
  {"races", "what counts as a data race, and how to read one",
   "A data race: two threads are about to access the same memory, at least one of them writes, and at least one of\n"
   "the accesses is not atomic. lockstep looks for a reachable state in which both stand before their access; neither\n"
   "lock sets nor timing decide, so a race that is reported can happen, and the interleaving shows how.\n"
   "\n"
   "  - `volatile` is not atomic. C11 atomics, __atomic_* and __sync_* are.\n"
   "  - Accesses inside one atomic region (__VERIFIER_atomic_begin/end, lockstep_atomic_begin/end) do not race with\n"
   "    accesses inside another.\n"
   "  - Memory is sequentially consistent: effects of weaker orders are not explored.\n"
   "  - free() counts as a write of the whole object.\n"
   "\n"
   "In the report, the rows marked >> are the two accesses; {m} lists the locks a thread holds after a step. A race is\n"
   "usually cured by holding one common lock at both places; --explain says which lock the other places hold.\n"},
  {"deadlocks", "what counts as a deadlock",
   "A deadlock: a reachable state in which some threads can never step again. Either they wait for each other in a\n"
   "circle (even if other threads still run), or nobody can step and not all threads have ended.\n"
   "\n"
   "  - Waiting for a condition variable, semaphore or barrier counts when nobody is left who could end the wait.\n"
   "  - Waiting for a lock whose owner has ended counts; so does a normal mutex locked twice by its owner.\n"
   "  - Timed operations never block for ever.\n"
   "  - Returning from main and exit() end all threads: that is no deadlock.\n"
   "  - Waits end without a signal only with --spurious-wakeups.\n"
   "\n"
   "In the report, the rows marked >> are the operations the threads are stuck at, with who holds what. --explain adds\n"
   "the order in which the locks were taken, and one that would do; or the signal that came too early.\n"},
  {"bounds", "SAFE, NO BUG WITHIN BOUNDS, UNKNOWN: what they promise",
   "SAFE is said only when every execution of the program, as modelled, was covered. The model's assumptions are listed\n"
   "in the report, for example what a function without a body may return.\n"
   "\n"
   "NO BUG WITHIN BOUNDS: some executions were cut off or some values left out, and the report says which, under\n"
   "`bounds`: --depth, --max-threads, --unwind, --context-bound, or input values of which only some were tried.\n"
   "\n"
   "UNKNOWN: the run ended before an answer: --timeout, --memory, Ctrl-C, or a construct lockstep cannot model (named with\n"
   "file and line). Bugs found until then are reported, and then the verdict is BUG.\n"},
  {"engines", "the ways to check a program",
   "An engine searches or proves. Every bug an engine claims is executed again, step by step, by an interpreter that\n"
   "shares no code with it; only then is it shown.\n"
   "\n"
   "auto, the default, asks locks first; what that proves is settled. The rest is searched by explicit for two seconds, then\n"
   "asked of lazy for a third of the time that is left; what lazy neither refutes nor proves goes to circuit, and then to\n"
   "explicit again. With -j 2 or more they work side by side. A property that one of them has proved is not asked of the\n"
   "others. Each works in a process of its own, so one that fails does not end the others. If nobody has an answer when\n"
   "time is up, what is known within bounds is said.\n"
   "\n"
   "locks looks at the locks that threads hold, the order in which they took them, and the creation and joining of threads,\n"
   "for the whole program at once. It proves that races and deadlocks cannot happen, or lists what it cannot exclude as\n"
   "possible; it executes nothing, so large programs are no obstacle. --lock-report and --lock-graph show which lock\n"
   "protects what, and returns that seem to have forgotten a lock; --reach-pair and --ltl ask questions of your own\n"
   "(docs/engines/locks.md).\n"
   "\n"
   "explicit visits every state of the program, one by one: it proves finite programs and finds deep bugs with\n"
   "concrete data. It begins breadth first, for short traces, and mixes in depth first\n"
   "when the space is large; --search=bfs and --search=dfs insist on one. Interleavings that cannot matter are left out\n"
   "(--reduction=auto; none leaves out nothing; docs/engines/explicit.md tells the others), and some executions are tried at\n"
   "random first. -j N uses N processors, --bitstate a few bits per state.\n"
   "\n"
   "lazy unwinds loops and asks a SAT solver for a bad execution, with all data and interleavings at once: bugs that depend on\n"
   "few of many values, and proofs where loops end (--unwind=N; docs/engines/lazy.md).\n"
   "\n"
   "circuit makes the program a sequential circuit and looks for an inductive invariant (IC3): proofs also where loops do not\n"
   "end, and for any number of like threads (docs/engines/circuit.md).\n"
   "\n"
   "random executes the program --runs=N times under random schedules and inputs: a quick look that proves nothing.\n"},
  {"formulas", "--ltl: what must happen in the long run",
   "--ltl=FORMULA asks a question of linear temporal logic instead of the properties:\n"
   "\n"
   "  lockstep check --ltl='G(request -> F granted)' --fair server.c\n"
   "\n"
   "G always, F at some time, U until, W unless, R release, X next; && || ! -> <-> ( ).  Propositions:\n"
   "\n"
   "  x == 3   s.f < 5   a[1] != y   x         global and static variables\n"
   "  at(12)   at(label)   at(worker, 12)      where threads stand\n"
   "  locked(m)   holds(worker, m)             locks\n"
   "  ended(worker)   ended(main)              threads and the process\n"
   "\n"
   "Every run counts, in every interleaving.  A run that has stopped stays as it is for ever.  With --fair, runs on which\n"
   "a thread could always go on and never does are left out.  A formula that begins with A or E is about single threads.\n"
   "docs/formats/ltl.md says more.\n"},
  {"models", "what lockstep knows about C and its libraries",
   "One load or store of up to 8 bytes is one step; memory is sequentially consistent.\n"
   "\n"
   "  - Threads, mutexes (normal, recursive, errorcheck), rwlocks, condition variables, barriers, spin locks, once, keys of\n"
   "    POSIX; threads.h and stdatomic.h of C11; GNU __sync_* and __atomic_*; POSIX semaphores.\n"
   "  - libevent: callbacks of events at a base are run by its loop, in any order (no priorities, no bufferevents). Without\n"
   "    evthread_use_pthreads, two threads that use one base at once race.\n"
   "  - Library calls do not fail, unless --may-fail is given.\n"
   "  - Globals have their initial values; uninitialised locals and heap memory have any value.\n"
   "  - A function without a body returns any value and is taken to change nothing. Since it might, such a program is at\n"
   "    best free of bugs within bounds; the report lists it.\n"
   "  - Signals do not arrive: their handlers are not run, which is listed as a bound.\n"
   "  - For harnesses: __VERIFIER_* as in SV-COMP, and lockstep.h.\n"
   "\n"
   "`lockstep ir FILE` prints what became of a program, with the models of the library functions it uses.\n"},
  {"exit-codes", "what the exit code says",
   "check and replay:\n"
   "   0  safe: proved for the program as modelled\n"
   "  10  a bug was found (replay: and confirmed)\n"
   "  11  no bug within bounds\n"
   "   5  unknown\n"
   "   1  usage or input error; also a report that could not be written\n"
   "   6  internal error\n"
   "With --baseline, findings that it accepts do not count: 10 means a new one (`lockstep help baseline`).\n"
   "\n"
   "run: 10 if a violation was seen; 5 if the run was stopped (limit, unsupported construct, false assumption); 1 if the\n"
   "program could not be loaded; else the exit code of the program.\n"},
  {"reports", "what a report shows, and its other forms",
   "The text report shows what was confirmed before what is only possible, and memory errors, failed assertions and\n"
   "overflows before races, deadlocks and misuse of locks. Findings about one variable or lock stand together under its\n"
   "name. Then comes a line for each property, what was assumed and what bounded the answer; the verdict is always last.\n"
   "\n"
   "  --explain            why each bug is one and what may help, from its interleaving and the locks held\n"
   "  --full-trace         leaves no step out\n"
   "  -q                   only the titles of the bugs, and the verdict\n"
   "  --lock-report        which locks protect which variables, and in which order they are taken\n"
   "  --json=FILE          everything, for programs; `lockstep replay FILE` executes the bugs again\n"
   "  --html=FILE          one page for a browser\n"
   "  --sarif=FILE         for editors and code scanning\n"
   "  --witness=FILE       for validators of SV-COMP\n"
   "  --lock-graph=FILE    the order of locks, for Graphviz\n"
   "\n"
   "`lockstep replay --step REPORT.json` steps through a bug in the terminal, forward and back, with source lines, the\n"
   "locks held and the values of variables.\n"},
  {"baseline", "accepting what is known, to see only what is new",
   "`--write-baseline=FILE` writes every finding of the run to FILE, one line each: a fingerprint, and the message for people.\n"
   "`--baseline=FILE` hides the findings of FILE in later runs. Lines may be deleted by hand; both options may name one file.\n"
   "\n"
   "Verdict and exit code are then those of a run that had not found the hidden ones: 10 only for a new bug; 0 if the\n"
   "search was complete; otherwise 11 or 5, as the bounds or the reason in the report say. The last line counts what was hidden:\n"
   "`VERDICT: SAFE (beside 2 accepted findings)`. Notes in the report name the file, and say how many of its lines\n"
   "matched nothing, because they were mended or because this run did not come so far.\n"
   "\n"
   "A fingerprint is made of the property, the variable or lock, and for each thread the function, the name of the file, the text\n"
   "of the line and what is done there. It survives when code is moved; it changes when the line itself is changed. Each line hides\n"
   "one finding. What was only possible when it was accepted is shown again if it is confirmed (docs/formats/baseline.md).\n"},
  {"ci", "lockstep in continuous integration",
   "  lockstep check -q --timeout=5m --baseline=lockstep.baseline --json=report.json -p build\n"
   "\n"
   "Exit code 10 is a new bug, 1 a mistake in the call. 0, 11 and 5 found nothing new; whether 11 (bounds) and 5 (no answer) are good\n"
   "enough is for the project to say. --timeout ends the run with what was found so far. Keep report.json: `lockstep replay`\n"
   "executes the bug again on any machine with the same source. docs/ci.md has snippets for GitHub, GitLab, CMake and Make.\n"},
  {"json", "the report for programs",
   "`--json=FILE` writes one JSON object, `--json=-` writes it to standard output instead of the text. It holds the\n"
   "verdict, every goal with locations and trace, assumptions, bounds, statistics, the options, and the schedule of\n"
   "each bug; `lockstep replay FILE` executes these again. The format is described in docs/formats/json.md.\n"},
  {"options", "all options",
   "Options of each command, with their initial values in brackets. A value may follow as --option=VALUE or as the next word.\n"},
  {NULL, NULL, NULL},
};
// clang-format on
