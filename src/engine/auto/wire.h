// What a worker process sends to its parent, as bytes: claims and lines of progress while it works, and its answer at
// the end.  A message is a kind, a length and a body (base/bytes.h).
#ifndef LOCKSTEP_AUTO_WIRE_H
#define LOCKSTEP_AUTO_WIRE_H

#include "engine/engine.h"

// What an engine adds to a verdict, besides the violations, which come as claims.
typedef struct wire_answer {
  uint32_t asked;              // requested properties, a bit set of 1 << ir_property
  const reason *stop;          // why the engine ended early, or NULL
  const char *parted, *certificate; // or NULL
  property_answer answers[IR_NUM_QUESTIONS];  // engine NULL: no answer about the property
  VEC (const char *) bounds, assumptions, notes;
  VEC (named_count) stats;
  VEC (protection) protections;
  uint64_t peak_bytes;
} wire_answer;

// The lengths of the lists of a verdict before the engine began.
typedef struct mark { uint32_t bounds, assumptions, stats, notes; } mark;
mark mark_of (const verdict *);
void answer_since (const verdict *, mark, uint32_t asked, wire_answer *out);   // the strings stay in the verdict
wire_answer answer_of_failure (uint32_t asked, const reason *);  // of an engine that ended without an answer
void answer_release (wire_answer *);
verdict_kind answer_kind (const wire_answer *);                // the kind of a verdict with only this answer
const reason *answer_reason (const wire_answer *);             // why one of the properties is unknown; or NULL
void answer_add_to (const wire_answer *, verdict *);           // as if the engine had worked in this process
void answer_add_rest (const wire_answer *, verdict *);         // only what holds apart from violations

typedef enum message_kind { MESSAGE_CLAIM, MESSAGE_PROGRESS, MESSAGE_ANSWER } message_kind;
void wire_put_claim (strbuf *, const claim *);
void wire_put_progress (strbuf *, const char *line);
void wire_put_answer (strbuf *, const wire_answer *);

typedef struct message {
  message_kind kind;
  claim claim;
  const char *line;
  wire_answer answer;
} message;
typedef enum wire_state { WIRE_MESSAGE, WIRE_MORE /* it is not complete yet */, WIRE_GARBLED } wire_state;
// Reads the next message from the bytes from *at on, and advances *at; strings go into the arena.
wire_state wire_take (const strbuf *, uint32_t *at, arena *, message *out);

#endif
