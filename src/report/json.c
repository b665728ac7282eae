// Writes the report for programs: one JSON object, format in docs/formats/json.md, which is stable.  A trace may have a
// million steps, so the object is not built in memory as a whole: the frame is written piece by piece and jansson
// formats the pieces.
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/limits.h"
#include "report/report_impl.h"

typedef struct json_writer {
  FILE *out;
  arena *arena;
  bool good;
  bool first;  // the next element is the first one of the current object or array
} json_writer;

static void put_json_text (json_writer *w, const char *text) {
  if (fputs (text, w->out) < 0) w->good = false;
}

static void put_json (json_writer *w, json_t *value) {  // takes ownership of the value
  if (!value || json_dumpf (value, w->out, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION (9))) w->good = false;
  json_decref (value);
}

static void begin_json_item (json_writer *w, const char *indent) {
  put_json_text (w, w->first ? "\n" : ",\n");
  put_json_text (w, indent);
  w->first = false;
}

static void key (json_writer *w, const char *indent, const char *name) {
  begin_json_item (w, indent);
  fprintf (w->out, "\"%s\": ", name);  // our own keys need no escapes
}

static void open_with (json_writer *w, const char *bracket) {
  put_json_text (w, bracket);
  w->first = true;
}

static void close_with (json_writer *w, const char *indent, const char *bracket) {
  if (!w->first) put_json_text (w, "\n"), put_json_text (w, indent);
  put_json_text (w, bracket);
  w->first = false;
}

// ---- values -------------------------------------------------------------------------------------------

static json_t *text_value (json_writer *w, const char *text) {
  return text ? json_string (utf8_valid (w->arena, text)) : json_null ();
}

// Integers up to 2^53 are exact in every reader, since doubles hold them.
static json_t *count_value (uint64_t n) {
  if (n <= (uint64_t) 1 << 53) return json_integer ((json_int_t) n);
  char text[24];
  snprintf (text, sizeof text, "%" PRIu64, n);
  return json_string (text);
}

static json_t *choice_value (ir_value value) {
  char text[40];
  uint64_t high = (uint64_t) (value >> 64), low = (uint64_t) value;
  if (high) snprintf (text, sizeof text, "0x%" PRIx64 "%016" PRIx64, high, low);
  else snprintf (text, sizeof text, "0x%" PRIx64, low);
  return json_string (text);
}

static json_t *names_value (json_writer *w, const char *const *names, uint32_t count) {
  json_t *list = json_array ();
  for (uint32_t i = 0; list && i < count; i++)
    if (json_array_append_new (list, text_value (w, names[i]))) w->good = false;
  return list;
}

static void set_json_item (json_writer *w, json_t *object, const char *name, json_t *value) {
  if (json_object_set_new (object, name, value)) w->good = false;
}

static void set_json_string (json_writer *w, json_t *object, const char *name, const char *text) {
  if (text) set_json_item (w, object, name, text_value (w, text));
}

static void set_position (json_writer *w, json_t *object, ir_position pos) {
  set_json_item (w, object, "file", text_value (w, pos.file));
  set_json_item (w, object, "line", json_integer (pos.line));
}

// ---- parts of a goal ----------------------------------------------------------------------------------

static json_t *location_value (json_writer *w, const goal_location *l) {
  json_t *o = json_object ();
  set_position (w, o, l->pos);
  set_json_item (w, o, "column", json_integer (l->pos.column));
  set_json_string (w, o, "function", l->function);
  set_json_item (w, o, "thread", json_integer (l->thread));
  set_json_string (w, o, "what", l->what);
  return o;
}

static json_t *json_step_value (json_writer *w, const trace_step *s) {
  json_t *o = json_object ();
  set_json_item (w, o, "step", json_integer (s->number));
  set_json_item (w, o, "thread", json_integer (s->thread));
  set_position (w, o, s->pos);
  set_json_string (w, o, "function", s->function);
  set_json_string (w, o, "op", ir_step_of (s->op)->word);
  set_json_string (w, o, "text", s->text);
  set_json_string (w, o, "object", s->object);
  set_json_string (w, o, "value", s->value);
  set_json_string (w, o, "note", s->note);
  set_json_item (w, o, "held", names_value (w, s->held.data, s->held.count));
  return o;
}

