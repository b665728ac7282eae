// Messages on standard error, one format for all.
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

static int verbosity;
static int command_argc;
static char **command_argv;

void diag_set_verbosity (int level) { verbosity = level; }
int diag_verbosity (void) { return verbosity; }

void diag_set_command_line (int argc, char **argv) {
  command_argc = argc;
  command_argv = argv;
}

static void show_source_line (const char *file, uint32_t line, uint32_t column) {
  FILE *f = file_open_source (file);
  if (!f) return;
  char *text = NULL;
  size_t size = 0;
  ssize_t length = 0;
  for (uint32_t i = 0; i < line && length >= 0; i++) length = getline (&text, &size, f);
  if (length > 0) {
    if (text[length - 1] == '\n') text[--length] = 0;
    fprintf (stderr, "%5u | %s\n", line, text);
    if (column && (ssize_t) column <= length) {
      fputs ("      | ", stderr);
      for (uint32_t i = 0; i + 1 < column; i++) fputc (text[i] == '\t' ? '\t' : ' ', stderr);
      fputs ("^\n", stderr);
    }
  }
  free (text);
  fclose (f);
}

void diag_error (const char *file, uint32_t line, uint32_t column, const char *format, ...) {
  if (!file) fputs ("lockstep: error: ", stderr);
  else if (!line) fprintf (stderr, "%s: error: ", file);
  else fprintf (stderr, "%s:%u:%u: error: ", file, line, column);
  va_list list;
  va_start (list, format);
  vfprintf (stderr, format, list);
  va_end (list);
  fputc ('\n', stderr);
  if (file && line) show_source_line (file, line, column);
}

static void print_message (const char *prefix, const char *format, va_list list) {
  fputs (prefix, stderr);
  vfprintf (stderr, format, list);
  fputc ('\n', stderr);
}

void diag_warn (const char *format, ...) {
  va_list list;
  va_start (list, format);
  print_message ("lockstep: warning: ", format, list);
  va_end (list);
}

void diag_note (const char *format, ...) {
  if (verbosity < 0) return;
  va_list list;
  va_start (list, format);
  print_message ("lockstep: ", format, list);
  va_end (list);
}

void diag_verbose (int level, const char *engine, const char *format, ...) {
  if (verbosity < level) return;
  fprintf (stderr, "[%s] ", engine);
  va_list list;
  va_start (list, format);
  print_message ("", format, list);
  va_end (list);
}

void diag_bug (const char *file, int line, const char *format, ...) {
  fflush (stdout);
  fprintf (stderr, "lockstep: internal error at %s:%d: ", file, line);
  va_list list;
  va_start (list, format);
  vfprintf (stderr, format, list);
  va_end (list);
  fputs ("\nThis is a bug in lockstep.  The command was:", stderr);
  for (int i = 0; i < command_argc; i++) fprintf (stderr, " %s", command_argv[i]);
  fputc ('\n', stderr);
  exit (EXIT_INTERNAL);
}
