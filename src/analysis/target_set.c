// Sparse bitsets as sorted arrays of 64-bit blocks. Most sets hold a few neighbouring targets; unions of long ones are
// a linear merge. Whether a set covers a target is found by binary search, because at most one block decides it.
#include "analysis/pointsto_impl.h"

void set_release (target_set *s) {
  vec_release (&s->blocks);
  s->any = false;
}

bool set_is_empty (const target_set *s) { return !s->any && !s->blocks.count; }

static void become_any (target_set *s) {
  vec_release (&s->blocks);
  s->any = true;
}

// Returns the index of the first block from `low` on whose key is not smaller.
static uint32_t lower_bound (const target_set *s, uint32_t low, uint32_t key) {
  uint32_t high = s->blocks.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->blocks.data[middle].key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void add_target_block (target_set *s, uint32_t key, uint64_t bits) {
  uint32_t at = lower_bound (s, 0, key);
  if (at < s->blocks.count && s->blocks.data[at].key == key) {
    s->blocks.data[at].bits |= bits;
    return;
  }
  vec_push (&s->blocks, ((target_block){0}));
  for (uint32_t k = s->blocks.count - 1; k > at; k--) s->blocks.data[k] = s->blocks.data[k - 1];
  s->blocks.data[at] = (target_block){key, bits};
}

void set_add (target_set *s, target t) {
  if (!s->any) add_target_block (s, (uint32_t) (t / 64), (uint64_t) 1 << t % 64);
}

static void merge_blocks (target_set *s, const target_set *other) {
  target_set sum = {0};
  uint32_t i = 0, j = 0, m = s->blocks.count, n = other->blocks.count;
  const target_block *a = s->blocks.data, *b = other->blocks.data;
  vec_reserve (&sum.blocks, m + n);
  while (i < m || j < n) {
    target_block next;
    if (j == n || (i < m && a[i].key < b[j].key)) next = a[i++];
    else if (i == m || b[j].key < a[i].key) next = b[j++];
    else {
      next = (target_block){a[i].key, a[i].bits | b[j].bits};
      i++, j++;
    }
    vec_push (&sum.blocks, next);
  }
  vec_release (&s->blocks);
  *s = sum;
}

// ---- covering -----------------------------------------------------------------------------------------

enum { KEY_ALIGNED = FIRST_ALIGNED / 64, KEY_EXACT = FIRST_EXACT / 64 };

static const uint64_t multiples_of_8 = 0x0101010101010101;  // multiples of a word of any size; also with strides

static uint64_t block_bits (const target_set *s, uint32_t key) {
  uint32_t at = lower_bound (s, 0, key);
  return at < s->blocks.count && s->blocks.data[at].key == key ? s->blocks.data[at].bits : 0;
}

static bool has_target (const target_set *s, target t) { return block_bits (s, (uint32_t) (t / 64)) >> t % 64 & 1; }

// Returns the targets of a block that are in s, or at an unknown offset of an object that is in s.
static uint64_t covered_bits (const target_set *s, target_block b) {
  if (b.key < KEY_ALIGNED) return block_bits (s, b.key);
  if (b.key < KEY_EXACT) return block_bits (s, b.key) | block_bits (s, b.key - KEY_ALIGNED);
  uint32_t object = target_object ((target) 64 * b.key);
  if (has_target (s, target_make (object, PLACE_ANY))) return UINT64_MAX;
  return block_bits (s, b.key) | (has_target (s, target_make (object, PLACE_ALIGNED)) ? multiples_of_8 : 0);
}

static bool has_unknown_offsets (const target_set *s) { return s->blocks.count && s->blocks.data[0].key < KEY_EXACT; }

// Removes from s the targets that `by` covers at unknown offsets.
static void drop_covered (target_set *s, const target_set *by) {
  target_set unknown = {.blocks = by->blocks};
  unknown.blocks.count = lower_bound (by, 0, KEY_EXACT);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->blocks.count; k++) {
    target_block b = s->blocks.data[k];
    b.bits &= ~covered_bits (&unknown, b);
    if (b.bits) s->blocks.data[kept++] = b;
  }
  s->blocks.count = kept;
}

// ---- unions and differences ---------------------------------------------------------------------------

