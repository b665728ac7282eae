// `lockstep help table`: commands, topics and options for other programs, so that the shells' completions
// (completions/) and the man page (tools/make-man) cannot go stale.  One per line, fields separated by tabs:
//
//   command  NAME  USAGE  SUMMARY
//   topic    NAME  SUMMARY
//   option   NAME  TITLE  COMMANDS  VALUES  HELP  INITIAL  WAYS
//   way      NAME  ENGINE  WHEN
//
// COMMANDS is a list with commas; VALUES is `none`, `any`, `file`, `directory`, or words with blanks between them;
// INITIAL may be empty. WAYS are the ways of `check` that honour the option, a list with commas: `*` is all of them,
// and nothing means that it is no option of `check`. The name of a way begins with the engine: `circuit`, and
// `circuit+ltl` for formulas.
#include <string.h>

#include "engine/engine.h"
#include "main/main_impl.h"

static void print_commands (const option_row *row, FILE *out) {
  const char *separator = "";
  for (int k = 0; k < NUM_COMMANDS; k++) {
    if (!(row->uses & command_table[k].use)) continue;
    fprintf (out, "%s%s", separator, command_table[k].name);
    separator = ",";
  }
}

static void print_choices (const char *choices, FILE *out) {
  for (const char *c = choices; *c; c++) fputc (*c == '|' ? ' ' : *c, out);
}

static void print_engine_names (FILE *out) {
  for (const engine *const *e = engine_registry; *e; e++)
    fprintf (out, "%s%s", e == engine_registry ? "" : " ", (*e)->name);
}

static void print_properties (FILE *out) {
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++) fprintf (out, "%s ", ir_property_name[p]);
  fputs ("all", out);
}

static void print_values (uint32_t id, const option_row *row, FILE *out) {
  if (!*row->argument || row->kind == OPTION_ALIAS || row->kind == OPTION_OFF) fputs ("none", out);
  else if (id == OPT_ENGINE) print_engine_names (out);
  else if (row->kind == OPTION_PROPERTY) print_properties (out);
  else if (row->kind == OPTION_CHOICE || row->kind == OPTION_SWITCH) print_choices (row->argument, out);
  else if (!strcmp (row->argument, "FILE")) fputs ("file", out);
  else if (!strcmp (row->argument, "DIR")) fputs ("directory", out);
  else fputs ("any", out);
}

static void print_option_line (const options *o, uint32_t id, FILE *out) {
  const known_option *k = &o->known[id];
  const option_row *row = k->row;
  char title[80];
  help_option_title (row, title, sizeof title);
  fprintf (out, "option\t%s\t%s\t", row->name, title);
  print_commands (row, out);
  fputc ('\t', out);
  print_values (id, row, out);
  fprintf (out, "\t%s\t%s\t", row->help, help_shows_initial (k) ? k->initial : "");
  options_print_way_names (k, out);
  fputc ('\n', out);
}

void help_table (FILE *out) {
  options o;
  options_init (&o, FOR_CHECK);
  for (int k = 0; k < NUM_COMMANDS; k++)
    fprintf (out, "command\t%s\t%s\t%s\n", command_table[k].name, command_table[k].usage, command_table[k].summary);
  for (const help_page *p = help_pages; p->topic; p++) fprintf (out, "topic\t%s\t%s\n", p->topic, p->summary);
  for (uint32_t id = 0; id < o.num_known; id++) print_option_line (&o, id, out);
  options_print_way_table (out);
  options_release (&o);
}
