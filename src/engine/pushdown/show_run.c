// A run for the report: the operations that matter to the formula, the calls that lead to them, and the branches that
// were chosen; then the part that repeats for ever, or how the run ends.  A call in which nothing of the formula
// happens is one line.
#include <string.h>

#include "engine/pushdown/pushdown_impl.h"
#include "verdict/verdict.h"

enum { SHOWN_STEPS = 250 };

typedef struct shower {
  const thread_product *s;
  verdict *verdict;
  goal *goal;
  uint32_t thread;
  uint32_t left;  // lines that may still be shown
} shower;

static const ir_program *shown_program (const shower *w) { return w->s->system->program; }

static const pushdown_step *pushdown_step_at (const shower *w, uint32_t number) {
  return &w->s->system->steps.data[number];
}

static uint32_t place_of_head (const shower *w, uint32_t head) { return product_head (w->s, head).place; }

static void add_line (shower *w, ir_loc l, ir_position pos, const char *what) {
  if (!w->left) return;
  if (!--w->left) what = "... (the rest of the run is left out)";
  const char *function = ir_proc_at (shown_program (w), ir_loc_at (shown_program (w), l)->proc)->name;
  vec_push (&w->goal->locations, ((goal_location){pos, function, w->thread, .what = what}));
}

static ir_position loc_position (const shower *w, ir_loc l) {
  const ir_loc_data *loc = ir_loc_at (shown_program (w), l);
  return loc->num_edges ? shown_program (w)->edges.data[loc->first_edge].pos : (ir_position){0};
}

// "acquired(m), perhaps released(n)"; NULL if the sets are empty.
static const char *atoms_text (shower *w, uint64_t yes, uint64_t maybe) {
  const ltl_pool *pool = w->s->system->pool;
  strbuf text = {0};
  for (uint32_t k = 0; k < pool->atoms.count; k++) {
    bool certain = yes >> k & 1;
    if (!certain && !(maybe >> k & 1)) continue;
    strbuf_printf (&text, "%s%s%s(%s)", text.count ? ", " : "", certain ? "" : "perhaps ",
                   ltl_atom_name[pool->atoms.data[k].kind], pool->atoms.data[k].argument);
  }
  const char *copy = text.count ? arena_strdup (w->verdict->arena, strbuf_text (&text)) : NULL;
  strbuf_release (&text);
  return copy;
}

static uint64_t at_atoms (const shower *w, ir_loc l) {
  const ltl_pool *pool = w->s->system->pool;
  uint64_t set = 0;
  for (uint32_t k = 0; k < pool->atoms.count; k++)
    if (pool->atoms.data[k].kind == LTL_AT) set |= w->s->system->at_location[l.i] & UINT64_C (1) << k;
  return set;
}

// Shows the `at` atoms of the place, once for neighbouring places that have the same ones.
static void show_arrival (shower *w, ir_loc from, ir_loc to) {
  uint64_t set = at_atoms (w, to);
  if (set && (from.i == NONE || at_atoms (w, from) != set))
    add_line (w, to, loc_position (w, to), atoms_text (w, set, 0));
}

static const char *branch_text (shower *w, ir_position from, ir_position to) {
  if (!to.file) return "takes a branch";
  return to.line != from.line ? arena_printf (w->verdict->arena, "branches to line %u", to.line)
                              : arena_printf (w->verdict->arena, "branches to column %u", to.column);
}

static void show_go (shower *w, uint32_t from, const pushdown_step *t, uint32_t to) {
  const pushdown *d = w->s->system;
  ir_loc here = place_loc (d, from), there = place_loc (d, to);
  ir_position pos = ir_edge_at (d->program, t->edge)->pos;
  bool internal = ir_proc_at (d->program, ir_loc_at (d->program, here)->proc)->internal;
  uint64_t yes, maybe;
  place_events (d, to, &yes, &maybe);
  const char *events = atoms_text (w, yes, maybe);
  if (events) add_line (w, here, pos, events);
  else if (t->chosen && !internal) add_line (w, here, pos, branch_text (w, pos, loc_position (w, there)));
  show_arrival (w, here, there);
}

static void show_call (shower *w, uint32_t from, const pushdown_step *t, bool whole) {
  const pushdown *d = w->s->system;
  ir_loc entry = place_loc (d, t->to);
  const ir_proc_data *callee = ir_proc_at (d->program, ir_loc_at (d->program, entry)->proc);
  uint64_t yes, maybe;
  place_events (d, t->to, &yes, &maybe);
  const char *events = atoms_text (w, yes, maybe);
  add_line (w, place_loc (d, from), ir_edge_at (d->program, t->edge)->pos,
            arena_printf (w->verdict->arena, "calls %s%s%s%s", callee->name, whole ? ", which returns" : "",
                          events ? ": " : "", events ? events : ""));
  if (!whole) show_arrival (w, (ir_loc){NONE}, entry);
}

