// `lockstep check`: loads the program, runs an engine within the budget, and reports.  If the run ends early (time,
// memory, Ctrl-C), everything found until then is reported; if one report cannot be written, the others are written
// nevertheless.
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "boolean/bp_program.h"
#include "engine/engine.h"
#include "logic/logic.h"
#include "main/main_impl.h"

typedef struct check {
  const options *options;
  budget budget;
  load_limits limits;
  semantics semantics;
  task task;
  uint32_t requested;  // properties, a bit set of 1 << ir_property
  ir_program *program;
  struct bp_program *boolean;  // source of the program; NULL: the source is C
  const engine *engine;
  verdict verdict;
  uint64_t hash;
  baseline baseline;
  bool diverged;       // a claim of the engine did not replay
  supervised *parent;  // connection to the supervising process; NULL: none
} check;

// ---- the engine ---------------------------------------------------------------------------------------

static bool is_engine (const char *name) {
  if (engine_find (name)) return true;
  strbuf names = {0};
  for (const engine *const *e = engine_registry; *e; e++)
    strbuf_printf (&names, "%s%s", e == engine_registry ? "" : ", ", (*e)->name);
  diag_error (NULL, 0, 0, "there is no engine `%s` in this version; there are: %s", name, strbuf_text (&names));
  strbuf_release (&names);
  return false;
}

// Returns the engine that does the work.  Only one engine decides formulas about threads, whatever --engine says.
static const engine *requested_engine (const options *o) {
  const char *ltl = o->value[OPT_LTL].text;
  const engine *const *e = engine_registry;
  if (!ltl || !ltl_is_of_threads (ltl)) return engine_find (o->value[OPT_ENGINE].text);
  while (*e && !((*e)->ways & WAY_THREADS)) e++;
  return *e;
}

static const engine *choose_engine (const check *c, const char **why_not) {
  const engine *e = requested_engine (c->options);
  return engine_applies (e, c->program, &c->task, why_not) ? e : NULL;
}

static void run_engine (void *state) {
  check *c = state;
  progress line;
  progress_start (&line, c->engine->name);
  engine_run run = {.program = c->program,
                    .task = &c->task,
                    .budget = &c->budget,
                    .verdict = &c->verdict,
                    .engine = c->engine->name,
                    .progress = line.terminal || diag_verbosity () > 0 ? progress_show : NULL,
                    .progress_state = &line,
                    .found = c->parent ? supervised_send_claim : NULL,
                    .found_state = c->parent};
  engine_work (c->engine, &run);
  c->diverged = run.parted != NULL;
  progress_end (&line);
}

