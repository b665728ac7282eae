// Children that end in several ways, also where the system does not tell how; and standard files that are closed.
#include "base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

// A child that ends with this code once `go` is closed.
static pid_t child_with (int code, int *go) {
  int ends[2];
  char byte;
  assert_int_equal (pipe (ends), 0);
  pid_t child = fork ();
  if (child == 0) {
    close (ends[1]);
    _exit (read (ends[0], &byte, 1) ? 99 : code);
  }
  close (ends[0]);
  *go = ends[1];
  return child;
}

static void waits (void **state) {
  (void) state;
  int go, status = 0;
  pid_t child = child_with (3, &go);
  assert_false (process_has_ended (child, &status));
  close (go);
  process_wait (child, &status);
  assert_true (WIFEXITED (status));
  assert_int_equal (WEXITSTATUS (status), 3);
}

static void tells_signals (void **state) {
  (void) state;
  int go, status = 0;
  pid_t child = child_with (0, &go);
  kill (child, SIGTERM);
  while (!process_has_ended (child, &status)) usleep (1000);
  assert_true (WIFSIGNALED (status));
  assert_int_equal (WTERMSIG (status), SIGTERM);
  close (go);
}

// The system forgets the child: it counts as killed, not as one that ended well.
static void no_status_is_no_success (void **state) {
  (void) state;
  signal (SIGCHLD, SIG_IGN);
  for (int way = 0; way < 2; way++) {
    int go, status = 0;
    pid_t child = child_with (0, &go);
    close (go);
    if (way) process_wait (child, &status);
    else
      while (!process_has_ended (child, &status)) usleep (1000);
    assert_true (WIFSIGNALED (status));
    assert_int_equal (WTERMSIG (status), SIGKILL);
  }
  signal (SIGCHLD, SIG_DFL);
}

// In a child: afterwards a new file gets none of the first three numbers, and children are waited for.
static _Noreturn void begin_without (int file) {
  int go, status = 0;
  signal (SIGCHLD, SIG_IGN);
  close (file);
  process_begin ();
  int next = open ("/dev/null", O_RDONLY);
  pid_t child = child_with (0, &go);
  close (go);
  process_wait (child, &status);
  bool good = next > STDERR_FILENO && WIFEXITED (status) && write (file, "x", 1) != 1;
  _exit (good ? 42 : 43);
}

static void begins (void **state) {
  (void) state;
  for (int file = 0; file <= STDERR_FILENO; file++) {
    int status = 0;
    pid_t child = fork ();
    if (child == 0) begin_without (file);
    process_wait (child, &status);
    assert_true (WIFEXITED (status));
    assert_int_equal (WEXITSTATUS (status), 42);
  }
}

TEST_MAIN (cmocka_unit_test (waits), cmocka_unit_test (tells_signals), cmocka_unit_test (no_status_is_no_success),
           cmocka_unit_test (begins))
