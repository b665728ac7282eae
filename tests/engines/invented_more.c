// What convicts and what does not: results of functions without a model, memory that they are handed, inputs, and what carries them.
#include <assert.h>
#include <fcntl.h>
#include <libintl.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

extern int own_number (void);
extern char *own_text (void);
extern void (*own_function (void)) (void);
extern int outside_number, outside_numbers[4];
extern struct pair {
  int first, second;
} outside_pair;
extern int *outside_pointer;
extern void visit (void (*) (void));
extern long zlib_flags (void);
extern const char *zlibVersion (void);

static int shared, ready, copies[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void visited (void) { shared = 1; }

static void *pass_on (void *unused) {
  pthread_mutex_lock (&lock);
  shared = wcwidth (L'a');
  ready = 1;
  pthread_cond_signal (&filled);
  pthread_mutex_unlock (&lock);
  return unused;
}

static void *leave_a_lock (void *unused) {
  pthread_mutex_lock (&lock);
  if (wcwidth (L'a') != 7) pthread_mutex_unlock (&lock);
  return unused;
}

static void *count (void *unused) {
  shared++;
  return unused;
}

static void *by_two (void *(*routine) (void *) ) {
  pthread_t a, b;
  pthread_create (&a, NULL, routine, NULL);
  pthread_create (&b, NULL, routine, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return NULL;
}

int main (int argc, char **argv) {
#ifdef PASSWORD  // pointers: null, and what they lead to
  assert (getpwuid (0)->pw_uid == 0);
#elif defined TEXT
  assert (dcgettext (NULL, "x", 0)[0] == 'x');
#elif defined VERSION
  assert (zlibVersion ()[0] == '1');
#elif defined OWN_TEXT
  assert (own_text ()[0] == 'x');
#elif defined MAP
  int *m = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert (m != MAP_FAILED && m[3] == 0);
#elif defined CLOCK
  time_t t = 0;
  assert (localtime (&t)->tm_sec < 60);
#elif defined PATH
  assert (realpath ("x", NULL)[0] == '/');
#elif defined COPY  // a copy of an unknown text
  char *copy = strdup (own_text ());
  assert (copy[0] == 'x');
#elif defined FUNCTION_POINTER
  own_function () ();
#elif defined TEMPORARY  // integers
  char name[] = "/tmp/xXXXXXX";
  assert (mkstemp (name) >= 0);
#elif defined PIPE
  assert (pipe (copies) == 0);
#elif defined PIPE_ENDS
  int ends[2];
  if (pipe (ends)) return 1;
  assert (ends[0] != ends[1]);
#elif defined HANDED  // what it is handed
  int size = 0;
  wchar_t *text = L"";
  swab (text, &size, 4);
  assert (size);
#elif defined LIMIT
  assert (sysconf (_SC_OPEN_MAX) != -1);
#elif defined PATH_LIMIT
  assert (pathconf ("/", _PC_NAME_MAX) != -1);
#elif defined PROCESSORS
  assert (sysconf (_SC_NPROCESSORS_ONLN) < 1000);
#elif defined STACK
  stack_t stack = {0};
  assert (sigaltstack (&stack, NULL) == 0);
#elif defined OWN_NUMBER
  assert (own_number () != 7);
#elif defined OPEN
  FILE *f = fopen ("x", "r");
  int file = open ("x", O_RDONLY);
  char byte;
  assert (f && file >= 0);
  assert (read (file, &byte, 1) >= 0);
  assert (!ferror (f));
#elif defined END_OF_FILE
  assert (getchar () != EOF);
#elif defined LINE
  char line[10];
  assert (fgets (line, sizeof line, stdin));
#elif defined BYTES
  char byte = 0;
  if (read (0, &byte, 1) == 1) assert (byte != 'x');
#elif defined TIME
  assert (time (NULL) != -1);
#elif defined NOON
  assert (time (NULL) % 7);
#elif defined RANDOM
  assert (rand () != 7);
#elif defined ARGUMENT
  if (argc > 1) assert (argv[1][0] != 'x');
#elif defined EXTERN_STRUCT  // objects that are defined nowhere
  assert (outside_pair.second != 7);
#elif defined EXTERN_POINTER
  assert (*outside_pointer != 7);
#elif defined EXTERN_ARRAY
  assert (outside_numbers[2] != 7);
#elif defined EXTERN_ASSIGNED
  outside_number = 7;
  assert (outside_number != 7);
#elif defined CALLBACK
  visit (visited);
  assert (!shared);
#elif defined MEMORY  // what carries them
  copies[0] = wcwidth (L'a');
  memcpy (&copies[1], &copies[0], sizeof (int));
  assert (copies[1] != 7);
#elif defined CONTROL
  if (wcwidth (L'a') == 7) shared = 1;
  assert (!shared);
#elif defined THREAD
  pthread_t t;
  pthread_create (&t, NULL, pass_on, NULL);
  pthread_mutex_lock (&lock);
  while (!ready) pthread_cond_wait (&filled, &lock);
  assert (shared != 7);
  pthread_mutex_unlock (&lock);
  pthread_join (t, NULL);
#elif defined LOCK
  by_two (leave_a_lock);
#elif defined BESIDE  // and what does not rest on them
  printf ("%s %d\n", dcgettext (NULL, "x", 0), wcwidth (L'a'));
  by_two (count);
#elif defined AFTER
  assert (wcwidth (L'a') == 1);
  by_two (count);
#elif defined TIMED_JOIN
  pthread_t t;
  struct timespec soon = {0, 0};
  pthread_create (&t, NULL, count, NULL);
  if (!pthread_timedjoin_np (t, NULL, &soon)) shared++;
#endif
  return argc < 0 || !argv;
}
