// What the scanf family shares: input.c reads streams, scan.c texts.
#ifndef LOCKSTEP_SCAN_H
#define LOCKSTEP_SCAN_H

#include "intrinsics.h"

struct conversion {
  int skipped, width;
  size_t bytes;
  char kind;
};

const char *__lockstep_read_conversion (const char *, struct conversion *);  // after '%'; returns its last character

#endif
