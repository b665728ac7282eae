// Reads a JSON report back for `replay`.  The file may come from anywhere, so the kind and range of every value are
// checked here.  The caller checks whether threads and edges exist in the program.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/report_impl.h"

static bool saved_error (strbuf *why, const char *format, const char *a) {
  strbuf_printf (why, format, a);
  return false;
}

static bool read_hex_number (const json_t *value, uint64_t max, uint64_t *out) {
  if (!json_is_integer (value) || json_integer_value (value) < 0) return false;
  *out = (uint64_t) json_integer_value (value);
  return *out <= max;
}

static bool read_names (report_saved *s, const json_t *list, report_names *out) {
  for (size_t i = 0; i < json_array_size (list); i++) {
    const char *text = json_string_value (json_array_get (list, i));
    if (!text) return false;
    vec_push (out, arena_strdup (s->arena, text));
  }
  return json_is_array (list);
}

// Reads a number such as "0x1f", up to 32 digits.
static bool read_choice (const char *text, ir_value *out) {
  if (!text || text[0] != '0' || text[1] != 'x' || !text[2] || strlen (text) > 34) return false;
  *out = 0;
  for (text += 2; *text; text++) {
    const char *digits = "0123456789abcdef", *d = strchr (digits, *text);
    if (!d) return false;
    *out = *out << 4 | (ir_value) (d - digits);
  }
  return true;
}

static bool read_schedule (const json_t *o, schedule *out) {
  const json_t *parts = json_object_get (o, "parts"), *choices = json_object_get (o, "choices");
  if (!json_is_array (parts) || !json_is_array (choices)) return false;
  for (size_t i = 0; i < json_array_size (parts); i++) {
    const json_t *part = json_array_get (parts, i);
    uint64_t thread, edges;
    if (json_array_size (part) != 2 || !read_hex_number (json_array_get (part, 0), IR_MAX_THREADS - 1, &thread) ||
        !read_hex_number (json_array_get (part, 1), UINT32_MAX, &edges))
      return false;
    schedule_add (out, (uint32_t) thread, (uint32_t) edges);
  }
  for (size_t i = 0; i < json_array_size (choices); i++) {
    ir_value value;
    if (!read_choice (json_string_value (json_array_get (choices, i)), &value)) return false;
    vec_push (&out->choices, value);
  }
  return true;
}

static bool read_claim (const json_t *o, claim *out) {
  const json_t *threads = json_object_get (o, "threads"), *edges = json_object_get (o, "edges");
  size_t count = json_array_size (threads);
  const json_t *loop_from = json_object_get (o, "loop_from");
  out->is_run = loop_from != NULL;
  if (out->is_run) {
    out->property = IR_P_FORMULA;  // reports of versions before 0.2 call it "locks"
    return !count && read_hex_number (loop_from, UINT64_MAX, &out->loop_from);
  }
  if (!count || count > IR_MAX_THREADS || json_array_size (edges) != count) return false;
  if (out->property == IR_P_RACE ? count != 2 : out->property != IR_P_DEADLOCK && count != 1) return false;
  for (size_t i = 0; i < count; i++) {
    uint64_t thread, edge;
    if (!read_hex_number (json_array_get (threads, i), IR_MAX_THREADS - 1, &thread) ||
        !read_hex_number (json_array_get (edges, i), UINT32_MAX, &edge))
      return false;
    out->thread[i] = (uint32_t) thread;
    out->edge[i].i = (uint32_t) edge;
  }
  out->num_threads = (uint32_t) count;
  return true;
}

