// Contents that are tried for words of the command line. Trying all 256 values of each byte would never end, so a few
// words are chosen for the whole program: its short string constants, the characters it compares with (alone and after
// a dash), small numbers and the constants of its comparisons in decimal, and the empty word. A byte of a word is
// chosen when it is first read, among the bytes that continue the words which agree with the bytes chosen before. The
// verdict is then "within bounds".
#include <string.h>

#include "base/limits.h"
#include "engine/explicit/explicit_impl.h"

enum { END_OF_NUMBERS = 1000000000 };

struct word_table {
  const ir_program *program;
  arena *arena;  // arena of the words
  const char *words[LIMIT_EXPLICIT_WORDS];
  uint32_t count;
  bool known;
  VEC (uint32_t) used;  // objects that were read
};

word_table *words_new (const ir_program *p) {
  word_table *t = mem_zalloc (sizeof *t);
  t->program = p;
  return t;
}

void words_free (word_table *t) {
  if (t->arena) arena_free (t->arena);
  vec_release (&t->used);
  mem_free (t, sizeof *t);
}

static bool add_tried_word (word_table *t, const char *word) {
  for (uint32_t k = 0; k < t->count; k++)
    if (!strcmp (t->words[k], word)) return false;
  if (at_limit (EXPLICIT_WORDS, t->count)) return false;
  t->words[t->count++] = arena_strdup (t->arena, word);
  return true;
}

// ---- what the program compares with -------------------------------------------------------------------
// Only the user's procedures count; library models compare with blanks, digits and signs.
static bool is_user_edge (const ir_program *p, const ir_edge_data *d) {
  ir_proc f = ir_loc_at (p, d->from)->proc;
  return !ir_proc_at (p, f)->internal && d->op != IR_OUTPUT;
}

// Returns a string constant without blanks that is short enough for a word, or NULL.
static const char *string_constant_word (const ir_program *p, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op != IR_X_ADDR || n->offset) return NULL;
  const ir_object_data *o = ir_object_at (p, n->object);
  if (o->kind != IR_O_CONSTANT || !o->init || o->internal || o->size < 2 || o->size > 24) return NULL;
  for (uint32_t k = 0; k + 1 < o->size; k++)
    if (o->init[k] <= ' ' || o->init[k] > '~' || o->init[k] == '%') return NULL;
  return o->init[o->size - 1] ? NULL : (const char *) o->init;
}

static void add_strings (word_table *t) {
  const ir_program *p = t->program;
  uint32_t added = 0;
  for (uint32_t e = 0; e < p->edges.count && !at_limit (EXPLICIT_STRINGS, added); e++) {
    const ir_edge_data *d = &p->edges.data[e];
    for (uint32_t k = 0; k < d->num_args && is_user_edge (p, d); k++) {
      const char *word = string_constant_word (p, p->args.data[d->first_arg + k]);
      if (word) added += add_tried_word (t, word);
    }
  }
}

typedef struct compared_constants {
  ir_value characters[LIMIT_EXPLICIT_CHARACTERS], numbers[LIMIT_EXPLICIT_NUMBERS];
  uint32_t num_characters, num_numbers;
} compared_constants;

static void add_compared_constant (ir_value *list, uint32_t *count, uint32_t most, limit_id limit, ir_value x) {
  for (uint32_t k = 0; k < *count; k++)
    if (list[k] == x) return;
  if (*count < most) list[(*count)++] = x;
  else limit_note (limit);
}

static void collect_compared_constants (const ir_program *p, ir_expr x, compared_constants *c) {
  const ir_expr_node *n = ir_expr_at (p, x);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) collect_compared_constants (p, n->arg[k], c);
  for (unsigned k = 0; k < 2 && n->op >= IR_X_EQ && n->op <= IR_X_SLE; k++) {
    const ir_expr_node *v = ir_expr_at (p, n->arg[k]);
    if (v->op != IR_X_CONST || v->bits < 8) continue;
    if (v->value > ' ' && v->value <= '~')
      add_compared_constant (c->characters, &c->num_characters, LIMIT_EXPLICIT_CHARACTERS, LIMIT_ID_EXPLICIT_CHARACTERS,
                             v->value);
    if (v->value < END_OF_NUMBERS)
      add_compared_constant (c->numbers, &c->num_numbers, LIMIT_EXPLICIT_NUMBERS, LIMIT_ID_EXPLICIT_NUMBERS, v->value);
  }
}

static compared_constants find_compared_constants (const ir_program *p) {
  compared_constants c = {.num_numbers = 0};
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    for (uint32_t k = 0; k < d->num_args && is_user_edge (p, d); k++)
      collect_compared_constants (p, p->args.data[d->first_arg + k], &c);
  }
  return c;
}

static void find_words (word_table *t) {
  t->known = true;
  t->arena = arena_new ();
  compared_constants c = find_compared_constants (t->program);
  add_tried_word (t, "");
  add_strings (t);
  for (uint32_t k = 0; k < c.num_characters; k++) {
    char word[] = {'-', (char) c.characters[k], 0};
    add_tried_word (t, word + 1);
    add_tried_word (t, word);
  }
  for (uint32_t k = 1; k <= 3; k++) add_tried_word (t, arena_printf (t->arena, "%u", k));
  for (uint32_t k = 0; k < c.num_numbers; k++)
    add_tried_word (t, arena_printf (t->arena, "%u", (unsigned) c.numbers[k]));
}

// ---- bytes that continue them -------------------------------------------------------------------------
static bool agrees_with_bytes (const state_object *o, const char *word) {
  size_t length = strlen (word);
  if (length >= o->size) return false;
  for (uint32_t k = 0; k < o->size; k++)
    if (!o->undefined[k] && o->bytes[k] != (k < length ? (uint8_t) word[k] : 0) && k <= length) return false;
  return true;
}

static uint64_t bytes_at (const char *word, uint32_t offset, unsigned bytes) {
  uint64_t value = 0;
  size_t length = strlen (word);
  for (unsigned k = 0; k < bytes && offset + k < length; k++) value |= (uint64_t) (uint8_t) word[offset + k] << 8 * k;
  return value;
}

static void note_used (word_table *t, uint32_t number) {
  for (uint32_t k = 0; k < t->used.count; k++)
    if (t->used.data[k] == number) return;
  vec_push (&t->used, number);
}

uint32_t words_candidates (word_table *t, const state_object *o, uint32_t offset, unsigned bytes, uint64_t *out) {
  uint32_t count = 0;
  if (!t->known) find_words (t);
  note_used (t, o->number);
  for (uint32_t k = 0; k < t->count; k++) {
    if (!agrees_with_bytes (o, t->words[k])) continue;
    uint64_t value = bytes_at (t->words[k], offset, bytes);
    uint32_t i = 0;
    while (i < count && out[i] != value) i++;
    if (i == count) out[count++] = value;
  }
  if (!count) out[count++] = 0;  // the program has changed the word: the word ends here
  return count;
}

void words_add_bounds (const word_table *t, verdict *v) {
  for (uint32_t k = 0; k < t->used.count; k++)
    verdict_add_bound (v, "%s: %u of all words", ir_object_at (t->program, (ir_object){t->used.data[k]})->name,
                       t->count);
}
