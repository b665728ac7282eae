// The engine interface: one row per engine in registry.c, one folder, one page in docs/engines/.
// An engine takes the program and a budget and fills a verdict; every violation it claims goes through
// engine_report, which replays it before it is believed.
#ifndef LOCKSTEP_ENGINE_H
#define LOCKSTEP_ENGINE_H

#include "base/budget.h"
#include "base/strbuf.h"
#include "engine/ending.h"
#include "engine/shared_options.h"
#include "engine/suspects.h"
#include "ir/ir.h"
#include "verdict/verdict.h"

enum { ENGINE_ROOM = 12 };  // room for engines in a task

// What is requested: the options that several engines honour, and for each engine a record of its own options, of a
// type that only the engine knows (task_options).
typedef struct task {
  semantics semantics;
  uint64_t depth;              // --depth, 0: none
  bool mtx;                    // --mtx: context switches that locks exclude are left out
  const struct bp_program *boolean;  // the Boolean program that the program was made of; NULL: none
  uint64_t jobs;               // -j; 0: one
  bool certificate;            // --certificate: proofs are to be written as certificates
  bool stop_at_first;          // --stop-at-first: one bug is enough
  const char *ltl;             // --ltl: decide this formula (docs/formats/ltl.md) instead of the properties; NULL: none
  bool fair;                   // --fair: only runs on which every thread that can always step does step again
  bool exhaustive;             // --exhaustive: after a bug, search on to the end for further ones
  // [0..num_not_started[: engines that auto does not start, because they would ignore a bound that the user gave
  const struct engine *not_started[ENGINE_ROOM];
  uint32_t num_not_started;
  struct {
    const struct engine *engine;
    const void *options;       // its record
  } own[ENGINE_ROOM];         // [0..num_own[; an engine without one has the initial values
  uint32_t num_own;
} task;

// Returns the properties that the task asks about, a bit set of 1 << ir_property.
static inline uint32_t task_asks (const task *t) { return t->ltl ? 1u << IR_P_FORMULA : t->semantics.properties; }

typedef struct engine_run {
  const ir_program *program;
  const task *task;
  const budget *budget;
  verdict *verdict;            // out
  const char *engine;          // name of the engine
  const suspects *suspects;    // all pairs of accesses that may race; NULL: any pair may
  void (*progress) (void *state, const char *line);  // NULL: no progress is shown; else called twice a second
  void *progress_state;
  double next_progress;        // of engine_progress
  void (*found) (void *state, const claim *);  // called with each new claim after its replay; or NULL
  void *found_state;
  uint32_t conditional;        // out: number of claims that rested on invented values
  bool is_wary;                // end at the first such claim, because the engine will run again (retry_conditional.c)
  const char *parted;          // out: a claim did not replay, and why; the run must end as unknown
} engine_run;

typedef struct engine {
  const char *name;            // as in --engine=explicit
  const char *summary;         // one line for --help
  uint32_t properties;         // properties that it decides, a bit set of 1 << ir_property
  bool (*applies) (const ir_program *, const task *, const char **why_not);
  void (*run) (engine_run *);  // adds goals, answers, bounds, stats; engine_work settles the kind of the verdict
  bool asks_again;             // a conditional violation may hide another from it: engine_run_again is used
  bool stops_at_conditions;    // asks_again: it ends when engine_has_enough; else it searches to the end
  uint32_t ways;               // the ways in which it can work: a bit set of engine_way
  const option_table *options; // its own options; NULL: none
  uint32_t honours[NUM_SHARED_OPTIONS];  // for each shared option the ways in which the engine honours it, a bit set
  bool covers_all;             // its answers are about all executions, so a bound on executions cannot change them
  const struct engine *const *starts;  // the engines that it runs, ended by NULL; NULL: it decides by itself
  // Do the options go together?  Called before the program is read.  False: the user's mistake, explained in *why.
  // NULL: they always do.
  bool (*options_agree) (const task *, strbuf *why);
  // Does the program have what the options name?  False: the user's mistake, explained in *why.  NULL: it always does.
  bool (*options_fit) (const ir_program *, const task *, strbuf *why);
} engine;

// Properties that the program contains as checks: every engine that follows executions decides them.
enum {
  ENGINE_COMMON_PROPERTIES = 1 << IR_P_ASSERT | 1 << IR_P_RACE | 1 << IR_P_DEADLOCK | 1 << IR_P_LOCKS |
                             1 << IR_P_MEMORY | 1 << IR_P_OVERFLOW | 1 << IR_P_UNINIT
};

extern const engine *const engine_registry[];      // NULL-terminated
const engine *engine_find (const char *name);      // NULL if there is none
const char *engine_way_text (const engine *, engine_way);   // names one of its ways: "" or " with --ltl"
// Returns the record of the engine's own options: that of the task, or the one with initial values.
const void *task_options (const task *, const engine *);
void task_set_options (task *, const engine *, const void *record);   // the record must live as long as the task

// ---- work.c ----
// Whether the engine can work on some of the task's properties.  False: *why_not says why.
bool engine_applies (const engine *, const ir_program *, const task *, const char **why_not);
// Lets the engine work on the properties that it decides.  The others stay unknown, and so does the verdict unless a
// bug was found.
void engine_work (const engine *, engine_run *);

// Replays the claim and, if it is true and new (the same property at the same places counts once), adds a violated
// goal. Takes ownership of the claim.  Returns whether it was new.  A claim that does not replay is an internal error:
// run->parted.  A claim that rests on invented values becomes a conditional goal and counts as no bug: false.  The
// engine should continue and look for other ways to the same violation.
bool engine_report (engine_run *, claim *);
// The same for claims that may be false: the caller decides what to do if one does not replay, see *why.
// TOO_LARGE_TO_REPLAY: the interpreter cannot hold so much memory; nothing is known, but it is no internal error.
typedef enum reported {
  REPORTED_NEW, REPORTED_AGAIN, REPORTED_CONDITIONAL, DOES_NOT_REPLAY, TOO_LARGE_TO_REPLAY
} reported;
reported engine_report_if_true (engine_run *, claim *, const char **why);
// The same for a run that breaks a formula about the program; task->fair says whether the run must be fair.
bool engine_report_run (engine_run *, const temporal *, claim *);
bool engine_report_run_if_true (engine_run *, const temporal *, claim *, const char **why);
// Sorts the violated goals by property and place and numbers them again, for searches whose workers find them in any
// order. To be called before engine_summarise.
void engine_order_goals (engine_run *);
// Gives the answer about all properties (engine_summarise) or one, apart from the violations that were found.
void engine_summarise (engine_run *, ending);
void engine_summarise_one (engine_run *, ir_property, ending);
void engine_summarise_formula (engine_run *, ending);  // of --ltl

// ---- ending.c: reasons that several engines give ----
extern const reason stopped_at_first_bug, solver_gave_up;

// ---- retry_conditional.c ----
// Runs the engine, and again on fixed values if what it has found rests on invented values only.
void engine_run_again (const engine *, engine_run *);
// Whether the engine should end now, after so many bugs.
bool engine_has_enough (const engine_run *, uint32_t bugs);

// ---- progress.c ----
// Shows a line of progress, about twice a second; other calls do nothing.
void engine_progress (engine_run *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
bool engine_progress_is_due (engine_run *);   // for lines that take time to make; after true, none is due for a while

extern const engine engine_auto, engine_boolean, engine_circuit, engine_explicit, engine_lazy, engine_locks,
    engine_order, engine_random;
// Not in the registry: engine `locks` passes formulas about one thread to this engine.
extern const engine engine_pushdown;

#endif