void set_unite (target_set *s, const target_set *other) {
  enum { MERGED_FROM = 5 };
  if (s->any) return;
  if (other->any) {
    become_any (s);
    return;
  }
  if (has_unknown_offsets (other)) drop_covered (s, other);
  if (other->blocks.count >= MERGED_FROM) merge_blocks (s, other);
  else
    for (uint32_t k = 0; k < other->blocks.count; k++)
      add_target_block (s, other->blocks.data[k].key, other->blocks.data[k].bits);
}

// Finds blocks for ascending keys: the search continues where the last one ended, in growing steps.
typedef struct block_cursor {
  const target_set *s;
  uint32_t at;
} block_cursor;

static uint64_t find_block_bits (block_cursor *f, uint32_t key) {
  const target_block *blocks = f->s->blocks.data;
  uint32_t count = f->s->blocks.count, step = 1;
  while (f->at + step < count && blocks[f->at + step].key < key) f->at += step, step *= 2;
  while (step) {
    if (f->at + step < count && blocks[f->at + step].key < key) f->at += step;
    step /= 2;
  }
  if (f->at < count && blocks[f->at].key < key) f->at++;
  return f->at < count && blocks[f->at].key == key ? blocks[f->at].bits : 0;
}

void set_subtract (target_set *out, const target_set *from, const target_set *what) {
  if (what->any) return;
  out->any = from->any;
  block_cursor same = {what, 0}, any = {what, 0}, aligned = {what, 0};
  for (uint32_t k = 0; k < from->blocks.count; k++) {
    target_block b = from->blocks.data[k];
    uint64_t covered = find_block_bits (&same, b.key);
    if (b.key >= KEY_EXACT) {
      uint32_t object = target_object ((target) 64 * b.key);
      if (find_block_bits (&any, object / 64) >> object % 64 & 1) continue;
      if (find_block_bits (&aligned, KEY_ALIGNED + object / 64) >> object % 64 & 1) covered |= multiples_of_8;
    } else if (b.key >= KEY_ALIGNED) covered |= find_block_bits (&any, b.key - KEY_ALIGNED);
    b.bits &= ~covered;
    if (b.bits) vec_push (&out->blocks, b);
  }
}

uint32_t set_count (const target_set *s) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < s->blocks.count; k++) count += (uint32_t) __builtin_popcountll (s->blocks.data[k].bits);
  return count;
}

uint32_t set_num_exact (const target_set *s) { return s->blocks.count - lower_bound (s, 0, KEY_EXACT); }

void set_coarsen (target_set *s, uint32_t word) {
  target_set any = {0}, aligned = {0};
  set_cursor c = set_exact (s);
  uint32_t known = c.block;
  while (set_next (s, &c)) {
    bool at_word = target_place (c.target) % word == 0;
    set_add (at_word ? &aligned : &any, target_make (target_object (c.target), at_word ? PLACE_ALIGNED : PLACE_ANY));
  }
  s->blocks.count = known;
  set_unite (s, &aligned);
  set_unite (s, &any);
  set_release (&aligned);
  set_release (&any);
}

bool set_next (const target_set *s, set_cursor *c) {
  if (c->inside && !c->left) c->block++, c->inside = false;
  if (c->block >= s->blocks.count) return false;
  if (!c->inside) c->left = s->blocks.data[c->block].bits, c->inside = true;
  c->target = (target) s->blocks.data[c->block].key * 64 + (unsigned) __builtin_ctzll (c->left);
  c->left &= c->left - 1;
  return true;
}

set_cursor set_exact (const target_set *s) { return (set_cursor){.block = lower_bound (s, 0, KEY_EXACT)}; }

void set_add_unknown (target_set *s, const target_set *from, bool keeps_words) {
  target_set aligned = {0};
  for (uint32_t k = 0; k < from->blocks.count && from->blocks.data[k].key < KEY_EXACT; k++) {
    target_block b = from->blocks.data[k];
    if (keeps_words || b.key < KEY_ALIGNED) add_target_block (s, b.key, b.bits);
    else vec_push (&aligned.blocks, ((target_block){b.key - KEY_ALIGNED, b.bits}));
  }
  set_unite (s, &aligned);
  set_release (&aligned);
}
