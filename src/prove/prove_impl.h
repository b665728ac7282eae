// Functions and texts that the back ends share.
#ifndef LOCKSTEP_PROVE_IMPL_H
#define LOCKSTEP_PROVE_IMPL_H

#include "prove/prove.h"

extern const char prove_out_of_budget[], prove_out_of_depth[];   // for `why`
void prove_say (const prove_options *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

#endif
