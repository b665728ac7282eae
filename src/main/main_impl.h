// The commands and what they share.
#ifndef LOCKSTEP_MAIN_IMPL_H
#define LOCKSTEP_MAIN_IMPL_H

#include "base/budget.h"
#include "engine/engine.h"
#include "ir/ir.h"
#include "main/options.h"
#include "report/report.h"
#include "verdict/verdict.h"

#ifndef LOCKSTEP_VERSION
#define LOCKSTEP_VERSION "0.2.0"
#endif

// ---- commands: each returns the exit code.  `start`: when the process began, for --timeout ----
int command_check (const options *, double start);
int command_run (const options *, double start);
int command_replay (const options *, double start);
int command_ir (const options *, double start);
int command_circuit (const options *, double start);
int command_abstract (const options *, double start);

typedef struct command {
  const char *name;
  option_use use;              // which options it knows
  const char *usage, *summary;
  int (*run) (const options *, double start);
} command;
extern const command command_table[];
enum { NUM_COMMANDS = 6 };

// ---- help.c ----
void help_usage (FILE *);
void help_command (const command *, FILE *);
int help_topic (const char *topic);                // or a command; NULL: the overview.  Exit code
void help_option_title (const option_row *, char *text, size_t size);   // "--json=FILE"
bool help_shows_initial (const known_option *);
void help_table (FILE *);                          // help_table.c: for other programs
typedef struct help_page { const char *topic, *summary, *text; } help_page;
extern const help_page help_pages[];               // ended by a NULL topic

// ---- watch.c ----
// A thread that calls `end`, which must not return, when the budget has been spent for a moment and the work is not over.
typedef struct watch watch;
typedef void watch_end (void *state, const char *why);
watch *watch_start (const budget *, watch_end *, void *state);
void watch_stop (watch *);                         // the work is over
watch_end watch_end_command;                       // `state`: the options; says why, and ends the process

// ---- supervise.c ----
// The work goes on in a child process, which sends the parent what it finds.  In the child, and where no process can be made (the result is
// NULL), `is_child` is set.  In the parent it is not set, and the child has ended: with the exit code `code` if `why` is NULL, else too early.
typedef struct supervised supervised;
typedef struct supervision {
  bool is_child, has_written;  // has_written: the child had begun to write the reports
  int code;
  const reason *why;           // the child was ended; NULL: it ended by itself
} supervision;
supervised *supervise (const budget *, arena *, supervision *);
void supervised_found (void *state /* supervised */, const claim *);   // in the child, for engine_run.found
double supervised_margin (const budget *);         // in the child: so much earlier the engine stops, to sum up what it knows
void supervised_reports (supervised *);            // in the child: the engine has ended
void supervised_writes (supervised *);             // in the child: from here on it writes the reports
void supervised_believe (supervised *, engine_run *);   // in the parent: the claims of the child that was ended become goals
void supervised_free (supervised *);

// ---- load.c ----
// What ends the loading early, and why it did: "time limit of 2 s"; empty: it did not.
typedef struct load_limits { const budget *budget; strbuf stopped; } load_limits;
ir_program *load_program (const options *, load_limits * /* or NULL */);   // NULL after diag_error
bool load_tell_stopped (load_limits *);            // prints the verdict if a limit ended the loading; releases the text
struct bp_program;
ir_program *load_program_from (const options *, load_limits *, struct bp_program **);   // also the Boolean program that it was made of, if it was; its owner is the caller, even after NULL
semantics load_semantics (const options *);
task load_task (const options *, const semantics *);   // check.c
uint64_t load_hash (const ir_program *);           // of its printed form
void load_budget (const options *, double start, budget *);
const char *load_language (const options *);        // C, or Boolean program
report_style load_style (const options *, FILE *); // for this stream: colours and width of a terminal
bool stdout_finish (void);                         // all of it written?  Else diag_error

// ---- coverage.c ----
typedef struct coverage_input {
  verdict *verdict;            // watched since before the engine began
  const ir_program *program;
  const semantics *semantics;
  uint32_t asked;              // properties, a bit set of 1 << ir_property
  const budget *budget;
  bool args_are_fixed;         // --args: what is proved holds for these only
} coverage_input;
// Completes what the verdict knows of executions, at a small share of the time; takes SAFE back if none creates a thread and one might.
void coverage_complete (const coverage_input *);

// ---- outputs.c ----
// The files that the options ask for can be written, are different ones, and are no inputs.  Else diag_error.
bool outputs_are_possible (const options *);

// ---- making.c: commands that make one file of a program ----
typedef struct making making;
struct making {
  const options *options;
  const char *what;        // "circuit", for messages
  const engine *engine;    // whose form of the program it is
  bool (*choose) (const options *, const ir_program *, semantics *);   // NULL: what is asked for stands; else false after diag_error
  bool (*make) (making *, engine_run *);   // false: not written, which has been said; or verdict.stop says why
  semantics semantics;
  void *state;             // of the command's own
  // by making_run
  budget budget;
  task task;
  ir_program *program;
  verdict verdict;
  bool good;
};
bool making_write (const making *, const strbuf *bytes);   // to -o; else diag_error
int making_run (making *, double start);               // exit code

// ---- circuit.c ----
// Those that a circuit can express, of the ones asked for.  False after diag_error: the user asked for others as well.
bool circuit_choose_properties (const options *, const ir_program *, semantics *);

// ---- certificate.c: proofs in files ----
void certificate_complete (verdict *, const options *, uint64_t program_hash);   // what the proofs are about goes before them
report_writer certificate_write;
bool certificate_exists (const report_input *, strbuf *why_not);
int certificate_check (const options *, double start);   // --check-certificate; exit code

// ---- origin.c: what a circuit was made from, as lines in its file ----
void origin_print (const options *, uint64_t program_hash, strbuf *out);
// False: `why` says what is wrong with the text.  *loaded is initialised in any case.
bool origin_read (const char *text, const options *given /* on this command line */, options *loaded, uint64_t *program_hash, strbuf *why);
// The program again, and what was asked of it.  NULL: it cannot be read, which has been said; or *changed, it is another one now.
ir_program *origin_load (const options *loaded, uint64_t program_hash, load_limits *, semantics *, bool *changed);

// ---- replay.c, replay_circuit.c ----
void replay_show (const options *, const verdict *, const goal *, bool *enough /* the user has seen enough */);
int replay_circuit (const options *, const budget *);   // --aiger; exit code

// ---- replay_step.c ----
// Through the interleaving, with commands from standard input.  False: the user wants to see no more.
bool replay_step (const goal *, const report_style *);

// ---- guard.c ----
// Runs `work` such that exhausted memory comes back here.  False: that happened; what `work` had allocated stays allocated.
bool guard_run (void (*work) (void *), void *state);

// ---- progress.c ----
typedef struct progress {
  const char *engine;
  bool terminal, on_screen;
  unsigned columns;
} progress;
void progress_start (progress *, const char *engine);
void progress_show (void *progress, const char *line);   // the engines' callback
void progress_end (progress *);

#endif
