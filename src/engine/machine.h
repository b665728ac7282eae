// The program as a machine (efsm/efsm.h), for the engines that work on machines: built, made smaller, with movers
// found.
//
//   efsm m;
//   const reason *why = engine_make_machine (run, properties, &m, NULL);
//   if (why) engine_give_up (run, why);
//   efsm_release (&m);
#ifndef LOCKSTEP_ENGINE_MACHINE_H
#define LOCKSTEP_ENGINE_MACHINE_H

#include "efsm/build.h"
#include "engine/engine.h"

// Makes the machine for these properties, which may be fewer than those of the run.  NULL, or why there is no machine.
// *movers: the number of points that are movers (--mtx); or NULL.
const reason *engine_make_machine (engine_run *, uint32_t properties, efsm *, uint32_t *movers);
// The same with crowds of so many replicated threads (efsm/crowd.c).
const reason *engine_make_crowd_machine (engine_run *, uint32_t properties, uint32_t crowd, efsm *);
void engine_give_up (engine_run *, const reason *why);   // leaves all properties unknown
// The same for a formula about the program, with everything that the formula observes.  Movers are not looked for,
// since a thread that stops between them for ever must be visible.  An execution ends where an assertion fails or
// memory is misused.
const reason *engine_make_watched_machine (engine_run *, const efsm_watch *, efsm *);

#endif
