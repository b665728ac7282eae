// Children that answer, die, hang, send without end, are killed or run out of memory; programs that cannot be
// executed; and what children inherit.
#define _GNU_SOURCE
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

static process *begin (int (*work) (void *, int), void *given) {
  process *p = NULL;
  assert_int_equal (process_start (&(process_plan){.work = work, .state = given}, &p), 0);
  assert_non_null (p);
  return p;
}

static void listen_until_end (process *p) {
  while (process_is_alive (p)) processes_listen (&p, 1, 100);
}

// As it is now, the list of our open descriptors.
static int count_descriptors (void) {
  int count = 0;
  for (int file = 0; file < 256; file++) count += fcntl (file, F_GETFD) >= 0;
  return count;
}

static bool has_no_children (void) { return waitpid (-1, NULL, WNOHANG) < 0 && errno == ECHILD; }

// ---- children that answer -----------------------------------------------------------------------------
static int send_number (void *state, int pipe) {
  strbuf b = {0};
  strbuf_printf (&b, "%d", *(int *) state);
  return process_send (pipe, &b) ? 3 : 4;
}

static void a_child_answers (void **state) {
  (void) state;
  int before = count_descriptors ();
  process *p = begin (send_number, &(int){42});
  listen_until_end (p);
  assert_int_equal (process_fate_of (p), PROCESS_EXITED);
  assert_int_equal (process_code (p), 3);
  assert_string_equal (strbuf_text (process_received (p)), "42");
  process_free (p);
  assert_int_equal (count_descriptors (), before);
  assert_true (has_no_children ());
}

enum { FLOOD = 3 << 20 };

// More than a pipe holds.
static int send_much (void *state, int pipe) {
  (void) state;
  strbuf b = {0};
  for (int k = 0; k < FLOOD; k++) strbuf_add_char (&b, (char) ('a' + k % 26));
  return process_send (pipe, &b) ? 0 : 1;
}

static void full_pipes_do_not_block (void **state) {
  (void) state;
  process *list[3];
  bool is_one_alive = true;
  for (int k = 0; k < 3; k++) list[k] = begin (send_much, NULL);
  while (is_one_alive) {
    processes_listen (list, 3, 100);
    is_one_alive = false;
    for (int k = 0; k < 3; k++) is_one_alive |= process_is_alive (list[k]);
  }
  for (int k = 0; k < 3; k++) {
    assert_int_equal (process_code (list[k]), 0);
    assert_int_equal (process_received (list[k])->count, FLOOD);
    assert_int_equal (process_received (list[k])->data[27], 'b');
    process_free (list[k]);
  }
}

// The child goes on in this function, and the parent, too.
static void both_go_on_after_a_split (void **state) {
  (void) state;
  int pipe;
  process *p = process_split (&pipe);
  if (!p) {
    send_number (&(int){7}, pipe);
    _exit (9);
  }
  assert_int_equal (pipe, -1);
  listen_until_end (p);
  assert_int_equal (process_code (p), 9);
  assert_string_equal (strbuf_text (process_received (p)), "7");
  process_free (p);
}

// ---- children that do not -----------------------------------------------------------------------------
static int die (void *state, int pipe) {
  send_number (&(int){1}, pipe);
  signal (*(int *) state, SIG_DFL);
  raise (*(int *) state);
  return 0;
}

static void what_a_dead_child_sent_is_kept (void **state) {
  (void) state;
  static const int signals[] = {SIGSEGV, SIGKILL, SIGTERM};
  for (int k = 0; k < 3; k++) {
    process *p = begin (die, (void *) &signals[k]);
    listen_until_end (p);
    assert_int_equal (process_fate_of (p), PROCESS_SIGNALLED);
    assert_int_equal (process_code (p), signals[k]);
    assert_string_equal (strbuf_text (process_received (p)), "1");
    process_free (p);
  }
}

static int hang (void *state, int pipe) {
  signal (SIGTERM, SIG_IGN);
  send_number (&(int){5}, pipe);
  if (state) close (pipe);
  for (;;) pause ();
  return 0;
}

static void a_hanging_child_is_ended_at_its_deadline (void **state) {
  (void) state;
  for (int closes = 0; closes < 2; closes++) {
    process *p = begin (hang, closes ? "closes its pipe" : NULL);
    process_set_deadline (p, budget_now () + 0.3);
    listen_until_end (p);
    assert_int_equal (process_fate_of (p), PROCESS_LATE);
    assert_string_equal (strbuf_text (process_received (p)), "5");
    process_free (p);
  }
  assert_true (has_no_children ());
}

static int flood (void *state, int pipe) {
  strbuf b = {0};
  (void) state;
  for (int k = 0; k < 1000; k++) strbuf_add_char (&b, 'x');
  while (process_send (pipe, &b)) {}
  return 0;
}

