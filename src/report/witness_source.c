// The input files of a witness.  A validator has nothing but these files, so every position is given as a line of one
// of them.  In a preprocessed file, the position that the compiler saw (`# 12 "a.c"`) is translated back to the line of
// the file itself; what lies in a header has no position.  Where a statement begins or a call ends is searched in the
// text of the one line.  If the line does not tell, the column is left out, which the format defines as "the first
// suitable one".
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/witness_impl.h"

// ---- loading ------------------------------------------------------------------------------------------

// Parses a marker, `# 12 "a.c" ...` or `#line 12 "a.c"`: the line after it is line 12 of a.c.
static bool parse_marker (arena *a, const char *text, source_marker *out) {
  if (*text++ != '#') return false;
  if (!strncmp (text, "line", 4)) text += 4;
  char *behind;
  unsigned long line = strtoul (text, &behind, 10);
  while (*behind == ' ') behind++;
  const char *end = *behind == '"' && behind > text ? strchr (behind + 1, '"') : NULL;
  if (!end) return false;
  out->line = (uint32_t) line;
  out->file = arena_printf (a, "%.*s", (int) (end - behind - 1), behind + 1);
  return true;
}

static void load_witness_lines (arena *a, witness_file *file) {
  FILE *f = file_open_source (file->name);
  char *text = NULL;
  size_t size = 0;
  ssize_t length;
  while (f && (length = getline (&text, &size, f)) >= 0) {
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\r')) text[--length] = 0;
    vec_push (&file->lines, arena_strdup (a, text));
    source_marker marker = {.at = file->lines.count + 1};
    if (parse_marker (a, text, &marker)) vec_push (&file->markers, marker);
  }
  free (text);
  if (f) fclose (f);
}

void witness_files_load (arena *a, const report_input *in, witness_files *files) {
  for (uint32_t i = 0; i < in->files.count; i++) {
    witness_file file = {.name = in->files.data[i]};
    if (sha256_file (file.name, file.hash)) load_witness_lines (a, &file);
    vec_push (files, file);
  }
}

void witness_files_release (witness_files *files) {
  for (uint32_t i = 0; i < files->count; i++) {
    vec_release (&files->data[i].lines);
    vec_release (&files->data[i].markers);
  }
  vec_release (files);
}

// ---- places -------------------------------------------------------------------------------------------

static bool ends_in_path (const char *text, const char *path) {
  size_t n = strlen (text), m = strlen (path);
  return n >= m && !strcmp (text + n - m, path) && (n == m || text[n - m - 1] == '/');
}

static bool is_same_file (const char *a, const char *b) { return ends_in_path (a, b) || ends_in_path (b, a); }

// Returns the line of the input file that the compiler took for this line of `name`; 0: none.
static uint32_t find_line (const witness_file *f, const char *name, uint32_t line) {
  for (uint32_t k = 0; k < f->markers.count; k++) {
    const source_marker *m = &f->markers.data[k];
    uint32_t end =
        k + 1 < f->markers.count ? f->markers.data[k + 1].at - 1 : f->lines.count + 1;  // the next marker's own line
    if (line >= m->line && line - m->line < end - m->at && is_same_file (m->file, name))
      return m->at + (line - m->line);
  }
  uint32_t unmarked = f->markers.count ? f->markers.data[0].at - 1 : f->lines.count + 1;
  return is_same_file (f->name, name) && line < unmarked ? line : 0;
}

bool witness_place_find (const witness_files *files, ir_position pos, witness_place *out) {
  for (uint32_t i = 0; pos.file && pos.line && i < files->count; i++) {
    uint32_t line = find_line (&files->data[i], pos.file, pos.line);
    if (!line) continue;
    *out = (witness_place){&files->data[i], line, pos.column};
    return true;
  }
  return false;
}

// ---- the text of a line -------------------------------------------------------------------------------

static const char *line_text (const witness_file *f, uint32_t line) {
  return line && line <= f->lines.count ? f->lines.data[line - 1] : "";
}

// Returns the position after the string or character constant that begins here, or after one other character.
static const char *skip_token (const char *c) {
  char quote = *c++;
  if (quote != '"' && quote != '\'') return c;
  while (*c && *c != quote) c += *c == '\\' && c[1] ? 2 : 1;
  return *c ? c + 1 : c;
}

static bool is_identifier_character (char c) { return isalnum ((unsigned char) c) || c == '_'; }

static bool begins_with (const char *text, const char *word) {
  size_t n = strlen (word);
  return !strncmp (text, word, n) && !is_identifier_character (text[n]);
}

static bool begins_with_one_of (const char *text, const char *const *words) {
  for (; *words; words++)
    if (begins_with (text, *words)) return true;
  return false;
}

static const char *skip_space (const char *c) {
  while (isspace ((unsigned char) *c)) c++;
  return c;
}

static const char *matching_parenthesis (const char *open) {
  int depth = 0;
  for (const char *c = open; *c; c = skip_token (c)) {
    depth += (*c == '(') - (*c == ')');
    if (!depth) return c;
  }
  return NULL;
}

uint32_t witness_call_end (const witness_place *place, const char *called) {
  const char *text = line_text (place->file, place->line), *from = text;
  if (place->column && place->column <= strlen (text)) from = text + place->column - 1;
  for (const char *c = from; *c; c = skip_token (c)) {
    bool starts_word = is_identifier_character (*c) && (c == text || !is_identifier_character (c[-1]));
    if (!starts_word || (called && !begins_with (c, called))) continue;
    const char *behind = c;
    while (is_identifier_character (*behind)) behind++;
    behind = skip_space (behind);
    const char *end = *behind == '(' ? matching_parenthesis (behind) : NULL;
    if (end) return (uint32_t) (end - text) + 1;
  }
  return 0;
}

static const char *const headed[] = {"if", "while", "for", "switch", "else", NULL};
static const char *const loops[] = {"while", "for", "do", NULL};

// Whether the first word of this line may begin a statement.
static bool begins_statement (const witness_file *f, uint32_t line) {
  const char *text = "";
  while (line > 1 && !*(text = skip_space (line_text (f, --line)))) {}
  const char *end = text + strlen (text);
  while (end > text && isspace ((unsigned char) end[-1])) end--;
  if (end == text || *text == '#') return true;
  return strchr (";{}:", end[-1]) || (end - text >= 2 && !strncmp (end - 2, "*/", 2)) ||
         begins_with_one_of (text, headed);
}

uint32_t witness_statement (const witness_place *place) {
  const char *text = line_text (place->file, place->line), *start = skip_space (text);
  if (!place->column || place->column > strlen (text) || !begins_statement (place->file, place->line)) return 0;
  const char *at = text + place->column - 1;
  int depth = 0;
  for (const char *c = start; *c && c < at; c = skip_token (c)) {
    depth += (*c == '(') - (*c == ')');
    bool head_ends = *c == ')' && !depth && begins_with_one_of (start, headed);
    bool ends = !depth && (head_ends || *c == ';' || *c == '{' || *c == '}');
    if (ends && skip_space (c + 1) <= at) start = skip_space (c + 1);
    if (begins_with (start, "else") && start + 4 <= at) start = skip_space (start + 4);
  }
  return begins_with_one_of (start, loops) || *start == '}' ? 0 : (uint32_t) (start - text) + 1;
}
