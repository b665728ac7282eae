// Storage of clauses: one array of words. A clause is named by its 32-bit place in it: two words of header, then its
// literals.
//
// After clauses were deleted, the others are copied to a new array (Cheney 1970) in the order in which unit propagation
// visits them: literal by literal, each with the clauses that watch it. So clauses visited together lie together.
#include "solver/cdcl/cdcl_impl.h"

#include <string.h>

enum { WORD_NUMBERS = INT32_MAX };  // a watch has 31 bits for a place

static void reserve_words (cdcl *s, uint32_t more) {
  if (!s->words.count) {
    vec_reserve (&s->words, CLAUSE_FIRST);
    s->words.count = CLAUSE_FIRST;  // the names 0 and 1 mean something else
  }
  if (more > WORD_NUMBERS - s->words.count) mem_exhausted ();
  vec_reserve (&s->words, s->words.count + more);
}

cref clause_new (cdcl *s, const lit *literals, uint32_t size, bool is_learnt, uint32_t glue) {
  reserve_words (s, CLAUSE_WORDS + size);
  cref at = s->words.count;
  clause *c = clause_at (s, at);
  *c = (clause){.size = size, .is_learnt = is_learnt, .glue = glue, .used = is_learnt ? 2 : 0};
  memcpy (c->literal, literals, size * sizeof *literals);
  s->words.count += CLAUSE_WORDS + size;
  return at;
}

void clause_watch (cdcl *s, cref at) {
  const clause *c = clause_at (s, at);
  uint32_t tagged = at << 1 | (c->size == 2);
  vec_push (&s->watches[c->literal[0]], ((watch){.blocker = c->literal[1], .tagged = tagged}));
  vec_push (&s->watches[c->literal[1]], ((watch){.blocker = c->literal[0], .tagged = tagged}));
}

cref clause_attach (cdcl *s, const lit *literals, uint32_t size, bool is_learnt, uint32_t glue) {
  cref at = clause_new (s, literals, size, is_learnt, glue);
  clause_watch (s, at);
  if (is_learnt) vec_push (&s->learnt, at);
  else vec_push (&s->given, at);
  return at;
}

void clause_discard (cdcl *s, clause *c) {
  proof_delete (s, c->literal, c->size);
  c->is_garbage = true;
}

static cref moved_clause (cdcl *s, cref at) {
  clause *c = clause_at (s, at);
  if (c->has_moved) return c->literal[0];
  cref to = s->moved_words.count;
  memcpy (s->moved_words.data + to, c, (CLAUSE_WORDS + c->size) * sizeof (uint32_t));
  s->moved_words.count += CLAUSE_WORDS + c->size;
  c->has_moved = true;
  c->literal[0] = to;
  return to;
}

// The clause may have lost literals since it was stored.
static watch moved_watch (cdcl *s, watch w, lit watching) {
  cref at = moved_clause (s, w.tagged >> 1);
  const clause *c = (const clause *) (s->moved_words.data + at);
  if (c->size > 2) return (watch){.blocker = w.blocker, .tagged = at << 1};
  return (watch){.blocker = c->literal[0] ^ c->literal[1] ^ watching, .tagged = at << 1 | 1};
}

static void move_watched (cdcl *s) {
  for (lit l = 0; l < 2 * s->num_vars; l++) {
    watch_list *list = &s->watches[l];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
      watch w = list->data[i];
      if (clause_at (s, w.tagged >> 1)->is_garbage) continue;
      list->data[kept++] = moved_watch (s, w, l);
    }
    list->count = kept;
  }
}

// A clause that explains an implication of a hook is in no list; it is kept as long as it is a reason.
static void move_reasons (cdcl *s) {
  for (uint32_t i = 0; i < s->trail.count; i++) {
    cref *reason = &s->assigned[lit_var (s->trail.data[i])].reason;
    if (*reason >= CLAUSE_FIRST) *reason = moved_clause (s, *reason);
  }
}

static void move_list (cdcl *s, clause_list *list) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++)
    if (!clause_at (s, list->data[i])->is_garbage) list->data[kept++] = moved_clause (s, list->data[i]);
  list->count = kept;
}

void cdcl_collect_garbage (cdcl *s) {
  vec_reserve (&s->moved_words, s->words.count);
  s->moved_words.count = CLAUSE_FIRST;
  move_watched (s);
  move_reasons (s);
  move_list (s, &s->given);
  move_list (s, &s->learnt);
  vec_release (&s->words);
  s->words.data = s->moved_words.data;
  s->words.count = s->moved_words.count;
  s->words.capacity = s->moved_words.capacity;
  s->moved_words.data = NULL;
  s->moved_words.count = s->moved_words.capacity = 0;
}
