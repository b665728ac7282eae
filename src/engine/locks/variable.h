// Names of places in memory for people.
#ifndef LOCKSTEP_LOCKS_VARIABLE_H
#define LOCKSTEP_LOCKS_VARIABLE_H

#include "engine/locks/analysis.h"

typedef struct variable_names {
  const lock_analysis *analysis;
  map sites;                   // abstract object -> edge that makes it
} variable_names;

void variable_names_init (variable_names *, const lock_analysis *);
void variable_names_release (variable_names *);

// "queue.head"; of memory without a name where it comes from: "heap object of a.c:12".  The same for all who access it.
const char *variable_name (const variable_names *, uint32_t object, uint32_t offset, arena *);
bool variable_is_static (const variable_names *, uint32_t object);
const char *variable_as_written (const lock_analysis *, ir_edge, arena *);  // the C text of the access, or NULL

#endif
