// "Did you mean ...?"
#ifndef LOCKSTEP_NEAREST_H
#define LOCKSTEP_NEAREST_H

#include <stddef.h>

// The word of `words` nearest to `text`, or NULL if none is near.  Case does not count.
const char *nearest_word (const char *text, const char *const *words, size_t count);

#endif
