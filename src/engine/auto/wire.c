// Every reader checks that what it reads is there: a worker that dies in the middle of a message, or has gone mad, must not take us along.
#include "engine/auto/wire.h"

#include <string.h>

// ---- what an engine added --------------------------------------------------------------------------------------------
mark mark_of (const verdict *v) {
  return (mark){v->goals.count, v->bounds.count, v->assumptions.count, v->stats.count, v->notes.count};
}

void answer_since (const verdict *v, mark m, answer *out) {
  *out = (answer){.kind = v->kind, .reason = v->reason, .certificate = v->certificate, .peak_bytes = mem_peak_bytes ()};
  memcpy (out->rest, v->rest, sizeof out->rest);
  for (uint32_t k = m.goals; k < v->goals.count; k++)
    if (v->goals.data[k].status != GOAL_VIOLATED && v->goals.data[k].status != GOAL_CONDITIONAL) vec_push (&out->goals, v->goals.data[k]);
  for (uint32_t k = m.bounds; k < v->bounds.count; k++) vec_push (&out->bounds, v->bounds.data[k]);
  for (uint32_t k = m.assumptions; k < v->assumptions.count; k++) vec_push (&out->assumptions, v->assumptions.data[k]);
  for (uint32_t k = m.notes; k < v->notes.count; k++) vec_push (&out->notes, v->notes.data[k]);
  for (uint32_t k = m.stats; k < v->stats.count; k++) vec_push (&out->stats, v->stats.data[k]);
  for (uint32_t k = 0; k < v->protections.count; k++) vec_push (&out->protections, v->protections.data[k]);
}

void answer_release (answer *a) {
  vec_release (&a->goals);
  vec_release (&a->bounds);
  vec_release (&a->assumptions);
  vec_release (&a->notes);
  vec_release (&a->stats);
  vec_release (&a->protections);
}

void answer_add_rest (const answer *a, verdict *v) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (a->rest[p] != GOAL_VIOLATED && a->rest[p] < v->rest[p]) v->rest[p] = a->rest[p];
}

void answer_add_to (const answer *a, verdict *v) {
  v->kind = a->kind;
  v->reason = a->reason;
  if (a->certificate) v->certificate = a->certificate;
  answer_add_rest (a, v);
  for (uint32_t k = 0; k < a->goals.count; k++) vec_push (&v->goals, a->goals.data[k]);
  for (uint32_t k = 0; k < a->bounds.count; k++) verdict_add_bound (v, "%s", a->bounds.data[k]);
  for (uint32_t k = 0; k < a->assumptions.count; k++) verdict_add_assumption (v, "%s", a->assumptions.data[k]);
  for (uint32_t k = 0; k < a->notes.count; k++) verdict_add_note (v, "%s", a->notes.data[k]);
  for (uint32_t k = 0; k < a->stats.count; k++) vec_push (&v->stats, a->stats.data[k]);
  vec_clear (&v->protections);
  for (uint32_t k = 0; k < a->protections.count; k++) vec_push (&v->protections, a->protections.data[k]);
}

// ---- writing ------------------------------------------------------------------------------------------------------------
static void put (bytes *b, const void *data, size_t count) { strbuf_add_bytes (b, data, count); }
static void put_u32 (bytes *b, uint32_t x) { put (b, &x, sizeof x); }
static void put_u64 (bytes *b, uint64_t x) { put (b, &x, sizeof x); }

static void put_text (bytes *b, const char *text) {
  put_u32 (b, text ? (uint32_t) strlen (text) : UINT32_MAX);
  if (text) put (b, text, strlen (text));
}

// The length is filled in when the body is complete.
static uint32_t begin (bytes *b, message_kind kind) {
  put_u32 (b, kind);
  put_u32 (b, 0);
  return b->count;
}

static void end (bytes *b, uint32_t body) {
  uint32_t length = b->count - body;
  memcpy (b->data + body - sizeof length, &length, sizeof length);
}

