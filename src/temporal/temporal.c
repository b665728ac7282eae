// Turns the text of a formula into propositions about a program, and builds the automaton of the runs that violate it.
#include "temporal/temporal.h"

#include <ctype.h>
#include <string.h>

#include "base/limits.h"
#include "temporal/temporal_impl.h"

static const char *trimmed_text (arena *a, const char *text, size_t length) {
  while (length && isspace ((unsigned char) *text)) text++, length--;
  while (length && isspace ((unsigned char) text[length - 1])) length--;
  return arena_printf (a, "%.*s", (int) length, text);
}

// ---- comparisons -------------------------------------------------------------------------------------

static temporal_relation relation_of (const char *sign) {
  if (sign[1] == '=')
    return *sign == '=' ? RELATION_EQ : *sign == '!' ? RELATION_NE : *sign == '<' ? RELATION_LE : RELATION_GE;
  return *sign == '<' ? RELATION_LT : RELATION_GT;
}

static bool bind_comparison (temporal *t, const ltl_atom *a, temporal_atom *out, const char **why) {
  arena *arena = t->pool->arena;
  size_t length = strcspn (a->argument, "=!<>");
  const char *sign = a->argument + length;
  if (!resolve_operand (t, trimmed_text (arena, a->argument, length), &out->left, why)) return false;
  out->relation = RELATION_NE;
  out->right = (temporal_operand){.is_constant = true};
  if (!*sign) return true;
  const char *right = sign + (sign[1] == '=' ? 2 : 1);
  out->relation = relation_of (sign);
  return resolve_operand (t, trimmed_text (arena, right, strlen (right)), &out->right, why);
}

__int128 temporal_value (const temporal_operand *o, uint64_t bytes) {
  if (o->is_constant) return o->constant;
  unsigned unused = 64 - 8 * o->bytes;
  if (o->is_signed) return (int64_t) (bytes << unused) >> unused;
  return bytes << unused >> unused;
}

bool temporal_compare (temporal_relation r, __int128 a, __int128 b) {
  switch (r) {
  case RELATION_EQ: return a == b;
  case RELATION_NE: return a != b;
  case RELATION_LT: return a < b;
  case RELATION_LE: return a <= b;
  case RELATION_GT: return a > b;
  case RELATION_GE: return a >= b;
  }
  return false;
}

// ---- words with arguments ----------------------------------------------------------------------------

// Splits `thread, what`, or `what` alone; returns `what`.
static const char *split_argument (temporal *t, const char *argument, const char **thread) {
  const char *comma = strchr (argument, ',');
  *thread = comma ? trimmed_text (t->pool->arena, argument, (size_t) (comma - argument)) : NULL;
  return comma ? trimmed_text (t->pool->arena, comma + 1, strlen (comma + 1)) : argument;
}

static bool bind_with_thread (temporal *t, const ltl_atom *a, temporal_atom *out, const char **why) {
  const char *thread, *what = split_argument (t, a->argument, &thread);
  if (a->kind == LTL_HOLDS && !thread) {
    *why = "holds needs a thread and a lock: holds(worker, m); locked(m) asks whether any thread holds it";
    return false;
  }
  if (thread && !resolve_threads (t, thread, &out->threads, why)) return false;
  return a->kind == LTL_AT ? resolve_place (t, what, &out->locs, why) : resolve_lock (t, what, &out->lock, why);
}

static bool bind_atom (temporal *t, const ltl_atom *a, temporal_atom *out, const char **why) {
  switch (a->kind) {
  case LTL_COMPARE: return bind_comparison (t, a, out, why);
  case LTL_LOCKED: return resolve_lock (t, a->argument, &out->lock, why);
  case LTL_ENDED: return resolve_threads (t, a->argument, &out->threads, why);
  default: return bind_with_thread (t, a, out, why);
  }
}

static bool bind_atoms (temporal *t, ltl_error *error) {
  t->num_atoms = t->pool->atoms.count;
  t->atoms = arena_zalloc (t->pool->arena, t->num_atoms * sizeof *t->atoms);
  for (uint32_t k = 0; k < t->num_atoms; k++) {
    const ltl_atom *a = &t->pool->atoms.data[k];
    const char *why = NULL;
    t->atoms[k].kind = a->kind;
    t->atoms[k].text = a->kind == LTL_COMPARE
                           ? a->argument
                           : arena_printf (t->pool->arena, "%s(%s)", ltl_atom_name[a->kind], a->argument);
    if (a->kind == LTL_ENDED) t->remembers |= UINT64_C (1) << k;
    if (bind_atom (t, a, &t->atoms[k], &why)) continue;
    *error = (ltl_error){a->column, why};
    return false;
  }
  return true;
}

bool temporal_init (temporal *t, const ir_program *program, const char *text, ltl_error *error) {
  *t = (temporal){.program = program, .text = text, .pool = ltl_pool_new ()};
  if (!ltl_parse_program (t->pool, text, &t->formula, error)) return false;
  t->has_next = ltl_has_next (t->pool, t->formula);
  return bind_atoms (t, error);
}

bool temporal_add_automaton (temporal *t) {
  return buchi_build (&t->broken, t->pool, ltl_not (t->pool, t->formula), LIMIT_AUTOMATON_STATES);
}

void temporal_release (temporal *t) {
  buchi_release (&t->broken);
  ltl_pool_free (t->pool);
}
