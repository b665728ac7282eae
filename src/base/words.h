// Splitting a line into words, as a shell does.
#ifndef LOCKSTEP_WORDS_H
#define LOCKSTEP_WORDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"

typedef VEC (const char *) word_list;

// Appends the words of `line`, copied into the arena.  False if a quotation is not closed; then the rest of the line is
// its last word.
bool words_split (arena *, const char *line, word_list *out);

#endif
