// Verdicts, goals, claims and schedules as containers: life cycle and growth.
#include "verdict/verdict.h"

#include <stdarg.h>
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"

const char *const verdict_kind_name[] = {"bug", "safe", "bounded", "unknown"};

void schedule_add (schedule *s, uint32_t thread, uint32_t edges) {
  if (!edges) return;
  if (s->parts.count && vec_last (&s->parts).thread == thread && vec_last (&s->parts).edges <= UINT32_MAX - edges) {
    vec_last (&s->parts).edges += edges;
    return;
  }
  schedule_part part = {thread, edges};
  vec_push (&s->parts, part);
}

uint64_t schedule_edges (const schedule *s) {
  uint64_t edges = 0;
  for (uint32_t k = 0; k < s->parts.count; k++) edges += s->parts.data[k].edges;
  return edges;
}

void schedule_release (schedule *s) {
  vec_release (&s->parts);
  vec_release (&s->choices);
}

void verdict_init (verdict *v) {
  memset (v, 0, sizeof *v);
  v->arena = arena_new ();
  answers_forget (v->answers, UINT32_MAX);
  verdict_settle (v, 0);
}

static void goal_release (goal *g) {
  for (uint32_t i = 0; i < g->steps.count; i++) vec_release (&g->steps.data[i].held);
  vec_release (&g->steps);
  for (uint32_t i = 0; i < g->sides.count; i++) {
    vec_release (&g->sides.data[i].stack);
    vec_release (&g->sides.data[i].held);
  }
  vec_release (&g->sides);
  vec_release (&g->locations);
  vec_release (&g->conditions);
  schedule_release (&g->claim.schedule);
}

static void remove_goal (verdict *v, uint32_t k) {
  memmove (v->goals.data + k, v->goals.data + k + 1, (v->goals.count - k - 1) * sizeof *v->goals.data);
  v->goals.count--;
}

void verdict_drop_goal (verdict *v, uint32_t k) {
  goal_release (&v->goals.data[k]);
  remove_goal (v, k);
}

void verdict_accept_goal (verdict *v, uint32_t k) {
  vec_push (&v->accepted, v->goals.data[k]);
  remove_goal (v, k);
}

void verdict_note_limits (verdict *v) {
  vec_clear (&v->limits);
  for (limit_id id = 0; id < NUM_LIMITS; id++)
    if (limit_was_met (id)) vec_push (&v->limits, id);
}

void verdict_release (verdict *v) {
  for (uint32_t i = 0; i < v->goals.count; i++) goal_release (&v->goals.data[i]);
  vec_release (&v->goals);
  vec_release (&v->assumptions);
  vec_release (&v->bounds);
  vec_release (&v->stats);
  for (uint32_t i = 0; i < v->accepted.count; i++) goal_release (&v->accepted.data[i]);
  vec_release (&v->accepted);
  vec_release (&v->protections);
  vec_release (&v->accesses);
  vec_release (&v->lock_orders);
  vec_release (&v->uneven_returns);
  vec_release (&v->notes);
  vec_release (&v->limits);
  verdict_unwatch (v);
  coverage_release (&v->coverage);
  arena_free (v->arena);
  v->arena = NULL;
}

const char *const protection_kind_name[] = {"locks",   "one thread",        "read only",
                                            "nothing", "atomic operations", "order"};

void verdict_add_stat (verdict *v, const char *name, uint64_t value, const char *note) {
  named_count c = {arena_strdup (v->arena, name), value, note ? arena_strdup (v->arena, note) : NULL};
  vec_push (&v->stats, c);
}

// Returns the text in the arena; NULL: it is among the known ones.
static const char *format_new_text (arena *a, const char *const *known, uint32_t count, const char *format,
                                    va_list values) {
  strbuf text = {0};
  strbuf_vprintf (&text, format, values);
  const char *result = NULL;
  uint32_t i = 0;
  while (i < count && strcmp (known[i], strbuf_text (&text))) i++;
  if (i == count) result = arena_strdup (a, strbuf_text (&text));
  strbuf_release (&text);
  return result;
}

void verdict_add_bound (verdict *v, const char *format, ...) {
  va_list values;
  va_start (values, format);
  const char *text = format_new_text (v->arena, v->bounds.data, v->bounds.count, format, values);
  va_end (values);
  if (text) vec_push (&v->bounds, text);
}

void verdict_add_note (verdict *v, const char *format, ...) {
  va_list values;
  va_start (values, format);
  const char *text = format_new_text (v->arena, v->notes.data, v->notes.count, format, values);
  va_end (values);
  if (text) vec_push (&v->notes, text);
}

void verdict_add_assumption (verdict *v, const char *format, ...) {
  va_list values;
  va_start (values, format);
  const char *text = format_new_text (v->arena, v->assumptions.data, v->assumptions.count, format, values);
  va_end (values);
  if (text) vec_push (&v->assumptions, text);
}

const char *verdict_conditional_reason (verdict *v) {
  const goal *first = NULL;
  uint32_t more = 0;
  for (uint32_t i = 0; i < v->goals.count; i++) {
    if (v->goals.data[i].status != GOAL_CONDITIONAL) continue;
    if (first) more++;
    else first = &v->goals.data[i];
  }
  if (!first) return NULL;
  strbuf text = {0};
  strbuf_printf (&text, "%s only if ", ir_property_name[first->property]);
  for (uint32_t k = 0; k < first->conditions.count; k++)
    strbuf_printf (&text, "%s%s", k ? " and " : "", first->conditions.data[k].text);
  if (more) strbuf_printf (&text, "; %u more on conditions", more);
  const char *reason = arena_strdup (v->arena, strbuf_text (&text));
  strbuf_release (&text);
  return reason;
}

void run_result_release (run_result *r) {
  for (uint32_t i = 0; i < r->claims.count; i++) schedule_release (&r->claims.data[i].schedule);
  vec_release (&r->claims);
}
