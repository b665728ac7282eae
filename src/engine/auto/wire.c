// A worker may die in the middle of a message, or send anything at all: base/bytes.h checks each number, text and
// list, and a message that is not exactly as long as its head says is garbled.
#include "engine/auto/wire.h"

#include <string.h>

#include "base/bytes.h"

// ---- what an engine added -----------------------------------------------------------------------------
mark mark_of (const verdict *v) {
  return (mark){v->bounds.count, v->assumptions.count, v->stats.count, v->notes.count};
}

void answer_since (const verdict *v, mark m, uint32_t asked, wire_answer *out) {
  *out = (wire_answer){.asked = asked, .stop = v->stop, .certificate = v->certificate, .peak_bytes = mem_peak_bytes ()};
  memcpy (out->answers, v->answers, sizeof out->answers);
  for (uint32_t k = m.bounds; k < v->bounds.count; k++) vec_push (&out->bounds, v->bounds.data[k]);
  for (uint32_t k = m.assumptions; k < v->assumptions.count; k++) vec_push (&out->assumptions, v->assumptions.data[k]);
  for (uint32_t k = m.notes; k < v->notes.count; k++) vec_push (&out->notes, v->notes.data[k]);
  for (uint32_t k = m.stats; k < v->stats.count; k++) vec_push (&out->stats, v->stats.data[k]);
  for (uint32_t k = 0; k < v->protections.count; k++) vec_push (&out->protections, v->protections.data[k]);
}

wire_answer answer_of_failure (uint32_t asked, const reason *why) {
  wire_answer a = {.asked = asked, .stop = why, .peak_bytes = mem_peak_bytes ()};
  answers_forget (a.answers, UINT32_MAX);
  return a;
}

verdict_kind answer_kind (const wire_answer *a) {
  verdict_kind kind = verdict_kind_of (a->answers, a->asked);
  return a->stop && kind != VERDICT_BUG ? VERDICT_UNKNOWN : kind;
}

const reason *answer_reason (const wire_answer *a) {
  if (a->stop) return a->stop;
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++)
    if (a->asked >> p & 1 && a->answers[p].rest == GOAL_UNKNOWN && a->answers[p].why) return a->answers[p].why;
  return NULL;
}

void answer_release (wire_answer *a) {
  vec_release (&a->bounds);
  vec_release (&a->assumptions);
  vec_release (&a->notes);
  vec_release (&a->stats);
  vec_release (&a->protections);
}

void answer_add_rest (const wire_answer *a, verdict *v) {
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    const property_answer *said = &a->answers[p];
    property_answer *known = &v->answers[p];
    if (!said->engine || said->rest >= known->rest) continue;
    known->rest = said->rest;
    if (known->status == GOAL_VIOLATED) known->why = said->why;
  }
}

void answer_add_to (const wire_answer *a, verdict *v) {
  if (a->certificate) v->certificate = a->certificate;
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    goal_status before = v->answers[p].rest;
    if (!a->answers[p].engine) continue;
    v->answers[p] = a->answers[p];
    if (before < v->answers[p].rest) v->answers[p].rest = before;
  }
  for (uint32_t k = 0; k < a->bounds.count; k++) verdict_add_bound (v, "%s", a->bounds.data[k]);
  for (uint32_t k = 0; k < a->assumptions.count; k++) verdict_add_assumption (v, "%s", a->assumptions.data[k]);
  for (uint32_t k = 0; k < a->notes.count; k++) verdict_add_note (v, "%s", a->notes.data[k]);
  for (uint32_t k = 0; k < a->stats.count; k++) vec_push (&v->stats, a->stats.data[k]);
  vec_clear (&v->protections);
  for (uint32_t k = 0; k < a->protections.count; k++) vec_push (&v->protections, a->protections.data[k]);
}

// ---- writing ------------------------------------------------------------------------------------------
// The length is filled in by end_message, when the body is complete.
static uint32_t begin_message (strbuf *b, message_kind kind) {
  bytes_put_u32 (b, kind);
  bytes_put_u32 (b, 0);
  return b->count;
}

