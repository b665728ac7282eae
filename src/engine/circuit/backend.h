// The back end that decides whether a bad state of the circuit is reachable (--backend).
#ifndef LOCKSTEP_CIRCUIT_BACKEND_H
#define LOCKSTEP_CIRCUIT_BACKEND_H

#include "engine/engine.h"
#include "prove/prove.h"

typedef void backend (const netlist *, uint32_t bad, const prove_options *, prove_result *);

backend *backend_for (const task *);                                        // NULL: the engine chooses one itself
bool backend_fits (const ir_program *, const task *, strbuf *why);          // false: it is not installed
void show_backend_progress (void *run /* engine_run */, const char *text);  // for prove_options.say

#endif
