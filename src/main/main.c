// The main function: finds the command, parses its options, returns its exit code.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/process.h"
#include "main/main_impl.h"

static const command *find_command (const char *name) {
  for (int i = 0; i < NUM_COMMANDS; i++)
    if (!strcmp (name, command_table[i].name)) return &command_table[i];
  return NULL;
}

static bool has_source_suffix (const char *word) {
  const char *dot = strrchr (word, '.');
  return dot && (!strcmp (dot, ".c") || !strcmp (dot, ".i") || !strcmp (dot, ".ll") || !strcmp (dot, ".bc") ||
                 !strcmp (dot, ".bp"));
}

static int unknown_command (const char *word) {
  const char *names[NUM_COMMANDS + 1] = {"help"};
  for (int i = 0; i < NUM_COMMANDS; i++) names[i + 1] = command_table[i].name;
  const char *near = nearest_word (word, names, NUM_COMMANDS + 1);
  if (has_source_suffix (word))
    diag_error (NULL, 0, 0, "`%s` is no command; did you mean `lockstep check %s`?", word, word);
  else if (near) diag_error (NULL, 0, 0, "unknown command `%s`; did you mean `lockstep %s`?", word, near);
  else if (*word == '-') diag_error (NULL, 0, 0, "the command comes first: lockstep check %s ...", word);
  else diag_error (NULL, 0, 0, "unknown command `%s`; `lockstep help` lists them", word);
  return EXIT_USAGE;
}

static int run_command (const command *c, int argc, char **argv, double start) {
  options o;
  if (c->use != FOR_REPLAY)
    budget_catch_interrupts ();  // property files are read with the options; `replay` may wait for the user
  options_init (&o, c->use);
  int code = EXIT_USAGE;
  if (options_parse (&o, argc, argv)) {
    if (o.value[OPT_HELP].number) {
      help_command (c, stdout);
      code = stdout_finish () ? 0 : EXIT_USAGE;
    } else {
      diag_set_verbosity (o.value[OPT_QUIET].number ? -1 : (int) o.value[OPT_VERBOSE].number);
      code = c->run (&o, start);
    }
  } else if (o.stopped.count) {
    if (c->use == FOR_CHECK) printf ("VERDICT: UNKNOWN (%s)\n", strbuf_text (&o.stopped));
    code = stdout_finish () ? EXIT_UNKNOWN : EXIT_USAGE;
  }
  options_release (&o);
  return code;
}

int main (int argc, char **argv) {
  double start = budget_now ();
  process_begin ();
  json_memory_count ();
  limits_share ();
  signal (SIGXFSZ, SIG_IGN);  // a report beyond the limit for files is an error of write (), as a full disk is
  diag_set_command_line (argc, argv);
  if (argc < 2) {
    help_usage (stderr);
    return EXIT_USAGE;
  }
  const char *word = argv[1];
  if (!strcmp (word, "--version")) {
    printf ("lockstep %s\n", LOCKSTEP_VERSION);
    return stdout_finish () ? 0 : EXIT_USAGE;
  }
  if (!strcmp (word, "help") || !strcmp (word, "--help") || !strcmp (word, "-h"))
    return help_topic (argc > 2 ? argv[2] : NULL);
  const command *c = find_command (word);
  return c ? run_command (c, argc - 2, argv + 2, start) : unknown_command (word);
}
