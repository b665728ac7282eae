// memcpy between places that overlap is undefined, and was SAFE.
#include <string.h>

struct pair {
  long first, second;
};

static struct pair pairs[2];

static void move_up (char *text, size_t count) { memcpy (text + 1, text, count); }

int main (void) {
  char text[100] = "text";
  volatile size_t n = 70;
#ifdef SMALL
  move_up (text, 5);
  memcpy (text + 1, text, 5);
#elif defined LARGE
  move_up (text, n);
#else
  memcpy (text + n, text, 20);
  memcpy (text + 20, text, 20);
  memcpy (text, text, n);
  memmove (text + 1, text, n);
  memmove (text + 1, text, 5);
  struct pair *p = &pairs[n == 70], *q = &pairs[1];
  *p = *q;
#endif
  return text[0] == 'x';
}
