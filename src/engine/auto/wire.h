// What a worker process sends to its parent, as bytes: claims and lines of progress while it works, and its answer at
// the end.  A message is a kind, a length and a body (base/bytes.h).
#ifndef LOCKSTEP_AUTO_WIRE_H
#define LOCKSTEP_AUTO_WIRE_H

#include "engine/engine.h"

// What an engine adds to a verdict, besides the violations, which come as claims.
typedef struct answer {
  uint32_t asked;              // properties, a bit set of 1 << ir_property
  const reason *stop;          // why it did not come to its end, or NULL
  const char *parted, *certificate; // or NULL
  property_answer answers[IR_NUM_QUESTIONS];  // engine NULL: it has said nothing about it
  VEC (const char *) bounds, assumptions, notes;
  VEC (named_count) stats;
  VEC (protection) protections;
  uint64_t peak_bytes;
} answer;

// How far a verdict had come before the engine began.
typedef struct mark { uint32_t bounds, assumptions, stats, notes; } mark;
mark mark_of (const verdict *);
void answer_since (const verdict *, mark, uint32_t asked, answer *out);   // strings stay in the verdict
answer answer_of_failure (uint32_t asked, const reason *);  // the engine has not come to say anything
void answer_release (answer *);
verdict_kind answer_kind (const answer *);                // of a verdict that is only this
const reason *answer_reason (const answer *);             // why nothing is known of one of the properties; or NULL
void answer_add_to (const answer *, verdict *);           // ... as if the engine had worked here
void answer_add_rest (const answer *, verdict *);         // only what it says of properties apart from their violations

typedef enum message_kind { MESSAGE_CLAIM, MESSAGE_PROGRESS, MESSAGE_ANSWER } message_kind;
void wire_put_claim (strbuf *, const claim *);
void wire_put_progress (strbuf *, const char *line);
void wire_put_answer (strbuf *, const answer *);

typedef struct message {
  message_kind kind;
  claim claim;
  const char *line;
  answer answer;
} message;
typedef enum wire_state { WIRE_MESSAGE, WIRE_MORE /* it is not complete yet */, WIRE_GARBLED } wire_state;
// Takes the next message out of the bytes from *at on; strings go into the arena.
wire_state wire_take (const strbuf *, uint32_t *at, arena *, message *out);

#endif
