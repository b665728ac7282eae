// Input: anything may be read, and it may end at any point.  Reading fails only with --may-fail.  What is read is left
// undefined in memory, so a value is chosen only where the program looks at it.  The bytes behind what is read stay as
// they are.
#include "scan.h"

// ---- streams: a heap object each, so that use after fclose shows ------------------------------------
FILE *fopen (const char *name, const char *mode) {
  __lockstep_read_string (name);
  __lockstep_read_string (mode);
  FILE *stream = __lockstep_calloc_bytes (1);  // null only with --may-fail
  if (!stream) __lockstep_fail (ENOENT);
  return stream;
}

// A descriptor that is open; none only with --may-fail.
static int any_descriptor (void) {
  if (__lockstep_nondet_failure ()) return __lockstep_fail (ENOENT);
  int any = __lockstep_nondet_int ();
  __lockstep_assume (any >= 0);
  return any;
}

int open (const char *name, int flags, ...) { return __lockstep_read_string (name), (void) flags, any_descriptor (); }
int creat (const char *name, unsigned mode) { return __lockstep_read_string (name), (void) mode, any_descriptor (); }
int dup (int file) { return (void) file, any_descriptor (); }

// A descriptor that some function without a model has given, like those of a pipe, may be one at which a thread waits
// for another.  That it does not wait rests on the descriptor: this looks at it, and lets all of them through.
static void rest_on (int file) {
  int never_zero = file | 1;
  __lockstep_assume (never_zero);
}

FILE *fdopen (int file, const char *mode) {
  rest_on (file);
  return fopen ("", mode);
}

int fclose (FILE *stream) {
  extern FILE *const stdin, *const stdout, *const stderr;
  if (stream != stdin && stream != stdout && stream != stderr) __lockstep_free (stream);
  return 0;
}

// The stream is looked at as the real functions do: a null or closed one is an error.
static void touch (FILE *stream) { (void) __atomic_load_n ((char *) stream, __ATOMIC_RELAXED); }

// What the last read says about the end of the stream, in the byte that the stream is.  Only programs that call feof
// keep it.  A line may be short because it has ended, or because the input has.
enum { NOT_MET, MET, UNSURE };

void __lockstep_note_end (FILE *stream, int end) { (void) stream, (void) end; }
void __lockstep_note_end__if__feof (FILE *stream, int end) {
  __atomic_store_n ((char *) stream, (char) end, __ATOMIC_SEQ_CST);
}

int feof (FILE *stream) {
  int end = __atomic_load_n ((char *) stream, __ATOMIC_SEQ_CST);
  if (end == UNSURE) {
    end = __lockstep_nondet_bool () ? MET : NOT_MET;
    __lockstep_note_end (stream, end);
  }
  return end == MET;
}

int ferror (FILE *stream) { return touch (stream), __lockstep_nondet_failure (); }
void clearerr (FILE *stream) {
  touch (stream);
  __lockstep_note_end (stream, NOT_MET);
}
int fseek (FILE *stream, long offset, int from) { return clearerr (stream), (void) offset, (void) from, 0; }
void rewind (FILE *stream) { clearerr (stream); }

int fileno (FILE *stream) {
  extern FILE *const stdin, *const stdout, *const stderr;
  touch (stream);
  if (stream == stdin || stream == stdout || stream == stderr) return stream == stdin ? 0 : stream == stdout ? 1 : 2;
  return __lockstep_nondet_int () & 0x7fffffff;
}

// ---- characters and lines --------------------------------------------------------------------------
static int any_character (void) { return __lockstep_nondet_bool () ? -1 : __lockstep_nondet_uchar (); }

// What ungetc has put back comes first; one character, of the last stream it was called for.
static FILE *__lockstep_pushed_stream;
static int __lockstep_pushed;

int __lockstep_take_pushed (FILE *stream) { return (void) stream, -1; }  // none