static bool read_goal (report_saved *s, const json_t *o, strbuf *why) {
  const char *id = json_string_value (json_object_get (o, "id")),
             *status = json_string_value (json_object_get (o, "status"));
  const char *property = json_string_value (json_object_get (o, "property")),
             *message = json_string_value (json_object_get (o, "message"));
  const char *certainty = json_string_value (json_object_get (o, "certainty"));
  if (!id || !status || !property) return saved_error (why, "a goal lacks its id, status or property%s", "");
  bool violated = !strcmp (status, "violated");
  bool conditional = !strcmp (status, "conditional");
  if (!violated && !conditional && (!certainty || strcmp (certainty, "possible"))) return true;
  unsigned p = 0;
  while (p < IR_NUM_QUESTIONS && strcmp (property, ir_property_name[p])) p++;
  if (p == IR_NUM_QUESTIONS) return saved_error (why, "unknown property `%s`", property);
  vec_push (&s->goals, ((report_saved_goal){.id = arena_strdup (s->arena, id), .claim.property = (ir_property) p}));
  report_saved_goal *g = &vec_last (&s->goals);
  if (message) g->message = arena_strdup (s->arena, message);
  g->has_claim = (violated || conditional) && json_object_get (o, "claim");
  if (!g->has_claim) return true;
  if (!read_claim (json_object_get (o, "claim"), &g->claim))
    return saved_error (why, "goal %s has no valid \"claim\"", id);
  if (!read_schedule (json_object_get (o, "schedule"), &g->claim.schedule))
    return saved_error (why, "goal %s has no valid \"schedule\"", id);
  return true;
}

static bool read_options (report_saved *s, json_t *o, strbuf *why) {
  const char *name;
  json_t *value;
  if (!json_is_object (o)) return saved_error (why, "there is no \"options\" object%s", "");
  json_object_foreach (o, name, value) {
    if (!strcmp (name, "files") || !strcmp (name, "clang_flags")) {
      if (!read_names (s, value, *name == 'f' ? &s->files : &s->clang_flags))
        return saved_error (why, "\"%s\" is not a list of strings", name);
      continue;
    }
    report_option option = {.name = arena_strdup (s->arena, name), .kind = REPORT_TEXT};
    if (json_is_boolean (value)) option.kind = REPORT_BOOL, option.number = json_is_true (value);
    else if (json_is_integer (value) && read_hex_number (value, UINT64_MAX, &option.number))
      option.kind = REPORT_NUMBER;
    else if (json_is_string (value)) option.text = arena_strdup (s->arena, json_string_value (value));
    else if (!json_is_null (value) && !json_is_real (value))
      return saved_error (why, "option \"%s\" has a value of the wrong kind", name);
    vec_push (&s->options, option);
  }
  return true;
}

static bool read_report (report_saved *s, json_t *root, strbuf *why) {
  const char *tool = json_string_value (json_object_get (root, "tool")),
             *version = json_string_value (json_object_get (root, "version"));
  const char *hash = json_string_value (json_object_get (root, "program_hash"));
  const json_t *goals = json_object_get (root, "goals");
  if (!json_is_object (root) || !tool) return saved_error (why, "this is not a lockstep report%s", "");
  if (strcmp (tool, "lockstep")) return saved_error (why, "this is a report of another tool, `%s`", tool);
  s->version = arena_strdup (s->arena, version ? version : "?");
  char *end = NULL;
  if (hash && strlen (hash) == 16) s->program_hash = strtoull (hash, &end, 16);
  if (!end || *end) return saved_error (why, "there is no valid \"program_hash\"%s", "");
  if (!json_is_array (goals)) return saved_error (why, "there is no \"goals\" list%s", "");
  if (!read_options (s, json_object_get (root, "options"), why)) return false;
  for (size_t i = 0; i < json_array_size (goals); i++)
    if (!read_goal (s, json_array_get (goals, i), why)) return false;
  return true;
}

bool report_saved_load (report_saved *s, const char *path, strbuf *why) {
  *s = (report_saved){.arena = arena_new ()};
  struct stat info;
  FILE *f = fopen (path, "r");
  if (f && fstat (fileno (f), &info) == 0 && S_ISDIR (info.st_mode)) {
    fclose (f);
    return saved_error (why, "%s", strerror (EISDIR));
  }
  if (!f) return saved_error (why, "%s", strerror (errno));
  json_error_t error;
  json_t *root = json_loadf (f, JSON_REJECT_DUPLICATES, &error);
  fclose (f);
  if (!root) {
    strbuf_printf (why, "not valid JSON at line %d, column %d: %s", error.line, error.column, error.text);
    return false;
  }
  bool good = read_report (s, root, why);
  json_decref (root);
  return good;
}

void report_saved_release (report_saved *s) {
  for (uint32_t i = 0; i < s->goals.count; i++) schedule_release (&s->goals.data[i].claim.schedule);
  vec_release (&s->goals);
  vec_release (&s->files);
  vec_release (&s->clang_flags);
  vec_release (&s->options);
  arena_free (s->arena);
}
