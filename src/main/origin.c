// The origin of a circuit: lines in the comment of its file, from which `replay` makes the circuit again:
//
//   lockstep 0.2.0
//   program 0123456789abcdef
//   option --property=assert,race
//   flag -DSIZE=3
//   file worker.c
//
// The lines record the given options that are saved (IS_SAVED): they determine the circuit.
#include <stdlib.h>
#include <string.h>

#include "main/main_impl.h"

static bool decides_circuit (const option_row *row) { return row->uses & IS_SAVED && row->uses & FOR_CIRCUIT; }

static void print_origin_option (const option_row *row, const option_setting *s, strbuf *out) {
  strbuf_printf (out, "\noption %s", row->name);
  if (s->text) strbuf_printf (out, "=%s", s->text);
  else if (row->kind != OPTION_FLAG || !s->number) strbuf_printf (out, "=%llu", (unsigned long long) s->number);
}

void origin_print (const options *o, uint64_t program_hash, strbuf *out) {
  strbuf_printf (out, "lockstep %s\nprogram %016llx", LOCKSTEP_VERSION, (unsigned long long) program_hash);
  for (uint32_t id = 0; id < o->num_known; id++)
    if (o->value[id].given && decides_circuit (o->known[id].row))
      print_origin_option (o->known[id].row, &o->value[id], out);
  for (uint32_t k = 0; k < o->clang_flags.count; k++) strbuf_printf (out, "\nflag %s", o->clang_flags.data[k]);
  for (uint32_t k = 0; k < o->files.count; k++) strbuf_printf (out, "\nfile %s", o->files.data[k]);
}

// ---- reading -----------------------------------------------------------------------------------------

static bool is_recordable (const options *o, const char *name) {
  for (uint32_t id = 0; id < o->num_known; id++)
    if (!strcmp (o->known[id].row->name, name)) return decides_circuit (o->known[id].row);
  return false;
}

static bool read_option (options *o, char *text, strbuf *why) {
  char *value = strchr (text, '=');
  if (value) *value++ = 0;
  if (is_recordable (o, text)) return options_set (o, text, value ? value : "");
  strbuf_printf (why, "its comment has an option that `lockstep circuit` does not write: %s", text);
  return false;
}

// Reads a line: a word, a blank, and its value.
static bool read_origin_line (options *o, char *line, uint64_t *hash, strbuf *why) {
  char *rest = strchr (line, ' ');
  if (rest) *rest++ = 0;
  if (rest && !strcmp (line, "lockstep")) return true;
  if (rest && !strcmp (line, "program")) *hash = strtoull (rest, NULL, 16);
  else if (rest && !strcmp (line, "option")) return read_option (o, rest, why);
  else if (rest && !strcmp (line, "flag")) vec_push (&o->clang_flags, rest);
  else if (rest && !strcmp (line, "file")) vec_push (&o->files, rest);
  else {
    strbuf_printf (why, "its comment has a line that `lockstep circuit` does not write: %s", line);
    return false;
  }
  return true;
}

bool origin_read (const char *text, const options *given, options *loaded, uint64_t *program_hash, strbuf *why) {
  options_init (loaded, FOR_CIRCUIT);
  loaded->clang_flags_are_saved = true;
  loaded->value[OPT_TRUST_FLAGS] = given->value[OPT_TRUST_FLAGS];
  char *line = arena_strdup (loaded->arena, text);
  bool good = !strncmp (line, "lockstep ", strlen ("lockstep "));
  if (!good)
    strbuf_add (why, "it was not written by `lockstep circuit`: its comment does not say what it is made from");
  while (good && line && *line) {
    char *end = strchr (line, '\n');
    if (end) *end++ = 0;
    good = read_origin_line (loaded, line, program_hash, why);
    line = end;
  }
  return good;
}

ir_program *origin_load (const options *loaded, uint64_t program_hash, load_limits *limits, semantics *s,
                         bool *changed) {
  *s = load_semantics (loaded);
  ir_program *p = load_program (loaded, limits);
  *changed = p && load_hash (p) != program_hash;
  if (p && !*changed && circuit_choose_properties (loaded, p, s)) return p;
  if (p) ir_program_free (p);
  return NULL;
}
