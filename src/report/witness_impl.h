// What the two writers of SV-COMP witnesses share.  In reading order: witness.c (is there one, and what stands at its
// head), witness_path.c (the steps of a bug as places to pass), witness_source.c (where those places are in the input
// files), then witness_yaml.c and witness_graphml.c.  The formats are explained in docs/formats/witness.md.
#ifndef LOCKSTEP_WITNESS_IMPL_H
#define LOCKSTEP_WITNESS_IMPL_H

#include "base/sha256.h"
#include "report/report_impl.h"

// ---- witness_source.c ----
// from line `at` on it counts as this line of that file
typedef struct source_marker { uint32_t at, line; const char *file; } source_marker;
typedef struct witness_file {
  const char *name;            // as given
  char hash[SHA256_TEXT];      // "" if it cannot be read
  VEC (char *) lines;          // [0..count[, without newlines
  VEC (source_marker) markers; // of the preprocessor
} witness_file;
typedef VEC (witness_file) witness_files;
void witness_files_load (arena *, const report_input *, witness_files *);
void witness_files_release (witness_files *);

typedef struct witness_place { const witness_file *file; uint32_t line, column; } witness_place;  // column 0: not known
// Where the position stands in the input files.  False: in none of them, for example in a header.
bool witness_place_find (const witness_files *, ir_position, witness_place *);
// Columns from 1, 0 if there is none: the parenthesis that closes the first call of `called` from the place on (NULL:
// the first call of all); the beginning of the statement around the place, unless the statement is a loop, which is
// entered once but evaluated often.
uint32_t witness_call_end (const witness_place *, const char *called);
uint32_t witness_statement (const witness_place *);

// ---- witness_path.c ----
typedef enum waypoint_kind {
  WAYPOINT_CREATE,             // `created` is the new thread, `called` its function
  WAYPOINT_START,              // of the thread, in `function`
  WAYPOINT_CHOICE,             // `called` returns `value`
  // passes the place; `statement`: its beginning is known, and there `constraint` holds (NULL: nothing is said)
  WAYPOINT_STEP,
  WAYPOINT_END,                // of the thread, in `function`
  WAYPOINT_TARGET              // here it fails; several: the threads that take part
} waypoint_kind;
typedef struct waypoint {
  waypoint_kind kind;
  uint32_t thread, created;    // numbered in order of creation, 0 is the first thread
  witness_place place;
  uint32_t statement;          // column
  const char *function, *called, *value, *constraint;
} waypoint;
typedef VEC (waypoint) witness_path;
// False: the violation itself lies outside of the input files.
bool witness_path_find (arena *, const goal *, const witness_files *, bool narrow_long, witness_path *);

// ---- witness.c ----
typedef struct witness {
  arena *arena;                // owns the strings
  const report_input *in;
  const goal *violated;        // NULL: the program is correct
  witness_files files;
  witness_path path;
  const char *specification, *time, *uuid;
  bool narrow_long;            // data model ILP32
} witness;

const char *witness_entry (const report_input *);  // the function the program starts in
bool witness_write_yaml (const witness *, FILE *);
bool witness_write_graphml (const witness *, FILE *);

#endif
