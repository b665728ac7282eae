// Who settles a bad state of the circuit (--backend).
#ifndef LOCKSTEP_CIRCUIT_BACKEND_H
#define LOCKSTEP_CIRCUIT_BACKEND_H

#include "engine/engine.h"
#include "prove/prove.h"

typedef void backend (const netlist *, uint32_t bad, const prove_options *, prove_result *);

backend *backend_for (const task *);                                        // NULL: the engine does as it thinks best
bool backend_fits (const ir_program *, const task *, strbuf *why);          // false: it is not there

#endif
