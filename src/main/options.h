// Options of the command line.  Options of all commands and engines are rows of OPTIONS; the options of one engine are
// in a table in its folder (engine.options).  The type `options` combines them for parsing, help, reports and `replay`.
// To add an option: add a row, and read options->value[OPT_NAME], or the engine's record, where it matters.
#ifndef LOCKSTEP_OPTIONS_H
#define LOCKSTEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/nearest.h"
#include "base/option.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "ir/ir.h"
#include "report/report.h"

// The engines that honour an option: those that list a shared_option, or one of these.
enum {
  HONOURED_BY_ALL = NUM_SHARED_OPTIONS,
  HONOURED_BY_NONE,            // the option is not one of `check`
  HONOURED_BY_OWNERS           // the engines whose tables have the option
};
enum {
  ALL_LOADING = FOR_CHECK | FOR_RUN | FOR_IR | FOR_CIRCUIT | FOR_ABSTRACT,
  ALL_EXECUTING = FOR_CHECK | FOR_RUN | FOR_CIRCUIT | FOR_ABSTRACT,
  ALL_COMMANDS = ALL_LOADING | FOR_REPLAY
};

#define LEAKS_WORDS(WORD) WORD (LEAKS_LOST, "lost") WORD (LEAKS_ALL, "all")
typedef enum leaks_choice { LEAKS_WORDS (OPTION_WORD_ID) } leaks_choice;
#define DATA_MODEL_WORDS(WORD) WORD (DATA_MODEL_LP64, "LP64") WORD (DATA_MODEL_ILP32, "ILP32")
typedef enum data_model_choice { DATA_MODEL_WORDS (OPTION_WORD_ID) } data_model_choice;

