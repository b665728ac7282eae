// Random programs of one thread (branches, calls, a mutex) and random formulas: the search by summaries against an
// explicit product of whole configurations, stacks and all, with the automaton.  Without recursion both must agree;
// with it, the explicit product is cut at a depth of the stack and must not find more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/pushdown/pushdown_impl.h"
#include "logic/words_test.h"

enum { PROCS = 3, LOCS = 7, DEEPEST = 5, PROGRAMS = 700, MOST_CONFIGS = 6000, MOST_STATES = 400 };

// ---- random programs ---------------------------------------------------------------------------------

// Location k of procedure f has number f * LOCS + k and line that + 1; the last one returns (of procedure 0: exits).
static void write_location (rng *r, strbuf *out, uint32_t f, uint32_t k, bool recursive) {
  uint32_t at = f * LOCS + k, next = at + 1, line = at + 1, other = f * LOCS + rng_below (r, LOCS);
  uint32_t first = recursive ? 1 : f + 1, callee = first < PROCS ? first + rng_below (r, PROCS - first) : 0;
  if (k == LOCS - 1) {
    strbuf_printf (out, f ? " L%u: return @%u:1\n" : " L%u: exit 0:32 @%u:1\n", at, line);
    return;
  }
  switch (rng_below (r, 8)) {
  case 0: strbuf_printf (out, " L%u: r0 = mutex_lock &m name \"m\" @%u:1 -> L%u\n", at, line, next); return;
  case 1: strbuf_printf (out, " L%u: r0 = mutex_unlock &m name \"m\" @%u:1 -> L%u\n", at, line, next); return;
  case 2: strbuf_printf (out, " L%u: r0 = mutex_trylock &m name \"m\" @%u:1 -> L%u\n", at, line, next); return;
  case 3: strbuf_printf (out, " L%u: nop @%u:1 -> L%u\n", at, line, next); return;
  case 4:
  case 5:
    if (callee) {
      strbuf_printf (out, " L%u: call &f%u @%u:1 -> L%u\n", at, callee, line, next);
      return;
    }
    // fall through
  default:
    strbuf_printf (out, " L%u: assume (r1 == 0:32) @%u:1 -> L%u\n L%u: assume (r1 != 0:32) @%u:1 -> L%u\n", at, line,
                   next, at, line, other);
  }
}

static ir_program *random_pushdown_program (rng *r, bool recursive) {
  strbuf text = {0};
  strbuf_add (&text, "lockstep-ir 1\npointer_bits 64\noffset_bits 32\nfile \"a.c\"\nglobal #1 m : 40 bytes align 8\n"
                     "function #2 f0 : 0 bytes\nfunction #3 f1 : 0 bytes\nfunction #4 f2 : 0 bytes\nstart &f0\n");
  for (uint32_t f = 0; f < PROCS; f++) {
    strbuf_printf (&text, "proc f%u = #%u () @\"a.c\":1:1 entry L%u {\n regs r0:32, r1:32\n", f, f + 2, f * LOCS);
    for (uint32_t k = 0; k < LOCS; k++) write_location (r, &text, f, k, recursive);
    strbuf_add (&text, "}\n");
  }
  char *error = NULL;
  ir_program *p = ir_parse (strbuf_text (&text), "random", &error);
  if (!p) fail_msg ("%s\n%s", error, strbuf_text (&text));
  strbuf_release (&text);
  return p;
}

static ltl_pool *random_atoms (rng *r) {
  ltl_pool *p = ltl_pool_new ();
  while (p->atoms.count < ATOMS) {
    char line[16], name[16];
    snprintf (line, sizeof line, "%u", 1 + rng_below (r, PROCS * LOCS));
    snprintf (name, sizeof name, "f%u", rng_below (r, PROCS));
    ltl_atom_kind kind = (ltl_atom_kind) rng_below (r, LTL_HOLDS + 1);
    ltl_add_atom (p, kind, kind == LTL_AT ? line : kind == LTL_IN || kind == LTL_CALLED ? name : "m", 0);
  }
  return p;
}

// ---- the explicit product ----------------------------------------------------------------------------

typedef struct config {
  uint32_t depth, stack[DEEPEST], held, event, called;
} config;  // event: 1 acquired, 2 released; called: procedure + 1
typedef struct oracle_arrow {
  uint32_t from, to;
  bool accepting;
} oracle_arrow;
typedef struct word_oracle {
  const ir_program *program;
  const ltl_pool *pool;
  const buchi *automaton;
  intern nodes;  // {config, state}
  VEC (oracle_arrow) arrows;
  bool found, cut;
} word_oracle;
typedef struct oracle_node {
  config c;
  uint32_t state;
} oracle_node;