static void end_message (strbuf *b, uint32_t body) {
  uint32_t length = b->count - body;
  memcpy (b->data + body - sizeof length, &length, sizeof length);
}

void wire_put_claim (strbuf *b, const claim *c) {
  uint32_t body = begin_message (b, MESSAGE_CLAIM);
  bytes_put_u32 (b, c->property);
  bytes_put_u32 (b, c->num_threads);
  bytes_put_u32 (b, c->is_run);
  bytes_put_u64 (b, c->loop_from);
  for (uint32_t k = 0; k < c->num_threads; k++) {
    bytes_put_u32 (b, c->thread[k]);
    bytes_put_u32 (b, c->edge[k].i);
  }
  bytes_put_list (b, c->schedule.parts.data, c->schedule.parts.count, sizeof *c->schedule.parts.data);
  bytes_put_list (b, c->schedule.choices.data, c->schedule.choices.count, sizeof *c->schedule.choices.data);
  end_message (b, body);
}

void wire_put_progress (strbuf *b, const char *line) {
  uint32_t body = begin_message (b, MESSAGE_PROGRESS);
  bytes_put_text (b, line);
  end_message (b, body);
}

static void put_texts (strbuf *b, const char *const *texts, uint32_t count) {
  bytes_put_u32 (b, count);
  for (uint32_t k = 0; k < count; k++) bytes_put_text (b, texts[k]);
}

static void put_wire_reason (strbuf *b, const reason *r) {
  bytes_put_u32 (b, reason_kind_of (r));
  bytes_put_text (b, reason_text (r));
}

static void put_answers (strbuf *b, const wire_answer *a) {
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    const property_answer *x = &a->answers[p];
    bytes_put_u32 (b, x->status);
    bytes_put_u32 (b, x->rest);
    bytes_put_u32 (b, x->all_listed);
    put_wire_reason (b, x->why);
    bytes_put_text (b, x->message);
    bytes_put_text (b, x->engine);
  }
}

static void put_wire_stats (strbuf *b, const wire_answer *a) {
  bytes_put_u32 (b, a->stats.count);
  for (uint32_t k = 0; k < a->stats.count; k++) {
    bytes_put_text (b, a->stats.data[k].name);
    bytes_put_u64 (b, a->stats.data[k].value);
    bytes_put_text (b, a->stats.data[k].note);
  }
}

static void put_wire_protections (strbuf *b, const wire_answer *a) {
  bytes_put_u32 (b, a->protections.count);
  for (uint32_t k = 0; k < a->protections.count; k++) {
    const protection *p = &a->protections.data[k];
    bytes_put_text (b, p->variable);
    bytes_put_u32 (b, p->kind);
    bytes_put_u64 (b, p->accesses);
    put_texts (b, p->locks, p->num_locks);
  }
}

void wire_put_answer (strbuf *b, const wire_answer *a) {
  uint32_t body = begin_message (b, MESSAGE_ANSWER);
  bytes_put_u32 (b, a->asked);
  put_wire_reason (b, a->stop);
  bytes_put_text (b, a->parted);
  bytes_put_text (b, a->certificate);
  bytes_put_u64 (b, a->peak_bytes);
  put_answers (b, a);
  put_texts (b, a->bounds.data, a->bounds.count);
  put_texts (b, a->assumptions.data, a->assumptions.count);
  put_texts (b, a->notes.data, a->notes.count);
  put_wire_stats (b, a);
  put_wire_protections (b, a);
  end_message (b, body);
}

// ---- reading ------------------------------------------------------------------------------------------
static void get_claim (bytes_reader *r, claim *c) {
  c->property = bytes_get_below (r, IR_NUM_QUESTIONS);
  c->num_threads = bytes_get_below (r, IR_MAX_THREADS + 1);
  c->is_run = bytes_get_below (r, 2);
  c->loop_from = bytes_get_u64 (r);
  for (uint32_t k = 0; k < c->num_threads; k++) {
    c->thread[k] = bytes_get_u32 (r);
    c->edge[k].i = bytes_get_u32 (r);
  }
  BYTES_GET_VEC (r, &c->schedule.parts);
  BYTES_GET_VEC (r, &c->schedule.choices);
}