// A FLAG with the initial value 1 is on unless its OFF is given.  `lockstep check` refuses an option that the chosen
// way of checking ignores; tests/harness/options.py tries each option in each way of each engine.  Columns: id, name,
// kind, argument, initial value, min, max, uses, engines that honour it, help.
// clang-format off
#define OPTIONS(OPTION)                                                                                               \
  OPTION (PROPERTY, "--property", PROPERTY, "LIST", "assert,race,deadlock,locks,memory", 0, 0,                        \
          ALL_EXECUTING | IS_SAVED, SHARED_PROPERTY,                                                                  \
          "what to check: of assert, race, deadlock, locks, memory, overflow, leak, uninit; `all` but leak; or "      \
          "an SV-COMP .prp file")                                                                                     \
  OPTION (ENGINE, "--engine", TEXT, "NAME", "auto", 0, 0, FOR_CHECK, HONOURED_BY_ALL,                                 \
          "the engine that checks the program (see `lockstep help engines`)")                                         \
  OPTION (LTL, "--ltl", TEXT, "FORMULA", NULL, 0, 0, FOR_CHECK | IS_SAVED, SHARED_LTL,                                \
          "decide a temporal property instead: of the program, 'G(request -> F granted)', or of its threads, "        \
          "'A F at(9)'")                                                                                              \
  OPTION (FAIR, "--fair", FLAG, "", "", 0, 0, FOR_CHECK | IS_SAVED, SHARED_FAIR,                                      \
          "with --ltl: leave out runs on which a thread, from some moment on, can always step and never does")        \
  OPTION (REACH_PAIR, "--reach-pair", TEXT, "LOC,LOC", NULL, 0, 0, FOR_CHECK | IS_SAVED, SHARED_REACH_PAIR,           \
          "ask instead whether two threads can be at these places at once: label, function:label, line or file:line") \
  OPTION (ERROR_LABEL, "--error-label", TEXT, "LABEL", NULL, 0, 0, ALL_LOADING | IS_SAVED, SHARED_ERROR_LABEL,        \
          "reaching this C label is a failed assertion: label, or function:label")                                    \
  OPTION (STOP_AT_FIRST, "--stop-at-first", FLAG, "", "", 0, 0, FOR_CHECK, SHARED_STOP_AT_FIRST,                      \
          "stop at the first bug instead of looking for more")                                                        \
  OPTION (EXHAUSTIVE, "--exhaustive", FLAG, "", "", 0, 0, FOR_CHECK, SHARED_EXHAUSTIVE,                               \
          "after a bug, go on to the very end of the search for further ones")                                        \
  OPTION (DEPTH, "--depth", NUMBER, "N", "0", 0, UINT64_MAX, FOR_CHECK | IS_BOUND, SHARED_DEPTH,                      \
          "follow no execution for more than N steps (0: no limit)")                                                  \
  OPTION (MAX_THREADS, "--max-threads", NUMBER, "N", "128", 1, IR_MAX_THREADS,                                        \
          ALL_EXECUTING | IS_SAVED | IS_BOUND, SHARED_MAX_THREADS,                                                    \
          "follow no execution in which more than N threads are alive at once")                                       \
  OPTION (TIMEOUT, "--timeout", TIME, "TIME", "0", 0, 0, ALL_COMMANDS, HONOURED_BY_ALL,                               \
          "stop after 30, 30s, 500ms, 5m or 1h, counted from the start of lockstep (0: never)")                       \
  OPTION (MEMORY, "--memory", SIZE, "SIZE", "4G", 0, 0, ALL_COMMANDS, HONOURED_BY_ALL,                                \
          "use at most 500M, 4G, ... (0: no limit); the initial value is less if the machine has less")               \
  OPTION (JOBS, "-j", NUMBER, "N", "1", 1, 1024, FOR_CHECK, SHARED_JOBS,                                              \
          "number of jobs at a time: engines in parallel, threads of the explicit search; traces may differ")         \
  OPTION (SPURIOUS_WAKEUPS, "--spurious-wakeups", FLAG, "", "1", 0, 0,                                                \
          ALL_EXECUTING | IS_SAVED, HONOURED_BY_ALL,                                                                  \
          "waits on condition variables may end without a signal, as POSIX and C11 allow (on, unless turned off)")    \
  OPTION (NO_SPURIOUS_WAKEUPS, "--no-spurious-wakeups", OFF, "", "--spurious-wakeups", 0, 0,                          \
          ALL_EXECUTING, HONOURED_BY_ALL,                                                                             \
          "waits on condition variables end with a signal only")                                                      \
  OPTION (MAY_FAIL, "--may-fail", FLAG, "", "", 0, 0,                                                                 \
          ALL_EXECUTING | IS_SAVED, HONOURED_BY_ALL,                                                                  \
          "malloc and other library calls may fail")                                                                  \
  OPTION (LEAKS, "--leaks", CHOICE, OPTION_CHOICES (LEAKS_WORDS), "lost", 0, 0,                                       \
          FOR_CHECK | FOR_RUN | IS_SAVED, SHARED_LEAKS,                                                               \
          "with --property=leak: memory to which no pointer leads at the end, or all memory that is not freed then")  \
  OPTION (JSON, "--json", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, HONOURED_BY_ALL,                                       \
          "write the report as JSON; `-`: to standard output, instead of the text")                                   \
  OPTION (HTML, "--html", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, HONOURED_BY_ALL,                                       \
          "write the report as one page for a browser, with the interleavings to step through")                       \
  OPTION (SARIF, "--sarif", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, HONOURED_BY_ALL,                                     \
          "write the report as SARIF 2.1.0, for editors and code scanning")                                           \
  OPTION (WITNESS, "--witness", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, HONOURED_BY_ALL,                                 \
          "write an SV-COMP witness of a bug or a proof: .graphml is format 1.0, all else YAML 2.2")                  \
  OPTION (CERTIFICATE, "--certificate", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, SHARED_CERTIFICATE,                      \
          "write the invariants of its proofs; `lockstep circuit --check-certificate` checks them")                   \
  OPTION (FORCE, "--force", FLAG, "", "", 0, 0, FOR_CHECK | FOR_CIRCUIT | FOR_ABSTRACT, HONOURED_BY_ALL,              \
          "write reports also over input files, and over files that are no reports of lockstep")                      \
  OPTION (LOCK_REPORT, "--lock-report", FLAG, "", "", 0, 0, FOR_CHECK, SHARED_LOCK_REPORT,                            \
          "say which locks protect which variables and, with --engine=locks, in which order locks are acquired")      \
  OPTION (LOCK_GRAPH, "--lock-graph", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, SHARED_LOCK_GRAPH,                         \
          "write the order in which locks are acquired as a graph for Graphviz (with --engine=locks)")                \
  OPTION (EXPLAIN, "--explain", FLAG, "", "", 0, 0, FOR_CHECK | FOR_REPLAY, HONOURED_BY_ALL,                          \
          "say below each bug why it is one, and what may help")                                                      \
  OPTION (BASELINE, "--baseline", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, HONOURED_BY_ALL,                               \
          "hide the findings that FILE accepts: verdict and exit code count only new ones")                           \
  OPTION (WRITE_BASELINE, "--write-baseline", TEXT, "FILE", NULL, 0, 0, FOR_CHECK, HONOURED_BY_ALL,                   \
          "write all findings to FILE, as a baseline for later runs")                                                 \
  OPTION (STATS, "--stats", FLAG, "", "", 0, 0, FOR_CHECK, HONOURED_BY_ALL, "add counters to the report")             \
  OPTION (FULL_TRACE, "--full-trace", FLAG, "", "", 0, 0, FOR_CHECK | FOR_RUN | FOR_REPLAY, HONOURED_BY_ALL,          \
          "show every step of an interleaving")                                                                       \
  OPTION (GOAL, "--goal", TEXT, "ID", NULL, 0, 0, FOR_REPLAY, HONOURED_BY_NONE,                                       \
          "replay only this violation, for example race-1")                                                           \
  OPTION (AIGER, "--aiger", TEXT, "FILE", NULL, 0, 0, FOR_REPLAY, HONOURED_BY_NONE,                                   \
          "replay what another checker found in a circuit that `lockstep circuit -o FILE` wrote: an AIGER "           \
          "witness, or ABC's")                                                                                        \
  OPTION (STEP, "--step", FLAG, "", "", 0, 0, FOR_REPLAY, HONOURED_BY_NONE,                                           \
          "step through the interleaving with commands from standard input (h lists them)")                           \
  OPTION (INTERACTIVE, "-i", ALIAS, "", "--step", 0, 0, FOR_REPLAY, HONOURED_BY_NONE, "the same as --step")           \
  OPTION (OUTPUT, "-o", TEXT, "FILE", NULL, 0, 0, FOR_CIRCUIT | FOR_ABSTRACT, HONOURED_BY_NONE,                       \
          "where the circuit goes: .aig binary AIGER 1.9, .aag its text, .btor2 words; or the Boolean program: "      \
          "x.bp, or `-`")                                                                                             \
  OPTION (PLAIN, "--plain", FLAG, "", "", 0, 0, FOR_CIRCUIT | IS_SAVED, HONOURED_BY_NONE,                             \
          "AIGER for checkers that know less than 1.9, such as ABC: all latches start as 0, no constraints")          \
  OPTION (WHOLE, "--whole", FLAG, "", "", 0, 0, FOR_CIRCUIT | IS_SAVED, HONOURED_BY_NONE,                             \
          "AIGER with all latches, also those that are constant, equal to others, or that no bad state depends on")   \
  OPTION (CHECK_CERTIFICATE, "--check-certificate", TEXT, "FILE", NULL, 0, 0, FOR_CIRCUIT, HONOURED_BY_NONE,          \
          "instead, check the invariants of `check --certificate=FILE`; the file says of which program they are")     \
  OPTION (ENTRY, "--entry", TEXT, "FUNCTION", "main", 0, 0, ALL_LOADING | IS_SAVED, HONOURED_BY_ALL,                  \
          "where the program starts")                                                                                 \
  OPTION (ARGS, "--args", WORDS, "WORDS", NULL, 0, 0, ALL_LOADING | IS_SAVED, HONOURED_BY_ALL,                        \
          "the program's arguments, with quotes and backslashes as for a shell (without it: any)")                    \
  OPTION (BUILD_DIR, "-p", TEXT, "DIR", NULL, 0, 0, ALL_LOADING | IS_SAVED, HONOURED_BY_ALL,                          \
          "take files and flags from DIR/compile_commands.json")                                                      \
  OPTION (TRUST_FLAGS, "--trust-flags", FLAG, "", "", 0, 0, ALL_COMMANDS, HONOURED_BY_ALL,                            \
          "take all flags for clang from compile_commands.json and saved reports, not only those known to be "        \
          "harmless")                                                                                                 \
  OPTION (DATA_MODEL, "--data-model", CHOICE, OPTION_CHOICES (DATA_MODEL_WORDS), "LP64", 0, 0,                        \
          ALL_LOADING | IS_SAVED, HONOURED_BY_ALL,                                                                    \
          "sizes of int, long and pointers: 32, 64, 64 bits or 32, 32, 32")                                           \
  OPTION (M32, "-m32", ALIAS, "", "--data-model=ILP32", 0, 0, ALL_LOADING, HONOURED_BY_ALL,                           \
          "the same as --data-model=ILP32")                                                                           \
  OPTION (INCLUDE_DIR, "-I", CLANG, "DIR", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL,                                  \
          "search DIR for #include files")                                                                            \
  OPTION (SYSTEM_DIR, "-isystem", CLANG, "DIR", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL,                             \
          "the same, after all -I")                                                                                   \
  OPTION (DEFINE, "-D", CLANG, "NAME[=VALUE]", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL, "define a macro")            \
  OPTION (UNDEFINE, "-U", CLANG, "NAME", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL, "undefine a macro")                \
  OPTION (INCLUDE_FILE, "-include", CLANG, "FILE", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL,                          \
          "include FILE before each source")                                                                          \
  OPTION (STANDARD, "-std", CLANG, "=STANDARD", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL,                             \
          "language standard, as for clang")                                                                          \
  OPTION (PTHREAD, "-pthread", CLANG, "", NULL, 0, 0, ALL_LOADING, HONOURED_BY_ALL,                                   \
          "accepted without effect: threads are always supported")                                                    \
  OPTION (VERBOSE, "-v", COUNT, "", "", 0, 0, ALL_COMMANDS, HONOURED_BY_ALL,                                          \
          "say more on standard error; -v -v: still more")                                                            \
  OPTION (QUIET, "-q", FLAG, "", "", 0, 0, ALL_COMMANDS, HONOURED_BY_ALL,                                             \
          "say less: only the titles of bugs, and the verdict")                                                       \
  OPTION (NO_COLOR, "--no-color", FLAG, "", "", 0, 0, FOR_CHECK | FOR_RUN | FOR_REPLAY, HONOURED_BY_ALL,              \
          "no colours, even on a terminal (also: environment variable NO_COLOR)")                                     \
  OPTION (HELP, "--help", FLAG, "", "", 0, 0, ALL_COMMANDS, HONOURED_BY_ALL, "show this help")                        \
  OPTION (MTX, "--mtx", SWITCH, "on|off", "on", 0, 0, FOR_CHECK | FOR_CIRCUIT | FOR_ABSTRACT | IS_SAVED, SHARED_MTX,  \
          "leave out context switches that locks exclude")
