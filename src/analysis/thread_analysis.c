// Rounds of the walk until all its assumptions hold, and the answers to queries.
//
// Why an answer "not in parallel" is right: let two threads be alive at the same time, and compare the chains of
// creators that lead to them. Either one thread is on the chain of the other: then it knows at its location that the
// other is alive (`alive`). Or the chains part at some thread, which knows both to be alive from the creation of the
// second on (`together`); when that thread ends, both are among the threads that it leaves behind. If one creator may
// have several threads of a kind alive at once, the kind counts as alive together with itself and with all descendants.
#include "analysis/threads_impl.h"
#include "base/limits.h"

struct threads {
  const ir_program *program;
  thread_call_graph calls;
  answers answers;
  loop_pairs pairs;
  bool given_up;
};

// ---- finding ------------------------------------------------------------------------------------------

// Repeats rounds until all assumptions hold; returns whether they do in the end.
static bool confirm_assumptions (thread_walk *w) {
  for (uint32_t restarts = 0; restarts < LIMIT_THREAD_RESTARTS; restarts++) {
    walk_restart (w);
    for (uint32_t rounds = 0; rounds < LIMIT_THREAD_ROUNDS && !w->restart; rounds++) {
      walk_round (w);
      if (w->overflow && !w->restart) return false;
      if (!w->restart && !w->changed) return true;
    }
    if (!w->restart) limit_met (THREAD_ROUNDS);
  }
  limit_met (THREAD_RESTARTS);
  return false;
}

threads *threads_new (const ir_program *p, const pointsto *facts) {
  threads *t = mem_zalloc (sizeof *t);
  slice s;
  t->program = p;
  call_graph_init (&t->calls, p, facts);
  slice_init (&s, &t->calls);
  t->pairs = loop_pairs_find (&s);
  thread_walk w;
  walk_init (&w, &s, &t->pairs);
  bool settled = false;
  for (unsigned level = 0; level < WALK_LEVELS && !settled; level++) {
    walk_set_level (&w, level);
    settled = confirm_assumptions (&w);
  }
  if (settled) answers_find (&t->answers, &w);
  walk_release (&w);
  t->given_up = !settled;
  if (t->given_up) answers_give_up (&t->answers, &t->calls);
  slice_release (&s);
  return t;
}

void threads_free (threads *t) {
  answers_release (&t->answers, t->program);
  loop_pairs_release (&t->pairs);
  call_graph_release (&t->calls);
  mem_free (t, sizeof *t);
}

// ---- answers ------------------------------------------------------------------------------------------

static const thread_class *thread_class_at (const threads *t, uint32_t kind) { return &t->answers.classes.data[kind]; }

uint32_t threads_count (const threads *t) { return t->answers.classes.count; }
ir_proc threads_entry (const threads *t, uint32_t kind) { return thread_class_at (t, kind)->entry; }
ir_edge threads_creator (const threads *t, uint32_t kind) { return thread_class_at (t, kind)->creator; }
uint32_t threads_parent (const threads *t, uint32_t kind) { return thread_class_at (t, kind)->parent; }
bool threads_many (const threads *t, uint32_t kind) { return thread_class_at (t, kind)->many; }

bool threads_runs (const threads *t, uint32_t kind, ir_loc l) {
  return thread_class_at (t, kind)->runs[ir_loc_at (t->program, l)->proc.i];
}

// Finds the facts at a location; returns false if no thread of the kind gets there.
static bool find_class_facts (const threads *t, uint32_t kind, ir_loc l, class_facts *found) {
  const answers *a = &t->answers;
  if (!threads_runs (t, kind, l)) return false;
  *found = (class_facts){.ended = small_all ()};
  if (t->given_up) found->ended = (small_set){0};
  else if (!thread_class_at (t, kind)->in_detail) *found = a->everywhere.data[kind];
  if (t->given_up || !thread_class_at (t, kind)->in_detail) return true;
  uint64_t base = (uint64_t) kind << 32;
  const uint64_t *keys[2] = {map_find (&a->at_loc, base | l.i),
                             map_find (&a->in_proc, base | ir_loc_at (t->program, l)->proc.i)};
  for (unsigned k = 0; k < 2; k++) {
    if (!keys[k]) continue;
    small_unite (&found->alive, &a->places.data[*keys[k]].alive);
    small_intersect (&found->ended, &a->places.data[*keys[k]].ended);
  }
  return keys[0] || keys[1];
}

bool threads_parallel (const threads *t, uint32_t a, ir_loc la, uint32_t b, ir_loc lb) {
  class_facts at_a, at_b;
  if (!find_class_facts (t, a, la, &at_a) || !find_class_facts (t, b, lb, &at_b)) return false;
  if (a == b) return threads_many (t, a);
  if (t->given_up) return true;
  if (small_has (&at_a.ended, b) || small_has (&at_b.ended, a)) return false;
  bool together = small_has (&t->answers.together.data[a], b) || small_has (&t->answers.together.data[b], a);
  return together || small_has (&at_a.alive, b) || small_has (&at_b.alive, a);
}

bool threads_alone (const threads *t, uint32_t kind, ir_loc l) {
  class_facts at;
  if (t->given_up) return threads_count (t) == 1;
  return kind == 0 && find_class_facts (t, kind, l, &at) && small_is_empty (&at.alive);
}

// Returns whether every path of the loop to this location has executed the join since the counter changed.
static bool is_behind_join (const threads *t, const loop_pair *pair, ir_loc at) {
  ir_edge target = {ir_loc_at (t->program, at)->first_edge};
  return ir_loc_at (t->program, at)->num_edges &&
         !loops_get_past (t->program, pair->round.begin, target, pair->joined, 2) &&
         !loops_get_past (t->program, pair->round.step, target, pair->joined, 2);
}

bool threads_joined_in_round (const threads *t, ir_edge create, ir_loc at, threads_round *out) {
  const answers *a = &t->answers;
  uint32_t proc = ir_loc_at (t->program, at)->proc.i;
  const uint64_t *place = t->given_up ? NULL : map_find (&a->at_loc, at.i);
  if (!place || map_find (&a->in_proc, proc)) return false;
  for (uint32_t k = 0; k < t->pairs.count; k++) {
    const loop_pair *pair = &t->pairs.data[k];
    if (pair->create.i != create.i || pair->round.joiner.i != proc) continue;
    if (!small_has (&a->places.data[*place].batches, BATCH_JOINED (k)) || !is_behind_join (t, pair, at)) continue;
    *out = pair->round;
    return true;
  }
  return false;
}
