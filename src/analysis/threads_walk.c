// Abstract execution of one thread: a worklist over nodes.
//
// A node is a location in a chain of calls, with numbers for the registers that matter; so a loop that counts to a
// constant is unrolled without further effort. A register that takes too many values at one location is widened there,
// to any value. The facts of a node hold on every path to it.
#include "analysis/threads_impl.h"

#include "base/cutoff.h"
#include "base/hash.h"
#include "base/limits.h"

enum { WIDENED_FROM = 8 };  // nodes of one place that differ in numbers only

// ---- contexts -----------------------------------------------------------------------------------------

uint32_t walk_context (thread_walk *w, uint32_t caller, ir_proc proc, uint32_t kind) {
  bool is_new;
  uint64_t key = caller == IR_NONE ? kind : (uint64_t) caller << 32 | proc.i;
  uint64_t *found = map_insert (caller == IR_NONE ? &w->root_of : &w->context_of, key, w->contexts.count, &is_new);
  if (!is_new) return (uint32_t) *found;
  uint32_t depth = caller == IR_NONE ? 0 : w->contexts.data[w->nodes.data[caller].context].depth + 1;
  vec_push (&w->contexts, ((thread_context){.caller = caller, .proc = proc, .kind = kind, .depth = depth}));
  return w->contexts.count - 1;
}

// ---- nodes --------------------------------------------------------------------------------------------

static uint32_t slots_of (const thread_walk *w, uint32_t context) {
  return w->slice->num_slots[w->contexts.data[context].proc.i];
}

static uint64_t walk_node_hash (uint32_t context, ir_loc loc, const number *numbers, uint32_t count) {
  return hash_bytes (numbers, sizeof *numbers * count, hash_pair (context, loc.i));
}

static uint32_t find_walk_node (const thread_walk *w, uint64_t hash, uint32_t context, ir_loc loc,
                                const number *numbers) {
  const uint64_t *first = map_find (&w->node_of, hash);
  size_t bytes = sizeof *numbers * slots_of (w, context);
  for (uint32_t n = first ? (uint32_t) *first : IR_NONE; n != IR_NONE; n = w->nodes.data[n].next) {
    const thread_node *d = &w->nodes.data[n];
    if (d->context == context && d->loc.i == loc.i &&
        (!bytes || !memcmp (w->numbers.data + d->first_number, numbers, bytes)))
      return n;
  }
  return IR_NONE;
}

static uint32_t add_walk_node (thread_walk *w, uint64_t hash, uint32_t context, ir_loc loc, const number *numbers) {
  bool is_new;
  uint64_t *first = map_insert (&w->node_of, hash, IR_NONE, &is_new);
  thread_node n = {.context = context, .loc = loc, .first_number = w->numbers.count, .next = (uint32_t) *first};
  for (uint32_t k = 0; k < slots_of (w, context); k++) vec_push (&w->numbers, numbers[k]);
  *first = w->nodes.count;
  vec_push (&w->nodes, n);
  w->overflow |= over_limit (THREAD_NODES, w->nodes.count);
  return w->nodes.count - 1;
}

// Too many nodes differ only in numbers: widens the registers in which the last node differs from the first.
static void widen_registers (thread_walk *w, uint32_t first, uint32_t last) {
  const thread_node *a = &w->nodes.data[first], *b = &w->nodes.data[last];
  const number *x = w->numbers.data + a->first_number, *y = w->numbers.data + b->first_number;
  for (uint32_t k = 0; k < slots_of (w, a->context); k++) {
    bool is_new = false;
    if (memcmp (&x[k], &y[k], sizeof *x)) map_insert (&w->widened, (uint64_t) a->loc.i << 32 | k, 1, &is_new);
    w->restart |= is_new;
  }
}

static void count_variant (thread_walk *w, uint32_t n) {
  bool is_new;
  uint64_t key = (uint64_t) w->nodes.data[n].context << 32 | w->nodes.data[n].loc.i;
  uint32_t index = (uint32_t) *map_insert (&w->variants_of, key, w->variants.count, &is_new);
  if (is_new) vec_push (&w->variants, ((variants){.first = n}));
  if (++w->variants.data[index].count > w->most_variants) widen_registers (w, w->variants.data[index].first, n);
}

// An undecided branch on a number is most likely a loop with an unknown bound: limits its nodes more strictly.
void walk_undecided (thread_walk *w, uint32_t n) {
  const uint64_t *index =
      map_find (&w->variants_of, (uint64_t) w->nodes.data[n].context << 32 | w->nodes.data[n].loc.i);
  if (w->variants.data[*index].count > WIDENED_FROM) widen_registers (w, w->variants.data[*index].first, n);
}

static uint32_t walk_node_at (thread_walk *w, uint32_t context, ir_loc loc, const number *numbers) {
  uint64_t hash = walk_node_hash (context, loc, numbers, slots_of (w, context));
  uint32_t n = find_walk_node (w, hash, context, loc, numbers);
  if (n != IR_NONE) return n;
  n = add_walk_node (w, hash, context, loc, numbers);
  count_variant (w, n);
  return n;
}

// ---- the worklist -------------------------------------------------------------------------------------

void walk_wait (thread_walk *w, uint32_t n) {
  if (w->nodes.data[n].waiting) return;
  w->nodes.data[n].waiting = true;
  vec_push (&w->queue, n);
}

static void join_walk_node (thread_walk *w, uint32_t n, const thread_facts *f) {
  thread_node *d = &w->nodes.data[n];
  bool news = !d->reached || facts_weaken (&d->facts, f);
  if (!d->reached) facts_copy (&d->facts, f);
  d->reached = true;
  if (news) walk_wait (w, n);
}

