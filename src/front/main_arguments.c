// The arguments of main.  With --args they are the name of the program and the given words.  Without --args, argc and
// the words of argv are inputs:
//
//   - argv[k] points at an object of WORD_BYTES bytes.  All bytes but the last are undefined: the value of a byte is
//     chosen where the program reads it.  A null byte ends a shorter word.
//   - For each number of arguments there is an array with that number of words and a null pointer after them, so that
//     reading further is out of bounds, as in C.
//   - If main reads argv at constant indices only, arguments beyond the highest index matter only for argc.  argc is
//     then any number, and nothing is left out.  Else argc goes up to LIMIT_ARGUMENTS, which the report lists as a
//     bound.  The length of words is a bound if the program may read more characters of a word than the model has.
//
// The name of the program is fixed, the environment is empty: envp = {NULL}.
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "base/wrap.h"
#include "front/translate_impl.h"

enum {
  WORD_BYTES = 24,      // enough for the digits of any integer
  LEAST_ARGUMENTS = 4,  // argc goes up to a power of two between this and LIMIT_ARGUMENTS, if it is bounded
  ARGC_BITS = 30,       // no machine can hold more arguments
};

static const char program_name[] = "program";

// How main uses its parameters.
typedef struct argv_usage {
  translator *t;
  bool count, words;  // argc is used, argv is used
  bool argv_escapes;  // argv is used in other ways than reading at constant indices
  uint32_t highest;   // highest of these indices
  uint64_t largest;   // largest constant that argc is compared with
  bool needs_long;    // the program may read more characters of a word than the model has
} argv_usage;

// ---- objects -------------------------------------------------------------------------------------------
static ir_object new_object (translator *t, const char *name, uint32_t size) {
  ir_object o = ir_add_object (t->p, name, IR_O_GLOBAL, size);
  ir_object_at (t->p, o)->internal = true;
  return o;
}

static ir_object pointer_array (translator *t, const char *name, uint32_t count) {
  ir_object o = new_object (t, name, count * t->p->pointer_bits / 8);
  ir_object_at (t->p, o)->align = t->p->pointer_bits / 8;
  return o;
}

static ir_object text_object (translator *t, const char *name, const char *text) {
  ir_object o = new_object (t, name, (uint32_t) strlen (text) + 1);
  ir_object_at (t->p, o)->init = (uint8_t *) arena_strdup (t->p->arena, text);
  return o;
}

static const char *word_name (translator *t, uint32_t k) { return arena_printf (t->p->arena, "argv[%u]", k); }

// Adds an argv of these words; `ends`: with a null pointer after them.
static ir_object words_array (translator *t, const ir_object *words, uint32_t count, bool ends) {
  ir_object argv = pointer_array (t, "argv", count + ends);
  for (uint32_t k = 0; k < count; k++) {
    ir_relocation to_word = {k * t->p->pointer_bits / 8, words[k], 0};
    vec_push (&ir_object_at (t->p, argv)->relocations, to_word);
  }
  return argv;
}

// ---- words of --args -----------------------------------------------------------------------------------
typedef struct arguments {
  ir_expr argc, argv;  // argv: IR_NONE if it is not used
} arguments;

static void assume_words (routine *r, const word_list *words) {
  strbuf text = {0};
  for (uint32_t k = 0; k < words->count; k++) strbuf_printf (&text, "%s`%s`", k ? ", " : "", words->data[k]);
  if (words->count) ir_assume_in_report (r->p, "the arguments of the program are %s (--args)", strbuf_text (&text));
  else ir_assume_in_report (r->p, "the program has no arguments (--args)");
  strbuf_release (&text);
}

static arguments given_arguments (routine *r, const word_list *words) {
  VEC (ir_object) objects = {0};
  vec_push (&objects, text_object (r->t, word_name (r->t, 0), program_name));
  for (uint32_t k = 0; k < words->count; k++)
    vec_push (&objects, text_object (r->t, word_name (r->t, k + 1), words->data[k]));
  ir_object argv = words_array (r->t, objects.data, objects.count, true);
  vec_release (&objects);
  assume_words (r, words);
  return (arguments){value_from_number (r, 32, words->count + 1), ir_addr (r->p, argv, 0)};
}

// ---- how main uses one word ----------------------------------------------------------------------------
typedef struct word_usage {
  const argv_usage *of;
  bool as_text, as_number, needs_long;
} word_usage;

// Returns whether the instruction `user` adds a constant to the pointer; adds that constant to *offset.
static bool adds_constant_to (translator *t, LLVMValueRef user, LLVMValueRef pointer, int64_t *offset) {
  if (!LLVMIsAGetElementPtrInst (user) || LLVMGetNumOperands (user) != 2 || LLVMGetOperand (user, 0) != pointer)
    return false;
  LLVMValueRef index = LLVMGetOperand (user, 1);
  if (!LLVMIsAConstantInt (index) || LLVMGetIntTypeWidth (LLVMTypeOf (index)) > 64) return false;
  int64_t size = (int64_t) type_size (t, LLVMGetGEPSourceElementType (user));
  *offset = wrap_add (*offset, wrap_multiply (LLVMConstIntGetSExtValue (index), size));
  return true;
}

