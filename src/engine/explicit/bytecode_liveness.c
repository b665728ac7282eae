// Live slots at the instructions where a thread can stop. Only live slots are packed into a thread's component, so two
// states that differ only in dead values are one state. The nodes of the data flow (base/dataflow.h) are basic blocks
// of the bytecode.
#include <string.h>

#include "base/dataflow.h"
#include "engine/explicit/explicit_impl.h"

typedef struct liveness_flow {
  code *code;
  uint32_t first, end, words;  // instructions [first..end[, bit-set words per block
  VEC (uint32_t) leaders;      // first instruction of each block
  VEC (uint32_t) block_of;     // instruction - first -> block
  dataflow live;               // by block
  VEC (uint32_t) defined;      // slots defined by the block being processed
  uint64_t *now;               // bit set of the slots that are live at the current instruction
} liveness_flow;

// Returns whether a thread can stop before this instruction, or whether memory can be scanned for references here.
static bool is_stop (const insn *i) {
  switch (i->op) {
  case BC_JUMP:
  case BC_BRANCH:
  case BC_BRANCH_IF: return i->back;
  case BC_CALL:
  case BC_ALLOC:
  case BC_STACK_RESTORE:
  case BC_RETURN: return true;
  case BC_LOAD:
  case BC_STORE:
  case BC_LOAD_RAW:
  case BC_STORE_RAW:
  case BC_RMW:
  case BC_CMPXCHG: return true;
  case BC_FREE:
  case BC_FORGET:
  case BC_OWN:
  case BC_SYNC:
  case BC_ATOMIC_BEGIN:
  case BC_ATOMIC_END:
  case BC_EXIT: return true;
  case BC_CHECK:
  case BC_INFEASIBLE:
  case BC_UNSUPPORTED: return true;
  default: return false;
  }
}

static void set_slot (liveness_flow *f, uint32_t slot) { f->now[slot / 64] |= 1ull << (slot % 64); }
static void clear_slot (liveness_flow *f, uint32_t slot) { f->now[slot / 64] &= ~(1ull << (slot % 64)); }

static void use_operand (liveness_flow *f, operand x, unsigned bits) {
  if (x & CONST_BIT) return;
  set_slot (f, x);
  if (bits > 64) set_slot (f, x + 1);
}

static unsigned num_operands (const insn *i) {
  switch (i->op) {
  case BC_MOVE:
  case BC_MOVE2:
  case BC_SEXT:
  case BC_TRUNC:
  case BC_BRANCH:
  case BC_BRANCH_IF:
  case BC_CHECK:
  case BC_STACK_RESTORE:
  case BC_ALLOC:
  case BC_OBJECT_SIZE:
  case BC_LOAD:
  case BC_LOAD_RAW:
  case BC_FREE:
  case BC_FORGET:
  case BC_EXIT:
  case BC_CALL: return 1;
  case BC_RETURN: return i->aux;
  case BC_ITE:
  case BC_STORE_RAW:
  case BC_CMPXCHG: return 3;
  case BC_SYNC: return ir_op_table[i->ir].min_args;
  case BC_JUMP:
  case BC_INFEASIBLE:
  case BC_NOP:
  case BC_NONDET:
  case BC_UNSUPPORTED:
  case BC_STACK_SAVE:
  case BC_SELF:
  case BC_TLS_ADDR:
  case BC_OWN:
  case BC_ATOMIC_BEGIN:
  case BC_ATOMIC_END: return 0;
  default: return 2;
  }
}

static void use_all (liveness_flow *f, const insn *i) {
  const operand x[3] = {i->a, i->b, i->c};
  if (i->op == BC_GENERIC) {
    const generic_shape *s = &f->code->shapes.data[i->target];
    for (unsigned k = 0; k < s->arity; k++) use_operand (f, x[k], s->operand_bits[k]);
    return;
  }
  bool wide = i->op == BC_MOVE2 || (i->op == BC_RETURN && i->bits > 64);
  for (unsigned k = 0; k < num_operands (i); k++) use_operand (f, x[k], wide ? 128 : 64);
  if (i->op != BC_CALL && i->op != BC_OWN) return;
  const call_shape *s = &f->code->calls.data[i->other];
  for (uint32_t k = 0; k < s->count; k++) {
    const call_operand *o = &f->code->call_operands.data[s->first + k];
    use_operand (f, o->value, o->bits);
  }
}

static void define_slot (liveness_flow *f, uint32_t slot) {
  clear_slot (f, slot);
  vec_push (&f->defined, slot);
}

static void define_destinations (liveness_flow *f, const insn *i) {
  if (i->dst != IR_NONE) {
    define_slot (f, i->dst);
    if (i->bits > 64) define_slot (f, i->dst + 1);
  }
  if (i->dst2 != IR_NONE) define_slot (f, i->dst2);
}

