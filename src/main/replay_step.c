// `lockstep replay --step`: steps forward and back through an interleaving, with commands from standard input.  A
// position is a number of executed steps; after the last one is the end, where the violation shows.  The display is
// computed from the steps up to the position, so going back costs nothing.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "main/main_impl.h"

enum { LANES = 6 /* rows of the chart */, CONTEXT = 2 /* source lines before and after */ };

typedef struct stepper {
  const goal *goal;
  report_style style;
  uint32_t steps;     // number of executed steps; the goal's last steps are the next ones of the threads
  uint32_t position;  // 1..steps + 1
} stepper;

static bool at_end (const stepper *s) { return s->position > s->steps; }
static uint32_t shown_steps (const stepper *s) { return at_end (s) ? s->goal->steps.count : s->position; }

// ---- display ----------------------------------------------------------------------------------------
static const trace_step *last_step_of_thread (const stepper *s, uint32_t thread) {
  for (uint32_t k = shown_steps (s); k-- > 0;)
    if (s->goal->steps.data[k].thread == thread) return &s->goal->steps.data[k];
  return NULL;
}

static void show_locks (const stepper *s, bool always) {
  bool any = false;
  for (uint32_t thread = 0; thread < IR_MAX_THREADS; thread++) {
    const trace_step *last = last_step_of_thread (s, thread);
    if (!last || !last->held.count) continue;
    printf ("%sthread %u {", any ? ", " : "locks held: ", thread);
    for (uint32_t k = 0; k < last->held.count; k++) printf ("%s%s", k ? ", " : "", last->held.data[k]);
    printf ("}");
    any = true;
  }
  if (any) putchar ('\n');
  else if (always) puts ("locks held: none");
}

static bool is_traced_access (const trace_step *step) {
  const ir_step_info *op = ir_step_of (step->op);
  return step->object && step->value && (op->reads || op->writes);
}

static void show_values (const stepper *s) {
  strmap variables = {0};
  uint32_t taken = at_end (s) ? s->steps : s->position;
  for (uint32_t k = 0; k < taken; k++)
    if (is_traced_access (&s->goal->steps.data[k]))
      *strmap_insert (&variables, s->goal->steps.data[k].object, k, NULL) = k;
  if (!variables.entries.count) puts ("no shared variable was accessed until here");
  for (uint32_t k = 0; k < variables.entries.count; k++) {
    const trace_step *step = &s->goal->steps.data[variables.entries.data[k].value];
    printf ("%s = %s  (step %u, thread %u)\n", step->object, step->left ? step->left : step->value, step->number,
            step->thread);
  }
  strmap_release (&variables);
}

static void show_end (const stepper *s) {
  const goal *g = s->goal;
  report_style title = s->style;
  title.quiet = true;
  printf ("\nthe end, after %u steps: ", s->steps);
  report_goal (g, &title, stdout);
  for (uint32_t k = 0; k < g->locations.count && k < g->claim.num_threads; k++)
    report_context (&s->style, g->locations.data[k].pos, CONTEXT, stdout);
}

static void show_position (const stepper *s) {
  uint32_t to = shown_steps (s), from = to > LANES ? to - LANES : 0;
  if (at_end (s)) show_end (s);
  else {
    const trace_step *step = &s->goal->steps.data[s->position - 1];
    printf ("\nstep %u of %u: thread %u in %s\n", s->position, s->steps, step->thread,
            step->function ? step->function : "?");
    report_context (&s->style, step->pos, CONTEXT, stdout);
  }
  putchar ('\n');
  report_trace_part (s->goal, &s->style, stdout, from, to);
  show_locks (s, false);
}

// ---- commands ---------------------------------------------------------------------------------------
static void show_commands (void) {
  puts ("Enter, n  next step             p    previous step       s    on to the next change of thread\n"
        "g N       go to step N          b    to the beginning    e    to the end\n"
        "v         values of variables   l    locks held          q    quit");
}

static void go_to_position (stepper *s, uint32_t position) {
  s->position = position < 1 ? 1 : position > s->steps + 1 ? s->steps + 1 : position;
  show_position (s);
}

static uint32_t next_switch (const stepper *s) {
  uint32_t k = s->position;
  while (k < s->steps && !s->goal->steps.data[k].switched) k++;
  return k + 1;
}

static void go_to_number (stepper *s, const char *word) {
  char *end;
  unsigned long number = strtoul (word, &end, 10);
  if (end == word || *end || number < 1 || number > s->steps + 1)
    printf ("there are the steps 1 to %u, and %u for the end\n", s->steps, s->steps + 1);
  else go_to_position (s, (uint32_t) number);
}

static void execute_step_command (stepper *s, const char *command) {
  const char *argument = command[0] ? command + 1 + strspn (command + 1, " ") : "";
  if (*command == 'g') {
    go_to_number (s, argument);
    return;
  }
  if (command[0] && command[1]) {
    printf ("unknown command `%s`; h lists them\n", command);
    return;
  }
  switch (*command) {
  case 0:
  case 'n': go_to_position (s, s->position + 1); break;
  case 'p': go_to_position (s, s->position - 1); break;
  case 's': go_to_position (s, next_switch (s)); break;
  case 'b': go_to_position (s, 1); break;
  case 'e': go_to_position (s, s->steps + 1); break;
  case 'v': show_values (s); break;
  case 'l': show_locks (s, true); break;
  case 'h': show_commands (); break;
  default: printf ("unknown command `%s`; h lists them\n", command);
  }
}

// Reads a line and removes blanks at its ends; false: end of input.
static bool read_command (char **line, size_t *size) {
  if (isatty (STDIN_FILENO)) fputs ("> ", stdout);
  fflush (stdout);
  ssize_t length = getline (line, size, stdin);
  if (length < 0) return false;
  while (length && strchr (" \t\r\n", (*line)[length - 1])) (*line)[--length] = 0;
  return true;
}

bool replay_step (const goal *g, const report_style *style) {
  stepper s = {.goal = g, .style = *style, .position = 1};
  s.steps = g->steps.count > g->claim.num_threads ? g->steps.count - g->claim.num_threads : 0;
  s.style.full_trace = true;
  show_commands ();
  show_position (&s);
  char *line = NULL;
  size_t size = 0;
  bool is_through = false;  // Enter at the end
  while (!is_through && read_command (&line, &size)) {
    const char *command = line + strspn (line, " \t");
    if (!strcmp (command, "q")) break;
    is_through = at_end (&s) && (!*command || !strcmp (command, "n"));
    if (!is_through) execute_step_command (&s, command);
  }
  free (line);
  return is_through;
}
