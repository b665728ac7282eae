// The mutants met indices and thread handles at the ends of their ranges: the front end and the trace computed with them as
// C does not allow.
#include <limits.h>
#include <pthread.h>

static int words[4];

int main (int argc, char **argv) {
#ifdef JOIN
  pthread_join ((pthread_t) LONG_MIN, 0);
#elif defined ARGUMENT
  return argc > LONG_MAX ? 0 : argv[LONG_MAX] != 0;
#else
  (&words[1])[LONG_MAX / 4 + 1] = argc;
#endif
  return argv == 0;
}
