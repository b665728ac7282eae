// Findings that rest on values that lockstep has invented, and others that do not.
#include <assert.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <wchar.h>

extern int limit;
extern int measure (void);
static int count, got;

static void *add (void *unused) {
  count++;
  return unused;
}

static void handler (int number) { got = number; }

int main (void) {
#ifdef POINTER
  struct passwd *pw = getpwuid (0);
  printf ("%s\n", pw->pw_name);
#elif defined CHECKED
  struct passwd *pw = getpwuid (0);
  if (!pw) puts ("nobody");
#elif defined NUMBER
  assert (wcwidth (L'a') != 7);
#elif defined OWN
  assert (measure () != 7);
#elif defined EXTERN
  if (limit > 5) assert (count);
#elif defined BRANCH
  if (wcwidth (L'a') == 7) count++;
  else return 0;
#elif defined HANDLER
  signal (SIGUSR1, handler);
  raise (SIGUSR1);
  assert (got);
#endif
#ifdef RACE
  pthread_t a, b;
  pthread_create (&a, NULL, add, NULL);
  pthread_create (&b, NULL, add, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
#endif
  return 0;
}
