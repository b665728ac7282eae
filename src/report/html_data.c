// Writes the data of the HTML report: the JSON report, and the source of every file it mentions.  It is written through
// a stream that spells `<` and the line separators U+2028 and U+2029 as JSON escapes.  Outside strings JSON has none of
// these characters, so it stays the same JSON; and without `<` no text of the program can end the script element or
// open a comment in it.
#define _GNU_SOURCE  // fopencookie

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "report/html_impl.h"

enum {
  WHOLE_FILE = 512 << 10,  // bytes; of larger files only lines near mentioned ones are kept
  SURROUNDINGS = 60        // lines
};

// ---- the stream -------------------------------------------------------------------------------------------

typedef struct island {
  FILE *out;
  unsigned held;  // number of bytes of E2 80 that were read but not written
} island;

static void island_put (island *i, unsigned char c) {
  if (i->held == 2 && (c == 0xA8 || c == 0xA9)) {
    fputs (c == 0xA8 ? "\\u2028" : "\\u2029", i->out);
    i->held = 0;
    return;
  }
  if (i->held == 1 && c == 0x80) {
    i->held = 2;
    return;
  }
  fwrite ("\xE2\x80", 1, i->held, i->out);
  i->held = c == 0xE2;
  if (c == '<') fputs ("\\u003c", i->out);
  else if (c != 0xE2) fputc (c, i->out);
}

static ssize_t island_write (void *cookie, const char *bytes, size_t count) {
  island *i = cookie;
  for (size_t k = 0; k < count; k++) island_put (i, (unsigned char) bytes[k]);
  return ferror (i->out) ? 0 : (ssize_t) count;
}

// ---- which lines are mentioned ----------------------------------------------------------------------------

typedef struct mentions {
  strmap files;  // name -> number
  map lines;     // number << 32 | line
} mentions;

static void mention (mentions *m, ir_position pos) {
  if (!pos.file) return;
  uint64_t file = *strmap_insert (&m->files, pos.file, m->files.entries.count, NULL);
  map_insert (&m->lines, file << 32 | pos.line, 0, NULL);
}

static void mention_side (mentions *m, const goal_side *s) {
  mention (m, s->created);
  mention (m, s->pos);
  for (uint32_t k = 0; k < s->stack.count; k++) mention (m, s->stack.data[k].pos);
  for (uint32_t k = 0; k < s->held.count; k++) mention (m, s->held.data[k].taken);
}

static void mention_goal (mentions *m, const goal *g) {
  for (uint32_t k = 0; k < g->locations.count; k++) mention (m, g->locations.data[k].pos);
  for (uint32_t k = 0; k < g->steps.count; k++) mention (m, g->steps.data[k].pos);
  for (uint32_t k = 0; k < g->sides.count; k++) mention_side (m, &g->sides.data[k]);
}

static int compare_lines (const void *x, const void *y) {
  const map_entry *a = x, *b = y;
  return (a->key > b->key) - (a->key < b->key);
}

// Sorts the lines.  Afterwards no line can be found by its key.
static void collect_lines (mentions *m, const verdict *v) {
  for (uint32_t k = 0; k < v->goals.count; k++) mention_goal (m, &v->goals.data[k]);
  for (uint32_t k = 0; k < v->lock_orders.count; k++) mention (m, v->lock_orders.data[k].pos);
  for (uint32_t k = 0; k < v->uneven_returns.count; k++) {
    const uneven_return *u = &v->uneven_returns.data[k];
    mention (m, u->taken), mention (m, u->with), mention (m, u->without), mention (m, u->given_back);
  }
  if (m->lines.entries.count)
    qsort (m->lines.entries.data, m->lines.entries.count, sizeof *m->lines.entries.data, compare_lines);
}

// ---- sources ----------------------------------------------------------------------------------------------

typedef struct excerpt {
  FILE *out;
  const mentions *mentions;
  uint32_t file, next;  // next: index of the first mentioned line that is not far before the current one
  bool whole;
  uint32_t last;  // line written last, 0: none
} excerpt;

static void put_string (FILE *out, const char *text) {
  arena *a = arena_new ();
  json_t *string = json_string (utf8_valid (a, text));
  json_dumpf (string, out, JSON_ENCODE_ANY);
  json_decref (string);
  arena_free (a);
}

static bool is_near (excerpt *e, uint32_t line) {
  const map_entry *lines = e->mentions->lines.entries.data;
  uint64_t low = (uint64_t) e->file << 32 | (line > SURROUNDINGS ? line - SURROUNDINGS : 0),
           high = ((uint64_t) e->file << 32 | line) + SURROUNDINGS;
  while (e->next < e->mentions->lines.entries.count && lines[e->next].key < low) e->next++;
  return e->next < e->mentions->lines.entries.count && lines[e->next].key <= high;
}

// A part is {"first": number, "lines": [...]}.
static void put_line (excerpt *e, uint32_t line, char *text) {
  text[strcspn (text, "\r\n")] = 0;
  if (e->last && e->last + 1 == line) fputs (",", e->out);
  else fprintf (e->out, "%s{\"first\":%u,\"lines\":[", e->last ? "]},\n" : "", line);
  put_string (e->out, text);
  e->last = line;
}

static void put_lines (excerpt *e, FILE *source) {
  char *text = NULL;
  size_t size = 0;
  for (uint32_t line = 1; getline (&text, &size, source) >= 0; line++)
    if (e->whole || is_near (e, line)) put_line (e, line, text);
  if (e->last) fputs ("]}", e->out);
  free (text);
}

// A file that cannot be read any more has no parts.
static void put_source (excerpt *e, const char *file) {
  fputs ("{\"file\":", e->out);
  put_string (e->out, file);
  fputs (",\"parts\":[", e->out);
  struct stat info;
  FILE *source = file_open_source (file);
  e->whole = source && !fstat (fileno (source), &info) && info.st_size <= WHOLE_FILE;
  e->last = 0;
  if (source) {
    put_lines (e, source);
    fclose (source);
  }
  fputs ("]}", e->out);
}

static void put_sources (const verdict *v, FILE *out) {
  mentions m = {0};
  collect_lines (&m, v);
  excerpt e = {.out = out, .mentions = &m};
  for (; e.file < m.files.entries.count; e.file++) {
    fputs (e.file ? ",\n" : "\n", out);
    put_source (&e, m.files.entries.data[e.file].key);
  }
  strmap_release (&m.files);
  map_release (&m.lines);
}

bool html_data (const report_input *in, FILE *out) {
  island i = {.out = out};
  FILE *safe = fopencookie (&i, "w", (cookie_io_functions_t){.write = island_write});
  if (!safe) return false;
  fputs ("{\"report\":", safe);
  bool good = report_json (in, safe);
  fputs (",\"sources\":[", safe);
  put_sources (in->verdict, safe);
  fputs ("]}", safe);
  return fclose (safe) == 0 && good;
}
