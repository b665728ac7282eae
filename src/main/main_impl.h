// Declarations of the commands, and the modules that they share.
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

// ---- commands: each returns the exit code.  `start`: time at which the process began, for --timeout ----
int command_check (const options *, double start);
int command_run (const options *, double start);
int command_replay (const options *, double start);
int command_ir (const options *, double start);
int command_circuit (const options *, double start);
int command_abstract (const options *, double start);

typedef struct command {
  const char *name;
  option_use use;              // selects the options that the command knows
  const char *usage, *summary;
  int (*run) (const options *, double start);
} command;
extern const command command_table[];
enum { NUM_COMMANDS = 6 };

// ---- help.c ----
void help_usage (FILE *);
void help_command (const command *, FILE *);
int help_topic (const char *topic);                // a topic, a command, or NULL: the overview.  Returns the exit code
void help_option_title (const option_row *, char *text, size_t size);   // "--json=FILE"
bool help_shows_initial (const known_option *);
void help_table (FILE *);                          // (help_table.c) prints a table for other programs
typedef struct help_page { const char *topic, *summary, *text; } help_page;
extern const help_page help_pages[];               // the last one has the topic NULL

// ---- deadline_thread.c ----
// A thread that calls an action, which must not return, if the work continues for a moment after the budget is spent.
typedef struct deadline_thread deadline_thread;
typedef void deadline_action (void *state, const char *why);
deadline_thread *deadline_thread_start (const budget *, deadline_action *, void *state);
void deadline_thread_stop (deadline_thread *);     // call it at the end of the work
deadline_action deadline_end_command;              // reports the reason and ends the process; `state`: the options

// ---- supervise.c ----
// Continues the work in a child process, which sends its claims to the parent.  Returns twice: in the child with
// `is_child`, at once; in the parent without it, after the child has ended.  Then `code` is the child's exit code if
// `why` is NULL; else the child ended too early.  Returns NULL with `is_child` if no process can be made.
typedef struct supervised supervised;
typedef struct supervision {
  bool is_child, has_written;  // has_written: the child had begun to write the reports
  int code;
  const reason *why;           // reason why the child was ended; NULL: it ended by itself
} supervision;
supervised *supervise (const budget *, arena *, supervision *);
// In the child: `send_claim` is the callback engine_run.found (`state`: supervised); `margin` returns how many seconds
// before the end of the budget the engine stops, to report its results; `enter_reporting` and `enter_writing` tell the
// parent that the engine has ended, and that the child begins to write the reports.
void supervised_send_claim (void *state, const claim *);
double supervised_margin (const budget *);
void supervised_enter_reporting (supervised *);
void supervised_enter_writing (supervised *);
// In the parent: turns the claims of a child that was ended into goals.
void supervised_report_claims (supervised *, engine_run *);
void supervised_free (supervised *);

// ---- load.c ----
// Limits of loading, and the reason if they ended it: "time limit of 2 s"; empty: loading was not stopped.
typedef struct load_limits { const budget *budget; strbuf stopped; } load_limits;
ir_program *load_program (const options *, load_limits * /* or NULL */);   // NULL after diag_error
bool load_report_stop (load_limits *);             // prints the verdict if a limit ended the loading; releases the text
struct bp_program;
// Also returns the Boolean program if the source is one; the caller owns it, even if the result is NULL.
ir_program *load_program_from (const options *, load_limits *, struct bp_program **);
semantics load_semantics (const options *);
task load_task (const options *, const semantics *);   // (check_command.c)
uint64_t load_hash (const ir_program *);           // hash of its printed form
void load_budget (const options *, double start, budget *);
const char *load_language (const options *);        // C, or Boolean program
report_style load_style (const options *, FILE *); // for this stream: colours and width of a terminal
// flushes standard output; false after diag_error: not all is written
bool stdout_finish (void);

// ---- coverage_runs.c ----
typedef struct coverage_input {
  verdict *verdict;            // verdict_watch was called before the engine began
  const ir_program *program;
  const semantics *semantics;
  uint32_t requested;          // properties, a bit set of 1 << ir_property
  const budget *budget;
  bool args_are_fixed;         // --args: proofs hold for these arguments only
} coverage_input;
// Completes the coverage by a few random executions, for a small share of the time; withdraws SAFE if no execution
// creates a thread although one may.
void coverage_complete (const coverage_input *);

// ---- outputs.c ----
// Checks that the requested output files can be written, differ from each other, and are no inputs.  False after
// diag_error.
bool outputs_are_possible (const options *);

// ---- output_command.c: commands that translate a program to one file ----
typedef struct output_command output_command;
struct output_command {
  const options *options;
  const char *what;        // "circuit", for messages
  const engine *engine;    // the engine whose form of the program is written
  // Chooses the properties; false after diag_error.  NULL: the requested ones are kept.
  bool (*choose) (const options *, const ir_program *, semantics *);
  // writes the file; false after diag_error, or verdict.stop is the reason
  bool (*make) (output_command *, engine_run *);
  semantics semantics;
  void *state;             // the command's own data
  // set by output_command_run
  budget budget;
  task task;
  ir_program *program;
  verdict verdict;
  bool good;
};
bool output_command_write (const output_command *, const strbuf *bytes);   // writes to -o; false after diag_error
int output_command_run (output_command *, double start);                   // returns the exit code

// ---- circuit_command.c ----
// Keeps the requested properties that a circuit can express.  False after diag_error: the user requested others, too.
bool circuit_choose_properties (const options *, const ir_program *, semantics *);

// ---- certificate_file.c: proofs in files ----
void certificate_complete (verdict *, const options *, uint64_t program_hash);   // inserts the origin before the proofs
report_writer certificate_write;
bool certificate_exists (const report_input *, strbuf *why_not);
int certificate_check (const options *, double start);   // --check-certificate; returns the exit code

// ---- origin.c: the program and options from which a circuit was made, as lines in its file ----
void origin_print (const options *, uint64_t program_hash, strbuf *out);
// Reads the lines.  False: `why` says what is wrong.  `given` are the options of this command line; *loaded is
// initialised in any case.
bool origin_read (const char *text, const options *given, options *loaded, uint64_t *program_hash, strbuf *why);
// Loads the program again, with its properties.  NULL: after diag_error, or *changed is set: the program is another one
// now.
ir_program *origin_load (const options *loaded, uint64_t program_hash, load_limits *, semantics *, bool *changed);

// ---- replay_command.c, replay_circuit.c ----
// Prints a confirmed violation.  *enough: the user wants to see no more, so only the title is printed.
void replay_show (const options *, const verdict *, const goal *, bool *enough);
int replay_circuit (const options *, const budget *);   // --aiger; returns the exit code

// ---- replay_step.c ----
// Steps through the interleaving with commands from standard input.  False: the user wants to see no more.
bool replay_step (const goal *, const report_style *);

// ---- out_of_memory.c ----
// Runs `work`.  False: memory was exhausted, and `work` was left by a jump; memory that it had allocated stays
// allocated.
bool run_catching_out_of_memory (void (*work) (void *), void *state);

// ---- progress_line.c ----
typedef struct progress {
  const char *engine;
  bool terminal, on_screen;
  unsigned columns;
} progress;
void progress_start (progress *, const char *engine);
void progress_show (void *progress, const char *line);   // the engines' callback
void progress_end (progress *);

#endif
