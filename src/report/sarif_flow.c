// Writes the interleaving of a finding as a SARIF code flow: one thread flow per thread, and `executionOrder` across
// them.  Each step carries what is known then: the values last seen in shared variables, and the locks held.
#include <stdlib.h>
#include <string.h>

#include "report/sarif_impl.h"

enum {
  SHOWN_STEPS = 10000,  // code scanning refuses more steps for one finding
  SHOWN_VALUES = 24     // values in a state: those seen last
};

typedef struct known_value {
  const char *name, *value;
} known_value;

typedef struct sarif_thread_flow {
  sarif *sarif;
  const goal *goal;
  json_t *locations[IR_MAX_THREADS];  // locations of the thread's flow; NULL: none yet
  const char *name[IR_MAX_THREADS];   // the function a thread was first seen in
  uint32_t last[IR_MAX_THREADS];      // its last step, which was not executed, or IR_NONE
  const char *why[IR_MAX_THREADS];    // what is wrong with that step
  VEC (known_value) values;
} sarif_thread_flow;

// ---- what is known ------------------------------------------------------------------------------------

static void note_value (sarif_thread_flow *f, const trace_step *s) {
  const ir_step_info *op = ir_step_of (s->op);
  if (!(op->reads || op->writes) || !s->object || !s->value) return;
  for (uint32_t i = 0; i < f->values.count; i++)
    if (!strcmp (f->values.data[i].name, s->object)) {
      memmove (&f->values.data[i], &f->values.data[i + 1], (f->values.count - i - 1) * sizeof *f->values.data);
      f->values.count--;
      break;
    }
  if (f->values.count == SHOWN_VALUES) {
    memmove (f->values.data, f->values.data + 1, (SHOWN_VALUES - 1) * sizeof *f->values.data);
    f->values.count--;
  }
  vec_push (&f->values, ((known_value){s->object, s->left ? s->left : s->value}));
}

static json_t *state_value (sarif_thread_flow *f, const trace_step *s) {
  json_t *o = json_object ();
  for (uint32_t i = 0; i < f->values.count; i++)
    sarif_set (f->sarif, o, utf8_valid (f->sarif->arena, f->values.data[i].name),
               sarif_message (f->sarif, f->values.data[i].value));
  strbuf held = {0};
  for (uint32_t i = 0; i < s->held.count; i++) strbuf_printf (&held, "%s%s", i ? ", " : "", s->held.data[i]);
  if (s->held.count) sarif_set (f->sarif, o, "locks held", sarif_message (f->sarif, strbuf_text (&held)));
  strbuf_release (&held);
  return o;
}

// ---- one step -----------------------------------------------------------------------------------------

// Returns the kind of the step in the terms of the standard (3.38.8).
static const char *const step_kinds[IR_NUM_STEPS][2] = {
    [IR_STEP_UNLOCK] = {"release", "lock"},    [IR_STEP_ALLOC] = {"acquire", "memory"},
    [IR_STEP_FREE] = {"release", "memory"},    [IR_STEP_START] = {"enter", "function"},
    [IR_STEP_END] = {"exit", "function"},      [IR_STEP_CALL] = {"call", "function"},
    [IR_STEP_RETURN] = {"return", "function"}, [IR_STEP_LOAD] = {"memory", "value"},
    [IR_STEP_STORE] = {"memory", "value"},     [IR_STEP_RMW] = {"memory", "value"},
    [IR_STEP_CMPXCHG] = {"memory", "value"},   [IR_STEP_CHOOSE] = {"implicit", "value"}};
static const char *const kinds_of_taking[2] = {"acquire", "lock"};

static json_t *kinds_value (sarif *s, ir_step op, bool fails) {
  json_t *list = json_array ();
  const char *const *kinds = ir_step_of (op)->takes ? kinds_of_taking : step_kinds[op];
  for (unsigned i = 0; kinds[0] && i < 2; i++) sarif_append (s, list, json_string (kinds[i]));
  if (fails) sarif_append (s, list, json_string ("danger"));
  return list;
}

// Returns the number of locks held at the step.
static uint32_t nesting (const trace_step *s) { return s->held.count - (ir_step_of (s->op)->takes && s->held.count); }

static uint32_t first_not_taken (const sarif_thread_flow *f) {
  uint32_t first = f->goal->steps.count;
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++)
    if (f->last[slot] < first) first = f->last[slot];
  return first;
}

static json_t *value_in_step (sarif_thread_flow *f, uint32_t k, uint32_t order) {
  sarif *s = f->sarif;
  const trace_step *step = &f->goal->steps.data[k];
  bool fails = f->last[step->thread] == k;
  const char *text = fails && f->why[step->thread] ? f->why[step->thread] : step_text (s->arena, step);
  const char *mark = loop_mark (f->goal, k);
  if (mark) text = arena_printf (s->arena, "%s: %s", mark, text);
  json_t *o = json_object (), *kinds = kinds_value (s, step->op, fails);
  sarif_set (s, o, "location", sarif_location (s, step->pos, step->function, text));
  sarif_set (s, o, "executionOrder", json_integer (order));
  sarif_set (s, o, "nestingLevel", json_integer (nesting (step)));
  sarif_set (s, o, "importance", json_string (fails ? "essential" : "important"));
  if (json_array_size (kinds)) sarif_set (s, o, "kinds", kinds);
  else json_decref (kinds);
  if (!fails) note_value (f, step);
  sarif_set (s, o, "state", state_value (f, step));
  return o;
}

// ---- all of them --------------------------------------------------------------------------------------

static void find_pending_steps (sarif_thread_flow *f) {
  const goal *g = f->goal;
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) f->last[slot] = IR_NONE;
  for (uint32_t i = 0; i < g->claim.num_threads && i < g->locations.count; i++) {
    uint32_t slot = g->locations.data[i].thread, k = g->steps.count;
    while (k && g->steps.data[k - 1].thread != slot) k--;
    if (k) f->last[slot] = k - 1, f->why[slot] = g->locations.data[i].what;
  }
}

static json_t *threads_value (sarif_thread_flow *f) {
  sarif *s = f->sarif;
  json_t *list = json_array ();
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) {
    if (!f->locations[slot]) continue;
    json_t *o = json_object ();
    sarif_set (s, o, "id", json_string (arena_printf (s->arena, "thread %u", slot)));
    sarif_set (s, o, "message", sarif_message (s, arena_printf (s->arena, "thread %u (%s)", slot, f->name[slot])));
    sarif_set (s, o, "locations", f->locations[slot]);
    sarif_append (s, list, o);
  }
  return list;
}

json_t *sarif_code_flow (sarif *s, const goal *g) {
  sarif_thread_flow f = {.sarif = s, .goal = g};
  find_pending_steps (&f);
  uint32_t first = g->steps.count > SHOWN_STEPS ? g->steps.count - SHOWN_STEPS : 0, end = first_not_taken (&f);
  for (uint32_t k = first; k < g->steps.count; k++) {
    const trace_step *step = &g->steps.data[k];
    if (!f.locations[step->thread]) {
      f.locations[step->thread] = json_array ();
      f.name[step->thread] = step->function ? step->function : "?";
    }
    bool at_once = f.last[step->thread] == k;  // nothing orders the steps that were not executed
    sarif_append (s, f.locations[step->thread], value_in_step (&f, k, (at_once ? end : k) + 1));
  }
  json_t *o = json_object ();
  if (first)
    sarif_set (s, o, "message", sarif_message (s, arena_printf (s->arena, "the first %u steps are left out", first)));
  sarif_set (s, o, "threadFlows", threads_value (&f));
  vec_release (&f.values);
  return o;
}
