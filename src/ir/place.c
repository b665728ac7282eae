// Places of the program as users name them, and the question whether two threads can be at two places at once.
//
// ir_add_pair turns this question into a question about a race.  It adds a plain load of a new byte at the first place,
// and an atomic store to this byte at the second place; every other access of the program becomes atomic.  The load and
// the store conflict, and neither conflicts with itself.  So there is a race if and only if one thread can be at the
// first place while another thread is at the second (LOCK: EF (a_i and b_j)), and every engine can decide the question,
// and the judge can replay the answer.
#include <stdlib.h>
#include <string.h>

#include "ir/ir_impl.h"

typedef VEC (ir_loc) loc_list;

// ---- names -----------------------------------------------------------------------------------------------------

static bool is_line_place (const char *place) {
  const char *colon = strrchr (place, ':'), *last = colon ? colon + 1 : place;
  return *last && strspn (last, "0123456789") == strlen (last);
}

// Is `name` the last part of the path?  "a.c" and "dir/a.c" both name "dir/a.c".
static bool file_ends_with (const char *file, const char *name, size_t length) {
  size_t whole = strlen (file);
  if (whole < length || strncmp (file + whole - length, name, length)) return false;
  return whole == length || file[whole - length - 1] == '/';
}

static bool edge_is_at_line (const ir_program *p, const ir_edge_data *e, const char *place) {
  const char *colon = strrchr (place, ':');
  if (!e->pos.file || e->pos.line != strtoul (colon ? colon + 1 : place, NULL, 10)) return false;
  if (colon) return file_ends_with (e->pos.file, place, (size_t) (colon - place));
  return !p->files.count || !strcmp (e->pos.file, p->files.data[0]);
}

static bool has_label (const ir_program *p, const ir_loc_data *l, const char *place) {
  const char *colon = strrchr (place, ':'), *function = ir_proc_at (p, l->proc)->name;
  if (!l->label || strcmp (l->label, colon ? colon + 1 : place)) return false;
  return !colon || (strlen (function) == (size_t) (colon - place) && !strncmp (function, place, strlen (function)));
}

bool ir_loc_is_at (const ir_program *p, ir_loc at, const char *place) {
  const ir_loc_data *l = ir_loc_at (p, at);
  if (!is_line_place (place)) return has_label (p, l, place);
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
    if (edge_is_at_line (p, &p->edges.data[e], place)) return true;
  return false;
}

// ---- locations of a place ----------------------------------------------------------------------------------------

// Collects the locations of a place.  Of the locations of a line only those count that a thread reaches from another
// line, since it is then before the first operation of the line.
static void find_locs (const ir_program *p, const char *place, loc_list *out) {
  bool *arrived = mem_zalloc (p->locs.count), *is_at = mem_zalloc (p->locs.count);
  for (uint32_t l = 0; l < p->locs.count; l++) is_at[l] = ir_loc_is_at (p, (ir_loc){l}, place);
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].to.i != IR_NONE && !is_at[p->edges.data[e].from.i]) arrived[p->edges.data[e].to.i] = true;
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (p->procs.data[f].entry.i != IR_NONE) arrived[p->procs.data[f].entry.i] = true;
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (is_at[l] && (arrived[l] || !is_line_place (place))) vec_push (out, (ir_loc){l});
  mem_free (arrived, p->locs.count);
  mem_free (is_at, p->locs.count);
}

// Adds the access between the location and its edges: the access starts at l, and the edges start after it.
static void insert_access (ir_program *p, ir_loc l, bool writes, const char *place) {
  uint32_t first = ir_loc_at (p, l)->first_edge, count = ir_loc_at (p, l)->num_edges;
  ir_proc f = ir_loc_at (p, l)->proc;
  ir_loc behind = ir_add_loc (p, f);
  ir_edge e = ir_add_edge (p, writes ? IR_STORE : IR_LOAD, l, behind);
  ir_add_arg (p, e, ir_addr (p, p->place, 0));
  if (writes) ir_add_arg (p, e, ir_const (p, 8, 0));
  ir_reg dst = writes ? (ir_reg){IR_NONE} : ir_add_reg (p, f, 8, NULL);
  ir_edge_data *d = ir_edge_at (p, e);
  d->dst = dst;
  d->bytes = 1;
  d->order = writes ? IR_RELAXED : IR_PLAIN;
  d->pos = p->edges.data[first].pos;
  d->name = arena_strdup (p->arena, place);
  for (uint32_t k = first; k < first + count; k++) p->edges.data[k].from = behind;
}

static void insert_accesses (ir_program *p, const loc_list *at, bool writes, const char *place) {
  for (uint32_t k = 0; k < at->count; k++)
    if (ir_loc_at (p, at->data[k])->num_edges) insert_access (p, at->data[k], writes, place);
  ir_finish (p);
}

// ---- the pair ------------------------------------------------------------------------------------------------------

static void make_others_atomic (ir_program *p) {
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_edge_data *d = &p->edges.data[e];
    if (d->bytes && ir_op_table[d->op].group == 'M' && d->op != IR_OWN && d->order == IR_PLAIN) d->order = IR_RELAXED;
  }
}

static bool place_error (char **error, const char *format, const char *place) {
  strbuf text = {0};
  strbuf_printf (&text, format, place);
  *error = strdup (strbuf_text (&text));
  strbuf_release (&text);
  return false;
}

static bool add_place_pair (ir_program *p, const char *first, const char *second, char **error) {
  const char *place[2] = {first, second};
  loc_list at[2] = {{0}, {0}};
  bool good = true;
  ir_finish (p);
  for (unsigned k = 0; k < 2 && good; k++) {
    find_locs (p, place[k], &at[k]);
    if (at[k].count) continue;
    good = place_error (error, is_line_place (place[k]) ? "nothing is executed at line `%s`" : "there is no label `%s`",
                        place[k]);
  }
  if (good) {
    make_others_atomic (p);
    p->place = ir_add_object (p, "place", IR_O_GLOBAL, 1);
    ir_object_at (p, p->place)->internal = true;
    // A location that is at both places gets the load before the store: after the load, a thread is at the store and
    // has not done anything else.
    insert_accesses (p, &at[1], true, second);
    insert_accesses (p, &at[0], false, first);
  }
  vec_release (&at[0]);
  vec_release (&at[1]);
  return good;
}

bool ir_add_pair (ir_program *p, const char *places, char **error) {
  const char *comma = strchr (places, ',');
  if (!comma || comma == places || !comma[1] || strchr (comma + 1, ','))
    return place_error (error, "two places are needed, as in `here,there`, not `%s`", places);
  const char *first = arena_printf (p->arena, "%.*s", (int) (comma - places), places);
  return add_place_pair (p, first, comma + 1, error);
}

bool ir_edge_is_place (const ir_program *p, ir_edge e) {
  if (!p->place.i || !ir_edge_at (p, e)->num_args) return false;
  const ir_expr_node *n = ir_expr_at (p, ir_arg (p, e, 0));
  return n->op == IR_X_ADDR && n->object.i == p->place.i;
}
