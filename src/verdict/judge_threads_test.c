// Compares what analysis/threads.h denies with executions: random programs create, join, detach and pass handles
// around, under random schedules.  Two threads that run in parallel must be allowed to by the analysis.
#include "analysis/threads.h"
#include "base/rng.h"
#include "verdict/verdict_test.h"

enum { PROCS = 5 /* main first */, HANDLES = 3, PROGRAMS = 400, RUNS = 8, MOST_STEPS = 400, MOST_ALIVE = 12 };

typedef struct fuzz {
  rng rng;
  strbuf text;
  uint32_t proc, next_loc;  // of the program being written
  uint32_t depth;           // of loops
  bool batched;             // the procedure has its pair of loops
  ir_program *p;
  pointsto *pointsto;
  threads *facts;
  uint32_t kind[IR_MAX_THREADS];  // [slot] of the run
  uint64_t allowed, denied;       // pairs of locations: of threads that run, and of threads that might run
} fuzz;

// ---- random programs -------------------------------------------------------------------------------------
// Registers: r0 the argument, r1 an array of handles on the stack, r2 and r8 handles, r3 the own one, r4 results, r5 a
// counter, r6 a choice.

static uint32_t below (fuzz *f, uint32_t n) { return rng_below (&f->rng, n); }

#define SAY(F, ...)                                           \
  do {                                                        \
    strbuf_printf (&(F)->text, " L%u: ", (F)->next_loc);      \
    strbuf_printf (&(F)->text, __VA_ARGS__);                  \
    strbuf_printf (&(F)->text, " -> L%u", (F)->next_loc + 1); \
    (F)->next_loc++;                                          \
  } while (0)

// Returns a location for a handle.
static const char *any_place (fuzz *f, char out[60]) {
  uint32_t k = 8 * below (f, HANDLES);
  switch (below (f, 6)) {
  case 0:
  case 1: snprintf (out, 60, "&g+%u", k); break;
  case 2: snprintf (out, 60, "(r1 + %u:64)", k); break;
  case 3: snprintf (out, 60, "%s", f->proc ? "r0" : "r1"); break;
  case 4: snprintf (out, 60, f->depth ? "(r1 + (zext.64(r5) * 8:64))" : "r1"); break;
  default: snprintf (out, 60, f->depth ? "(&g + (zext.64(r5) * 8:64))" : "&g"); break;
  }
  return out;
}

static void write_create (fuzz *f) {
  char place[60], argument[60];
  any_place (f, place);
  any_place (f, argument);
  SAY (f, "r7 = thread_create %s, &p%u, %s", place, 1 + below (f, PROCS - 1), argument);
}

static const char *any_handle (fuzz *f) {
  char place[60];
  if (!below (f, 5)) return "r8";
  if (!below (f, 20)) return "r3";
  any_place (f, place);
  SAY (f, "r2 = load.8 %s", place);
  return "r2";
}

static void write_join (fuzz *f) {
  const char *handle = any_handle (f);
  if (below (f, 2)) {
    SAY (f, "r3 = thread_self");
    strbuf_printf (&f->text, " L%u: assume (%s == r3) -> L%u", f->next_loc, handle, f->next_loc + 2);
    SAY (f, "assume (%s != r3)", handle);
  }
  SAY (f, "r4 = thread_join %s", handle);
}

static void write_detach (fuzz *f) {
  if (below (f, 2)) SAY (f, "r3 = thread_self");
  const char *handle = any_handle (f);
  SAY (f, "thread_detach %s", handle);
}

static void write_copy (fuzz *f) {
  char place[60];
  if (below (f, 2)) SAY (f, "r8 = load.8 %s", any_place (f, place));
  else SAY (f, "store.8 %s, %s", any_place (f, place), below (f, 2) ? "r8" : "r0");
}

static void write_call (fuzz *f) {
  char place[60];
  any_place (f, place);
  SAY (f, "%s = call &p%u, %s", below (f, 2) ? "r8" : "r4", 1 + below (f, PROCS - 1), place);
}

static void write_some (fuzz *f, uint32_t count);

static void write_loop (fuzz *f) {
  SAY (f, "r5 = assign 0:32");
  uint32_t head = f->next_loc++, rounds = 1 + below (f, HANDLES);
  f->depth++;
  write_some (f, 1 + below (f, 2));
  f->depth--;
  uint32_t last = f->next_loc++, behind = f->next_loc;
  strbuf_printf (&f->text, " L%u: assume (r5 u< %u:32) -> L%u L%u: assume (%u:32 u<= r5) -> L%u", head, rounds,
                 head + 1, head, rounds, behind);
  strbuf_printf (&f->text, " L%u: r5 = assign (r5 + 1:32) -> L%u", last, head);
}

