// Writes the report as SARIF 2.1.0 (OASIS standard, 27 March 2020), which editors and code scanning read;
// docs/formats/sarif.md describes its contents.  As in json.c the frame is written piece by piece, so that only one
// finding with its steps is in memory at a time.  Files are listed after the findings, because the findings determine
// which files there are.
#include "report/sarif_impl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

static void put_element_line (sarif *s, const char *text) {
  if (fputs (text, s->out) < 0) s->good = false;
}

static void put_json (sarif *s, json_t *value) {  // takes ownership of the value
  if (!value || json_dumpf (value, s->out, JSON_ENCODE_ANY | JSON_COMPACT)) s->good = false;
  json_decref (value);
}

// Writes an element of an array on a line of its own.
static void put_sarif_element (sarif *s, bool *first, json_t *value) {
  put_element_line (s, *first ? "\n        " : ",\n        ");
  put_json (s, value);
  *first = false;
}

// ---- the tool -----------------------------------------------------------------------------------------

typedef enum notification_kind {
  NOTE_ASSUMPTION,
  NOTE_BOUND,
  NOTE_UNKNOWN,
  NOTE_READING,
  NUM_NOTIFICATIONS
} notification_kind;
static const struct {
  const char *id, *summary, *level;
} notifications[NUM_NOTIFICATIONS] = {
    [NOTE_ASSUMPTION] = {"assumption", "Something was assumed about the program.", "note"},
    [NOTE_BOUND] = {"bound", "Some executions or values were left out.", "warning"},
    [NOTE_UNKNOWN] = {"unknown", "There is no answer, for this reason.", "error"},
    [NOTE_READING] = {"note", "How the answer is to be read.", "note"},
};

static json_t *notification_rule (sarif *s, unsigned k) {
  json_t *o = json_object ();
  sarif_set (s, o, "id", json_string (notifications[k].id));
  sarif_set (s, o, "shortDescription", sarif_message (s, notifications[k].summary));
  sarif_set (s, o, "defaultConfiguration", json_pack ("{ss}", "level", notifications[k].level));
  return o;
}

static json_t *tool_value (sarif *s) {
  json_t *driver = json_object (), *rules = json_array (), *notes = json_array (), *tool = json_object ();
  for (unsigned k = 0; k < SARIF_NUM_RULES; k++) sarif_append (s, rules, sarif_rule (s, k));
  for (unsigned k = 0; k < NUM_NOTIFICATIONS; k++) sarif_append (s, notes, notification_rule (s, k));
  sarif_set (s, driver, "name", json_string ("lockstep"));
  sarif_set (s, driver, "version", sarif_text (s, s->in->version));
  sarif_set (s, driver, "shortDescription", sarif_message (s, "A model checker for multi-threaded C."));
  sarif_set (s, driver, "rules", rules);
  sarif_set (s, driver, "notifications", notes);
  sarif_set (s, tool, "driver", driver);
  return tool;
}

// ---- the run ------------------------------------------------------------------------------------------

static void notify (sarif *s, json_t *list, notification_kind kind, const char *text) {
  json_t *o = json_object ();
  sarif_set (s, o, "descriptor", json_pack ("{ss,si}", "id", notifications[kind].id, "index", (int) kind));
  sarif_set (s, o, "level", json_string (notifications[kind].level));
  sarif_set (s, o, "message", sarif_message (s, text));
  sarif_append (s, list, o);
}

static json_t *notifications_value (sarif *s) {
  const verdict *v = s->in->verdict;
  json_t *list = json_array ();
  if (v->kind == VERDICT_UNKNOWN) notify (s, list, NOTE_UNKNOWN, v->reason ? v->reason->text : "unknown");
  for (uint32_t i = 0; i < v->bounds.count; i++) notify (s, list, NOTE_BOUND, v->bounds.data[i]);
  for (uint32_t i = 0; i < v->assumptions.count; i++) notify (s, list, NOTE_ASSUMPTION, v->assumptions.data[i]);
  for (uint32_t i = 0; i < v->notes.count; i++) notify (s, list, NOTE_READING, v->notes.data[i]);
  return list;
}

