// Translates paths of the smaller circuit to the original: removed latches have their reset values, and removed inputs
// are 0. The loop of a lasso is repeated until the removed latches, too, are in a state in which they were before.
// Brent's algorithm for finding cycles ("An improved Monte Carlo factorization algorithm", 1980) stores only one state
// for that.
#include "base/limits.h"
#include "netlist/netlist_reduce.h"
#include "netlist/netlist_simulate.h"

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

static void save_latch_state (const net_simulation *s, bits *state) {
  vec_clear (state);
  for (uint32_t k = 0; k < s->circuit->latches.count; k++)
    vec_push (state, net_value (s, s->circuit->latches.data[k].now) != 0);
}

static bool is_in_saved_state (const net_simulation *s, const bits *state) {
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

// Repeats the loop after the path, which has the steps before the loop, until it closes.  False: it does not close
// within the limits.
static bool close_loop (const net_reduction *r, const netlist *n, const net_path *small, net_path *p) {
  bits saved = {0};
  net_simulation s;
  bool closed = false;
  uint32_t rounds = 0, most = 1;  // repetitions since the state was saved, and until the next state is saved
  net_simulation_init (&s, n);
  net_path_start (&s, p);
  run_to_end (&s, p, 0);
  save_latch_state (&s, &saved);
  p->loop = p->length;
  while (!closed && !at_limit (LIFTED_STEPS, p->length) && !at_limit (LIFTED_INPUT_BYTES, p->inputs.count)) {
    uint32_t from = p->length;
    for (uint32_t step = small->loop; step < small->length; step++) lift_step (r, n, small, step, p);
    run_to_end (&s, p, from);
    closed = is_in_saved_state (&s, &saved);
    if (closed || ++rounds < most) continue;
    save_latch_state (&s, &saved);
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
