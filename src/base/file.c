// Reading files of any kind.
//
// open () of a pipe waits until some process writes to it, and reading /dev/zero never ends.  Files are opened without
// waiting; then poll () waits for bytes in short turns, between which the budget is asked.  A file of more than
// LIMIT_FILE_BYTES is refused: nothing that lockstep reads is so long.
#define _GNU_SOURCE
#include "base/file.h"
#include "base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 20, BLOCK = 1 << 16 };

static int open_at_once (const char *path, struct stat *info) {
  int file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  int error = file < 0 || fstat (file, info) ? errno : S_ISDIR (info->st_mode) ? EISDIR : 0;
  if (!error) return file;
  if (file >= 0) close (file);
  errno = error;
  return -1;
}

FILE *file_open_regular (const char *path) {
  struct stat info;
  int file = open_at_once (path, &info);
  if (file < 0) return NULL;
  FILE *f = S_ISREG (info.st_mode) ? fdopen (file, "r") : NULL;
  if (!f) {
    close (file);
    errno = EINVAL;
  }
  return f;
}

FILE *file_open_source (const char *path) {
  struct stat info;
  FILE *f = file_open_regular (path);
  if (!f || (fstat (fileno (f), &info) == 0 && !over_limit (SOURCE_BYTES, info.st_size))) return f;
  fclose (f);
  errno = EFBIG;
  return NULL;
}

// Waits for bytes or the end of the file. NULL: read will not block; else the reason to stop.
static const char *wait_for_bytes (int file, const budget *b) {
  struct pollfd ready = {.fd = file, .events = POLLIN};
  for (;;) {
    const char *spent = b ? budget_spent (b) : budget_interrupted () ? "interrupted" : NULL;
    if (spent) return spent;
    if (poll (&ready, 1, POLL_MILLISECONDS) > 0) return NULL;
  }
}

bool file_read (const char *path, const budget *b, strbuf *out, strbuf *why, bool *stopped) {
  struct stat info;
  int file = open_at_once (path, &info);
  const char *problem = file < 0 ? strerror (errno) : NULL, *spent = NULL;
  char block[BLOCK];
  uint32_t first = out->count;
  while (!problem && !spent && !(spent = wait_for_bytes (file, b))) {
    ssize_t got = read (file, block, sizeof block);
    if (!got) break;
    if (got < 0 && errno != EAGAIN && errno != EINTR) problem = strerror (errno);
    else if (got > 0 && over_limit (FILE_BYTES, out->count - first)) problem = strerror (EFBIG);
    else if (got > 0) strbuf_add_bytes (out, block, (size_t) got);
  }
  if (problem || spent) strbuf_add (why, problem ? problem : spent);
  if (stopped) *stopped = spent != NULL;
  if (file >= 0) close (file);
  return !problem && !spent;
}
