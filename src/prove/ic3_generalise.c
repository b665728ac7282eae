// Generalises a cube that cannot be entered from a frame: drops literals, which makes the set of states larger.
//
// Literals outside the core of the solver's answer are dropped first; then each literal is tried, beginning with
// latches that were rarely in recent lemmas. A counterexample to dropping a literal may itself be unreachable: with odd
// seeds a lemma is then learned that excludes it, and the attempt goes on (Hassan, Bradley and Somenzi, Better
// Generalization in IC3, 2013); otherwise the literals that the cube does not share with that state are dropped, too.
// On bench/circuits the former costs more than twice the time that it saves, so only configurations that race use it.
#define _GNU_SOURCE
#include <stdlib.h>

#include "prove/ic3_impl.h"

enum { NUM_EXCUSES = 3, EXCUSE_DEPTH = 1 };
static const double growth = 1 / 0.99, too_large = 1e100;

// ---- activity ---------------------------------------------------------------------------------------

static int compare_activity (const void *a, const void *b, void *state) {
  const ic3 *p = state;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  double u = p->activity.data[x / 2], v = p->activity.data[y / 2];
  return u != v ? (u < v) - (u > v) : (x > y) - (x < y);
}

void ic3_sort_by_activity (const ic3 *p, literals *l) {
  if (l->count) qsort_r (l->data, l->count, sizeof *l->data, compare_activity, (void *) p);
}

static void note_activity (ic3 *p, const literals *lemma) {
  for (uint32_t i = 0; i < lemma->count; i++) p->activity.data[lemma->data[i] / 2] += p->bump;
  p->bump *= growth;
  if (p->bump < too_large) return;
  for (uint32_t i = 0; i < p->activity.count; i++) p->activity.data[i] /= too_large;
  p->bump /= too_large;
}

// ---- dropping literals ------------------------------------------------------------------------------

static void drop_cube_literals (ic3 *, literals *cube, uint32_t level, uint32_t depth);

// The last model is a step into the cube. Excludes its first state by a new lemma, if that is easy.
static bool exclude_counterexample (ic3 *p, const literals *cube, uint32_t level, uint32_t depth) {
  literals state = {0};
  ic3_lift_predecessor (p, cube, &state);
  bool easy = level > 1 && !ic3_meets_start (p, &state);
  if (easy) {
    ic3_sort_by_activity (p, &state);
    easy = !ic3_enters (p, level - 2, &state, true, &state) && !p->stopped;
  }
  if (easy) {
    uint32_t at = level - 1;
    while (at < p->top && !ic3_enters (p, at, &state, true, &state) && !p->stopped) at++;
    drop_cube_literals (p, &state, at, depth + 1);
    if (!p->stopped) ic3_learn (p, &state, 0, at);
  }
  vec_release (&state);
  return easy;
}

static void note_agreeing (const ic3 *p, const literals *cube, literals *agreeing) {
  vec_clear (agreeing);
  for (uint32_t i = 0; i < cube->count; i++)
    if (ic3_model_latch (p, cube->data[i] / 2) != (cube->data[i] & 1)) vec_push (agreeing, cube->data[i]);
}

static bool have_all (const literals *l, const literals *wanted) {
  for (uint32_t i = 0; i < wanted->count; i++)
    if (!literals_have (l, wanted->data[i])) return false;
  return true;
}

// Shrinks the list until the cube is not entered from outside. Returns false if that failed, or would drop literals in
// `needed`.
static bool shrink_to_unreachable (ic3 *p, literals *cube, uint32_t level, uint32_t depth, const literals *needed) {
  literals agreeing = {0};
  bool done = false, hopeless = false;
  for (uint32_t excuses = 0; !done && !hopeless;) {
    if (ic3_meets_start (p, cube)) hopeless = true;
    else if (!ic3_enters (p, level - 1, cube, true, cube)) done = true;
    else if (!p->excusing || depth > EXCUSE_DEPTH) hopeless = true;
    else {
      note_agreeing (p, cube, &agreeing);
      if (excuses < NUM_EXCUSES && exclude_counterexample (p, cube, level, depth)) excuses++;
      else if (p->stopped || !have_all (&agreeing, needed)) hopeless = true;
      else {
        literals_copy (cube, &agreeing);
        excuses = 0;
      }
    }
  }
  vec_release (&agreeing);
  return done && !p->stopped;
}

static void all_but (const literals *from, uint32_t literal, literals *to) {
  vec_clear (to);
  for (uint32_t i = 0; i < from->count; i++)
    if (from->data[i] != literal) vec_push (to, from->data[i]);
}

static void drop_cube_literals (ic3 *p, literals *cube, uint32_t level, uint32_t depth) {
  literals order = {0}, attempt = {0}, needed = {0};
  ic3_sort_by_activity (p, cube);
  literals_copy (&order, cube);
  while (order.count && !p->stopped) {
    uint32_t literal = vec_pop (&order);  // the least active
    if (!literals_have (cube, literal)) continue;
    all_but (cube, literal, &attempt);
    if (shrink_to_unreachable (p, &attempt, level, depth, &needed)) literals_copy (cube, &attempt);
    else vec_push (&needed, literal);
  }
  vec_release (&order);
  vec_release (&attempt);
  vec_release (&needed);
}

uint32_t ic3_generalise (ic3 *p, literals *cube, uint32_t level) {
  drop_cube_literals (p, cube, level, 0);
  while (level <= p->top && !p->stopped && !ic3_enters (p, level, cube, true, cube)) level++;
  if (!p->stopped) note_activity (p, cube);
  return level;
}