// clang-format on

typedef enum option_id {
#define OPTION(ID, ...) OPT_##ID,
  OPTIONS (OPTION)
#undef OPTION
  NUM_OPTIONS
} option_id;
enum { OPTION_ROOM = NUM_OPTIONS + 40 };
extern const option_row common_options[NUM_OPTIONS];

// An option as `lockstep` knows it.  Several engines may have an option of the same name: its kind and argument are
// then the same, and its help is that of the first engine.
typedef struct known_option {
  const option_row *row;
  const char *initial;         // initial value as a word; NULL: none
  uint32_t honoured;           // a shared_option or HONOURED_BY_...: the engines that honour it
} known_option;

typedef struct options {
  arena *arena;                // owns the strings
  option_use command;
  known_option known[OPTION_ROOM];    // [0..num_known[: common options at their ids, then those of engines
  uint32_t num_known;
  option_setting value[OPTION_ROOM];
  report_names files;          // words that are no options
  report_names clang_flags;    // in the user's order
  bool clang_flags_are_saved;  // the flags come from a report or a circuit, not from the command line
  report_names properties;     // arguments of --property
  const char *specification;   // text of the property file, or NULL
  const char *property_file;   // name of the property file, or NULL
  strbuf stopped;              // reason why reading that file was stopped: "time limit of 2 s"; empty: it was not
} options;

