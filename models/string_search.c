// Strings: searching and splitting.
#include "intrinsics.h"

extern size_t strlen (const char *);
extern int strncmp (const char *, const char *, size_t);

// What was found points to the terminator too if that is what was asked for.
char *strchrnul (const char *s, int c) {
  for (;; s++) {
    char here = *s;
    if (here == (char) c || !here) return (char *) s;
  }
}

char *strchr (const char *s, int c) {
  for (;; s++) {
    char here = *s;
    if (here == (char) c) return (char *) s;
    if (!here) return NULL;
  }
}

char *strrchr (const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    char here = *s;
    if (here == (char) c) last = s;
    if (!here) return (char *) last;
  }
}

char *index (const char *s, int c) { return strchr (s, c); }
char *rindex (const char *s, int c) { return strrchr (s, c); }

char *strstr (const char *s, const char *part) {
  size_t length = strlen (part);
  for (;; s++) {
    if (strncmp (s, part, length) == 0) return (char *) s;
    if (!*s) return NULL;
  }
}

static int is_one_of (char c, const char *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

size_t strspn (const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && is_one_of (s[n], set)) n++;
  return n;
}

size_t strcspn (const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !is_one_of (s[n], set)) n++;
  return n;
}

char *strpbrk (const char *s, const char *set) {
  s += strcspn (s, set);
  return *s ? (char *) s : NULL;
}

char *strtok_r (char *s, const char *separators, char **next) {
  if (!s) s = *next;
  if (!s) return NULL;
  s += strspn (s, separators);
  if (!*s) {
    *next = NULL;
    return NULL;
  }
  char *end = s + strcspn (s, separators);
  if (*end) *end++ = 0;
  *next = end;
  return s;
}

// One place for all threads, as in the real one: two threads in strtok race.
static char *__lockstep_strtok_next;

char *strtok (char *s, const char *separators) { return strtok_r (s, separators, &__lockstep_strtok_next); }

char *strsep (char **at, const char *separators) {
  char *s = *at;
  if (!s) return NULL;
  char *end = s + strcspn (s, separators);
  if (*end) *end++ = 0;
  else end = NULL;
  *at = end;
  return s;
}
