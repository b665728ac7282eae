// Parses the command line by the tables of options: the common ones and those of the engines.
#include "main/options.h"

#include <string.h>

#include "base/diag.h"

const option_row common_options[NUM_OPTIONS] = {
#define OPTION(ID, NAME, KIND, ARGUMENT, INITIAL, MIN, MAX, USES, HONOURED, HELP) \
  {NAME, OPTION_##KIND, ARGUMENT, INITIAL, MIN, MAX, USES, 0, 0, HELP},
    OPTIONS (OPTION)
#undef OPTION
};

static const uint32_t common_honoured[NUM_OPTIONS] = {
#define OPTION(ID, NAME, KIND, ARGUMENT, INITIAL, MIN, MAX, USES, HONOURED, HELP) HONOURED,
    OPTIONS (OPTION)
#undef OPTION
};

// ---- values -------------------------------------------------------------------------------------------

// Values of options in earlier versions, and the options that replace them.
static const struct {
  const char *name, *value, *instead;
} moved_values[] = {{"--encoding", "order", "--engine=order"}};

static const char *replacement_for (const option_row *row, const char *value) {
  for (size_t k = 0; k < sizeof moved_values / sizeof *moved_values; k++)
    if (!strcmp (row->name, moved_values[k].name) && !strcmp (value, moved_values[k].value))
      return moved_values[k].instead;
  return NULL;
}

static bool bad_value (const option_row *row, const char *value, const char *allowed) {
  const char *now = replacement_for (row, value);
  if (now) diag_error (NULL, 0, 0, "%s=%s is an engine of its own now: use %s", row->name, value, now);
  else diag_error (NULL, 0, 0, "%s: `%s` is not possible; allowed: %s", row->name, value, allowed);
  return false;
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
    if (choice.all_leaks && !o->value[OPT_LEAKS].given)
      o->value[OPT_LEAKS].text = "all", o->value[OPT_LEAKS].number = LEAKS_ALL;
    if (choice.entry && !o->value[OPT_ENTRY].given) o->value[OPT_ENTRY].text = choice.entry;
  }
  strbuf_release (&text);
  return good;
}

static bool set_option_value (options *o, uint32_t id, const char *value) {
  const option_row *row = o->known[id].row;
  const char *allowed = NULL;
  if (row->kind == OPTION_PROPERTY) return set_property (o, row, &o->value[id], value);
  return option_parse (row, o->arena, value, &o->value[id], &allowed) || bad_value (row, value, allowed);
}

// ---- words of the command line ------------------------------------------------------------------------

static bool takes_argument (const option_row *row) { return *row->argument && row->kind != OPTION_ALIAS; }

// Returns the option that a word names; IR_NONE: none.  Long names end at '='; short ones may be followed by their
// argument ("-Idir", "-j4").
static uint32_t find_option (const options *o, const char *word) {
  size_t name_length = strcspn (word, "=");
  for (uint32_t id = 0; id < o->num_known; id++) {
    const char *name = o->known[id].row->name;
    if (strlen (name) == name_length && !strncmp (word, name, name_length)) return id;
  }
  uint32_t best = IR_NONE;
  for (uint32_t id = 0; id < o->num_known; id++) {
    const option_row *row = o->known[id].row;
    size_t length = strlen (row->name);
    if (row->name[1] == '-' || !takes_argument (row) || *row->argument == '=' || strncmp (word, row->name, length))
      continue;
    if (best == IR_NONE || length > strlen (o->known[best].row->name)) best = id;
  }
  return best;
}

static bool unknown_option (const options *o, const char *word) {
  const char *names[OPTION_ROOM];
  size_t count = 0;
  for (uint32_t id = 0; id < o->num_known; id++)
    if (o->known[id].row->uses & o->command) names[count++] = o->known[id].row->name;
  const char *name = arena_printf (o->arena, "%.*s", (int) strcspn (word, "="), word),
             *near = nearest_word (name, names, count);
  if (near && strlen (name) > 2) diag_error (NULL, 0, 0, "unknown option %s; did you mean %s?", name, near);
  else if (word[1] != '-' && o->command != FOR_REPLAY)
    diag_error (NULL, 0, 0, "unknown option %s (flags for clang go after `--`)", name);
  else diag_error (NULL, 0, 0, "unknown option %s (`lockstep help options` lists them)", name);
  return false;
}

static const char *command_name (option_use command) {
  switch (command) {
  case FOR_CHECK: return "check";
  case FOR_RUN: return "run";
  case FOR_IR: return "ir";
  case FOR_CIRCUIT: return "circuit";
  case FOR_ABSTRACT: return "abstract";
  case FOR_REPLAY: return "replay";
  case IS_SAVED:
  case IS_BOUND: break;
  }
  BUG ("%u should be a command", (unsigned) command);
}

// Returns the argument of an option: the text after '=' or after the name, or the next word; NULL after diag_error.
static const char *find_argument (const option_row *row, const char *word, char **next) {
  const char *rest = word + strlen (row->name);
  if (*rest == '=' && row->kind != OPTION_CLANG) return rest + 1;
  if (*rest || option_argument_is_optional (row)) return rest;
  if (*next && *row->argument != '=') return *next;
  diag_error (NULL, 0, 0, "%s needs a value: %s%s%s", row->name, row->name,
              row->name[1] == '-'     ? "="
              : *row->argument == '=' ? ""
                                      : " ",
              row->argument);
  return NULL;
}