static void a_flooding_child_is_ended_at_its_deadline (void **state) {
  (void) state;
  process *list[2] = {begin (flood, NULL), begin (send_number, &(int){8})};
  process_set_deadline (list[0], budget_now () + 0.1);
  while (process_is_alive (list[0])) {
    processes_listen (list, 2, 100);
    strbuf_clear (process_received (list[0]));
  }
  assert_int_equal (process_fate_of (list[0]), PROCESS_LATE);
  listen_until_end (list[1]);
  assert_int_equal (process_code (list[1]), 3);
  process_free (list[0]);
  process_free (list[1]);
}

static void a_child_is_asked_once (void **state) {
  (void) state;
  process *p = begin (hang, NULL);
  while (!process_received (p)->count) processes_listen (&p, 1, 100);
  process_ask_to_stop (p, 0.05);
  process_ask_to_stop (p, 1e9);
  listen_until_end (p);
  assert_int_equal (process_fate_of (p), PROCESS_LATE);
  process_free (p);
}

static int use_up_memory (void *state, int pipe) {
  (void) state, (void) pipe;
  mem_exhausted ();
}

static void lack_of_memory_is_told (void **state) {
  (void) state;
  process *p = begin (use_up_memory, NULL);
  listen_until_end (p);
  assert_int_equal (process_fate_of (p), PROCESS_OUT_OF_MEMORY);
  process_free (p);
}

static void children_are_killed_and_left (void **state) {
  (void) state;
  int before = count_descriptors (), status;
  process *killed = begin (hang, NULL), *freed = begin (hang, NULL), *left = begin (hang, NULL);
  pid_t pid = process_pid (left);
  process_kill (killed);
  process_kill (killed);
  assert_int_equal (process_fate_of (killed), PROCESS_SIGNALLED);
  assert_int_equal (process_code (killed), SIGKILL);
  process_leave (left);
  assert_int_equal (process_fate_of (left), PROCESS_SIGNALLED);
  process_free (killed);
  process_free (freed);
  process_free (left);
  assert_int_equal (waitpid (pid, &status, 0), pid);
  assert_true (has_no_children ());
  assert_int_equal (count_descriptors (), before);
}

// The system forgets the child: it counts as killed, not as one that ended well.
static void no_status_is_no_success (void **state) {
  (void) state;
  signal (SIGCHLD, SIG_IGN);
  for (int way = 0; way < 2; way++) {
    process *p = begin (send_number, &(int){1});
    if (way) listen_until_end (p);
    else process_wait (p, NULL);
    assert_int_equal (process_fate_of (p), PROCESS_SIGNALLED);
    assert_int_equal (process_code (p), SIGKILL);
    process_free (p);
  }
  signal (SIGCHLD, SIG_DFL);
}

// ---- what children inherit ----------------------------------------------------------------------------
// Its exit code: how many descriptors it has that the first process did not have before it started children, its
// own pipe aside.
static int count_new_descriptors (void *state, int pipe) {
  (void) pipe;
  return count_descriptors () - *(const int *) state - 1;
}

static int count_in_grandchild (void *state, int pipe) {
  process *sibling = begin (hang, NULL), *p = begin (count_new_descriptors, state);
  (void) pipe;
  listen_until_end (p);
  process_free (sibling);
  return process_code (p);
}

static void children_keep_no_pipe_of_others (void **state) {
  (void) state;
  int before = count_descriptors ();
  process *sibling = begin (hang, NULL), *child = begin (count_new_descriptors, &before),
          *parent = begin (count_in_grandchild, &before);
  listen_until_end (child);
  listen_until_end (parent);
  assert_int_equal (process_code (child), 0);
  assert_int_equal (process_code (parent), 0);
  process_free (sibling);
  process_free (child);
  process_free (parent);
}

// Sends the process number of a child of its own, which hangs, and dies.
static int die_with_a_child (void *state, int pipe) {
  (void) state;
  process *p = begin (hang, NULL);
  strbuf b = {0};
  strbuf_printf (&b, "%d", (int) process_pid (p));
  process_send (pipe, &b);
  raise (SIGKILL);
  return 0;
}

// It may be a zombie for a moment, until process 1 has waited for it.
static bool is_gone (pid_t pid) {
  char path[64], how = 0;
  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  FILE *f = fopen (path, "r");
  if (f && fscanf (f, "%*d %*s %c", &how) != 1) how = 0;
  if (f) fclose (f);
  return !how || how == 'Z';
}

static void children_die_with_their_parent (void **state) {
  (void) state;
  process *p = begin (die_with_a_child, NULL);
  listen_until_end (p);
  pid_t grandchild = atoi (strbuf_text (process_received (p)));
  double end = budget_now () + TEST_PATIENCE;
  assert_true (grandchild > 0);
  while (!is_gone (grandchild) && budget_now () < end) usleep (1000);
  assert_true (is_gone (grandchild));
  process_free (p);
}

