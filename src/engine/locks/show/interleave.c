// Depth-first search over vectors of positions.  One path runs for as long as it can.  A lock that a path still holds
// at its end may be acquired, the last time, only when no other path will acquire it any more.  That condition is
// necessary.  If locks are well nested it is sufficient, because a path releases all other locks before it stops: then
// the search never backtracks (the proof of LOCK theorem 5 as an algorithm).  Otherwise it does.
#include "base/limits.h"
#include "engine/locks/show/show_impl.h"

#include "base/intern.h"
#include "base/map.h"

enum { NO_PATH = UINT32_MAX };

typedef struct path_holding {
  uint32_t count;
  bool reads;
} path_holding;  // of one lock by one path
typedef struct undo {
  uint32_t path, lock;
  path_holding before;
  bool was_done;
  uint32_t atomic, depth;
} undo;

typedef struct interleaving {
  const interleave_path *paths;
  uint32_t count, num_locks, total;
  map numbers;             // lock -> 0, 1, ...
  uint32_t **lock;         // [path][step]: its number
  bool **last;             // [path][step]: acquires a lock that the path never releases
  uint32_t *until[2];      // [reads][path * num_locks + lock]: number of steps up to its last acquire
  path_holding *held;      // [path * num_locks + lock]
  bool *done;              // [lock]: its `once` routine has been executed
  uint32_t *at;            // [path]
  bool *alive;             // [path]
  uint32_t atomic, depth;  // the path inside an atomic region, or NO_PATH; how many it has begun
  intern seen;             // vectors of positions
  VEC (undo) undos;
} interleaving;

// ---- what the paths are like -----------------------------------------------------------------------------------
static bool is_taking (interleave_op op) { return op == INTERLEAVE_ACQUIRE || op == INTERLEAVE_BEGIN_ONCE; }
static bool is_giving (interleave_op op) { return op == INTERLEAVE_RELEASE || op == INTERLEAVE_END_ONCE; }

static void number_locks (interleaving *m) {
  for (uint32_t p = 0; p < m->count; p++) {
    m->lock[p] = mem_zalloc (sizeof **m->lock * (m->paths[p].count + 1));
    m->last[p] = mem_zalloc (sizeof **m->last * (m->paths[p].count + 1));
    for (uint32_t k = 0; k < m->paths[p].count; k++) {
      const interleave_step *s = &m->paths[p].steps[k];
      if (is_taking (s->op) || is_giving (s->op) || s->op == INTERLEAVE_PASS_ONCE)
        m->lock[p][k] = (uint32_t) *map_insert (&m->numbers, s->lock, m->numbers.entries.count, NULL);
    }
    m->total += m->paths[p].count;
  }
  m->num_locks = m->numbers.entries.count;
}

// Goes backwards over the path and counts in `back` how often each lock is released from here on.
static void find_last_acquires (interleaving *m, uint32_t p) {
  uint32_t *back = mem_zalloc (sizeof *back * (m->num_locks + 1)), atomic_back = 0;
  for (uint32_t k = m->paths[p].count; k-- > 0;) {
    const interleave_step *s = &m->paths[p].steps[k];
    uint32_t l = m->lock[p][k];
    if (s->op == INTERLEAVE_END_ATOMIC) atomic_back++;
    if (s->op == INTERLEAVE_BEGIN_ATOMIC && !(m->last[p][k] = !atomic_back)) atomic_back--;
    if (is_giving (s->op)) back[l]++;
    if (!is_taking (s->op)) continue;
    uint32_t *until = &m->until[s->reads][p * m->num_locks + l];
    if (!*until) *until = k + 1;
    if (!(m->last[p][k] = !back[l])) back[l]--;
  }
  mem_free (back, sizeof *back * (m->num_locks + 1));
}

static void interleaving_init (interleaving *m, const interleave_path *paths, uint32_t count) {
  *m = (interleaving){.paths = paths, .count = count, .atomic = NO_PATH};
  m->lock = mem_zalloc (sizeof *m->lock * (count + 1));
  m->last = mem_zalloc (sizeof *m->last * (count + 1));
  number_locks (m);
  size_t cells = (size_t) count * m->num_locks + 1;
  for (int reads = 0; reads < 2; reads++) m->until[reads] = mem_zalloc (sizeof *m->until[reads] * cells);
  m->held = mem_zalloc (sizeof *m->held * cells);
  m->done = mem_zalloc (sizeof *m->done * (m->num_locks + 1));
  m->at = mem_zalloc (sizeof *m->at * (count + 1));
  m->alive = mem_zalloc (sizeof *m->alive * (count + 1));
  for (uint32_t p = 0; p < count; p++) {
    m->alive[p] = !paths[p].created;
    find_last_acquires (m, p);
  }
}

static void interleaving_release (interleaving *m) {
  size_t cells = (size_t) m->count * m->num_locks + 1;
  for (uint32_t p = 0; p < m->count; p++) {
    mem_free (m->lock[p], sizeof **m->lock * (m->paths[p].count + 1));
    mem_free (m->last[p], sizeof **m->last * (m->paths[p].count + 1));
  }
  mem_free (m->lock, sizeof *m->lock * (m->count + 1));
  mem_free (m->last, sizeof *m->last * (m->count + 1));
  for (int reads = 0; reads < 2; reads++) mem_free (m->until[reads], sizeof *m->until[reads] * cells);
  mem_free (m->held, sizeof *m->held * cells);
  mem_free (m->done, sizeof *m->done * (m->num_locks + 1));
  mem_free (m->at, sizeof *m->at * (m->count + 1));
  mem_free (m->alive, sizeof *m->alive * (m->count + 1));
  map_release (&m->numbers);
  intern_release (&m->seen);
  vec_release (&m->undos);
}

