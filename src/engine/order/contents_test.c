// Memory as a history of stores: every load agrees with an array of bytes, under any values of the offsets and conditions.
#include "engine/order/contents.h"

#include "base/rng.h"
#include "base/test.h"
#include "encode/decider.h"

enum { SIZE = 24, ROUNDS = 60, STEPS = 40, NUM_VARIABLES = 8, MOST_CONTENTS = STEPS + 4 };

static const char program_text[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 "
    "global #1 bytes : 24 bytes init "
    "\"\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\\x0e\\x0f\\x10\\x11\\x12\\x13\\x14\\x15\\x16\\"
    "x17\\x18\" "
    "global #2 pointer : 24 bytes init \"\\xaa\" reloc 8 &bytes+4 function #3 start : 0 bytes start &start "
    "proc start = #3 () entry L0 { regs r0:32 L0: exit 0:32 }";

// ---- the model: bytes under one assignment of the variables -------------------------------------------------
typedef struct model {
  uint8_t value[SIZE];
  bool undefined[SIZE];
} model;

typedef struct known {
  term term;
  uint64_t value;
} known;  // a term and its value under the assignment

typedef struct world {
  rng r;
  term_pool terms;
  contents_pool pool;
  ir_program *program;
  decider *decider;
  known variables[NUM_VARIABLES];  // small numbers, 32 bits
  contents contents[MOST_CONTENTS];
  model models[MOST_CONTENTS];
  uint32_t count;
} world;

static const budget no_limit = {0};

static ir_program *parse (void) {
  char *error = NULL;
  ir_program *p = ir_parse (program_text, "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  return p;
}

static void add (world *w, contents c, const model *m) {
  assert_true (w->count < MOST_CONTENTS);
  w->contents[w->count] = c;
  w->models[w->count++] = *m;
}

static void add_initial (world *w) {
  model undefined = {0}, zero = {0}, bytes = {0}, pointer = {.value = {0xAA}};
  for (uint32_t k = 0; k < SIZE; k++) {
    undefined.undefined[k] = true;
    bytes.value[k] = (uint8_t) (k + 1);
  }
  pointer.value[8] = 4;  // object 1, offset 4
  pointer.value[12] = 1;
  add (w, CONTENTS_UNDEFINED, &undefined);
  add (w, CONTENTS_ZERO, &zero);
  add (w, contents_initial (&w->pool, (ir_object){1}), &bytes);
  add (w, contents_initial (&w->pool, (ir_object){2}), &pointer);
}

static void world_init (world *w, uint64_t seed) {
  *w = (world){.r = {seed}, .program = parse ()};
  term_pool_init (&w->terms);
  contents_pool_init (&w->pool, &w->terms, w->program);
  w->decider = decider_new (&w->terms, DECIDE_BY_SAT, &no_limit);
  for (uint32_t k = 0; k < NUM_VARIABLES; k++)
    w->variables[k] = (known){term_var (&w->terms, 32), rng_below (&w->r, SIZE)};
  add_initial (w);
}

static void world_release (world *w) {
  decider_free (w->decider);
  contents_pool_release (&w->pool);
  term_pool_release (&w->terms);
  ir_program_free (w->program);
}

// ---- random terms -------------------------------------------------------------------------------------------
static known constant (world *w, unsigned bits, uint64_t value) {
  return (known){term_const (&w->terms, bits, value), value};
}
static known variable (world *w) { return w->variables[rng_below (&w->r, NUM_VARIABLES)]; }

// A multiple of `unit`, at most `most`: a constant, a variable, or a variable that is seen to be aligned.
static known offset (world *w, uint32_t bytes) {
  uint32_t most = SIZE - bytes;
  known v = variable (w);
  switch (rng_below (&w->r, 4)) {
  case 0:
    if (v.value <= most) return v;
    break;
  case 1: {
    uint32_t mask = ~(bytes == 8 ? 7u : bytes == 4 ? 3u : bytes == 2 ? 1u : 0u), at = (uint32_t) v.value & mask;
    if (at <= most)
      return (known){term_apply (&w->terms, IR_X_AND, 32, v.term, term_const (&w->terms, 32, mask), TERM_NONE), at};
    break;
  }
  case 2:
    if (v.value + 1 <= most) return (known){term_add (&w->terms, v.term, term_const (&w->terms, 32, 1)), v.value + 1};
    break;
  default: break;
  }
  return constant (w, 32, rng_below (&w->r, most + 1));
}

static known condition (world *w) {
  known a = variable (w), b = rng_below (&w->r, 2) ? variable (w) : constant (w, 32, rng_below (&w->r, SIZE));
  return (known){term_ult (&w->terms, a.term, b.term), a.value < b.value};
}

static known value (world *w, unsigned bits) {
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t) 1 << bits) - 1;
  if (rng_below (&w->r, 3)) return constant (w, bits, rng_next (&w->r) & mask);
  known v = variable (w);
  return (known){term_resize (&w->terms, v.term, bits), v.value & mask};
}

