// Explains failed assertions and overflows: where the values come from, and what happened in between.  It looks for two
// patterns in the interleaving: an update that loses the write of another thread, and a woken thread that does not test
// its condition again.
#include <string.h>

#include "report/explain_impl.h"

enum { SHOWN_VALUES = 3 };

// ---- where the values come from ---------------------------------------------------------------------
static bool same_line (const trace_step *s, const goal_location *l) {
  return s->pos.file && l->pos.file && s->pos.line == l->pos.line && !strcmp (s->pos.file, l->pos.file);
}

static uint32_t last_write (const goal *g, uint32_t before, const char *object) {
  while (before-- > 0)
    if (g->steps.data[before].object && step_writes (&g->steps.data[before]) &&
        !strcmp (g->steps.data[before].object, object))
      return before;
  return IR_NONE;
}

static void explain_value (explanation *e, uint32_t step) {
  const goal *g = e->goal;
  const trace_step *s = &g->steps.data[step];
  uint32_t write = last_write (g, step, s->object);
  strbuf_printf (&e->why, "%s`%s` is %s here", e->why.count ? " " : "", s->object, s->value);
  if (write == IR_NONE) strbuf_add (&e->why, ", its initial value.");
  else
    strbuf_printf (&e->why, ", written at %s by thread %u.", place_of_step (e->arena, g, write),
                   g->steps.data[write].thread);
}

// Explains the values that the failing thread read on the line just before the failure.
static void explain_values (explanation *e, const goal_location *l) {
  const goal *g = e->goal;
  uint32_t shown = 0;
  for (uint32_t k = steps_done (g); k-- > 0 && shown < SHOWN_VALUES;) {
    const trace_step *s = &g->steps.data[k];
    if (s->thread != l->thread || !same_line (s, l)) break;
    if (step_reads (s) && s->object && s->value) explain_value (e, k), shown++;
  }
}

// ---- a lost update ----------------------------------------------------------------------------------
// Whether the write is based on an older read of the same variable, and another thread wrote between the two.
static bool is_lost_update (const goal *g, uint32_t write, uint32_t *read, uint32_t *between) {
  const trace_step *s = &g->steps.data[write];
  if (s->op != IR_STEP_STORE || !s->object) return false;
  *read = step_by (g, write, s->thread, IR_STEP_NONE, s->object);
  if (*read == IR_NONE || g->steps.data[*read].op != IR_STEP_LOAD || g->steps.data[*read].pos.line != s->pos.line)
    return false;
  *between = step_by_others (g, write, s->thread, IR_STEP_STORE, s->object);
  return *between != IR_NONE && *between > *read;
}

static bool explain_lost_update (explanation *e) {
  const goal *g = e->goal;
  for (uint32_t k = steps_done (g); k-- > 0;) {
    uint32_t read, between;
    if (!is_lost_update (g, k, &read, &between)) continue;
    const trace_step *s = &g->steps.data[k], *other = &g->steps.data[between];
    strbuf_printf (&e->why,
                   " Thread %u reads `%s` in step %u and writes it in step %u; what thread %u writes in between, in "
                   "step %u, is lost.",
                   s->thread, s->object, g->steps.data[read].number, s->number, other->thread, other->number);
    strbuf_printf (&e->fix,
                   "make reading and writing `%s` at %s one step: hold a lock around both, or use an atomic operation.",
                   s->object, position_text (e->arena, s->pos));
    return true;
  }
  return false;
}

// ---- a woken thread ---------------------------------------------------------------------------------
static bool explain_wake (explanation *e, const goal_location *l) {
  const goal *g = e->goal;
  uint32_t wake = step_by (g, steps_done (g), l->thread, IR_STEP_WAKE, NULL);
  if (wake == IR_NONE || !g->steps.data[wake].object) return false;
  const char *cond = g->steps.data[wake].object;
  uint32_t signal = step_by_others (g, wake, l->thread, IR_STEP_SIGNAL, cond),
           broadcast = step_by_others (g, wake, l->thread, IR_STEP_BROADCAST, cond);
  if (signal == IR_NONE || (broadcast != IR_NONE && broadcast > signal)) signal = broadcast;
  for (uint32_t k = wake; signal != IR_NONE && k-- > signal;) {
    const trace_step *s = &g->steps.data[k];
    if (s->thread == l->thread || !step_writes (s) || !s->object) continue;
    if (step_by (g, steps_done (g), l->thread, IR_STEP_LOAD, s->object) == IR_NONE) continue;
    strbuf_printf (&e->why,
                   " Thread %u was woken by the signal of step %u, but before it ran again, in step %u, thread %u "
                   "wrote `%s` in step %u.",
                   l->thread, g->steps.data[signal].number, g->steps.data[wake].number, s->thread, s->object,
                   s->number);
    strbuf_printf (&e->fix, "test the condition again after the wait at %s: while (...) in place of if (...).",
                   position_text (e->arena, g->steps.data[wake].pos));
    return true;
  }
  return false;
}

// Explains a wait that ended without a signal, whatever property was violated after it.
void explain_wakeups (explanation *e) {
  const goal *g = e->goal;
  for (uint32_t k = 0; k < steps_done (g); k++) {
    const trace_step *s = &g->steps.data[k];
    if (s->op != IR_STEP_WAKE || !s->is_spurious) continue;
    strbuf_printf (&e->why, "%sThe wait of thread %u at %s ends without a signal in step %u, as POSIX and C11 allow.",
                   e->why.count ? " " : "", s->thread, position_text (e->arena, s->pos), s->number);
    if (e->fix.count) strbuf_add (&e->fix, " Also, ");
    strbuf_printf (&e->fix, "put the wait at %s into a loop that tests its condition: while (!condition) wait.",
                   position_text (e->arena, s->pos));
    return;
  }
}

void explain_assert (explanation *e) {
  if (!e->goal->locations.count) return;
  const goal_location *l = &e->goal->locations.data[0];
  explain_values (e, l);
  if (!explain_wake (e, l)) explain_lost_update (e);
}