// ---- one step --------------------------------------------------------------------------------------------------
static path_holding *held_by_path (interleaving *m, uint32_t path, uint32_t lock) {
  return &m->held[path * m->num_locks + lock];
}

static bool can_take (interleaving *m, uint32_t p, uint32_t lock, bool reads, bool for_ever) {
  if (held_by_path (m, p, lock)->count) return true;  // acquired again
  for (uint32_t q = 0; q < m->count; q++) {
    const path_holding *h = held_by_path (m, q, lock);
    if (q == p) continue;
    if (h->count && !(h->reads && reads)) return false;
    if (for_ever && m->until[false][q * m->num_locks + lock] > m->at[q]) return false;
    if (for_ever && !reads && m->until[true][q * m->num_locks + lock] > m->at[q]) return false;
  }
  return true;
}

static bool is_inside_once (interleaving *m, uint32_t lock) {
  for (uint32_t q = 0; q < m->count; q++)
    if (held_by_path (m, q, lock)->count) return true;
  return false;
}

static bool others_are_done (const interleaving *m, uint32_t p) {
  for (uint32_t q = 0; q < m->count; q++)
    if (q != p && m->at[q] < m->paths[q].count) return false;
  return true;
}

static bool can_step (interleaving *m, uint32_t p) {
  uint32_t k = m->at[p];
  if (k == m->paths[p].count || !m->alive[p] || (m->atomic != NO_PATH && m->atomic != p)) return false;
  const interleave_step *s = &m->paths[p].steps[k];
  uint32_t lock = m->lock[p][k];
  switch (s->op) {
  case INTERLEAVE_ACQUIRE: return can_take (m, p, lock, s->reads, m->last[p][k]);
  case INTERLEAVE_BEGIN_ONCE: return !m->done[lock] && can_take (m, p, lock, false, m->last[p][k]);
  case INTERLEAVE_PASS_ONCE: return !is_inside_once (m, lock);
  case INTERLEAVE_BEGIN_ATOMIC: return !m->last[p][k] || others_are_done (m, p);
  default: return true;
  }
}

static void execute_step (interleaving *m, uint32_t p) {
  uint32_t k = m->at[p]++;
  const interleave_step *s = &m->paths[p].steps[k];
  uint32_t lock = m->lock[p][k];
  path_holding *h = held_by_path (m, p, lock);
  vec_push (&m->undos, ((undo){p, lock, *h, m->done[lock], m->atomic, m->depth}));
  if (is_taking (s->op)) *h = (path_holding){h->count + 1, s->reads};
  if (is_giving (s->op) && h->count) h->count--;
  if (s->op == INTERLEAVE_END_ONCE || s->op == INTERLEAVE_PASS_ONCE) m->done[lock] = true;
  if (s->op == INTERLEAVE_BEGIN_ATOMIC) m->atomic = p, m->depth++;
  if (s->op == INTERLEAVE_END_ATOMIC && m->depth && !--m->depth) m->atomic = NO_PATH;
  if (s->op == INTERLEAVE_CREATE) m->alive[s->lock] = true;
}

static void undo_step (interleaving *m) {
  undo u = vec_pop (&m->undos);
  const interleave_step *s = &m->paths[u.path].steps[--m->at[u.path]];
  *held_by_path (m, u.path, u.lock) = u.before;
  m->done[u.lock] = u.was_done;
  m->atomic = u.atomic;
  m->depth = u.depth;
  if (s->op == INTERLEAVE_CREATE) m->alive[s->lock] = false;
}

// ---- the search --------------------------------------------------------------------------------------------------
static bool try_step (interleaving *m, uint32_t p) {
  if (!can_step (m, p)) return false;
  bool is_new;
  m->at[p]++;
  intern_add (&m->seen, m->at, sizeof *m->at * m->count, &is_new);
  m->at[p]--;
  if (is_new) execute_step (m, p);
  return is_new;
}

static bool step_any (interleaving *m) {
  uint32_t running = m->undos.count ? vec_last (&m->undos).path : 0;
  for (uint32_t k = 0; k < m->count; k++)
    if (try_step (m, (running + k) % m->count)) return true;
  return false;
}

static bool search_interleaving (interleaving *m) {
  while (m->undos.count < m->total) {
    if (over_limit (EXAMPLE_STATES, intern_count (&m->seen))) return false;
    if (step_any (m)) continue;
    if (!m->undos.count) return false;
    undo_step (m);
  }
  return true;
}

bool interleave_paths (const interleave_path *paths, uint32_t count, interleave_order *out) {
  interleaving m;
  interleaving_init (&m, paths, count);
  vec_clear (out);
  bool found = search_interleaving (&m);
  for (uint32_t k = 0; found && k < m.undos.count; k++) vec_push (out, m.undos.data[k].path);
  interleaving_release (&m);
  return found;
}
