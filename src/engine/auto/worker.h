// An engine at work in a process of its own: if it dies, hangs or uses up its memory, what it has found is kept and
// nobody else is harmed.
//
//   worker *w = worker_start (run, &engine_order, (worker_share){.properties = all, .seconds = 10, .jobs = 1});
//   while (!worker_has_ended (w)) workers_wait (run, &w, 1);     // claims become goals of run->verdict as they come
//   answer_add_to (worker_answer (w), run->verdict);
//   worker_free (w);
#ifndef LOCKSTEP_AUTO_WORKER_H
#define LOCKSTEP_AUTO_WORKER_H

#include "engine/auto/wire.h"

typedef struct worker worker;

// What it is asked, and what it may use.
typedef struct worker_share { uint32_t properties; double seconds; size_t bytes; uint64_t jobs; } worker_share;

worker *worker_start (const engine_run *, const engine *, worker_share);   // NULL: no process could be made
// Sleeps until one of them says something, and listens.  Ends those whose time was up a while ago.
void workers_wait (engine_run *, worker *const *, uint32_t count);
bool worker_has_ended (const worker *);
bool worker_was_late (const worker *);            // it ended, but not before its time was up
const engine *worker_engine (const worker *);
const answer *worker_answer (const worker *);    // after its end
void worker_free (worker *);                     // ends it if it still works

#endif