void wire_put_claim (bytes *b, const claim *c) {
  uint32_t body = begin (b, MESSAGE_CLAIM);
  put_u32 (b, c->property);
  put_u32 (b, c->num_threads);
  put_u32 (b, c->is_run);
  put_u64 (b, c->loop_from);
  for (uint32_t k = 0; k < c->num_threads; k++) {
    put_u32 (b, c->thread[k]);
    put_u32 (b, c->edge[k].i);
  }
  put_u32 (b, c->schedule.parts.count);
  put (b, c->schedule.parts.data, sizeof *c->schedule.parts.data * c->schedule.parts.count);
  put_u32 (b, c->schedule.choices.count);
  put (b, c->schedule.choices.data, sizeof *c->schedule.choices.data * c->schedule.choices.count);
  end (b, body);
}

void wire_put_progress (bytes *b, const char *line) {
  uint32_t body = begin (b, MESSAGE_PROGRESS);
  put_text (b, line);
  end (b, body);
}

static void put_texts (bytes *b, const char *const *texts, uint32_t count) {
  put_u32 (b, count);
  for (uint32_t k = 0; k < count; k++) put_text (b, texts[k]);
}

static void put_goals (bytes *b, const answer *a) {
  put_u32 (b, a->goals.count);
  for (uint32_t k = 0; k < a->goals.count; k++) {
    const goal *g = &a->goals.data[k];
    put_u32 (b, g->property);
    put_u32 (b, g->status);
    put_text (b, g->id);
    put_text (b, g->engine);
    put_text (b, g->message);
  }
}

static void put_stats (bytes *b, const answer *a) {
  put_u32 (b, a->stats.count);
  for (uint32_t k = 0; k < a->stats.count; k++) {
    put_text (b, a->stats.data[k].name);
    put_u64 (b, a->stats.data[k].value);
    put_text (b, a->stats.data[k].note);
  }
}

static void put_protections (bytes *b, const answer *a) {
  put_u32 (b, a->protections.count);
  for (uint32_t k = 0; k < a->protections.count; k++) {
    const protection *p = &a->protections.data[k];
    put_text (b, p->variable);
    put_u32 (b, p->kind);
    put_u64 (b, p->accesses);
    put_texts (b, p->locks, p->num_locks);
  }
}

void wire_put_answer (bytes *b, const answer *a) {
  uint32_t body = begin (b, MESSAGE_ANSWER);
  put_u32 (b, a->kind);
  put_text (b, a->reason);
  put_text (b, a->parted);
  put_text (b, a->certificate);
  put_u64 (b, a->peak_bytes);
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) put_u32 (b, a->rest[p]);
  put_goals (b, a);
  put_texts (b, a->bounds.data, a->bounds.count);
  put_texts (b, a->assumptions.data, a->assumptions.count);
  put_texts (b, a->notes.data, a->notes.count);
  put_stats (b, a);
  put_protections (b, a);
  end (b, body);
}

// ---- reading ------------------------------------------------------------------------------------------------------------
// After the first thing that is not there everything else is zero.
typedef struct reader {
  const char *at, *end;
  arena *arena;
  bool bad;
} reader;

static bool has (reader *r, uint64_t count) {
  if (!r->bad && (uint64_t) (r->end - r->at) < count) r->bad = true;
  return !r->bad;
}

static void get (reader *r, void *out, size_t count) {
  memset (out, 0, count);
  if (!has (r, count)) return;
  memcpy (out, r->at, count);
  r->at += count;
}

static uint32_t get_u32 (reader *r) {
  uint32_t x;
  get (r, &x, sizeof x);
  return x;
}

static uint64_t get_u64 (reader *r) {
  uint64_t x;
  get (r, &x, sizeof x);
  return x;
}

// A number less than `limit`.
static uint32_t get_below (reader *r, uint32_t limit) {
  uint32_t x = get_u32 (r);
  if (x >= limit) r->bad = true;
  return r->bad ? 0 : x;
}

// How many things follow, each of at least so many bytes.
static uint32_t get_count (reader *r, size_t each) {
  uint32_t count = get_u32 (r);
  return has (r, (uint64_t) count * each) ? count : 0;
}

static const char *get_text (reader *r) {
  uint32_t length = get_u32 (r);
  if (length == UINT32_MAX || !has (r, length)) return NULL;
  char *text = arena_alloc (r->arena, (size_t) length + 1);
  get (r, text, length);
  text[length] = 0;
  return text;
}

static const char *get_some_text (reader *r) {
  const char *text = get_text (r);
  if (!text) r->bad = true;
  return text ? text : "";
}

