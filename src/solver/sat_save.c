// Keeps all clauses of a solver, if the user asked for it: only after a call is it known whether the question took long
// enough to be written.
#include "solver/sat_save.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/strbuf.h"
#include "base/vec.h"

typedef VEC (int) number_list;

struct sat_save {
  const char *place;  // DIR:SECONDS
  const char *colon;  // in it
  unsigned solver, calls;
  number_list clauses;  // each with 0 behind it
  uint32_t num_clauses;
  number_list question;  // those of the call alone
  uint32_t num_question;
  double start;
};

sat_save *sat_save_new (void) {
  static atomic_uint solvers;
  const char *place = getenv ("LOCKSTEP_SAVE_CNF"), *colon = place ? strrchr (place, ':') : NULL;
  if (!colon) return NULL;
  sat_save *s = mem_zalloc (sizeof *s);
  s->place = place;
  s->colon = colon;
  s->solver = ++solvers;
  return s;
}

void sat_save_free (sat_save *s) {
  if (!s) return;
  vec_release (&s->clauses);
  vec_release (&s->question);
  mem_free (s, sizeof *s);
}

static void push_clause (number_list *list, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) vec_push (list, literals[i]);
  vec_push (list, 0);
}

void sat_save_clause (sat_save *s, const int *literals, uint32_t count) {
  if (!s) return;
  push_clause (&s->clauses, literals, count);
  s->num_clauses++;
}

void sat_save_call (sat_save *s, const int *assumptions, uint32_t count, const int *constraint,
                    uint32_t constraint_count) {
  if (!s) return;
  vec_clear (&s->question);
  for (uint32_t i = 0; i < count; i++) push_clause (&s->question, assumptions + i, 1);
  if (constraint_count) push_clause (&s->question, constraint, constraint_count);
  s->num_question = count + (constraint_count > 0);
  s->calls++;
  s->start = budget_now ();
}

static void write_clauses (FILE *f, const number_list *list) {
  for (uint32_t i = 0; i < list->count; i++) fprintf (f, list->data[i] ? "%d " : "%d\n", list->data[i]);
}

void sat_save_answer (sat_save *s, uint32_t num_vars) {
  if (!s || budget_now () - s->start < atof (s->colon + 1)) return;
  strbuf name = {0};
  strbuf_printf (&name, "%.*s/%d-%u-%u.cnf", (int) (s->colon - s->place), s->place, (int) getpid (), s->solver,
                 s->calls);
  FILE *f = fopen (strbuf_text (&name), "w");
  strbuf_release (&name);
  if (!f) return;
  fprintf (f, "p cnf %u %u\n", num_vars, s->num_clauses + s->num_question);
  write_clauses (f, &s->clauses);
  write_clauses (f, &s->question);
  fclose (f);
}
