// Parsing of the option table.  Values are checked here once, with a message that says what is allowed; the commands
// read settings that are in range.
#include "main/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/words.h"

const option_row option_table[NUM_OPTIONS] = {
#define OPTION(ID, NAME, KIND, ARGUMENT, INITIAL, MIN, MAX, COMMANDS, WAYS, HELP) \
  {NAME, OPTION_##KIND, ARGUMENT, INITIAL, MIN, MAX, COMMANDS, WAYS, HELP},
    OPTIONS (OPTION)
#undef OPTION
};

// ---- values -------------------------------------------------------------------------------------------

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

static bool is_choice (const char *text, const char *choices) {
  size_t length = strlen (text);
  for (const char *c = choices; c; c = strchr (c, '|'), c = c ? c + 1 : NULL)
    if (!strncmp (c, text, length) && (c[length] == '|' || !c[length])) return length != 0;
  return false;
}

// Values that a word of the command line had in earlier versions, and what says the same now.
static const struct {
  const char *name, *value, *instead;
} moved_values[] = {{"--encoding", "order", "--engine=order"}};

static const char *said_now_by (const option_row *row, const char *value) {
  for (size_t k = 0; k < sizeof moved_values / sizeof *moved_values; k++)
    if (!strcmp (row->name, moved_values[k].name) && !strcmp (value, moved_values[k].value))
      return moved_values[k].instead;
  return NULL;
}

static bool bad_value (const option_row *row, const char *value, const char *allowed) {
  const char *now = said_now_by (row, value);
  if (now) diag_error (NULL, 0, 0, "%s=%s is an engine of its own now: use %s", row->name, value, now);
  else diag_error (NULL, 0, 0, "%s: `%s` is not possible; allowed: %s", row->name, value, allowed);
  return false;
}

static bool set_number (options *o, const option_row *row, option_setting *s, const char *value) {
  static const uint64_t none[1];
  if (parse_units (value, "", none, &s->number) && s->number >= row->min && s->number <= row->max) return true;
  const char *allowed =
      row->max == UINT64_MAX
          ? arena_printf (o->arena, "a number from %llu on", (unsigned long long) row->min)
          : arena_printf (o->arena, "%llu to %llu", (unsigned long long) row->min, (unsigned long long) row->max);
  return bad_value (row, value, allowed);
}

static bool set_property (options *o, const option_row *row, option_setting *s, const char *value) {
  property_choice choice;
  strbuf text = {0};
  budget b;
  budget_start (&b, (double) o->value[OPT_TIMEOUT].number / 1000, o->value[OPT_MEMORY].number);
  bool good = property_parse (o->arena, value, &b, &choice, &text);
  if (choice.stopped) strbuf_add (&o->stopped, choice.stopped);
  if (!good) diag_error (NULL, 0, 0, "%s: %s", row->name, strbuf_text (&text));
  else {
    property_print (choice.properties, &text);
    s->number = choice.properties;
    s->text = arena_strdup (o->arena, strbuf_text (&text));
    o->specification = choice.specification;
    o->property_file = choice.specification ? arena_strdup (o->arena, value) : NULL;
    if (choice.all_leaks && !o->value[OPT_LEAKS].given) o->value[OPT_LEAKS].text = "all";
    if (choice.entry && !o->value[OPT_ENTRY].given) o->value[OPT_ENTRY].text = choice.entry;
  }
  strbuf_release (&text);
  return good;
}

static bool are_words (const char *text) {
  arena *a = arena_new ();
  word_list words = {0};
  bool good = words_split (a, text, &words);
  vec_release (&words);
  arena_free (a);
  return good;
}

static bool argument_is_optional (const option_row *row) { return *row->argument == '['; }

static bool set_value (options *o, option_id id, const char *value) {
  const option_row *row = &option_table[id];
  option_setting *s = &o->value[id];
  switch (row->kind) {
  case OPTION_FLAG: s->number = strcmp (value, "0") != 0; return true;
  case OPTION_COUNT: s->number++; return true;
  case OPTION_NUMBER: return set_number (o, row, s, value);
  case OPTION_TIME:
    return parse_time (value, &s->number) || bad_value (row, value, "30 or 30s, 500ms, 0.5, 5m, 1h; 0 for no limit");
  case OPTION_SIZE:
    if (!*value && argument_is_optional (row)) {
      s->number = row->max;
      return true;
    }
    return parse_size (value, &s->number) || bad_value (row, value, "bytes, or 500M, 4G, ...; 0 for no limit");
  case OPTION_PROPERTY: return set_property (o, row, s, value);
  case OPTION_CHOICE:
    if (!is_choice (value, row->argument)) return bad_value (row, value, row->argument);
    break;
  case OPTION_WORDS:
    if (!are_words (value)) return bad_value (row, value, "words whose quotations are closed");
    break;
  case OPTION_TEXT:
    if (!*value) return bad_value (row, value, "a word that is not empty");
    break;
  default: BUG ("%s has no value", row->name);
  }
  s->text = arena_strdup (o->arena, value);
  return true;
}

// ---- words of the command line ------------------------------------------------------------------------

static bool takes_argument (const option_row *row) { return *row->argument && row->kind != OPTION_ALIAS; }
static bool serves (const option_row *row, char command) { return strchr (row->commands, command) != NULL; }

// The row a word names.  Long names end at '='; short ones may be followed by their argument ("-Idir", "-j4").
static option_id find_row (const char *word) {
  size_t name_length = strcspn (word, "=");
  for (int id = 0; id < NUM_OPTIONS; id++) {
    const char *name = option_table[id].name;
    if (strlen (name) == name_length && !strncmp (word, name, name_length)) return (option_id) id;
  }
  int best = NUM_OPTIONS;
  for (int id = 0; id < NUM_OPTIONS; id++) {
    const option_row *row = &option_table[id];
    size_t length = strlen (row->name);
    if (row->name[1] == '-' || !takes_argument (row) || *row->argument == '=' || strncmp (word, row->name, length))
      continue;
    if (best == NUM_OPTIONS || length > strlen (option_table[best].name)) best = id;
  }
  return (option_id) best;
}

static bool unknown_option (const options *o, const char *word) {
  const char *names[NUM_OPTIONS];
  size_t count = 0;
  for (int id = 0; id < NUM_OPTIONS; id++)
    if (serves (&option_table[id], o->command)) names[count++] = option_table[id].name;
  const char *name = arena_printf (o->arena, "%.*s", (int) strcspn (word, "="), word),
             *near = nearest_word (name, names, count);
  if (near && strlen (name) > 2) diag_error (NULL, 0, 0, "unknown option %s; did you mean %s?", name, near);
  else if (word[1] != '-' && o->command != 'p')
    diag_error (NULL, 0, 0, "unknown option %s (flags for clang go after `--`)", name);
  else diag_error (NULL, 0, 0, "unknown option %s (`lockstep help options` lists them)", name);
  return false;
}

static const char *command_name (char command) {
  return command == 'c'   ? "check"
         : command == 'r' ? "run"
         : command == 'i' ? "ir"
         : command == 'k' ? "circuit"
         : command == 'a' ? "abstract"
                          : "replay";
}

// The argument of a word: behind '=' or the name, or the next word; NULL after diag_error.
static const char *find_argument (const option_row *row, const char *word, char **next) {
  const char *behind = word + strlen (row->name);
  if (*behind == '=' && row->kind != OPTION_CLANG) return behind + 1;
  if (*behind || argument_is_optional (row)) return behind;
  if (*next && *row->argument != '=') return *next;
  diag_error (NULL, 0, 0, "%s needs a value: %s%s%s", row->name, row->name,
              row->name[1] == '-'     ? "="
              : *row->argument == '=' ? ""
                                      : " ",
              row->argument);
  return NULL;
}

// `next` is the word behind, or NULL; *used_next tells whether it was taken.
static bool parse_option (options *o, const char *word, char *next, bool *used_next) {
  option_id id = find_row (word);
  if (id == NUM_OPTIONS) return unknown_option (o, word);
  const option_row *row = &option_table[id];
  if (!serves (row, o->command)) {
    diag_error (NULL, 0, 0, "%s is not an option of `lockstep %s`", row->name, command_name (o->command));
    return false;
  }
  const char *value = "";
  if (takes_argument (row)) {
    value = find_argument (row, word, &next);
    if (!value) return false;
    *used_next = value == next;
  } else if (word[strlen (row->name)]) {
    diag_error (NULL, 0, 0, "%s takes no value", row->name);
    return false;
  }
  if (row->kind == OPTION_ALIAS) return parse_option (o, row->initial, NULL, used_next);
  if (row->kind == OPTION_OFF) return options_set (o, row->initial, "0");
  o->value[id].given = true;
  if (row->kind == OPTION_PROPERTY) {
    vec_push (&o->properties, value);
    return true;
  }
  if (row->kind != OPTION_CLANG) return set_value (o, id, value);
  vec_push (&o->clang_flags, arena_strdup (o->arena, word));
  if (*used_next) vec_push (&o->clang_flags, arena_strdup (o->arena, next));
  return true;
}

// Files of properties are read when the limits are known, which may stand behind them.
static bool read_properties (options *o) {
  for (uint32_t i = 0; i < o->properties.count; i++)
    if (!set_value (o, OPT_PROPERTY, o->properties.data[i])) return false;
  return true;
}

bool options_parse (options *o, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    bool used_next = false;
    if (!strcmp (argv[i], "--")) {
      if (o->command == 'p') {
        diag_error (NULL, 0, 0, "`lockstep replay` takes no flags for clang: a report or a circuit has its own");
        return false;
      }
      while (++i < argc) vec_push (&o->clang_flags, arena_strdup (o->arena, argv[i]));
      break;
    }
    if (argv[i][0] != '-' || !argv[i][1]) vec_push (&o->files, arena_strdup (o->arena, argv[i]));
    else if (!parse_option (o, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used_next)) return false;
    i += used_next;
  }
  return read_properties (o);
}

