// The options of engine `explicit`.
#ifndef LOCKSTEP_EXPLICIT_OPTIONS_H
#define LOCKSTEP_EXPLICIT_OPTIONS_H

#include "engine/engine.h"

#define SEARCH_WORDS(WORD) WORD (SEARCH_AUTO, "auto") WORD (SEARCH_DFS, "dfs") WORD (SEARCH_BFS, "bfs")
typedef enum search_choice { SEARCH_WORDS (OPTION_WORD_ID) } search_choice;

// field, type, name, kind, argument, initial value, min, max, uses, ways, help
// clang-format off
#define EXPLICIT_OPTIONS(OPTION)                                                                                      \
  OPTION (reduction, reduction_choice, "--reduction", CHOICE, OPTION_CHOICES (REDUCTION_WORDS), REDUCTION_AUTO, 0, 0, \
          FOR_CHECK, WAY_PROPERTIES | WAY_FORMULA,                                                                    \
          "interleavings that explicit and circuit may leave out; auto: the most that keeps the properties")          \
  OPTION (search, search_choice, "--search", CHOICE, OPTION_CHOICES (SEARCH_WORDS), SEARCH_AUTO, 0, 0,                \
          FOR_CHECK, WAY_PROPERTIES,                                                                                  \
          "order of the explicit search: bfs gives the shortest traces, dfs finds deep bugs, auto mixes them")        \
  OPTION (bitstate, uint64_t, "--bitstate", SIZE, "[=SIZE]", 0, 0, 256 << 20, FOR_CHECK | IS_BOUND, WAY_PROPERTIES,   \
          "keep a few bits of each state instead of the state: more states, but at most NO BUG WITHIN BOUNDS")
// clang-format on

typedef struct explicit_options {
  EXPLICIT_OPTIONS (OPTION_FIELD)
} explicit_options;

extern const option_table explicit_option_table;
const explicit_options *explicit_options_of (const task *);
bool explicit_options_agree (const task *, strbuf *why);   // engine.options_agree

#endif