static bool oracle_atom (const config *c, const ltl_atom *a) {
  uint32_t at = c->stack[c->depth - 1];
  switch (a->kind) {
  case LTL_AT: return at + 1 == (uint32_t) atoi (a->argument);
  case LTL_IN: return at / LOCS == (uint32_t) (a->argument[1] - '0');
  case LTL_CALLED: return c->called == (uint32_t) (a->argument[1] - '0') + 1;
  case LTL_ACQUIRED: return c->event == 1;
  case LTL_RELEASED: return c->event == 2;
  default: return c->held;
  }
}

static uint64_t oracle_letter (const word_oracle *o, const config *c) {
  uint64_t letter = 0;
  for (uint32_t k = 0; k < o->pool->atoms.count; k++)
    if (oracle_atom (c, &o->pool->atoms.data[k])) letter |= UINT64_C (1) << k;
  return letter;
}

typedef struct successors {
  config to[4];
  uint32_t count;
  bool ends;
} successors;

static config *add_next (successors *s, const config *c, uint32_t loc) {
  config *n = &s->to[s->count++];
  *n = *c;
  n->event = n->called = 0;
  n->stack[c->depth - 1] = loc;
  return n;
}

static void oracle_lock (const config *c, const ir_edge_data *e, successors *s) {
  bool tries = e->op == IR_MUTEX_TRYLOCK;
  if (tries) add_next (s, c, e->to.i);
  if (!tries && c->held) s->ends = true;
  if (c->held) return;
  config *n = add_next (s, c, e->to.i);
  n->held = n->event = 1;
}

static void oracle_call (word_oracle *o, const config *c, ir_edge e, successors *s) {
  if (c->depth == DEEPEST) {
    o->cut = true;
    return;
  }
  const ir_program *p = o->program;
  uint32_t callee = ir_object_at (p, ir_expr_at (p, ir_arg (p, e, 0))->object)->proc.i;
  config *n = add_next (s, c, ir_edge_at (p, e)->to.i);
  n->stack[n->depth++] = callee * LOCS;
  n->called = callee + 1;
}

static void oracle_return (const config *c, successors *s) {
  if (c->depth == 1) {
    s->ends = true;
    return;
  }
  config *n = add_next (s, c, 0);
  n->stack[--n->depth] = 0;
}

static void oracle_steps (word_oracle *o, const config *c, successors *s) {
  const ir_loc_data *l = ir_loc_at (o->program, (ir_loc){c->stack[c->depth - 1]});
  *s = (successors){0};
  for (uint32_t k = 0; k < l->num_edges; k++) {
    ir_edge e = {l->first_edge + k};
    const ir_edge_data *edge = ir_edge_at (o->program, e);
    switch (edge->op) {
    case IR_MUTEX_LOCK:
    case IR_MUTEX_TRYLOCK: oracle_lock (c, edge, s); break;
    case IR_MUTEX_UNLOCK: {
      config *n = add_next (s, c, edge->to.i);
      n->held = 0, n->event = 2;
      break;
    }
    case IR_CALL: oracle_call (o, c, e, s); break;
    case IR_RETURN: oracle_return (c, s); break;
    case IR_EXIT: s->ends = true; break;
    default: add_next (s, c, edge->to.i);
    }
  }
}

static void oracle_expand (word_oracle *o, uint32_t number) {
  oracle_node n;
  memcpy (&n, intern_get (&o->nodes, number, NULL), sizeof n);
  successors s;
  oracle_steps (o, &n.c, &s);
  uint64_t letter = oracle_letter (o, &n.c);
  const buchi_state *state = &o->automaton->states.data[n.state];
  for (uint32_t k = 0; k < state->num_edges; k++) {
    const buchi_edge *e = &o->automaton->edges.data[state->first_edge + k];
    if (!buchi_enabled (e, letter)) continue;
    const buchi_state *target = &o->automaton->states.data[e->target];
    o->found |= target->settled || (s.ends && target->final);
    for (uint32_t j = 0; j < s.count; j++) {
      oracle_node next = {s.to[j], e->target};
      vec_push (&o->arrows, ((oracle_arrow){number, intern_add (&o->nodes, &next, sizeof next, NULL), e->accepting}));
    }
  }
}

