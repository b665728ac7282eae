// Small programs for the tests of this engine, written in the text form of docs/formats/ir.md, without labels: thread 0
// creates the others, then each thread executes its own line of operations.
//
//   static const char *const threads[] = {"", "r1 = mutex_lock &m; store.4 &x, 1:32", "r1 = load.4 &x"};
//   explicit_fixture s;
//   explicit_fixture_init (&s, "m:40 x:4", threads, 3);  // objects with their sizes; * makes one per thread
//   take_steps_of (&s, 1, 1);                            // thread 1 takes one step
//   explicit_fixture_release (&s);
//
// An operation may carry a number: "7: nop" can be jumped to by "goto 7", "if r2 goto 7" or "any 7" (jumps or
// continues, by choice). Registers: r0:64 the argument, r1:32 to r4:32, r5:64 and r6:64, r7:8, r8:1.
#ifndef LOCKSTEP_EXPLICIT_TEST_H
#define LOCKSTEP_EXPLICIT_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/test.h"
#include "engine/explicit/explicit_impl.h"

enum { ALL_PROPERTIES = (1 << IR_NUM_PROPERTIES) - 1, MOST_OPERATIONS = 64, MOST_NUMBERS = 10 };

// ---- from lines to the text form ----------------------------------------------------------------------
typedef struct program_text {
  strbuf text;
  uint32_t next_loc, line;
} program_text;

// Splits the text at `separator`; the parts are valid as long as `copy`.
static inline uint32_t split (char *copy, const char *separator, char *parts[MOST_OPERATIONS]) {
  uint32_t count = 0;
  for (char *p = strtok (copy, separator); p; p = strtok (NULL, separator)) {
    while (*p == ' ') p++;
    assert_true (count < MOST_OPERATIONS);
    if (*p) parts[count++] = p;
  }
  return count;
}

static inline bool begins (const char *text, const char *with) { return !strncmp (text, with, strlen (with)); }

static inline void add_edge (program_text *l, uint32_t from, const char *operation, uint32_t to) {
  strbuf_printf (&l->text, "L%u: %s @%u:1", from, operation, l->line);
  bool ends = begins (operation, "return") || begins (operation, "exit") || begins (operation, "thread_exit");
  strbuf_printf (&l->text, ends ? "\n" : " -> L%u\n", to);
}

// Adds one operation at a location; `numbered` are the locations of the numbers.
static inline void add_operation (program_text *l, uint32_t at, char *operation, const uint32_t *numbered) {
  char *jump = strstr (operation, "goto ");
  unsigned reg, number;
  l->line++;
  if (sscanf (operation, "any %u", &number) == 1) {
    add_edge (l, at, "r8 = nondet", l->next_loc);
    add_edge (l, l->next_loc, "assume r8", numbered[number]);
    add_edge (l, l->next_loc++, "assume (r8 ^ 1:1)", at + 1);
  } else if (sscanf (operation, "if r%u goto %u", &reg, &number) == 2) {
    char condition[64];
    uint32_t width = reg == 8 ? 1 : reg == 7 ? 8 : 32;
    snprintf (condition, sizeof condition, "assume (r%u != 0:%u)", reg, width);
    add_edge (l, at, condition, numbered[number]);
    snprintf (condition, sizeof condition, "assume (r%u == 0:%u)", reg, width);
    add_edge (l, at, condition, at + 1);
  } else if (jump) add_edge (l, at, "nop", numbered[atoi (jump + 5)]);
  else add_edge (l, at, operation, at + 1);
}

// Adds a line: the locations first .. first + count are its operations and the end; further locations come after these.
static inline void add_line (program_text *l, const char *line, const char *end) {
  char copy[4096], *parts[MOST_OPERATIONS];
  uint32_t numbered[MOST_NUMBERS] = {0}, first = l->next_loc;
  assert_true (strlen (line) < sizeof copy);
  uint32_t count = split (strcpy (copy, line), ";", parts);
  for (uint32_t k = 0; k < count; k++)
    if (parts[k][0] >= '0' && parts[k][0] <= '9') {
      numbered[parts[k][0] - '0'] = first + k;
      parts[k] += 2;
      while (*parts[k] == ' ') parts[k]++;
    }
  l->next_loc += count + 1;
  for (uint32_t k = 0; k < count; k++) add_operation (l, first + k, parts[k], numbered);
  l->line++;
  add_edge (l, first + count, end, 0);
}

