// The table of predicates. A predicate and its negation are one: the table has the term without `not`.
#include "abstract/predicates.h"

enum { NARROW_BITS = 2 };

void predicates_init (predicates *p, efsm *m) {
  *p = (predicates){.m = m, .arena = arena_new ()};
  for (uint32_t v = 0; v < m->variables.count; v++) vec_push (&p->about, ((number_list){0}));
}

void predicates_release (predicates *p) {
  for (uint32_t k = 0; k < p->all.count; k++) vec_release (&p->all.data[k].variables);
  vec_release (&p->all);
  for (uint32_t v = 0; v < p->about.count; v++) vec_release (&p->about.data[v]);
  vec_release (&p->about);
  map_release (&p->number_of);
  strmap_release (&p->names);
  arena_free (p->arena);
}

bool predicates_share (const number_list *a, const number_list *b) {
  for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
    if (a->data[i] == b->data[k]) return true;
    if (a->data[i] < b->data[k]) i++;
    else k++;
  }
  return false;
}

static const char *predicate_name (predicates *p, term t) {
  strbuf text = {0};
  bool is_new;
  term_print (p->m, t, &text);
  const char *base = arena_strdup (p->arena, strbuf_text (&text)), *name = base;
  for (uint32_t k = 2;; k++) {
    strmap_insert (&p->names, name, 0, &is_new);
    if (is_new) break;
    name = arena_printf (p->arena, "%s, %u", base, k);
  }
  strbuf_release (&text);
  return name;
}

static term without_not (const term_pool *p, term t) {
  const term_node *n = term_at (p, t);
  if (n->op != IR_X_XOR || n->bits != 1) return t;
  return n->arg[1].i == p->truth.i ? n->arg[0] : n->arg[0].i == p->truth.i ? n->arg[1] : t;
}

static bool add_one (predicates *p, term t) {
  t = without_not (&p->m->terms, t);
  if (term_is_const (&p->m->terms, t) || map_find (&p->number_of, t.i)) return false;
  predicate made = {.holds = t};
  if (!variables_of (p->m, t, &made.variables)) {
    vec_release (&made.variables);
    return false;
  }
  made.name = predicate_name (p, t);
  for (uint32_t k = 0; k < made.variables.count; k++) vec_push (&p->about.data[made.variables.data[k]], p->all.count);
  map_insert (&p->number_of, t.i, p->all.count, NULL);
  vec_push (&p->all, made);
  return true;
}

static uint32_t add_bits (predicates *p, uint32_t variable) {
  term now = p->m->variables.data[variable].now;
  uint32_t added = 0;
  for (unsigned k = 0; k < term_bits (&p->m->terms, now); k++)
    added += add_one (p, term_extract (&p->m->terms, now, k, 1));
  return added;
}

static bool are_narrow (const predicates *p, const number_list *variables) {
  for (uint32_t k = 0; k < variables->count; k++)
    if (term_bits (&p->m->terms, p->m->variables.data[variables->data[k]].now) > NARROW_BITS) return false;
  return true;
}

static uint32_t add_atom (predicates *p, term atom) {
  number_list variables = {0};
  uint32_t added = 0;
  bool good = variables_of (p->m, atom, &variables);
  if (good && are_narrow (p, &variables))
    for (uint32_t k = 0; k < variables.count; k++) added += add_bits (p, variables.data[k]);
  else if (good) added = add_one (p, atom);
  vec_release (&variables);
  return added;
}

uint32_t predicates_add (predicates *p, term condition) {
  term_list atoms = {0};
  uint32_t added = 0;
  atoms_of (&p->m->terms, condition, &atoms);
  for (uint32_t k = 0; k < atoms.count; k++) added += add_atom (p, atoms.data[k]);
  vec_release (&atoms);
  return added;
}
