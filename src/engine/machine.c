// Builds the machine of a program.  Movers are found before constant variables are removed: accesses of such a variable
// count for races.
#include "engine/machine.h"

#include "base/diag.h"
#include "efsm/build.h"
#include "efsm/forget.h"
#include "efsm/handles.h"
#include "efsm/movers.h"
#include "efsm/narrow.h"
#include "efsm/propagate.h"

void engine_give_up (engine_run *r, const reason *why) { engine_summarise (r, ending_unknown (why)); }

typedef struct machine_variant {
  const efsm_watch *watch;
  uint32_t crowd;
} machine_variant;

static const reason *build_and_propagate (const efsm_options *o, efsm *m) {
  const reason *why;
  if (!efsm_build (o, m, &why)) return why;
  efsm_propagate (m);
  return NULL;
}

// Builds the machine, and again if handles come back, which is known only when it is built.
static const reason *build_with_handles (efsm_options *o, efsm *m) {
  const reason *why = build_and_propagate (o, m);
  o->handles_come_back = !why && m->threads.count > 2 && efsm_handles_come_back (m);
  if (!o->handles_come_back || (o->properties >> IR_P_LOCKS & 1)) return why;
  efsm_release (m);
  return build_and_propagate (o, m);
}

static const reason *build_machine (engine_run *r, uint32_t properties, machine_variant w, efsm *m, uint32_t *movers) {
  const semantics *s = &r->task->semantics;
  efsm_options o = {.program = r->program,
                    .properties = properties,
                    .spurious_wakeups = s->spurious_wakeups,
                    .may_fail = s->may_fail,
                    .max_threads = s->max_threads,
                    .budget = r->budget,
                    .reasons = r->verdict->arena,
                    .watch = w.watch,
                    .crowd = w.crowd};
  const reason *why = build_with_handles (&o, m);
  if (why) return why;
  uint32_t found = r->task->mtx && !w.watch ? efsm_find_movers (m) : 0;
  if (movers) *movers = found;
  efsm_narrow (m);
  efsm_forget (m);
  if (diag_verbosity () > 2) efsm_print (m, r->program, stderr);
  return NULL;
}

const reason *engine_make_machine (engine_run *r, uint32_t properties, efsm *m, uint32_t *movers) {
  return build_machine (r, properties, (machine_variant){0}, m, movers);
}

const reason *engine_make_crowd_machine (engine_run *r, uint32_t properties, uint32_t crowd, efsm *m) {
  return build_machine (r, properties, (machine_variant){.crowd = crowd}, m, NULL);
}

// The property deadlock is included so that points know where threads wait.
const reason *engine_make_watched_machine (engine_run *r, const efsm_watch *watch, efsm *m) {
  return build_machine (r, 1u << IR_P_ASSERT | 1u << IR_P_MEMORY | 1u << IR_P_DEADLOCK,
                        (machine_variant){.watch = watch}, m, NULL);
}
