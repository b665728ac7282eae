// Prints a C program as a Boolean one, for other checkers and for readers.
#ifndef LOCKSTEP_BOOLEAN_MODEL_H
#define LOCKSTEP_BOOLEAN_MODEL_H

#include "engine/engine.h"

// Properties of a C program that predicate abstraction supports.
enum {
  BOOLEAN_PROPERTIES =
      1u << IR_P_ASSERT | 1u << IR_P_LOCKS | 1u << IR_P_MEMORY | 1u << IR_P_OVERFLOW | 1u << IR_P_UNINIT
};

// Writes the text of the abstraction after --rounds refinements, or fewer if there is nothing to refine. Returns NULL,
// or why there is no abstraction.
const reason *boolean_abstract (engine_run *, strbuf *out);

#endif
