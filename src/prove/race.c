// Back ends side by side, each in a process of its own; the first answer counts, and the others are ended.  In processes, because BuDDy is one for a whole process and because one that dies harms nobody.
// What a back end has found comes through a pipe, as numbers in a row.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "netlist/simulate.h"
#include "prove/prove_impl.h"

enum { MOST_RUNNERS = 64, WAKE_MILLISECONDS = 50 };
static const double SECONDS_TO_END = 1;  // after the budget is spent, for what is known by then

typedef void prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);

// In this order; when they are all running, IC3 with other seeds.
static const struct {
  const char *name;
  prover *run;
} starters[] = {{"ic3", prove_by_ic3}, {"bmc", prove_by_bmc}, {"induction", prove_by_induction}, {"bdd", prove_by_bdd}};
enum { NUM_STARTERS = sizeof starters / sizeof *starters };

typedef struct runner {
  pid_t pid;
  int pipe;
  strbuf said;
  const char *name;
} runner;

typedef struct race {
  const netlist *n;
  uint32_t bad;
  const prove_options *o;
  prove_result *r;
  runner runners[MOST_RUNNERS];
  uint32_t running, started;
} race;

// ---- results as bytes --------------------------------------------------------------------------------------------------------------
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

// The graph is made again, so that its hash table is there.
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

// ---- one runner ----------------------------------------------------------------------------------------------------------------
static void say_all (int pipe, const strbuf *b) {
  for (uint32_t at = 0; at < b->count;) {
    ssize_t n = write (pipe, b->data + at, b->count - at);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) at += (uint32_t) n;
  }
}

// Out of memory: it has nothing to say.
static _Noreturn void give_up (void *state) {
  (void) state;
  _exit (1);
}

static _Noreturn void work (const race *c, prover *prove, uint64_t seed, int pipe) {
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  prove_options o = *c->o;
  budget quiet = *o.budget;
  prove_result r;
  strbuf b = {0};
  mem_set_exhausted_handler (give_up, NULL);
  quiet.watch = NULL;
  o.budget = &quiet;
  o.seed = seed;
  o.say = NULL;
  prove (c->n, c->bad, &o, &r);
  put_result (&b, &r);
  say_all (pipe, &b);
  _exit (0);
}

static bool start_next (race *c) {
  int ends[2];
  uint32_t number = c->started;
  uint64_t seed = number < NUM_STARTERS ? c->o->seed : c->o->seed + number - NUM_STARTERS + 1;
  uint32_t which = number < NUM_STARTERS ? number : 0;
  if (pipe (ends)) return false;
  pid_t pid = fork ();
  if (!pid) {
    close (ends[0]);
    work (c, starters[which].run, seed, ends[1]);
  }
  close (ends[1]);
  if (pid < 0) {
    close (ends[0]);
    return false;
  }
  c->runners[c->running++] = (runner){.pid = pid, .pipe = ends[0], .name = starters[which].name};
  c->started++;
  return true;
}

static void end (runner *x) {
  kill (x->pid, SIGKILL);
  process_wait (x->pid, &(int){0});
  close (x->pipe);
  strbuf_release (&x->said);
}

// ---- all of them ---------------------------------------------------------------------------------------------------------------
static bool is_sound (const race *c, const prove_result *r) {
  if (r->answer == PROVE_VIOLATED) return net_path_fits (c->n, &r->path) && net_path_shows (c->n, c->bad, &r->path);
  return true;  // who asked checks the certificate
}

// True: that is the answer.
static bool take_result (race *c, const runner *x) {
  prove_result r;
  if (!get_result (&x->said, &r)) return false;
  bool settled = (r.answer == PROVE_HOLDS || r.answer == PROVE_VIOLATED) && is_sound (c, &r);
  if (settled || (r.answer == PROVE_BOUNDED && r.depth > c->r->depth)) {
    prove_result_release (c->r);
    *c->r = r;
    if (settled) prove_say (c->o, "settled by %s", x->name);
  } else prove_result_release (&r);
  return settled;
}

// What the pipe has.  False: no more will come.
static bool listen_to (runner *x) {
  char block[1 << 16];
  ssize_t n = read (x->pipe, block, sizeof block);
  if (n > 0) strbuf_add_bytes (&x->said, block, (size_t) n);
  return n > 0 || (n < 0 && errno == EINTR);
}

static bool listen (race *c) {
  struct pollfd polls[MOST_RUNNERS];
  for (uint32_t k = 0; k < c->running; k++) polls[k] = (struct pollfd){.fd = c->runners[k].pipe, .events = POLLIN};
  if (poll (polls, c->running, WAKE_MILLISECONDS) <= 0) return false;
  for (uint32_t k = c->running; k-- > 0;) {
    if (!polls[k].revents || listen_to (&c->runners[k])) continue;
    bool settled = take_result (c, &c->runners[k]);
    end (&c->runners[k]);
    c->runners[k] = c->runners[--c->running];
    if (settled) return true;
  }
  return false;
}

void prove_by_race (const netlist *n, uint32_t bad, const prove_options *o, prove_result *r) {
  race c = {.n = n, .bad = bad, .o = o, .r = r};
  uint32_t jobs = o->jobs < 1 ? 1 : o->jobs > MOST_RUNNERS ? MOST_RUNNERS : o->jobs;
  uint32_t all = jobs > NUM_STARTERS ? jobs : NUM_STARTERS;
  double spent_at = 0;
  *r = (prove_result){.path = {.loop = NET_NO_LOOP}};
  for (bool settled = false; !settled;) {
    while (c.running < jobs && c.started < all && !spent_at && start_next (&c)) {}
    if (!c.running) break;
    settled = listen (&c);
    if (!spent_at && budget_spent (o->budget)) spent_at = budget_now ();
    if (spent_at && budget_now () - spent_at > SECONDS_TO_END) break;
  }
  while (c.running) end (&c.runners[--c.running]);
  if (r->answer == PROVE_UNKNOWN) r->why = prove_out_of_budget;
}
