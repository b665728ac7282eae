// Proofs in files: `check --certificate=FILE` writes them, `circuit --check-certificate=FILE` checks them.  The
// checking process knows only the program and the file (docs/formats/certificate.md).
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "engine/circuit/circuit_busy_wait.h"
#include "engine/circuit/groups.h"
#include "engine/circuit/circuit_model.h"
#include "engine/circuit/circuit_proof.h"
#include "main/main_impl.h"

// ---- writing -------------------------------------------------------------------------------------------

void certificate_complete (verdict *v, const options *o, uint64_t program_hash) {
  if (!v->certificate) return;
  strbuf origin = {0};
  origin_print (o, program_hash, &origin);
  v->certificate = arena_printf (v->arena, "%s\n\n%s", strbuf_text (&origin), v->certificate);
  strbuf_release (&origin);
}

bool certificate_write (const report_input *in, FILE *out) { return fputs (in->verdict->certificate, out) >= 0; }

bool certificate_exists (const report_input *in, strbuf *why_not) {
  if (!in->verdict->certificate) strbuf_add (why_not, "there is no invariant that proves something");
  return in->verdict->certificate;
}

// ---- checking ------------------------------------------------------------------------------------------

typedef struct certificate_job {
  const options *options;  // options of this command line
  const char *path;
  strbuf text;
  const char *proofs;  // start of the proofs in the text
  options loaded;      // recorded options
  uint64_t hash;
  budget budget;
  semantics semantics;
  ir_program *program;
  verdict verdict;
  circuit_model model;
  uint32_t proved;  // bit set of bad states with a proof
  bool bad;         // a proof is wrong
  int code;         // exit code
} certificate_job;

static bool certificate_file_error (certificate_job *j, const char *why) {
  diag_error (NULL, 0, 0, "%s: %s", j->path, why);
  j->code = EXIT_USAGE;
  return false;
}

static bool read_certificate_origin (certificate_job *j) {
  strbuf why = {0};
  if (!strbuf_add_file (&j->text, j->path)) return certificate_file_error (j, strerror (errno));
  char *gap = strstr (strbuf_text (&j->text), "\n\n");
  if (gap) *gap = 0;
  j->proofs = gap ? gap + 2 : "";
  bool good = origin_read (strbuf_text (&j->text), j->options, &j->loaded, &j->hash, &why);
  if (!good) certificate_file_error (j, "it is no certificate that `lockstep check --certificate` wrote");
  strbuf_release (&why);
  return good;
}

static bool load_certified_program (certificate_job *j) {
  bool changed;
  load_limits limits = {.budget = &j->budget};
  j->program = origin_load (&j->loaded, j->hash, &limits, &j->semantics, &changed);
  bool stopped = load_report_stop (&limits);
  if (stopped) {
    j->code = stdout_finish () ? EXIT_UNKNOWN : EXIT_USAGE;
    return false;
  }
  if (changed)
    return certificate_file_error (j, "the source has changed since this certificate was written; check it again");
  return j->program;
}

static uint32_t find_bad (const netlist *n, const char *property) {
  for (uint32_t k = 0; k < n->bads.count; k++)
    if (!strcmp (n->bads.data[k].name, property)) return k;
  return IR_NONE;
}

static void check_certificate_proof (certificate_job *j, const char *property, const prove_certificate *c) {
  const netlist *n = circuit_written (&j->model);
  uint32_t bad = find_bad (n, property), clauses = 0;
  for (uint32_t k = 0; k < c->clauses.count; k++) clauses += !c->clauses.data[k];
  bool good = bad != IR_NONE && certificate_is_good (n, bad, c, &j->budget);
  if (good) {
    j->proved |= 1u << bad;
    printf ("%s: excluded by ", property);
    if (c->depth > 1) printf ("induction over %u steps, with ", c->depth);
    printf ("an invariant of %u clauses%s\n", clauses, c->graph.nodes.count ? " and a formula" : "");
    return;
  }
  const char *spent = budget_spent (&j->budget);
  printf ("%s: %s\n", property, spent ? spent : bad == IR_NONE ? "was not requested" : "the invariant proves nothing");
  j->bad |= !spent;
}

// Returns whether each bad state of the group has a proof, or is constantly false in the circuit and so needs none.
static bool is_complete (const certificate_job *j, circuit_group g) {
  const netlist *n = circuit_written (&j->model);
  bool complete = true;
  for (uint32_t k = 0; k < n->bads.count; k++) {
    ir_property p = circuit_property (&j->model, k);
    bool is_of_group = p == IR_NUM_PROPERTIES || (g.settles >> p & 1);
    if (!is_of_group || (j->proved >> k & 1)) continue;
    bool never = n->bads.data[k].holds.i == AIG_FALSE.i;
    printf ("%s: %s\n", n->bads.data[k].name, never ? "cannot be, by the form of the circuit" : "there is no proof");
    complete &= never;
  }
  return complete;
}

