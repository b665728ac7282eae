// What the options of `lockstep` have to do with engines: which commands know an option, in which ways of working it
// means something, and which options belong to no engine but are honoured by some.  Options of one engine are in its
// own folder, as a table (base/option.h).
#ifndef LOCKSTEP_ENGINE_SHARED_OPTIONS_H
#define LOCKSTEP_ENGINE_SHARED_OPTIONS_H

#include "base/option.h"

// The commands that know an option, and what else is true of it.
typedef enum option_use {
  FOR_CHECK = 1 << 0,
  FOR_RUN = 1 << 1,
  FOR_IR = 1 << 2,
  FOR_CIRCUIT = 1 << 3,
  FOR_ABSTRACT = 1 << 4,
  FOR_REPLAY = 1 << 5,
  // The option decides how the program is loaded and executed, or what its circuit is: `replay` takes it from the
  // report or the circuit's file.
  IS_SAVED = 1 << 6,
  // The option leaves executions out.  `auto` does not start an engine that would look at them all the same.
  IS_BOUND = 1 << 7
} option_use;

// What an engine may be asked to do.  An option means something in some of these ways only.
typedef enum engine_way {
  WAY_PROPERTIES = 1 << 0,     // to decide properties of a program
  WAY_BOOLEAN = 1 << 1,        // the same of a Boolean program, for engines that do that in another way
  WAY_FORMULA = 1 << 2,        // to decide a formula about the whole program (--ltl)
  WAY_THREADS = 1 << 3,        // to decide a formula about single threads (--ltl='A ...')
  END_OF_WAYS = 1 << 4
} engine_way;

// Options that several engines honour and that belong to none.  Their rows stand in main/options.h; an engine says in
// which of its ways it honours them (engine.honours).
typedef enum shared_option {
  SHARED_PROPERTY,
  SHARED_LTL,
  SHARED_FAIR,
  SHARED_REACH_PAIR,
  SHARED_ERROR_LABEL,
  SHARED_STOP_AT_FIRST,
  SHARED_EXHAUSTIVE,
  SHARED_DEPTH,
  SHARED_MAX_THREADS,
  SHARED_JOBS,
  SHARED_LEAKS,
  SHARED_CERTIFICATE,
  SHARED_LOCK_REPORT,
  SHARED_LOCK_GRAPH,
  SHARED_MTX,
  NUM_SHARED_OPTIONS
} shared_option;

// The words of --reduction, which engines explicit and circuit have.
#define REDUCTION_WORDS(WORD)                     \
  WORD (REDUCTION_AUTO, "auto")                   \
  WORD (REDUCTION_NONE, "none")                   \
  WORD (REDUCTION_LEFT_MOVERS, "left-movers")     \
  WORD (REDUCTION_TRANSACTIONS, "transactions")   \
  WORD (REDUCTION_STUBBORN, "stubborn")           \
  WORD (REDUCTION_LOCK_PATTERNS, "lock-patterns")
typedef enum reduction_choice {
  REDUCTION_WORDS (OPTION_WORD_ID)
  REDUCTION_UNENDED            // no word: transactions without condition C, for a test of what is missed then
} reduction_choice;

#endif
