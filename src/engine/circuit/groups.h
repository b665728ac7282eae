// What is asked for is settled by up to three circuits: where threads race, and where they are blocked, has to be seen only by who asks for that, and what need not be seen is part of
// larger steps.  Memory errors end an execution; who is to report them (circuit 0) settles them for all.
#ifndef LOCKSTEP_CIRCUIT_GROUPS_H
#define LOCKSTEP_CIRCUIT_GROUPS_H

#include <stdint.h>

#include "ir/ir.h"

enum { NUM_CIRCUIT_GROUPS = 3 };

typedef struct circuit_group {
  uint32_t properties;         // that the circuit knows of, bit set of 1 << ir_property
  uint32_t settles;            // those of them that are asked of it; 0: there is no such circuit
} circuit_group;

static inline circuit_group circuit_group_of (uint32_t asked, uint32_t number) {
  uint32_t race = 1u << IR_P_RACE, deadlock = 1u << IR_P_DEADLOCK, memory = asked & 1u << IR_P_MEMORY;
  uint32_t settles = asked & (number == 0 ? ~(race | deadlock) : number == 1 ? race : deadlock);
  return (circuit_group){settles ? settles | memory : 0, settles};
}

#endif
