// Values of options: parsed from words, stored in records, printed as words.  A value is checked here once, and the
// error message lists the allowed values; the commands and the engines read settings that are in range.
#include "base/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/words.h"

// ---- numbers -----------------------------------------------------------------------------------------------------

// Digits and one unit of `units` ("smh"), each with its factor; false if it is anything else or too large.
static bool parse_units (const char *text, const char *units, const uint64_t *factors, uint64_t *out) {
  if (*text < '0' || *text > '9') return false;
  char *end;
  errno = 0;
  unsigned long long n = strtoull (text, &end, 10);
  const char *unit = *end ? strchr (units, *end) : NULL;
  if (errno || (*end && (!unit || end[1]))) return false;
  uint64_t factor = unit ? factors[unit - units] : 1;
  *out = n * factor;
  return !n || *out / n == factor;
}

// Digits, perhaps with a fraction, and a unit; in milliseconds.  Anything above zero is at least one.
static bool parse_time (const char *text, uint64_t *out) {
  static const struct {
    const char *name;
    double milliseconds;
  } units[] = {{"", 1e3}, {"s", 1e3}, {"ms", 1}, {"m", 60e3}, {"h", 3600e3}};
  size_t length = strspn (text, "0123456789.");
  if (!length || *text == '.' || strchr (text, '.') != strrchr (text, '.')) return false;
  double number = strtod (text, NULL), most = 1e15;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
    if (strcmp (text + length, units[k].name)) continue;
    double milliseconds = number * units[k].milliseconds;
    if (milliseconds > most) return false;
    *out = (uint64_t) (milliseconds + 0.5);
    if (!*out && number > 0) *out = 1;
    return true;
  }
  return false;
}

static bool parse_size (const char *text, uint64_t *out) {
  static const uint64_t factors[] = {1 << 10, 1 << 20, 1 << 30, (uint64_t) 1 << 40,
                                     1 << 10, 1 << 20, 1 << 30, (uint64_t) 1 << 40};
  return parse_units (text, "KMGTkmgt", factors, out);
}

static bool parse_bounded (const option_row *row, const char *text, uint64_t *out) {
  static const uint64_t none[1];
  return parse_units (text, "", none, out) && *out >= row->min && *out <= row->max;
}

static const char *numbers_allowed (const option_row *row, arena *a) {
  unsigned long long min = row->min, max = row->max;
  return row->max == UINT64_MAX ? arena_printf (a, "a number from %llu on", min)
                                : arena_printf (a, "%llu to %llu", min, max);
}

// ---- words -------------------------------------------------------------------------------------------------------

uint32_t option_word_index (const char *words, const char *word) {
  size_t length = strlen (word);
  uint32_t index = 0;
  for (const char *w = words; length && *w; index++) {
    size_t size = strcspn (w, "|");
    if (size == length && !strncmp (w, word, length)) return index;
    w += size + (w[size] == '|');
  }
  return UINT32_MAX;
}

static const char *nth_word (const char *words, uint64_t index, arena *a) {
  for (; index; index--) words += strcspn (words, "|") + 1;
  return arena_printf (a, "%.*s", (int) strcspn (words, "|"), words);
}

static bool parse_choice (const char *words, const char *text, uint64_t *out) {
  uint32_t index = option_word_index (words, text);
  *out = index;
  return index != UINT32_MAX;
}

static bool are_quoted_well (const char *text) {
  arena *a = arena_new ();
  word_list words = {0};
  bool good = words_split (a, text, &words);
  vec_release (&words);
  arena_free (a);
  return good;
}

// ---- settings ----------------------------------------------------------------------------------------------------

bool option_argument_is_optional (const option_row *row) { return *row->argument == '['; }

