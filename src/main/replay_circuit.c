// `lockstep replay --aiger=X.aig WITNESS`: executes a path that another checker found in a circuit of `lockstep
// circuit` as an execution of the program.  The file says what it was made from; the circuit is made again and must be
// the same. Then the path is executed on the machine and by the interpreter.
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "engine/circuit/circuit_model.h"
#include "main/main_impl.h"
#include "netlist/aiger_witness.h"
#include "netlist/netlist_simulate.h"

typedef struct replay_circuit_job {
  const options *options;  // options of this command line
  const char *path;        // path of the circuit
  const budget *budget;
  strbuf file, witness;
  uint32_t body;   // number of bytes of the file before its comment
  options loaded;  // recorded options
  uint64_t hash;
  semantics semantics;
  ir_program *program;
  verdict verdict;
  circuit_model model;
  uint32_t bad;
  net_path found;
  int code;  // exit code
} replay_circuit_job;

static bool replay_circuit_error (replay_circuit_job *j, int code, const char *why) {
  diag_error (NULL, 0, 0, "%s: %s", j->path, why);
  j->code = code;
  return false;
}

// ---- the circuit ---------------------------------------------------------------------------------------

static bool read_whole_file (const char *path, strbuf *out) {
  if (strbuf_add_file (out, path)) return true;
  diag_error (NULL, 0, 0, "cannot read %s: %s", path, strerror (errno));
  return false;
}

// Finds the comment from the end, because it is the last part of the file: bytes of a binary file may look like a
// comment.
static const char *find_comment (replay_circuit_job *j) {
  static const char mark[] = "\nc\nlockstep ";
  size_t length = strlen (mark);
  for (uint32_t at = j->file.count; at-- > 0;)
    if (at + length <= j->file.count && !memcmp (j->file.data + at, mark, length)) {
      j->body = at + 1;
      return j->file.data + at + strlen ("\nc\n");
    }
  return "";
}

