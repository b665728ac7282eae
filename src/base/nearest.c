// "Did you mean ...?": the nearest of a few words by edit edit_distance (Levenshtein 1966; Wagner and Fischer 1974, one
// row).
#include <ctype.h>
#include <string.h>

#include "base/nearest.h"

enum { WORD_CHARACTERS = 63 };

static unsigned least (unsigned a, unsigned b, unsigned c) {
  unsigned least = a < b ? a : b;
  return least < c ? least : c;
}

static unsigned edit_distance (const char *a, const char *b) {
  size_t length = strlen (b);
  unsigned row[WORD_CHARACTERS + 1];
  for (unsigned j = 0; j <= length; j++) row[j] = j;
  for (unsigned i = 0; a[i]; i++) {
    unsigned diagonal = row[0];  // entry (i, j) of the matrix while (i + 1, j + 1) is computed
    row[0] = i + 1;
    for (unsigned j = 0; j < length; j++) {
      unsigned differ = tolower ((unsigned char) a[i]) != tolower ((unsigned char) b[j]);
      unsigned entry = least (row[j + 1] + 1, row[j] + 1, diagonal + differ);
      diagonal = row[j + 1];
      row[j + 1] = entry;
    }
  }
  return row[length];
}

const char *nearest_word (const char *text, const char *const *words, size_t count) {
  const char *best = NULL;
  size_t length = strlen (text);
  unsigned limit = length <= 4 ? 1 : length <= 8 ? 2 : 3, best_distance = limit + 1;
  for (size_t i = 0; i < count && length <= WORD_CHARACTERS; i++) {
    if (strlen (words[i]) > WORD_CHARACTERS) continue;
    unsigned d = edit_distance (text, words[i]);
    if (d < best_distance) best = words[i], best_distance = d;
  }
  return best;
}
