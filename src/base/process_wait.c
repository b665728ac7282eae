// Listens to children and ends them.
//
// waitpid is called without waiting, after poll has reported that the child's pipe or the child itself has ended.  So
// no child can block the parent: neither a child that closes its pipe and continues to work, nor a child whose own
// child keeps the pipe open.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_impl.h"

enum {
  BLOCK = 1 << 16,
  TURN_MILLISECONDS = 20,
  BLIND_MILLISECONDS = 2 /* without a handle poll does not see the end */
};

// ---- end of a child -----------------------------------------------------------------------------------
static void close_ends (process *p) {
  if (p->pipe >= 0) close (p->pipe);
  if (p->handle >= 0) close (p->handle);
  p->pipe = p->handle = -1;
}

// Reads one block of bytes from the child.  False: there are no bytes now.
static bool take_block (process *p) {
  char block[BLOCK];
  ssize_t n = read (p->pipe, block, sizeof block);
  if (n > 0) strbuf_add_bytes (&p->received, block, (size_t) n);
  if (n > 0) return true;
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  close (p->pipe);
  p->pipe = -1;
  return false;
}

// Records the end of a child with the `status` of waitpid.  Bytes that it sent before its end are still in the pipe.
static void note_how_it_ended (process *p, int status) {
  bool exited = WIFEXITED (status);
  p->code = exited ? WEXITSTATUS (status) : WTERMSIG (status);
  if (p->fate == PROCESS_ALIVE) p->fate = exited ? PROCESS_EXITED : PROCESS_SIGNALLED;
  if (p->fate == PROCESS_EXITED && p->code == MEM_EXHAUSTED_EXIT_CODE && !p->is_program)
    p->fate = PROCESS_OUT_OF_MEMORY;
  while (p->pipe >= 0 && take_block (p)) {}
  close_ends (p);
}

// If the system does not say how a child ended, the child counts as killed, so that it is not taken for a success.
static bool reap_if_ended (process *p) {
  int status = 0;
  pid_t ended = waitpid (p->pid, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  note_how_it_ended (p, ended == p->pid ? status : SIGKILL);
  return true;
}

static void reap_child (process *p) {
  int status = 0;
  pid_t ended;
  while ((ended = waitpid (p->pid, &status, 0)) < 0 && errno == EINTR) {}
  note_how_it_ended (p, ended == p->pid ? status : SIGKILL);
}

// ---- ending it ----------------------------------------------------------------------------------------
static void send_kill (const process *p) {
  if (p->is_isolated) kill (-p->pid, SIGKILL);
  kill (p->pid, SIGKILL);
}

void process_kill (process *p) {
  if (p->fate != PROCESS_ALIVE) return;
  send_kill (p);
  reap_child (p);
}

void process_leave (process *p) {
  if (p->fate != PROCESS_ALIVE) return;
  send_kill (p);
  p->fate = PROCESS_SIGNALLED, p->code = SIGKILL;
  close_ends (p);
}

void process_free (process *p) {
  if (!p) return;
  process_kill (p);
  strbuf_release (&p->received);
  process_forget (p);
}

void process_set_deadline (process *p, double when) { p->deadline = when; }

void process_ask_to_stop (process *p, double seconds) {
  if (p->was_asked || p->fate != PROCESS_ALIVE) return;
  double deadline = budget_now () + seconds;
  p->was_asked = true;
  if (seconds && (!p->deadline || deadline < p->deadline)) p->deadline = deadline;
  kill (p->pid, SIGTERM);
}

// ---- listening ----------------------------------------------------------------------------------------
// Reads one block per child at a time, so that a child that sends without end does not delay the others.
static void serve_child (process *p, bool has_bytes) {
  if (has_bytes) take_block (p);
  if ((p->pipe < 0 || !has_bytes) && reap_if_ended (p)) return;
  if (!p->deadline || budget_now () < p->deadline) return;
  p->fate = PROCESS_LATE;
  send_kill (p);
  reap_child (p);
}

// Returns how long to wait: not beyond the first deadline.
static int time_to_sleep (process *const *list, uint32_t count, int milliseconds) {
  double now = budget_now ();
  for (uint32_t k = 0; k < count; k++) {
    const process *p = list[k];
    if (p->fate != PROCESS_ALIVE) continue;
    double left = p->deadline ? (p->deadline - now) * 1000 : milliseconds;
    if (left < milliseconds) milliseconds = left < 0 ? 0 : (int) left + 1;
    if (p->handle < 0 && BLIND_MILLISECONDS < milliseconds) milliseconds = BLIND_MILLISECONDS;
  }
  return milliseconds;
}

void processes_listen (process *const *list, uint32_t count, int milliseconds) {
  VEC (struct pollfd) files = {0};
  for (uint32_t k = 0; k < count; k++) {
    bool is_alive = list[k]->fate == PROCESS_ALIVE;
    vec_push (&files, ((struct pollfd){.fd = is_alive ? list[k]->pipe : -1, .events = POLLIN}));
    vec_push (&files, ((struct pollfd){.fd = is_alive ? list[k]->handle : -1, .events = POLLIN}));
  }
  bool was_interrupted = poll (files.data, files.count, time_to_sleep (list, count, milliseconds)) < 0;
  for (uint32_t k = 0; k < count; k++)
    if (list[k]->fate == PROCESS_ALIVE) serve_child (list[k], !was_interrupted && files.data[2 * k].revents);
  vec_release (&files);
}

const char *process_wait (process *p, const budget *b) {
  const char *why = NULL;
  while (!why && p->fate == PROCESS_ALIVE) {
    processes_listen (&p, 1, TURN_MILLISECONDS);
    if (p->fate == PROCESS_ALIVE) why = b ? budget_spent (b) : budget_interrupted () ? "interrupted" : NULL;
  }
  if (why) process_kill (p);
  return why;
}

// ---- queries ------------------------------------------------------------------------------------------
bool process_is_alive (const process *p) { return p->fate == PROCESS_ALIVE; }
process_fate process_fate_of (const process *p) { return p->fate; }
int process_code (const process *p) { return p->code; }
pid_t process_pid (const process *p) { return p->pid; }
strbuf *process_received (process *p) { return &p->received; }