static bool parse_kind (const option_row *row, arena *a, const char *value, option_setting *s, const char **allowed) {
  switch (row->kind) {
  case OPTION_FLAG: s->number = strcmp (value, "0") != 0; return true;
  case OPTION_COUNT: s->number++; return true;
  case OPTION_NUMBER: *allowed = numbers_allowed (row, a); return parse_bounded (row, value, &s->number);
  case OPTION_TIME: *allowed = "30 or 30s, 500ms, 0.5, 5m, 1h; 0 for no limit"; return parse_time (value, &s->number);
  case OPTION_SIZE:
    *allowed = "bytes, or 500M, 4G, ...; 0 for no limit";
    if (*value || !option_argument_is_optional (row)) return parse_size (value, &s->number);
    s->number = row->max;
    return true;
  case OPTION_SWITCH:
    *allowed = row->argument;
    s->number = !strcmp (value, "on");
    return s->number || !strcmp (value, "off");
  case OPTION_CHOICE: *allowed = row->argument; return parse_choice (row->argument, value, &s->number);
  case OPTION_WORDS: *allowed = "words whose quotations are closed"; return are_quoted_well (value);
  case OPTION_TEXT: *allowed = "a word that is not empty"; return *value;
  case OPTION_PROPERTY:
  case OPTION_CLANG:
  case OPTION_ALIAS:
  case OPTION_OFF: break;
  }
  BUG ("%s has no value", row->name);
}

static bool has_text (option_kind kind) {
  return kind == OPTION_SWITCH || kind == OPTION_CHOICE || kind == OPTION_TEXT || kind == OPTION_WORDS;
}

bool option_parse (const option_row *row, arena *a, const char *value, option_setting *s, const char **allowed) {
  option_setting read = *s;
  if (!parse_kind (row, a, value, &read, allowed)) return false;
  if (has_text (row->kind)) read.text = arena_strdup (a, value);
  *s = read;
  return true;
}

// ---- records -----------------------------------------------------------------------------------------------------

// An enum of a table has no negative constants, so its type is unsigned.
void option_store (const option_row *row, const option_setting *s, void *record) {
  char *field = (char *) record + row->offset;
  bool truth = s->number != 0;
  unsigned word = (unsigned) s->number;
  switch (row->kind) {
  case OPTION_FLAG:
  case OPTION_SWITCH: memcpy (field, &truth, sizeof truth); return;
  case OPTION_COUNT:
  case OPTION_NUMBER:
  case OPTION_TIME:
  case OPTION_SIZE: memcpy (field, &s->number, sizeof s->number); return;
  case OPTION_CHOICE: memcpy (field, &word, sizeof word); return;
  case OPTION_TEXT:
  case OPTION_WORDS: memcpy (field, &s->text, sizeof s->text); return;
  case OPTION_PROPERTY:
  case OPTION_CLANG:
  case OPTION_ALIAS:
  case OPTION_OFF: break;
  }
  BUG ("%s has no field", row->name);
}

const char *option_initial (const option_table *t, const option_row *row, arena *a) {
  const char *field = (const char *) t->initial + row->offset, *text = NULL;
  bool truth = false;
  unsigned word = 0;
  uint64_t number = 0;
  switch (row->kind) {
  case OPTION_FLAG: memcpy (&truth, field, sizeof truth); return truth ? "1" : "";
  case OPTION_SWITCH: memcpy (&truth, field, sizeof truth); return truth ? "on" : "off";
  case OPTION_COUNT: return "";
  case OPTION_NUMBER:
  case OPTION_SIZE:
    memcpy (&number, field, sizeof number);
    return arena_printf (a, "%llu", (unsigned long long) number);
  case OPTION_TIME:
    memcpy (&number, field, sizeof number);
    return arena_printf (a, number ? "%llums" : "0", (unsigned long long) number);
  case OPTION_CHOICE: memcpy (&word, field, sizeof word); return nth_word (row->argument, word, a);
  case OPTION_TEXT:
  case OPTION_WORDS: memcpy (&text, field, sizeof text); return text;
  case OPTION_PROPERTY:
  case OPTION_CLANG:
  case OPTION_ALIAS:
  case OPTION_OFF: break;
  }
  BUG ("%s has no field", row->name);
}

const option_row *option_find (const option_table *t, const char *name) {
  for (uint32_t k = 0; t && k < t->count; k++)
    if (!strcmp (t->rows[k].name, name)) return &t->rows[k];
  return NULL;
}