static void record_live_slots (liveness_flow *f, insn *i) {
  live_list list = {.first = f->code->live_slots.count};
  for (uint32_t k = 0; k < f->words; k++)
    for (uint64_t bits = f->now[k]; bits; bits &= bits - 1)
      vec_push (&f->code->live_slots, k * 64 + (uint32_t) __builtin_ctzll (bits));
  list.count = f->code->live_slots.count - list.first;
  i->live = f->code->live_lists.count;
  vec_push (&f->code->live_lists, list);
}

static uint32_t end_of_block (const liveness_flow *f, uint32_t block) {
  return block + 1 < f->leaders.count ? f->leaders.data[block + 1] : f->end;
}

// Goes backwards through a block: f->now holds what is live after the block, and then what is live before it.
static void transfer_block (liveness_flow *f, uint32_t block, bool recording) {
  vec_clear (&f->defined);
  for (uint32_t begin = f->leaders.data[block], at = end_of_block (f, block); at-- > begin;) {
    insn *i = &f->code->insns.data[at];
    define_destinations (f, i);
    if (recording && i->op == BC_CALL)
      record_live_slots (f, i);  // the slots that the calling frame still needs after the call
    use_all (f, i);
    bool stop = is_stop (i) || at == f->first || f->code->stops_anywhere;
    if (recording && i->op != BC_CALL && stop) record_live_slots (f, i);
  }
}

// Fills in the successors of a block, which ends at its only jump; returns their number.
static uint32_t blocks_after (const liveness_flow *f, uint32_t block, uint32_t next[3]) {
  uint32_t count = 0, end = end_of_block (f, block);
  const insn *last = &f->code->insns.data[end - 1];
  if (insn_falls_through (last) && end < f->end) next[count++] = f->block_of.data[end - f->first];
  if (insn_is_jump (last)) next[count++] = f->block_of.data[last->target - f->first];
  if (last->op == BC_BRANCH) next[count++] = f->block_of.data[last->other - f->first];
  return count;
}

// Adds a block to the data flow. What it reads before defining it is what is live before the block when nothing is live
// after it.
static void add_block_to_flow (liveness_flow *f, uint32_t block) {
  uint32_t next[3], count = blocks_after (f, block, next);
  memset (f->now, 0, f->words * sizeof *f->now);
  transfer_block (f, block, false);
  for (uint32_t k = 0; k < f->words; k++)
    for (uint64_t bits = f->now[k]; bits; bits &= bits - 1)
      dataflow_read (&f->live, block, k * 64 + (uint32_t) __builtin_ctzll (bits));
  for (uint32_t k = 0; k < count; k++) {
    dataflow_edge (&f->live, block, next[k]);
    for (uint32_t d = 0; d < f->defined.count; d++) dataflow_kill (&f->live, f->defined.data[d]);
  }
}

static void record_block (liveness_flow *f, uint32_t block) {
  uint32_t next[3], count = blocks_after (f, block, next);
  memset (f->now, 0, f->words * sizeof *f->now);
  for (uint32_t k = 0; k < count; k++) {
    const uint64_t *live = dataflow_live_at (&f->live, next[k]);
    for (uint32_t w = 0; w < f->words; w++) f->now[w] |= live[w];
  }
  transfer_block (f, block, true);
}

static void find_blocks (liveness_flow *f) {
  uint32_t count = f->end - f->first;
  uint8_t *leader = mem_zalloc (count + 1);
  leader[0] = 1;
  for (uint32_t k = 0; k < count; k++) {
    const insn *i = &f->code->insns.data[f->first + k];
    if (insn_is_jump (i)) {
      leader[i->target - f->first] = 1;
      if (i->op == BC_BRANCH) leader[i->other - f->first] = 1;
    }
    if (insn_is_jump (i) || !insn_falls_through (i)) leader[k + 1] = 1;
  }
  for (uint32_t k = 0; k < count; k++) {
    if (leader[k]) vec_push (&f->leaders, f->first + k);
    vec_push (&f->block_of, f->leaders.count - 1);
  }
  mem_free (leader, count + 1);
}

void code_compute_liveness (code *c, uint32_t first, uint32_t end, uint32_t num_slots) {
  liveness_flow f = {.code = c, .first = first, .end = end};
  find_blocks (&f);
  dataflow_init (&f.live, f.leaders.count, num_slots);
  f.words = f.live.words;
  f.now = mem_zalloc (f.words * sizeof *f.now);
  for (uint32_t b = 0; b < f.leaders.count; b++) add_block_to_flow (&f, b);
  dataflow_solve (&f.live);
  for (uint32_t b = 0; b < f.leaders.count; b++) record_block (&f, b);
  mem_free (f.now, f.words * sizeof *f.now);
  dataflow_release (&f.live);
  vec_release (&f.defined);
  vec_release (&f.leaders);
  vec_release (&f.block_of);
}
