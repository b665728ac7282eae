// The product of the pushdown system and the automaton.  The search follows the paths of a frame from the frame's
// entry, and takes a call as one step for each way in which the callee can return (procedure summaries, Reps, Horwitz
// and Sagiv 1995), so recursion is exact.  It finds every accepting finite run and builds the graph of heads: pairs of
// a place and an automaton state, linked by steps, by entered calls and by whole calls.  An infinite accepting run
// exists if and only if that graph has a cycle with an accepting link (Bouajjani, Esparza and Maler 1997, section 3;
// heads: Esparza, Hansel, Rossmanith and Schwoon 2000, section 3): pushdown_lasso.c.
#include <string.h>

#include "engine/pushdown/pushdown_impl.h"

enum { ITEMS_PER_LOOK = 4096 };  // at the clock

void product_init (thread_product *s, pushdown *system, const buchi *automaton, const budget *budget) {
  *s = (thread_product){.system = system, .automaton = automaton, .budget = budget};
}

void product_release (thread_product *s) {
  intern_release (&s->heads);
  intern_release (&s->items);
  intern_release (&s->exits_seen);
  intern_release (&s->links_seen);
  vec_release (&s->head_data);
  vec_release (&s->item_data);
  vec_release (&s->entries);
  vec_release (&s->callers);
  vec_release (&s->exits);
  vec_release (&s->links);
  vec_release (&s->moves);
  vec_release (&s->cycle);
}

item_key product_item (const thread_product *s, uint32_t item) {
  item_key key;
  memcpy (&key, intern_get (&s->items, item, NULL), sizeof key);
  return key;
}

head_key product_head (const thread_product *s, uint32_t head) {
  head_key key;
  memcpy (&key, intern_get (&s->heads, head, NULL), sizeof key);
  return key;
}

// ---- making heads, items and links -------------------------------------------------------------------

static uint32_t head_make (thread_product *s, uint32_t place, uint32_t state) {
  bool is_new;
  uint32_t h = intern_add (&s->heads, &(head_key){place, state}, sizeof (head_key), &is_new);
  if (is_new) {
    vec_push (&s->head_data, ((head){.item = NONE}));
    vec_push (&s->entries, ((entry_data){NONE, NONE, NONE}));
  }
  return h;
}

static bool is_notable (const thread_product *s, uint32_t h) {
  uint64_t yes, maybe;
  pushdown_label (s->system, product_head (s, h).place, &yes, &maybe);
  return yes | maybe;
}

static void item_add (thread_product *s, item_key key, path_item data) {
  bool is_new;
  uint32_t i = intern_add (&s->items, &key, sizeof key, &is_new);
  if (s->keeps_moves && data.before != NONE)
    vec_push (&s->moves, ((item_move){data.before, i, data.step, data.inside}));
  if (!is_new) return;
  data.notable |= is_notable (s, key.head);
  vec_push (&s->item_data, data);
  if (s->head_data.data[key.head].item == NONE) s->head_data.data[key.head].item = i;
  if (key.entry == key.head && !key.accepting) s->entries.data[key.entry].item = i;
}

static void link_add (thread_product *s, head_link l) {
  bool is_new;
  uint32_t key[4] = {l.from, l.to, l.kind, l.accepting};
  intern_add (&s->links_seen, key, sizeof key, &is_new);
  if (is_new) vec_push (&s->links, l);
}

static void note_run_found (thread_product *s, run_end end, uint32_t item) {
  if (s->end != RUN_NONE) return;
  s->end = end;
  s->last = item;
}

// ---- whole calls -------------------------------------------------------------------------------------

static void pass_summarised_call (thread_product *s, const caller *c, const frame_exit *x) {
  pushdown_step call = s->system->steps.data[c->step];
  item_key before = product_item (s, c->item);
  uint32_t place = pushdown_return (s->system, &call, x->mode, x->has_result, x->result);
  uint32_t h = head_make (s, place, x->state);
  bool accepting = c->accepting || x->accepting;
  link_add (s, (head_link){before.head, h, c->step, x->item, LINK_WHOLE_CALL, accepting});
  bool notable = s->item_data.data[c->item].notable || s->item_data.data[x->item].notable;
  item_add (s, (item_key){before.entry, h, before.accepting || accepting},
            (path_item){c->item, c->step, x->item, notable});
}

static void add_caller (thread_product *s, uint32_t entry, caller c) {
  c.next = s->entries.data[entry].callers;
  s->entries.data[entry].callers = s->callers.count;
  vec_push (&s->callers, c);
  for (uint32_t x = s->entries.data[entry].exits; x != NONE; x = s->exits.data[x].next) {
    frame_exit exit = s->exits.data[x];
    pass_summarised_call (s, &c, &exit);
  }
}

