// The arguments of main.  With --args they are the words given there, behind the name of the program; without, argc is 1.  The
// environment is empty: envp = {NULL}.
#include <string.h>

#include "front/translate_impl.h"

static const char program_name[] = "program";

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

static void point_at (translator *t, ir_object argv, uint32_t k, ir_object text) {
  ir_relocation to_text = {k * t->p->pointer_bits / 8, text, 0};
  vec_push (&ir_object_at (t->p, argv)->relocations, to_text);
}

// ---- words of --args -----------------------------------------------------------------------------------
static uint32_t num_words (const translator *t) { return t->options && t->options->args ? t->options->args->count : 0; }

static ir_object argument_strings (translator *t) {
  ir_object argv = pointer_array (t, "argv", num_words (t) + 2);
  point_at (t, argv, 0, text_object (t, "argv[0]", program_name));
  for (uint32_t k = 0; k < num_words (t); k++) {
    const char *name = arena_printf (t->p->arena, "argv[%u]", k + 1);
    point_at (t, argv, k + 1, text_object (t, name, t->options->args->data[k]));
  }
  return argv;
}

static void assume_words (routine *r) {
  strbuf text = {0};
  for (uint32_t k = 0; k < num_words (r->t); k++)
    strbuf_printf (&text, "%s`%s`", k ? ", " : "", r->t->options->args->data[k]);
  if (!r->t->options || !r->t->options->args) ir_assume_in_report (r->p, "argc is 1");
  else if (!text.count) ir_assume_in_report (r->p, "the program has no arguments (--args)");
  else ir_assume_in_report (r->p, "the arguments of the program are %s (--args)", strbuf_text (&text));
  strbuf_release (&text);
}

// ---- parameters ----------------------------------------------------------------------------------------
void arguments_of_main (routine *r, LLVMValueRef entry, expr_list *out) {
  unsigned n = LLVMCountParams (entry);
  bool used = false;
  for (unsigned i = 0; i < n; i++) used |= LLVMGetFirstUse (LLVMGetParam (entry, i)) != NULL;
  if (used) assume_words (r);
  for (unsigned i = 0; i < n; i++) {
    unsigned bits = type_bits (r->t, LLVMTypeOf (LLVMGetParam (entry, i)));
    ir_expr x = value_number (r, bits ? bits : 1, i == 0 ? num_words (r->t) + 1 : 0);
    if (i == 1 && used) x = ir_addr (r->p, argument_strings (r->t), 0);
    if (i == 2 && used) x = ir_addr (r->p, pointer_array (r->t, "envp", 1), 0);
    vec_push (out, value_resize (r, x, bits ? bits : 1, false));
  }
}