// The loop may end at any iteration; the counter may have any value in it.
static void write_endless_loop (fuzz *f) {
  if (below (f, 2)) SAY (f, "r5 = nondet");
  uint32_t head = f->next_loc;
  SAY (f, "r6 = nondet");
  SAY (f, "r5 = assign (r5 & 1:32)");
  uint32_t choice = f->next_loc++;
  f->depth++;
  write_some (f, 1 + below (f, 3));
  f->depth--;
  uint32_t last = f->next_loc++;
  strbuf_printf (&f->text, " L%u: assume r6 -> L%u L%u: assume (r6 ^ 1:1) -> L%u", choice, choice + 1, choice,
                 f->next_loc);
  strbuf_printf (&f->text, " L%u: r5 = assign (r5 + %u:32) -> L%u", last, below (f, 2), head);
}

// ---- a pair of loops, one of each per procedure
// r9 and r10 are the counters, r11 a bound, r12 and r13 bounds that were loaded, r14 the handle.

static void disturb (fuzz *f, uint32_t one_in) {
  if (below (f, one_in)) return;
  switch (below (f, 4)) {
  case 0: SAY (f, "r11 = assign (r11 & 1:32)"); break;
  case 1: SAY (f, "store.4 &n, %u:32", below (f, 3)); break;
  default: write_some (f, 1); break;
  }
}

// The head of a loop; returns the location of the branch, whose end is not known yet.
static uint32_t write_head (fuzz *f, uint32_t counter, uint32_t *head) {
  SAY (f, "r%u = assign 0:32", counter);
  *head = f->next_loc;
  SAY (f, "r%u = load.4 &n", counter + 3);
  return f->next_loc++;
}

static void write_tail (fuzz *f, uint32_t counter, const char *bound, uint32_t head, uint32_t branch) {
  if (*bound == 'l') bound = counter == 9 ? "r12" : "r13";
  uint32_t last = f->next_loc++;
  strbuf_printf (&f->text, " L%u: r%u = assign (r%u + 1:32) -> L%u", last, counter, counter, head);
  strbuf_printf (&f->text, " L%u: assume (r%u s< %s) -> L%u", branch, counter, bound, branch + 1);
  strbuf_printf (&f->text, " L%u: assume (%s s<= r%u) -> L%u", branch, bound, counter, f->next_loc);
}

static const char *any_bound (fuzz *f) {
  static const char *const bounds[] = {"r11", "r11", "loaded", "loaded", "2:32", "3:32"};
  return bounds[below (f, 6)];
}

static void write_creating (fuzz *f, const char *array, const char *bound) {
  uint32_t head, branch = write_head (f, 9, &head);
  disturb (f, 8);
  SAY (f, "r7 = thread_create (%s + (sext.64(r9) * 8:64)), &p%u, 0:64", array, 1 + below (f, PROCS - 1));
  disturb (f, 8);
  write_tail (f, 9, bound, head, branch);
}

static void write_joining (fuzz *f, const char *array, const char *bound) {
  uint32_t head, branch = write_head (f, 10, &head);
  disturb (f, 8);
  SAY (f, "r14 = load.8 (%s + (sext.64(r10) * 8:64))", array);
  disturb (f, 8);
  if (!below (f, 6)) {
    SAY (f, "r6 = nondet");
    strbuf_printf (&f->text, " L%u: assume r6 -> L%u", f->next_loc, f->next_loc + 2);
    SAY (f, "assume (r6 ^ 1:1)");
  }
  SAY (f, "r4 = thread_join r14");
  write_tail (f, 10, bound, head, branch);
}

static void write_batch (fuzz *f) {
  const char *array = below (f, 2) ? "r1" : "&g", *bound = any_bound (f);
  if (f->batched) return;
  f->batched = true;
  bool nested = !below (f, 8);
  uint32_t choice = 0;
  if (nested) SAY (f, "r6 = nondet");
  if (nested) choice = f->next_loc - 1;
  write_creating (f, array, bound);
  disturb (f, 4);
  if (nested) {
    strbuf_printf (&f->text, " L%u: assume r6 -> L%u", f->next_loc, choice);
    SAY (f, "assume (r6 ^ 1:1)");
  }
  write_joining (f, below (f, 8) ? array : "&g", below (f, 8) ? bound : any_bound (f));
}

