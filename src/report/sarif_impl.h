// What the files of the SARIF writer share.  In reading order: sarif.c (the log around the results), sarif_rules.c
// (names and explanations of the properties), sarif_result.c (one finding), sarif_flow.c (its interleaving),
// sarif_place.c (files, lines and columns).
#ifndef LOCKSTEP_SARIF_IMPL_H
#define LOCKSTEP_SARIF_IMPL_H

#include <jansson.h>

#include "base/map.h"
#include "report/report_impl.h"

// ---- sarif_place.c ----
typedef struct sarif_file {
  const char *name;            // name of the file, as in positions
  const char *uri;             // relative to the working directory if it lies there
  bool relative;
  VEC (char *) lines;          // lines of its text; none if it cannot be read
} sarif_file;

typedef struct sarif {
  const report_input *in;
  FILE *out;
  arena *arena;
  bool good;                   // no write has failed
  const char *root;            // the working directory, with a slash at its end
  strmap by_name;              // -> index of the file
  VEC (sarif_file) files;
  map seen;                    // fingerprint -> number of findings that have it
} sarif;

void sarif_set (sarif *, json_t *object, const char *key, json_t *value);  // takes ownership of the value
void sarif_append (sarif *, json_t *array, json_t *value);
json_t *sarif_text (sarif *, const char *);        // a string; null becomes ""
json_t *sarif_message (sarif *, const char *);     // {"text": ...}

const char *sarif_uri (arena *, const char *path); // percent-encoded
uint32_t sarif_add_file (sarif *, const char *name);  // its index among the artifacts
// A location object; function and message may be NULL.  Without a file it has a logical location only.
json_t *sarif_location (sarif *, ir_position, const char *function, const char *message);
json_t *sarif_artifact (sarif *, uint32_t file);
void sarif_release_files (sarif *);

// ---- sarif_rules.c ----
// The index of a rule is that of its property; after these come the rules for advice and for questions that are no
// property.
enum { SARIF_FORGOTTEN_LOCK = IR_NUM_PROPERTIES, SARIF_FORMULA, SARIF_PLACES, SARIF_NUM_RULES };
unsigned sarif_rule_of (const sarif *, const goal *);
const char *sarif_rule_id (unsigned rule);
json_t *sarif_rule (sarif *, unsigned rule);

// ---- sarif_flow.c ----
json_t *sarif_code_flow (sarif *, const goal *);   // its steps

// ---- sarif_result.c ----
bool sarif_is_result (const goal *);
json_t *sarif_result (sarif *, const goal *, bool accepted);  // accepted: by a baseline
json_t *sarif_advice (sarif *, const uneven_return *);

#endif
