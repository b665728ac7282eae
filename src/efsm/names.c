// Names of variables in the words of the program: `count`, `m.owner`, `thread 2 (worker) i`. The names appear in
// circuits that are written to files and in reported invariants, so no two names are equal. They are given once, when
// the machine is final.
#include "efsm/build_impl.h"

#include <string.h>

#include "base/strbuf.h"

static void name_thread (const build *b, uint32_t thread, strbuf *out) {
  const build_thread *t = &b->facts->threads.data[thread];
  if (!thread) strbuf_add (out, "main");
  else if (t->procs.count == 1)
    strbuf_printf (out, "thread %u (%s)", thread, ir_proc_at (b->program, t->procs.data[0])->name);
  else strbuf_printf (out, "thread %u", thread);
}

// The thread, and the procedure if it is not the start procedure of the thread.
static void name_copy (const build *b, uint32_t copy, strbuf *out) {
  const build_copy *c = &b->facts->copies.data[copy];
  name_thread (b, c->thread, out);
  strbuf_add (out, " ");
  if (c->thread && c->level == START_LEVEL) return;
  const char *proc = ir_proc_at (b->program, c->proc)->name;
  if (strcmp (proc, "main")) strbuf_printf (out, "%s.", proc);
}

static void name_register (const build *b, uint32_t copy, uint32_t reg, strbuf *out) {
  const ir_proc_data *d = ir_proc_at (b->program, b->facts->copies.data[copy].proc);
  name_copy (b, copy, out);
  if (d->regs.data[reg].name) strbuf_add (out, d->regs.data[reg].name);
  else strbuf_printf (out, "%%%u", reg);
}

// Members of glibc's locks have the names of the manual: m.owner for m.__data.__owner.
static void add_member (const build *b, ir_type type, uint32_t offset, strbuf *out) {
  strbuf path = {0};
  if (type.i != IR_NONE) ir_type_path (b->program, type, offset, &path);
  else if (offset) strbuf_printf (&path, "+%u", offset);
  const char *text = strbuf_text (&path), *inner = strstr (text, ".__data.__");
  if (inner) strbuf_printf (out, "%.*s.%s", (int) (inner - text), text, inner + strlen (".__data.__"));
  else strbuf_add (out, text);
  strbuf_release (&path);
}

static void name_made_object (const build *b, uint32_t object, strbuf *out) {
  const build_object *o = &b->facts->objects.data[object];
  const ir_edge_data *d = ir_edge_at (b->program, o->made_by);
  const ir_proc_data *proc = ir_proc_at (b->program, b->facts->copies.data[o->copy].proc);
  const char *name = d->name ? d->name : d->dst.i != IR_NONE ? proc->regs.data[d->dst.i].name : NULL;
  name_copy (b, o->copy, out);
  if (o->kind == OBJECT_HEAP) strbuf_printf (out, "heap object %u", object);
  else if (name) strbuf_add (out, name);
  else strbuf_printf (out, "local object %u", object);
}

static void name_memory (const build *b, uint32_t object, uint32_t offset, strbuf *out) {
  const build_object *o = &b->facts->objects.data[object];
  ir_type type = {IR_NONE};
  if (o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP) name_made_object (b, object, out);
  else {
    const ir_object_data *d = ir_object_at (b->program, o->source);
    if (o->kind == OBJECT_LOCAL) name_thread (b, o->thread, out), strbuf_add (out, " ");
    if (d->name) strbuf_add (out, d->name);
    else strbuf_printf (out, "object %u", object);
    type = d->type;
  }
  add_member (b, type, offset, out);
}

static void name_variable (const build *b, uint64_t key, strbuf *out) {
  static const char *const words[] = {[V_RETURN_TO] = "return address",
                                      [V_MADE] = "times made",
                                      [V_READS] = "reads of lock",
                                      [V_UNDEFINED] = " undefined",
                                      [V_ALIVE] = " alive",
                                      [V_SIZE] = " size",
                                      [V_STARTED] = " started",
                                      [V_FUNCTION] = " function",
                                      [V_ARGUMENT] = " argument",
                                      [V_ENDED] = " ended",
                                      [V_RESULT] = " result",
                                      [V_GONE] = " joined or detached",
                                      [V_WAITS] = " waits at",
                                      [V_SELF] = " handle"};
  variable_kind kind = (variable_kind) (key >> 58);
  uint32_t x = (uint32_t) (key >> 29) & ((1u << 29) - 1), y = (uint32_t) key & ((1u << 29) - 1);
  switch (kind) {
  case V_REG: name_register (b, x, y, out); return;
  case V_CELL: name_memory (b, x, y, out); return;
  case V_OVER: strbuf_add (out, "process ended"); return;
  case V_RUNNER: strbuf_printf (out, "runner of once %u", x); return;
  case V_MADE:
  case V_RETURN_TO: name_copy (b, x, out); break;
  case V_READS: name_thread (b, x, out), strbuf_printf (out, " %s %u", words[kind], y); return;
  case V_UNDEFINED:
  case V_ALIVE:
  case V_SIZE: name_memory (b, x, kind == V_UNDEFINED ? y : 0, out); break;
  default: name_thread (b, x, out);
  }
  strbuf_add (out, words[kind]);
}

static void name_choice (const build *b, const efsm_point *p, ir_edge e, strbuf *out) {
  ir_position pos = ir_edge_at (b->program, e)->pos;
  name_thread (b, p->thread, out);
  strbuf_printf (out, " chooses at %s:%u", pos.file ? pos.file : "an unknown place", pos.line);
}

// The second of two equal names gets a number.
static const char *different (arena *a, strmap *taken, strbuf *name) {
  bool is_new;
  const char *free_name = arena_strdup (a, strbuf_text (name));
  strmap_insert (taken, free_name, 0, &is_new);
  for (uint32_t k = 2; !is_new; k++) {
    free_name = arena_printf (a, "%s (%u)", strbuf_text (name), k);
    strmap_insert (taken, free_name, 0, &is_new);
  }
  return free_name;
}

static void name_threads (build *b, strbuf *name) {
  for (uint32_t t = 0; t < b->m->threads.count; t++) {
    strbuf_clear (name);
    name_thread (b, t, name);
    b->m->threads.data[t].name = arena_strdup (b->m->arena, strbuf_text (name));
  }
}

static void name_choices_of (build *b, const efsm_point *p, strmap *taken, strbuf *name) {
  for (uint32_t s = 0; s < p->steps.count; s++) {
    if (p->steps.data[s].choice.i == TERM_NONE.i) continue;
    strbuf_clear (name);
    name_choice (b, p, p->steps.data[s].edge, name);
    vec_push (&b->m->inputs, ((efsm_input){p->steps.data[s].choice, different (b->m->arena, taken, name)}));
  }
}

void build_name_all (build *b) {
  strmap taken = {0};
  strbuf name = {0};
  name_threads (b, &name);
  for (uint32_t v = 0; v < b->keys.count; v++) {
    strbuf_clear (&name);
    name_variable (b, b->keys.data[v], &name);
    b->m->variables.data[v].name = different (b->m->arena, &taken, &name);
  }
  for (uint32_t k = 0; k < b->m->points.count; k++) name_choices_of (b, &b->m->points.data[k], &taken, &name);
  strbuf_release (&name);
  strmap_release (&taken);
}
