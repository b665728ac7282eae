// What the files of this folder share.
#ifndef LOCKSTEP_LOGIC_IMPL_H
#define LOCKSTEP_LOGIC_IMPL_H

#include "logic/logic.h"

// ---- reduce.c ----
// Drops what no accepted word needs and merges states that look alike; the accepted words, finite and infinite, stay the same.
void buchi_reduce (buchi *);

#endif
