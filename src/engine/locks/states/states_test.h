// Small programs for the tests of the lock analysis, and its facts about them.  Every program has the globals below and
// the procedures start, one (r0), two (r0) and help (r0, r1).  A body is a list of operations in the text form, each
// followed by the next one; names stand in single quotes.  Further:
//
//   L7: OP;         a label of the procedure
//   OP -> L7;       goes there instead
//   if X L7;        goes there if the bit X is 1
//
// Registers: r0 to r5 of 64 bits, r6 to r9 of 32 (r9 for results that no operation uses), r10 and r11 of one.
#ifndef LOCKSTEP_LOCKS_TEST_H
#define LOCKSTEP_LOCKS_TEST_H

#include "analysis/text_test.h"
#include "engine/locks/states/states_impl.h"

#define LOCK(M) "r9 = mutex_lock " M "; "
#define UNLOCK(M) "r9 = mutex_unlock " M "; "
#define WRITE(NAME) "store.8 &x, 1:64 name '" NAME "'; "
#define CREATE(PROC, ARG) "r9 = thread_create &h, &" PROC ", " ARG " name 'create " PROC "'; "
#define JOIN "r5 = load.8 &h; r4 = thread_join r5; "
#define EXIT "exit 0:32; "
#define RETURN "return 0:64; "
#define BOTH CREATE ("one", "0:64") "r9 = thread_create &h+8, &two, 0:64 name 'create two'; "

typedef struct lock_fixture {
  ir_program *program;
  budget budget;
  lock_analysis a;
} lock_fixture;

