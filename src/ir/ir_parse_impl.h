// The reader of the text form, in two files: scan.c reads characters and words, ir_parse.c implements the grammar.
#ifndef LOCKSTEP_IR_PARSE_IMPL_H
#define LOCKSTEP_IR_PARSE_IMPL_H

#include <setjmp.h>

#include "ir/ir_impl.h"

typedef struct pending_relocation {
  ir_object object;
  uint32_t index;
  char *name;
  unsigned line;
} pending_relocation;

// The state of the reader.  An error ends the parse with longjmp, so everything that owns memory is a field of it.
typedef struct ir_parser {
  ir_program *p;
  const char *file;
  const char *at;  // next character
  size_t length;   // length of the text; an upper bound for every index in it
  unsigned line;
  strbuf word, text;                     // last word, last string (which may hold zero bytes)
  strmap objects;                        // name -> first object of that name
  strmap strings;                        // file names, shared by all positions
  VEC (pending_relocation) relocations;  // resolved at the end, since their targets may be declared later
  ir_proc proc;                          // the procedure being read
  const char *proc_file;                 // file of that procedure, which positions in it leave out
  unsigned depth;                        // depth of the expression being read
  bool has_start;
  ir_object start;
  char *error;
  jmp_buf failed;
} ir_parser;

_Noreturn void parse_fail (ir_parser *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

// All of these skip blanks and `//` comments first.
char scan_peek (ir_parser *);                        // next character, 0 at the end
bool scan_char (ir_parser *, char);                  // takes it if it is next
void scan_expect (ir_parser *, const char *text);    // must be next, character by character
bool scan_keyword (ir_parser *, const char *word);   // takes this word if it is the whole next word
const char *scan_peek_word (ir_parser *);            // next word, or "" if there is none
const char *scan_word (ir_parser *);                 // takes a word; must be one
const char *scan_operator (ir_parser *);             // takes everything up to the next blank
const char *scan_string (ir_parser *);               // takes a "..." (its length in ->text.count)
uint32_t scan_number (ir_parser *, uint32_t limit);  // decimal, at most limit
ir_value scan_value (ir_parser *);                   // decimal or hexadecimal, with sign, up to 128 bits
int scan_one_of (ir_parser *, const char *const words[], unsigned count);  // takes one of the words, or -1
bool scan_id (ir_parser *, char letter, uint32_t *id);  // takes r12, L3, t0; ids are at most the length of the text

#endif
