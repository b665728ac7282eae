// ir_check: for each rule, one program that breaks this rule and no other.
#include "base/test.h"
#include "ir/random_program_test.h"

#define HEAD "lockstep-ir 1 pointer_bits 64 offset_bits 32 "
#define OBJECTS "global #1 g : 64 bytes function #2 f : 0 bytes start &f "
#define REGS "regs r0:32, r1:32, r2:1, r3:64, r4:8, r5:80 "
#define PROGRAM(LINES) HEAD OBJECTS "proc f = #2 () entry L0 { " REGS LINES " }"
#define EDGE(TEXT) PROGRAM ("L0: " TEXT " -> L1 L1: exit 0:32")

static void assert_refused (ir_program *p, const char *expected) {
  char *error = NULL;
  assert_false (ir_check (p, &error));
  assert_string_equal (error, expected);
  free (error);
}

static void text_rules (void **state) {
  (void) state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      // operators
      {EDGE ("r0 = assign (r0 + r3)"), "expression (r0 + r3): add needs operands of one width"},
      {EDGE ("r0 = assign zext.32(r3)"), "expression zext.32(r3): zext should be wider than its operand"},
      {EDGE ("r3 = assign trunc.64(r0)"), "expression trunc.64(r0): trunc should be narrower than its operand"},
      {EDGE ("r0 = assign ctpop.32(r3)"), "expression ctpop.32(r3): ctpop should have its operand's width"},
      {EDGE ("r2 = assign bswap.1(r2)"),
       "expression bswap.1(r2): bswap should have its operand's width, in whole bytes"},
      {EDGE ("r4 = assign fneg.8(r4)"),
       "expression fneg.8(r4): fneg should be a float of its operand's width: 32, 64 or 80 bits"},
      {EDGE ("r0 = assign ftosi.32(r4)"), "expression ftosi.32(r4): ftosi needs a float of 32, 64 or 80 bits"},
      {EDGE ("r4 = assign sitof.8(r0)"), "expression sitof.8(r0): sitof should be a float of 32, 64 or 80 bits"},
      {EDGE ("r0 = assign fconv.32(r4)"), "expression fconv.32(r4): fconv joins floats of 32, 64 or 80 bits"},
      {EDGE ("r4 = assign (r4 fadd r4)"), "expression (r4 fadd r4): fadd needs floats of 32, 64 or 80 bits"},
      {EDGE ("r0 = assign (r0 ? r0 : r1)"), "expression (r0 ? r0 : r1): ite needs a condition of one bit"},
      {EDGE ("r0 = assign (r2 ? r0 : r3)"), "expression (r2 ? r0 : r3): ite needs branches of its own width"},
      // operands
      {EDGE ("assume"), "procedure f: L0: assume: it needs 1 operands, not 0"},
      {EDGE ("nop r0"), "procedure f: L0: nop: it takes at most 0 operands, not 1"},
      {EDGE ("assume r0"), "procedure f: L0: assume: the condition should have one bit, not 32"},
      {EDGE ("check assert r0 message \"m\""), "procedure f: L0: check: the condition should have one bit, not 32"},
      {EDGE ("check assert r2"), "procedure f: L0: check: a check needs a message"},
      {EDGE ("unsupported"), "procedure f: L0: unsupported: it needs a message that names the construct"},
      {EDGE ("r0 = assign r3"), "procedure f: L0: assign: r0 has 32 bits, its value 64"},
      {EDGE ("call r0"), "procedure f: L0: call: operand 1 should be an address of 64 bits, not 32"},
      {EDGE ("free r0"), "procedure f: L0: free: operand 1 should be an address of 64 bits, not 32"},
      {EDGE ("mutex_init r0, 0:32"), "procedure f: L0: mutex_init: operand 1 should be an address of 64 bits, not 32"},
      {EDGE ("cond_wait r3, r0"), "procedure f: L0: cond_wait: operand 2 should be an address of 64 bits, not 32"},
      {EDGE ("r0 = thread_create &g, &f, r0"),
       "procedure f: L0: thread_create: operand 3 should be an address of 64 bits, not 32"},
      {EDGE ("output 1:32, r0"), "procedure f: L0: output: operand 2 should be an address of 64 bits, not 32"},
      {EDGE ("r0 = alloc heap 4:64"), "procedure f: L0: alloc: the result should have the width of a pointer"},
      {EDGE ("r3 = alloc heap r5"), "procedure f: L0: alloc: the size should have at most 64 bits"},
      // memory
      {EDGE ("r0 = load &g"), "procedure f: L0: load: an access has 1 to 8 bytes, not 0"},
      {EDGE ("r0 = load.9 &g"), "procedure f: L0: load: an access has 1 to 8 bytes, not 9"},
      {EDGE ("r0 = load.4 r0"), "procedure f: L0: load: operand 1 should be an address of 64 bits, not 32"},
      {EDGE ("r0 = load.2 &g"), "procedure f: L0: load: the result of 32 bits does not fit into 2 bytes"},
      {EDGE ("store.2 &g, r0"), "procedure f: L0: store: the value of 32 bits does not fit into 2 bytes"},
      {EDGE ("r0, r2 = load_raw.4 &g"), "procedure f: L0: load_raw: the mask of 1 bits is too narrow for 4 bytes"},
      {EDGE ("store_raw.4 &g, r0, r2"), "procedure f: L0: store_raw: the mask of 1 bits is too narrow for 4 bytes"},
      {EDGE ("r0 = rmw.8 add &g, r3"), "procedure f: L0: rmw: result and value should have one width"},
      {EDGE ("r0, r2 = cmpxchg.8 &g, r0, r3"),
       "procedure f: L0: cmpxchg: result, expected and new value should have one width"},
      {EDGE ("r0, r4 = cmpxchg.4 &g, r0, r1"), "procedure f: L0: cmpxchg: the second result should have one bit"},
      {EDGE ("nop.4"), "procedure f: L0: nop: only accesses of memory have a number of bytes"},
      {EDGE ("nop seq_cst"), "procedure f: L0: nop: only memory operations have an order"},
      {EDGE ("own &g, 4:64, &g, 1:64"), "procedure f: L0: own: a cell has 1 to 8 bytes, not 0"},
      {EDGE ("own.4 &g, 4:64, 7:32, 1:64"), "procedure f: L0: own: operand 3 should be an address of 64 bits, not 32"},
      {EDGE ("own.4 &g, 4:64, &g, 1:80"), "procedure f: L0: own: size and value should have at most 64 bits"},
      {EDGE ("nop aux 3"), "procedure f: L0: nop: aux can be 0 at most, not 3"},
      {EDGE ("atomic_begin aux 2"), "procedure f: L0: atomic_begin: aux can be 1 at most, not 2"},
      // results
      {EDGE ("r0 = nop"), "procedure f: L0: nop: it has no result"},
      {EDGE ("r0, r1 = assign 1:32"), "procedure f: L0: assign: it has no second result"},
      {EDGE ("load.4 &g"), "procedure f: L0: load: its result needs a register"},
      {EDGE ("r0 = cmpxchg.4 &g, r0, r1"), "procedure f: L0: cmpxchg: its second result needs a register"},
      {EDGE ("r9 = assign 1:32"), "procedure f: L0: assign: r9 is not a register of this procedure"},
      {EDGE ("store.4 &g, r0 name \"a[{}]\""), "procedure f: L0: store: its name has 1 places for 0 values"},
      // shape
      {PROGRAM ("L0: nop L1: exit 0:32"), "procedure f: L0: nop: it needs a location after it"},
      {PROGRAM ("L0: exit 0:32 -> L0"), "procedure f: L0: exit: nothing comes after it"},
      {PROGRAM ("L0: nop -> L7"), "procedure f: L0: nop: L7 is not a location of this procedure"},
      {PROGRAM ("L0: none"), "procedure f: L0 has no edge"},
      {PROGRAM ("L0: assume r2 -> L0 L0: nop -> L0"),
       "procedure f: L0: nop: a location with several edges has only assume edges"},
      {PROGRAM ("L0: return r0"), "procedure f: L0: return: a procedure without a result should return no value"},
      {HEAD OBJECTS "proc f = #2 () -> 32 entry L0 { L0: return }",
       "procedure f: L0: return: a procedure with a result should return a value"},
      {HEAD OBJECTS "proc f = #2 () -> 32 entry L0 { L0: return 1:8 }",
       "procedure f: L0: return: the value should have the procedure's 32 bits, not 8"},
      {HEAD OBJECTS "proc f = #2 () { L0: exit 0:32 }", "procedure f: its entry should be one of its locations"},
      {HEAD OBJECTS "proc f = #2 (r0:32) entry L0 { L0: exit 0:32 }", "the start f should have no parameters"},
      {HEAD "function #1 f : 0 bytes proc f = #1 () entry L0 { L0: exit 0:32 }", "the program has no start"},
      {HEAD "function #1 f : 0 bytes function #2 h : 0 bytes start &f proc f = #1 () entry L0 { L0: nop -> L1 }"
            "proc h = #2 () entry L1 { L1: exit 0:32 }",
       "procedure f: L0: nop: L1 is not a location of this procedure"},
      // the rest
      {"lockstep-ir 1 pointer_bits 16 offset_bits 8", "a pointer has 32 or 64 bits, not 16"},
      {"lockstep-ir 1 pointer_bits 32 offset_bits 32", "an offset has 1 to 32 bits and fewer than a pointer, not 32"},
      {HEAD "type t0 pointer : 8 bytes of t5 " OBJECTS "proc f = #2 () entry L0 { L0: exit 0:32 }",
       "type t0: there is no type t5"},
      {HEAD "type t0 struct : 8 bytes { 0 type t5 } " OBJECTS "proc f = #2 () entry L0 { L0: exit 0:32 }",
       "type t0: there is no type t5"},
      {HEAD "global #1 g : 8 bytes type t1 function #2 f : 0 bytes start &f proc f = #2 () entry L0 { L0: exit 0:32 }",
       "object g: there is no type t1"},
      {HEAD
       "global #1 g : 8 bytes reloc 1 &f function #2 f : 0 bytes start &f proc f = #2 () entry L0 { L0: exit 0:32 }",
       "object g: the pointer at offset 1 lies outside"},
      {HEAD
       "global #1 g : 8 bytes reloc 0 &#9 function #2 f : 0 bytes start &f proc f = #2 () entry L0 { L0: exit 0:32 }",
       "object g: there is no object #9 to point to"},
      {"lockstep-ir 1 pointer_bits 32 offset_bits 8 global #1 g : 256 bytes function #2 f : 0 bytes start &f proc f = "
       "#2 () entry L0 { L0: exit 0:32 }",
       "object g is larger than 8 bits of offset reach"},
      {HEAD OBJECTS "proc f = #2 () entry L0 { regs r0:32 type t4 L0: exit 0:32 }", "procedure f: r0 has no type t4"},
      {HEAD OBJECTS "proc f = #2 () @\"a.c\":1:1 entry L0 { regs r0:32 L0: assume r0 @3:4 -> L0 }",
       "procedure f: L0: a.c:3:4: assume: the condition should have one bit, not 32"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *error = NULL;
    ir_program *p = ir_parse (cases[i].text, "t.ir", &error);
    if (!p) fail_msg ("case %u: %s", i, error);
    assert_refused (p, cases[i].error);
    ir_program_free (p);
  }
}