static void write_branch (fuzz *f) {
  SAY (f, "r6 = nondet");
  uint32_t head = f->next_loc++;
  write_some (f, 1);
  strbuf_printf (&f->text, " L%u: assume r6 -> L%u L%u: assume (r6 ^ 1:1) -> L%u", head, head + 1, head, f->next_loc);
}

static void write_one (fuzz *f) {
  uint32_t what = below (f, 40);
  if (what < 11) write_create (f);
  else if (what < 25) write_join (f);
  else if (what < 28) write_copy (f);
  else if (what < 31) write_call (f);
  else if (what < 32) write_detach (f);
  else if (what < 34 && !f->depth) write_loop (f);
  else if (what < 36 && !f->depth) write_endless_loop (f);
  else if (what < 37) write_batch (f);
  else if (what < 39) write_branch (f);
  else SAY (f, "store.8 &data, r0");
}

static void write_some (fuzz *f, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) write_one (f);
}

static void write_end (fuzz *f) {
  strbuf_printf (&f->text, " L%u: ", f->next_loc++);
  if (!below (f, 6)) strbuf_printf (&f->text, "thread_exit r4");
  else if (f->proc) strbuf_printf (&f->text, "return %s", below (f, 2) ? "r8" : "r2");
  else strbuf_printf (&f->text, "exit 0:32");
}

static void write_proc (fuzz *f) {
  uint32_t k = f->proc;
  strbuf_printf (&f->text, " proc p%u = #%u (%s) %s entry L%u {", k, 4 + k, k ? "r0:64" : "", k ? "-> 64" : "",
                 f->next_loc);
  strbuf_printf (
      &f->text,
      " regs %sr1:64, r2:64, r3:64, r4:64, r5:32, r6:1, r7:32, r8:64, r9:32, r10:32, r11:32, r12:32, r13:32, r14:64",
      k ? "" : "r0:64, ");
  SAY (f, "r1 = alloc stack %u:64", 8 * (HANDLES + 1));
  SAY (f, "r11 = nondet");
  SAY (f, "r11 = assign (r11 & 3:32)");
  f->batched = false;
  write_some (f, k ? below (f, 4) : 3 + below (f, 8));
  write_end (f);
  strbuf_printf (&f->text, " }");
}

static void fuzz_init (fuzz *f, uint64_t seed) {
  *f = (fuzz){.rng = {seed}};
  strbuf_printf (&f->text,
                 "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 g : %u bytes global #2 data : 8 bytes global "
                 "#3 n : 4 bytes init \"\\x02\\x00\\x00\\x00\"",
                 8 * (HANDLES + 1));
  for (uint32_t k = 0; k < PROCS; k++) strbuf_printf (&f->text, " function #%u p%u : 0 bytes", 4 + k, k);
  strbuf_printf (&f->text, " start &p0");
  for (f->proc = 0; f->proc < PROCS; f->proc++) write_proc (f);
  char *error = NULL;
  f->p = ir_parse (strbuf_text (&f->text), "fuzz.ir", &error);
  if (!f->p || !ir_check (f->p, &error)) fail_msg ("%s\n%s", error, strbuf_text (&f->text));
  f->pointsto = pointsto_new (f->p);
  f->facts = threads_new (f->p, f->pointsto);
}

static void fuzz_release (fuzz *f) {
  threads_free (f->facts);
  pointsto_free (f->pointsto);
  ir_program_free (f->p);
  strbuf_release (&f->text);
}

// ---- random runs -----------------------------------------------------------------------------------------

static bool choose_small (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  fuzz *f = m->choose_state;
  (void) kind, (void) address;
  *value = below (f, 4) & value_mask (bits);
  return true;
}

static bool is_kind (const fuzz *f, uint32_t k, ir_edge creator, ir_proc entry) {
  return threads_creator (f->facts, k).i == creator.i && threads_entry (f->facts, k).i == entry.i;
}

static uint32_t find_kind (fuzz *f, uint32_t parent, ir_edge creator, ir_proc entry) {
  for (uint32_t k = 0; k < threads_count (f->facts); k++)
    if (is_kind (f, k, creator, entry) && threads_parent (f->facts, k) == parent) return k;
  return IR_NONE;
}

