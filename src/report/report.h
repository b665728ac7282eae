// Reports: what a verdict looks like for people and for machines.  Every writer has the same shape,
//
//   bool report_NAME (const report_input *, FILE *);    // false: writing failed (disk full, pipe closed)
//
// so that a new format is one more file and one more line here.  Writers read the verdict, change nothing, and
// allocate only scratch memory.  Formats: docs/formats/json.md, docs/formats/trace.md.
#ifndef LOCKSTEP_REPORT_H
#define LOCKSTEP_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "verdict/verdict.h"

// One command line option as it was in force; the writers print it, `report_saved` hands it back to `replay`.
typedef struct report_option {
  const char *name;            // without dashes
  enum { REPORT_BOOL, REPORT_NUMBER, REPORT_MILLISECONDS /* shown in seconds */, REPORT_TEXT } kind;
  uint64_t number;             // BOOL, NUMBER
  const char *text;            // TEXT; NULL: not given
} report_option;

typedef struct report_style {
  bool color;
  bool full_trace;             // leave no step out
  bool stats;                  // counters after the text report
  bool explain;                // text: why each bug is one, and what may help
  bool lock_report;            // what protects which variable, and the order of locks
  bool quiet;                  // text: only the titles of bugs, and the verdict
  bool all_limits;             // text: the limits that were met, also if the verdict is a bug or safe
  unsigned columns;            // width of the page; 0: REPORT_COLUMNS
} report_style;
enum { REPORT_COLUMNS = 100 };

typedef VEC (const char *) report_names;
typedef struct baseline baseline;

typedef struct report_input {
  const char *version;
  const verdict *verdict;
  const semantics *semantics;  // its properties are those that get a line
  const char *question;        // what was asked instead of a property, and is shown in its place; NULL: nothing
  const char *specification;   // the text of the property file, without comments; NULL: none was given
  int exit_code;               // what the verdict will end the process with
  const char *engine;
  const char *language;        // of the program, as witnesses call it
  const baseline *baseline;    // NULL: none
  report_names files;          // the program
  report_names given_files, clang_flags;  // what the user gave; without -p the same files
  VEC (report_option) options;
  uint64_t depth;              // --depth, 0: none
  uint64_t program_hash;       // of the printed program
  size_t memory_bytes;         // peak
  report_style style;
} report_input;

bool report_text (const report_input *, FILE *);
bool report_json (const report_input *, FILE *);
bool report_lock_graph (const report_input *, FILE *);  // DOT
bool report_has_lock_graph (const report_input *, strbuf *why_not);
bool report_html (const report_input *, FILE *);
bool report_sarif (const report_input *, FILE *);
// An SV-COMP witness, in the format that the ending of the option `witness` asks for; only where there is one: else *why_not.
bool report_witness (const report_input *, FILE *);
bool report_has_witness (const report_input *, strbuf *why_not);

// The last line of every text report, without newline: "VERDICT: UNKNOWN (interrupted)".
void report_verdict_line (const verdict *, strbuf *out);

// One violation: title and, unless quiet, the source lines involved.
void report_goal (const goal *, const report_style *, FILE *);
void report_conditions (const goal *, FILE *);  // the line "only if ..." of a conditional one
// Its interleaving, a column per thread; or of it only the steps [first..last[, laid out as in the whole.
void report_trace (const goal *, const report_style *, FILE *);
void report_trace_part (const goal *, const report_style *, FILE *, uint32_t first, uint32_t last);
// The source line with so many lines before and behind it.  Nothing if the file cannot be read.
void report_context (const report_style *, ir_position, unsigned lines, FILE *);
// Why it is a bug and what may help, from the facts of the verdict.  Nothing if they tell nothing.
void report_explanation (const verdict *, const goal *, const report_style *, FILE *);

// ---- baselines: findings that are accepted (docs/formats/baseline.md) -----------------------------------
// The same for the same finding, wherever in its file it stands; two findings may share one.  Violated, conditional and possible goals have one.
uint64_t report_fingerprint (const goal *);
bool report_has_fingerprint (const goal *);

struct baseline {
  const char *path;
  map lines;                   // fingerprint -> lines that have hidden nothing yet
  uint32_t unmatched;          // their number, after `baseline_apply`
};
bool baseline_load (baseline *, const char *path, strbuf *why);  // false: what is wrong with the file; to be released all the same
void baseline_release (baseline *);
// Moves the findings of the baseline to `accepted`, each line one, and settles the verdict anew, as if they had not been found.
void baseline_apply (baseline *, verdict *, uint32_t asked);
bool report_baseline (const report_input *, FILE *);  // all findings, also those accepted already

// ---- report files -------------------------------------------------------------------------------------
// A file report is written beside its place and then renamed, so a reader sees the old or the new one, never half.
typedef bool report_writer (const report_input *, FILE *);
// `force`: also over a file that is no report of lockstep.
bool report_file_probe (const char *path, bool force, strbuf *why);   // can it be written?  Asked before the long run
bool report_file_write (const char *path, bool force, report_writer *, const report_input *, strbuf *why);
bool report_file_write_bytes (const char *path, bool force, const strbuf *, strbuf *why);   // for other files, as carefully
bool report_is_ours (const char *path);   // ours.c: it is empty, or what lockstep wrote

// ---- reading a JSON report back -----------------------------------------------------------------------
typedef struct report_saved_goal {
  const char *id, *message;
  bool has_claim;              // false: possible only, or decided without an execution: there is nothing to replay
  claim claim;
} report_saved_goal;
typedef struct report_saved {
  arena *arena;                // owns the strings
  const char *version;
  uint64_t program_hash;
  report_names files, clang_flags;
  VEC (report_option) options;
  VEC (report_saved_goal) goals;   // the violated and the possible ones
} report_saved;
// False and *why if the file is not a lockstep report.  Numbers are in range for their type, not for any program.
bool report_saved_load (report_saved *, const char *path, strbuf *why);
void report_saved_release (report_saved *);

// ---- json_memory.c ----
void json_memory_count (void);  // what is allocated for JSON counts as ours; before anything else is done with JSON

#endif
