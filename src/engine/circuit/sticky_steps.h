// Sticky steps (paper CIRC, 4.2, "Cycle detection"; the idea is of Kurshan, Levin, Minea, Peled and Yenigün, 1998):
// every cycle of a thread's large steps has one.
//
//   uint8_t *sticky = mem_zalloc (f.steps.count);
//   uint32_t count = find_sticky_steps (&f, sticky);
#ifndef LOCKSTEP_CIRCUIT_STICKY_STEPS_H
#define LOCKSTEP_CIRCUIT_STICKY_STEPS_H

#include "efsm/fold.h"

uint32_t find_sticky_steps (const folded *, uint8_t *sticky /* [0..steps[: 0 or 1 */);  // returns their number

#endif
