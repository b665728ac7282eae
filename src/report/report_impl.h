// What the report writers share: source lines, safe text, terminal colours.
#ifndef LOCKSTEP_REPORT_IMPL_H
#define LOCKSTEP_REPORT_IMPL_H

#include "base/arena.h"
#include "report/report.h"

// ---- source.c ----
// Returns the line of the file, without newline, in the arena; NULL if it cannot be read.
char *excerpt_line (arena *, const char *file, uint32_t line);
// Prints the line with its number, and a caret line below if the column is known.  Nothing if it cannot be read.
void excerpt_show (FILE *, const report_style *, const char *file, uint32_t line, uint32_t column);
const char *source_base_name (const char *file);   // after the last slash

// ---- utf8.c ----
// Valid UTF-8: each byte that is part of no character becomes U+FFFD.  In the arena, or the text itself.
const char *utf8_valid (arena *, const char *text);
// For a terminal: as above, and control characters become '?' (a tab one space).
// coverage.c
bool report_coverage (const verdict *, strbuf *);   // appends what executions have reached; false: nothing is known

const char *utf8_printable (arena *, const char *text);
size_t utf8_width (const char *text);              // width in characters
size_t utf8_prefix (const char *text, size_t width);  // bytes of the first `width` characters
size_t utf8_length (const unsigned char *text);    // bytes of the character that starts here; 0: no valid one does

// ---- group.c ----
unsigned severity_rank (ir_property);              // 0: the most severe
// "buf[3]", "a.c:12": each number that is no part of a name becomes #
const char *without_numbers (arena *, const char *text);
typedef struct group_member { const goal *goal; uint32_t number /* in the verdict */, group; } group_member;
typedef VEC (group_member) grouping;
// collects the violated goals in the order of the report; to be released
void group_bugs (const verdict *, grouping *);
uint32_t group_end (const grouping *, uint32_t first);  // index after the last goal of the group that begins at `first`
void report_groups (const report_input *, FILE *); // all of them

// ---- summary.c ----
typedef VEC (const char *) summary;
// says the same in fewer lines; to be released
void summarise_texts (arena *, const char *const *texts, uint32_t count, summary *);

// ---- trace.c ----
const char *step_text (arena *, const trace_step *);  // "read count = 0  {m}"
// text before this step of a run, or after the last one; NULL: none
const char *loop_mark (const goal *, uint32_t step);

// ---- conditional.c ----
void report_conditional (const report_input *, FILE *);  // all such goals
const char *conditions_text (arena *, const goal *);     // "`getpwuid` returns null (a.c:12) and ..."

// ---- possible.c ----
void report_possible (const report_input *, FILE *);  // all such goals
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