// A child that sends is told that its parent has gone away, and does not die of it.
static int send_to_no_reader (void *state, int pipe) {
  (void) state, (void) pipe;
  int ends[2];
  strbuf b = {0};
  strbuf_add (&b, "text");
  if (pipe2 (ends, O_CLOEXEC)) return 1;
  close (ends[0]);
  return process_send (ends[1], &b) ? 2 : 42;
}

static void sending_to_no_reader_is_no_death (void **state) {
  (void) state;
  process *p = begin (send_to_no_reader, NULL);
  listen_until_end (p);
  assert_int_equal (process_code (p), 42);
  process_free (p);
}

// ---- isolated children and programs -------------------------------------------------------------------
static int tell_isolation (void *state, int pipe) {
  char byte;
  (void) state, (void) pipe;
  return getpgid (0) == getpid () && read (0, &byte, 1) == 0 && signal (SIGTERM, SIG_DFL) == SIG_DFL ? 42 : 43;
}

static void isolated_children_have_their_own_group_and_signals (void **state) {
  (void) state;
  process *p = NULL;
  signal (SIGTERM, SIG_IGN);
  assert_int_equal (process_start (&(process_plan){.work = tell_isolation, .is_isolated = true}, &p), 0);
  signal (SIGTERM, SIG_DFL);
  assert_null (process_wait (p, NULL));
  assert_int_equal (process_code (p), 42);
  process_free (p);
}

static int execute (const char *program, const char *const *words, const char *folder, process **p) {
  return process_start (&(process_plan){.program = program, .words = words, .directory = folder}, p);
}

static void programs_are_executed (void **state) {
  (void) state;
  static const char *const words[] = {"sh", "-c", "test $(pwd) = / && exit 5", NULL};
  process *p = NULL;
  strbuf path = {0};
  int before = count_descriptors ();
  assert_true (process_find_program ("sh", &path));
  assert_int_equal (execute (strbuf_text (&path), words, "/", &p), 0);
  assert_null (process_wait (p, NULL));
  assert_int_equal (process_fate_of (p), PROCESS_EXITED);  // a program's exit codes are its own
  assert_int_equal (process_code (p), 5);
  process_free (p);
  assert_int_equal (execute ("/nowhere/program", words, NULL, &p), ENOENT);
  assert_null (p);
  assert_int_equal (execute (strbuf_text (&path), words, "/nowhere", &p), ENOENT);
  assert_false (process_find_program ("no-such-program-anywhere", &path));
  assert_int_equal (count_descriptors (), before);
  assert_true (has_no_children ());
  strbuf_release (&path);
}

static void a_spent_budget_ends_a_program (void **state) {
  (void) state;
  static const char *const words[] = {"sh", "-c", "sleep 1000; true", NULL};
  process *p = NULL;
  budget b;
  budget_start (&b, 0.1, 0);
  assert_int_equal (execute ("/bin/sh", words, NULL, &p), 0);
  assert_non_null (process_wait (p, &b));
  assert_false (process_is_alive (p));
  process_free (p);
}

// In a child: afterwards a new file gets none of the first three numbers, and the system tells how children end.
static int begin_without (void *state, int pipe) {
  int file = *(int *) state;
  (void) pipe;
  signal (SIGCHLD, SIG_IGN);
  close (file);
  process_begin ();
  int next = open ("/dev/null", O_RDONLY);
  process *p = begin (send_number, &(int){0});
  process_wait (p, NULL);
  return next > STDERR_FILENO && process_code (p) == 3 && write (file, "x", 1) != 1 ? 42 : 43;
}

static void standard_files_are_open_after_the_beginning (void **state) {
  (void) state;
  for (int file = 0; file <= STDERR_FILENO; file++) {
    process *p = begin (begin_without, &file);
    process_wait (p, NULL);
    assert_int_equal (process_fate_of (p), PROCESS_EXITED);
    assert_int_equal (process_code (p), 42);
    process_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (a_child_answers), cmocka_unit_test (full_pipes_do_not_block),
           cmocka_unit_test (both_go_on_after_a_split), cmocka_unit_test (what_a_dead_child_sent_is_kept),
           cmocka_unit_test (a_hanging_child_is_ended_at_its_deadline),
           cmocka_unit_test (a_flooding_child_is_ended_at_its_deadline), cmocka_unit_test (a_child_is_asked_once),
           cmocka_unit_test (lack_of_memory_is_told), cmocka_unit_test (children_are_killed_and_left),
           cmocka_unit_test (no_status_is_no_success), cmocka_unit_test (children_keep_no_pipe_of_others),
           cmocka_unit_test (children_die_with_their_parent), cmocka_unit_test (sending_to_no_reader_is_no_death),
           cmocka_unit_test (isolated_children_have_their_own_group_and_signals),
           cmocka_unit_test (programs_are_executed), cmocka_unit_test (a_spent_budget_ends_a_program),
           cmocka_unit_test (standard_files_are_open_after_the_beginning))