static bool is_constant_word (LLVMValueRef v) {
  size_t length;
  const char *text = constant_text (v, &length);
  return text && strlen (text) + 1 < WORD_BYTES;
}

// For some functions a word of the model gives every result that a longer word can give.
static void inspect_word_call (word_usage *w, LLVMValueRef call, LLVMValueRef word) {
  static const char *const comparisons[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp", NULL};
  static const char *const numbers[] = {"atoi", "atol", "atoll", NULL};
  static const char *const conversions[] = {"strtol", "strtoul", "strtoll", "strtoull", NULL};
  static const char *const prints[] = {"printf", "fprintf", "puts", "fputs", "perror", NULL};
  const char *name = value_name (LLVMGetCalledValue (call));
  unsigned count = LLVMGetNumArgOperands (call);
  if (text_is_one_of (name, comparisons) && count >= 2) {
    LLVMValueRef other = LLVMGetOperand (call, LLVMGetOperand (call, 0) == word);
    w->as_text = true;
    w->needs_long |= !is_constant_word (other);
  } else if (text_is_one_of (name, numbers)) w->as_number = true;
  else if (text_is_one_of (name, conversions) && count == 3 && LLVMIsNull (LLVMGetOperand (call, 1)))
    w->as_number = true;
  else if (!text_is_one_of (name, prints) || LLVMGetFirstUse (call)) w->needs_long = true;
}

static void inspect_word (word_usage *w, LLVMValueRef word, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse (word); use; use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    int64_t there = offset;
    if (LLVMIsAICmpInst (user)) continue;
    if (adds_constant_to (w->of->t, user, word, &there)) inspect_word (w, user, there);
    else if (LLVMIsALoadInst (user)) w->as_text = true;
    else if (LLVMIsACallInst (user) && !offset) inspect_word_call (w, user, word);
    else w->needs_long = true;
  }
}

// ---- how main uses argv and argc -----------------------------------------------------------------------
static void inspect_argv_load (argv_usage *u, LLVMValueRef load, int64_t offset) {
  int64_t bytes = u->t->p->pointer_bits / 8;
  bool is_word =
      value_is_pointer (load) && offset >= 0 && offset % bytes == 0 && !over_limit (ARGUMENT_INDEX, offset / bytes);
  if (!is_word) {
    u->argv_escapes = true;
    return;
  }
  if (offset / bytes > u->highest) u->highest = (uint32_t) (offset / bytes);
  word_usage w = {.of = u};
  inspect_word (&w, load, 0);
  u->needs_long |= w.needs_long || (w.as_text && w.as_number);
}

static void inspect_argv (argv_usage *u, LLVMValueRef argv, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse (argv); use; use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    int64_t there = offset;
    if (LLVMIsAICmpInst (user)) continue;
    if (adds_constant_to (u->t, user, argv, &there)) inspect_argv (u, user, there);
    else if (LLVMIsALoadInst (user)) inspect_argv_load (u, user, offset);
    else u->argv_escapes = true;
  }
}

static void inspect_argc (argv_usage *u, LLVMValueRef argc) {
  for (LLVMUseRef use = LLVMGetFirstUse (argc); use; use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    for (unsigned k = 0; LLVMIsAICmpInst (user) && k < 2; k++) {
      LLVMValueRef constant = LLVMGetOperand (user, k);
      if (!LLVMIsAConstantInt (constant)) continue;
      uint64_t value = LLVMConstIntGetZExtValue (constant);
      if (!at_limit (ARGUMENTS, value) && value > u->largest) u->largest = value;
    }
  }
}

static argv_usage find_argv_usage (translator *t, LLVMValueRef entry) {
  argv_usage u = {.t = t};
  unsigned n = LLVMCountParams (entry);
  u.count = n > 0 && LLVMGetFirstUse (LLVMGetParam (entry, 0));
  u.words = n > 1 && LLVMGetFirstUse (LLVMGetParam (entry, 1));
  if (u.count) inspect_argc (&u, LLVMGetParam (entry, 0));
  if (u.words) inspect_argv (&u, LLVMGetParam (entry, 1), 0);
  u.needs_long |= u.argv_escapes;
  return u;
}

