// What the report writers share: source lines, safe text, terminal colours.
#ifndef LOCKSTEP_REPORT_IMPL_H
#define LOCKSTEP_REPORT_IMPL_H

#include "base/arena.h"
#include "report/report.h"

// ---- source.c ----
// The line of the file, without newline, in the arena; NULL if it cannot be read.
char *excerpt_line (arena *, const char *file, uint32_t line);
// The line with its number, and a caret line below if the column is known.  Nothing if it cannot be read.
void excerpt_show (FILE *, const report_style *, const char *file, uint32_t line, uint32_t column);
const char *source_base_name (const char *file);   // after the last slash

// ---- utf8.c ----
// Valid UTF-8: each byte that is part of no character becomes U+FFFD.  In the arena, or the text itself.
const char *utf8_valid (arena *, const char *text);
// For a terminal: as above, and control characters become '?' (a tab one space).
const char *utf8_printable (arena *, const char *text);
size_t utf8_width (const char *text);              // in characters
size_t utf8_prefix (const char *text, size_t width);  // bytes of the first `width` characters
size_t utf8_length (const unsigned char *text);    // bytes of the character that starts here; 0: none does

// ---- possible.c ----
bool goal_is_possible (const goal *);              // could not be excluded, found without an execution
void report_possible (const report_input *, FILE *);  // all such goals
bool goal_is_formula (const goal *);               // the answer to --ltl, or a run that decides it
void report_formula (const goal *, const report_style *, FILE *);

// ---- lock_report.c ----
void report_protections (const verdict *, FILE *);
void report_lock_order (const verdict *, FILE *);
void report_uneven_returns (const verdict *, FILE *);

// ---- text.c ----
void report_title (const goal *, const report_style *, FILE *);
typedef enum color { COLOR_TITLE, COLOR_BUG, COLOR_GOOD, COLOR_DIM } color;
const char *color_on (const report_style *, color);  // "" without colours
const char *color_off (const report_style *);

#endif
