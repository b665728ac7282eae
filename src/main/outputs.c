// The files that a command writes.  `check --json victim.c other.c` is a slip of the hand that must not cost a source: a report replaces no
// input of the same command, whatever name it goes by, and two reports do not go to one file.  (That other files are replaced only if
// lockstep wrote them, report/file.c sees to.)  Files are the same if device and inode are; one that is not there yet is known by its folder
// and its name.
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

typedef struct identity {
  dev_t device;
  ino_t inode;                 // of the file, or of its folder
  char name[NAME_MAX + 1];     // empty: the file is there
  bool is_known, is_anybodys;  // a device takes what several write
} identity;

static identity identity_of (const char *path) {
  identity i = {0};
  struct stat info = {0};
  char *folder = strdup (path), *name = strdup (path);
  if (stat (path, &info) == 0) {
    i.is_known = true;
    i.is_anybodys = S_ISCHR (info.st_mode);
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

static bool is_same (const char *a, const char *b) {
  identity x = identity_of (a), y = identity_of (b);
  return x.is_known && y.is_known && !x.is_anybodys && x.device == y.device && x.inode == y.inode &&
         !strcmp (x.name, y.name);
}

static const char *path_of (const options *o, option_id id) {
  const char *path = o->value[id].text;
  bool is_stdout = path && !strcmp (path, "-") && (id == OPT_JSON || id == OPT_OUTPUT);
  return is_stdout ? NULL : path;
}

static void collect_inputs (const options *o, report_names *out) {
  const char *build_dir = o->value[OPT_BUILD_DIR].text;
  for (uint32_t i = 0; i < o->files.count; i++) vec_push (out, o->files.data[i]);
  if (build_dir) vec_push (out, arena_printf (o->arena, "%s/compile_commands.json", build_dir));
  if (o->property_file) vec_push (out, o->property_file);
  if (o->value[OPT_BASELINE].text) vec_push (out, o->value[OPT_BASELINE].text);
}

// A baseline is read before it is written anew, which is how one is kept up to date.
static bool is_update (const options *o, option_id id, const char *input) {
  return id == OPT_WRITE_BASELINE && input == o->value[OPT_BASELINE].text;
}

static bool spares_inputs (const options *o, option_id id, const report_names *inputs) {
  for (uint32_t i = 0; i < inputs->count; i++)
    if (!is_update (o, id, inputs->data[i]) && is_same (path_of (o, id), inputs->data[i])) {
      diag_error (NULL, 0, 0, "%s: %s is an input file (--force replaces it)", common_options[id].name, path_of (o, id));
      return false;
    }
  return true;
}

static bool spares_others (const options *o, unsigned k) {
  for (unsigned i = 0; i < k; i++) {
    const char *other = path_of (o, written[i]);
    if (!other || !is_same (path_of (o, written[k]), other)) continue;
    diag_error (NULL, 0, 0, "%s and %s both go to %s: name two files", common_options[written[i]].name,
                common_options[written[k]].name, other);
    return false;
  }
  return true;
}

// Some programs would write to standard output, others to a file of this name, which is awkward to remove.
static bool is_named (const options *o, option_id id) {
  if (strcmp (path_of (o, id), "-")) return true;
  diag_error (NULL, 0, 0, "%s: `-` is possible for --json only: name a file, ./- or /dev/stdout",
              common_options[id].name);
  return false;
}

static bool is_writable (const options *o, option_id id) {
  strbuf why = {0};
  bool good = report_file_probe (path_of (o, id), o->value[OPT_FORCE].number, &why);
  if (!good) diag_error (NULL, 0, 0, "%s: %s", common_options[id].name, strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

bool outputs_are_possible (const options *o) {
  report_names inputs = {0};
  bool good = true, force = o->value[OPT_FORCE].number;
  collect_inputs (o, &inputs);
  for (unsigned k = 0; k < NUM_WRITTEN && good; k++)
    if (path_of (o, written[k]))
      good = is_named (o, written[k]) && spares_others (o, k) && (force || spares_inputs (o, written[k], &inputs)) &&
             is_writable (o, written[k]);
  vec_release (&inputs);
  return good;
}
