// Reads lines of source files: each file once, with its lines trimmed.
#include <ctype.h>
#include <stdio.h>

#include "base/file.h"
#include "verdict/verdict_impl.h"

enum { LINE_BYTES = 4096 };  // the rest of a longer line is not shown

static const char *copy_trimmed (arena *a, char *line) {
  size_t n = strlen (line);
  while (n && isspace ((unsigned char) line[n - 1])) line[--n] = 0;
  while (isspace ((unsigned char) *line)) line++;
  return arena_strdup (a, line);
}

static void skip_line (FILE *f) {
  int c;
  do c = getc (f);
  while (c != EOF && c != '\n');
}

static source_file read_file (arena *a, const char *path) {
  source_file result = {0};
  FILE *f = file_open_source (path);
  if (!f) return result;
  char line[LINE_BYTES];
  while (fgets (line, sizeof line, f)) {
    if (!strchr (line, '\n') && !feof (f)) skip_line (f);
    vec_push (&result.lines, copy_trimmed (a, line));
  }
  fclose (f);
  return result;
}

const char *source_line (source_cache *c, arena *a, ir_position pos) {
  if (!pos.file || !pos.line) return NULL;
  bool is_new;
  uint64_t *number = strmap_insert (&c->numbers, pos.file, c->files.count, &is_new);
  if (is_new) {
    source_file f = read_file (a, pos.file);
    vec_push (&c->files, f);
  }
  const source_file *f = &c->files.data[*number];
  return pos.line <= f->lines.count ? f->lines.data[pos.line - 1] : NULL;
}

void source_release (source_cache *c) {
  for (uint32_t i = 0; i < c->files.count; i++) vec_release (&c->files.data[i].lines);
  vec_release (&c->files);
  strmap_release (&c->numbers);
}
