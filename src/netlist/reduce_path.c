// Paths of the smaller circuit in the original: latches start as they are reset, inputs nobody needed are 0.  The loop of a lasso is repeated until the latches
// that are only in the original have come back, too; Brent's way of finding a cycle ("An improved Monte Carlo factorization algorithm", 1980) keeps one state for that.
#include "base/limits.h"
#include "netlist/reduce.h"
#include "netlist/simulate.h"

static void lift_start (const net_reduction *r, const netlist *n, const net_path *small, net_path *p) {
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&p->start, n->latches.data[k].reset == NET_ONE);
  for (uint32_t k = 0; k < r->latches.count; k++) p->start.data[r->latches.data[k]] = small->start.data[k];
}

static void lift_step (const net_reduction *r, const netlist *n, const net_path *small, uint32_t step, net_path *p) {
  uint32_t first = p->inputs.count, count = r->inputs.count;
  for (uint32_t k = 0; k < n->inputs.count; k++) vec_push (&p->inputs, 0);
  for (uint32_t k = 0; k < count; k++)
    p->inputs.data[first + r->inputs.data[k]] = small->inputs.data[(size_t) step * count + k];
  p->length++;
}

typedef VEC (uint8_t) bits;

static void save_state (const net_simulation *s, bits *state) {
  vec_clear (state);
  for (uint32_t k = 0; k < s->circuit->latches.count; k++)
    vec_push (state, net_value (s, s->circuit->latches.data[k].now) != 0);
}

static bool is_state (const net_simulation *s, const bits *state) {
  for (uint32_t k = 0; k < s->circuit->latches.count; k++)
    if ((net_value (s, s->circuit->latches.data[k].now) != 0) != state->data[k]) return false;
  return true;
}

static void run_to_end (net_simulation *s, const net_path *p, uint32_t from) {
  for (uint32_t step = from; step < p->length; step++) {
    net_path_inputs (s, p, step);
    net_step (s);
  }
}

// The path has the steps before the loop.  False: it does not close soon enough.
static bool close_loop (const net_reduction *r, const netlist *n, const net_path *small, net_path *p) {
  bits saved = {0};
  net_simulation s;
  bool closed = false;
  uint32_t rounds = 0, most = 1;  // since the state was saved, and before the next one is
  net_simulation_init (&s, n);
  net_path_start (&s, p);
  run_to_end (&s, p, 0);
  save_state (&s, &saved);
  p->loop = p->length;
  while (!closed && !at_limit (LIFTED_STEPS, p->length) && !at_limit (LIFTED_INPUT_BYTES, p->inputs.count)) {
    uint32_t from = p->length;
    for (uint32_t step = small->loop; step < small->length; step++) lift_step (r, n, small, step, p);
    run_to_end (&s, p, from);
    closed = is_state (&s, &saved);
    if (closed || ++rounds < most) continue;
    save_state (&s, &saved);
    p->loop = p->length;
    rounds = 0, most *= 2;
  }
  net_simulation_release (&s);
  vec_release (&saved);
  return closed;
}

bool net_reduction_lift (const net_reduction *r, const netlist *n, const net_path *small, net_path *p) {
  *p = (net_path){.loop = NET_NO_LOOP};
  bool lasso = small->loop != NET_NO_LOOP;
  uint32_t straight = lasso ? small->loop : small->length;
  lift_start (r, n, small, p);
  for (uint32_t step = 0; step < straight; step++) lift_step (r, n, small, step, p);
  if (!lasso || close_loop (r, n, small, p)) return true;
  net_path_release (p);
  return false;
}
