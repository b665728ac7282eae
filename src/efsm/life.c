// Creation, join and end of threads: threads communicate these through shared variables.
#include "efsm/build_impl.h"

static term truth (build *b) { return b->terms->truth; }

static uint32_t flag (build *b, variable_kind kind, uint32_t thread) {
  return build_variable (b, kind, thread, 0, 1, IR_NONE, kind == V_STARTED && !thread ? truth (b) : b->terms->falsity);
}

static uint32_t word (build *b, variable_kind kind, uint32_t thread) {
  unsigned bits = b->program->pointer_bits;
  return build_variable (b, kind, thread, 0, bits, IR_NONE, build_number (b, bits, 0));
}

term life_waits (build *b, uint32_t thread) { return build_get (b, word (b, V_WAITS, thread)); }
void life_set_waits (build *b, uint32_t thread, term address, term condition) {
  build_put (b, word (b, V_WAITS, thread), address, condition);
}

term life_over (build *b) { return build_get (b, flag (b, V_OVER, 0)); }
void life_exit_process (build *b) { build_put (b, flag (b, V_OVER, 0), truth (b), truth (b)); }

// ---- creation ---------------------------------------------------------------------------------------
uint32_t life_thread_for (build *b, const creation *c, uint32_t ordinal) {
  uint32_t child = IR_NONE;
  for (uint32_t k = 0; k < c->functions.list.count; k++) {
    ir_proc proc = build_proc_of (b, c->functions.list.data[k].object);
    if (proc.i != IR_NONE) child = build_facts_thread (b->facts, b->thread, c->site, ordinal, proc);
  }
  return child;
}

term life_started (build *b, uint32_t thread) { return build_get (b, flag (b, V_STARTED, thread)); }

term life_start_one (build *b, const creation *c, uint32_t ordinal, term condition) {
  uint32_t child = life_thread_for (b, c, ordinal);
  if (child == IR_NONE || child >= b->facts->options->max_threads) {
    build_cut (b, condition, "threads");
    return build_number (b, 32, 0);
  }
  build_put (b, flag (b, V_STARTED, child), truth (b), condition);
  build_put (b, word (b, V_FUNCTION, child), c->function, condition);
  build_put (b, word (b, V_ARGUMENT, child), c->argument, condition);
  return build_number (b, 32, child + 1);
}

static term start (build *b, const creation *c) {
  if (crowd_has (b, b->thread)) build_doubt (b, truth (b), "threads of which there is any number start threads");
  uint32_t most = build_facts_repeats (b->facts, b->copy, b->edge);
  if (!most) return life_start_one (b, c, 0, truth (b));
  if (crowd_is_wanted (b) && !build_facts_knows_times (b->facts, b->copy, b->edge)) return crowd_start (b, c);
  uint32_t made = build_variable (b, V_MADE, b->copy, b->edge.i, 8, b->thread, build_number (b, 8, 0));
  term count = build_get (b, made), handle = build_number (b, 32, 0);
  build_cut (b, term_ule (b->terms, build_number (b, 8, most), count), "threads");
  for (uint32_t k = 0; k < most; k++) {
    term is_it = term_eq (b->terms, count, build_number (b, 8, k));
    handle = term_ite (b->terms, is_it, life_start_one (b, c, k, is_it), handle);
  }
  build_put (b, made, term_add (b->terms, count, build_number (b, 8, 1)), truth (b));
  return handle;
}

void life_create (build *b) {
  uint32_t bytes = b->program->pointer_bits / 8;
  creation c = {.function = build_arg (b, 1), .site = (uint64_t) b->copy << 32 | b->edge.i};
  c.argument = term_resize (b->terms, build_arg (b, 2), b->program->pointer_bits);
  pointers_targets (&b->facts->pointers, c.function, &c.functions);
  build_check_function (b, &c.functions);
  targets at = {0};
  store_check (b, build_arg (b, 0), (access_kind){.bytes = bytes, .write = true}, &at);
  term handle = term_resize (b->terms, start (b, &c), 8 * bytes);
  store_write (b, &at, 0, bytes, cells_defined (b->terms, handle, bytes), truth (b));
  pointers_release_targets (&at);
  pointers_release_targets (&c.functions);
  build_result (b, build_number (b, 32, 0));
}

// ---- end, join and detach ---------------------------------------------------------------------------
void life_start (build *b) { build_require (b, build_get (b, flag (b, V_STARTED, b->thread))); }

void life_end (build *b, term result) {
  build_misuse (b, primitive_holds_any (b));
  primitive_end_holding (b);
  build_put (b, flag (b, V_ENDED, b->thread), truth (b), truth (b));
  build_put (b, word (b, V_RESULT, b->thread), result, truth (b));
}

// The thread that the handle names; found: there is one, result: its return value; past: the handle belonged to a
// thread that was joined or detached.
typedef struct named {
  term found, ended, result, past;
} named;

static named find_named (build *b, term handle) {
  unsigned bits = term_bits (b->terms, handle);
  named n = {b->terms->falsity, b->terms->falsity, build_number (b, b->program->pointer_bits, 0), b->terms->falsity};
  for (uint32_t t = 0; t < b->facts->threads.count; t++) {
    term is_it = term_eq (b->terms, handle, build_number (b, bits, t + 1));
    if (term_is_false (b->terms, is_it) || crowd_has (b, t)) continue;  // no handle names a replicated thread
    term started = build_get (b, flag (b, V_STARTED, t)), gone = build_get (b, flag (b, V_GONE, t)),
         ended = build_get (b, flag (b, V_ENDED, t));
    n.past = term_or (b->terms, n.past, term_and (b->terms, is_it, term_and (b->terms, gone, ended)));
    is_it = term_and (b->terms, is_it, term_and (b->terms, started, term_not (b->terms, gone)));
    n.found = term_or (b->terms, n.found, is_it);
    n.ended = term_or (b->terms, n.ended, term_and (b->terms, is_it, ended));
    n.result = term_ite (b->terms, is_it, build_get (b, word (b, V_RESULT, t)), n.result);
    build_put (b, flag (b, V_GONE, t), truth (b), is_it);
  }
  return n;
}

// In the program the handle may belong to another thread by now. If misuse is checked, this is a violation, and its
// absence need not be shown a second time.
static void check_handle (build *b, const named *n) {
  build_misuse (b, term_not (b->terms, n->found));
  if (b->facts->options->handles_come_back && !build_selected (b, IR_P_LOCKS))
    build_doubt (b, n->past, "a handle is used after its thread was joined or detached");
}

void life_join (build *b) {
  named n = find_named (b, build_arg (b, 0));
  term nobody = term_not (b->terms, n.found);
  check_handle (b, &n);
  build_waits (b, term_or (b->terms, nobody, n.ended),
               waits_for_owner (b->terms, term_resize (b->terms, build_arg (b, 0), 32)));
  b->m->points.data[b->point].joins = true;
  unsigned bits = b->program->pointer_bits;
  term unknown = crowd_is_wanted (b) ? build_choice (b, bits, nobody) : build_number (b, bits, 0);
  build_result (b, term_ite (b->terms, nobody, unknown, n.result));
}

void life_detach (build *b) {
  named n = find_named (b, build_arg (b, 0));
  check_handle (b, &n);
}
