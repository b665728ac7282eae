// The command line's options: one row each in OPTIONS, from which parsing, help and the "options" of the JSON report
// are made.  To add one: add a row, read options->value[OPT_NAME] where it matters.
#ifndef LOCKSTEP_OPTIONS_H
#define LOCKSTEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/nearest.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "report/report.h"

// Kinds:  FLAG       given or not                       COUNT   given how often
//         NUMBER     min..max                           TIME    30, 500ms, 5m; in milliseconds
//         SIZE       500M, 4G; in bytes                 CHOICE  one of the words in `argument`
//                    argument "[=SIZE]": may be left out, and then `max` is meant
//         TEXT       anything not empty                 PROPERTY  a list, or a .prp file; as a bit set
//         WORDS      words as for a shell, perhaps none
//         CLANG      handed to clang as it is (`argument` "": no argument; else joined or next word)
//         ALIAS      stands for `initial`               OFF     turns the flag `initial` off
//         A FLAG with the initial value 1 is on unless its OFF is given.
// Commands: c check, r run, i ir, k circuit, a abstract, p replay; L: decides how the program is loaded and executed, or what its circuit is,
// so that `replay` takes it from the report or from the circuit's file.
// Ways of checking that honour the option (option_ways in ways.c has the letters; "*": all, "": it is no option of `check`).  `lockstep check` refuses
// an option for whose way it has no use; tests/harness/options.py tries each option with each engine.
//       id                name                 kind      argument     initial  min max  commands ways help
// clang-format off
#define OPTIONS(OPTION)                                                                                               \
  OPTION (PROPERTY,         "--property",         PROPERTY, "LIST",      "assert,race,deadlock,locks,memory",         \
          0, 0, "crkaL", "xldcbBkr",                                                                                               \
          "what to check: of assert, race, deadlock, locks, memory, overflow, leak, uninit; `all` but leak; or an SV-COMP .prp file") \
  OPTION (ENGINE,           "--engine",           TEXT,     "NAME",      "auto", 0, 0, "c", "*",                           \
          "who checks it (see `lockstep help engines`)")                                                              \
  OPTION (REDUCTION,        "--reduction",        CHOICE,                                              \
          "auto|none|left-movers|transactions|stubborn|lock-patterns", "auto", 0, 0, "c", "xXc",                             \
          "interleavings that explicit and circuit may leave out; auto: the most that keeps the properties")          \
  OPTION (SEARCH,           "--search",           CHOICE,   "auto|dfs|bfs", "auto", 0, 0, "c", "x",                        \
          "order of the explicit search: bfs gives the shortest traces, dfs finds deep bugs, auto mixes them")        \
  OPTION (BITSTATE,         "--bitstate",         SIZE,     "[=SIZE]",   "0", 0, 256 << 20, "c", "x",                      \
          "keep a few bits of each state instead of the state: more states, at most NO BUG WITHIN BOUNDS")            \
  OPTION (LTL,              "--ltl",              TEXT,     "FORMULA",   NULL, 0, 0, "cL", "XCK",                             \
          "decide a temporal property instead: of the program, 'G(request -> F granted)', or of its threads, 'A F at(9)'") \
  OPTION (FAIR,             "--fair",             FLAG,     "",          "", 0, 0, "cL", "XC",                              \
          "with --ltl: leave out runs on which a thread could go on from some moment on and never does")              \
  OPTION (REACH_PAIR,       "--reach-pair",       TEXT,     "LOC,LOC",   NULL, 0, 0, "cL", "xldkr",                            \
          "ask instead whether two threads can be at these places at once: label, function:label, line or file:line") \
  OPTION (ERROR_LABEL,      "--error-label",      TEXT,     "LABEL",     NULL, 0, 0, "crikaL", "xldcBr",                         \
          "reaching this C label is a failed assertion: label, or function:label")                                    \
  OPTION (STOP_AT_FIRST,    "--stop-at-first",    FLAG,     "",          "", 0, 0, "c", "xldcbBr",                               \
          "stop at the first bug instead of looking for more")                                                        \
  OPTION (EXHAUSTIVE,       "--exhaustive",       FLAG,     "",          "", 0, 0, "c", "xldb",                               \
          "after a bug, go on to the very end of the search for further ones")                                        \
  OPTION (DEPTH,            "--depth",            NUMBER,   "N",         "0", 0, UINT64_MAX, "c", "xd",                     \
          "follow no execution for more than N steps (0: no limit)")                                                  \
  OPTION (MAX_THREADS,      "--max-threads",      NUMBER,   "N",         "128", 1, IR_MAX_THREADS, "crkaL", "xXldcCbBr",            \
          "follow no execution in which more than N threads are alive at once")                                       \
  OPTION (TIMEOUT,          "--timeout",          TIME,     "TIME",      "0", 0, 0, "crikap", "*",                            \
          "stop after 30, 30s, 500ms, 5m or 1h, counted from the start of lockstep (0: never)")                              \
  OPTION (MEMORY,           "--memory",           SIZE,     "SIZE",      "4G", 0, 0, "crikap", "*",                           \
          "use at most 500M, 4G, ... (0: no limit); the initial value is less if the machine has less")               \
  OPTION (JOBS,             "-j",                 NUMBER,   "N",         "1", 1, 1024, "c", "axc",                           \
          "so much at a time: engines side by side, threads of the explicit search; traces may differ")                                        \
  OPTION (SPURIOUS_WAKEUPS, "--spurious-wakeups", FLAG,     "",          "1", 0, 0, "crkaL", "*",                           \
          "waits on condition variables may end without a signal, as POSIX and C11 allow (on, unless turned off)")    \
  OPTION (NO_SPURIOUS_WAKEUPS, "--no-spurious-wakeups", OFF, "",         "--spurious-wakeups", 0, 0, "crka", "*",          \
          "waits on condition variables end with a signal only")                                                      \
  OPTION (MAY_FAIL,         "--may-fail",         FLAG,     "",          "", 0, 0, "crkaL", "*",                            \
          "malloc and other library calls may fail")                                                                  \
  OPTION (LEAKS,            "--leaks",            CHOICE,   "lost|all",  "lost", 0, 0, "crL", "xr",                    \
          "with --property=leak: memory to which no pointer leads at the end, or all memory that is not freed then")  \
  OPTION (SEED,             "--seed",             NUMBER,   "N",         "0", 0, UINT64_MAX, "cr", "r",                    \
          "seed of random choices; for `run`, 0 is the plain schedule: switch only when blocked")                     \
  OPTION (STEPS,            "--steps",            NUMBER,   "N",         "0", 0, UINT64_MAX, "cr", "r",                    \
          "stop a run after N steps (0: no limit)")                                                                   \
  OPTION (RUNS,             "--runs",             NUMBER,   "N",         "200", 1, UINT64_MAX, "c", "r",                   \
          "executions of the engine `random`")                                                                        \
  OPTION (JSON,             "--json",             TEXT,     "FILE",      NULL, 0, 0, "c", "*",                             \
          "write the report as JSON; `-`: to standard output, instead of the text")                                   \
  OPTION (HTML,             "--html",             TEXT,     "FILE",      NULL, 0, 0, "c", "*",                             \
          "write the report as one page for a browser, with the interleavings to step through")                        \
  OPTION (SARIF,            "--sarif",            TEXT,     "FILE",      NULL, 0, 0, "c", "*",                             \
          "write the report as SARIF 2.1.0, for editors and code scanning")                                           \
  OPTION (WITNESS,          "--witness",          TEXT,     "FILE",      NULL, 0, 0, "c", "*",                             \
          "write an SV-COMP witness of a bug or a proof: .graphml is format 1.0, all else YAML 2.2")                  \
  OPTION (CERTIFICATE,      "--certificate",      TEXT,     "FILE",      NULL, 0, 0, "c", "c",                             \
          "write the invariants of its proofs; `lockstep circuit --check-certificate` checks them")   \
  OPTION (FORCE,            "--force",            FLAG,     "",          "", 0, 0, "cka", "*",                             \
          "write reports also over input files, and over files that are no reports of lockstep")                      \
  OPTION (LOCK_REPORT,      "--lock-report",      FLAG,     "",          "", 0, 0, "c", "xk",                               \
          "say which locks protect which variables and, with --engine=locks, in which order locks are taken")         \
  OPTION (LOCK_GRAPH,       "--lock-graph",       TEXT,     "FILE",      NULL, 0, 0, "c", "k",                             \
          "write the order in which locks are taken as a graph for Graphviz (with --engine=locks)")                   \
  OPTION (EXPLAIN,          "--explain",          FLAG,     "",          "", 0, 0, "cp", "*",                              \
          "say below each bug why it is one, and what may help")                                                      \
  OPTION (BASELINE,         "--baseline",         TEXT,     "FILE",      NULL, 0, 0, "c", "*",                             \
          "hide the findings that FILE accepts: verdict and exit code count only new ones")                           \
  OPTION (WRITE_BASELINE,   "--write-baseline",   TEXT,     "FILE",      NULL, 0, 0, "c", "*",                             \
          "write all findings to FILE, as a baseline for later runs")                                                 \
  OPTION (STATS,            "--stats",            FLAG,     "",          "", 0, 0, "c", "*",                               \
          "add counters to the report")                                                                               \
  OPTION (FULL_TRACE,       "--full-trace",       FLAG,     "",          "", 0, 0, "crp", "*",                             \
          "show every step of an interleaving")                                                                       \
  OPTION (GOAL,             "--goal",             TEXT,     "ID",        NULL, 0, 0, "p", "",                             \
          "replay only this violation, for example race-1")                                                           \
  OPTION (AIGER,            "--aiger",            TEXT,     "FILE",      NULL, 0, 0, "p", "",                             \
          "replay what another checker found in a circuit that `lockstep circuit -o FILE` wrote: an AIGER witness, or ABC's") \
  OPTION (STEP,             "--step",             FLAG,     "",          "", 0, 0, "p", "",                               \
          "step through the interleaving with commands from standard input (h lists them)")                           \
  OPTION (INTERACTIVE,      "-i",                 ALIAS,    "",          "--step", 0, 0, "p", "",                         \
          "the same as --step")                                                                                       \
  OPTION (OUTPUT,           "-o",                 TEXT,     "FILE",      NULL, 0, 0, "ka", "",                             \
          "where the circuit goes: .aig binary AIGER 1.9, .aag its text, .btor2 words; or the Boolean program: x.bp, or `-`") \
  OPTION (PLAIN,            "--plain",            FLAG,     "",          "", 0, 0, "kL", "",                              \
          "AIGER for checkers that know less than 1.9, such as ABC: all latches start as 0, no constraints")          \
  OPTION (WHOLE,            "--whole",            FLAG,     "",          "", 0, 0, "kL", "",                              \
          "AIGER with all latches, also those that are constant, equal to others, or that no bad state depends on")   \
  OPTION (CHECK_CERTIFICATE, "--check-certificate", TEXT,   "FILE",      NULL, 0, 0, "k", "",                             \
          "instead, check the invariants of `check --certificate=FILE`; the file says of which program they are")     \
  OPTION (ENTRY,            "--entry",            TEXT,     "FUNCTION",  "main", 0, 0, "crikaL", "*",                       \
          "where the program starts")                                                                                 \
  OPTION (ARGS,             "--args",             WORDS,    "WORDS",     NULL, 0, 0, "crikaL", "*",                         \
          "the program's arguments, with quotes and backslashes as for a shell (without it: any)") \
  OPTION (BUILD_DIR,        "-p",                 TEXT,     "DIR",       NULL, 0, 0, "crikaL", "*",                         \
          "take files and flags from DIR/compile_commands.json")                                                      \
  OPTION (TRUST_FLAGS,      "--trust-flags",      FLAG,     "",          "", 0, 0, "crikap", "*",                          \
          "take all flags for clang from compile_commands.json and saved reports, not only those known to be harmless") \
  OPTION (DATA_MODEL,       "--data-model",       CHOICE,   "LP64|ILP32", "LP64", 0, 0, "crikaL", "*",                      \
          "sizes of int, long and pointers: 32, 64, 64 bits or 32, 32, 32")                                           \
  OPTION (M32,              "-m32",               ALIAS,    "",          "--data-model=ILP32", 0, 0, "crika", "*",          \
          "the same as --data-model=ILP32")                                                                           \
  OPTION (INCLUDE_DIR,      "-I",                 CLANG,    "DIR",       NULL, 0, 0, "crika", "*",                          \
          "search DIR for #include files")                                                                            \
  OPTION (SYSTEM_DIR,       "-isystem",           CLANG,    "DIR",       NULL, 0, 0, "crika", "*",                          \
          "the same, after all -I")                                                                                   \
  OPTION (DEFINE,           "-D",                 CLANG,    "NAME[=VALUE]", NULL, 0, 0, "crika", "*", "define a macro")     \
  OPTION (UNDEFINE,         "-U",                 CLANG,    "NAME",      NULL, 0, 0, "crika", "*", "undefine a macro")      \
  OPTION (INCLUDE_FILE,     "-include",           CLANG,    "FILE",      NULL, 0, 0, "crika", "*",                          \
          "include FILE before each source")                                                                          \
  OPTION (STANDARD,         "-std",               CLANG,    "=STANDARD", NULL, 0, 0, "crika", "*",                          \
          "language standard, as for clang")                                                                          \
  OPTION (PTHREAD,          "-pthread",           CLANG,    "",          NULL, 0, 0, "crika", "*",                          \
          "accepted; threads are always there")                                                                       \
  OPTION (VERBOSE,          "-v",                 COUNT,    "",          "", 0, 0, "crikap", "*",                           \
          "say more on standard error; -v -v: still more")                                                            \
  OPTION (QUIET,            "-q",                 FLAG,     "",          "", 0, 0, "crikap", "*",                           \
          "say less: only the titles of bugs, and the verdict")                                                       \
  OPTION (NO_COLOR,         "--no-color",         FLAG,     "",          "", 0, 0, "crp", "*",                             \
          "no colours, even on a terminal (also: environment variable NO_COLOR)")                                     \
  OPTION (HELP,             "--help",             FLAG,     "",          "", 0, 0, "crikap", "*", "show this help")         \
  OPTION (UNWIND,           "--unwind",           NUMBER,   "N",         "0", 0, UINT32_MAX, "c", "l",                     \
          "unwind loops and recursion N times (0: more and more, until nothing is left out)")           \
  OPTION (UNWINDSET,        "--unwindset",        TEXT,     "LIST",      NULL, 0, 0, "c", "l",                             \
          "unwind these loops so often: function:line:N for one loop, function:N for all of a function, ...")\
  OPTION (CONTEXT_BOUND,    "--context-bound",    NUMBER,   "N",         "0", 0, UINT32_MAX, "c", "l",                     \
          "only executions with at most N context switches (0: no limit)")                               \
  OPTION (ENCODING,         "--encoding",         CHOICE,   "lazy|eager",  "lazy", 0, 0, "c", "d",                          \
          "interleavings as a token that threads pass on demand, or as a scheduler that lets one thread move at a time")\
  OPTION (CSR,              "--csr",              CHOICE,   "on|off",    "on", 0, 0, "c", "d",                             \
          "use control-state reachability per depth")                          \
  OPTION (PB,               "--pb",               CHOICE,   "on|off",    "on", 0, 0, "c", "d",                             \
          "balance paths and loops with idle steps")                           \
  OPTION (CXT,              "--cxt",              CHOICE,   "on|off",    "on", 0, 0, "c", "d",                             \
          "match calls and returns in control-state reachability")             \
  OPTION (MTX,              "--mtx",              CHOICE,   "on|off",    "on", 0, 0, "ckaL", "dcB",                           \
          "leave out switches that locks exclude")                             \
  OPTION (SOLVER,           "--solver",           CHOICE,   "cadical|z3|both","cadical", 0, 0, "c", "ld",                   \
          "who answers its questions; both: compare the two, for tests")                                 \
  OPTION (BACKEND,          "--backend",          CHOICE,   "auto|bmc|induction|ic3|bdd|abc", "auto", 0, 0, "c", "cC",       \
          "who settles it; auto: bmc for a while, then ic3; with -j they race; abc: berkeley-abc")      \
  OPTION (POR,              "--por",              CHOICE,   "decide|clauses|off", "decide", 0, 0, "ca", "bB",                \
          "threads that may go first alone: found in the solver's decisions, by clauses, or not at all") \
  OPTION (ABSTRACTION,      "--abstraction",      CHOICE,   "auto|cartesian|exact", "auto", 0, 0, "ca", "B",                \
          "after a step predicates one by one, all together, or together where one by one fails") \
  OPTION (ROUNDS,           "--rounds",           NUMBER,   "N",         "0", 0, UINT32_MAX, "a", "",                     \
          "refine so often before the Boolean program is written, as long as it has paths that the program has not")   \
  OPTION (QBF,              "--qbf",              CHOICE,   "own|depqbf|both", "own", 0, 0, "ca", "bB",                      \
          "who decides whether states were seen before; both: compare the two, for tests")            \
  OPTION (QBF_FORM,         "--qbf-form",         CHOICE,   "auto|inputs|state", "auto", 0, 0, "ca", "bB",                   \
          "how that is asked: over choices, over values of variables, or whichever are fewer")        \
  OPTION (PARAMETERS,       "--parameters",       CHOICE,   "canonical|plain", "canonical", 0, 0, "ca", "bB",                \
          "formulas of few variables are made anew from their values, or stay as they are")