// Greatest set of nodes each of which can reach an accepting arrow inside the set.
static bool has_accepting_cycle (const word_oracle *o) {
  uint32_t count = intern_count (&o->nodes);
  uint8_t *good = mem_alloc (count), *reach = mem_alloc (count);
  memset (good, 1, count);
  for (bool lost = true; lost;) {
    lost = false;
    memset (reach, 0, count);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t k = o->arrows.count; k-- > 0;) {
        const oracle_arrow *a = &o->arrows.data[k];
        if (good[a->from] && good[a->to] && !reach[a->from] && (a->accepting || reach[a->to]))
          reach[a->from] = changed = true;
      }
    }
    for (uint32_t k = 0; k < count; k++)
      if (good[k] && !reach[k]) good[k] = 0, lost = true;
  }
  bool found = good[0];
  mem_free (good, count);
  mem_free (reach, count);
  return found;
}

// False: the product got too large.
static bool oracle_run (word_oracle *o) {
  oracle_node start = {.c = {.depth = 1, .called = 1}};
  intern_add (&o->nodes, &start, sizeof start, NULL);
  for (uint32_t k = 0; k < intern_count (&o->nodes) && k < MOST_CONFIGS && !o->found; k++) oracle_expand (o, k);
  bool whole = intern_count (&o->nodes) < MOST_CONFIGS;
  if (!o->found && whole) o->found = has_accepting_cycle (o);
  intern_release (&o->nodes);
  vec_release (&o->arrows);
  return whole || o->found;
}

// ---- comparing ---------------------------------------------------------------------------------------

static bool search_finds (const ir_program *p, const pointsto *targets, const ltl_pool *pool, const buchi *b,
                          arena *a) {
  pushdown d;
  thread_product s;
  budget budget;
  budget_start (&budget, 0, 0);
  pushdown_init (&d, p, targets, pool, a);
  bool bound = atoms_bind (&d);
  if (bound && relocks_follow (&d, p->start, &budget)) pushdown_forget (&d);
  product_init (&s, &d, b, &budget);
  if (bound) product_run (&s, p->start);
  bool found = s.end != RUN_NONE;
  product_release (&s);
  pushdown_release (&d);
  return found || !bound;  // an atom about a mutex without operations means nothing
}

static bool is_bound (const ir_program *p, const pointsto *targets, const ltl_pool *pool, arena *a) {
  pushdown d;
  pushdown_init (&d, p, targets, pool, a);
  bool bound = atoms_bind (&d);
  pushdown_release (&d);
  return bound;
}

// Returns whether the search found a run; *compared counts those that the explicit product could decide.
static bool compare_with_oracle (const ir_program *p, const pointsto *targets, ltl_pool *pool, ltl f, bool recursive,
                                 uint32_t *compared) {
  buchi b;
  assert_true (buchi_build (&b, pool, f, MOST_STATES));
  arena *a = arena_new ();
  bool ours = search_finds (p, targets, pool, &b, a);
  word_oracle o = {.program = p, .pool = pool, .automaton = &b};
  if (oracle_run (&o)) {
    if (o.found) assert_true (ours);
    else if (!recursive) assert_false (ours);
    ++*compared;
  }
  buchi_release (&b);
  arena_free (a);
  return ours;
}

static void compare_programs (bool recursive, uint64_t seed) {
  rng r = {seed};
  uint32_t compared = 0, found = 0;
  for (uint32_t k = 0; k < PROGRAMS; k++) {
    ir_program *p = random_pushdown_program (&r, recursive);
    ltl_pool *pool = random_atoms (&r);
    arena *a = arena_new ();
    pointsto *targets = pointsto_new (p);
    ltl f = formula_random (pool, &r, 2 + rng_below (&r, 6));
    if (is_bound (p, targets, pool, a)) {
      bool one = compare_with_oracle (p, targets, pool, f, recursive, &compared);
      bool other = compare_with_oracle (p, targets, pool, ltl_not (pool, f), recursive, &compared);
      assert_true (one || other);  // there is a run, and it satisfies one of them
      found += one + other;
    }
    pointsto_free (targets);
    arena_free (a);
    ltl_pool_free (pool);
    ir_program_free (p);
  }
  assert_true (compared > PROGRAMS && found > PROGRAMS / 2);
}

static void searches_agree_without_recursion (void **state) {
  (void) state;
  compare_programs (false, 1);
}

static void nothing_is_missed_with_recursion (void **state) {
  (void) state;
  compare_programs (true, 2);
}

TEST_MAIN (cmocka_unit_test (searches_agree_without_recursion), cmocka_unit_test (nothing_is_missed_with_recursion))
