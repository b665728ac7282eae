// Threads of a machine (efsm.h) by the slots that the interpreter gives them: a new thread takes the first free slot,
// which is free again when the thread was joined, or has ended and was detached (docs/formats/trace.md).
//
//   slots s;
//   slots_init (&s, &m);
//   slots_pass (&s, &m, point, holds, state);      // the point was executed
//   schedule_add (&schedule, s.of[thread], 1);
#ifndef LOCKSTEP_ENGINE_SLOTS_H
#define LOCKSTEP_ENGINE_SLOTS_H

#include "efsm/efsm.h"

enum { NUM_SLOTS = 64 };

typedef enum slot_life { SLOT_NONE, SLOT_TAKEN, SLOT_LEFT } slot_life;

typedef struct slots {
  uint32_t of[NUM_SLOTS];     // slot, by thread of the machine
  slot_life life[NUM_SLOTS];  // by thread
  bool ended[NUM_SLOTS], detached[NUM_SLOTS];  // by thread
  bool used[NUM_SLOTS];       // by slot
} slots;

void slots_init (slots *, const efsm *);   // threads that run from the beginning get theirs
// `holds` evaluates terms over the variables as they were before the point; it is not called for the flags of threads,
// which are known here.
void slots_pass (slots *, efsm *, const efsm_point *, bool (*holds) (void *, term), void *);

#endif
