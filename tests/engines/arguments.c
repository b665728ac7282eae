// What main is given decides what happens: each variant is an error for some arguments only, or for none.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *twice (void *unlock) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  if (unlock) pthread_mutex_unlock (&m);
  return unlock;
}

static void start (int unlock) {
  pthread_t t;
  pthread_create (&t, 0, twice, unlock ? &m : NULL);
  pthread_join (t, 0);
}

#if defined ENOUGH  // any arguments at all
int main (int argc, char **argv) {
  (void) argv;
  if (argc < 2) return 1;
  start (argc > 1);
}
#elif defined NEVER  // argc is never 0
int main (int argc, char **argv) {
  (void) argv;
  start (argc < 1);
}
#elif defined MANY  // more than 70000 of them
int main (int argc, char **argv) {
  (void) argv;
  start (argc == 70000);
}
#elif defined WORD
int main (int argc, char **argv) { start (argc == 3 && !strcmp (argv[2], "-twice") && argv[1][0] == 'x'); }
#elif defined OTHER_WORD  // no word is two words
int main (int argc, char **argv) { start (argc == 2 && !strcmp (argv[1], "-a") && !strcmp (argv[1], "-b")); }
#elif defined NUMBER
int main (int argc, char **argv) { start (argc > 1 && atoi (argv[1]) == 1234); }
#elif defined LOOP
int main (int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) count += argv[i][0] == '-';
  start (count == 3);
}
#elif defined UNCHECKED  // argv[1] may be the null pointer at the end
int main (int argc, char **argv) {
  (void) argc;
  start (argv[1][0] == 'x');
}
#elif defined BEYOND  // and argv[2] is behind it
int main (int argc, char **argv) {
  if (argc > 1) start (0);
  return argv[2] == NULL;
}
#elif defined END
int main (int argc, char **argv) {
  assert (argv[0]);
  if (argc <= 5) assert (!argv[argc]);
  return 0;
}
#elif defined LONG  // the model's words are shorter
int main (int argc, char **argv) { start (argc == 2 && strlen (argv[1]) > 30); }
#else  // nothing looks at them
int main (int argc, char **argv) {
  (void) argc, (void) argv;
  start (0);
}
#endif
