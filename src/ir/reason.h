// A reason says why a property has no answer, or only one within bounds.  It has a kind, for decisions of lockstep, and
// one line of text for the user, which begins with the place in the program if there is one.
//
//   internal error: a trace does not replay                REASON_INTERNAL
//   a.c:12: unsupported: inline assembly "cpuid"           REASON_UNSUPPORTED
//   a.c:7: an address comes from an input                  REASON_PLACE
//   the program is too large for this encoding             REASON_ENGINE
//   engine circuit does not check locks                    REASON_NOT_CHECKED
//   unwind 4                                               REASON_BOUND
//   memory only if `getpwuid` returns null                 REASON_CONDITION
//   time limit of 10 s                                     REASON_TIME, likewise REASON_MEMORY
//   interrupted                                            REASON_INTERRUPTED
//
// A reason is allocated in an arena and passed on as a pointer; NULL means no reason.  Several engines may give several
// reasons: the one of the smallest kind is shown, because the user can do most about it.
#ifndef LOCKSTEP_IR_REASON_H
#define LOCKSTEP_IR_REASON_H

#include "base/arena.h"
#include "base/budget.h"
#include "ir/ir.h"

typedef enum reason_kind {
  REASON_INTERNAL, REASON_UNSUPPORTED, REASON_PLACE, REASON_ENGINE, REASON_NOT_CHECKED, REASON_BOUND,
  REASON_CONDITION, REASON_TIME, REASON_MEMORY, REASON_INTERRUPTED, REASON_NONE
} reason_kind;
typedef struct reason {
  reason_kind kind;
  const char *text;
  ir_position place;           // position of the construct or the operation; file NULL: none
} reason;

const reason *reason_new (arena *, reason_kind, const char *text);    // copies the text; NULL for NULL
const reason *reason_copy (arena *, const reason *);                   // NULL for NULL
const reason *reason_printf (arena *, reason_kind, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
// Puts "internal error: " in front of the text.
const reason *reason_internal (arena *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
// the process has no memory although no limit was set
extern const reason reason_out_of_memory;
// Returns why a computation under this budget must stop, or NULL if it need not.  Checks the budget like budget_spent.
const reason *reason_of_budget (arena *, const budget *);

// Executions reach `place` (in a library function: the place where the program calls it), and the engine does not
// follow them beyond it.
const reason *reason_at (arena *, const ir_program *, ir_edge place, const char *what);
const reason *reason_unsupported (arena *, const ir_program *, ir_edge place, const char *construct /* or NULL */);
// Returns reason_unsupported if the edge that the engine does not follow is an `unsupported` edge, else reason_at.
const reason *reason_of_edge (arena *, const ir_program *, ir_edge place, ir_edge, const char *what);

static inline reason_kind reason_kind_of (const reason *r) { return r ? r->kind : REASON_NONE; }
static inline const char *reason_text (const reason *r) { return r ? r->text : NULL; }
static inline bool reason_is_better (const reason *a, const reason *b) {
  return reason_kind_of (a) < reason_kind_of (b);
}
bool reason_says_the_same (const reason *, const reason *);

#endif
