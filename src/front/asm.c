// Inline assembly: barriers for the compiler or the machine, and hints.  Assembly that computes something is
// unsupported.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/translate_impl.h"

// Appends the text in lower case, without comments, with one space for each run of white space, `;` and line ends.
static void add_normalised (const char *text, size_t count, strbuf *out) {
  bool comment = false;
  for (size_t i = 0; i < count; i++) {
    char c = (char) tolower ((unsigned char) text[i]);
    comment = c == '#' || (comment && c != '\n');
    if (comment) continue;
    bool space = isspace ((unsigned char) c) || c == ';';
    if (!space) strbuf_add_char (out, c);
    else if (out->count && out->data[out->count - 1] != ' ') strbuf_add_char (out, ' ');
  }
  while (out->count && out->data[out->count - 1] == ' ') out->data[--out->count] = 0;
}

static bool is_hint (const char *text) {
  static const char *const hints[] = {"", "nop", "pause", "rep nop", "rep nop nop", NULL};
  return text_is_one_of (text, hints);
}

// Before mfence existed, barriers were written as a `lock` operation on a word of the stack.
static bool is_fence (const char *text) {
  static const char *const fences[] = {"mfence",
                                       "lfence",
                                       "sfence",
                                       "lock addl $$0,0(%esp)",
                                       "lock addl $$0,0(%rsp)",
                                       "lock addl $$0, 0(%esp)",
                                       "lock addl $$0, 0(%rsp)",
                                       "lock addl $$0,(%rsp)",
                                       "lock addl $$0,(%esp)",
                                       "lock addl $$0, (%rsp)",
                                       "lock addl $$0, (%esp)",
                                       "lock addl $$0,-4(%rsp)",
                                       "lock orl $$0,(%rsp)",
                                       "lock orl $$0, (%rsp)",
                                       "lock orq $$0, (%rsp)",
                                       "lock orq $$0,(%rsp)",
                                       NULL};
  return text_is_one_of (text, fences);
}

// Binds the value of an assembly without code: an operand tied to the output ("=r,0"), else any value.
static void bind_assembly_output (routine *r, LLVMValueRef call, LLVMValueRef code) {
  unsigned bits = call_bits (r, call);
  size_t n;
  const char *constraints = LLVMGetInlineAsmConstraintString (code, &n);
  if (!bits) return;
  unsigned operand = 0;
  for (const char *s = constraints; s && *s; s = strchr (s, ',') ? strchr (s, ',') + 1 : NULL) {
    if (*s == '0' && operand < LLVMGetNumArgOperands (call)) {
      call_bind_result (r, call, call_argument (r, call, operand));
      return;
    }
    bool output = *s == '=' && s[1] != '*';
    if (!output && *s != '~') operand++;
  }
  value_bind (r, call, value_from_outside (r, LLVMTypeOf (call), "output of inline assembly"));
}

void translate_asm (routine *r, LLVMValueRef call, LLVMValueRef code) {
  size_t n;
  const char *text = LLVMGetInlineAsmAsmString (code, &n);
  strbuf plain = {0};
  add_normalised (text, n, &plain);
  bool several = type_is_aggregate (LLVMTypeOf (call));
  if (is_fence (strbuf_text (&plain))) {
    ir_edge e = emit_edge (r, IR_FENCE);
    ir_edge_at (r->p, e)->order = IR_SEQ_CST;
  } else if (!is_hint (strbuf_text (&plain)) || several) {
    emit_unsupported (r, "inline assembly \"%.60s\"", strbuf_text (&plain));
  }
  if (!r->unsupported) bind_assembly_output (r, call, code);
  strbuf_release (&plain);
}
