// How child processes end, and what this one got from whoever started it.
#ifndef LOCKSTEP_PROCESS_H
#define LOCKSTEP_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

// Waits until the child has ended.  *status is as waitpid gives it; if the system does not tell how the child ended, it is that of a
// process that was killed, so that nobody takes it for a success.
void process_wait (pid_t, int *status);
// The same without waiting.  False: it has not ended yet.
bool process_has_ended (pid_t, int *status);

// The first thing a program does: the standard files are open, and how children end is told.
void process_begin (void);

#endif