bool options_set (options *o, const char *name, const char *value) {
  option_id id = find_row (name);
  if (id == NUM_OPTIONS) return unknown_option (o, name);
  o->value[id].given = true;
  return set_value (o, id, value);
}

void options_init (options *o, char command) {
  *o = (options){.arena = arena_new (), .command = command};
  for (int id = 0; id < NUM_OPTIONS; id++) {
    const option_row *row = &option_table[id];
    bool has_value = row->initial && *row->initial && row->kind != OPTION_ALIAS && row->kind != OPTION_OFF;
    if (has_value)
      CHECK (set_value (o, (option_id) id, row->initial), "the initial value of %s should be valid", row->name);
  }
}

void options_release (options *o) {
  vec_release (&o->files);
  vec_release (&o->clang_flags);
  vec_release (&o->properties);
  strbuf_release (&o->stopped);
  arena_free (o->arena);
}

// ---- reports ------------------------------------------------------------------------------------------

static const char *bare_name (const option_row *row) { return row->name + strspn (row->name, "-"); }

void options_record (const options *o, report_input *in) {
  for (int id = 0; id < NUM_OPTIONS; id++) {
    const option_row *row = &option_table[id];
    report_option option = {.name = bare_name (row), .number = o->value[id].number, .text = o->value[id].text};
    switch (row->kind) {
    case OPTION_FLAG: option.kind = REPORT_BOOL; break;
    case OPTION_NUMBER:
    case OPTION_SIZE: option.kind = REPORT_NUMBER; break;
    case OPTION_TIME: option.kind = REPORT_MILLISECONDS; break;
    case OPTION_CHOICE:
    case OPTION_TEXT:
    case OPTION_WORDS:
    case OPTION_PROPERTY: option.kind = REPORT_TEXT; break;
    default: continue;
    }
    if (serves (row, 'c') && id != OPT_HELP) vec_push (&in->options, option);
  }
}

static const option_row *find_recorded (const char *name) {
  for (int id = 0; id < NUM_OPTIONS; id++)
    if (serves (&option_table[id], 'L') && !strcmp (bare_name (&option_table[id]), name)) return &option_table[id];
  return NULL;
}

bool options_restore (options *o, const report_saved *saved) {
  for (uint32_t i = 0; i < saved->options.count; i++) {
    const report_option *r = &saved->options.data[i];
    const option_row *row = find_recorded (r->name);
    bool is_off = r->kind == REPORT_BOOL && !r->number && row && (!row->initial || !*row->initial);
    if (!row || is_off || (r->kind == REPORT_TEXT && !r->text)) continue;
    const char *value =
        r->kind == REPORT_TEXT ? r->text : arena_printf (o->arena, "%llu", (unsigned long long) r->number);
    if (!options_set (o, row->name, value)) return false;
  }
  for (uint32_t i = 0; i < saved->files.count; i++) vec_push (&o->files, arena_strdup (o->arena, saved->files.data[i]));
  for (uint32_t i = 0; i < saved->clang_flags.count; i++)
    vec_push (&o->clang_flags, arena_strdup (o->arena, saved->clang_flags.data[i]));
  o->clang_flags_are_saved = true;
  return true;
}
