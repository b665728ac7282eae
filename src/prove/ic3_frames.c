// Lemmas by level: adds them with subsumption, and moves them on to later frames.
#include "prove/ic3_impl.h"

void ic3_frames_add (ic3 *p) { vec_push (&p->levels, ((lemma_list){0})); }

static void free_lemma (cube *c) { mem_free (c, cube_bytes (c->count)); }

static void release_list (lemma_list *l) {
  for (uint32_t i = 0; i < l->count; i++) free_lemma (l->data[i]);
  vec_release (l);
}

void ic3_frames_release (ic3 *p) {
  for (uint32_t i = 0; i < p->levels.count; i++) release_list (&p->levels.data[i]);
  vec_release (&p->levels);
  release_list (&p->endless);
}

uint64_t ic3_num_lemmas (const ic3 *p) {
  uint64_t count = p->endless.count;
  for (uint32_t i = 0; i < p->levels.count; i++) count += p->levels.data[i].count;
  return count;
}

// ---- initial states ---------------------------------------------------------------------------------

static bool keeps_from_start (const ic3 *p, uint32_t literal) {
  net_reset reset = p->net->latches.data[literal / 2].reset;
  return reset != NET_ANY && (reset == NET_ONE) == (literal & 1);
}

bool ic3_meets_start (const ic3 *p, const literals *cube) {
  for (uint32_t i = 0; i < cube->count; i++)
    if (keeps_from_start (p, cube->data[i])) return false;
  return true;
}

void ic3_keep_from_start (const ic3 *p, literals *cube, const literals *all) {
  if (!ic3_meets_start (p, cube)) return;
  for (uint32_t i = 0; i < all->count; i++)
    if (keeps_from_start (p, all->data[i])) {
      vec_push (cube, all->data[i]);
      return;
    }
}

// ---- lemmas -----------------------------------------------------------------------------------------

static bool list_excludes (const lemma_list *l, const cube *c) {
  for (uint32_t i = 0; i < l->count; i++)
    if (cube_within (l->data[i], c)) return true;
  return false;
}

bool ic3_is_excluded (const ic3 *p, const cube *c, uint32_t *level) {
  if (list_excludes (&p->endless, c)) {
    *level = IC3_ENDLESS;
    return true;
  }
  for (uint32_t i = p->levels.count; i-- > *level;)
    if (list_excludes (&p->levels.data[i], c)) {
      *level = i;
      return true;
    }
  return false;
}

static void remove_subsumed (lemma_list *l, const cube *by) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->count; i++)
    if (cube_within (by, l->data[i])) free_lemma (l->data[i]);
    else l->data[kept++] = l->data[i];
  l->count = kept;
}

void ic3_learn (ic3 *p, const literals *lemma, uint32_t from, uint32_t level) {
  cube *c = mem_alloc (cube_bytes (lemma->count));
  cube_fill (c, lemma);
  for (uint32_t i = 1; i < p->levels.count && i <= level; i++) remove_subsumed (&p->levels.data[i], c);
  if (level == IC3_ENDLESS) vec_push (&p->endless, c);
  else vec_push (&p->levels.data[level], c);
  ic3_solvers_add_lemma (p, c, from, level);
}

// ---- propagation ------------------------------------------------------------------------------------

// A lemma has reached the last level: tries whether all reachable states satisfy it.
static void try_endless (ic3 *p, literals *lemma) {
  uint32_t count = lemma->count;
  if (ic3_enters (p, IC3_ENDLESS, lemma, true, lemma) || p->stopped) return;
  ic3_learn (p, lemma, lemma->count == count ? p->top + 1 : 0, IC3_ENDLESS);
}

static void remove_at (lemma_list *l, uint32_t place) {
  free_lemma (l->data[place]);
  for (uint32_t i = place + 1; i < l->count; i++) l->data[i - 1] = l->data[i];
  l->count--;
}

static void propagate_level (ic3 *p, uint32_t level) {
  literals lemma = {0}, core = {0};
  for (uint32_t i = 0; i < p->levels.data[level].count && !p->stopped;) {
    literals_take (&lemma, p->levels.data[level].data[i]);
    if (ic3_enters (p, level, &lemma, false, &core) || p->stopped) {
      i++;
      continue;
    }
    remove_at (&p->levels.data[level], i);
    ic3_learn (p, &core, core.count == lemma.count ? level : 0, level + 1);
    if (level == p->top) try_endless (p, &core);
  }
  vec_release (&lemma);
  vec_release (&core);
}

bool ic3_propagate (ic3 *p, uint32_t *fixpoint) {
  for (uint32_t level = 1; level <= p->top && !p->stopped; level++) {
    propagate_level (p, level);
    if (p->stopped || p->levels.data[level].count) continue;
    *fixpoint = level;
    return true;
  }
  return false;
}
