// Computes what identifies a finding in later runs.  Lines move and threads are renumbered, so neither counts.  The
// fingerprint consists of the property, the variable or lock, and for each thread the function, the name of the file,
// the text of the source line and the text of what the thread does there (goal_location.what: changing these texts
// invalidates the baselines of users).  Which other threads happen to wait for the end of a stuck thread does not
// matter either.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "report/report_impl.h"

bool report_has_fingerprint (const goal *g) {
  return (g->status == GOAL_VIOLATED || g->status == GOAL_CONDITIONAL || goal_is_possible (g)) && !goal_is_formula (g);
}

// Returns the text with one blank for each run of blanks, and none at the ends.
static const char *squeezed (arena *a, const char *text) {
  char *copy = arena_strdup (a, text), *end = copy;
  for (const char *c = text; *c; c++) {
    bool blank = isspace ((unsigned char) *c);
    if (!blank) *end++ = *c;
    else if (end > copy && end[-1] != ' ') *end++ = ' ';
  }
  while (end > copy && end[-1] == ' ') end--;
  *end = 0;
  return copy;
}

static const char *location_key (arena *a, const goal_location *l) {
  const char *code = excerpt_line (a, l->pos.file, l->pos.line);
  return arena_printf (a, "%s|%s|%s|%s", l->function ? l->function : "",
                       l->pos.file ? source_base_name (l->pos.file) : "", l->what ? without_numbers (a, l->what) : "",
                       code ? squeezed (a, code) : "");
}

static bool waits_for_other_thread (const goal_location *l) {
  return l->role.kind == ROLE_WAITS_THREAD && l->role.holder == HOLDER_OTHER;
}

static int by_text (const void *x, const void *y) {
  return strcmp (*(const char *const *) x, *(const char *const *) y);
}

// Adds the locations.  Neither the order of the threads counts, nor how many do the same.
static void add_places (arena *a, const goal *g, strbuf *out) {
  uint32_t standing =
      g->claim.num_threads && g->claim.num_threads < g->locations.count ? g->claim.num_threads : g->locations.count;
  report_names texts = {0};
  for (uint32_t k = 0; k < standing; k++)
    if (!waits_for_other_thread (&g->locations.data[k])) vec_push (&texts, location_key (a, &g->locations.data[k]));
  if (texts.count) qsort (texts.data, texts.count, sizeof *texts.data, by_text);
  for (uint32_t k = 0; k < texts.count; k++)
    if (!k || strcmp (texts.data[k], texts.data[k - 1])) strbuf_printf (out, "%s\n", texts.data[k]);
  vec_release (&texts);
}

// "a[1], a[0]" and "a[2], a[0], a[1]" become "a[#]": the locks of a cycle, each once.
static const char *subject_text (arena *a, const char *about) {
  char *rest = NULL, *copy = arena_strdup (a, without_numbers (a, about));
  report_names names = {0};
  for (char *name = strtok_r (copy, ",", &rest); name; name = strtok_r (NULL, ",", &rest))
    vec_push (&names, squeezed (a, name));
  if (names.count) qsort (names.data, names.count, sizeof *names.data, by_text);
  const char *text = "";
  for (uint32_t k = 0; k < names.count; k++)
    if (!k || strcmp (names.data[k], names.data[k - 1])) text = arena_printf (a, "%s,%s", text, names.data[k]);
  vec_release (&names);
  return text;
}

uint64_t report_fingerprint (const goal *g) {
  arena *a = arena_new ();
  strbuf text = {0};
  const char *certainty = goal_is_possible (g)            ? "possible"
                          : g->status == GOAL_CONDITIONAL ? "conditional"
                                                          : "confirmed";
  strbuf_printf (&text, "%s %s %s\n", certainty, ir_property_name[g->property],
                 g->about ? subject_text (a, g->about) : "");
  add_places (a, g, &text);
  uint64_t hash = hash_bytes (strbuf_text (&text), text.count, 0);
  strbuf_release (&text);
  arena_free (a);
  return hash;
}
