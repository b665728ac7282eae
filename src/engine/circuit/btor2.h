// Writes the system as a BTOR2 file (Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0", 2018): words
// instead of bits, for model checkers that can use words.
//
//   strbuf text = {0};
//   btor2_print (&system, properties, "from x.c", &text);
//
// The bad states are those of lower_by_property. States and inputs on which no requested property depends are left out.
// In names, blanks become `_`.
#ifndef LOCKSTEP_CIRCUIT_BTOR2_H
#define LOCKSTEP_CIRCUIT_BTOR2_H

#include "base/strbuf.h"
#include "engine/circuit/transition_system.h"

void btor2_print (const transition_system *, uint32_t properties, const char *comment /* or NULL */, strbuf *out);

#endif