// clang-format on

typedef enum option_id {
#define OPTION(ID, NAME, KIND, ARGUMENT, INITIAL, MIN, MAX, COMMANDS, WAYS, HELP) OPT_##ID,
  OPTIONS (OPTION)
#undef OPTION
  NUM_OPTIONS
} option_id;

typedef enum option_kind {
  OPTION_FLAG, OPTION_COUNT, OPTION_NUMBER, OPTION_TIME, OPTION_SIZE, OPTION_CHOICE, OPTION_TEXT, OPTION_WORDS,
  OPTION_PROPERTY,
  OPTION_CLANG, OPTION_ALIAS, OPTION_OFF
} option_kind;

typedef struct option_row {
  const char *name;
  option_kind kind;
  const char *argument, *initial;
  uint64_t min, max;
  const char *commands, *ways, *help;
} option_row;
extern const option_row option_table[NUM_OPTIONS];

typedef struct option_setting {
  uint64_t number;             // FLAG 0 or 1, COUNT, NUMBER, TIME, SIZE, PROPERTY
  const char *text;            // CHOICE, TEXT, WORDS; PROPERTY: as a list; NULL: not given
  bool given;                  // by the user
} option_setting;

typedef struct options {
  arena *arena;                // owns the strings
  char command;                // 'c' 'r' 'i' 'k' 'p'
  option_setting value[NUM_OPTIONS];
  report_names files;          // words that are no options
  report_names clang_flags;    // in the user's order
  bool clang_flags_are_saved;  // they come from a report or a circuit, not from the command line
  report_names properties;     // arguments of --property
  const char *specification;   // the text of the property file, or NULL
  const char *property_file;   // its name, or NULL
  strbuf stopped;              // why reading it was given up: "time limit of 2 s"; empty: it was not
} options;

