// Writes one finding as a SARIF result.  Confirmed ones are errors; possible ones, found without an execution, are
// warnings.  The location of the first thread is the location of the finding; the locations of the other threads, and
// those where held locks were acquired, are related locations.
#include <inttypes.h>
#include <string.h>

#include "report/sarif_impl.h"

// Whether the goal is a formula without a run: a run that decides a formula has locations, the sum of all runs has
// none.
bool sarif_is_result (const goal *g) {
  return report_has_fingerprint (g) || (goal_is_formula (g) && g->locations.count);
}

static json_t *related (sarif *s, json_t *list, ir_position pos, const char *function, const char *text) {
  json_t *o = sarif_location (s, pos, function, text);
  sarif_set (s, o, "id", json_integer ((json_int_t) json_array_size (list) + 1));
  return o;
}

static void add_related_location (sarif *s, json_t *list, ir_position pos, const char *function, const char *text) {
  if (pos.file) sarif_append (s, list, related (s, list, pos, function, text));
}

// ---- locks --------------------------------------------------------------------------------------------

static bool is_held_at_end (const trace_step *s, const char *lock) {
  for (uint32_t i = 0; lock && i < s->held.count; i++)
    if (!strcmp (s->held.data[i], lock)) return true;
  return false;
}

// Adds where the thread acquired the locks that it holds at its end: after such a step it holds one lock more than
// before.
static void relate_taken (sarif *s, json_t *list, const goal *g, uint32_t thread) {
  uint32_t end = g->steps.count, before = 0;
  while (end && g->steps.data[end - 1].thread != thread) end--;
  for (uint32_t k = 0; k < end; k++) {
    const trace_step *step = &g->steps.data[k];
    if (step->thread != thread) continue;
    bool kept = step->held.count > before && is_held_at_end (&g->steps.data[end - 1], step->object);
    if (kept)
      add_related_location (s, list, step->pos, step->function,
                            arena_printf (s->arena, "thread %u takes `%s` here", thread, step->object));
    before = step->held.count;
  }
}

static void relate_side (sarif *s, json_t *list, const goal_side *side) {
  for (uint32_t i = 0; i < side->held.count; i++) {
    const goal_lock *l = &side->held.data[i];
    add_related_location (s, list, l->taken, NULL,
                          arena_printf (s->arena, "thread %u takes `%s` here%s", side->thread, l->name,
                                        l->perhaps ? ", and may have given it back" : ""));
  }
  add_related_location (s, list, side->created, NULL,
                        arena_printf (s->arena, "thread %u (%s) is created here", side->thread, side->entry));
}

static json_t *related_locations (sarif *s, const goal *g) {
  json_t *list = json_array ();
  for (uint32_t i = 1; i < g->locations.count; i++) {
    const goal_location *l = &g->locations.data[i];
    add_related_location (s, list, l->pos, l->function,
                          arena_printf (s->arena, "thread %u: %s", l->thread, l->what ? l->what : "here"));
  }
  for (uint32_t i = 0; g->property == IR_P_DEADLOCK && !g->sides.count && i < g->locations.count; i++)
    relate_taken (s, list, g, g->locations.data[i].thread);
  for (uint32_t i = 0; i < g->sides.count; i++) relate_side (s, list, &g->sides.data[i]);
  return list;
}

// ---- call stacks --------------------------------------------------------------------------------------

// Writes the call stack.  The standard wants the innermost frame first; a call names the position in its caller.
static json_t *stack_value (sarif *s, const goal_side *side) {
  json_t *o = json_object (), *frames = json_array ();
  ir_position at = side->pos;
  for (uint32_t i = side->stack.count; i > 0; i--) {
    const goal_call *call = &side->stack.data[i - 1];
    json_t *frame = json_object ();
    sarif_set (s, frame, "location", sarif_location (s, at, call->function, NULL));
    sarif_append (s, frames, frame);
    at = call->pos;
  }
  sarif_set (
      s, o, "message",
      sarif_message (s, arena_printf (s->arena, "thread %u: %s", side->thread, side->what ? side->what : "here")));
  sarif_set (s, o, "frames", frames);
  return o;
}

static json_t *stacks_value (sarif *s, const goal *g) {
  json_t *list = json_array ();
  for (uint32_t i = 0; i < g->sides.count; i++) sarif_append (s, list, stack_value (s, &g->sides.data[i]));
  return list;
}

// ---- the result ---------------------------------------------------------------------------------------