// ---- arguments that are inputs -------------------------------------------------------------------------
static ir_object any_word (routine *r, uint32_t k) {
  ir_object o = new_object (r->t, word_name (r->t, k), WORD_BYTES);
  ir_object_at (r->p, o)->argument = true;
  ir_edge forget = emit_edge (r, IR_FORGET);
  ir_add_arg (r->p, forget, ir_addr (r->p, o, 0));
  ir_edge end = emit_edge (r, IR_STORE);
  ir_edge_at (r->p, end)->bytes = 1;
  ir_edge_at (r->p, end)->aux = IR_UNSEEN;
  ir_add_arg (r->p, end, ir_addr (r->p, o, WORD_BYTES - 1));
  ir_add_arg (r->p, end, ir_const (r->p, 8, 0));
  return o;
}

// Returns an argc of 1, 2, ... up to `most` rounded up to a power of two.
static ir_expr bounded_argc (routine *r, uint32_t most) {
  unsigned bits = 0;
  while (1u << bits < most) bits++;
  if (!bits) return value_from_number (r, 32, 1);
  ir_expr x = ir_unary (r->p, IR_X_ZEXT, 32, value_nondet_number (r, bits, "argc"));
  return value_assign (r, ir_binary (r->p, IR_X_ADD, x, ir_const (r->p, 32, 1)), "argc");
}

// Returns any positive argc.  The choice 0 stands for 1, so that no choice ends the execution, and so that a run whose
// choices are all 0 has no arguments.
static ir_expr any_argc (routine *r) {
  ir_expr x = value_nondet_number (r, ARGC_BITS, "argc");
  ir_expr is_zero = ir_binary (r->p, IR_X_EQ, x, ir_const (r->p, ARGC_BITS, 0));
  return value_assign (r, ir_ite (r->p, is_zero, ir_const (r->p, 32, 1), ir_unary (r->p, IR_X_ZEXT, 32, x)), "argc");
}

static uint32_t argc_bound (const argv_usage *u) {
  uint32_t most = LEAST_ARGUMENTS;
  while (most <= u->largest) most *= 2;
  return most;
}

// Returns argc == 1 ? argv of one word : argc == 2 ? argv of two words ... : argv of `most` words.
static ir_expr any_argv (routine *r, const argv_usage *u, uint32_t most, ir_expr argc) {
  ir_object words[LIMIT_ARGUMENTS];
  words[0] = text_object (r->t, word_name (r->t, 0), program_name);
  for (uint32_t k = 1; k < most; k++) words[k] = any_word (r, k);
  ir_expr x = ir_addr (r->p, words_array (r->t, words, most, u->argv_escapes), 0);
  for (uint32_t k = most - 1; k >= 1; k--) {
    ir_expr fits = ir_binary (r->p, IR_X_EQ, argc, ir_const (r->p, 32, k));
    x = ir_ite (r->p, fits, ir_addr (r->p, words_array (r->t, words, k, true), 0), x);
  }
  return value_assign (r, x, "argv");
}

static arguments any_arguments (routine *r, const argv_usage *u) {
  uint32_t most = u->argv_escapes ? argc_bound (u) : u->highest + 1;
  ir_assume_in_report (r->p, u->words ? "argc is at least 1, and argv[0] is `%s`" : "argc is at least 1", program_name);
  if (u->argv_escapes) ir_add_gap (r->p, "argc is at most %u", most);
  if (u->needs_long) ir_add_gap (r->p, "words of argv have at most %d characters", WORD_BYTES - 1);
  arguments a = {.argv = {IR_NONE}};
  a.argc = u->count && !u->argv_escapes ? any_argc (r) : bounded_argc (r, most);
  if (u->words) a.argv = any_argv (r, u, most, a.argc);
  return a;
}

// ---- parameters ----------------------------------------------------------------------------------------
static ir_expr main_parameter (routine *r, const arguments *a, unsigned k, bool is_used) {
  if (k == 0) return a->argc;
  if (k == 1 && a->argv.i != IR_NONE) return a->argv;
  if (k != 2 || !is_used) return value_from_number (r, 1, 0);
  ir_add_gap (r->p, "the environment is empty (envp)");
  return ir_addr (r->p, pointer_array (r->t, "envp", 1), 0);
}

bool arguments_of_main (routine *r, LLVMValueRef entry, expr_list *out) {
  const word_list *given = r->t->options ? r->t->options->args : NULL;
  argv_usage u = find_argv_usage (r->t, entry);
  r->pos = debug_function_position (r->t->debug, entry);
  bool used = u.count || u.words, any = used && !given;
  arguments a =
      any ? any_arguments (r, &u) : (arguments){value_from_number (r, 32, given ? given->count + 1 : 1), {IR_NONE}};
  if (used && given) a = given_arguments (r, given);
  for (unsigned k = 0; k < LLVMCountParams (entry); k++) {
    LLVMValueRef p = LLVMGetParam (entry, k);
    unsigned bits = type_bits (r->t, LLVMTypeOf (p));
    vec_push (out, value_resize (r, main_parameter (r, &a, k, LLVMGetFirstUse (p) != NULL), bits ? bits : 1, false));
  }
  return any;
}