static json_t *claim_value (json_writer *w, const claim *c) {
  json_t *o = json_object (), *threads = json_array (), *edges = json_array ();
  for (uint32_t i = 0; i < c->num_threads; i++)
    if (json_array_append_new (threads, json_integer (c->thread[i])) ||
        json_array_append_new (edges, json_integer (c->edge[i].i)))
      w->good = false;
  set_json_item (w, o, "threads", threads);
  set_json_item (w, o, "edges", edges);
  if (c->is_run) set_json_item (w, o, "loop_from", count_value (c->loop_from));
  return o;
}

static json_t *schedule_value (json_writer *w, const schedule *s) {
  json_t *o = json_object (), *parts = json_array (), *choices = json_array ();
  for (uint32_t i = 0; i < s->parts.count; i++)
    if (json_array_append_new (
            parts, json_pack ("[II]", (json_int_t) s->parts.data[i].thread, (json_int_t) s->parts.data[i].edges)))
      w->good = false;
  for (uint32_t i = 0; i < s->choices.count; i++)
    if (json_array_append_new (choices, choice_value (s->choices.data[i]))) w->good = false;
  set_json_item (w, o, "parts", parts);
  set_json_item (w, o, "choices", choices);
  return o;
}

static json_t *lock_value (json_writer *w, const goal_lock *l) {
  json_t *o = json_object ();
  set_json_string (w, o, "lock", l->name);
  set_position (w, o, l->taken);
  set_json_item (w, o, "reads", json_boolean (l->reads));
  set_json_item (w, o, "perhaps", json_boolean (l->perhaps));
  set_json_item (w, o, "then", names_value (w, l->after, l->num_after));
  return o;
}

static json_t *call_value (json_writer *w, const goal_call *c) {
  json_t *o = json_object ();
  set_json_string (w, o, "function", c->function);
  set_position (w, o, c->pos);
  return o;
}

static json_t *place_value (json_writer *w, ir_position pos) {
  if (!pos.file) return json_null ();
  json_t *o = json_object ();
  set_position (w, o, pos);
  return o;
}

static json_t *side_value (json_writer *w, const goal_side *s) {
  json_t *o = json_object (), *stack = json_array (), *held = json_array ();
  for (uint32_t i = 0; i < s->stack.count; i++)
    if (json_array_append_new (stack, call_value (w, &s->stack.data[i]))) w->good = false;
  for (uint32_t i = 0; i < s->held.count; i++)
    if (json_array_append_new (held, lock_value (w, &s->held.data[i]))) w->good = false;
  set_json_item (w, o, "thread", json_integer (s->thread));
  set_json_string (w, o, "entry", s->entry);
  set_json_item (w, o, "created", place_value (w, s->created));
  set_json_item (w, o, "several", json_boolean (s->several));
  set_position (w, o, s->pos);
  set_json_item (w, o, "column", json_integer (s->pos.column));
  set_json_string (w, o, "function", s->function);
  set_json_string (w, o, "what", s->what);
  set_json_item (w, o, "stack", stack);
  set_json_item (w, o, "held", held);
  return o;
}

static void put_sides (json_writer *w, const goal *g) {
  key (w, "      ", "doubt"), put_json (w, json_integer (g->doubt));
  key (w, "      ", "sides"), open_with (w, "[");
  for (uint32_t i = 0; i < g->sides.count; i++)
    begin_json_item (w, "        "), put_json (w, side_value (w, &g->sides.data[i]));
  close_with (w, "      ", "]");
  key (w, "      ", "no_trace"), put_json (w, text_value (w, g->no_steps));
}

static json_t *fingerprint_value (const goal *g) {
  char text[20];
  snprintf (text, sizeof text, "%016" PRIx64, report_fingerprint (g));
  return json_string (text);
}

