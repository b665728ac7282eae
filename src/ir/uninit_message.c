// The messages of the checks of --property=uninit: "the branch depends on `x`, which was never written (declared at
// a.c:9)".
#include <string.h>

#include "ir/uninit_impl.h"

static const char *what_is_decided (const uninit *u, const ir_edge_data *d, unsigned arg) {
  switch (d->op) {
  case IR_ASSUME: return "the branch";
  case IR_CHECK: return d->aux == IR_P_UNINIT ? "the branch" : d->aux == IR_P_ASSERT ? "the assertion" : "the check";
  case IR_CALL: return "the function that is called";
  case IR_ALLOC: return d->aux == IR_ALLOC_STACK ? "the size of an array" : "the size of an allocation";
  case IR_FREE: return "the address given to free";
  case IR_OUTPUT: return "the output";
  case IR_EXIT: return "the exit code";
  case IR_RMW:
  case IR_CMPXCHG: return arg ? "an atomic operation" : "the address";
  case IR_OWN: return "a declaration of ownership";
  case IR_NOP:
  case IR_ASSIGN:
  case IR_NONDET:
  case IR_RETURN:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FORGET:
  case IR_LOAD:
  case IR_STORE:
  case IR_LOAD_RAW:
  case IR_STORE_RAW:
  case IR_FENCE:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  if (ir_op_table[d->op].group == 'M') return "the address";
  return arena_printf (u->p->arena, "the argument of %s", ir_op_table[d->op].text);
}

// Appends the C text of the lvalue that was read, without the values of indices, which are no longer known.
static void add_lvalue (const char *name, strbuf *out) {
  strbuf_add_char (out, '`');
  for (const char *s = name; *s; s++) {
    bool is_place = !strncmp (s, "{}", 2);
    strbuf_add (out, is_place ? "..." : "");
    if (is_place) s++;
    else strbuf_add_char (out, *s);
  }
  strbuf_add_char (out, '`');
}

static void add_origin (const uninit *u, origin from, strbuf *out) {
  const ir_edge_data *d = from != ORIGIN_SEVERAL && from != ORIGIN_NONE ? &u->p->edges.data[from - 1] : NULL;
  bool is_local = d && d->message && (d->op == IR_ASSIGN || d->op == IR_NONDET);
  if (is_local) strbuf_add (out, d->message);
  else if (d && d->op == IR_THREAD_JOIN) strbuf_add (out, "the result of a thread");
  else if (d && d->name) add_lvalue (d->name, out);
  else {
    strbuf_add (out, "a value that was never written");
    return;
  }
  strbuf_add (out, ", which was never written");
  if (is_local && d->pos.file) strbuf_printf (out, " (declared at %s:%u)", d->pos.file, d->pos.line);
}

const char *uninit_message (uninit *u, ir_edge e, unsigned arg, origin from) {
  strbuf text = {0};
  strbuf_printf (&text, "%s depends on ", what_is_decided (u, ir_edge_at (u->p, e), arg));
  add_origin (u, from, &text);
  const char *kept = arena_strdup (u->p->arena, strbuf_text (&text));
  strbuf_release (&text);
  return kept;
}