// Returns the kind of a thread that was made by this edge: the kind of its creator or one above that, else one below
// its creator; in a flat tree, below kind 0.
static uint32_t kind_of_new (fuzz *f, uint32_t by, ir_edge creator, ir_proc entry) {
  for (uint32_t k = by; k != IR_NONE; k = threads_parent (f->facts, k))
    if (is_kind (f, k, creator, entry)) return k;
  uint32_t parents[3] = {by, 0, IR_NONE};
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t k = find_kind (f, parents[i], creator, entry);
    if (k != IR_NONE) return k;
  }
  fail_msg ("no kind for a thread of p%u\n%s", entry.i, strbuf_text (&f->text));
  return 0;
}

static ir_loc place_of (const machine *m, uint32_t slot) { return vec_last (&m->threads[slot].frames).loc; }

static void check_pair (fuzz *f, const machine *m, uint32_t a, uint32_t b) {
  ir_loc la = place_of (m, a), lb = place_of (m, b);
  f->allowed++;
  if (!threads_parallel (f->facts, f->kind[a], la, f->kind[b], lb) ||
      !threads_parallel (f->facts, f->kind[b], lb, f->kind[a], la))
    fail_msg ("kind %u is at L%u while kind %u is at L%u\n%s", f->kind[a], la.i, f->kind[b], lb.i,
              strbuf_text (&f->text));
  if (threads_alone (f->facts, f->kind[a], la))
    fail_msg ("kind %u is not alone at L%u\n%s", f->kind[a], la.i, strbuf_text (&f->text));
}

static void check_thread (fuzz *f, const machine *m, uint32_t slot) {
  if (m->threads[slot].state != THREAD_RUNNING) return;
  assert_true (threads_runs (f->facts, f->kind[slot], place_of (m, slot)));
  for (uint32_t other = 0; other < m->num_slots; other++)
    if (other != slot && m->threads[other].state == THREAD_RUNNING) check_pair (f, m, slot, other);
}

static bool step (fuzz *f, machine *m, uint32_t slot) {
  action a = action_of (m, slot);
  ir_edge e = a.e;
  ir_op op = a.d->op;
  if (machine_step (m, slot) != STEP_DONE) return false;
  if (op == IR_THREAD_CREATE) {
    f->kind[m->woken] = kind_of_new (f, f->kind[slot], e, m->threads[m->woken].frames.data[0].proc);
    check_thread (f, m, m->woken);
  }
  check_thread (f, m, slot);
  return true;
}

static uint32_t pick (fuzz *f, machine *m) {
  uint32_t enabled[IR_MAX_THREADS], n = 0;
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (machine_enabled (m, slot)) enabled[n++] = slot;
  return n ? enabled[below (f, n)] : IR_NONE;
}

static void run_randomly (fuzz *f) {
  machine m;
  arena *memory = arena_new ();
  semantics s = {.properties = 0, .max_threads = MOST_ALIVE};
  machine_init (&m, f->p, &s, memory);
  m.choose = choose_small;
  m.choose_state = f;
  f->kind[0] = 0;
  uint32_t slot = 0, switch_one_in = 1 + below (f, 8);
  for (uint32_t n = 0; n < MOST_STEPS && slot != IR_NONE; n++) {
    if (!machine_enabled (&m, slot) || !below (f, switch_one_in)) slot = pick (f, &m);
    if (slot != IR_NONE && !step (f, &m, slot)) break;
  }
  machine_release (&m);
  arena_free (memory);
}

// Counts how much is denied: locations of main against the entries of the other kinds.
static void count_denied (fuzz *f) {
  const ir_proc_data *start = ir_proc_at (f->p, f->p->start);
  for (uint32_t k = 1; k < threads_count (f->facts); k++)
    for (uint32_t i = 0; i < start->locs.count; i++)
      f->denied += !threads_parallel (f->facts, 0, start->locs.data[i], k,
                                      ir_proc_at (f->p, threads_entry (f->facts, k))->entry);
}

static void threads_that_meet_may_do_so (void **state) {
  (void) state;
  uint64_t allowed = 0, denied = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    fuzz f;
    fuzz_init (&f, seed);
    for (uint32_t k = 0; k < RUNS; k++) run_randomly (&f);
    count_denied (&f);
    allowed += f.allowed;
    denied += f.denied;
    fuzz_release (&f);
  }
  assert_true (allowed > 100 * PROGRAMS);
  assert_true (denied > 5 * PROGRAMS);
}

TEST_MAIN (cmocka_unit_test (threads_that_meet_may_do_so))