void options_init (options *, option_use command);   // initial values for one command
void options_release (options *);
// Parses the words after the command.  False after diag_error.
bool options_parse (options *, int argc, char **argv);
// Sets one option, by its name with dashes, as if it was given on the command line.  False after diag_error.
bool options_set (options *, const char *name, const char *value);
// Records every long option that has a value in a report.
void options_record (const options *, report_input *);
// Sets the saved options of a report.  False after diag_error.
bool options_restore (options *, const report_saved *);
// Gives a task the records of the engines' own options.  They live as long as `options`.
void options_pass_to_engines (const options *, task *);
void options_print_help (option_use command, FILE *);   // prints the rows of one command

// ---- engines that honour an option (ways.c) ----
// An option may have a meaning for some engines only, and for some of those only in one of their ways.
bool options_depend_on_engine (const known_option *);  // only some engines honour it
void options_print_ways (const known_option *, bool with_formulas, strbuf *out);   // "circuit, boolean on C programs"
// Checks that the engine, perhaps `auto`, honours each given option, and that the options are compatible.  Lists in the
// task the engines that `auto` must not start because they would ignore a bound.  False after diag_error.
bool options_are_honoured (const options *, const engine *, task *);
void options_print_way_names (const known_option *, FILE *);   // for other programs: "circuit,boolean+bp"
void options_print_way_table (FILE *);             // explains these names, as lines of `help table`
// For a command that does something else if one option, the `way`, is given: checks that each given option is in the
// list `known`, which ends with NUM_OPTIONS.  False after diag_error.
bool options_are_only (const options *, const char *way, const option_id *known);

// ---- properties (property.c) ----
// The value of --property.
typedef struct property_choice {
  uint32_t properties;         // bit set of 1 << ir_property
  // function in which the program starts if a property file names another than main, or NULL
  const char *entry;
  bool all_leaks;              // a property file requires that all memory is freed (valid-memcleanup)
  const char *specification;   // text of the property file without comments and needless blanks; NULL: a list
  // reason why the budget ended the reading of the file: "time limit of 2 s"; NULL: it did not
  const char *stopped;
} property_choice;
// Parses "race,deadlock", "all" or a path that ends in .prp.  False: *why says what is wrong.
bool property_parse (arena *, const char *text, const budget * /* or NULL */, property_choice *, strbuf *why);
void property_print (uint32_t properties, strbuf *out);   // "race,deadlock"

#endif
