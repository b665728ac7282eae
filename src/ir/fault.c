// The words of faults.  # stands for the kind of the object, {} for its name.  ir_fault_text replaces # only; its
// caller replaces {}.
#include "ir/fault.h"

#include <string.h>

static const char *const fault_words[IR_NUM_FAULTS] = {
    [IR_FAULT_NONE] = "memory error",
    [IR_FAULT_NULL] = "null pointer dereference",
    [IR_FAULT_INVALID] = "access through an invalid pointer",
    [IR_FAULT_FREED] = "use after free",
    [IR_FAULT_STACK] = "use of the stack of an ended function",
    [IR_FAULT_THREAD_STACK] = "use of the stack of an ended thread",
    [IR_FAULT_BOUNDS] = "out of bounds",
    [IR_FAULT_CONSTANT] = "write to constant",
    [IR_FAULT_BAD_FREE] = "free of an invalid pointer",
    [IR_FAULT_DOUBLE_FREE] = "double free",
    [IR_FAULT_BAD_CALL] = "call of an invalid function pointer",
    [IR_FAULT_LEAK] = "memory is never freed",
    [IR_FAULT_INTRUSION] = "use of memory that another thread owns",
    [IR_FAULT_OWNED_TWICE] = "two threads own the same memory",
    [IR_FAULT_OWNER_CHANGED] = "another thread changes the owner",
    [IR_FAULT_UNINITIALISED] = "use of the uninitialised # {}",
    [IR_FAULT_DESTROYED] = "use of the destroyed # {}",
    [IR_FAULT_RELOCK] = "relock of {}, which this thread already holds",
    [IR_FAULT_UNLOCK_FREE] = "unlock of {}, which is not held",
    [IR_FAULT_UNLOCK_FOREIGN] = "unlock of {}, which is held by another thread",
    [IR_FAULT_UNLOCK_OTHERS] = "unlock of {}, which this thread does not hold",
    [IR_FAULT_WAIT_UNLOCKED] = "wait without holding the # {}",
    [IR_FAULT_INIT_HELD] = "initialisation of the held # {}",
    [IR_FAULT_INIT_IN_USE] = "initialisation of the # {}, which is in use",
    [IR_FAULT_DESTROY_HELD] = "destruction of the held # {}",
    [IR_FAULT_DESTROY_COND] = "destruction of the # {}, which is in use",
    [IR_FAULT_DESTROY_BARRIER] = "destruction of the # {}, which is in use",
    [IR_FAULT_END_HOLDING] = "thread ends holding {}",
    [IR_FAULT_BAD_JOIN] = "join of a thread that does not exist or is detached",
    [IR_FAULT_BAD_DETACH] = "detach of a thread that does not exist or is detached",
    [IR_FAULT_CHECK] = "a check fails",
    [IR_FAULT_REACH_ERROR] = "`reach_error` is reached",
    [IR_FAULT_VERIFIER_ERROR] = "`__VERIFIER_error` is reached",
};

const char *ir_fault_text (arena *a, ir_fault fault, const char *object) {
  const char *words = fault_words[fault], *kind = strchr (words, '#');
  if (!kind) return words;
  return arena_printf (a, "%.*s%s%s", (int) (kind - words), words, object, kind + 1);
}
