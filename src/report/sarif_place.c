// Files and positions in SARIF.  Files below the working directory are named relative to it, so that the log means the
// same on another machine and code scanning finds them in its checkout; other files get an absolute URI.  The compiler
// counts columns in bytes, SARIF in characters: converting needs the text of the line, so each file is read once.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "report/sarif_impl.h"

// ---- JSON ---------------------------------------------------------------------------------------------

void sarif_set (sarif *s, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new (object, key, value)) s->good = false;
}

void sarif_append (sarif *s, json_t *array, json_t *value) {
  if (json_array_append_new (array, value)) s->good = false;
}

json_t *sarif_text (sarif *s, const char *text) { return json_string (utf8_valid (s->arena, text ? text : "")); }

json_t *sarif_message (sarif *s, const char *text) {
  json_t *o = json_object ();
  sarif_set (s, o, "text", sarif_text (s, text));
  return o;
}

// ---- files --------------------------------------------------------------------------------------------

const char *sarif_uri (arena *a, const char *path) {
  strbuf b = {0};
  for (const char *c = path; *c; c++) {
    if (isalnum ((unsigned char) *c) || strchr ("/-._~", *c)) strbuf_add_char (&b, *c);
    else strbuf_printf (&b, "%%%02X", (unsigned char) *c);
  }
  const char *copy = arena_strdup (a, strbuf_text (&b));
  strbuf_release (&b);
  return copy;
}

// Returns the path below the working directory; NULL: the file does not lie there.
static const char *path_below (const sarif *s, const char *name) {
  size_t length = strlen (s->root);
  if (*name == '/') return strncmp (name, s->root, length) ? NULL : name + length;
  while (!strncmp (name, "./", 2)) name += 2;
  return strncmp (name, "../", 3) && !strstr (name, "/../") ? name : NULL;
}

static void name_file (sarif *s, sarif_file *f) {
  const char *below = path_below (s, f->name);
  char *real = below ? NULL : realpath (f->name, NULL);
  if (real) below = path_below (s, real);
  f->relative = below != NULL;
  if (below) f->uri = sarif_uri (s->arena, below);
  else if (real || *f->name == '/')
    f->uri = arena_printf (s->arena, "file://%s", sarif_uri (s->arena, real ? real : f->name));
  else f->uri = sarif_uri (s->arena, f->name);
  free (real);
}

static void load_file_lines (sarif *s, sarif_file *f) {
  FILE *file = file_open_source (f->name);
  char *text = NULL;
  size_t size = 0;
  while (file && getline (&text, &size, file) >= 0) vec_push (&f->lines, arena_strdup (s->arena, text));
  free (text);
  if (file) fclose (file);
}

uint32_t sarif_add_file (sarif *s, const char *name) {
  bool is_new;
  uint32_t index = (uint32_t) *strmap_insert (&s->by_name, name, s->files.count, &is_new);
  if (!is_new) return index;
  sarif_file f = {.name = name};
  name_file (s, &f);
  load_file_lines (s, &f);
  vec_push (&s->files, f);
  return index;
}

void sarif_release_files (sarif *s) {
  for (uint32_t i = 0; i < s->files.count; i++) vec_release (&s->files.data[i].lines);
  vec_release (&s->files);
  strmap_release (&s->by_name);
}

static json_t *file_reference (sarif *s, uint32_t index, bool with_index) {
  json_t *o = json_object ();
  sarif_set (s, o, "uri", sarif_text (s, s->files.data[index].uri));
  if (s->files.data[index].relative) sarif_set (s, o, "uriBaseId", json_string ("%SRCROOT%"));
  if (with_index) sarif_set (s, o, "index", json_integer (index));
  return o;
}

json_t *sarif_artifact (sarif *s, uint32_t index) {
  json_t *o = json_object (), *roles = json_array ();
  sarif_set (s, o, "location", file_reference (s, index, false));
  sarif_append (s, roles, json_string ("analysisTarget"));
  sarif_set (s, o, "roles", roles);
  sarif_set (s, o, "sourceLanguage", json_string ("c"));
  char hash[SHA256_TEXT];
  if (sha256_file (s->files.data[index].name, hash)) sarif_set (s, o, "hashes", json_pack ("{ss}", "sha-256", hash));
  return o;
}

// ---- places -------------------------------------------------------------------------------------------

// Returns the column in characters.
static uint32_t column_in_characters (sarif *s, uint32_t file, uint32_t line, uint32_t column) {
  const sarif_file *f = &s->files.data[file];
  if (line > f->lines.count || column > strlen (f->lines.data[line - 1])) return column;
  arena_mark mark = arena_get_mark (s->arena);
  const char *before = arena_printf (s->arena, "%.*s", (int) column - 1, f->lines.data[line - 1]);
  uint32_t result = (uint32_t) utf8_width (utf8_valid (s->arena, before)) + 1;
  arena_reset (s->arena, mark);
  return result;
}

static json_t *physical_location (sarif *s, ir_position pos) {
  uint32_t file = sarif_add_file (s, pos.file);
  json_t *o = json_object (), *region = json_object ();
  sarif_set (s, o, "artifactLocation", file_reference (s, file, true));
  if (pos.line) sarif_set (s, region, "startLine", json_integer (pos.line));
  if (pos.line && pos.column)
    sarif_set (s, region, "startColumn", json_integer (column_in_characters (s, file, pos.line, pos.column)));
  if (pos.line) sarif_set (s, o, "region", region);
  else json_decref (region);
  return o;
}

json_t *sarif_location (sarif *s, ir_position pos, const char *function, const char *message) {
  json_t *o = json_object ();
  if (pos.file) sarif_set (s, o, "physicalLocation", physical_location (s, pos));
  if (function) {
    json_t *logical = json_array ();
    sarif_append (s, logical, json_pack ("{ss,ss}", "name", utf8_valid (s->arena, function), "kind", "function"));
    sarif_set (s, o, "logicalLocations", logical);
  }
  if (message) sarif_set (s, o, "message", sarif_message (s, message));
  return o;
}
