// Reads a Boolean program from text or from a file.
#include "boolean/bp_parse_impl.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"

// Returns false after read_fail.  The reader belongs to the caller, so longjmp does not change it.
static bool read_bp_text (bp_reader *rd, const char *text) {
  if (setjmp (rd->failed)) return false;
  lex_start (rd, text);
  parse_program (rd);
  resolve_program (rd);
  flatten_program (rd);
  return bp_find_regions (rd->program, rd->error);
}

static void reader_release (bp_reader *rd) {
  strmap *names[] = {&rd->proc_names, &rd->global_names, &rd->local_names, &rd->label_names, &rd->var_names};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) strmap_release (names[i]);
  map_release (&rd->assigned);
  vec_release (&rd->calls);
  vec_release (&rd->open);
  vec_release (&rd->returns);
  vec_release (&rd->ends);
  vec_release (&rd->pending);
  arena_free (rd->arena);
}

bp_program *bp_parse (const char *text, const char *file, bp_error *error) {
  bp_reader rd = {.arena = arena_new (), .program = bp_program_new (file), .error = error};
  rd.file = rd.program->file;
  bool good = read_bp_text (&rd, text);
  reader_release (&rd);
  if (good) return rd.program;
  bp_program_free (rd.program);
  return NULL;
}

bp_program *bp_load (const char *path) {
  strbuf text = {0};
  bp_error error = {0};
  bp_program *p = NULL;
  if (!strbuf_add_file (&text, path)) diag_error (path, 0, 0, "cannot be read: %s", strerror (errno));
  else if (strlen (strbuf_text (&text)) != text.count) diag_error (path, 0, 0, "is no text: it has a zero byte");
  else {
    p = bp_parse (strbuf_text (&text), path, &error);
    if (!p) diag_error (path, error.line, error.column, "%s", strbuf_text (&error.text));
  }
  strbuf_release (&error.text);
  strbuf_release (&text);
  return p;
}

bool bp_is_file (const char *path) {
  size_t length = strlen (path);
  return length > 3 && !strcmp (path + length - 3, ".bp");
}