static ir_program *good_program (void) {
  char *error = NULL;
  ir_program *p =
      ir_parse (PROGRAM ("L0: r0 = load.4 &g -> L1 L1: store.4 &g, (r0 + r1) -> L2 L2: exit 0:32"), "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

static void refused_after (void (*damage) (ir_program *), const char *expected) {
  ir_program *p = good_program ();
  damage (p);
  assert_refused (p, expected);
  ir_program_free (p);
}

static void wild_op (ir_program *p) { p->edges.data[0].op = 1000; }
static void wild_arg (ir_program *p) { p->args.data[0].i = 1000; }
static void wild_list (ir_program *p) { p->edges.data[2].num_args = 1, p->edges.data[2].first_arg = 100; }
static void wild_register_width (ir_program *p) { p->procs.data[0].regs.data[1].bits = 16; }
static void wild_reg_bits (ir_program *p) { p->procs.data[0].regs.data[1].bits = 0; }
static void wild_operand (ir_program *p) { p->exprs.data[p->args.data[2].i].arg[0].i = 1000; }
static void wild_const (ir_program *p) { p->exprs.data[ir_const (p, 8, 5).i].value = 1000; }
static void wild_object (ir_program *p) { ir_expr_at (p, p->args.data[0])->object.i = 77; }
static void wild_order (ir_program *p) { p->edges.data[0].order = 9; }
static void wild_backlink (ir_program *p) { p->objects.data[2].proc.i = IR_NONE; }
static void wild_loc_list (ir_program *p) { p->procs.data[0].locs.count--; }
static void wild_sort (ir_program *p) {
  ir_edge_data e = p->edges.data[0];
  p->edges.data[0] = p->edges.data[1], p->edges.data[1] = e;
}
static void wild_params (ir_program *p) { p->procs.data[0].num_params = 99; }
static void wild_name (ir_program *p) { p->objects.data[1].name = NULL; }
static void extra_edge (ir_program *p) { ir_add_edge (p, IR_NOP, (ir_loc){0}, (ir_loc){0}); }

static void index_rules (void **state) {
  (void) state;
  refused_after (wild_op, "procedure f: L0: there is no operation 1000");
  refused_after (wild_arg, "procedure f: L0: load: operand 1 is no expression");
  refused_after (wild_list, "procedure f: L2: exit: its operands lie outside the program");
  refused_after (wild_register_width, "procedure f: L1: store: r1 has 16 bits, not 32");
  refused_after (wild_reg_bits, "procedure f: r1 should have 1 to 128 bits, not 0");
  refused_after (wild_operand, "expression 3: add has an operand that does not come before it");
  refused_after (wild_const, "expression -24:8: const has bits above its width");
  refused_after (wild_object, "expression &#77: addr is of no object");
  refused_after (wild_order, "procedure f: L0: load: there is no memory order 9");
  refused_after (wild_backlink, "procedure f: it should have a function object that refers back to it");
  refused_after (wild_loc_list, "each location should be listed once by its procedure");
  refused_after (wild_sort, "procedure f: L1: store: it is listed at L0: the program is not finished");
  refused_after (wild_params, "procedure f: it has 99 parameters but 6 registers");
  refused_after (wild_name, "object #1 has no name");
  refused_after (extra_edge, "each edge should be listed by its location: the program is not finished");
}

static void random_programs_are_accepted (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    ir_program *p = random_program (seed);
    char *error = NULL;
    if (!ir_check (p, &error)) fail_msg ("seed %u: %s", (unsigned) seed, error);
    ir_program_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (text_rules), cmocka_unit_test (index_rules),
           cmocka_unit_test (random_programs_are_accepted))
