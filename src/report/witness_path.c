// Turns the interleaving of a bug into a sequence of waypoints.  Leaving steps out makes a witness weaker, never wrong:
// a validator passes each waypoint at the first opportunity, so the execution that was found passes all of them in
// order.  Hence only facts that the text of the program determines become waypoints: creation of threads, values
// returned by non-deterministic functions, and the first step of each thread in each line, with the value that it reads
// if that is an integer in a variable with a simple name.
#include <stdlib.h>
#include <string.h>

#include "report/witness_impl.h"

typedef struct waypoint_builder {
  arena *arena;
  const goal *goal;
  const witness_files *files;
  bool narrow_long;
  witness_path *path;
  uint32_t id[IR_MAX_THREADS];       // by slot: number of the thread that is in it now
  ir_position last[IR_MAX_THREADS];  // by slot: position of the thread's last step
  uint32_t num_threads;              // number of threads created so far, including the first one
} waypoint_builder;

// ---- values -------------------------------------------------------------------------------------------

// Reads the number of a value such as "12", "-3" or "65 'A'".
static bool parse_shown_integer (const char *text, long long *out) {
  char *end;
  *out = text ? strtoll (text, &end, 10) : 0;
  return text && end != text && (!*end || !strncmp (end, " '", 2)) && *out > INT64_MIN && *out < INT64_MAX;
}

// Returns the bits of the result of `__VERIFIER_nondet_uchar` and the like; 0: the result is signed, or unknown.
static unsigned unsigned_bits (const char *function, bool narrow_long) {
  static const struct {
    const char *type;
    unsigned bits, narrow;
  } types[] = {{"uchar", 8, 8},   {"ushort", 16, 16}, {"uint", 32, 32},     {"unsigned", 32, 32},
               {"u8", 8, 8},      {"u16", 16, 16},    {"u32", 32, 32},      {"u64", 64, 64},
               {"ulong", 64, 32}, {"size_t", 64, 32}, {"ulonglong", 64, 64}};
  const char *type = strstr (function, "nondet_");
  for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
    if (!strcmp (type + strlen ("nondet_"), types[i].type)) return narrow_long ? types[i].narrow : types[i].bits;
  return 0;
}

static const char *result_text (waypoint_builder *w, const trace_step *s) {
  long long value;
  if (!s->object || !parse_shown_integer (s->value, &value)) return NULL;
  unsigned bits = unsigned_bits (s->object, w->narrow_long);
  if (value >= 0 || !bits) return arena_printf (w->arena, "%lld", value);
  return arena_printf (w->arena, "%lluU", (unsigned long long) value & (bits < 64 ? (1ull << bits) - 1 : ~0ull));
}

static bool is_identifier (const char *text) {
  for (const char *c = text; *c; c++)
    if (!(*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (c > text && *c >= '0' && *c <= '9')))
      return false;
  return *text;
}

// Returns the constraint that holds before the statement whose first step reads; or NULL.
static const char *read_constraint (waypoint_builder *w, const trace_step *s) {
  long long value;
  bool known =
      s->op == IR_STEP_LOAD && s->object && is_identifier (s->object) && parse_shown_integer (s->value, &value);
  return known ? arena_printf (w->arena, "%s == %lld", s->object, value) : NULL;
}

// ---- steps --------------------------------------------------------------------------------------------

// Finds the last step of each thread of the claim, which was not executed.
static void find_last_steps (const goal *g, uint32_t *last) {
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) last[slot] = IR_NONE;
  for (uint32_t i = 0; i < g->claim.num_threads; i++)
    for (uint32_t k = g->steps.count; k && last[g->claim.thread[i]] == IR_NONE; k--)
      if (g->steps.data[k - 1].thread == g->claim.thread[i]) last[g->claim.thread[i]] = k - 1;
}

static waypoint new_waypoint (const waypoint_builder *w, const trace_step *s, waypoint_kind kind, witness_place place) {
  return (waypoint){.kind = kind, .thread = w->id[s->thread], .place = place, .function = s->function};
}

static bool is_new_line (waypoint_builder *w, const trace_step *s) {
  ir_position *last = &w->last[s->thread];
  bool same = last->file && s->pos.file && last->line == s->pos.line && !strcmp (last->file, s->pos.file);
  *last = s->pos;
  return !same;
}

static void add_waypoints (waypoint_builder *w, const trace_step *s) {
  bool creates = s->op == IR_STEP_CREATE && s->other < IR_MAX_THREADS, fresh = is_new_line (w, s);
  if (creates) {
    w->id[s->other] = w->num_threads++;
    w->last[s->other] = (ir_position){0};
  }
  witness_place place;
  if (!witness_place_find (w->files, s->pos, &place)) return;
  waypoint p = new_waypoint (w, s, WAYPOINT_STEP, place);
  if (creates) {
    p.kind = WAYPOINT_CREATE;
    p.created = w->id[s->other];
    p.called = s->object;
  } else if (s->op == IR_STEP_START) p.kind = WAYPOINT_START;
  else if (s->op == IR_STEP_END) p.kind = WAYPOINT_END;
  else if (s->op == IR_STEP_CHOOSE && witness_call_end (&place, s->object) && (p.value = result_text (w, s))) {
    p.kind = WAYPOINT_CHOICE;
    p.called = s->object;
  } else if (!fresh) return;
  else if ((p.statement = witness_statement (&place))) p.constraint = read_constraint (w, s);
  vec_push (w->path, p);
}

// A statement that fails half-way does not begin again: its beginning is no waypoint of its own.
static void forget_beginning (waypoint_builder *w, const waypoint *target) {
  for (uint32_t k = w->path->count; k > 0; k--) {
    waypoint *p = &w->path->data[k - 1];
    if (p->thread != target->thread) continue;
    if (p->kind == WAYPOINT_STEP && p->place.line == target->place.line) p->statement = 0;
    return;
  }
}

static bool add_violation_waypoints (waypoint_builder *w) {
  const goal *g = w->goal;
  for (uint32_t i = 0; i < g->claim.num_threads && i < g->locations.count; i++) {
    const goal_location *l = &g->locations.data[i];
    waypoint p = {.kind = WAYPOINT_TARGET, .thread = w->id[l->thread], .function = l->function};
    if (!witness_place_find (w->files, l->pos, &p.place)) return false;
    p.statement = witness_statement (&p.place);
    forget_beginning (w, &p);
    vec_push (w->path, p);
  }
  return true;
}

bool witness_path_find (arena *a, const goal *g, const witness_files *files, bool narrow_long, witness_path *path) {
  waypoint_builder w = {
      .arena = a, .goal = g, .files = files, .narrow_long = narrow_long, .path = path, .num_threads = 1};
  uint32_t last[IR_MAX_THREADS];
  find_last_steps (g, last);
  for (uint32_t k = 0; k < g->steps.count; k++)
    if (last[g->steps.data[k].thread] != k) add_waypoints (&w, &g->steps.data[k]);
  return add_violation_waypoints (&w);
}
