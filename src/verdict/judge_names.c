// Names memory and values in the words of the C program.
//
// An access is called what the C text calls it: the name of the edge, with the current index values filled in
// ("buf[{}]" gives "buf[3]").  Inside library models, and where the text has no name, the object gives the name: a
// static object its own name and the path to the member, a local one the name of its variable, a heap one the position
// where it was allocated.  Messages about two threads prefer the name of the object, so both threads call it the same.
#include "verdict/verdict_impl.h"

void name_place (const ir_program *p, ir_edge e, strbuf *out) {
  ir_position pos = e.i < p->edges.count ? ir_edge_at (p, e)->pos : (ir_position){0};
  if (pos.file) strbuf_printf (out, "%s:%u", pos.file, pos.line);
  else strbuf_add (out, "an unknown place");
}

static const char *function_of_edge (const ir_program *p, ir_edge e) {
  return ir_proc_at (p, ir_loc_at (p, ir_edge_at (p, e)->from)->proc)->name;
}

ir_position action_position (const action *a) { return ir_edge_at (a->m->program, action_user_edge (a))->pos; }
const char *action_function (const action *a) { return function_of_edge (a->m->program, action_user_edge (a)); }

static bool is_in_model (const action *a) { return ir_proc_at (a->m->program, a->f->proc)->internal; }

// ---- objects -------------------------------------------------------------------------------------------

// Adds the path to the member.  The members of glibc's lock types all start with two underscores; the path ends at the
// lock, which is what users know.
static void add_path (const ir_program *p, ir_type type, uint32_t offset, bool sync, strbuf *out) {
  if (type.i == IR_NONE) {
    if (offset) strbuf_printf (out, " + %u", offset);
    return;
  }
  uint32_t start = out->count;
  ir_type_path (p, type, offset, out);
  char *inner = sync && out->count > start ? strstr (out->data + start, ".__") : NULL;
  if (!inner) return;
  *inner = 0;
  out->count = (uint32_t) (inner - out->data);
}

static void name_local (machine *m, const object *o, strbuf *out) {
  const ir_program *p = m->program;
  const ir_edge_data *d = &p->edges.data[o->origin];
  const ir_proc_data *proc = ir_proc_at (p, ir_loc_at (p, d->from)->proc);
  const char *name = d->name ? d->name : d->dst.i != IR_NONE ? proc->regs.data[d->dst.i].name : NULL;
  if (name) strbuf_add (out, name);
  else {
    strbuf_add (out, "local object of ");
    name_place (p, (ir_edge){o->origin}, out);
  }
}

void name_object (machine *m, uint64_t address, bool sync, strbuf *out) {
  const ir_program *p = m->program;
  uint64_t number = address_object (p, address);
  uint32_t offset = (uint32_t) address_offset (p, address);
  const object *o = number ? object_find (m, number) : NULL;
  if (!number && !offset) strbuf_add (out, "NULL");
  else if (!o) strbuf_printf (out, "invalid pointer 0x%llx", (unsigned long long) address);
  else if (o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP) {
    if (o->kind == OBJECT_STACK) name_local (m, o, out);
    else {
      strbuf_add (out, "heap object of ");
      name_place (p, (ir_edge){o->origin}, out);
    }
    add_path (p, (ir_type){IR_NONE}, offset, sync, out);
  } else {
    const ir_object_data *d = &p->objects.data[o->origin];
    strbuf_add (out, d->name ? d->name : "an unnamed object");
    add_path (p, d->type, offset, sync, out);
  }
}

// ---- accesses ------------------------------------------------------------------------------------------

static void expand_template (const action *a, strbuf *out) {
  const ir_program *p = a->m->program;
  uint32_t next = 0;
  for (const char *c = a->d->name; *c; c++) {
    if (c[0] != '{' || c[1] != '}' || next >= a->d->num_name_args) {
      strbuf_add_char (out, *c);
      continue;
    }
    ir_expr x = p->args.data[a->d->first_name_arg + next++];
    strbuf_printf (out, "%lld", (long long) value_signed (eval (a, x), ir_expr_at (p, x)->bits));
    c++;
  }
}

static bool is_sync (const action *a) { return ir_op_table[a->d->op].group == 'S'; }

// The name of an edge is that of its first operand.
bool name_from_text (const action *a, uint64_t address, strbuf *out) {
  bool fits = a->d->name && !is_in_model (a) && a->d->num_args && (uint64_t) action_arg (a, 0) == address;
  if (fits) expand_template (a, out);
  return fits;
}

