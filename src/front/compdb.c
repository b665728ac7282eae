// compile_commands.json: how a build compiles each of its files (clang's JSON Compilation Database format).
//
// The commands are for any compiler.  lockstep uses the directory, the file and the flags of each.  It never runs the
// compiler of a command or its launchers, and drops flags that are not known to be harmless (flags.c).  Flags that
// clang refuses, because only gcc knows them, are dropped, too.
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/map.h"
#include "front/driver_impl.h"

// ---- text ----------------------------------------------------------------------------------------------

const char *compdb_path (arena *a, const char *directory, const char *file) {
  const char *joined = file[0] == '/' ? file : arena_printf (a, "%s/%s", directory, file);
  char *result = arena_alloc (a, strlen (joined) + 2), *end = result;
  // Invariant: [result, end[ is a clean path without a slash at the end.
  while (*joined) {
    size_t length = strcspn (joined, "/");
    if (length == 2 && !strncmp (joined, "..", 2)) {
      while (end > result && *--end != '/') continue;
    } else if (length && !(length == 1 && joined[0] == '.')) {
      *end++ = '/';
      memcpy (end, joined, length);
      end += length;
    }
    joined += length;
    if (*joined) joined++;
  }
  if (end == result) *end++ = '/';
  *end = 0;
  return result;
}

// ---- reading -------------------------------------------------------------------------------------------

static const char *string_member (const json_t *object, const char *key) {
  return json_string_value (json_object_get (object, key));
}

// Tools that record a build also record commands that only list dependencies, and commands that clang starts itself
// (-cc1); neither is a way to compile the file.
static bool makes_code (const compile_command *c) {
  static const char *const others[] = {"-cc1", "-E", "-M", "-MM"};
  for (uint32_t i = 0; i < c->arguments.count; i++)
    for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
      if (!strcmp (c->arguments.data[i], others[k])) return false;
  return true;
}

// Returns NULL, or what is wrong with the entry.
static const char *read_entry (compile_database *db, const json_t *entry, const char *build_dir) {
  const char *directory = string_member (entry, "directory"), *file = string_member (entry, "file");
  const json_t *arguments = json_object_get (entry, "arguments");
  const char *command = string_member (entry, "command");
  if (!json_is_object (entry)) return "should be an object";
  if (!file) return "should have a string \"file\"";
  if (!json_is_array (arguments) && !command) return "should have \"arguments\" (an array) or \"command\" (a string)";
  compile_command c = {.directory = compdb_path (db->arena, build_dir, directory ? directory : "."),
                       .file = arena_strdup (db->arena, file)};
  size_t index;
  json_t *word;
  bool good = true;
  if (json_is_array (arguments)) {
    json_array_foreach (arguments, index, word) {
      if (json_is_string (word)) vec_push (&c.arguments, arena_strdup (db->arena, json_string_value (word)));
      else good = false;
    }
  } else words_split (db->arena, command, &c.arguments);
  if (makes_code (&c)) vec_push (&db->commands, c);
  else vec_release (&c.arguments);
  return good ? NULL : "should have only strings in \"arguments\"";
}

bool compdb_read (compile_database *db, const char *directory) {
  db->arena = arena_new ();
  char *here = getcwd (NULL, 0);
  const char *build_dir = compdb_path (db->arena, here ? here : "/", directory);
  free (here);
  const char *file = arena_printf (db->arena, "%s/compile_commands.json", directory);
  if (!source_is_readable (file)) return false;
  json_error_t error;
  json_t *root = json_load_file (file, 0, &error);
  bool good = false;
  if (!root)
    diag_error (file, error.line > 0 ? (uint32_t) error.line : 0, error.column > 0 ? (uint32_t) error.column : 0, "%s",
                error.text);
  else if (!json_is_array (root)) diag_error (file, 0, 0, "a compilation database should be an array of commands");
  else {
    size_t index;
    json_t *entry;
    good = true;
    json_array_foreach (root, index, entry) {
      const char *wrong = read_entry (db, entry, build_dir);
      if (wrong) diag_error (file, 0, 0, "entry %zu %s", index + 1, wrong);
      good &= !wrong;
    }
  }
  json_decref (root);
  return good;
}

