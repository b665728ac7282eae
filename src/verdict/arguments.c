// Shows the inputs argc and argv in a trace.  Their steps stand where `start` calls main.  The text of each word is
// filled in at the end, when it is known which of its bytes the program has read; a byte that was not read may have any
// value.
#include "verdict/verdict_impl.h"

struct argument_word {
  uint32_t step, object;
  VEC (uint16_t) bytes;  // [0..end of the part that was read[: values or NOT_READ
};
enum { NOT_READ = 256 };

bool arguments_are_chosen (const action *a) {
  return a->d->op == IR_CALL && a->d->message && a->f->proc.i == a->m->program->start.i;
}

static void push_input_step (trace *tr, const action *a, const char *name, const char *value) {
  ir_position pos = a->d->pos;
  ir_object callee = ir_expr_at (a->m->program, ir_arg (a->m->program, a->e, 0))->object;
  tr->step = (trace_step){.thread = a->t->slot,
                          .pos = pos,
                          .function = ir_object_at (a->m->program, callee)->name,
                          .op = IR_STEP_CHOOSE,
                          .other = IR_NONE,
                          .text = source_line (&tr->sources, a->m->arena, pos),
                          .object = name,
                          .value = value};
  trace_push (tr);
}

static void push_word (trace *tr, const action *a, uint32_t object) {
  argument_word *w = mem_zalloc (sizeof *w);
  w->step = tr->goal->steps.count;
  w->object = object;
  vec_push (&tr->words, w);
  push_input_step (tr, a, ir_object_at (a->m->program, (ir_object){object})->name, NULL);
}

void arguments_begin (trace *tr, const action *a) {
  machine *m = a->m;
  unsigned pointer_bytes = m->program->pointer_bits / 8;
  uint64_t argc = a->d->num_args > 1 ? (uint64_t) action_arg (a, 1) : 0, argv = 0;
  if (a->d->num_args > 2) argv = (uint64_t) action_arg (a, 2);
  push_input_step (tr, a, "argc", arena_printf (m->arena, "%llu", (unsigned long long) argc));
  for (uint64_t k = 0; argv && k < argc; k++) {
    uint64_t at = argv + k * pointer_bytes;
    if (memory_check (m, at, pointer_bytes, false) != IR_FAULT_NONE) break;
    uint64_t object = address_object (m->program, memory_read (m, at, pointer_bytes));
    if (object < m->program->objects.count && m->program->objects.data[object].argument)
      push_word (tr, a, (uint32_t) object);
  }
}

void arguments_note_read (trace *tr, uint64_t address, unsigned bytes) {
  machine *m = tr->m;
  uint64_t object = address_object (m->program, address), offset = address_offset (m->program, address);
  for (uint32_t i = 0; i < tr->words.count; i++) {
    argument_word *w = tr->words.data[i];
    if (w->object != object) continue;
    while (w->bytes.count < offset + bytes) vec_push (&w->bytes, NOT_READ);
    for (unsigned k = 0; k < bytes; k++) w->bytes.data[offset + k] = (uint8_t) memory_read (m, address + k, 1);
  }
}

// ---- at the end ----------------------------------------------------------------------------------------

static const char *argument_text (const argument_word *w, arena *a) {
  strbuf text = {0};
  strbuf_add_char (&text, '"');
  for (uint32_t k = 0; k < w->bytes.count && w->bytes.data[k]; k++) {
    unsigned c = w->bytes.data[k];
    if (c == NOT_READ) strbuf_add_char (&text, '?');
    else if (c == '"' || c == '\\') strbuf_printf (&text, "\\%c", c);
    else if (c < ' ' || c > '~') strbuf_printf (&text, "\\x%02x", c);
    else strbuf_add_char (&text, (char) c);
  }
  strbuf_add_char (&text, '"');
  const char *copy = arena_strdup (a, strbuf_text (&text));
  strbuf_release (&text);
  return copy;
}

static void drop_step (goal *g, uint32_t step) {
  vec_release (&g->steps.data[step].held);
  for (uint32_t k = step + 1; k < g->steps.count; k++) {
    g->steps.data[k].number--;
    g->steps.data[k - 1] = g->steps.data[k];
  }
  g->steps.count--;
  if (g->loop_step > step) g->loop_step--;
}

// Words that the program has not read may have any value: their steps are dropped.
void arguments_end (trace *tr) {
  for (uint32_t i = tr->words.count; i-- > 0;) {
    argument_word *w = tr->words.data[i];
    bool there = w->step < tr->goal->steps.count;
    if (there && w->bytes.count) tr->goal->steps.data[w->step].value = argument_text (w, tr->m->arena);
    else if (there) drop_step (tr->goal, w->step);
    vec_release (&w->bytes);
    mem_free (w, sizeof *w);
  }
  vec_release (&tr->words);
}
