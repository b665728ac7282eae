// Prints help: the overview, the options of a command from the table, the topics of help_topics.c.
#include <string.h>

#include "base/diag.h"
#include "engine/engine.h"
#include "main/main_impl.h"

enum { TEXT_COLUMN = 26, PAGE = 100 };

void help_usage (FILE *out) {
  fputs ("usage:\n", out);
  for (int i = 0; i < NUM_COMMANDS; i++)
    fprintf (out, "  lockstep %-42s %s\n", command_table[i].usage, command_table[i].summary);
  fprintf (out, "  lockstep %-42s %s\n  lockstep --version\n", "help [COMMAND|TOPIC]", "explain");
}

// Prints the text from the current column on, broken at blanks.
static void print_option_text (FILE *out, const char *text) {
  int column = TEXT_COLUMN;
  while (*text) {
    int length = (int) strcspn (text, " ");
    if (column > TEXT_COLUMN && column + 1 + length > PAGE)
      fprintf (out, "\n%*s", TEXT_COLUMN, ""), column = TEXT_COLUMN;
    else if (column > TEXT_COLUMN) fputc (' ', out), column++;
    fprintf (out, "%.*s", length, text);
    column += length;
    text += length;
    text += strspn (text, " ");
  }
  fputc ('\n', out);
}

void help_option_title (const option_row *row, char *text, size_t size) {
  bool joined = !*row->argument || row->kind == OPTION_ALIAS || *row->argument == '[';
  const char *joint = joined ? "" : row->name[1] == '-' ? "=" : *row->argument == '=' ? "" : " ";
  snprintf (text, size, "%s%s%s", row->name, joint, row->argument);
}

bool help_shows_initial (const known_option *k) {
  option_kind kind = k->row->kind;
  return k->initial && *k->initial && strcmp (k->initial, "0") && kind != OPTION_ALIAS && kind != OPTION_FLAG &&
         kind != OPTION_OFF;
}

static void print_option_help (FILE *out, const known_option *k) {
  const option_row *row = k->row;
  char name[80], text[500];
  strbuf whom = {0};
  if (options_depend_on_engine (k)) options_print_ways (k, true, &whom);
  help_option_title (row, name, sizeof name);
  fprintf (out, "  %-*s", TEXT_COLUMN - 2, name);
  if (strlen (name) > TEXT_COLUMN - 3) fprintf (out, "\n%*s", TEXT_COLUMN, "");
  int used = snprintf (text, sizeof text, help_shows_initial (k) ? "%s [%s]" : "%s", row->help, k->initial);
  if (whom.count) snprintf (text + used, sizeof text - (size_t) used, " (for %s)", strbuf_text (&whom));
  strbuf_release (&whom);
  print_option_text (out, text);
}

void options_print_help (option_use command, FILE *out) {
  options o;
  options_init (&o, command);
  for (uint32_t id = 0; id < o.num_known; id++)
    if (o.known[id].row->uses & command) print_option_help (out, &o.known[id]);
  options_release (&o);
  if (command != FOR_REPLAY)
    fprintf (out, "  %-*s%s\n", TEXT_COLUMN - 2, "-- FLAGS...", "all words after it are passed to clang");
}

void help_command (const command *c, FILE *out) {
  fprintf (out, "lockstep %s\n  %s\n\noptions [initial value]:\n", c->usage, c->summary);
  options_print_help (c->use, out);
}

static void print_overview (FILE *out) {
  fputs ("lockstep finds data races, deadlocks, failed assertions, lock misuse and memory errors in multi-threaded C,\n"
         "shows the interleaving that leads to each, and proves that there are none where it can.\n\n",
         out);
  help_usage (out);
  fputs ("\ntopics:\n", out);
  for (const help_page *p = help_pages; p->topic; p++) fprintf (out, "  %-12s %s\n", p->topic, p->summary);
  fputs ("\n`lockstep help table` gives commands, topics and options to other programs, one per line.\n", out);
}

static void print_engine_list (FILE *out) {
  fputs ("\nEngines of this version:\n", out);
  for (const engine *const *e = engine_registry; *e; e++) fprintf (out, "  %-12s %s\n", (*e)->name, (*e)->summary);
}

static void print_page (const help_page *page, FILE *out) {
  fputs (page->text, out);
  if (!strcmp (page->topic, "engines")) print_engine_list (out);
  if (strcmp (page->topic, "options")) return;
  for (int i = 0; i < NUM_COMMANDS; i++) {
    fprintf (out, "\n%s:\n", command_table[i].name);
    options_print_help (command_table[i].use, out);
  }
}

static int unknown_topic (const char *topic) {
  const char *names[64];
  size_t count = 0;
  for (int i = 0; i < NUM_COMMANDS; i++) names[count++] = command_table[i].name;
  for (const help_page *p = help_pages; p->topic && count < 64; p++) names[count++] = p->topic;
  const char *near = nearest_word (topic, names, count);
  if (near) diag_error (NULL, 0, 0, "there is no help on `%s`; did you mean `lockstep help %s`?", topic, near);
  else diag_error (NULL, 0, 0, "there is no help on `%s`; `lockstep help` lists the topics", topic);
  return EXIT_USAGE;
}

int help_topic (const char *topic) {
  if (!topic) print_overview (stdout);
  else if (!strcmp (topic, "table")) help_table (stdout);
  else {
    const command *c = NULL;
    const help_page *page = help_pages;
    for (int i = 0; i < NUM_COMMANDS; i++)
      if (!strcmp (command_table[i].name, topic)) c = &command_table[i];
    while (page->topic && strcmp (page->topic, topic)) page++;
    if (c) help_command (c, stdout);
    else if (page->topic) print_page (page, stdout);
    else return unknown_topic (topic);
  }
  return stdout_finish () ? 0 : EXIT_USAGE;
}
