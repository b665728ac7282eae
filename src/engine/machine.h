// The program as a machine (efsm/efsm.h) for the engines that take it so: built, made smaller, with movers found.
//
//   efsm m;
//   const reason *why = engine_make_machine (run, properties, &m, NULL);
//   if (why) engine_give_up (run, why);
//   efsm_release (&m);
#ifndef LOCKSTEP_ENGINE_MACHINE_H
#define LOCKSTEP_ENGINE_MACHINE_H

#include "efsm/build.h"
#include "engine/engine.h"

// For these properties, which may be fewer than the run is asked for.  NULL, or why there is none.  *movers: how many points were found to be (--mtx); or NULL.
const reason *engine_make_machine (engine_run *, uint32_t properties, efsm *, uint32_t *movers);
// The same with crowds of so many threads (efsm/crowd.c).
const reason *engine_make_crowd_machine (engine_run *, uint32_t properties, uint32_t crowd, efsm *);
void engine_give_up (engine_run *, const reason *why);   // all of it is unknown
// For a formula about the program: shows all that is watched.  Movers are not looked for, since a thread that stops between them for ever must be seen.  An execution ends where an assertion
// fails or memory is misused.
const reason *engine_make_watched_machine (engine_run *, const efsm_watch *, efsm *);

#endif
