// Chooses the procedures that get a copy for each call. One copy for all calls needs a variable with the return site,
// and its parameters have a value for each call; in a copy per call both are constants, often addresses, so the
// accessed objects are known. Therefore small procedures are copied, as long as all copies together stay small;
// recursive ones never are.
#include "efsm/build_impl.h"

enum { EDGES_OF_ONE = 60, EDGES_OF_ALL = 600 };

typedef struct counting {
  build_facts *f;
  // by procedure: its edges, including those of the procedures copied into it; direct calls of it
  VEC (uint32_t) edges, calls;
  VEC (uint32_t) first, callee;  // by procedure: index of its first direct call in callee
  VEC (uint8_t) is_done;         // by procedure
} counting;

// By direct calls. A procedure that calls itself through a pointer is copied up to a number of levels, as other
// recursive procedures are (build.c).
static bool is_recursive (const counting *c, uint32_t proc) {
  const build_facts *f = c->f;
  for (uint32_t k = c->first.data[proc]; k < c->first.data[proc + 1]; k++)
    if (f->circle.data[c->callee.data[k]] == f->circle.data[proc]) return true;
  return false;
}

static void find_calls (counting *c) {
  const ir_program *p = c->f->program;
  VEC (uint32_t) next = {0};
  for (uint32_t k = 0; k <= p->procs.count; k++) {
    vec_push (&c->edges, 0);
    vec_push (&c->calls, 0);
    vec_push (&c->first, 0);
    vec_push (&c->is_done, 0);
  }
  for (uint32_t e = 0; e < p->edges.count; e++) {
    uint32_t from = ir_loc_at (p, p->edges.data[e].from)->proc.i;
    ir_proc callee;
    c->edges.data[from]++;
    if (!is_call_of (p, &p->edges.data[e], &callee) || callee.i == IR_NONE) continue;
    c->first.data[from + 1]++;
    c->calls.data[callee.i]++;
    vec_push (&c->callee, 0);
  }
  for (uint32_t k = 0; k < p->procs.count; k++) {
    c->first.data[k + 1] += c->first.data[k];
    vec_push (&next, c->first.data[k]);
  }
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_proc callee;
    if (is_call_of (p, &p->edges.data[e], &callee) && callee.i != IR_NONE)
      c->callee.data[next.data[ir_loc_at (p, p->edges.data[e].from)->proc.i]++] = callee.i;
  }
  vec_release (&next);
}

// Callees come first; the recursion is as deep as the calls are.
static void decide (counting *c, uint32_t proc) {
  if (c->is_done.data[proc]) return;
  c->is_done.data[proc] = true;
  for (uint32_t k = c->first.data[proc]; k < c->first.data[proc + 1]; k++) {
    uint32_t callee = c->callee.data[k];
    decide (c, callee);
    if (c->f->small.data[callee]) c->edges.data[proc] += c->edges.data[callee];
  }
  uint64_t edges = c->edges.data[proc];
  c->f->small.data[proc] =
      edges <= EDGES_OF_ONE && edges * c->calls.data[proc] <= EDGES_OF_ALL && !is_recursive (c, proc);
}

void build_facts_find_small (build_facts *f) {
  counting c = {.f = f};
  uint32_t count = f->program->procs.count;
  for (uint32_t k = 0; k < count; k++) vec_push (&f->small, false);
  find_calls (&c);
  for (uint32_t k = 0; k < count; k++) decide (&c, k);
  vec_release (&c.edges);
  vec_release (&c.calls);
  vec_release (&c.first);
  vec_release (&c.callee);
  vec_release (&c.is_done);
}