// ---- writing programs -----------------------------------------------------------------------------------------------
// a, b, c: mutexes; w: rwlock; o: once; n: atomic variable; x: data; p: pointer; s: four elements, each a mutex with
// eight bytes of data behind it; h: handles; taken: atomic variable that begins as 1.
static const char test_objects[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 a : 40 bytes global #2 b : 40 bytes global #3 c : 40 bytes "
    "global #4 w : 56 bytes global #5 o : 4 bytes global #6 n : 4 bytes global #7 x : 8 bytes global #8 p : 8 bytes "
    "global #9 s : 192 bytes global #10 h : 64 bytes global #11 taken : 4 bytes init \"\\x01\" "
    "function #12 start : 0 bytes "
    "function #13 one : 0 bytes function #14 two : 0 bytes function #15 help : 0 bytes start &start ";

enum { TEST_PROCS = 4, FIRST_LABEL = 500, LOCATIONS = 1000 };  // of each procedure: numbered, then labelled ones

static inline void add_operation (strbuf *out, const char *text, size_t count, uint32_t proc) {
  for (const char *end = text + count; text < end; text++) {
    strbuf_add_char (out, *text == '\'' ? '"' : *text);
    if (text[0] != 'L' || !isdigit (text[1])) continue;
    char *end_of_number;
    strbuf_printf (out, "%u", (unsigned) (proc * LOCATIONS + FIRST_LABEL + strtoul (text + 1, &end_of_number, 10)));
    text = end_of_number - 1;
  }
}

static inline bool text_has (const char *text, size_t count, const char *part) {
  const char *at = strstr (text, part);
  return at && at < text + count;
}

static inline void add_branch (strbuf *out, const char *text, size_t count, uint32_t proc, uint32_t at) {
  int condition = (int) (strchr (text, 'L') - text);
  strbuf_printf (out, "assume %.*s -> ", condition, text);
  add_operation (out, text + condition, count - (size_t) condition, proc);
  strbuf_printf (out, " L%u: assume (%.*s == 0:1) -> L%u ", at, condition, text, at + 1);
}

static inline void add_line (strbuf *out, const char *text, size_t count, uint32_t proc, uint32_t at) {
  const char *colon = text[0] == 'L' ? strchr (text, ':') + 1 : text;
  if (colon > text) {
    add_operation (out, text, (size_t) (colon - text), proc);
    strbuf_printf (out, " nop -> L%u ", at);
    count -= (size_t) (colon + 1 - text);
    text = colon + 1;
  }
  strbuf_printf (out, "L%u: ", at);
  if (!strncmp (text, "if ", 3)) {
    add_branch (out, text + 3, count - 3, proc, at);
    return;
  }
  add_operation (out, text, count, proc);
  bool ends = !strncmp (text, "return", 6) || !strncmp (text, "exit", 4) || text_has (text, count, "->");
  if (!ends) strbuf_printf (out, " -> L%u", at + 1);
  strbuf_add_char (out, ' ');
}

static inline void add_proc (strbuf *out, uint32_t proc, const char *body) {
  static const char *const heads[TEST_PROCS] = {"start = #12 ()", "one = #13 (r0:64) -> 64", "two = #14 (r0:64) -> 64",
                                                "help = #15 (r0:64, r1:64) -> 64"};
  static const char *const regs[TEST_PROCS] = {"r0:64, r1:64, ", "r1:64, ", "r1:64, ", ""};
  strbuf_printf (out,
                 "proc %s entry L%u { regs %sr2:64, r3:64, r4:64, r5:64, r6:32, r7:32, r8:32, r9:32, r10:1, r11:1 ",
                 heads[proc], proc * LOCATIONS, regs[proc]);
  for (uint32_t at = proc * LOCATIONS; *body; at++) {
    const char *end = strchr (body, ';');
    add_line (out, body, (size_t) (end - body), proc, at);
    for (body = end + 1; *body == ' ';) body++;
  }
  strbuf_add (out, "} ");
}

// NULL: it returns at once.
static inline ir_program *program_of_bodies (const char *start, const char *one, const char *two, const char *help) {
  const char *bodies[TEST_PROCS] = {start, one, two, help};
  strbuf text = {0};
  strbuf_add (&text, test_objects);
  for (uint32_t k = 0; k < TEST_PROCS; k++) add_proc (&text, k, bodies[k] ? bodies[k] : RETURN);
  ir_program *p = program_of_text (strbuf_text (&text));
  strbuf_release (&text);
  return p;
}

static inline void fixture_init (lock_fixture *f, const char *start, const char *one, const char *two,
                                 const char *help) {
  f->program = program_of_bodies (start, one, two, help);
  budget_start (&f->budget, 0, 0);
  lock_analysis_init (&f->a, f->program, &f->budget);
}

static inline void fixture_release (lock_fixture *f) {
  lock_analysis_release (&f->a);
  ir_program_free (f->program);
}

// ---- asking ---------------------------------------------------------------------------------------------------------
static inline ir_proc proc_named (const lock_fixture *f, const char *name) {
  for (uint32_t k = 0; k < f->program->procs.count; k++)
    if (!strcmp (f->program->procs.data[k].name, name)) return (ir_proc){k};
  fail_msg ("no procedure is named %s", name);
  return (ir_proc){0};
}

static inline ir_edge edge_of (const lock_fixture *f, const char *name) { return edge_named (f->program, name); }
static inline ir_loc place_of (const lock_fixture *f, const char *name) {
  return ir_edge_at (f->program, edge_of (f, name))->from;
}
static inline ir_proc proc_at (const lock_fixture *f, const char *edge) {
  return ir_loc_at (f->program, place_of (f, edge))->proc;
}

static inline value_term value_of (lock_fixture *f, const char *edge, unsigned arg) {
  return value_of_expr (&f->a.values, proc_at (f, edge), ir_arg (f->program, edge_of (f, edge), arg));
}

static inline term_address address_of (lock_fixture *f, const char *edge, unsigned arg) {
  return address_split (&f->a.values, value_of (f, edge, arg));
}

static inline ir_expr address_named (const lock_fixture *f, const char *object, uint32_t offset) {
  for (uint32_t o = 1; o < f->program->objects.count; o++)
    if (!strcmp (f->program->objects.data[o].name, object)) return ir_addr (f->program, (ir_object){o}, offset);
  fail_msg ("no object is named %s", object);
  return (ir_expr){0};
}

// The lock at a place of a global.
static inline uint32_t lock_in (lock_fixture *f, ir_family family, const char *object, uint32_t offset) {
  term_address at = address_in (&f->a.values, f->program->start, address_named (f, object, offset));
  return lock_named (&f->a.locks, family, at, (lock_site){{IR_NONE}, 0, 0});
}

static inline uint32_t mutex_named (lock_fixture *f, const char *object) { return lock_in (f, IR_F_MUTEX, object, 0); }

// The kind of the threads that begin in the procedure.
static inline uint32_t kind_named (const lock_fixture *f, const char *proc) {
  for (uint32_t k = 0; k < threads_count (f->a.threads); k++)
    if (threads_entry (f->a.threads, k).i == proc_named (f, proc).i) return k;
  fail_msg ("no thread begins in %s", proc);
  return 0;
}

// ---- states ---------------------------------------------------------------------------------------------------------
typedef VEC (effect) states;

static inline void add_state (void *user, uint32_t context, uint32_t node, effect *e) {
  states *all = user;
  (void) context, (void) node;
  vec_push (all, *e);
}

// All states in which threads of the kind may stand before the edge; the caller releases them.
static inline states states_at (lock_fixture *f, const char *kind, const char *edge) {
  states all = {0};
  for_each_state (&f->a, kind_named (f, kind), place_of (f, edge), add_state, &all);
  return all;
}

static inline effect only_state (lock_fixture *f, const char *kind, const char *edge) {
  states all = states_at (f, kind, edge);
  assert_int_equal (all.count, 1);
  effect e = all.data[0];
  vec_release (&all);
  return e;
}

#endif
