// Reads the list of --unwindset and finds its loops in the program.
#include "engine/order/unwindset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_LOOPS = 40, NO_LINE = 0 };

// ---- loops and their lines --------------------------------------------------------------------------
static bool is_head (const loop_nesting *l, uint32_t location) { return l->loop.data[location] == location; }

static uint32_t line_of_edges (const ir_program *p, uint32_t location, const char *file) {
  const ir_loc_data *d = &p->locs.data[location];
  uint32_t line = UINT32_MAX;
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
    const ir_position *pos = &p->edges.data[e].pos;
    bool counts = pos->file && file && !strcmp (pos->file, file) && pos->line;
    if (counts && pos->line < line) line = pos->line;
  }
  return line;
}

static uint32_t line_of_loop (const loop_nesting *l, const ir_proc_data *f, uint32_t head) {
  uint32_t line = UINT32_MAX;
  for (uint32_t k = 0; k < f->locs.count; k++) {
    uint32_t location = f->locs.data[k].i;
    if (!loops_contains (l, head, location)) continue;
    uint32_t here = line_of_edges (l->program, location, f->pos.file);
    if (here < line) line = here;
  }
  return line;
}

// ---- messages about bad entries ---------------------------------------------------------------------
static uint32_t list_loops_of (loop_nesting *l, const ir_proc_data *f, uint32_t listed, strbuf *out) {
  uint32_t last = NO_LINE;
  for (uint32_t k = 0; k < f->locs.count && listed <= LISTED_LOOPS; k++) {
    if (!is_head (l, f->locs.data[k].i)) continue;
    uint32_t line = line_of_loop (l, f, f->locs.data[k].i);
    if (line == last) continue;
    if (listed == LISTED_LOOPS) strbuf_add (out, ", ...");
    else strbuf_printf (out, "%s%s:%u", listed ? ", " : "", f->name, line);
    last = line;
    listed++;
  }
  return listed;
}

static void list_loops (loop_nesting *l, strbuf *out) {
  uint32_t listed = 0;
  strbuf_add (out, "; the loops are ");
  for (uint32_t k = 0; k < l->program->procs.count; k++) {
    const ir_proc_data *f = &l->program->procs.data[k];
    if (f->internal) continue;
    loops_need (l, (ir_proc){k});
    listed = list_loops_of (l, f, listed, out);
  }
  if (!listed) strbuf_add (out, "none");
}

// ---- entries ----------------------------------------------------------------------------------------
typedef struct unwindset_entry {
  const char *text;
  uint32_t length, name_length;
  uint32_t line;  // NO_LINE: all loops
  uint32_t rounds;
} unwindset_entry;

static bool read_unwind_count (const char **at, uint32_t most, uint32_t *out) {
  char *end;
  errno = 0;
  if (**at < '0' || **at > '9') return false;
  unsigned long long n = strtoull (*at, &end, 10);
  *at = end;
  *out = (uint32_t) n;
  return !errno && n <= most;
}

// NAME:N or NAME:LINE:N, up to a comma or the end.
static bool read_unwindset_entry (const char *text, unwindset_entry *out) {
  *out = (unwindset_entry){
      .text = text, .length = (uint32_t) strcspn (text, ","), .name_length = (uint32_t) strcspn (text, ":,")};
  const char *at = text + out->name_length, *end = text + out->length;
  uint32_t numbers[2], count = 0;
  for (; at < end && *at == ':' && count < 2; count++) {
    at++;
    if (!read_unwind_count (&at, UNWIND_FREELY - 1, &numbers[count])) return false;
  }
  if (at != end || !count || !out->name_length) return false;
  out->line = count == 2 ? numbers[0] : NO_LINE;
  out->rounds = numbers[count - 1];
  return count == 1 || out->line != NO_LINE;
}

// Returns true if the entry names a loop or the recursion of the function.
static bool set_in (unwindset *u, loop_nesting *l, const unwindset_entry *x, uint32_t proc) {
  const ir_proc_data *f = &l->program->procs.data[proc];
  bool found = x->line == NO_LINE;
  if (found) u->recursion.data[proc] = x->rounds;
  loops_need (l, (ir_proc){proc});
  for (uint32_t k = 0; k < f->locs.count; k++) {
    uint32_t location = f->locs.data[k].i;
    if (!is_head (l, location) || (x->line != NO_LINE && line_of_loop (l, f, location) != x->line)) continue;
    found = true;
    if (x->line != NO_LINE || u->loop.data[location] == UNWIND_FREELY) u->loop.data[location] = x->rounds;
  }
  return found;
}

static bool is_named (const ir_proc_data *f, const unwindset_entry *x) {
  return !f->internal && strlen (f->name) == x->name_length && !strncmp (f->name, x->text, x->name_length);
}

static bool set_entry (unwindset *u, loop_nesting *l, const unwindset_entry *x, strbuf *why) {
  bool named = false, found = false;
  for (uint32_t k = 0; k < l->program->procs.count; k++) {
    if (!is_named (&l->program->procs.data[k], x)) continue;
    named = true;
    found |= set_in (u, l, x, k);
  }
  if (found) return true;
  strbuf_printf (why, "`%.*s`: ", (int) x->length, x->text);
  if (named) strbuf_printf (why, "`%.*s` has no loop at line %u", (int) x->name_length, x->text, x->line);
  else strbuf_printf (why, "the program has no function `%.*s`", (int) x->name_length, x->text);
  return false;
}

// Entries with lines come first, so that an entry for a whole function does not replace them.
static bool set_entries (unwindset *u, loop_nesting *l, const char *text, bool with_lines, strbuf *why) {
  for (const char *at = text;; at++) {
    unwindset_entry x;
    if (!read_unwindset_entry (at, &x)) {
      strbuf_printf (why, "`%.*s` is neither FUNCTION:N nor FUNCTION:LINE:N", (int) x.length, x.text);
      return false;
    }
    if ((x.line != NO_LINE) == with_lines && !set_entry (u, l, &x, why)) return false;
    at += x.length;
    if (!*at) return true;
  }
}

bool unwindset_init (unwindset *u, loop_nesting *l, const char *text, strbuf *why) {
  *u = (unwindset){0};
  for (uint32_t k = 0; k < l->program->locs.count; k++) vec_push (&u->loop, UNWIND_FREELY);
  for (uint32_t k = 0; k < l->program->procs.count; k++) vec_push (&u->recursion, UNWIND_FREELY);
  if (!text || (set_entries (u, l, text, true, why) && set_entries (u, l, text, false, why))) return true;
  list_loops (l, why);
  return false;
}

void unwindset_release (unwindset *u) {
  vec_release (&u->loop);
  vec_release (&u->recursion);
}