// Parses an option.  `next` is the next word, or NULL; sets *used_next if that word is the argument.
static bool parse_option (options *o, const char *word, char *next, bool *used_next) {
  uint32_t id = find_option (o, word);
  if (id == IR_NONE) return unknown_option (o, word);
  const option_row *row = o->known[id].row;
  if (!(row->uses & o->command)) {
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
  if (row->kind != OPTION_CLANG) return set_option_value (o, id, value);
  vec_push (&o->clang_flags, arena_strdup (o->arena, word));
  if (*used_next) vec_push (&o->clang_flags, arena_strdup (o->arena, next));
  return true;
}

// Reads property files.  That is done after all words are parsed, because the limits for reading may come last.
static bool read_properties (options *o) {
  for (uint32_t i = 0; i < o->properties.count; i++)
    if (!set_option_value (o, OPT_PROPERTY, o->properties.data[i])) return false;
  return true;
}

bool options_parse (options *o, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    bool used_next = false;
    if (!strcmp (argv[i], "--")) {
      if (o->command == FOR_REPLAY) {
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
  uint32_t id = find_option (o, name);
  if (id == IR_NONE) return unknown_option (o, name);
  o->value[id].given = true;
  return set_option_value (o, id, value);
}

// ---- all tables together --------------------------------------------------------------------------------

static void add_known_option (options *o, const option_row *row, const char *initial, uint32_t honoured) {
  CHECK (o->num_known < OPTION_ROOM, "there should be room for option %s", row->name);
  o->known[o->num_known++] = (known_option){.row = row, .initial = initial, .honoured = honoured};
}

static void add_engine_options (options *o, const option_table *table) {
  for (uint32_t k = 0; table && k < table->count; k++) {
    const option_row *row = &table->rows[k];
    uint32_t id = 0;
    while (id < o->num_known && strcmp (o->known[id].row->name, row->name)) id++;
    const option_row *first = id < o->num_known ? o->known[id].row : row;
    CHECK (first->kind == row->kind && !strcmp (first->argument, row->argument),
           "%s should take the same values for all engines", row->name);
    if (first == row) add_known_option (o, row, option_initial (table, row, o->arena), HONOURED_BY_OWNERS);
  }
}

static bool has_initial_value (const known_option *k) {
  return k->initial && *k->initial && k->row->kind != OPTION_ALIAS && k->row->kind != OPTION_OFF;
}

void options_init (options *o, option_use command) {
  *o = (options){.arena = arena_new (), .command = command};
  for (uint32_t id = 0; id < NUM_OPTIONS; id++)
    add_known_option (o, &common_options[id], common_options[id].initial, common_honoured[id]);
  for (const engine *const *e = engine_registry; *e; e++) add_engine_options (o, (*e)->options);
  for (uint32_t id = 0; id < o->num_known; id++)
    if (has_initial_value (&o->known[id]))
      CHECK (set_option_value (o, id, o->known[id].initial), "the initial value of %s should be valid",
             o->known[id].row->name);
}

void options_pass_to_engines (const options *o, task *t) {
  for (const engine *const *e = engine_registry; *e; e++) {
    const option_table *table = (*e)->options;
    if (!table) continue;
    void *record = arena_alloc (o->arena, table->size);
    memcpy (record, table->initial, table->size);
    for (uint32_t k = 0; k < table->count; k++)
      option_store (&table->rows[k], &o->value[find_option (o, table->rows[k].name)], record);
    task_set_options (t, *e, record);
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
  for (uint32_t id = 0; id < o->num_known; id++) {
    const option_row *row = o->known[id].row;
    report_option option = {.name = bare_name (row), .number = o->value[id].number, .text = o->value[id].text};
    switch (row->kind) {
    case OPTION_FLAG: option.kind = REPORT_BOOL; break;
    case OPTION_NUMBER:
    case OPTION_SIZE: option.kind = REPORT_NUMBER; break;
    case OPTION_TIME: option.kind = REPORT_MILLISECONDS; break;
    case OPTION_SWITCH:
    case OPTION_CHOICE:
    case OPTION_TEXT:
    case OPTION_WORDS:
    case OPTION_PROPERTY: option.kind = REPORT_TEXT; break;
    case OPTION_COUNT:
    case OPTION_CLANG:
    case OPTION_ALIAS:
    case OPTION_OFF: continue;
    }
    if (row->uses & FOR_CHECK && id != OPT_HELP) vec_push (&in->options, option);
  }
}

static const known_option *find_saved (const options *o, const char *name) {
  for (uint32_t id = 0; id < o->num_known; id++)
    if (o->known[id].row->uses & IS_SAVED && !strcmp (bare_name (o->known[id].row), name)) return &o->known[id];
  return NULL;
}

bool options_restore (options *o, const report_saved *saved) {
  for (uint32_t i = 0; i < saved->options.count; i++) {
    const report_option *r = &saved->options.data[i];
    const known_option *k = find_saved (o, r->name);
    bool is_off = r->kind == REPORT_BOOL && !r->number && k && (!k->initial || !*k->initial);
    if (!k || is_off || (r->kind == REPORT_TEXT && !r->text)) continue;
    const char *value =
        r->kind == REPORT_TEXT ? r->text : arena_printf (o->arena, "%llu", (unsigned long long) r->number);
    if (!options_set (o, k->row->name, value)) return false;
  }
  for (uint32_t i = 0; i < saved->files.count; i++) vec_push (&o->files, arena_strdup (o->arena, saved->files.data[i]));
  for (uint32_t i = 0; i < saved->clang_flags.count; i++)
    vec_push (&o->clang_flags, arena_strdup (o->arena, saved->clang_flags.data[i]));
  o->clang_flags_are_saved = true;
  return true;
}
