// ABC gets a folder of its own for the circuit and its answers.  It ends when we do.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "netlist/aiger.h"
#include "prove/abc_impl.h"

static const char program[] = "berkeley-abc";
static const char *const files[] = {"circuit.aig", "printed", "counterexample", "invariant"};
enum { CIRCUIT, PRINTED, COUNTEREXAMPLE, INVARIANT, NUM_FILES };

bool prove_abc_is_there (void) {
  const char *path = getenv ("PATH");
  strbuf name = {0};
  bool found = false;
  while (path && *path && !found) {
    size_t length = strcspn (path, ":");
    strbuf_clear (&name);
    strbuf_printf (&name, "%.*s/%s", (int) length, path, program);
    found = access (strbuf_text (&name), X_OK) == 0;
    path += length + (path[length] == ':');
  }
  strbuf_release (&name);
  return found;
}

// ---- the folder ----------------------------------------------------------------------------------------------------------------
static bool make_folder (strbuf *folder) {
  const char *place = getenv ("TMPDIR");
  strbuf_printf (folder, "%s/lockstep-XXXXXX", place && *place ? place : "/tmp");
  return mkdtemp (folder->data);
}

static const char *file_in (const strbuf *folder, int file, strbuf *path) {
  strbuf_clear (path);
  strbuf_printf (path, "%s/%s", folder->data, files[file]);
  return strbuf_text (path);
}

static void remove_folder (const strbuf *folder, strbuf *path) {
  for (int k = 0; k < NUM_FILES; k++) unlink (file_in (folder, k, path));
  rmdir (folder->data);
}

// ---- the process ---------------------------------------------------------------------------------------------------------------
static _Noreturn void become_abc (const char *folder, const char *commands) {
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  int out = chdir (folder) ? -1 : open (files[PRINTED], O_WRONLY | O_CREAT | O_TRUNC, 0600),
      in = open ("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || dup2 (in, 0) < 0 || dup2 (out, 1) < 0 || dup2 (out, 2) < 0) _exit (126);
  execlp (program, program, "-c", commands, (char *) NULL);
  _exit (127);
}

static void sleep_shortly (void) { nanosleep (&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL); }

// Its exit code, -1 if it was ended.
static int wait_for (pid_t child, const budget *b) {
  int status = 0;
  while (!process_has_ended (child, &status)) {
    if (budget_spent (b)) {
      kill (child, SIGKILL);
      process_wait (child, &status);
      return -1;
    }
    sleep_shortly ();
  }
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static const char *run (const strbuf *folder, const char *command, const budget *b) {
  strbuf commands = {0};
  strbuf_printf (&commands, "read_aiger %s; %s; write_cex -a %s", files[CIRCUIT], command, files[COUNTEREXAMPLE]);
  const char *text = strbuf_text (&commands);
  fflush (NULL);
  pid_t child = fork ();
  if (!child) become_abc (folder->data, text);
  strbuf_release (&commands);
  int code = child < 0 ? 126 : wait_for (child, b);
  return code == 127   ? "berkeley-abc is not installed"
         : code == 126 ? "berkeley-abc could not be started"
         : code < 0    ? "berkeley-abc gave no answer in its time"
                       : NULL;
}

const char *abc_ask (const netlist *plain, const char *command, const budget *b, abc_answer *out) {
  strbuf folder = {0}, path = {0}, why = {0};
  const char *problem = "there is no place for the files of berkeley-abc";
  *out = (abc_answer){0};
  if (make_folder (&folder)) {
    if (aiger_write (plain, file_in (&folder, CIRCUIT, &path), NULL, &why)) problem = run (&folder, command, b);
    if (!problem) {
      strbuf_add_file (&out->text, file_in (&folder, PRINTED, &path));
      strbuf_add_file (&out->counterexample, file_in (&folder, COUNTEREXAMPLE, &path));
      strbuf_add_file (&out->invariant, file_in (&folder, INVARIANT, &path));
    }
    remove_folder (&folder, &path);
  }
  strbuf_release (&folder);
  strbuf_release (&path);
  strbuf_release (&why);
  return problem;
}

void abc_answer_release (abc_answer *a) {
  strbuf_release (&a->text);
  strbuf_release (&a->counterexample);
  strbuf_release (&a->invariant);
}