void compdb_release (compile_database *db) {
  for (uint32_t i = 0; i < db->commands.count; i++) vec_release (&db->commands.data[i].arguments);
  vec_release (&db->commands);
  if (db->arena) arena_free (db->arena);
  db->arena = NULL;
}

// ---- sources -------------------------------------------------------------------------------------------

// The compiler is the words before the first flag or the file itself: "ccache gcc", "env LC_ALL=C cc".
static translation_unit make_source (compile_database *db, const compile_command *c, const front_options *options,
                                     flags_left_out *left_out) {
  translation_unit s = {.file = c->file,
                        .kind = source_kind_of (c->file),
                        .directory = c->directory,
                        .is_lenient = true,
                        .output = -1,
                        .errors = -1};
  const char *path = compdb_path (db->arena, c->directory, c->file);
  bool in_flags = false;
  for (uint32_t i = 0; i < c->arguments.count; i++) {
    const char *word = c->arguments.data[i];
    bool is_flag = word[0] == '-' || word[0] == '@';
    bool is_file = !is_flag && !strcmp (compdb_path (db->arena, c->directory, word), path);
    in_flags |= is_flag || is_file;
    // The file is named last, after our own flags.
    if (in_flags && !is_file) vec_push (&s.flags, word);
  }
  if (!options->trust_flags) flags_keep_harmless (&s.flags, left_out);
  clang_add_flags (&s.flags, options, left_out);
  return s;
}

static bool is_c_source (source_kind kind) { return kind == SOURCE_C || kind == SOURCE_PREPROCESSED; }

static bool add_all_sources (compile_database *db, const front_options *options, flags_left_out *left_out,
                             source_list *out) {
  strmap seen = {0};
  bool good = true;
  for (uint32_t i = 0; i < db->commands.count; i++) {
    const compile_command *c = &db->commands.data[i];
    const char *path = compdb_path (db->arena, c->directory, c->file);
    bool is_new;
    if (!is_c_source (source_kind_of (c->file))) {
      diag_warn ("`%s` is not C: left out", c->file);
      continue;
    }
    strmap_insert (&seen, path, i, &is_new);
    if (!is_new) diag_warn ("`%s` is compiled more than once: only the first command counts", c->file);
    else if (!source_is_readable (path)) good = false;
    else vec_push (out, make_source (db, c, options, left_out));
  }
  strmap_release (&seen);
  if (good && !out->count) diag_error (NULL, 0, 0, "`%s/compile_commands.json` has no C files", options->build_dir);
  return good && out->count;
}

// Returns the command for a file that the user named, relative to the current or the command's directory; NULL: none.
static const compile_command *find_compile_command (compile_database *db, const char *file, const char *here) {
  const char *path = compdb_path (db->arena, here, file);
  char *real = realpath (path, NULL);
  const compile_command *found = NULL;
  for (uint32_t i = 0; i < db->commands.count && !found; i++) {
    const compile_command *c = &db->commands.data[i];
    const char *other = compdb_path (db->arena, c->directory, c->file);
    char *other_real = realpath (other, NULL);
    if (!strcmp (path, other) || (real && other_real && !strcmp (real, other_real))) found = c;
    free (other_real);
  }
  free (real);
  return found;
}

bool compdb_sources (compile_database *db, const front_options *options, flags_left_out *left_out, source_list *out) {
  if (!options->files.count) return add_all_sources (db, options, left_out, out);
  char *here = getcwd (NULL, 0);
  bool good = true;
  for (uint32_t i = 0; i < options->files.count; i++) {
    const char *file = options->files.data[i];
    if (!is_c_source (source_kind_of (file))) continue;
    if (!source_is_readable (file)) {
      good = false;
      continue;
    }
    const compile_command *c = find_compile_command (db, file, here ? here : "/");
    if (c) vec_push (out, make_source (db, c, options, left_out));
    else diag_error (NULL, 0, 0, "`%s` is not in `%s/compile_commands.json`", file, options->build_dir);
    good &= c != NULL;
  }
  free (here);
  return good;
}