void walk_flow (thread_walk *w, uint32_t context, ir_loc loc, const thread_value *values, thread_facts *f) {
  uint32_t count = slots_of (w, context);
  VEC (number) numbers = {0};
  vec_clear (&f->handles);
  for (uint32_t k = 0; k < count; k++) {
    thread_value v = values[k];
    bool known = v.tag == VALUE_NUMBER && !map_find (&w->widened, (uint64_t) loc.i << 32 | k);
    vec_push (&numbers, ((number){known, known ? v.number : 0}));
    vec_push (&f->handles, v.tag == VALUE_HANDLE ? (uint32_t) v.number : IR_NONE);
  }
  join_walk_node (w, walk_node_at (w, context, loc, numbers.data), f);
  vec_release (&numbers);
}

// Sets the parameters of a thread's entry procedure: its argument, then anything.
static void start_values (const thread_walk *w, const thread_kind *t, thread_value *values) {
  const ir_proc_data *f = ir_proc_at (w->program, t->entry);
  const uint32_t *slot = w->slice->slot[t->entry.i];
  for (uint32_t k = 0; k < w->slice->num_slots[t->entry.i]; k++) values[k] = value_any ();
  if (f->num_params && slot[0] != IR_NONE)
    values[slot[0]] = value_cut (t->argument, f->regs.data[0].bits, w->program->pointer_bits);
}

static void walk_kind (thread_walk *w, uint32_t k) {
  thread_kind *t = &w->kinds.data[k];
  uint32_t count = w->slice->num_slots[t->entry.i];
  thread_value *values = mem_alloc (sizeof *values * (count + 1));
  start_values (w, t, values);
  thread_facts start = {0};
  facts_copy (&start, &t->start);
  walk_flow (w, walk_context (w, IR_NONE, t->entry, k), ir_proc_at (w->program, t->entry)->entry, values, &start);
  for (uint32_t next = 0; next < w->queue.count && !w->overflow; next++) {
    cutoff_look ();
    w->nodes.data[w->queue.data[next]].waiting = false;
    walk_step (w, w->queue.data[next]);
  }
  vec_clear (&w->queue);
  facts_release (&start);
  mem_free (values, sizeof *values * (count + 1));
}

// ---- rounds -------------------------------------------------------------------------------------------

static void begin_round (thread_walk *w) {
  for (uint32_t k = 0; k < w->nodes.count; k++) w->nodes.data[k].reached = w->nodes.data[k].waiting = false;
  for (uint32_t k = 0; k < w->contexts.count; k++) vec_clear (&w->contexts.data[k].returns);
  for (uint32_t k = 0; k < w->kinds.count; k++) {
    facts_release (&w->kinds.data[k].start);
    w->kinds.data[k].start = (thread_facts){0};
    w->kinds.data[k].started = k == 0;
  }
  w->changed = false;
  kinds_compute_foreign (w);
}

// Walks all kinds once; a creator comes before the kinds it creates.
void walk_round (thread_walk *w) {
  begin_round (w);
  for (uint32_t k = 0; k < w->kinds.count && !w->overflow; k++) {
    const thread_kind *t = &w->kinds.data[k];
    if (t->started && w->calls->matters[t->entry.i]) walk_kind (w, k);
    else if (t->started) kinds_end (w, k, &t->start);
  }
}

// ---- life cycle ---------------------------------------------------------------------------------------

void walk_init (thread_walk *w, const slice *s, const loop_pairs *pairs) {
  *w = (thread_walk){.program = s->calls->program, .calls = s->calls, .slice = s, .pairs = pairs};
}

void walk_set_level (thread_walk *w, unsigned level) {
  static const uint32_t variants[WALK_LEVELS] = {300, 8, 4}, depth[WALK_LEVELS] = {40, 3, 1};
  w->most_variants = variants[level];
  w->most_depth = depth[level];
  w->flat = level == WALK_LEVELS - 1;
}

static void walk_clear (thread_walk *w) {
  for (uint32_t k = 0; k < w->kinds.count; k++) facts_release (&w->kinds.data[k].start);
  for (uint32_t k = 0; k < w->contexts.count; k++) vec_release (&w->contexts.data[k].returns);
  for (uint32_t k = 0; k < w->nodes.count; k++) facts_release (&w->nodes.data[k].facts);
  vec_clear (&w->kinds);
  vec_clear (&w->sharings);
  vec_clear (&w->contexts);
  vec_clear (&w->nodes);
  vec_clear (&w->numbers);
  vec_clear (&w->variants);
  vec_clear (&w->queue);
  vec_clear (&w->made);
  map_clear (&w->context_of);
  map_clear (&w->root_of);
  map_clear (&w->node_of);
  map_clear (&w->variants_of);
  map_clear (&w->made_at);
  map_clear (&w->writer_of);
  w->blurred = (small_set){0};
  w->all_detached = w->unknown_join = w->changed = w->restart = w->overflow = false;
}

void walk_restart (thread_walk *w) {
  walk_clear (w);
  kinds_created (w, IR_NONE, IR_NONE, (ir_edge){IR_NONE}, w->program->start);
}

void walk_release (thread_walk *w) {
  walk_clear (w);
  vec_release (&w->kinds);
  vec_release (&w->sharings);
  vec_release (&w->contexts);
  vec_release (&w->nodes);
  vec_release (&w->numbers);
  vec_release (&w->variants);
  vec_release (&w->queue);
  vec_release (&w->made);
  map_release (&w->context_of);
  map_release (&w->root_of);
  map_release (&w->node_of);
  map_release (&w->variants_of);
  map_release (&w->made_at);
  map_release (&w->writer_of);
  map_release (&w->widened);
}
