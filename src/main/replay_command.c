// `lockstep replay`: executes the schedules of a JSON report again on the program and shows them step by step.  The
// program is loaded with the options that the report has recorded; its hash shows whether it is still the same.
#include <string.h>

#include "base/diag.h"
#include "main/main_impl.h"

static bool claim_fits (const claim *c, const ir_program *program) {
  for (uint32_t i = 0; i < c->num_threads; i++)
    if (c->edge[i].i >= program->edges.count) return false;
  return true;
}

typedef struct replay_command {
  const options *options;  // options of this command line
  const char *path;
  const budget *budget;
  report_saved saved;
  options loaded;  // recorded options
  ir_program *program;
  verdict verdict;
  bool found;   // one of the violations is unconditional
  bool enough;  // the user has seen enough: only check the remaining violations
} replay_command;

void replay_show (const options *o, const verdict *v, const goal *g, bool *enough) {
  report_style style = load_style (o, stdout);
  style.quiet |= *enough;
  report_goal (g, &style, stdout);
  if (!style.quiet) {
    putchar ('\n');
    if (o->value[OPT_STEP].number) *enough = !replay_step (g, &style);
    else report_trace (g, &style, stdout);
    if (style.explain) report_explanation (v, g, &style, stdout);
    putchar ('\n');
  }
  if (g->conditions.count) report_conditions (g, stdout);
  puts (g->conditions.count ? "replayed: the violation shows on these conditions"
                            : "replayed: the violation is confirmed");
  if (!style.quiet) putchar ('\n');
}

static bool confirm_saved_run (replay_command *r, const report_saved_goal *saved, const semantics *s, goal *g,
                               const char **why) {
  const char *text = r->loaded.value[OPT_LTL].text;
  temporal formula;
  ltl_error error;
  *why = "the report does not say which formula it breaks";
  if (!text || ltl_is_of_threads (text)) return false;
  bool good = temporal_init (&formula, r->program, text, &error);
  if (good)
    good = verdict_confirm_run (&r->verdict, r->program, s, &formula, r->loaded.value[OPT_FAIR].number != 0,
                                &saved->claim, g, why);
  else *why = arena_strdup (r->verdict.arena, error.message);
  temporal_release (&formula);
  return good;
}

static bool confirm_saved_goal (replay_command *r, const report_saved_goal *saved, const semantics *s, goal *g,
                                const char **why) {
  if (saved->claim.is_run) return confirm_saved_run (r, saved, s, g, why);
  *why = "it speaks of edges the program does not have";
  return claim_fits (&g->claim, r->program) && verdict_confirm (&r->verdict, r->program, s, &g->claim, g, why);
}

static bool replay_goal (replay_command *r, const report_saved_goal *saved) {
  semantics s = load_semantics (&r->loaded);
  if (saved->claim.is_run) s.properties = 0;  // as in the check that found it
  goal g = {.id = saved->id, .property = saved->claim.property, .status = GOAL_VIOLATED, .engine = "replay"};
  const char *why = NULL;
  g.claim = saved->claim;
  bool good = confirm_saved_goal (r, saved, &s, &g, &why);
  g.claim.schedule = (schedule){0};  // the saved goal owns the schedule
  vec_push (&r->verdict.goals, g);
  if (!good) {
    diag_error (NULL, 0, 0, "%s: %s does not replay: %s", r->path, saved->id,
                why ? why : "the violation does not show");
    return false;
  }
  if (g.conditions.count) vec_last (&r->verdict.goals).status = GOAL_CONDITIONAL;
  r->found |= !g.conditions.count;
  replay_show (r->options, &r->verdict, &g, &r->enough);
  return true;
}

