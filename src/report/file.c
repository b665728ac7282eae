// Report files.  An answer may have taken an hour: whether it can be written is asked before the work starts, and it
// is written to a temporary file in the same directory that then replaces the old one, so a full disk or a
// crash never leaves half a report under the name.  Devices and pipes are written directly.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report_impl.h"

typedef struct place {
  char *target;  // malloced; symbolic links resolved, so that a rename keeps them
  strbuf temporary;
  bool direct;  // not a regular file, or a directory that takes no new files
  mode_t mode;  // of the file that is replaced; 0: there is none
} place;

static void place_release (place *p) {
  free (p->target);
  strbuf_release (&p->temporary);
}

static bool fail (strbuf *why, const char *path, const char *what) {
  strbuf_printf (why, "cannot write %s: %s", path, what);
  return false;
}

static FILE *open_temporary (place *p, int *error) {
  int fd = open (strbuf_text (&p->temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    *error = errno;
    return NULL;
  }
  if (p->mode && fchmod (fd, p->mode & 07777)) { /* the new file then has the default mode */
  }
  return fdopen (fd, "w");
}

// Where the report goes and how; leaves the file as it is.
static bool place_find (place *p, const char *path, strbuf *why) {
  *p = (place){0};
  struct stat info;
  bool exists = stat (path, &info) == 0;
  if (!*path || (exists && S_ISDIR (info.st_mode)))
    return fail (why, path, *path ? strerror (EISDIR) : "the name is empty");
  if (exists && access (path, W_OK)) return fail (why, path, strerror (errno));
  p->target = exists ? realpath (path, NULL) : NULL;
  if (!p->target) p->target = strdup (path);
  if (!p->target) return fail (why, path, strerror (ENOMEM));
  p->direct = exists && !S_ISREG (info.st_mode);
  p->mode = exists ? info.st_mode : 0;
  strbuf_printf (&p->temporary, "%s.%ld.tmp", p->target, (long) getpid ());
  if (p->direct) return true;
  int error = 0;
  FILE *f = open_temporary (p, &error);
  if (f) {
    fclose (f);
    unlink (strbuf_text (&p->temporary));
  } else if (exists) p->direct = true;
  else return fail (why, path, strerror (error));
  return true;
}

bool report_file_probe (const char *path, strbuf *why) {
  place p;
  bool good = place_find (&p, path, why);
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

static bool write_content (const char *path, content_writer *write, const void *state, strbuf *why) {
  place p;
  bool good = place_find (&p, path, why);
  if (good) {
    int error = 0;
    FILE *f = p.direct ? fopen (p.target, "w") : open_temporary (&p, &error);
    if (!f) good = fail (why, path, strerror (error ? error : errno));
    else if (!write_and_close (f, write, state)) good = fail (why, path, strerror (errno));
    else if (!p.direct && rename (strbuf_text (&p.temporary), p.target)) good = fail (why, path, strerror (errno));
    if (!good && !p.direct) unlink (strbuf_text (&p.temporary));
  }
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

bool report_file_write (const char *path, report_writer *write, const report_input *input, strbuf *why) {
  report_content c = {write, input};
  return write_content (path, write_report, &c, why);
}

static bool write_bytes (const void *state, FILE *f) {
  const strbuf *bytes = state;
  return !bytes->count || fwrite (bytes->data, 1, bytes->count, f) == bytes->count;
}

bool report_file_write_bytes (const char *path, const strbuf *bytes, strbuf *why) {
  return write_content (path, write_bytes, bytes, why);
}