static void get_claim (reader *r, claim *c) {
  c->property = get_below (r, IR_NUM_PROPERTIES);
  c->num_threads = get_below (r, IR_MAX_THREADS + 1);
  c->is_run = get_below (r, 2);
  c->loop_from = get_u64 (r);
  for (uint32_t k = 0; k < c->num_threads; k++) {
    c->thread[k] = get_u32 (r);
    c->edge[k].i = get_u32 (r);
  }
  uint32_t parts = get_count (r, sizeof (schedule_part));
  for (uint32_t k = 0; k < parts; k++) {
    schedule_part p;
    get (r, &p, sizeof p);
    vec_push (&c->schedule.parts, p);
  }
  uint32_t choices = get_count (r, sizeof (ir_value));
  for (uint32_t k = 0; k < choices; k++) {
    ir_value v;
    get (r, &v, sizeof v);
    vec_push (&c->schedule.choices, v);
  }
}

#define GET_TEXTS(R, LIST) \
  for (uint32_t n = get_count (R, sizeof (uint32_t)); n > 0; n--) vec_push (LIST, get_some_text (R))

static void get_goals (reader *r, answer *a) {
  for (uint32_t n = get_count (r, 5 * sizeof (uint32_t)); n > 0; n--) {
    goal g = {.property = get_below (r, IR_NUM_PROPERTIES), .status = get_below (r, GOAL_UNKNOWN + 1)};
    g.id = get_some_text (r);
    g.engine = get_some_text (r);
    g.message = get_text (r);
    vec_push (&a->goals, g);
  }
}

static void get_stats (reader *r, answer *a) {
  for (uint32_t n = get_count (r, 2 * sizeof (uint32_t) + sizeof (uint64_t)); n > 0; n--) {
    named_count c = {.name = get_some_text (r), .value = get_u64 (r)};
    c.note = get_text (r);
    vec_push (&a->stats, c);
  }
}

static void get_protections (reader *r, answer *a) {
  for (uint32_t n = get_count (r, 3 * sizeof (uint32_t) + sizeof (uint64_t)); n > 0; n--) {
    protection p = {.variable = get_some_text (r)};
    p.kind = get_below (r, PROTECTED_BY_ORDER + 1);
    p.accesses = get_u64 (r);
    p.num_locks = get_count (r, sizeof (uint32_t));
    const char **locks = arena_alloc (r->arena, sizeof *locks * (p.num_locks + 1));
    for (uint32_t k = 0; k < p.num_locks; k++) locks[k] = get_some_text (r);
    p.locks = locks;
    vec_push (&a->protections, p);
  }
}

static void get_answer (reader *r, answer *a) {
  a->kind = get_below (r, VERDICT_UNKNOWN + 1);
  a->reason = get_text (r);
  a->parted = get_text (r);
  a->certificate = get_text (r);
  a->peak_bytes = get_u64 (r);
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) a->rest[p] = get_below (r, GOAL_UNKNOWN + 1);
  get_goals (r, a);
  GET_TEXTS (r, &a->bounds);
  GET_TEXTS (r, &a->assumptions);
  GET_TEXTS (r, &a->notes);
  get_stats (r, a);
  get_protections (r, a);
}

static void get_body (reader *r, message *out) {
  if (out->kind == MESSAGE_CLAIM) get_claim (r, &out->claim);
  else if (out->kind == MESSAGE_PROGRESS) out->line = get_some_text (r);
  else get_answer (r, &out->answer);
}

wire_state wire_take (const bytes *b, uint32_t *at, arena *a, message *out) {
  reader head = {.at = b->data + *at, .end = b->data + b->count, .arena = a};
  uint32_t kind = get_u32 (&head), length = get_u32 (&head);
  if (head.bad) return WIRE_MORE;
  if (kind > MESSAGE_ANSWER) return WIRE_GARBLED;
  if (!has (&head, length)) return WIRE_MORE;
  *out = (message){.kind = kind};
  reader body = {.at = head.at, .end = head.at + length, .arena = a};
  get_body (&body, out);
  if (!body.bad && body.at == body.end) {
    *at = (uint32_t) (body.end - b->data);
    return WIRE_MESSAGE;
  }
  schedule_release (&out->claim.schedule);
  answer_release (&out->answer);
  return WIRE_GARBLED;
}
