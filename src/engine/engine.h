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

enum { ENGINE_ROOM = 12 };  // room for them in a task

// What is asked for: the options that several engines honour, and for each engine a record of its own options, of a
// type that only the engine knows (task_options).
typedef struct task {
  semantics semantics;
  uint64_t depth;              // --depth, 0: none
  bool mtx;                    // --mtx: context switches that locks exclude are left out
  const struct bp_program *boolean;  // the Boolean program that the program was made of; NULL: none
  uint64_t jobs;               // -j, 0: one
  bool certificate;            // --certificate: proofs are wanted as such
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

// The properties that the task asks about, a bit set of 1 << ir_property.
static inline uint32_t task_asks (const task *t) { return t->ltl ? 1u << IR_P_FORMULA : t->semantics.properties; }

typedef struct engine_run {
  const ir_program *program;
  const task *task;
  const budget *budget;
  verdict *verdict;            // out
  const char *engine;          // its name
  const suspects *suspects;    // all pairs of accesses that may race, as far as is known; NULL: any may
  void (*progress) (void *state, const char *line);  // NULL: nobody watches; else called about once a second
  void *progress_state;
  double next_progress;        // of engine_progress
  void (*found) (void *state, const claim *);  // NULL, or called with each claim that was replayed and is new
  void *found_state;
  uint32_t conditional;        // out: how many claims rested on invented values
  bool is_wary;                // it is to end as soon as one does, because it will be asked again (again.c)
  const char *parted;          // out: a claim did not replay, and why; the run must end as unknown
} engine_run;

typedef struct engine {
  const char *name;            // as in --engine=explicit
  const char *summary;         // one line for --help
  uint32_t properties;         // that it decides, a bit set of 1 << ir_property
  bool (*applies) (const ir_program *, const task *, const char **why_not);
  void (*run) (engine_run *);  // adds goals, answers, bounds, stats; engine_work settles the kind of the verdict
  bool asks_again;             // a conditional violation may hide another one from it: call engine_run_again
  bool stops_at_conditions;    // ... and it ends when engine_has_enough; otherwise it has searched to the end by then
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

// What stands in the program as checks is decided by every engine that follows executions.
enum {
  ENGINE_COMMON_PROPERTIES = 1 << IR_P_ASSERT | 1 << IR_P_RACE | 1 << IR_P_DEADLOCK | 1 << IR_P_LOCKS |
                             1 << IR_P_MEMORY | 1 << IR_P_OVERFLOW | 1 << IR_P_UNINIT
};

extern const engine *const engine_registry[];      // NULL-terminated
const engine *engine_find (const char *name);      // NULL if there is none
const char *engine_way_text (const engine *, engine_way);   // which of its ways: "" or " with --ltl"
// The record of the engine's own options: those of the task, or their initial values.
const void *task_options (const task *, const engine *);
void task_set_options (task *, const engine *, const void *record);   // it lives as long as the task

// ---- work.c ----
// Can the engine work on some of the task's properties?  False: *why_not says why.
bool engine_applies (const engine *, const ir_program *, const task *, const char **why_not);
// Lets it work on the properties that it decides.  The others end as unknown, and so does the run unless it has found a bug.
void engine_work (const engine *, engine_run *);

// Replays the claim and, if it holds and is new (the same property at the same places counts once), adds a violated goal.  A claim that
// does not replay is an internal error: run->parted.  Takes over the claim.  True if it was new.  A claim that rests on invented values becomes a
// conditional goal and counts as no bug: false.  The engine should go on and look for other ways to the same violation.
bool engine_report (engine_run *, claim *);
// The same for claims that may say too much: *why one does not replay is the caller's business.
// TOO_LARGE_TO_REPLAY: the interpreter cannot hold so much memory; nothing is known, but it is no internal error.
typedef enum reported { REPORTED_NEW, REPORTED_AGAIN, REPORTED_CONDITIONAL, DOES_NOT_REPLAY, TOO_LARGE_TO_REPLAY } reported;
reported engine_report_if_true (engine_run *, claim *, const char **why);
// The same for a run that breaks a formula about the program; task->fair tells whether it must be fair.
bool engine_report_run (engine_run *, const temporal *, claim *);
bool engine_report_run_if_true (engine_run *, const temporal *, claim *, const char **why);
// The violated goals by property and place, numbered anew: for searches whose workers find them in any order.  Before engine_summarise.
void engine_order_goals (engine_run *);
// How the property was left apart from the violations that were found: an answer of the verdict.
void engine_summarise (engine_run *, ending);
void engine_summarise_one (engine_run *, ir_property, ending);
void engine_summarise_formula (engine_run *, ending);  // of --ltl

// ---- ending.c: reasons that several engines give ----
extern const reason stopped_at_first_bug, solver_gave_up;

// ---- again.c ----
// Runs the engine, and again where what it has found rests on invented values only.
void engine_run_again (const engine *, engine_run *);
// After so many bugs: it should end now.
bool engine_has_enough (const engine_run *, uint32_t bugs);

// ---- progress.c ----
// To whoever watches, about twice a second; other calls do nothing.
void engine_progress (engine_run *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
bool engine_progress_is_due (engine_run *);   // for lines that take time to make; then the next is not due for a while

extern const engine engine_auto, engine_boolean, engine_circuit, engine_explicit, engine_lazy, engine_locks,
    engine_order, engine_random;
// Not in the registry: engine `locks` hands formulas about one thread to it.
extern const engine engine_pushdown;

#endif