static void put_loop (json_writer *w, const goal *g) {
  bool shown = !g->stays && g->loop_step < g->steps.count;
  key (w, "      ", "stays"), put_json (w, json_boolean (g->stays));
  key (w, "      ", "loop_step"), put_json (w, shown ? json_integer (g->loop_step + 1) : json_null ());
}

static void put_conditions (json_writer *w, const goal *g) {
  key (w, "      ", "conditions"), open_with (w, "[");
  for (uint32_t i = 0; i < g->conditions.count; i++) {
    const goal_condition *c = &g->conditions.data[i];
    json_t *o = json_object ();
    set_json_item (w, o, "text", text_value (w, c->text));
    set_json_item (w, o, "about", text_value (w, c->about));
    set_json_item (w, o, "file", text_value (w, c->pos.file));
    set_json_item (w, o, "line", json_integer (c->pos.line));
    set_json_item (w, o, "column", json_integer (c->pos.column));
    begin_json_item (w, "        "), put_json (w, o);
  }
  close_with (w, "      ", "]");
}

static void put_goal (json_writer *w, const goal *g) {
  static const char *const status[] = {"violated", "proved", "bounded", "unknown", "conditional"};
  open_with (w, "{");
  key (w, "      ", "id"), put_json (w, text_value (w, g->id));
  key (w, "      ", "property"), put_json (w, text_value (w, ir_property_name[g->property]));
  key (w, "      ", "status"), put_json (w, text_value (w, status[g->status]));
  if (goal_is_possible (g)) key (w, "      ", "certainty"), put_json (w, json_string ("possible"));
  else if (g->status == GOAL_VIOLATED && claim_exists (&g->claim))
    key (w, "      ", "certainty"), put_json (w, json_string ("confirmed"));
  else if (g->status == GOAL_CONDITIONAL) key (w, "      ", "certainty"), put_json (w, json_string ("conditional"));
  if (report_has_fingerprint (g)) {
    key (w, "      ", "about"), put_json (w, text_value (w, g->about));
    key (w, "      ", "fingerprint"), put_json (w, fingerprint_value (g));
  }
  key (w, "      ", "engine"), put_json (w, text_value (w, g->engine));
  key (w, "      ", "message"), put_json (w, text_value (w, g->message));
  if (g->status == GOAL_VIOLATED && claim_exists (&g->claim)) {
    const char *kind = "spurious wake-up";
    key (w, "      ", "needs"), put_json (w, names_value (w, &kind, g->wakeups != NULL));
  }
  key (w, "      ", "locations"), open_with (w, "[");
  for (uint32_t i = 0; i < g->locations.count; i++)
    begin_json_item (w, "        "), put_json (w, location_value (w, &g->locations.data[i]));
  close_with (w, "      ", "]");
  key (w, "      ", "trace"), open_with (w, "[");
  for (uint32_t i = 0; i < g->steps.count; i++) {
    arena_mark mark = arena_get_mark (w->arena);
    begin_json_item (w, "        "), put_json (w, json_step_value (w, &g->steps.data[i]));
    arena_reset (w->arena, mark);
  }
  close_with (w, "      ", "]");
  if (goal_is_possible (g)) put_sides (w, g);
  if (g->status == GOAL_CONDITIONAL) put_conditions (w, g);
  if ((g->status == GOAL_VIOLATED || g->status == GOAL_CONDITIONAL) && claim_exists (&g->claim)) {
    if (g->claim.is_run) put_loop (w, g);
    key (w, "      ", "claim"), put_json (w, claim_value (w, &g->claim));
    key (w, "      ", "schedule"), put_json (w, schedule_value (w, &g->claim.schedule));
  }
  close_with (w, "    ", "}");
}

// ---- the rest of the frame ----------------------------------------------------------------------------

// A whole number of seconds is written as an integer.
static json_t *seconds_value (uint64_t milliseconds) {
  return milliseconds % 1000 ? json_real ((double) milliseconds / 1000) : count_value (milliseconds / 1000);
}

static json_t *option_value (json_writer *w, const report_option *o) {
  return o->kind == REPORT_BOOL           ? json_boolean (o->number)
         : o->kind == REPORT_NUMBER       ? count_value (o->number)
         : o->kind == REPORT_MILLISECONDS ? seconds_value (o->number)
                                          : text_value (w, o->text);
}

