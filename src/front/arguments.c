// The arguments of main.  With --args they are the words given there, behind the name of the program.  Without, argc and the words of
// argv are inputs:
//
//   - argv[k] points at an object of WORD_BYTES bytes; all but the last are undefined, so a value is chosen for a byte where the program
//     looks at it.  Shorter words end earlier.
//   - For each number of arguments there is an array with so many words and the null pointer behind them, so that reading further is out
//     of bounds, as in C.
//   - If main itself reads argv at constant indices only, more arguments than the highest of them make no difference but in argc, which
//     is then any number: nothing is left out.  Else argc goes up to LIMIT_ARGUMENTS, which the report lists as a bound; so it does with
//     the length of words, if the program may see more of one than the model has.
//
// The name of the program is fixed, the environment is empty: envp = {NULL}.
#include <string.h>

#include "base/limits.h"
#include "base/wrap.h"
#include "front/translate_impl.h"

enum {
  WORD_BYTES = 24,      // enough for the digits of any integer
  LEAST_ARGUMENTS = 4,  // argc goes up to a power of two between this and LIMIT_ARGUMENTS, if it is bounded
  ARGC_BITS = 30,       // no machine can hold more arguments
};

static const char program_name[] = "program";

// How main uses its parameters.
typedef struct usage {
  translator *t;
  bool count, words;  // argc, argv are used at all
  bool open;          // argv is used in other ways than reading at constant indices
  uint32_t highest;   // of these indices
  uint64_t largest;   // constant that argc is compared with
  bool far;           // more of a word may be looked at than the model has
} usage;

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

// An argv of these words.
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
  return (arguments){value_number (r, 32, words->count + 1), ir_addr (r->p, argv, 0)};
}

// ---- how main looks at one word ------------------------------------------------------------------------
typedef struct word_usage {
  const usage *of;
  bool as_text, as_number, far;
} word_usage;

// The pointer plus a constant: true if the user computes that.
static bool adds_constant (translator *t, LLVMValueRef user, LLVMValueRef pointer, int64_t *offset) {
  if (!LLVMIsAGetElementPtrInst (user) || LLVMGetNumOperands (user) != 2 || LLVMGetOperand (user, 0) != pointer)
    return false;
  LLVMValueRef index = LLVMGetOperand (user, 1);
  if (!LLVMIsAConstantInt (index) || LLVMGetIntTypeWidth (LLVMTypeOf (index)) > 64) return false;
  int64_t size = (int64_t) type_size (t, LLVMGetGEPSourceElementType (user));
  *offset = wrap_add (*offset, wrap_multiply (LLVMConstIntGetSExtValue (index), size));
  return true;
}

static bool is_one_of (const char *name, const char *const *names) {
  for (; *names; names++)
    if (!strcmp (name, *names)) return true;
  return false;
}

static bool is_constant_word (LLVMValueRef v) {
  size_t length;
  const char *text = constant_text (v, &length);
  return text && strlen (text) + 1 < WORD_BYTES;
}

// Functions for which a longer word is as good as one of those that the model has.
static void look_at_call (word_usage *w, LLVMValueRef call, LLVMValueRef word) {
  static const char *const comparisons[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp", NULL};
  static const char *const numbers[] = {"atoi", "atol", "atoll", NULL};
  static const char *const conversions[] = {"strtol", "strtoul", "strtoll", "strtoull", NULL};
  static const char *const prints[] = {"printf", "fprintf", "puts", "fputs", "perror", NULL};
  const char *name = value_name (LLVMGetCalledValue (call));
  unsigned count = LLVMGetNumArgOperands (call);
  if (is_one_of (name, comparisons) && count >= 2) {
    LLVMValueRef other = LLVMGetOperand (call, LLVMGetOperand (call, 0) == word);
    w->as_text = true;
    w->far |= !is_constant_word (other);
  } else if (is_one_of (name, numbers)) w->as_number = true;
  else if (is_one_of (name, conversions) && count == 3 && LLVMIsNull (LLVMGetOperand (call, 1))) w->as_number = true;
  else if (!is_one_of (name, prints) || LLVMGetFirstUse (call)) w->far = true;
}

static void look_at_word (word_usage *w, LLVMValueRef word, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse (word); use; use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    int64_t there = offset;
    if (LLVMIsAICmpInst (user)) continue;
    if (adds_constant (w->of->t, user, word, &there)) look_at_word (w, user, there);
    else if (LLVMIsALoadInst (user)) w->as_text = true;
    else if (LLVMIsACallInst (user) && !offset) look_at_call (w, user, word);
    else w->far = true;
  }
}

// ---- how main looks at argv and argc -------------------------------------------------------------------
static void look_at_load (usage *u, LLVMValueRef load, int64_t offset) {
  int64_t bytes = u->t->p->pointer_bits / 8;
  bool is_word = LLVMGetTypeKind (LLVMTypeOf (load)) == LLVMPointerTypeKind && offset >= 0 && offset % bytes == 0 &&
                 !over_limit (ARGUMENT_INDEX, offset / bytes);
  if (!is_word) {
    u->open = true;
    return;
  }
  if (offset / bytes > u->highest) u->highest = (uint32_t) (offset / bytes);
  word_usage w = {.of = u};
  look_at_word (&w, load, 0);
  u->far |= w.far || (w.as_text && w.as_number);
}

