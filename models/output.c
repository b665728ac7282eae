// Output besides what the front end maps itself (printf, fprintf, puts, putchar, fputs, fputc, putc): the v-functions,
// fwrite, write, perror, and the functions that only arrange buffers.
#include "intrinsics.h"

static char __lockstep_streams[3];
FILE *const stdin = (FILE *) &__lockstep_streams[0];
FILE *const stdout = (FILE *) &__lockstep_streams[1];
FILE *const stderr = (FILE *) &__lockstep_streams[2];

extern char *strerror (int);

// 1 and 2 as file descriptors; 0 for a stream whose output is not shown.
static int number_of (FILE *stream) { return stream == stdout ? 1 : stream == stderr ? 2 : 0; }

static int put_formatted (int stream, const char *format, va_list args) {
  int length = __lockstep_format (NULL, 0, format, args);
  char *text = __lockstep_malloc ((size_t) length + 1);
  if (!text) return -1;
  __lockstep_format (text, (size_t) length + 1, format, args);
  if (stream) __lockstep_output (stream, "%s", text);
  __lockstep_free (text);
  return length;
}

int vprintf (const char *format, va_list args) { return put_formatted (1, format, args); }
int vfprintf (FILE *stream, const char *format, va_list args) {
  return put_formatted (number_of (stream), format, args);
}

static void put_bytes (int stream, const char *bytes, size_t count) {
  for (size_t k = 0; k < count; k++) {
    char c = bytes[k];
    if (stream) __lockstep_output (stream, "%c", c);
    else __lockstep_written ((unsigned char) c);
  }
}

size_t fwrite (const void *from, size_t size, size_t count, FILE *stream) {
  put_bytes (number_of (stream), from, size * count);
  return count;
}

ssize_t write (int file, const void *from, size_t count) {
  put_bytes (file == 1 || file == 2 ? file : 0, from, count);
  return (ssize_t) count;
}

void perror (const char *what) {
  if (what && *what) {
    __lockstep_read_string (what);
    __lockstep_output (2, "%s: ", what);
  }
  __lockstep_output (2, "%s\n", strerror (*__errno_location ()));
}

int fflush (FILE *stream) { return (void) stream, 0; }
void setbuf (FILE *stream, char *buffer) { (void) stream, (void) buffer; }
void setlinebuf (FILE *stream) { (void) stream; }
int setvbuf (FILE *stream, char *buffer, int mode, size_t size) {
  return (void) stream, (void) buffer, (void) mode, (void) size, 0;
}