static void add_frame_exit (thread_product *s, uint32_t entry, frame_exit x) {
  struct {
    uint64_t result;
    uint32_t entry, mode, state, flags;
  } key = {x.result, entry, x.mode, x.state, x.has_result | x.accepting << 1};
  bool is_new;
  intern_add (&s->exits_seen, &key, sizeof key, &is_new);
  if (!is_new) return;
  x.next = s->entries.data[entry].exits;
  s->entries.data[entry].exits = s->exits.count;
  vec_push (&s->exits, x);
  for (uint32_t c = s->entries.data[entry].callers; c != NONE; c = s->callers.data[c].next) {
    caller copy = s->callers.data[c];
    pass_summarised_call (s, &copy, &x);
  }
}

// ---- one item ----------------------------------------------------------------------------------------

typedef struct item_reading {
  uint32_t item;
  item_key key;
  buchi_edge edge;
  bool first_time;
} item_reading;  // an item that reads its place's letter

static void take_call_step (thread_product *s, const item_reading *m, uint32_t number, const pushdown_step *t) {
  uint32_t entry = head_make (s, t->to, m->edge.target);
  if (m->first_time) link_add (s, (head_link){m->key.head, entry, number, NONE, LINK_CALL, m->edge.accepting});
  item_add (s, (item_key){entry, entry, 0}, (path_item){m->item, number, NONE, false});
  add_caller (s, entry, (caller){.item = m->item, .step = number, .accepting = m->edge.accepting});
}

static void take_go (thread_product *s, const item_reading *m, uint32_t number, const pushdown_step *t) {
  uint32_t h = head_make (s, t->to, m->edge.target);
  if (m->first_time) link_add (s, (head_link){m->key.head, h, number, NONE, LINK_GO, m->edge.accepting});
  path_item data = {m->item, number, NONE, s->item_data.data[m->item].notable};
  item_add (s, (item_key){m->key.entry, h, m->key.accepting || m->edge.accepting}, data);
}

static void take_pushdown_step (thread_product *s, const item_reading *m, uint32_t number) {
  pushdown_step t = s->system->steps.data[number];
  bool final = s->automaton->states.data[m->edge.target].final;
  switch (t.kind) {
  case STEP_GO: take_go (s, m, number, &t); return;
  case STEP_CALL: take_call_step (s, m, number, &t); return;
  case STEP_END:
    if (final) note_run_found (s, t.blocks ? RUN_BLOCKS : RUN_ENDS, m->item);
    return;
  case STEP_RETURN:
    if (final && m->key.entry == s->root) note_run_found (s, RUN_ENDS, m->item);
    add_frame_exit (s, m->key.entry,
                    (frame_exit){.mode = t.mode,
                                 .state = m->edge.target,
                                 .item = m->item,
                                 .has_result = t.has_result,
                                 .accepting = m->key.accepting || m->edge.accepting,
                                 .result = t.result});
  }
}

// An atom that may hold suits both polarities.
static bool can_read (const buchi_edge *e, uint64_t yes, uint64_t maybe) {
  return !(e->positive & ~(yes | maybe)) && !(e->negative & yes & ~maybe);
}

static void process (thread_product *s, uint32_t item) {
  item_reading m = {.item = item, .key = product_item (s, item)};
  head_key at = product_head (s, m.key.head);
  uint64_t yes, maybe;
  pushdown_label (s->system, at.place, &yes, &maybe);
  step_list steps = pushdown_steps (s->system, at.place);
  buchi_state state = s->automaton->states.data[at.state];
  m.first_time = !s->head_data.data[m.key.head].done;
  s->head_data.data[m.key.head].done = true;
  for (uint32_t k = 0; k < state.num_edges && s->end == RUN_NONE; k++) {
    m.edge = s->automaton->edges.data[state.first_edge + k];
    if (!can_read (&m.edge, yes, maybe)) continue;
    if (s->automaton->states.data[m.edge.target].settled) note_run_found (s, RUN_SETTLED, item);
    for (uint32_t j = 0; j < steps.count && s->end == RUN_NONE; j++) take_pushdown_step (s, &m, steps.first + j);
  }
}

void product_run (thread_product *s, ir_proc entry) {
  s->root = head_make (s, pushdown_start (s->system, entry), 0);
  item_add (s, (item_key){s->root, s->root, 0}, (path_item){NONE, NONE, NONE, false});
  for (uint32_t i = 0; i < s->item_data.count && s->end == RUN_NONE; i++) {
    if (i % ITEMS_PER_LOOK == 0 && (s->stopped = budget_spent (s->budget) != NULL)) return;
    process (s, i);
  }
  if (s->end == RUN_NONE) lasso_find (s);
}