static void look_at_words (usage *u, LLVMValueRef argv, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse (argv); use; use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    int64_t there = offset;
    if (LLVMIsAICmpInst (user)) continue;
    if (adds_constant (u->t, user, argv, &there)) look_at_words (u, user, there);
    else if (LLVMIsALoadInst (user)) look_at_load (u, user, offset);
    else u->open = true;
  }
}

static void look_at_count (usage *u, LLVMValueRef argc) {
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

static usage usage_of (translator *t, LLVMValueRef entry) {
  usage u = {.t = t};
  unsigned n = LLVMCountParams (entry);
  u.count = n > 0 && LLVMGetFirstUse (LLVMGetParam (entry, 0));
  u.words = n > 1 && LLVMGetFirstUse (LLVMGetParam (entry, 1));
  if (u.count) look_at_count (&u, LLVMGetParam (entry, 0));
  if (u.words) look_at_words (&u, LLVMGetParam (entry, 1), 0);
  u.far |= u.open;
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

// 1, 2, ...: one of a power of two.
static ir_expr few (routine *r, uint32_t most) {
  unsigned bits = 0;
  while (1u << bits < most) bits++;
  if (!bits) return value_number (r, 32, 1);
  ir_expr x = ir_unary (r->p, IR_X_ZEXT, 32, value_any_number (r, bits, "argc"));
  return value_assign (r, ir_binary (r->p, IR_X_ADD, x, ir_const (r->p, 32, 1)), "argc");
}

// Any positive number.  The choice 0 is 1, so that no execution ends here and the plain run (whose choices are 0) has no arguments.
static ir_expr many (routine *r) {
  ir_expr x = value_any_number (r, ARGC_BITS, "argc");
  ir_expr is_zero = ir_binary (r->p, IR_X_EQ, x, ir_const (r->p, ARGC_BITS, 0));
  return value_assign (r, ir_ite (r->p, is_zero, ir_const (r->p, 32, 1), ir_unary (r->p, IR_X_ZEXT, 32, x)), "argc");
}

static uint32_t bound_of (const usage *u) {
  uint32_t most = LEAST_ARGUMENTS;
  while (most <= u->largest) most *= 2;
  return most;
}

// argc == 1 ? the argv of one word : argc == 2 ? that of two words ... : that of `most`
static ir_expr any_argv (routine *r, const usage *u, uint32_t most, ir_expr argc) {
  ir_object words[LIMIT_ARGUMENTS];
  words[0] = text_object (r->t, word_name (r->t, 0), program_name);
  for (uint32_t k = 1; k < most; k++) words[k] = any_word (r, k);
  ir_expr x = ir_addr (r->p, words_array (r->t, words, most, u->open), 0);
  for (uint32_t k = most - 1; k >= 1; k--) {
    ir_expr fits = ir_binary (r->p, IR_X_EQ, argc, ir_const (r->p, 32, k));
    x = ir_ite (r->p, fits, ir_addr (r->p, words_array (r->t, words, k, true), 0), x);
  }
  return value_assign (r, x, "argv");
}

static arguments any_arguments (routine *r, const usage *u) {
  uint32_t most = u->open ? bound_of (u) : u->highest + 1;
  ir_assume_in_report (r->p, u->words ? "argc is at least 1, and argv[0] is `%s`" : "argc is at least 1", program_name);
  if (u->open) ir_add_gap (r->p, "argc is at most %u", most);
  if (u->far) ir_add_gap (r->p, "words of argv have at most %d characters", WORD_BYTES - 1);
  arguments a = {.argv = {IR_NONE}};
  a.argc = u->count && !u->open ? many (r) : few (r, most);
  if (u->words) a.argv = any_argv (r, u, most, a.argc);
  return a;
}

// ---- parameters ----------------------------------------------------------------------------------------
static ir_expr parameter (routine *r, const arguments *a, unsigned k, bool is_used) {
  if (k == 0) return a->argc;
  if (k == 1 && a->argv.i != IR_NONE) return a->argv;
  if (k != 2 || !is_used) return value_number (r, 1, 0);
  ir_add_gap (r->p, "the environment is empty (envp)");
  return ir_addr (r->p, pointer_array (r->t, "envp", 1), 0);
}

bool arguments_of_main (routine *r, LLVMValueRef entry, expr_list *out) {
  const word_list *given = r->t->options ? r->t->options->args : NULL;
  usage u = usage_of (r->t, entry);
  r->pos = debug_function_position (r->t->debug, entry);
  bool used = u.count || u.words, any = used && !given;
  arguments a =
      any ? any_arguments (r, &u) : (arguments){value_number (r, 32, given ? given->count + 1 : 1), {IR_NONE}};
  if (used && given) a = given_arguments (r, given);
  for (unsigned k = 0; k < LLVMCountParams (entry); k++) {
    LLVMValueRef p = LLVMGetParam (entry, k);
    unsigned bits = type_bits (r->t, LLVMTypeOf (p));
    vec_push (out, value_resize (r, parameter (r, &a, k, LLVMGetFirstUse (p) != NULL), bits ? bits : 1, false));
  }
  return any;
}
