// Messages to the user on standard error, and internal checks.
//   diag_error   a mistake of the user: file, line, source line, caret
//   BUG, CHECK   a mistake of lockstep: place and text, exit code 6
//   ASSERT       as CHECK, in debug builds only
#ifndef LOCKSTEP_DIAG_H
#define LOCKSTEP_DIAG_H

#include <stdbool.h>
#include <stdint.h>

enum { EXIT_SAFE = 0, EXIT_USAGE = 1, EXIT_UNKNOWN = 5, EXIT_INTERNAL = 6, EXIT_BUG = 10, EXIT_BOUNDED = 11 };

// "file:line:column: error: ..." with the source line and a caret when the file can be read; file NULL: "lockstep:
// error: ...".
void diag_error (const char *file, uint32_t line, uint32_t column, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
void diag_warn (const char *format, ...) __attribute__ ((format (printf, 1, 2)));   // "lockstep: warning: ..."
void diag_note (const char *format, ...) __attribute__ ((format (printf, 1, 2)));   // "lockstep: ...", silenced by -q
// "[engine] ..." from -v on
void diag_verbose (int level, const char *engine, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
void diag_set_verbosity (int level);             // -1 quiet, 0 normal, 1.. verbose
int diag_verbosity (void);
void diag_set_command_line (int argc, char **argv);  // shown by BUG

_Noreturn void diag_bug (const char *file, int line, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
#define BUG(...) diag_bug (__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(CONDITION, ...) do { if (!(CONDITION)) BUG (__VA_ARGS__); } while (0)
#ifdef NDEBUG
#define ASSERT(CONDITION) ((void) 0)
#else
#define ASSERT(CONDITION) CHECK (CONDITION, "%s", #CONDITION " should hold")
#endif

#endif