static inline void add_objects (program_text *l, const char *objects, uint32_t num_threads) {
  char copy[1024], *parts[MOST_OPERATIONS];
  uint32_t count = split (strcpy (copy, objects), " ", parts), number = 1;
  for (uint32_t t = 0; t < num_threads; t++) strbuf_printf (&l->text, "function #%u thread%u : 0 bytes\n", number++, t);
  strbuf_printf (&l->text, "global #%u handles : %u bytes align 8\n", number++, 8 * num_threads);
  for (uint32_t k = 0; k < count; k++) {
    char *size = strchr (parts[k], ':');
    *size = 0;
    bool local = parts[k][0] == '*';
    strbuf_printf (&l->text, "%s #%u %s : %s bytes align 8\n", local ? "thread_local" : "global", number++,
                   parts[k] + local, size + 1);
  }
}

static inline ir_program *program_of (const char *objects, const char *const threads[], uint32_t num_threads) {
  program_text l = {0};
  strbuf_add (&l.text, "lockstep-ir 1 pointer_bits 64 offset_bits 32\n");
  add_objects (&l, objects, num_threads);
  strbuf_add (&l.text, "start &thread0\n");
  for (uint32_t t = 0; t < num_threads; t++) {
    l.line = 0;
    strbuf_printf (&l.text, "proc thread%u = #%u (%s) %s @\"t%u.c\":1:1 entry L%u {\n  regs %s r1:32, r2:32, ", t,
                   t + 1, t ? "r0:64" : "", t ? "-> 64" : "", t, l.next_loc, t ? "" : "r0:64,");
    strbuf_add (&l.text, "r3:32, r4:32, r5:64, r6:64, r7:8, r8:1\n");
    strbuf line = {0};
    for (uint32_t u = 1; !t && u < num_threads; u++)
      strbuf_printf (&line, "r1 = thread_create &handles+%u, &thread%u, %u:64; ", 8 * u, u, u);
    strbuf_add (&line, threads[t]);
    add_line (&l, strbuf_text (&line), t ? "return 0:64" : "exit 0:32");
    strbuf_release (&line);
    strbuf_add (&l.text, "}\n");
  }
  char *error = NULL;
  ir_program *p = ir_parse (strbuf_text (&l.text), "test", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s in\n%s", error, strbuf_text (&l.text));
  strbuf_release (&l.text);
  return p;
}

// ---- one state of such a program ----------------------------------------------------------------------
typedef struct explicit_fixture {
  ir_program *program;
  semantics semantics;
  code code;
  store_tables tables;
  store store;
  position_names names;
  current_state w;
} explicit_fixture;

static inline void take_steps_of (explicit_fixture *s, uint32_t slot, uint32_t steps) {
  while (steps--) {
    assert_true (xs_exec_enabled (&s->w, slot));
    vec_clear (&s->w.step.choices);
    xs_step_begin (&s->w);
    assert_int_equal (xs_exec_step (&s->w, slot), STEP_DONE);
    xs_state_commit (&s->w);
  }
}

// Afterwards all threads exist and none has executed a visible operation.
static inline void explicit_fixture_init (explicit_fixture *s, const char *objects, const char *const threads[],
                                          uint32_t num_threads) {
  *s = (explicit_fixture){.program = program_of (objects, threads, num_threads)};
  s->semantics = (semantics){.properties = ALL_PROPERTIES, .max_threads = 8};
  code_init (&s->code, s->program);
  store_tables_init (&s->tables, false);
  store_init (&s->store, &s->tables);
  position_names_init (&s->names);
  xs_state_init (&s->w, &s->code, &s->semantics, &s->store, &s->names);
  s->w.reduced = true;
  xs_thread_start (&s->w, s->program->start.i, 0);
  xs_state_commit (&s->w);
  while (s->w.num_slots < num_threads) take_steps_of (s, 0, 1);
}

static inline void explicit_fixture_release (explicit_fixture *s) {
  xs_state_release (&s->w);
  store_release (&s->store);
  store_tables_release (&s->tables);
  position_names_release (&s->names);
  code_release (&s->code);
  ir_program_free (s->program);
}

#endif