static json_t *options_value (json_writer *w, const report_input *in) {
  json_t *o = json_object ();
  set_json_item (w, o, "files", names_value (w, in->given_files.data, in->given_files.count));
  set_json_item (w, o, "clang_flags", names_value (w, in->clang_flags.data, in->clang_flags.count));
  for (uint32_t i = 0; i < in->options.count; i++)
    set_json_item (w, o, in->options.data[i].name, option_value (w, &in->options.data[i]));
  return o;
}

static json_t *bounds_value (json_writer *w, const report_input *in) {
  json_t *o = json_object ();
  set_json_item (w, o, "max_threads", json_integer (in->semantics->max_threads));
  if (in->depth) set_json_item (w, o, "depth", count_value (in->depth));
  set_json_item (w, o, "reached", names_value (w, in->verdict->bounds.data, in->verdict->bounds.count));
  return o;
}

static json_t *limits_value (json_writer *w, const verdict *v) {
  json_t *list = json_array ();
  for (uint32_t i = 0; i < v->limits.count; i++) {
    const limit_row *r = limit_at (v->limits.data[i]);
    json_t *o = json_object ();
    set_json_string (w, o, "name", r->name);
    set_json_item (w, o, "value", count_value (r->value));
    set_json_string (w, o, "part", r->part);
    set_json_string (w, o, "counted", r->counted);
    set_json_string (w, o, "beyond", r->beyond);
    if (json_array_append_new (list, o)) w->good = false;
  }
  return list;
}

static json_t *share_value (json_writer *w, coverage_share c, const char *const *missed, uint32_t num_missed) {
  json_t *o = json_object ();
  set_json_item (w, o, "reached", json_integer (c.reached));
  set_json_item (w, o, "all", json_integer (c.all));
  if (missed || num_missed) set_json_item (w, o, "not", names_value (w, missed, num_missed));
  return o;
}

static json_t *coverage_value (json_writer *w, const coverage *r) {
  if (!r->known) return json_null ();
  json_t *o = json_object ();
  set_json_item (w, o, "threads", share_value (w, r->threads, r->missed_threads.data, r->missed_threads.count));
  set_json_item (w, o, "assertions",
                 share_value (w, r->assertions, r->missed_assertions.data, r->missed_assertions.count));
  set_json_item (w, o, "accesses", share_value (w, r->accesses, NULL, 0));
  set_json_item (w, o, "locks", share_value (w, r->locks, NULL, 0));
  return o;
}

// "states per second" -> "states_per_second"
static const char *stat_key (arena *a, const char *name) {
  char *text = arena_strdup (a, utf8_valid (a, name));
  for (char *c = text; *c; c++)
    if (*c == ' ' || *c == '-') *c = '_';
  return text;
}

static json_t *stats_value (json_writer *w, const report_input *in) {
  json_t *o = json_object ();
  set_json_item (w, o, "time_s", json_real (in->verdict->seconds));
  set_json_item (w, o, "memory_bytes", count_value (in->memory_bytes));
  for (uint32_t i = 0; i < in->verdict->stats.count; i++)
    set_json_item (w, o, stat_key (w->arena, in->verdict->stats.data[i].name),
                   count_value (in->verdict->stats.data[i].value));
  return o;
}

static json_t *accepted_value (json_writer *w, const goal *g) {
  json_t *o = json_object ();
  set_json_string (w, o, "id", g->id);
  set_json_string (w, o, "property", ir_property_name[g->property]);
  set_json_item (w, o, "fingerprint", fingerprint_value (g));
  set_json_string (w, o, "message", g->message);
  return o;
}

static json_t *baseline_value (json_writer *w, const report_input *in) {
  if (!in->baseline) return json_null ();
  json_t *o = json_object (), *accepted = json_array ();
  for (uint32_t i = 0; i < in->verdict->accepted.count; i++)
    if (json_array_append_new (accepted, accepted_value (w, &in->verdict->accepted.data[i]))) w->good = false;
  set_json_string (w, o, "file", in->baseline->path);
  set_json_item (w, o, "accepted", accepted);
  set_json_item (w, o, "unmatched", json_integer (in->baseline->unmatched));
  return o;
}

