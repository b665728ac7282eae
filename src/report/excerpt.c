// Reads source lines for the report.  A report shows a handful of lines, so each line is read when it is needed and
// nothing is kept.  If a file changed or vanished since the front end read it, only the excerpt is missing.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/report_impl.h"

const char *source_base_name (const char *file) {
  const char *slash = strrchr (file, '/');
  return slash && slash[1] ? slash + 1 : file;
}

char *excerpt_line (arena *a, const char *file, uint32_t line) {
  FILE *f = file && line ? file_open_source (file) : NULL;
  if (!f) return NULL;
  char *text = NULL, *result = NULL;
  size_t size = 0;
  ssize_t length = 0;
  for (uint32_t i = 0; i < line && length >= 0; i++) length = getline (&text, &size, f);
  if (length >= 0) {
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\r')) text[--length] = 0;
    result = arena_strdup (a, text);
  }
  free (text);
  fclose (f);
  return result;
}

void excerpt_show (FILE *out, const report_style *style, const char *file, uint32_t line, uint32_t column) {
  arena *a = arena_new ();
  char *text = excerpt_line (a, file, line);
  if (text) {
    fprintf (out, "  %5u | %s\n", line, utf8_printable (a, text));
    if (column && column <= strlen (text)) {
      text[column - 1] = 0;  // the caret stands below the end of this prefix
      int indent = (int) utf8_width (utf8_printable (a, text));
      fprintf (out, "        | %*s%s^%s\n", indent, "", color_on (style, COLOR_BUG), color_off (style));
    }
  }
  arena_free (a);
}

void report_context (const report_style *style, ir_position pos, unsigned lines, FILE *out) {
  arena *a = arena_new ();
  uint32_t first = pos.line > lines ? pos.line - lines : 1;
  for (uint32_t line = first; pos.line && line <= pos.line + lines; line++) {
    const char *text = excerpt_line (a, pos.file, line);
    bool here = line == pos.line;
    if (text)
      fprintf (out, "%s%s %5u | %s%s\n", here ? color_on (style, COLOR_TITLE) : "", here ? ">" : " ", line,
               utf8_printable (a, text), here ? color_off (style) : "");
  }
  arena_free (a);
}
