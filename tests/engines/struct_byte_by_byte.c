// A struct that begins with an array, and a thread that clears all of it, byte by byte (BYTES) or word by word (WORDS), or from an element of an inner array on
// (INNER): which looks like indexing the array that begins there.  Otherwise it clears an array that is not the first member.
#include <pthread.h>

struct part {
  char name[4];
  int value;
};
static struct {
  char name[16];
  struct part parts[3];
} bytes;
static struct {
  int word[4];
  struct part parts[3];
  int last[4];
} words;

static void *clear (void *unused) {
#ifdef BYTES
  for (unsigned i = 0; i < sizeof bytes; i++) ((char *) &bytes)[i] = 0;
#elif defined WORDS
  for (unsigned i = 0; i < sizeof words / sizeof (int); i++) ((int *) &words)[i] = 0;
#elif defined INNER
  for (unsigned i = 0; i < 2 * sizeof (struct part); i++) ((char *) &bytes.parts[1])[i] = 0;
#else
  for (unsigned i = 0; i < 4; i++) words.last[i] = 0;
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, clear, NULL);
#ifdef INNER
  bytes.parts[2].value = 1;
#else
  for (int i = 0; i < 3; i++) bytes.parts[i].value = words.parts[i].value = i;
#endif
  return 0;
}