// ---- items -------------------------------------------------------------------------------------------

static void show_frame (shower *w, uint32_t item);

static uint32_t entry_item (const shower *w, uint32_t item) {
  return w->s->entries.data[product_item (w->s, item).entry].item;
}

static void show_whole_call (shower *w, uint32_t from, const pushdown_step *t, uint32_t inside, uint32_t to) {
  bool open = w->s->item_data.data[inside].notable;
  show_call (w, from, t, !open);
  if (open && w->left) show_frame (w, inside);
  show_arrival (w, place_loc (w->s->system, from), place_loc (w->s->system, to));
}

// Shows the items of the frame that ends at `item`, from the frame's entry on.
static void show_frame (shower *w, uint32_t item) {
  VEC (uint32_t) way = {0};
  uint32_t entry = entry_item (w, item);
  for (uint32_t at = item; at != entry; at = w->s->item_data.data[at].before) vec_push (&way, at);
  while (way.count && w->left) {
    uint32_t at = vec_pop (&way);
    const struct path_item *data = &w->s->item_data.data[at];
    const pushdown_step *t = pushdown_step_at (w, data->step);
    uint32_t from = place_of_head (w, product_item (w->s, data->before).head),
             to = place_of_head (w, product_item (w->s, at).head);
    if (data->inside != NONE) show_whole_call (w, from, t, data->inside, to);
    else show_go (w, from, t, to);
  }
  vec_release (&way);
}

// Shows all frames that are open at `item`, outermost first.
static void show_prefix (shower *w, uint32_t item) {
  VEC (uint32_t) frames = {0};
  for (uint32_t at = item; at != NONE;) {
    vec_push (&frames, at);
    at = w->s->item_data.data[entry_item (w, at)].before;
  }
  show_arrival (w, (ir_loc){NONE}, place_loc (w->s->system, place_of_head (w, w->s->root)));
  while (frames.count) {
    uint32_t at = vec_pop (&frames);
    const struct path_item *entry = &w->s->item_data.data[entry_item (w, at)];
    if (entry->before != NONE)
      show_call (w, place_of_head (w, product_item (w->s, entry->before).head), pushdown_step_at (w, entry->step),
                 false);
    show_frame (w, at);
  }
  vec_release (&frames);
}

// ---- the end -----------------------------------------------------------------------------------------

static void show_cycle (shower *w) {
  const thread_product *s = w->s;
  ir_loc start = place_loc (s->system, place_of_head (w, s->links.data[s->cycle.data[0]].from));
  w->left += SHOWN_STEPS;
  add_line (w, start, loc_position (w, start), "from here on, again and again:");
  for (uint32_t k = 0; k < s->cycle.count && w->left; k++) {
    const head_link *l = &s->links.data[s->cycle.data[k]];
    uint32_t from = place_of_head (w, l->from), to = place_of_head (w, l->to);
    if (l->kind == LINK_GO) show_go (w, from, pushdown_step_at (w, l->step), to);
    else if (l->kind == LINK_CALL) show_call (w, from, pushdown_step_at (w, l->step), false);
    else show_whole_call (w, from, pushdown_step_at (w, l->step), l->inside, to);
  }
  add_line (w, start, loc_position (w, start), "and so on for ever");
}

void run_show (const thread_product *s, struct verdict *v, struct goal *g, uint32_t thread) {
  shower w = {.s = s, .verdict = v, .goal = g, .thread = thread, .left = SHOWN_STEPS};
  show_prefix (&w, s->last);
  ir_loc last = place_loc (s->system, place_of_head (&w, product_item (s, s->last).head));
  w.left += 1 + (w.left == 0);
  switch (s->end) {
  case RUN_NONE: break;
  case RUN_SETTLED: add_line (&w, last, loc_position (&w, last), "decided here, whatever follows"); break;
  case RUN_ENDS: add_line (&w, last, loc_position (&w, last), "the thread ends"); break;
  case RUN_BLOCKS:
    add_line (&w, last, loc_position (&w, last), "waits for ever for a lock that it holds itself");
    break;
  case RUN_LOOPS: show_cycle (&w); break;
  }
}
