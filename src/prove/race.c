// Runs back ends in parallel, each in a child process; the first answer counts, and the other processes are ended. They
// are processes and not threads, because BuDDy has one global state per process, and because a back end that crashes or
// runs out of memory must not harm the others. A back end sends its result as lists of numbers (base/bytes.h), once,
// when it has finished.
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/process.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove_impl.h"

enum { RUNNER_ROOM = 64, WAKE_MILLISECONDS = 50 };
static const double SECONDS_TO_END = 1;  // after the budget is spent, for a back end to send its partial result

typedef void prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);

// Started in this order; when all of them run, further processes execute IC3 with other seeds.
static const struct {
  const char *name;
  prover *run;
} starters[] = {{"ic3", prove_by_ic3}, {"bmc", prove_by_bmc}, {"induction", prove_by_induction}, {"bdd", prove_by_bdd}};
enum { NUM_STARTERS = sizeof starters / sizeof *starters };

typedef struct race {
  const netlist *n;
  uint32_t bad;
  const prove_options *o;
  prove_result *r;
  process *runners[RUNNER_ROOM];  // [0..running[
  const char *names[RUNNER_ROOM];
  uint32_t running, started;
} race;

// ---- results as bytes ---------------------------------------------------------------------------------
enum { NUM_NUMBERS = 12 };

static void put_result (strbuf *b, const prove_result *r) {
  const prove_certificate *c = &r->certificate;
  uint64_t numbers[NUM_NUMBERS] = {r->answer,  r->depth,       r->path.length, r->path.loop,
                                   c->depth,   c->simple,      c->holds.i,     r->sat_calls,
                                   r->clauses, r->obligations, r->bdd_nodes,   c->graph.num_inputs};
  bytes_put_list (b, numbers, NUM_NUMBERS, sizeof *numbers);
  bytes_put_list (b, r->path.start.data, r->path.start.count, 1);
  bytes_put_list (b, r->path.inputs.data, r->path.inputs.count, 1);
  bytes_put_list (b, c->clauses.data, c->clauses.count, sizeof *c->clauses.data);
  bytes_put_list (b, c->graph.nodes.data, c->graph.nodes.count, sizeof *c->graph.nodes.data);
}

// Rebuilds the graph node by node, so that it has its hash table.
static void get_graph (bytes_reader *r, aig_lit holds, prove_certificate *c) {
  VEC (aig_node) nodes = {0};
  VEC (aig_lit) image = {0};
  BYTES_GET_VEC (r, &nodes);
  if (nodes.count) aig_init (&c->graph);
  for (uint32_t k = 0; k < nodes.count; k++) {
    aig_node x = nodes.data[k];
    aig_lit now = AIG_FALSE;
    if (k && x.left.i == UINT32_MAX) now = aig_input (&c->graph);
    else if (k && x.left.i / 2 < k && x.right.i / 2 < k)
      now = aig_and (&c->graph, (aig_lit){image.data[x.left.i / 2].i ^ (x.left.i & 1)},
                     (aig_lit){image.data[x.right.i / 2].i ^ (x.right.i & 1)});
    vec_push (&image, now);
  }
  if (holds.i / 2 < image.count) c->holds = (aig_lit){image.data[holds.i / 2].i ^ (holds.i & 1)};
  vec_release (&nodes);
  vec_release (&image);
}

static bool get_result (const strbuf *b, prove_result *out) {
  bytes_reader r = bytes_read (NULL, b->data, b->count);
  VEC (uint64_t) x = {0};
  *out = (prove_result){.path = {.loop = NET_NO_LOOP}};
  BYTES_GET_VEC (&r, &x);
  if (x.count == NUM_NUMBERS) {
    prove_certificate *c = &out->certificate;
    out->answer = (prove_answer) x.data[0], out->depth = (uint32_t) x.data[1];
    out->path.length = (uint32_t) x.data[2], out->path.loop = (uint32_t) x.data[3];
    c->depth = (uint32_t) x.data[4], c->simple = x.data[5];
    out->sat_calls = x.data[7], out->clauses = x.data[8], out->obligations = x.data[9], out->bdd_nodes = x.data[10];
    BYTES_GET_VEC (&r, &out->path.start);
    BYTES_GET_VEC (&r, &out->path.inputs);
    BYTES_GET_VEC (&r, &c->clauses);
    get_graph (&r, (aig_lit){(uint32_t) x.data[6]}, c);
  }
  bool good = x.count == NUM_NUMBERS && bytes_are_read (&r);
  vec_release (&x);
  if (!good) prove_result_release (out);
  return good;
}

