// What a worker process sends to its parent, as bytes: claims and lines of progress while it works, and its answer at
// the end.  A message is a kind, a length and a body (base/bytes.h).
#ifndef LOCKSTEP_AUTO_WIRE_H
#define LOCKSTEP_AUTO_WIRE_H

#include "engine/engine.h"

// What an engine adds to a verdict, besides the violations, which come as claims.
typedef struct answer {
  verdict_kind kind;
  const char *reason, *parted, *certificate; // or NULL
  VEC (goal) goals;            // how each property was left: id, property, status, engine, message
  goal_status rest[IR_NUM_PROPERTIES];  // as in a verdict; GOAL_VIOLATED: the engine has not come to say it
  VEC (const char *) bounds, assumptions, notes;
  VEC (named_count) stats;
  VEC (protection) protections;
  uint64_t peak_bytes;
} answer;

// How far a verdict had come before the engine began.
typedef struct mark { uint32_t goals, bounds, assumptions, stats, notes; } mark;
mark mark_of (const verdict *);
void answer_since (const verdict *, mark, answer *out);   // strings stay in the verdict
void answer_release (answer *);
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
