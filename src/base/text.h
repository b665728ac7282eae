// Questions about C strings.
#ifndef LOCKSTEP_TEXT_H
#define LOCKSTEP_TEXT_H

#include <stdbool.h>
#include <string.h>

static inline bool text_starts_with (const char *text, const char *prefix) {
  return !strncmp (text, prefix, strlen (prefix));
}

// `list` ends with NULL.
static inline bool text_is_one_of (const char *text, const char *const *list) {
  while (*list && strcmp (text, *list)) list++;
  return *list;
}

// `prefixes` ends with NULL.
static inline bool text_starts_with_one_of (const char *text, const char *const *prefixes) {
  while (*prefixes && !text_starts_with (text, *prefixes)) prefixes++;
  return *prefixes;
}

#endif