// ---- operations on both -----------------------------------------------------------------------------------------
static void store (world *w) {
  uint32_t from = rng_below (&w->r, w->count), bytes = 1 + rng_below (&w->r, 8);
  model m = w->models[from];
  known at = offset (w, bytes), x = value (w, 8 * bytes);
  uint32_t mask = rng_below (&w->r, 4) ? 0 : rng_below (&w->r, 1u << bytes);
  uint64_t stored = x.value;
  for (uint32_t k = 0; k < bytes; k++) {
    m.undefined[at.value + k] = mask >> k & 1;
    if (mask >> k & 1) stored &= ~((uint64_t) 0xFF << 8 * k);  // undefined bytes have value 0
    m.value[at.value + k] = (uint8_t) (stored >> 8 * k);
  }
  term kept = mask ? term_const (&w->terms, 8 * bytes, stored) : x.term;
  cells c = {kept, term_const (&w->terms, bytes, mask)};
  add (w, contents_store (&w->pool, w->contents[from], at.term, bytes, c), &m);
}

static void choose (world *w) {
  uint32_t a = rng_below (&w->r, w->count), b = rng_below (&w->r, w->count);
  known c = condition (w);
  add (w, contents_choose (&w->pool, c.term, w->contents[a], w->contents[b]), &w->models[c.value ? a : b]);
}

// ---- comparison ---------------------------------------------------------------------------------------------
static void assume_values (world *w) {
  for (uint32_t k = 0; k < NUM_VARIABLES; k++)
    decider_assert (w->decider,
                    term_eq (&w->terms, w->variables[k].term, term_const (&w->terms, 32, w->variables[k].value)));
  assert_int_equal (decider_check (w->decider, NULL, 0), DECIDED_YES);
}

static void compare (world *w, uint32_t which, uint32_t bytes, known at) {
  const model *m = &w->models[which];
  cells c = contents_load (&w->pool, w->contents[which], at.term, bytes);
  uint64_t expected = 0, mask = 0;
  for (uint32_t k = 0; k < bytes; k++) {
    expected |= (uint64_t) m->value[at.value + k] << 8 * k;
    mask |= (uint64_t) m->undefined[at.value + k] << k;
  }
  assert_int_equal (term_bits (&w->terms, c.value), 8 * bytes);
  assert_int_equal (term_bits (&w->terms, c.undefined), bytes);
  assert_int_equal ((uint64_t) decider_value (w->decider, c.undefined), mask);
  assert_int_equal ((uint64_t) decider_value (w->decider, c.value), expected);
}

static void loads_agree_with_bytes (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    world w;
    world_init (&w, seed);
    for (uint32_t k = 0; k < STEPS; k++) {
      if (rng_below (&w.r, 4)) store (&w);
      else choose (&w);
    }
    assume_values (&w);
    for (uint32_t which = 0; which < w.count; which++)
      for (uint32_t bytes = 1; bytes <= 8; bytes++)
        for (uint32_t k = 0; k < 3; k++) compare (&w, which, bytes, offset (&w, bytes));
    assert_false (w.pool.gave_up);
    world_release (&w);
  }
}

// ---- what the form of the answer should be ------------------------------------------------------------------------
static void what_was_stored_is_found (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  term at = w.variables[0].term, x = w.variables[1].term, zero = term_const (&w.terms, 4, 0);
  contents c = contents_store (&w.pool, CONTENTS_UNDEFINED, at, 4, (cells){x, zero});
  assert_int_equal (contents_load (&w.pool, c, at, 4).value.i, x.i);
  contents other = contents_store (&w.pool, c, at, 4, (cells){w.variables[2].term, zero});
  assert_int_equal (contents_load (&w.pool, other, at, 4).value.i, w.variables[2].term.i);
  assert_int_equal (contents_load (&w.pool, c, at, 4).value.i, x.i);  // it stays what it was
  world_release (&w);
}

static void equal_contents_have_one_name (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  term c = condition (&w).term;
  assert_int_equal (contents_choose (&w.pool, c, CONTENTS_ZERO, CONTENTS_ZERO).i, CONTENTS_ZERO.i);
  assert_int_equal (contents_choose (&w.pool, w.terms.truth, CONTENTS_ZERO, CONTENTS_UNDEFINED).i, CONTENTS_ZERO.i);
  assert_int_equal (contents_choose (&w.pool, w.terms.falsity, CONTENTS_ZERO, CONTENTS_UNDEFINED).i,
                    CONTENTS_UNDEFINED.i);
  contents one = contents_choose (&w.pool, c, CONTENTS_ZERO, CONTENTS_UNDEFINED);
  assert_int_equal (contents_choose (&w.pool, c, CONTENTS_ZERO, CONTENTS_UNDEFINED).i, one.i);
  assert_int_not_equal (contents_choose (&w.pool, c, CONTENTS_UNDEFINED, CONTENTS_ZERO).i, one.i);
  assert_int_equal (contents_initial (&w.pool, (ir_object){1}).i, contents_initial (&w.pool, (ir_object){1}).i);
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (loads_agree_with_bytes), cmocka_unit_test (what_was_stored_is_found),
           cmocka_unit_test (equal_contents_have_one_name))