static int replay_goals (replay_command *r) {
  const char *only = r->options->value[OPT_GOAL].text;
  unsigned replayed = 0, confirmed = 0, skipped = 0;
  for (uint32_t i = 0; i < r->saved.goals.count; i++) {
    const report_saved_goal *g = &r->saved.goals.data[i];
    if (only && strcmp (only, g->id)) continue;
    if (!g->has_claim) {
      if (!skipped++ || only)
        printf ("%s is skipped: it was found without an execution, so there is none to replay\n", g->id);
      continue;
    }
    replayed++;
    confirmed += replay_goal (r, g);
  }
  if (skipped > 1) printf ("%u more are skipped for the same reason\n", skipped - 1);
  if (!replayed && skipped) {
    printf ("VERDICT: UNKNOWN (nothing to replay)\n");
    return stdout_finish () ? EXIT_UNKNOWN : EXIT_USAGE;
  }
  if (!replayed && only) diag_error (NULL, 0, 0, "%s: there is no violation `%s` in it", r->path, only);
  else if (!replayed) diag_error (NULL, 0, 0, "%s: the report holds no violation to replay", r->path);
  bool conditional = confirmed && !r->found;
  if (conditional) printf ("VERDICT: NO BUG WITHIN BOUNDS (%s)\n", verdict_conditional_reason (&r->verdict));
  else if (confirmed) printf ("VERDICT: BUG\n");
  bool written = stdout_finish ();
  return replayed && confirmed == replayed && written ? (conditional ? EXIT_BOUNDED : EXIT_BUG) : EXIT_USAGE;
}

static int replay_loaded (replay_command *r) {
  if (!options_restore (&r->loaded, &r->saved)) {
    diag_error (NULL, 0, 0, "%s: its \"options\" cannot be used", r->path);
    return EXIT_USAGE;
  }
  r->loaded.value[OPT_TRUST_FLAGS] = r->options->value[OPT_TRUST_FLAGS];
  load_limits limits = {.budget = r->budget};
  r->program = load_program (&r->loaded, &limits);
  bool stopped = load_report_stop (&limits);
  if (stopped) return stdout_finish () ? EXIT_UNKNOWN : EXIT_USAGE;
  if (!r->program) return EXIT_USAGE;
  if (load_hash (r->program) != r->saved.program_hash) {
    diag_error (NULL, 0, 0, "%s: the source has changed since this report was written (by lockstep %s); check it again",
                r->path, r->saved.version);
    return EXIT_USAGE;
  }
  return replay_goals (r);
}

// A witness for a circuit is about one violation without a name, so --goal has no meaning.
static bool options_fit_circuit (const options *o) {
  static const option_id known[] = {OPT_AIGER,       OPT_TIMEOUT, OPT_MEMORY, OPT_EXPLAIN,  OPT_FULL_TRACE, OPT_STEP,
                                    OPT_TRUST_FLAGS, OPT_VERBOSE, OPT_QUIET,  OPT_NO_COLOR, NUM_OPTIONS};
  return options_are_only (o, "--aiger", known);
}

static int replay_file (const options *o, const budget *budget) {
  bool of_circuit = o->value[OPT_AIGER].text;
  if (o->files.count != 1) {
    diag_error (NULL, 0, 0, "replay needs one file: %s",
                of_circuit ? "a witness for the circuit" : "a report written by `lockstep check --json=FILE`");
    return EXIT_USAGE;
  }
  if (of_circuit) return options_fit_circuit (o) ? replay_circuit (o, budget) : EXIT_USAGE;
  replay_command r = {.options = o, .path = o->files.data[0], .budget = budget};
  strbuf why = {0};
  options_init (&r.loaded, FOR_CHECK);
  verdict_init (&r.verdict);
  int code = EXIT_USAGE;
  if (report_saved_load (&r.saved, r.path, &why)) code = replay_loaded (&r);
  else diag_error (NULL, 0, 0, "%s: %s", r.path, strbuf_text (&why));
  strbuf_release (&why);
  report_saved_release (&r.saved);
  verdict_release (&r.verdict);
  options_release (&r.loaded);
  if (r.program) ir_program_free (r.program);
  return code;
}

// Executing a schedule does not check the budget, so the deadline thread does.
int command_replay (const options *o, double start) {
  budget budget;
  load_budget (o, start, &budget);
  if (!o->value[OPT_STEP].number) budget_catch_interrupts ();
  deadline_thread *w =
      o->value[OPT_STEP].number ? NULL : deadline_thread_start (&budget, deadline_end_command, (void *) o);
  int code = replay_file (o, &budget);
  deadline_thread_stop (w);
  return code;
}
