// Lets an engine work.  An engine sees only the properties that it decides, so it cannot answer for a property that it
// does not know.  The other properties are left unknown here, in one place.
#include "engine/engine.h"

bool engine_applies (const engine *e, const ir_program *p, const task *t, const char **why_not) {
  task mine = *t;
  mine.semantics.properties &= e->properties;
  if (t->semantics.properties && !mine.semantics.properties) {
    *why_not = "this engine does not check the properties that are asked for";
    return false;
  }
  return !e->applies || e->applies (p, &mine, why_not);
}

static void answer_not_checked (const engine *e, engine_run *r, uint32_t open) {
  arena *a = r->verdict->arena;
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
    if (open >> p & 1)
      engine_summarise_one (r, (ir_property) p,
                            ending_unknown (reason_printf (a, REASON_NOT_CHECKED, "engine %s does not check %s",
                                                           e->name, ir_property_name[p])));
}

void engine_work (const engine *e, engine_run *r) {
  uint32_t open = r->task->semantics.properties & ~e->properties;
  task mine = *r->task;
  engine_run run = *r;
  mine.semantics.properties &= e->properties;
  run.task = &mine;
  if (e->asks_again && !mine.ltl && ir_invents (r->program)) engine_run_again (e, &run);
  else e->run (&run);
  run.task = r->task;
  *r = run;
  if (open) answer_not_checked (e, r, open);
  verdict_settle (r->verdict, task_asks (r->task));
}
