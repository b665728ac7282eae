// Reading files that may be anything: a pipe that no process writes to, a device without an end, another's report.
#ifndef LOCKSTEP_FILE_H
#define LOCKSTEP_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/budget.h"
#include "base/strbuf.h"

// Opens a regular file and never waits for one.  NULL: errno says why; what is no regular file is EINVAL, a directory EISDIR.
FILE *file_open_regular (const char *path);

// The same for a file whose lines are shown. Programs name such files (#line), so they may be anything; one of more
// than 16 MB is refused (EFBIG): it may be larger than memory, and reports read it once for each place in it.
FILE *file_open_source (const char *path);

// Adds all bytes of the file, which may also be a pipe or a device: waits for them until the budget is spent (NULL: until Ctrl-C).
// False: *why says what is wrong, "No such file or directory", "time limit of 2 s"; *stopped (may be NULL) tells if it was the budget.
bool file_read (const char *path, const budget *, strbuf *out, strbuf *why, bool *stopped);

#endif
