// A machine from a program.  Threads, procedures, memory and allocations become finitely many: a thread is an execution of a life_create in
// its creator, a procedure stands once in each thread (recursion: a copy per level), an object is an execution of its allocation.  What goes
// beyond is a loss of the point where it happens (efsm.h), so that nothing is left out in silence.
#ifndef LOCKSTEP_EFSM_BUILD_H
#define LOCKSTEP_EFSM_BUILD_H

#include "base/budget.h"
#include "efsm/efsm.h"
#include "ir/reason.h"

// What a formula speaks of.  The machine then has a point wherever it may change: between two points of a thread that `show`, nothing changes that can be told apart by these bytes, by the classes of
// the places where threads stand, or by which threads run in what.  The place of a thread that executes a library function is that of the call (ir_proc_data.internal).
typedef struct efsm_bytes { ir_object object; uint32_t offset, bytes; } efsm_bytes;   // of a static object
typedef struct efsm_watch {
  VEC (efsm_bytes) bytes;
  VEC (uint64_t) class_of;     // by location of the program
} efsm_watch;

typedef struct efsm_options {
  const ir_program *program;
  uint32_t properties;         // bit set of 1 << ir_property: goals
  bool spurious_wakeups, may_fail;
  uint32_t max_threads;
  bool handles_come_back;      // a thread that has left may have left its handle to another one (handles.h): nobody knows what using it means
  const budget *budget;
  arena *reasons;              // where the reason lies for which there is no machine
  const efsm_watch *watch;     // or NULL
  uint32_t crowd;              // not 0: a creation that may be executed again and again makes a crowd of so many threads (crowd.c)
} efsm_options;

// Without syncs.  False: *why says what it cannot do; *out is empty.
bool efsm_build (const efsm_options *, efsm *out, const reason **why);

#endif
