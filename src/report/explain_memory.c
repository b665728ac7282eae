// Explains memory errors: which thread ended the object, where, and where the thread got its pointer from.
#include "report/explain_impl.h"

static const goal_location *find_location (const goal *g, role_kind kind) {
  for (uint32_t k = 0; k < g->locations.count; k++)
    if (g->locations.data[k].role.kind == kind) return &g->locations.data[k];
  return NULL;
}

static void explain_freed (explanation *e, const goal_location *user, const goal_location *freed) {
  bool same = user->thread == freed->thread, twice = e->goal->fault == IR_FAULT_DOUBLE_FREE;
  uint32_t step = step_by (e->goal, steps_done (e->goal), freed->thread, IR_STEP_FREE, NULL);
  strbuf_printf (&e->why, "Thread %u freed the object at %s", freed->thread, position_text (e->arena, freed->pos));
  if (step != IR_NONE && e->goal->steps.data[step].pos.line == freed->pos.line)
    strbuf_printf (&e->why, " (step %u)", e->goal->steps.data[step].number);
  strbuf_printf (&e->why, ", and %s thread %u still %s it at %s.", same ? "the same" : "then", user->thread,
                 twice ? "frees" : "uses", position_text (e->arena, user->pos));
  if (same)
    strbuf_printf (&e->fix, "%s, or set the pointer to NULL when it is freed and test it.",
                   twice ? "free it at one of the two places only" : "free it after its last use");
  else
    strbuf_printf (&e->fix,
                   "free it only when thread %u is done with it: join that thread before %s, or count the users and "
                   "let the last one free it.",
                   user->thread, position_text (e->arena, freed->pos));
}

// Explains the last null pointer that this thread has read.
static void explain_null (explanation *e, const goal_location *user) {
  const goal *g = e->goal;
  uint32_t step = steps_done (g);
  while ((step = step_by (g, step, user->thread, IR_STEP_LOAD, NULL)) != IR_NONE)
    if (g->steps.data[step].is_null) break;
  if (step == IR_NONE) return;
  const char *object = g->steps.data[step].object;
  if (!object) return;
  uint32_t write = step_by_others (g, step, IR_NONE, IR_STEP_STORE, object);
  strbuf_printf (&e->why, "Thread %u read NULL from `%s` at %s", user->thread, object,
                 place_of_step (e->arena, g, step));
  if (write == IR_NONE) strbuf_add (&e->why, "; no thread had written it before.");
  else
    strbuf_printf (&e->why, "; it was last written at %s by thread %u.", place_of_step (e->arena, g, write),
                   g->steps.data[write].thread);
  strbuf_printf (&e->fix,
                 "set `%s` before the threads that read it are created, or test it and read it under the lock that its "
                 "writer holds.",
                 object);
}

static void explain_stack (explanation *e, const goal_location *user) {
  bool of_thread = e->goal->fault == IR_FAULT_THREAD_STACK;
  strbuf_printf (&e->why, "The variable belongs to a %s that has ended before thread %u uses it at %s.",
                 of_thread ? "thread" : "function or block", user->thread, position_text (e->arena, user->pos));
  strbuf_printf (&e->fix,
                 "let the %s live as long as those who use its variables (join them first), or allocate the memory.",
                 of_thread ? "thread" : "function");
}

void explain_memory (explanation *e) {
  const goal *g = e->goal;
  if (!g->locations.count) return;
  const goal_location *user = &g->locations.data[0], *freed = find_location (g, ROLE_FREED);
  if (freed) explain_freed (e, user, freed);
  else if (g->fault == IR_FAULT_NULL) explain_null (e, user);
  else if (g->fault == IR_FAULT_STACK || g->fault == IR_FAULT_THREAD_STACK) explain_stack (e, user);
}
