// Counts how often procedures run, along calls and thread creations that may really happen.
//
// A procedure runs at most once if only one edge starts it, and that edge is taken at most once. At most one activation
// at a time runs if the procedure is not recursive and only one thread can reach it: the first one, or one that is
// created at most once.
#include "analysis/unique.h"

#include "analysis/calls.h"

struct unique {
  uint32_t num_objects;
  bool *is_unique;  // [object]
  uint32_t num_edges;
  bool *creates_one;  // [edge]: a thread creation that is taken at most once
};

// FIRST_CREATED + edge: the only thread that this edge creates
enum { NO_THREAD, MANY_THREADS, FIRST_THREAD, FIRST_CREATED };

typedef struct start_counter {
  const ir_program *p;
  const calls *calls;
  bool *reached, *once;  // [proc]
  uint32_t *starts;      // [proc]: number of edges that may start it, in reachable procedures
  uint32_t *thread;      // [proc]: threads that may run it
  VEC (uint32_t) open;   // procedures to visit
} start_counter;

static bool starts_procs (const start_counter *c, uint32_t e) {
  return c->p->edges.data[e].op == IR_CALL || c->p->edges.data[e].op == IR_THREAD_CREATE;
}

typedef void (*visitor) (start_counter *, uint32_t proc, ir_edge, ir_proc callee);

// Calls the visitor for each call and thread creation of a procedure.
static void visit_starts (start_counter *c, uint32_t proc, visitor visit) {
  const ir_proc_data *d = &c->p->procs.data[proc];
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (c->p, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      if (!starts_procs (c, e)) continue;
      calls_list list = calls_of (c->calls, (ir_edge){e});
      for (uint32_t k = 0; k < list.count; k++) visit (c, proc, (ir_edge){e}, list.procs[k]);
    }
  }
}

static void visit_open_procedures (start_counter *c, visitor visit) {
  while (c->open.count) visit_starts (c, vec_pop (&c->open), visit);
}

static void count_start (start_counter *c, uint32_t proc, ir_edge e, ir_proc callee) {
  (void) proc, (void) e;
  c->starts[callee.i]++;
  if (c->reached[callee.i]) return;
  c->reached[callee.i] = true;
  vec_push (&c->open, callee.i);
}

static void find_single_run (start_counter *c, uint32_t proc, ir_edge e, ir_proc callee) {
  if (c->once[callee.i] || c->starts[callee.i] != 1 || !c->once[proc] || calls_repeats (c->calls, e)) return;
  c->once[callee.i] = true;
  vec_push (&c->open, callee.i);
}

static void find_running_threads (start_counter *c, uint32_t proc, ir_edge e, ir_proc callee) {
  bool creates = ir_edge_at (c->p, e)->op == IR_THREAD_CREATE;
  uint32_t created = c->once[proc] && !calls_repeats (c->calls, e) ? FIRST_CREATED + e.i : MANY_THREADS;
  uint32_t thread = creates ? created : c->thread[proc], *old = &c->thread[callee.i];
  uint32_t both = *old == NO_THREAD || *old == thread ? thread : MANY_THREADS;
  if (both == *old) return;
  *old = both;
  vec_push (&c->open, callee.i);
}

static void count_runs_of_procedures (start_counter *c) {
  uint32_t start = c->p->start.i;
  c->reached[start] = true;
  vec_push (&c->open, start);
  visit_open_procedures (c, count_start);
  c->once[start] = !c->starts[start];
  vec_push (&c->open, start);
  visit_open_procedures (c, find_single_run);
  c->thread[start] = FIRST_THREAD;
  vec_push (&c->open, start);
  visit_open_procedures (c, find_running_threads);
}

static bool makes_one (const start_counter *c, ir_edge alloc) {
  const ir_edge_data *d = ir_edge_at (c->p, alloc);
  ir_proc f = ir_loc_at (c->p, d->from)->proc;
  bool one_at_a_time = c->thread[f.i] != MANY_THREADS && !calls_recursive (c->calls, f);
  if (calls_repeats (c->calls, alloc)) return false;
  return c->once[f.i] || !c->reached[f.i] || (d->aux == IR_ALLOC_STACK && one_at_a_time);
}

static void mark_unique_objects (unique *u, const start_counter *c, const pointsto *facts) {
  for (uint32_t o = 1; o < c->p->objects.count; o++) u->is_unique[o] = c->p->objects.data[o].kind != IR_O_THREAD_LOCAL;
  for (uint32_t e = 0; e < c->p->edges.count; e++) {
    const ir_edge_data *d = &c->p->edges.data[e];
    if (d->op == IR_ALLOC) u->is_unique[pointsto_site (facts, (ir_edge){e})] = makes_one (c, (ir_edge){e});
    if (d->op == IR_THREAD_CREATE)
      u->creates_one[e] = c->once[ir_loc_at (c->p, d->from)->proc.i] && !calls_repeats (c->calls, (ir_edge){e});
  }
}

unique *unique_new (const ir_program *p, const pointsto *facts) {
  unique *u = mem_zalloc (sizeof *u);
  u->num_objects = pointsto_num_objects (facts);
  u->is_unique = mem_zalloc (sizeof (bool) * u->num_objects);
  u->num_edges = p->edges.count;
  u->creates_one = mem_zalloc (sizeof (bool) * u->num_edges);
  calls *graph = calls_new (p, facts);
  uint32_t procs = p->procs.count;
  start_counter c = {.p = p, .calls = graph};
  c.reached = mem_zalloc (sizeof (bool) * procs);
  c.once = mem_zalloc (sizeof (bool) * procs);
  c.starts = mem_zalloc (sizeof (uint32_t) * procs);
  c.thread = mem_zalloc (sizeof (uint32_t) * procs);
  count_runs_of_procedures (&c);
  mark_unique_objects (u, &c, facts);
  mem_free (c.reached, sizeof (bool) * procs);
  mem_free (c.once, sizeof (bool) * procs);
  mem_free (c.starts, sizeof (uint32_t) * procs);
  mem_free (c.thread, sizeof (uint32_t) * procs);
  vec_release (&c.open);
  calls_free (graph);
  return u;
}

void unique_free (unique *u) {
  mem_free (u->is_unique, sizeof (bool) * u->num_objects);
  mem_free (u->creates_one, sizeof (bool) * u->num_edges);
  mem_free (u, sizeof *u);
}

bool unique_object (const unique *u, uint32_t object) { return u->is_unique[object]; }
bool unique_edge (const unique *u, ir_edge e) { return u->creates_one[e.i]; }
