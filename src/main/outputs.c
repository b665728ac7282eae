// Checks the files that a command writes.  `check --json victim.c other.c` is a slip that must not cost a source file:
// a report replaces no input of the same command, under any name, and two reports do not go to the same file.  (The
// writer of files in src/report replaces other files only if lockstep wrote them.)  Two files are the same if device
// and inode are; a file that does not exist yet is identified by its folder and its name.
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "main/main_impl.h"

static const option_id written[] = {OPT_JSON,    OPT_LOCK_GRAPH,  OPT_HTML,           OPT_SARIF,
                                    OPT_WITNESS, OPT_CERTIFICATE, OPT_WRITE_BASELINE, OPT_OUTPUT};
enum { NUM_WRITTEN = sizeof written / sizeof *written };

typedef struct file_identity {
  dev_t device;
  ino_t inode;               // inode of the file, or of its folder
  char name[NAME_MAX + 1];   // empty: the file exists
  bool is_known, is_device;  // several outputs may go to one device
} file_identity;

static file_identity find_file_identity (const char *path) {
  file_identity i = {0};
  struct stat info = {0};
  char *folder = strdup (path), *name = strdup (path);
  if (stat (path, &info) == 0) {
    i.is_known = true;
    i.is_device = S_ISCHR (info.st_mode);
  } else if (folder && name && stat (dirname (folder), &info) == 0) {
    strncat (i.name, basename (name), NAME_MAX);
    i.is_known = true;
  }
  i.device = info.st_dev;
  i.inode = info.st_ino;
  free (folder);
  free (name);
  return i;
}

static bool is_same_output_file (const char *a, const char *b) {
  file_identity x = find_file_identity (a), y = find_file_identity (b);
  return x.is_known && y.is_known && !x.is_device && x.device == y.device && x.inode == y.inode &&
         !strcmp (x.name, y.name);
}

static const char *output_path (const options *o, option_id id) {
  const char *path = o->value[id].text;
  bool is_stdout = path && !strcmp (path, "-") && (id == OPT_JSON || id == OPT_OUTPUT);
  return is_stdout ? NULL : path;
}

static void collect_input_files (const options *o, report_names *out) {
  const char *build_dir = o->value[OPT_BUILD_DIR].text;
  for (uint32_t i = 0; i < o->files.count; i++) vec_push (out, o->files.data[i]);
  if (build_dir) vec_push (out, arena_printf (o->arena, "%s/compile_commands.json", build_dir));
  if (o->property_file) vec_push (out, o->property_file);
  if (o->value[OPT_BASELINE].text) vec_push (out, o->value[OPT_BASELINE].text);
}

// True if the baseline that is read is also written: that updates it.
static bool is_update (const options *o, option_id id, const char *input) {
  return id == OPT_WRITE_BASELINE && input == o->value[OPT_BASELINE].text;
}

static bool is_no_input (const options *o, option_id id, const report_names *inputs) {
  for (uint32_t i = 0; i < inputs->count; i++)
    if (!is_update (o, id, inputs->data[i]) && is_same_output_file (output_path (o, id), inputs->data[i])) {
      diag_error (NULL, 0, 0, "%s: %s is an input file (--force replaces it)", common_options[id].name,
                  output_path (o, id));
      return false;
    }
  return true;
}

static bool is_no_other_output (const options *o, unsigned k) {
  for (unsigned i = 0; i < k; i++) {
    const char *other = output_path (o, written[i]);
    if (!other || !is_same_output_file (output_path (o, written[k]), other)) continue;
    diag_error (NULL, 0, 0, "%s and %s both go to %s: name two files", common_options[written[i]].name,
                common_options[written[k]].name, other);
    return false;
  }
  return true;
}

// Rejects `-`: some programs take it for standard output, others for a file of this name, which is awkward to remove.
static bool is_file_name (const options *o, option_id id) {
  if (strcmp (output_path (o, id), "-")) return true;
  diag_error (NULL, 0, 0, "%s: `-` is possible for --json only: name a file, ./- or /dev/stdout",
              common_options[id].name);
  return false;
}

static bool is_writable (const options *o, option_id id) {
  strbuf why = {0};
  bool good = report_file_probe (output_path (o, id), o->value[OPT_FORCE].number, &why);
  if (!good) diag_error (NULL, 0, 0, "%s: %s", common_options[id].name, strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

bool outputs_are_possible (const options *o) {
  report_names inputs = {0};
  bool good = true, force = o->value[OPT_FORCE].number;
  collect_input_files (o, &inputs);
  for (unsigned k = 0; k < NUM_WRITTEN && good; k++)
    if (output_path (o, written[k]))
      good = is_file_name (o, written[k]) && is_no_other_output (o, k) &&
             (force || is_no_input (o, written[k], &inputs)) && is_writable (o, written[k]);
  vec_release (&inputs);
  return good;
}