// ---- one back end -------------------------------------------------------------------------------------
typedef struct runner_job {
  const race *race;
  prover *prove;
  uint64_t seed;
} runner_job;

static int prove_in_process (void *job, int pipe) {
  const runner_job *j = job;
  prove_options o = *j->race->o;
  budget quiet = *o.budget;
  prove_result r;
  strbuf b = {0};
  quiet.watch = NULL;
  o.budget = &quiet;
  o.seed = j->seed;
  o.say = NULL;
  j->prove (j->race->n, j->race->bad, &o, &r);
  put_result (&b, &r);
  _exit (process_send (pipe, &b) ? 0 : 1);  // does not free block by block
}

static bool start_next (race *c) {
  uint32_t number = c->started, which = number < NUM_STARTERS ? number : 0;
  uint64_t seed = number < NUM_STARTERS ? c->o->seed : c->o->seed + number - NUM_STARTERS + 1;
  runner_job job = {c, starters[which].run, seed};
  process_plan plan = {.work = prove_in_process, .state = &job};
  if (process_start (&plan, &c->runners[c->running])) return false;
  c->names[c->running++] = starters[which].name;
  c->started++;
  return true;
}

static void end_runner (race *c, uint32_t k) {
  process_free (c->runners[k]);
  c->running--;
  c->runners[k] = c->runners[c->running];
  c->names[k] = c->names[c->running];
}

// ---- the race ---------------------------------------------------------------------------------------
// The caller checks the certificate of a proof.
static bool is_sound (const race *c, const prove_result *r) {
  if (r->answer != PROVE_VIOLATED) return true;
  return net_path_fits (c->n, &r->path) && net_path_shows (c->n, c->bad, &r->path);
}

// Returns true if the result decides the bad state. Among results within bounds the deepest is kept.
static bool take_backend_result (race *c, uint32_t k) {
  prove_result r;
  if (!get_result (process_received (c->runners[k]), &r)) return false;
  bool settled = (r.answer == PROVE_HOLDS || r.answer == PROVE_VIOLATED) && is_sound (c, &r);
  if (settled || (r.answer == PROVE_BOUNDED && r.depth > c->r->depth)) {
    prove_result_release (c->r);
    *c->r = r;
    if (settled) prove_say (c->o, "settled by %s", c->names[k]);
  } else prove_result_release (&r);
  return settled;
}

static bool listen_to_runners (race *c) {
  processes_listen (c->runners, c->running, WAKE_MILLISECONDS);
  for (uint32_t k = c->running; k-- > 0;) {
    if (process_is_alive (c->runners[k])) continue;
    bool settled = take_backend_result (c, k);
    end_runner (c, k);
    if (settled) return true;
  }
  return false;
}

// The back ends have the same budget, and stop by themselves when its time is up.
static void set_deadlines (race *c) {
  double deadline = budget_now () + SECONDS_TO_END;
  for (uint32_t k = 0; k < c->running; k++) process_set_deadline (c->runners[k], deadline);
}

void prove_by_race (const netlist *n, uint32_t bad, const prove_options *o, prove_result *r) {
  race c = {.n = n, .bad = bad, .o = o, .r = r};
  uint32_t jobs = o->jobs < 1 ? 1 : o->jobs > RUNNER_ROOM ? RUNNER_ROOM : o->jobs;
  uint32_t all = jobs > NUM_STARTERS ? jobs : NUM_STARTERS;
  bool is_spent = false;
  *r = (prove_result){.path = {.loop = NET_NO_LOOP}};
  for (bool settled = false; !settled;) {
    while (c.running < jobs && c.started < all && !is_spent && start_next (&c)) {}
    if (!c.running) break;
    settled = listen_to_runners (&c);
    if (is_spent || !budget_spent (o->budget)) continue;
    is_spent = true;
    set_deadlines (&c);
  }
  while (c.running) end_runner (&c, c.running - 1);
  if (r->answer == PROVE_UNKNOWN) r->why = prove_out_of_budget;
}