// Counts the findings that share a fingerprint.
static json_t *fingerprints_value (sarif *s, const goal *g) {
  uint64_t print = report_fingerprint (g), number = ++*map_insert (&s->seen, print, 0, NULL);
  json_t *o = json_object ();
  sarif_set (s, o, "lockstepFinding/v1",
             json_string (arena_printf (s->arena, "%016" PRIx64 ":%" PRIu64, print, number)));
  return o;
}

static json_t *conditions_value (sarif *s, const goal *g) {
  json_t *list = json_array ();
  for (uint32_t i = 0; i < g->conditions.count; i++) sarif_append (s, list, sarif_text (s, g->conditions.data[i].text));
  return list;
}

static json_t *properties_value (sarif *s, const goal *g) {
  json_t *o = json_object ();
  sarif_set (s, o, "goal", sarif_text (s, g->id));
  sarif_set (s, o, "engine", sarif_text (s, g->engine));
  sarif_set (s, o, "certainty",
             json_string (g->status == GOAL_VIOLATED      ? "confirmed"
                          : g->status == GOAL_CONDITIONAL ? "conditional"
                                                          : "possible"));
  if (g->status == GOAL_CONDITIONAL) sarif_set (s, o, "conditions", conditions_value (s, g));
  if (g->about) sarif_set (s, o, "about", sarif_text (s, g->about));
  return o;
}

static void set_unless_empty (sarif *s, json_t *object, const char *key, json_t *list) {
  if (json_array_size (list)) sarif_set (s, object, key, list);
  else json_decref (list);
}

static json_t *one (sarif *s, json_t *element) {
  json_t *list = json_array ();
  sarif_append (s, list, element);
  return list;
}

static json_t *begin_result (sarif *s, unsigned rule, const char *level, const char *message) {
  json_t *o = json_object ();
  sarif_set (s, o, "ruleId", json_string (sarif_rule_id (rule)));
  sarif_set (s, o, "ruleIndex", json_integer (rule));
  sarif_set (s, o, "level", json_string (level));
  sarif_set (s, o, "message", sarif_message (s, message));
  return o;
}

json_t *sarif_result (sarif *s, const goal *g, bool accepted) {
  static const char *const levels[] = {
      [GOAL_VIOLATED] = "error", [GOAL_UNKNOWN] = "warning", [GOAL_CONDITIONAL] = "note"};
  const char *message = g->message ? g->message : g->id;
  if (g->conditions.count) message = arena_printf (s->arena, "%s (only if %s)", message, conditions_text (s->arena, g));
  json_t *o = begin_result (s, sarif_rule_of (s, g), levels[g->status] ? levels[g->status] : "warning", message);
  if (g->locations.count) {
    const goal_location *l = &g->locations.data[0];
    const char *text = arena_printf (s->arena, "thread %u: %s", l->thread, l->what ? l->what : "here");
    sarif_set (s, o, "locations", one (s, sarif_location (s, l->pos, l->function, text)));
  }
  set_unless_empty (s, o, "relatedLocations", related_locations (s, g));
  if (report_has_fingerprint (g)) sarif_set (s, o, "partialFingerprints", fingerprints_value (s, g));
  if (g->steps.count) sarif_set (s, o, "codeFlows", one (s, sarif_code_flow (s, g)));
  set_unless_empty (s, o, "stacks", stacks_value (s, g));
  if (accepted) {
    json_t *reason =
        json_pack ("{ss,ss,ss}", "kind", "external", "status", "accepted", "justification", "accepted by the baseline");
    sarif_set (s, o, "suppressions", one (s, reason));
  }
  sarif_set (s, o, "properties", properties_value (s, g));
  return o;
}

json_t *sarif_advice (sarif *s, const uneven_return *u) {
  const char *message = arena_printf (
      s->arena, "%s returns with `%s` held on some of its paths only, and nobody gives it back", u->function, u->lock);
  json_t *o = begin_result (s, SARIF_FORGOTTEN_LOCK, "note", message), *list = json_array ();
  sarif_set (s, o, "locations",
             one (s, sarif_location (s, u->with, u->function, "it is held when the function returns after this")));
  add_related_location (s, list, u->taken, u->function, "it is taken here");
  add_related_location (s, list, u->without, u->function, "it is not held when the function returns after this");
  add_related_location (s, list, u->given_back, u->function, "there it is given back here");
  set_unless_empty (s, o, "relatedLocations", list);
  return o;
}
