// Decides `--ltl` with a formula about the whole program.
#ifndef LOCKSTEP_CIRCUIT_FORMULA_H
#define LOCKSTEP_CIRCUIT_FORMULA_H

#include "engine/engine.h"

void circuit_decide_formula (engine_run *);

#endif
