// Builds a machine from a program. Threads, procedures, memory and allocations become finitely many: a thread is an
// execution of a creation in its creator, a procedure exists once in each thread (if recursive, once per level), an
// object is an execution of its allocation. Executions beyond that are an omission at the point where they leave the
// machine (efsm.h), so that nothing is left out silently.
#ifndef LOCKSTEP_EFSM_BUILD_H
#define LOCKSTEP_EFSM_BUILD_H

#include "base/budget.h"
#include "efsm/efsm.h"
#include "ir/reason.h"

// What a formula observes. The machine then has a point wherever these values may change: between two points of a
// thread that `show`, nothing changes that can be distinguished by these bytes, by the classes of the threads'
// locations, or by which threads execute which procedures. A thread in a library function counts as being at the call
// (ir_proc_data.internal).
typedef struct efsm_bytes { ir_object object; uint32_t offset, bytes; } efsm_bytes;   // of a static object
typedef struct efsm_watch {
  VEC (efsm_bytes) bytes;
  VEC (uint64_t) class_of;     // by location of the program: its class
} efsm_watch;

typedef struct efsm_options {
  const ir_program *program;
  uint32_t properties;         // bit set of 1 << ir_property: goals
  bool spurious_wakeups, may_fail;
  uint32_t max_threads;
  // a joined or detached thread may have left its handle to a later one (handles.h): the meaning of such a handle is
  // unknown
  bool handles_come_back;
  const budget *budget;
  arena *reasons;              // where the reason is allocated if there is no machine
  const efsm_watch *watch;     // or NULL
  // not 0: a creation that may be executed again and again makes this number of replicated threads (crowd.c)
  uint32_t crowd;
} efsm_options;

// Builds a machine without syncs. False: *why says what cannot be modelled; *out is empty.
bool efsm_build (const efsm_options *, efsm *out, const reason **why);

#endif