// A program in which a thread may wait busily for ever is not called free of deadlocks (circuit_busy_wait.h).
static bool excludes_busy_waiting (certificate_job *j, circuit_group g) {
  bool requested = g.settles >> IR_P_DEADLOCK & 1;
  if (!requested || system_busy_wait_step (&j->model.system, &j->budget) == IR_NONE) return true;
  printf ("deadlock: threads may wait busily for ever\n");
  return false;
}

// Appends the proofs about one circuit: the text from its name to the name of the next circuit.
static void find_proofs (const certificate_job *j, circuit_group g, strbuf *out) {
  strbuf name = {0};
  proof_print_circuit (g.properties, &name);
  const char *text = strstr (j->proofs, strbuf_text (&name));
  if (text) {
    text += name.count;
    const char *end = strstr (text, "\ncircuit ");
    strbuf_add_bytes (out, text, end ? (size_t) (end + 1 - text) : strlen (text));
  }
  strbuf_release (&name);
}

static bool check_group (certificate_job *j, circuit_group g) {
  strbuf text = {0}, why = {0};
  find_proofs (j, g, &text);
  proof_reader r = {.text = strbuf_text (&text)};
  prove_certificate c;
  j->proved = 0;
  while (proof_read (&r, circuit_written (&j->model), &c, &why)) {
    check_certificate_proof (j, strbuf_text (&r.property), &c);
    proof_release (&c);
  }
  if (why.count) {
    diag_error (NULL, 0, 0, "%s: in the proofs, %s", j->path, strbuf_text (&why));
    j->bad = true;
  }
  bool complete = is_complete (j, g) && excludes_busy_waiting (j, g) && !j->bad;
  strbuf_release (&why);
  strbuf_release (&text);
  strbuf_release (&r.property);
  return complete;
}

static void print_certificate_verdict (certificate_job *j, bool complete) {
  bool gaps = j->program->gaps.count;
  printf ("VERDICT: %s\n", !complete ? "UNKNOWN (not all of it is proved)" : gaps ? "NO BUG WITHIN BOUNDS" : "SAFE");
  j->code = j->bad ? EXIT_USAGE : !complete ? EXIT_UNKNOWN : gaps ? EXIT_BOUNDED : EXIT_SAFE;
  if (j->bad) diag_error (NULL, 0, 0, "%s: it proves less than it says", j->path);
  if (!stdout_finish ()) j->code = EXIT_USAGE;
}

static void check_all_groups (void *state) {
  certificate_job *j = state;
  task t = load_task (&j->loaded, &j->semantics);
  engine_run run = {
      .program = j->program, .task = &t, .budget = &j->budget, .verdict = &j->verdict, .engine = engine_circuit.name};
  bool complete = true;
  for (uint32_t k = 0; k < NUM_CIRCUIT_GROUPS; k++) {
    circuit_group g = circuit_group_of (j->semantics.properties, k);
    if (!g.settles) continue;
    t.semantics.properties = g.properties;
    if (!circuit_model_init (&j->model, &run, (circuit_form){.whole = true})) {
      certificate_file_error (j, j->verdict.stop ? j->verdict.stop->text : "there is no such circuit any more");
      j->code = EXIT_UNKNOWN;
      return;
    }
    complete &= check_group (j, g);
    circuit_model_release (&j->model);
  }
  print_certificate_verdict (j, complete && !j->bad);
}

// Only these options of `lockstep circuit` are allowed; the certificate has recorded all others.
static bool check_certificate_options (const options *o) {
  static const option_id known[] = {OPT_CHECK_CERTIFICATE, OPT_TIMEOUT, OPT_MEMORY, OPT_TRUST_FLAGS,
                                    OPT_VERBOSE,           OPT_QUIET,   NUM_OPTIONS};
  if (!o->files.count && !o->value[OPT_OUTPUT].text) return options_are_only (o, "--check-certificate", known);
  diag_error (NULL, 0, 0, "--check-certificate needs no files and no -o: the certificate says what it is about");
  return false;
}

int certificate_check (const options *o, double start) {
  certificate_job j = {.options = o, .path = o->value[OPT_CHECK_CERTIFICATE].text, .code = EXIT_USAGE};
  if (!check_certificate_options (o)) return EXIT_USAGE;
  load_budget (o, start, &j.budget);
  verdict_init (&j.verdict);
  deadline_thread *w = deadline_thread_start (&j.budget, deadline_end_command, (void *) o);
  if (read_certificate_origin (&j) && load_certified_program (&j) &&
      !run_catching_out_of_memory (check_all_groups, &j)) {
    certificate_file_error (&j, "there is not enough memory to check it");
    j.code = EXIT_UNKNOWN;
  }
  deadline_thread_stop (w);
  strbuf_release (&j.text);
  verdict_release (&j.verdict);
  if (j.loaded.arena) options_release (&j.loaded);
  if (j.program) ir_program_free (j.program);
  return j.code;
}
