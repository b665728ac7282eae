// A process inherits more than its command line.  Where SIGCHLD is ignored, the system forgets children at once: waitpid fails, and a
// status that was 0 before looks like the success of a child that was killed.  Where a standard file is closed, the next file that is
// opened gets its number, and what is printed lands in there.
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

bool process_has_ended (pid_t child, int *status) {
  pid_t ended = waitpid (child, status, WNOHANG);
  if (ended == child) return true;
  if (ended == 0 || errno == EINTR) return false;
  *status = SIGKILL;
  return true;
}

void process_wait (pid_t child, int *status) {
  pid_t ended;
  while ((ended = waitpid (child, status, 0)) < 0 && errno == EINTR) {}
  if (ended != child) *status = SIGKILL;
}

// /dev/null opened for reading: standard input is empty, and to write is an error, as it would be with the file closed.
static void open_standard_files (void) {
  for (int file = 0; file <= STDERR_FILENO; file++)
    if (fcntl (file, F_GETFD) < 0 && open ("/dev/null", O_RDONLY) < 0) return;
}

void process_begin (void) {
  open_standard_files ();
  signal (SIGCHLD, SIG_DFL);
}
