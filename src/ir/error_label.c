// --error-label: a thread that reaches the C label violates an assertion there, as in the tasks of BLAST and of the
// first software verification competitions.  A check that always fails is added before the statement at the label, so
// every engine decides it and the judge replays it.
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "ir/ir_impl.h"

// Adds the check between the location and its edges: the check starts at l, and the edges start after it.
static void insert_check (ir_program *p, ir_loc l, const char *label) {
  uint32_t first = ir_loc_at (p, l)->first_edge, count = ir_loc_at (p, l)->num_edges;
  ir_loc behind = ir_add_loc (p, ir_loc_at (p, l)->proc);
  ir_edge e = ir_add_edge (p, IR_CHECK, l, behind);
  ir_add_arg (p, e, ir_const (p, 1, 0));
  ir_edge_data *d = ir_edge_at (p, e);
  d->aux = IR_P_ASSERT;
  d->message = arena_printf (p->arena, "label `%s` reached", label);
  d->pos = p->edges.data[first].pos;
  for (uint32_t k = first; k < first + count; k++) p->edges.data[k].from = behind;
}

static const char *label_of (const char *place) {
  const char *colon = strrchr (place, ':');
  return colon ? colon + 1 : place;
}

static void tell_unknown (const ir_program *p, const char *place, char **error) {
  VEC (const char *) names = {0};
  strbuf text = {0};
  for (uint32_t l = 0; l < p->locs.count; l++) {
    const char *label = p->locs.data[l].label;
    bool known = !label;
    for (uint32_t k = 0; k < names.count && !known; k++) known = !strcmp (names.data[k], label);
    if (!known) vec_push (&names, label);
  }
  const char *near = nearest_word (label_of (place), names.data, names.count);
  strbuf_printf (&text, "there is no label `%s`", place);
  if (near) strbuf_printf (&text, "; did you mean %s?", near);
  else if (!names.count) strbuf_add (&text, "; the program has no labels");
  *error = strdup (strbuf_text (&text));
  strbuf_release (&text);
  vec_release (&names);
}

static bool is_label (const ir_program *p, ir_loc l, const char *place) {
  const char *label = ir_loc_at (p, l)->label;
  return label && !strcmp (label, label_of (place)) && ir_loc_is_at (p, l, place);
}

bool ir_has_label (const ir_program *p, const char *place) {
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (is_label (p, (ir_loc){l}, place)) return true;
  return false;
}

bool ir_add_error_label (ir_program *p, const char *place, char **error) {
  uint32_t count = p->locs.count, found = 0;
  ir_finish (p);
  for (uint32_t l = 0; l < count; l++) {
    if (!p->locs.data[l].num_edges || !is_label (p, (ir_loc){l}, place)) continue;
    insert_check (p, (ir_loc){l}, place);
    found++;
  }
  ir_finish (p);
  if (!found) tell_unknown (p, place, error);
  return found;
}
