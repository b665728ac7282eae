// Finds locks that a thread may acquire while it holds them; their states have to be followed exactly.  A first search
// over the whole pushdown system collects, for each path item, the locks that may be held there, without contexts.  A
// program that never acquires a lock again, which is usual, pays for that search only.
#include "base/limits.h"
#include "engine/pushdown/pushdown_impl.h"

typedef struct relock_search {
  const thread_product *s;
  intern locks;    // static_lock
  uint64_t *held;  // [head]: set of the first LIMIT_PUSHDOWN_RELOCKED locks that may be held
  uint64_t twice;  // may be taken while held
} relock_search;

static uint64_t followed_lock_bit (relock_search *w, static_lock lock) {
  uint32_t number = intern_add (&w->locks, &lock, sizeof lock, NULL);
  return number < LIMIT_PUSHDOWN_RELOCKED ? UINT64_C (1) << number : 0;
}

static uint64_t after_move (relock_search *w, const item_move *m) {
  const pushdown_step *t = &w->s->system->steps.data[m->step];
  if (m->inside != NONE) return w->held[m->inside];
  if (t->effect == EFFECT_NONE) return w->held[m->from];
  uint64_t bit = followed_lock_bit (w, t->lock);
  if (t->effect == EFFECT_RELEASES) return w->held[m->from] & ~bit;
  w->twice |= w->held[m->from] & bit;
  return w->held[m->from] | bit;
}

static void spread_held (relock_search *w) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < w->s->moves.count; k++) {
      const item_move *m = &w->s->moves.data[k];
      uint64_t more = after_move (w, m) & ~w->held[m->to];
      w->held[m->to] |= more;
      changed |= more != 0;
    }
  }
}

static bool follow_found (pushdown *d, relock_search *w) {
  uint32_t before = d->num_followed;
  for (uint32_t k = 0; k < intern_count (&w->locks) && k < LIMIT_PUSHDOWN_RELOCKED; k++)
    if (w->twice >> k & 1 && !static_lock_follow (d, *(const static_lock *) intern_get (&w->locks, k, NULL)))
      d->follows_all = false;
  if (over_limit (PUSHDOWN_RELOCKED, intern_count (&w->locks))) d->follows_all = false;
  return d->num_followed > before;
}

// An automaton that reads everything and accepts nothing makes the search visit the whole system.
bool relocks_follow (pushdown *d, ir_proc entry, const budget *budget) {
  buchi any = {0};
  vec_push (&any.states, ((buchi_state){.num_edges = 1}));
  vec_push (&any.edges, ((buchi_edge){0}));
  thread_product s;
  product_init (&s, d, &any, budget);
  s.keeps_moves = true;
  product_run (&s, entry);
  uint32_t items = intern_count (&s.items);
  relock_search w = {.s = &s, .held = mem_zalloc (sizeof *w.held * items)};
  if (!s.stopped) spread_held (&w);
  bool more = follow_found (d, &w);
  mem_free (w.held, sizeof *w.held * items);
  intern_release (&w.locks);
  product_release (&s);
  buchi_release (&any);
  return more;
}
