// Reading files of any kind: regular files, pipes that no process writes to, devices without an end.
#ifndef LOCKSTEP_FILE_H
#define LOCKSTEP_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/budget.h"
#include "base/strbuf.h"

// Opens a regular file without ever blocking. NULL: errno says why; EISDIR for a directory, EINVAL for anything else
// that is not a regular file.
FILE *file_open_regular (const char *path);

// The same for a source file whose lines a report shows. The checked program names it (#line), so it may be any file;
// more than 16 MB are refused (EFBIG), because a report reads the file once for each place in it.
FILE *file_open_source (const char *path);

// Adds all bytes of the file, which may also be a pipe or a device. Waits for them until the budget is spent (NULL:
// until Ctrl-C). False: *why says what is wrong, "No such file or directory", "time limit of 2 s"; *stopped (may be
// NULL) tells if it was the budget.
bool file_read (const char *path, const budget *, strbuf *out, strbuf *why, bool *stopped);

#endif
