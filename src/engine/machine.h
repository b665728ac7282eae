// The program as a machine (efsm/efsm.h) for the engines that take it so: built, made smaller, with movers found.
//
//   efsm m;
//   if (!engine_make_machine (run, &m, NULL)) return;      // the verdict says why
//   efsm_release (&m);
#ifndef LOCKSTEP_ENGINE_MACHINE_H
#define LOCKSTEP_ENGINE_MACHINE_H

#include "efsm/efsm.h"
#include "engine/engine.h"

// False: the run has ended as unknown.  *movers: how many points were found to be (--mtx); or NULL.
bool engine_make_machine (engine_run *, efsm *, uint32_t *movers);

#endif