void options_init (options *, char command);       // initial values
void options_release (options *);
// The words after the command.  False after diag_error.
bool options_parse (options *, int argc, char **argv);
// One option by its name with dashes; as if given on the command line.  False after diag_error.
bool options_set (options *, const char *name, const char *value);
// What a report records: every long option that has a value.
void options_record (const options *, report_input *);
// Takes those marked L from a saved report.  False after diag_error.
bool options_restore (options *, const report_saved *);
void options_print_help (char command, FILE *);    // the rows of one command

// ---- who honours an option (ways.c) ----
// Options mean something for some engines only, and for some of those only in one of their ways.
typedef struct option_way {
  char letter;                 // as in the table
  const char *engine;
  const char *when;            // " with --ltl", or ""
  bool is_for_formulas;
} option_way;
struct task;
extern const option_way option_ways[];             // ended by the letter 0
void options_print_ways (const option_row *, bool with_formulas, strbuf *out);   // "order, circuit with --ltl"
// Is each option that was given honoured by the engine (a name, perhaps `auto`)?  Of `auto` the engines that would have to ignore a bound are put into the
// task, not to be started.  False after diag_error.
bool options_are_honoured (const options *, const char *engine, struct task *);
// For a command that does something else if one option is given, the `way`: is each option that was given among those known to it, whose list
// ends with NUM_OPTIONS?  False after diag_error.
bool options_are_only (const options *, const char *way, const option_id *known);

// ---- properties (property.c) ----
// "race,deadlock", "all" or a path that ends in .prp.  On false *why says what is wrong.  `entry` is set if a
// property file names another function than main.
typedef struct property_choice {
  uint32_t properties;         // bit set of 1 << ir_property
  const char *entry;           // or NULL
  bool all_leaks;              // a property file asks that all memory is freed (valid-memcleanup)
  const char *specification;   // the text of the file without comments and needless blanks; NULL: it was a list
  const char *stopped;         // why the budget ended the reading of the file: "time limit of 2 s"; NULL: it did not
} property_choice;
bool property_parse (arena *, const char *text, const budget * /* or NULL */, property_choice *, strbuf *why);
void property_print (uint32_t properties, strbuf *out);   // "race,deadlock"

#endif
