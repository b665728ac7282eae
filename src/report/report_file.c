// Writes report files.  An answer may have taken an hour, so lockstep checks before the work starts that the report can
// be written.  The report goes to a temporary file in the same directory, which then replaces the old file, so a full
// disk or a crash never leaves half a report under the name.  Devices and pipes are written directly.  An existing file
// is replaced only if lockstep wrote it (ours.c), or with --force.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/report_impl.h"

enum { SECONDS_FOR_READER = 2 };

typedef struct output_target {
  char *target;  // malloced; symbolic links resolved, so that a rename keeps them
  strbuf temporary;
  bool direct;  // not a regular file, or in a directory that takes no new files
  int stream;   // an open file of this process, named by /dev/stdout or /dev/fd/N; -1: none
  mode_t mode;  // mode of the file that is replaced; 0: there is none
} output_target;

static void place_release (output_target *p) {
  free (p->target);
  strbuf_release (&p->temporary);
}

static bool write_error (strbuf *why, const char *path, const char *what) {
  strbuf_printf (why, "cannot write %s: %s", path, what);
  return false;
}

static int open_temporary (output_target *p) {
  int fd = open (strbuf_text (&p->temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0 && p->mode && fchmod (fd, p->mode & 07777)) { /* the new file then has the default mode */
  }
  return fd;
}

// Opening /dev/stdout again would overwrite its earlier content if it is a file, so the open stream is used.
static int open_stream_of (const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  if (!strcmp (path, "/dev/stdout")) return 1;
  if (!strcmp (path, "/dev/stderr")) return 2;
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    size_t length = strlen (folders[i]);
    char *end = NULL;
    long stream = strncmp (path, folders[i], length) ? -1 : strtol (path + length, &end, 10);
    if (end && end != path + length && !*end && stream >= 0 && stream <= INT_MAX) return (int) stream;
  }
  return -1;
}

// Finds where and how to write the report; leaves the file unchanged.
static bool place_find (output_target *p, const char *path, bool force, strbuf *why) {
  *p = (output_target){.stream = open_stream_of (path)};
  struct stat info;
  bool exists = stat (path, &info) == 0;
  if (!*path || (exists && S_ISDIR (info.st_mode)))
    return write_error (why, path, *path ? strerror (EISDIR) : "the name is empty");
  if (!exists && p->stream >= 0) return write_error (why, path, strerror (EBADF));
  if (exists && p->stream < 0 && access (path, W_OK)) return write_error (why, path, strerror (errno));
  if (!exists && !force && lstat (path, &info) == 0)
    return write_error (why, path, "it is a symbolic link to a file that is not there (--force replaces it)");
  p->target = exists ? realpath (path, NULL) : NULL;
  if (!p->target) p->target = strdup (path);
  if (!p->target) return write_error (why, path, strerror (ENOMEM));
  p->direct = p->stream >= 0 || (exists && !S_ISREG (info.st_mode));
  if (p->direct) return true;
  if (exists && !force && !report_is_ours (path))
    return write_error (why, path, "it exists and is not a report of lockstep (--force replaces it)");
  p->mode = exists ? info.st_mode : 0;
  strbuf_printf (&p->temporary, "%s.%ld.tmp", p->target, (long) getpid ());
  int file = open_temporary (p);
  if (file >= 0) {
    close (file);
    unlink (strbuf_text (&p->temporary));
  } else if (exists) p->direct = true;
  else return write_error (why, path, strerror (errno));
  return true;
}

bool report_file_probe (const char *path, bool force, strbuf *why) {
  output_target p;
  bool good = place_find (&p, path, force, why);
  place_release (&p);
  return good;
}

typedef bool content_writer (const void *state, FILE *);

static bool write_and_close (FILE *f, content_writer *write, const void *state) {
  errno = 0;
  bool good = write (state, f) && fflush (f) == 0 && !ferror (f);
  int error = errno;
  if (fclose (f)) good = false, error = error ? error : errno;
  errno = error ? error : EIO;
  return good;
}

static bool write_all_bytes (int file, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write (file, bytes, size);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes += n, size -= (size_t) n;
  }
  return true;
}

// Overwrites an old file that cannot be replaced by renaming: space on the disk is reserved before the old text is
// touched.
static bool write_over (int file, const char *bytes, size_t size) {
  struct stat info;
  if (fstat (file, &info) || !S_ISREG (info.st_mode)) return write_all_bytes (file, bytes, size);
  if ((size_t) info.st_size < size && (errno = posix_fallocate (file, 0, (off_t) size)) && errno != EOPNOTSUPP) {
    int error = errno;
    if (ftruncate (file, info.st_size)) { /* longer than it was, but nothing is lost */
    }
    errno = error;
    return false;
  }
  return write_all_bytes (file, bytes, size) && ftruncate (file, (off_t) size) == 0;
}

// Opens a device or pipe.  A named pipe can be opened when a process reads it; the wait for a reader is limited.
static int open_directly (const char *path) {
  int file;
  for (int i = 0; (file = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) < 0 && errno == ENXIO; i++) {
    if (i == SECONDS_FOR_READER * 100) break;
    nanosleep (&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  }
  if (file >= 0) fcntl (file, F_SETFL, fcntl (file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

// Writes a device, pipe or file directly.  The whole text is made before the file is opened.
static bool write_directly (const output_target *p, content_writer *write, const void *state) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  bool good = f && write_and_close (f, write, state);
  int file = good ? p->stream >= 0 ? dup (p->stream) : open_directly (p->target) : -1;
  if (good) good = file >= 0 && (p->stream >= 0 ? write_all_bytes (file, text, size) : write_over (file, text, size));
  int error = errno;
  if (file >= 0 && close (file)) good = false, error = errno;
  free (text);
  errno = error;
  return good;
}

static bool write_beside (output_target *p, content_writer *write, const void *state) {
  int file = open_temporary (p);
  FILE *f = file >= 0 ? fdopen (file, "w") : NULL;
  if (!f) return false;
  bool good = write_and_close (f, write, state) && rename (strbuf_text (&p->temporary), p->target) == 0;
  int error = errno;
  if (!good) unlink (strbuf_text (&p->temporary));
  errno = error;
  return good;
}

static bool write_content (const char *path, bool force, content_writer *write, const void *state, strbuf *why) {
  output_target p;
  bool good = place_find (&p, path, force, why);
  if (good && !(p.direct ? write_directly (&p, write, state) : write_beside (&p, write, state)))
    good = write_error (why, path, errno == ENXIO ? "no process reads this pipe" : strerror (errno));
  place_release (&p);
  return good;
}

typedef struct report_content {
  report_writer *write;
  const report_input *input;
} report_content;

static bool write_report (const void *state, FILE *f) {
  const report_content *c = state;
  return c->write (c->input, f);
}

bool report_file_write (const char *path, bool force, report_writer *write, const report_input *input, strbuf *why) {
  report_content c = {write, input};
  return write_content (path, force, write_report, &c, why);
}

static bool write_strbuf (const void *state, FILE *f) {
  const strbuf *bytes = state;
  return !bytes->count || fwrite (bytes->data, 1, bytes->count, f) == bytes->count;
}

bool report_file_write_bytes (const char *path, bool force, const strbuf *bytes, strbuf *why) {
  return write_content (path, force, write_strbuf, bytes, why);
}
