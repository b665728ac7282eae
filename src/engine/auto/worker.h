// An engine in a process of its own: if it crashes, hangs or uses up its memory, its findings so far are kept, and no
// other engine is harmed.
//
//   worker *w = worker_start (run, &engine_order, (worker_share){.properties = all, .seconds = 10, .jobs = 1});
//   while (!worker_has_ended (w)) workers_wait (run, &w, 1);     // claims become goals of run->verdict as they come
//   answer_add_to (worker_answer (w), run->verdict);
//   worker_free (w);
#ifndef LOCKSTEP_AUTO_WORKER_H
#define LOCKSTEP_AUTO_WORKER_H

#include "engine/auto/wire.h"

typedef struct worker worker;

// The properties that the engine is asked about, and the time, memory and processors that it may use.
typedef struct worker_share { uint32_t properties; double seconds; size_t bytes; uint64_t jobs; } worker_share;

worker *worker_start (const engine_run *, const engine *, worker_share);   // NULL: no process could be started
// Waits until a worker sends messages, and handles them.  Ends workers that still run after the end of their time.
void workers_wait (engine_run *, worker *const *, uint32_t count);
bool worker_has_ended (const worker *);
bool worker_was_late (const worker *);            // it has ended, after the end of its time
const engine *worker_engine (const worker *);
const wire_answer *worker_answer (const worker *);    // after its end
void worker_free (worker *);                     // ends it if it is still running

#endif