static bool accepts_options (const check *c) {
  const engine *e = requested_engine (c->options);
  strbuf why = {0};
  bool good = !e->options_fit || e->options_fit (c->program, &c->task, &why);
  if (!good) diag_error (NULL, 0, 0, "%s", strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

static void load_checked_program (void *state) {
  check *c = state;
  c->program = load_program_from (c->options, &c->limits, &c->boolean);
  c->task.boolean = c->boolean;
  if (c->program && !accepts_options (c)) {
    ir_program_free (c->program);
    c->program = NULL;
  }
  if (c->program) c->hash = load_hash (c->program);
}

task load_task (const options *o, const semantics *s) {
  const option_setting *value = o->value;
  task t = {
      .semantics = *s,
      .depth = value[OPT_DEPTH].number,
      .mtx = value[OPT_MTX].number != 0,
      .certificate = value[OPT_CERTIFICATE].text != NULL,
      .jobs = value[OPT_JOBS].number,
      .stop_at_first = value[OPT_STOP_AT_FIRST].number != 0,
      .exhaustive = value[OPT_EXHAUSTIVE].number != 0,
      .ltl = value[OPT_LTL].text,
      .fair = value[OPT_FAIR].number != 0,
  };
  options_pass_to_engines (o, &t);
  return t;
}

// ---- the verdict --------------------------------------------------------------------------------------

static void stop_check (check *c, const reason *why) { verdict_stop (&c->verdict, why); }

static const reason *memory_reason (const check *c) {
  const reason *spent = reason_of_budget (c->verdict.arena, &c->budget);
  return reason_kind_of (spent) == REASON_MEMORY ? spent : &reason_out_of_memory;
}

// Gives each requested property an answer.  A bug that was found counts however the run ended.
static void settle_answers (check *c) {
  verdict *v = &c->verdict;
  verdict_settle (v, c->requested);
  verdict_leave_open (v, c->requested, c->engine ? c->engine->name : "none", v->reason);
}

static int check_exit_code (const check *c) {
  static const int codes[] = {EXIT_BUG, EXIT_SAFE, EXIT_BOUNDED, EXIT_UNKNOWN};
  return c->diverged && c->verdict.kind != VERDICT_BUG ? EXIT_INTERNAL : codes[c->verdict.kind];
}

// Reports the engines that `auto` does not start because they would ignore a bound that the user gave.
static void note_not_started (check *c) {
  strbuf names = {0};
  for (uint32_t k = 0; k < c->task.num_not_started; k++)
    strbuf_printf (&names, "%s%s", k ? ", " : "", c->task.not_started[k]->name);
  if (names.count)
    verdict_add_note (&c->verdict, "not started, because they would ignore a bound that was given: %s",
                      strbuf_text (&names));
  strbuf_release (&names);
}

// Starts the verdict with facts about the program, and chooses the engine.  False: no engine can work on the program.
static bool prepare_verdict (check *c) {
  verdict *v = &c->verdict;
  note_not_started (c);
  for (uint32_t i = 0; i < c->program->assumptions.count; i++)
    verdict_add_assumption (v, "%s", c->program->assumptions.data[i]);
  for (uint32_t i = 0; i < c->program->gaps.count; i++) verdict_add_bound (v, "%s", c->program->gaps.data[i]);
  const char *why_not = NULL;
  verdict_watch (v, c->program);
  c->engine = choose_engine (c, &why_not);
  if (!c->engine)
    stop_check (c, reason_new (v->arena, REASON_ENGINE, why_not ? why_not : "no engine can work on this program"));
  return c->engine != NULL;
}

static void complete_coverage (check *c) {
  coverage_input in = {.verdict = &c->verdict,
                       .program = c->program,
                       .semantics = &c->semantics,
                       .requested = c->requested,
                       .budget = &c->budget,
                       .args_are_fixed = c->options->value[OPT_ARGS].text != NULL};
  coverage_complete (&in);
}

// ---- reports ------------------------------------------------------------------------------------------

static void make_input (check *c, report_input *in) {
  *in = (report_input){
      .version = LOCKSTEP_VERSION,
      .verdict = &c->verdict,
      .semantics = &c->semantics,
      .specification = c->options->specification,
      .exit_code = check_exit_code (c),
      .engine = c->engine ? c->engine->name : c->options->value[OPT_ENGINE].text,
      .language = load_language (c->options),
      .clang_flags = c->options->clang_flags,
      .given_files = c->options->files,
      .files = c->options->files,
      .baseline = c->options->value[OPT_BASELINE].text ? &c->baseline : NULL,
      .question = c->options->value[OPT_REACH_PAIR].text ? "reach-pair" : NULL,
      .depth = c->task.depth,
      .program_hash = c->hash,
      .memory_bytes = mem_peak_bytes (),
      .style = load_style (c->options, stdout),
  };
  if (!in->files.count && c->program) {  // -p: the files of the build directory
    in->files.data = c->program->files.data;
    in->files.count = c->program->files.count;
  }
  options_record (c->options, in);
}

// Reports that are written to a file of their own; some exist only if there is something to write.
static const struct {
  option_id option;
  report_writer *write;
  bool (*exists) (const report_input *, strbuf *why_not);
} report_files[] = {{OPT_JSON, report_json, NULL},
                    {OPT_LOCK_GRAPH, report_lock_graph, report_has_lock_graph},
                    {OPT_HTML, report_html, NULL},
                    {OPT_SARIF, report_sarif, NULL},
                    {OPT_WITNESS, report_witness, report_has_witness},
                    {OPT_CERTIFICATE, certificate_write, certificate_exists},
                    {OPT_WRITE_BASELINE, report_baseline, NULL}};
enum { NUM_REPORT_FILES = sizeof report_files / sizeof *report_files };

static bool goes_to_stdout (const options *o, option_id option) {
  return option == OPT_JSON && !strcmp (o->value[option].text, "-");
}

static bool write_file (const options *o, unsigned k, const report_input *in) {
  const char *path = o->value[report_files[k].option].text;
  if (!path || goes_to_stdout (o, report_files[k].option)) return true;
  strbuf why = {0};
  const char *name = common_options[report_files[k].option].name;
  bool exists = !report_files[k].exists || report_files[k].exists (in, &why), good = true;
  if (!exists) diag_warn ("%s: %s is not written: %s", name, path, strbuf_text (&why));
  else if (!(good = report_file_write (path, o->value[OPT_FORCE].number, report_files[k].write, in, &why)))
    diag_error (NULL, 0, 0, "%s: %s", name, strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

static bool write_reports (check *c) {
  report_input in;
  make_input (c, &in);
  supervised_enter_writing (c->parent);
  if (c->options->value[OPT_JSON].text && goes_to_stdout (c->options, OPT_JSON)) report_json (&in, stdout);
  else report_text (&in, stdout);
  bool good = stdout_finish ();
  for (unsigned k = 0; k < NUM_REPORT_FILES; k++) good &= write_file (c->options, k, &in);
  vec_release (&in.options);
  return good;
}

static bool formula_error (const char *why, const char *what) {
  diag_error (NULL, 0, 0, why, what);
  return false;
}

// Appends "engine `locks`" or "engines `explicit` and `circuit`".
static void print_engines_for (engine_way way, strbuf *out) {
  strbuf names = {0};
  uint32_t count = 0;
  for (const engine *const *e = engine_registry; *e; e++)
    if ((*e)->ways & way && !(*e)->starts) strbuf_printf (&names, "%s`%s`", count++ ? " and " : "", (*e)->name);
  strbuf_printf (out, "engine%s %s", count == 1 ? "" : "s", strbuf_text (&names));
  strbuf_release (&names);
}

static bool formula_has_engine (const options *o, bool of_threads) {
  engine_way way = of_threads ? WAY_THREADS : WAY_FORMULA;
  const engine *e = engine_find (o->value[OPT_ENGINE].text);
  if (e->starts || e->ways & way) return true;
  strbuf whom = {0};
  print_engines_for (way, &whom);
  diag_error (NULL, 0, 0, "--ltl is decided by the %s if it is about %s, not by `%s`", strbuf_text (&whom),
              of_threads ? "threads (A ..., E ...)" : "the program", e->name);
  strbuf_release (&whom);
  return false;
}

// A formula about the program needs complete runs: --depth would cut them.
static bool formula_has_complete_runs (const options *o, bool of_threads) {
  if (of_threads) return true;
  if (o->value[OPT_DEPTH].number) return formula_error ("--ltl about the program does not go with %s", "--depth");
  return true;
}

static bool formula_parses (const char *text, bool of_threads) {
  ltl_pool *pool = ltl_pool_new ();
  ltl_property property;
  ltl formula;
  ltl_error error;
  strbuf shown = {0};
  bool good = of_threads ? ltl_parse (pool, text, &property, &error) : ltl_parse_program (pool, text, &formula, &error);
  if (!good) ltl_error_show (text, &error, &shown);
  if (!good) diag_error (NULL, 0, 0, "--ltl: %s", strbuf_text (&shown));
  strbuf_release (&shown);
  ltl_pool_free (pool);
  return good;
}

static bool formula_is_possible (const options *o) {
  const char *text = o->value[OPT_LTL].text;
  bool of_threads = text && ltl_is_of_threads (text);
  if (o->value[OPT_FAIR].number && (!text || of_threads))
    return formula_error ("--fair needs a formula about the whole program: %s", "--ltl='G(request -> F granted)'");
  if (!text) return true;
  if (o->value[OPT_REACH_PAIR].text) return formula_error ("--ltl and --reach-pair are two questions: ask %s", "one");
  return formula_has_engine (o, of_threads) && formula_has_complete_runs (o, of_threads) &&
         formula_parses (text, of_threads);
}

// Reads the baseline before the work starts, so that a bad file is reported at once.
static bool read_baseline (check *c) {
  const char *path = c->options->value[OPT_BASELINE].text;
  strbuf why = {0};
  bool good = !path || baseline_load (&c->baseline, path, &why);
  if (!good && !budget_interrupted ()) diag_error (NULL, 0, 0, "--baseline: %s", strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

static int conclude_check (check *c) {
  const options *o = c->options;
  settle_answers (c);
  if (c->program) complete_coverage (c);
  certificate_complete (&c->verdict, o, c->hash);
  if (o->value[OPT_BASELINE].text) baseline_apply (&c->baseline, &c->verdict, c->requested);
  verdict_sum_up (&c->verdict, c->requested, o->value[OPT_REACH_PAIR].text ? "pair" : NULL);
  verdict_note_limits (&c->verdict);
  c->verdict.seconds = budget_elapsed (&c->budget);
  return write_reports (c) ? check_exit_code (c) : EXIT_USAGE;
}

// Reading reports in words why it stopped.  If the budget was the cause, the budget's reason is more precise.
static const reason *reading_reason (const check *c, const char *words) {
  const reason *spent = reason_of_budget (c->verdict.arena, &c->budget);
  return spent ? spent : reason_new (c->verdict.arena, REASON_ENGINE, words);
}

// Ends the command from the deadline thread while the main thread is stuck in reading files.  `state` is a copy of the
// check from before reading.
static void end_while_reading (void *state, const char *why) {
  check *c = state;
  stop_check (c, reading_reason (c, why));
  int code = conclude_check (c);
  fflush (NULL);
  _exit (code);
}

// Reads the baseline and the program.  False: there is neither a program nor a reason in the verdict.
static bool read_files (check *c) {
  check before = *c;
  before.baseline.path = c->options->value[OPT_BASELINE].text;
  deadline_thread *w = deadline_thread_start (&c->budget, end_while_reading, &before);
  bool good = read_baseline (c), finished = good && run_catching_out_of_memory (load_checked_program, c);
  deadline_thread_stop (w);
  const char *stopped = c->limits.stopped.count ? strbuf_text (&c->limits.stopped) : NULL;
  if (good && !finished) stop_check (c, memory_reason (c));
  else if (good && !c->program && stopped) stop_check (c, reading_reason (c, stopped));
  else if (!c->program && budget_interrupted ()) stop_check (c, reason_of_budget (c->verdict.arena, &c->budget));
  return c->program || c->verdict.stop;
}

// Reports for the process of the engine, which was ended: confirms its claims once more.
static void report_for_child (check *c, supervised *child, const reason *why) {
  engine_run run = {
      .program = c->program, .task = &c->task, .budget = &c->budget, .verdict = &c->verdict, .engine = c->engine->name};
  c->diverged = why->kind == REASON_INTERNAL;
  diag_warn ("engine %s was ended: %s; what it had found is kept", c->engine->name, why->text);
  stop_check (c, why);
  supervised_report_claims (child, &run);
}

// Ends the child without freeing memory: that takes seconds for a large program.  (With a sanitizer memory is freed.)
static int end_child (int code) {
#ifndef __SANITIZE_ADDRESS__
  fflush (NULL);
  _exit (code);
#endif
  return code;
}

static int run_supervised (check *c) {
  supervision s;
  supervised *connection = supervise (&c->budget, c->verdict.arena, &s);
  c->parent = s.is_child ? connection : NULL;
  int code = s.code;
  if (s.is_child) {
    if (connection) c->budget.seconds -= supervised_margin (&c->budget);
#ifndef __SANITIZE_ADDRESS__
    if (connection) budget_ends_process (&c->budget);
#endif
    if (!run_catching_out_of_memory (run_engine, c)) stop_check (c, memory_reason (c));
    supervised_enter_reporting (connection);
    code = conclude_check (c);
    if (connection) code = end_child (code);
  } else if (s.why && s.has_written) {
    diag_error (NULL, 0, 0, "the reports were not written to the end: %s", s.why->text);
    code = EXIT_USAGE;
  } else if (s.why) {
    report_for_child (c, connection, s.why);
    code = conclude_check (c);
  }
  supervised_free (connection);
  return code;
}

int command_check (const options *o, double start) {
  if (!is_engine (o->value[OPT_ENGINE].text) || !formula_is_possible (o) || !outputs_are_possible (o))
    return EXIT_USAGE;
  check c = {.options = o, .semantics = load_semantics (o)};
  c.task = load_task (o, &c.semantics);
  if (!options_are_honoured (o, requested_engine (o), &c.task)) return EXIT_USAGE;
  if (o->value[OPT_LTL].text) c.semantics.properties = c.task.semantics.properties = 0;  // only the formula is checked
  c.requested = task_asks (&c.task);
  load_budget (o, start, &c.budget);
  c.limits.budget = &c.budget;
  verdict_init (&c.verdict);
  int code = EXIT_USAGE;
  if (read_files (&c)) code = !c.verdict.stop && prepare_verdict (&c) ? run_supervised (&c) : conclude_check (&c);
  strbuf_release (&c.limits.stopped);
  verdict_release (&c.verdict);
  baseline_release (&c.baseline);
  if (c.program) ir_program_free (c.program);
  if (c.boolean) bp_program_free (c.boolean);
  return code;
}
