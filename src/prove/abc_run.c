// Executes ABC in a new folder, into which it writes its answers as files.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "netlist/aiger.h"
#include "prove/abc_impl.h"

static const char program[] = "berkeley-abc";
static const char *const files[] = {"circuit.aig", "printed", "counterexample", "invariant"};
enum { CIRCUIT, PRINTED, COUNTEREXAMPLE, INVARIANT, NUM_FILES };

bool prove_abc_is_there (void) {
  strbuf path = {0};
  bool found = process_find_program (program, &path);
  strbuf_release (&path);
  return found;
}

// ---- the folder ---------------------------------------------------------------------------------------
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

// ---- the process --------------------------------------------------------------------------------------
// Returns NULL, or why ABC gave no answer.
static const char *execute_abc (const char *path, const char *commands, const strbuf *folder, int output,
                                const budget *b) {
  const char *const words[] = {program, "-c", commands, NULL};
  process_plan plan = {.program = path, .words = words, .directory = folder->data, .output = output, .errors = output};
  process *abc;
  if (process_start (&plan, &abc)) return "berkeley-abc could not be started";
  bool was_late = process_wait (abc, b) != NULL, exited = process_fate_of (abc) == PROCESS_EXITED;
  process_free (abc);
  return was_late || !exited ? "berkeley-abc gave no answer in its time" : NULL;
}

static const char *ask_in_folder (const strbuf *folder, const char *command, const budget *b) {
  strbuf commands = {0}, path = {0}, name = {0};
  const char *problem = "berkeley-abc is not installed";
  strbuf_printf (&commands, "read_aiger %s; %s; write_cex -a %s", files[CIRCUIT], command, files[COUNTEREXAMPLE]);
  int output = open (file_in (folder, PRINTED, &name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0) problem = "there is no place for what berkeley-abc prints";
  else if (process_find_program (program, &path))
    problem = execute_abc (strbuf_text (&path), strbuf_text (&commands), folder, output, b);
  if (output >= 0) close (output);
  strbuf_release (&commands);
  strbuf_release (&path);
  strbuf_release (&name);
  return problem;
}

const char *abc_ask (const netlist *plain, const char *command, const budget *b, abc_answer *out) {
  strbuf folder = {0}, path = {0}, why = {0};
  const char *problem = "there is no place for the files of berkeley-abc";
  *out = (abc_answer){0};
  if (make_folder (&folder)) {
    if (aiger_write (plain, file_in (&folder, CIRCUIT, &path), NULL, &why))
      problem = ask_in_folder (&folder, command, b);
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
