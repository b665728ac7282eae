// The options of engine `random`.  `lockstep run`, which makes one such execution, has seed and steps, too.
#ifndef LOCKSTEP_RANDOM_OPTIONS_H
#define LOCKSTEP_RANDOM_OPTIONS_H

#include "engine/engine.h"

// field, type, name, kind, argument, initial value, min, max, uses, ways, help
// clang-format off
#define RANDOM_OPTIONS(OPTION)                                                                                       \
  OPTION (seed, uint64_t, "--seed", NUMBER, "N", 0, 0, UINT64_MAX, FOR_CHECK | FOR_RUN, WAY_PROPERTIES,              \
          "seed of random choices; for `run`, 0 is the plain schedule: switch only when blocked")                    \
  OPTION (steps, uint64_t, "--steps", NUMBER, "N", 0, 0, UINT64_MAX, FOR_CHECK | FOR_RUN, WAY_PROPERTIES,            \
          "stop a run after N steps (0: no limit)")                                                                  \
  OPTION (runs, uint64_t, "--runs", NUMBER, "N", 200, 1, UINT64_MAX, FOR_CHECK, WAY_PROPERTIES,                      \
          "executions of the engine `random`")
// clang-format on

typedef struct random_options {
  RANDOM_OPTIONS (OPTION_FIELD)
} random_options;

const random_options *random_options_of (const task *);

#endif