// Writes the answer about each property.
static json_t *answers_value (sarif *s) {
  static const char *const status[] = {"violated", "proved", "bounded", "unknown"};
  json_t *o = json_object ();
  const verdict *v = s->in->verdict;
  for (uint32_t i = 0; i < v->goals.count; i++) {
    if (v->goals.data[i].status == GOAL_CONDITIONAL) continue;
    const char *property = sarif_rule_id (sarif_rule_of (s, &v->goals.data[i]));
    if (!json_object_get (o, property)) sarif_set (s, o, property, json_string (status[v->goals.data[i].status]));
  }
  return o;
}

static json_t *invocation_value (sarif *s) {
  const report_input *in = s->in;
  json_t *o = json_object (), *properties = json_object ();
  sarif_set (s, o, "executionSuccessful", json_boolean (in->verdict->kind != VERDICT_UNKNOWN));
  sarif_set (s, o, "exitCode", json_integer (in->exit_code));
  sarif_set (s, o, "toolExecutionNotifications", notifications_value (s));
  sarif_set (s, properties, "verdict", json_string (verdict_kind_name[in->verdict->kind]));
  sarif_set (s, properties, "engine", sarif_text (s, in->engine));
  sarif_set (s, properties, "answers", answers_value (s));
  sarif_set (s, o, "properties", properties);
  return o;
}

static void find_root (sarif *s) {
  char *path = getcwd (NULL, 0);
  s->root = arena_printf (s->arena, "%s%s", path ? path : "", path && !strcmp (path, "/") ? "" : "/");
  free (path);
}

static json_t *base_value (sarif *s) {
  const char *uri = arena_printf (s->arena, "file://%s", sarif_uri (s->arena, s->root));
  return json_pack ("{s{ss,s{ss}}}", "%SRCROOT%", "uri", uri, "description", "text", "where lockstep was started");
}

static void put_sarif_results (sarif *s) {
  const verdict *v = s->in->verdict;
  bool first = true;
  for (uint32_t i = 0; i < v->goals.count + v->accepted.count; i++) {
    bool accepted = i >= v->goals.count;
    const goal *g = accepted ? &v->accepted.data[i - v->goals.count] : &v->goals.data[i];
    if (sarif_is_result (g)) put_sarif_element (s, &first, sarif_result (s, g, accepted));
  }
  for (uint32_t i = 0; i < v->uneven_returns.count; i++)
    put_sarif_element (s, &first, sarif_advice (s, &v->uneven_returns.data[i]));
}

static void put_artifacts (sarif *s) {
  bool first = true;
  for (uint32_t i = 0; i < s->files.count; i++) put_sarif_element (s, &first, sarif_artifact (s, i));
}

bool report_sarif (const report_input *in, FILE *out) {
  sarif log = {.in = in, .out = out, .arena = arena_new (), .good = true}, *s = &log;
  find_root (s);
  for (uint32_t i = 0; i < in->files.count; i++) sarif_add_file (s, in->files.data[i]);
  fprintf (out, "{\n  \"$schema\": \"%s\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {", schema);
  put_element_line (s, "\n      \"tool\": "), put_json (s, tool_value (s));
  put_element_line (s, ",\n      \"invocations\": ["), put_json (s, invocation_value (s)), put_element_line (s, "]");
  put_element_line (s, ",\n      \"columnKind\": \"unicodeCodePoints\"");
  put_element_line (s, ",\n      \"originalUriBaseIds\": "), put_json (s, base_value (s));
  put_element_line (s, ",\n      \"results\": ["), put_sarif_results (s), put_element_line (s, "]");
  put_element_line (s, ",\n      \"artifacts\": ["), put_artifacts (s), put_element_line (s, "]");
  put_element_line (s, "\n    }\n  ]\n}\n");
  map_release (&s->seen);
  sarif_release_files (s);
  arena_free (s->arena);
  return fflush (out) == 0 && !ferror (out) && s->good;
}