void name_access (const action *a, uint64_t address, strbuf *out) {
  if (!name_from_text (a, address, out)) name_object (a->m, address, is_sync (a), out);
}

bool name_is_static (machine *m, uint64_t address) {
  uint64_t number = address_object (m->program, address);
  const object *o = number ? object_find (m, number) : NULL;
  return o && (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_CONSTANT);
}

void name_shared (const action *a, uint64_t address, strbuf *out) {
  if (name_is_static (a->m, address)) name_object (a->m, address, is_sync (a), out);
  else name_access (a, address, out);
}

// ---- values --------------------------------------------------------------------------------------------

ir_type name_type_at (machine *m, uint64_t address, unsigned bytes) {
  const ir_program *p = m->program;
  const object *o = object_find (m, address_object (p, address));
  if (!o || o->kind > OBJECT_THREAD_LOCAL) return (ir_type){IR_NONE};
  ir_type type = p->objects.data[o->origin].type;
  uint64_t offset = address_offset (p, address);
  for (uint32_t depth = 0; type.i < p->types.count && depth < p->types.count; depth++) {
    const ir_type_data *t = ir_type_at (p, type);
    if (t->kind == IR_T_ARRAY) {
      uint32_t size = t->target.i < p->types.count ? ir_type_at (p, t->target)->size : 0;
      if (!size) break;
      type = t->target;
      offset %= size;
    } else if (t->kind == IR_T_STRUCT || t->kind == IR_T_UNION) {
      ir_type inner = {IR_NONE};
      uint64_t start = 0;
      for (uint32_t i = 0; i < t->members.count; i++) {
        const ir_member *member = &t->members.data[i];
        uint32_t size = member->type.i < p->types.count ? ir_type_at (p, member->type)->size : 0;
        if (offset >= member->offset && offset < (uint64_t) member->offset + size)
          inner = member->type, start = member->offset;
      }
      type = inner;
      offset -= start;
    } else return t->size == bytes && !offset ? type : (ir_type){IR_NONE};
  }
  return (ir_type){IR_NONE};
}

static void name_pointer (machine *m, uint64_t address, strbuf *out) {
  uint64_t number = address_object (m->program, address);
  const object *o = number ? object_find (m, number) : NULL;
  if (o && o->kind != OBJECT_FUNCTION && o->kind != OBJECT_HEAP) strbuf_add_char (out, '&');
  name_object (m, address, false, out);
}

static void name_float (ir_value v, unsigned bits, strbuf *out) {
  ir_value wide = bits == 80 ? v : eval_float (IR_X_FCONV, 80, bits, v, 0);
  long double x = 0;
  memcpy (&x, &wide, 10);
  strbuf_printf (out, "%Lg", x);
}

// A value without a type is shown as a number, except if it can only be a pointer.
static bool looks_like_pointer (machine *m, ir_value v, unsigned bits) {
  uint64_t number = address_object (m->program, (uint64_t) v);
  return bits == m->program->pointer_bits && number && object_find (m, number);
}

// Returns the word for a value of an enumeration that the front end has made; NULL: none.
static const char *word_for (const machine *m, ir_value v, ir_type type) {
  const ir_type_data *t = type.i < m->program->types.count ? ir_type_at (m->program, type) : NULL;
  for (uint32_t k = 0; t && t->kind == IR_T_UINT && k < t->members.count; k++)
    if (t->members.data[k].offset == v) return t->members.data[k].name;
  return NULL;
}

void name_value (machine *m, ir_value v, unsigned bits, ir_type type, strbuf *out) {
  const char *word = word_for (m, v, type);
  if (word) {
    strbuf_add (out, word);
    return;
  }
  ir_type_kind kind = type.i < m->program->types.count ? ir_type_at (m->program, type)->kind : IR_T_OTHER;
  if (kind == IR_T_FLOAT && (bits == 32 || bits == 64 || bits == 80)) name_float (v, bits, out);
  else if (kind == IR_T_POINTER || (kind == IR_T_OTHER && looks_like_pointer (m, v, bits)))
    name_pointer (m, (uint64_t) v, out);
  else if (bits > 64 && v >> 63)
    strbuf_printf (out, "0x%llx%016llx", (unsigned long long) (v >> 64), (unsigned long long) v);
  else if (kind == IR_T_UINT || kind == IR_T_BOOL || bits == 1) strbuf_printf (out, "%llu", (unsigned long long) v);
  else strbuf_printf (out, "%lld", (long long) value_signed (v, bits));
  if (kind == IR_T_CHAR && v >= ' ' && v < 127) strbuf_printf (out, " '%c'", (char) v);
}
