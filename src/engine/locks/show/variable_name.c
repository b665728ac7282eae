// Static objects have names and layouts; other memory is called by the place that allocates it.
#include "engine/locks/show/show_impl.h"

#include <string.h>

#include "base/strbuf.h"

void variable_names_init (variable_names *n, const lock_analysis *a) {
  *n = (variable_names){.analysis = a};
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    ir_op op = a->program->edges.data[e].op;
    uint32_t site = op == IR_ALLOC || op == IR_NONDET ? pointsto_site (a->targets, (ir_edge){e}) : 0;
    if (site) map_insert (&n->sites, site, e, NULL);
  }
}

void variable_names_release (variable_names *n) { map_release (&n->sites); }

bool variable_is_static (const variable_names *n, uint32_t object) {
  return object && object < n->analysis->program->objects.count;
}

static void name_site (const ir_program *p, ir_edge e, strbuf *out) {
  const ir_edge_data *d = ir_edge_at (p, e);
  const ir_proc_data *f = ir_proc_at (p, ir_loc_at (p, d->from)->proc);
  const char *local = d->name ? d->name : d->dst.i != IR_NONE ? f->regs.data[d->dst.i].name : NULL;
  if (d->op == IR_NONDET) strbuf_printf (out, "memory from outside (%s", d->message ? d->message : "unknown");
  else if (d->aux == IR_ALLOC_STACK && local) strbuf_printf (out, "%s (local of %s", local, f->name);
  else strbuf_printf (out, "heap object (of %s:%u", d->pos.file ? d->pos.file : "?", d->pos.line);
  strbuf_add (out, ")");
}

const char *variable_name (const variable_names *n, uint32_t object, uint32_t offset, arena *arena) {
  const ir_program *p = n->analysis->program;
  const uint64_t *site = map_find (&n->sites, object);
  bool known = offset != POINTSTO_ANY_OFFSET;
  strbuf text = {0};
  if (!object) strbuf_add (&text, "unknown memory");
  else if (object < p->objects.count) {
    const ir_object_data *o = &p->objects.data[object];
    strbuf_add (&text, o->name);
    if (known && o->type.i != IR_NONE) ir_type_path (p, o->type, offset, &text);
    else if (known && offset) strbuf_printf (&text, " + %u", offset);
  } else {
    if (site) name_site (p, (ir_edge){(uint32_t) *site}, &text);
    else strbuf_add (&text, "memory");
    if (known && offset) strbuf_printf (&text, " + %u", offset);
  }
  const char *name = arena_strdup (arena, strbuf_text (&text));
  strbuf_release (&text);
  return name;
}

const char *variable_as_written (const lock_analysis *a, ir_edge e, arena *arena) {
  const char *name = ir_edge_at (a->program, e)->name, *hole;
  if (!name || ir_proc_at (a->program, ir_loc_at (a->program, ir_edge_at (a->program, e)->from)->proc)->internal)
    return NULL;
  strbuf text = {0};
  for (; (hole = strstr (name, "{}")); name = hole + 2) {
    strbuf_add_bytes (&text, name, (size_t) (hole - name));
    strbuf_add (&text, "...");
  }
  strbuf_add (&text, name);
  const char *copy = arena_strdup (arena, strbuf_text (&text));
  strbuf_release (&text);
  return copy;
}