static json_t *protection_value (json_writer *w, const protection *p) {
  json_t *o = json_object ();
  set_json_string (w, o, "variable", p->variable);
  set_json_string (w, o, "by", protection_kind_name[p->kind]);
  set_json_item (w, o, "locks", names_value (w, p->locks, p->num_locks));
  set_json_item (w, o, "accesses", count_value (p->accesses));
  return o;
}

static json_t *order_value (json_writer *w, const lock_order *l) {
  json_t *o = json_object ();
  set_json_string (w, o, "from", l->from);
  set_json_string (w, o, "to", l->to);
  set_position (w, o, l->pos);
  set_json_string (w, o, "function", l->function);
  return o;
}

static json_t *uneven_value (json_writer *w, const uneven_return *u) {
  json_t *o = json_object ();
  set_json_string (w, o, "function", u->function);
  set_json_string (w, o, "lock", u->lock);
  set_json_item (w, o, "taken", place_value (w, u->taken));
  set_json_item (w, o, "with", place_value (w, u->with));
  set_json_item (w, o, "without", place_value (w, u->without));
  set_json_item (w, o, "given_back", place_value (w, u->given_back));
  return o;
}

bool report_json (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  json_writer json_writer = {.out = out, .arena = arena_new (), .good = true}, *w = &json_writer;
  char hash[20];
  snprintf (hash, sizeof hash, "%016" PRIx64, in->program_hash);
  open_with (w, "{");
  key (w, "  ", "tool"), put_json (w, json_string ("lockstep"));
  key (w, "  ", "version"), put_json (w, text_value (w, in->version));
  key (w, "  ", "files"), put_json (w, names_value (w, in->files.data, in->files.count));
  key (w, "  ", "verdict"), put_json (w, json_string (verdict_kind_name[v->kind]));
  key (w, "  ", "reason"), put_json (w, text_value (w, reason_text (v->reason)));
  key (w, "  ", "goals"), open_with (w, "[");
  for (uint32_t i = 0; i < v->goals.count; i++) begin_json_item (w, "    "), put_goal (w, &v->goals.data[i]);
  close_with (w, "  ", "]");
  key (w, "  ", "baseline"), put_json (w, baseline_value (w, in));
  key (w, "  ", "assumptions"), put_json (w, names_value (w, v->assumptions.data, v->assumptions.count));
  key (w, "  ", "notes"), put_json (w, names_value (w, v->notes.data, v->notes.count));
  key (w, "  ", "bounds"), put_json (w, bounds_value (w, in));
  key (w, "  ", "limits"), put_json (w, limits_value (w, v));
  key (w, "  ", "reached"), put_json (w, coverage_value (w, &v->coverage));
  key (w, "  ", "stats"), put_json (w, stats_value (w, in));
  key (w, "  ", "protection"), open_with (w, "[");
  for (uint32_t i = 0; i < v->protections.count; i++)
    begin_json_item (w, "    "), put_json (w, protection_value (w, &v->protections.data[i]));
  close_with (w, "  ", "]");
  key (w, "  ", "lock_order"), open_with (w, "[");
  for (uint32_t i = 0; i < v->lock_orders.count; i++)
    begin_json_item (w, "    "), put_json (w, order_value (w, &v->lock_orders.data[i]));
  close_with (w, "  ", "]");
  key (w, "  ", "uneven_returns"), open_with (w, "[");
  for (uint32_t i = 0; i < v->uneven_returns.count; i++)
    begin_json_item (w, "    "), put_json (w, uneven_value (w, &v->uneven_returns.data[i]));
  close_with (w, "  ", "]");
  key (w, "  ", "options"), put_json (w, options_value (w, in));
  key (w, "  ", "program_hash"), put_json (w, json_string (hash));
  close_with (w, "", "}");
  put_json_text (w, "\n");
  arena_free (w->arena);
  return fflush (out) == 0 && !ferror (out) && w->good;
}
