// The properties that are asked for are settled by up to three circuits. Places where threads race, and where they are
// blocked, must be visible only in the circuit for races or deadlocks; what need not be visible becomes part of larger
// steps. Memory errors end an execution: if they are asked for, circuit 0 settles them for all.
#ifndef LOCKSTEP_CIRCUIT_GROUPS_H
#define LOCKSTEP_CIRCUIT_GROUPS_H

#include <stdint.h>

#include "ir/ir.h"

enum { NUM_CIRCUIT_GROUPS = 3 };

typedef struct circuit_group {
  uint32_t properties;         // bit set of 1 << ir_property: the properties that the circuit models
  uint32_t settles;            // those of them that this circuit has to settle; 0: there is no such circuit
} circuit_group;

static inline circuit_group circuit_group_of (uint32_t asked, uint32_t number) {
  uint32_t race = 1u << IR_P_RACE, deadlock = 1u << IR_P_DEADLOCK, memory = asked & 1u << IR_P_MEMORY;
  uint32_t settles = asked & (number == 0 ? ~(race | deadlock) : number == 1 ? race : deadlock);
  return (circuit_group){settles ? settles | memory : 0, settles};
}

#endif