static bool read_circuit_origin (replay_circuit_job *j) {
  circuit_language l = circuit_language_of (j->path);
  strbuf why = {0};
  bool good = l == CIRCUIT_AIG || l == CIRCUIT_AAG;
  if (!good) strbuf_add (&why, "--aiger takes an .aig or .aag file");
  else
    good =
        read_whole_file (j->path, &j->file) && origin_read (find_comment (j), j->options, &j->loaded, &j->hash, &why);
  if (!good && why.count) replay_circuit_error (j, EXIT_USAGE, strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

static bool load_circuit_program (replay_circuit_job *j) {
  bool changed;
  load_limits limits = {.budget = j->budget};
  j->program = origin_load (&j->loaded, j->hash, &limits, &j->semantics, &changed);
  bool stopped = load_report_stop (&limits);
  if (stopped) {
    j->code = stdout_finish () ? EXIT_UNKNOWN : EXIT_USAGE;
    return false;
  }
  if (changed)
    return replay_circuit_error (j, EXIT_USAGE,
                                 "the source has changed since this circuit was written; write it again");
  return j->program;
}

static bool is_same_circuit (replay_circuit_job *j) {
  strbuf bytes = {0};
  circuit_print (&j->model, circuit_language_of (j->path), NULL, &bytes);
  bool same = bytes.count == j->body && !memcmp (bytes.data, j->file.data, j->body);
  strbuf_release (&bytes);
  return same ||
         replay_circuit_error (
             j, EXIT_USAGE, "this lockstep makes another circuit of the same program; write it again, and ask again");
}

// ---- the witness ---------------------------------------------------------------------------------------

// AIGER's witness has the property in its second line (after comments); ABC's counterexample has only bits.
static bool is_abc (const strbuf *text) {
  for (const char *line = text->data; line && *line; line = strchr (line, '\n'), line = line ? line + 1 : NULL)
    if (*line == 'b' || *line == 'j') return false;
  return true;
}

static bool parse_abc_path (replay_circuit_job *j, const netlist *n, strbuf *why) {
  for (j->bad = 0; j->bad < n->bads.count; j->bad++) {
    strbuf_clear (why);
    if (!aiger_parse_abc (n, j->bad, j->witness.data, j->witness.count, &j->found, why)) continue;
    if (net_path_shows (n, j->bad, &j->found)) return true;
    net_path_release (&j->found);
    strbuf_add (why, "the path leads to no bad state of the circuit");
  }
  return false;
}

static bool parse_aiger_path (replay_circuit_job *j, const netlist *n, strbuf *why) {
  aiger_witness w;
  if (!aiger_witness_parse (n, strbuf_text (&j->witness), j->witness.count, &w, why)) return false;
  j->bad = w.property;
  j->found = w.path;
  if (w.status != AIGER_VIOLATED) strbuf_add (why, "it says nothing about a path, so there is none to replay");
  else if (w.is_justice) strbuf_add (why, "it is about a justice property, which cannot be replayed");
  else if (!net_path_shows (n, j->bad, &j->found)) strbuf_add (why, "the path does not lead to the bad state");
  if (why->count) net_path_release (&j->found);
  return !why->count;
}

static bool read_witness (replay_circuit_job *j) {
  const char *path = j->options->files.data[0];
  const netlist *n = circuit_written (&j->model);
  strbuf why = {0};
  if (!read_whole_file (path, &j->witness)) return false;
  strbuf_text (&j->witness);
  bool good = is_abc (&j->witness) ? parse_abc_path (j, n, &why) : parse_aiger_path (j, n, &why);
  if (!good) diag_error (NULL, 0, 0, "%s: it does not fit %s: %s", path, j->path, strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

// ---- the execution -------------------------------------------------------------------------------------

static void confirm_circuit_path (replay_circuit_job *j, claim *c) {
  const char *why = NULL, *property = ir_property_name[c->property];
  bool enough = false;
  goal g = {.id = arena_printf (j->verdict.arena, "%s-1", property),
            .property = c->property,
            .status = GOAL_VIOLATED,
            .engine = "replay"};
  if (!verdict_confirm (&j->verdict, j->program, &j->semantics, c, &g, &why)) {
    bool floats = !j->model.lowered.is_exact;
    diag_error (NULL, 0, 0, "the path does not replay: %s%s", why ? why : "the violation does not show",
                floats ? " (results of operations on floats are any value in the circuit)" : "");
    j->code = floats ? EXIT_UNKNOWN : EXIT_INTERNAL;
    return;
  }
  g.claim = *c;
  g.claim.schedule = (schedule){0};  // the claim owns the schedule
  vec_push (&j->verdict.goals, g);
  replay_show (j->options, &j->verdict, &g, &enough);
  printf ("VERDICT: BUG\n");
  j->code = stdout_finish () ? EXIT_BUG : EXIT_USAGE;
}

static void execute_circuit_path (replay_circuit_job *j) {
  claim c;
  if (circuit_property (&j->model, j->bad) == IR_NUM_PROPERTIES) {
    printf ("the path leads to what the circuit leaves out: it says nothing about the program\n");
    printf ("VERDICT: UNKNOWN (nothing to replay)\n");
    j->code = stdout_finish () ? EXIT_UNKNOWN : EXIT_USAGE;
    return;
  }
  CHECK (circuit_model_claim (&j->model, j->bad, &j->found, &c), "a path of the circuit should be one of the machine");
  confirm_circuit_path (j, &c);
  schedule_release (&c.schedule);
}

static void make_and_replay (void *state) {
  replay_circuit_job *j = state;
  budget none = {0};
  task t = load_task (&j->loaded, &j->semantics);
  engine_run run = {
      .program = j->program, .task = &t, .budget = &none, .verdict = &j->verdict, .engine = engine_circuit.name};
  const option_setting *value = j->loaded.value;
  circuit_form form = {.whole = value[OPT_WHOLE].number != 0, .plain = value[OPT_PLAIN].number != 0};
  if (!circuit_model_init (&j->model, &run, form)) {
    replay_circuit_error (j, EXIT_USAGE, "there is no such circuit any more");
    return;
  }
  if (is_same_circuit (j) && read_witness (j)) {
    execute_circuit_path (j);
    net_path_release (&j->found);
  }
  circuit_model_release (&j->model);
}

int replay_circuit (const options *o, const budget *budget) {
  replay_circuit_job j = {.options = o, .path = o->value[OPT_AIGER].text, .budget = budget, .code = EXIT_USAGE};
  verdict_init (&j.verdict);
  if (read_circuit_origin (&j) && load_circuit_program (&j) && !run_catching_out_of_memory (make_and_replay, &j))
    replay_circuit_error (&j, EXIT_UNKNOWN, "there is not enough memory to make the circuit again");
  strbuf_release (&j.file);
  strbuf_release (&j.witness);
  verdict_release (&j.verdict);
  if (j.loaded.arena) options_release (&j.loaded);
  if (j.program) ir_program_free (j.program);
  return j.code;
}
