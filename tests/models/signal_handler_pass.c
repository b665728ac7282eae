// Handlers of signals are not run, which is a bound of the answer; what the threads do is checked as ever.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void stop (int number) { stopped = number; }

static void *work (void *unused) { return unused; }

int main (void) {
  struct sigaction action = {.sa_handler = stop};
  pthread_t thread;
  sigaction (SIGINT, &action, NULL);
  signal (SIGTERM, stop);
  long processors = sysconf (_SC_NPROCESSORS_ONLN);
  assert (processors >= 1);
  int terminal = isatty (0);
  assert (terminal == 0 || terminal == 1);
  assert (pause () == -1);
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  return 0;
}