#define GET_TEXTS(R, LIST) \
  for (uint32_t n = bytes_get_count (R, sizeof (uint32_t)); n > 0; n--) vec_push (LIST, bytes_get_some_text (R))

static const reason *get_reason (bytes_reader *r) {
  reason_kind kind = bytes_get_below (r, REASON_NONE + 1);
  return reason_new (r->texts, kind, bytes_get_text (r));
}

static void get_answers (bytes_reader *r, wire_answer *a) {
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    property_answer x = {.status = bytes_get_below (r, GOAL_CONDITIONAL + 1),
                         .rest = bytes_get_below (r, GOAL_UNKNOWN + 1)};
    x.all_listed = bytes_get_below (r, 2);
    x.why = get_reason (r);
    x.message = bytes_get_text (r);
    x.engine = bytes_get_text (r);
    a->answers[p] = x;
  }
}

static void get_stats (bytes_reader *r, wire_answer *a) {
  for (uint32_t n = bytes_get_count (r, 2 * sizeof (uint32_t) + sizeof (uint64_t)); n > 0; n--) {
    named_count c = {.name = bytes_get_some_text (r), .value = bytes_get_u64 (r)};
    c.note = bytes_get_text (r);
    vec_push (&a->stats, c);
  }
}

static void get_protections (bytes_reader *r, wire_answer *a) {
  for (uint32_t n = bytes_get_count (r, 3 * sizeof (uint32_t) + sizeof (uint64_t)); n > 0; n--) {
    protection p = {.variable = bytes_get_some_text (r)};
    p.kind = bytes_get_below (r, PROTECTED_BY_ORDER + 1);
    p.accesses = bytes_get_u64 (r);
    p.num_locks = bytes_get_count (r, sizeof (uint32_t));
    const char **locks = arena_alloc (r->texts, sizeof *locks * (p.num_locks + 1));
    for (uint32_t k = 0; k < p.num_locks; k++) locks[k] = bytes_get_some_text (r);
    p.locks = locks;
    vec_push (&a->protections, p);
  }
}

static void get_answer (bytes_reader *r, wire_answer *a) {
  a->asked = bytes_get_u32 (r);
  a->stop = get_reason (r);
  a->parted = bytes_get_text (r);
  a->certificate = bytes_get_text (r);
  a->peak_bytes = bytes_get_u64 (r);
  get_answers (r, a);
  GET_TEXTS (r, &a->bounds);
  GET_TEXTS (r, &a->assumptions);
  GET_TEXTS (r, &a->notes);
  get_stats (r, a);
  get_protections (r, a);
}

static void get_body (bytes_reader *r, message *out) {
  if (out->kind == MESSAGE_CLAIM) get_claim (r, &out->claim);
  else if (out->kind == MESSAGE_PROGRESS) out->line = bytes_get_some_text (r);
  else get_answer (r, &out->answer);
}

wire_state wire_take (const strbuf *b, uint32_t *at, arena *a, message *out) {
  bytes_reader head = bytes_read (a, b->data + *at, b->count - *at);
  uint32_t kind = bytes_get_u32 (&head), length = bytes_get_count (&head, 1);
  if (kind > MESSAGE_ANSWER) return WIRE_GARBLED;
  if (head.is_bad) return WIRE_MORE;
  *out = (message){.kind = kind};
  bytes_reader body = bytes_read (a, head.at, length);
  get_body (&body, out);
  if (bytes_are_read (&body)) {
    *at = (uint32_t) (body.end - b->data);
    return WIRE_MESSAGE;
  }
  schedule_release (&out->claim.schedule);
  answer_release (&out->answer);
  return WIRE_GARBLED;
}
