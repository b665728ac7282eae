// Reports: how a verdict is shown to users and to programs.  Every writer has the same shape,
//
//   bool report_NAME (const report_input *, FILE *);    // false: writing failed (disk full, pipe closed)
//
// so a new format is one more file and one more line here.  Writers read the verdict, change nothing, and allocate only
// scratch memory.  Formats: docs/formats/json.md, docs/formats/trace.md.
#ifndef LOCKSTEP_REPORT_H
#define LOCKSTEP_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "verdict/verdict.h"

// The value of one command line option; the writers print it, and `replay` reads it back.
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
  bool explain;                // text: why each finding is a bug, and what may help
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
  const semantics *semantics;  // each of its properties gets a line
  const char *question;        // the question that replaces a property, shown in its place; NULL: none
  const char *specification;   // the text of the property file, without comments; NULL: none was given
  int exit_code;               // exit code of the process for this verdict
  const char *engine;
  const char *language;        // language of the program, as witnesses call it
  const baseline *baseline;    // NULL: none
  report_names files;          // files of the program
  report_names given_files, clang_flags;  // from the command line; without -p the same files
  VEC (report_option) options;
  uint64_t depth;              // --depth, 0: none
  uint64_t program_hash;       // hash of the printed program
  size_t memory_bytes;         // peak of allocated memory
  report_style style;
} report_input;

bool report_text (const report_input *, FILE *);
bool report_json (const report_input *, FILE *);
bool report_lock_graph (const report_input *, FILE *);  // DOT
bool report_has_lock_graph (const report_input *, strbuf *why_not);
bool report_html (const report_input *, FILE *);
bool report_sarif (const report_input *, FILE *);
// An SV-COMP witness, in the format that the extension of the file given by --witness selects.  There may be none:
// *why_not says why.
bool report_witness (const report_input *, FILE *);
bool report_has_witness (const report_input *, strbuf *why_not);

// The last line of every text report, without newline: "VERDICT: UNKNOWN (interrupted)".
void report_verdict_line (const verdict *, strbuf *out);

// Prints one violation: title and, unless quiet, the source lines involved.
void report_goal (const goal *, const report_style *, FILE *);
void report_conditions (const goal *, FILE *);  // the line "only if ..." of a conditional one
// Prints its interleaving, a column per thread; or only the steps [first..last[, with the layout of the whole.
void report_trace (const goal *, const report_style *, FILE *);
void report_trace_part (const goal *, const report_style *, FILE *, uint32_t first, uint32_t last);
// Prints the source line with so many lines before and after it.  Nothing if the file cannot be read.
void report_context (const report_style *, ir_position, unsigned lines, FILE *);
// Prints why the goal is a bug and what may help, from the facts of the verdict.  Nothing if they do not say.
void report_explanation (const verdict *, const goal *, const report_style *, FILE *);

// ---- baselines: findings that are accepted (docs/formats/baseline.md) -----------------------------------
// Identifies a finding wherever in its file it stands; two findings may share a fingerprint.  Violated, conditional and
// possible goals have one.
uint64_t report_fingerprint (const goal *);
bool report_has_fingerprint (const goal *);

struct baseline {
  const char *path;
  map lines;                   // fingerprint -> number of lines that have hidden no finding yet
  uint32_t unmatched;          // number of such lines, after `baseline_apply`
};
// false: *why says what is wrong with the file; to be released in either case
bool baseline_load (baseline *, const char *path, strbuf *why);
void baseline_release (baseline *);
// Moves the findings of the baseline to `accepted`, one per line, and computes the verdict again as if they had not
// been found.
void baseline_apply (baseline *, verdict *, uint32_t asked);
bool report_baseline (const report_input *, FILE *);  // all findings, also those accepted already

// ---- report files -------------------------------------------------------------------------------------
// A report is written to a temporary file, which is then renamed: a reader sees the old or the new report, never half.
typedef bool report_writer (const report_input *, FILE *);
// `force`: also over a file that is no report of lockstep.
// whether it can be written; called before the long run
bool report_file_probe (const char *path, bool force, strbuf *why);
bool report_file_write (const char *path, bool force, report_writer *, const report_input *, strbuf *why);
bool report_file_write_bytes (const char *path, bool force, const strbuf *, strbuf *why);   // the same for other files
bool report_is_ours (const char *path);   // ours.c: the file is empty, or lockstep wrote it

// ---- reading a JSON report back -----------------------------------------------------------------------
typedef struct report_saved_goal {
  const char *id, *message;
  bool has_claim;              // false: possible, or decided without an execution: it cannot be replayed
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
void json_memory_count (void);  // counts what jansson allocates; to be called before any other use of JSON

#endif