int __lockstep_take_pushed__if__ungetc (FILE *stream) {
  if (!__atomic_compare_exchange_n (&__lockstep_pushed_stream, &(FILE *){stream}, NULL, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
    return -1;
  return __atomic_load_n (&__lockstep_pushed, __ATOMIC_SEQ_CST);
}

int ungetc (int c, FILE *stream) {
  touch (stream);
  if (c == -1) return c;
  __atomic_store_n (&__lockstep_pushed, (unsigned char) c, __ATOMIC_SEQ_CST);
  __atomic_store_n (&__lockstep_pushed_stream, stream, __ATOMIC_SEQ_CST);
  return (unsigned char) c;
}

int fgetc (FILE *stream) {
  touch (stream);
  int pushed = __lockstep_take_pushed (stream), c = pushed != -1 ? pushed : any_character ();
  __lockstep_note_end (stream, c == -1 ? MET : NOT_MET);
  return c;
}

int getc (FILE *stream) { return fgetc (stream); }

int getchar (void) {
  extern FILE *const stdin;
  return fgetc (stdin);
}

// Of few lengths the explicit search tries all.
static size_t any_up_to (size_t max) {
  enum { FEW = 8 };
  size_t n = 0;
  if (max > FEW) n = __lockstep_nondet_size ();
  else
    while (n < max && __lockstep_nondet_bool ()) n++;
  return n > max ? max : n;
}

// How often the loops are executed is known, which makes them short work for `order`; how much is read is not. The rest
// of what is read, less than a word, starts where the length says.
static void read_length (void *to, size_t length, size_t max) {
  char *t = to;
  size_t words = 0;
  if (max > 64 && ((uintptr_t) t & 7) == 0)
    for (size_t all = max / 8, whole = length / 8; words < all; words++)
      if (words < whole) __lockstep_any_bytes (t + 8 * words, 8);
  if (words) {
    t += length / 8 * 8;
    length %= 8;
    max = 7;
  }
  for (size_t k = 0; k < max; k++)
    if (k < length) __lockstep_any_bytes (t + k, 1);
}

static size_t read_any (void *to, size_t max) {
  size_t length = any_up_to (max);
  read_length (to, length, max);
  return length;
}

char *fgets (char *line, int size, FILE *stream) {
  touch (stream);
  if (size <= 0) return NULL;
  int pushed = size > 1 ? __lockstep_take_pushed (stream) : -1;
  if (pushed == -1 && __lockstep_nondet_bool ()) {
    __lockstep_note_end (stream, MET);
    return NULL;
  }
  size_t length = read_any (line, (size_t) size - 1);
  __lockstep_note_end (stream, length == (size_t) size - 1 ? NOT_MET : UNSURE);
  if (pushed != -1) {
    line[0] = (char) pushed;
    if (!length) length = 1;
  }
  line[length] = 0;
  return line;
}

size_t fread (void *to, size_t size, size_t count, FILE *stream) {
  touch (stream);
  size_t n = size ? any_up_to (count) : 0;
  size_t part = n < count && size > 1 ? any_up_to (size - 1) : 0;  // of the element in which the input ends
  read_length (to, n * size + part, size * count);
  if (size && count) __lockstep_note_end (stream, n < count ? MET : NOT_MET);
  return n;
}

ssize_t read (int file, void *to, size_t count) {
  rest_on (file);
  if (__lockstep_nondet_failure ()) return __lockstep_fail (EINTR);
  return (ssize_t) read_any (to, count);
}

int close (int file) { return (void) file, 0; }

// ---- the scanf family (sscanf: scan.c) ------------------------------------------------------------
static const char *skip_set (const char *p) {  // at '['; returns the closing bracket
  p++;
  if (*p == '^') p++;
  if (*p == ']') p++;
  while (*p && *p != ']') p++;
  return p;
}

const char *__lockstep_read_conversion (const char *p, struct conversion *c) {
  int longs = 0, shorts = 0;
  *c = (struct conversion){.bytes = sizeof (int)};
  if (*p == '*') c->skipped = 1, p++;
  for (; *p >= '0' && *p <= '9'; p++) c->width = c->width * 10 + (*p - '0');
  for (;; p++)
    if (*p == 'l') longs++;
    else if (*p == 'h') shorts++;
    else if (*p == 'j' || *p == 'q' || *p == 'L') longs = 2;
    else if (*p == 'z' || *p == 't') longs = 1;
    else break;
  c->kind = *p;
  switch (*p) {
  case 'f':
  case 'e':
  case 'g':
  case 'a':
  case 'E':
  case 'G': c->bytes = longs == 2 ? sizeof (long double) : longs ? 8 : 4; break;
  case 'p': c->bytes = sizeof (void *); break;
  default: c->bytes = longs >= 2 ? 8 : longs ? sizeof (long) : shorts >= 2 ? 1 : shorts ? 2 : sizeof (int);
  }
  return *p == '[' ? skip_set (p) : p;
}

static void store_any_text (const struct conversion *c, char *to) {
  if (c->kind == 'c') {
    __lockstep_any_bytes (to, c->width ? (size_t) c->width : 1);
    return;
  }
  // No width: any length.  A buffer that is too short is too short for some input.
  if (c->width) {
    to[read_any (to, (size_t) c->width)] = 0;
    return;
  }
  size_t length = __lockstep_nondet_size ();
  __lockstep_any_bytes (to, length);
  to[length] = 0;
}

static int scan_anything (const char *format, va_list args) {
  int count = 0;
  for (const char *p = format; *p; p++) {
    if (*p != '%') continue;
    if (*++p == '%') continue;
    struct conversion c;
    p = __lockstep_read_conversion (p, &c);
    if (!*p) break;
    if (c.kind == 'n') {
      *va_arg (args, int *) = __lockstep_nondet_int () & 0x7fffffff;
      continue;
    }
    if (__lockstep_nondet_bool ()) return count == 0 && __lockstep_nondet_bool () ? -1 : count;
    if (c.skipped) continue;
    void *to = va_arg (args, void *);
    if (c.kind == 's' || c.kind == '[' || c.kind == 'c') store_any_text (&c, to);
    else __lockstep_any_bytes (to, c.bytes);
    count++;
  }
  return count;
}

int vfscanf (FILE *stream, const char *format, va_list args) {
  touch (stream);
  int count = scan_anything (format, args);
  __lockstep_note_end (stream, count == -1 ? MET : UNSURE);
  return count;
}

int vscanf (const char *format, va_list args) {
  extern FILE *const stdin;
  return vfscanf (stdin, format, args);
}

int scanf (const char *format, ...) {
  va_list args;
  va_start (args, format);
  int count = vscanf (format, args);
  va_end (args);
  return count;
}

int fscanf (FILE *stream, const char *format, ...) {
  va_list args;
  va_start (args, format);
  int count = vfscanf (stream, format, args);
  va_end (args);
  return count;
}

// ---- the names headers use for the same functions ---------------------------------------------------
int __isoc99_scanf (const char *, ...) __attribute__ ((alias ("scanf")));
int __isoc23_scanf (const char *, ...) __attribute__ ((alias ("scanf")));
int __isoc99_fscanf (FILE *, const char *, ...) __attribute__ ((alias ("fscanf")));
int __isoc23_fscanf (FILE *, const char *, ...) __attribute__ ((alias ("fscanf")));
