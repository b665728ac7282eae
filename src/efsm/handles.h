// Can a thread get the handle of an earlier one? In a program, a thread that was joined or detached and has ended
// leaves its handle to the next one (docs/formats/ir.md); in the machine every thread has a handle of its own. So uses
// of an old handle need a check (efsm_options.handles_come_back). Most programs start all their threads first: there
// this is impossible, and costs nothing.
#ifndef LOCKSTEP_HANDLES_H
#define LOCKSTEP_HANDLES_H

#include "efsm/efsm.h"

bool efsm_handles_come_back (const efsm *);   // a thread may be started after one was joined or detached
#endif
