// The text form's reader in two files: scan.c knows characters and words, parse.c the grammar.
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

// An error ends the whole parse with longjmp; so everything that owns memory lives here.
typedef struct parser {
  ir_program *p;
  const char *file;
  const char *at;  // next character
  size_t length;   // of the text; no index in it can be larger
  unsigned line;
  strbuf word, text;                     // last word, last string (which may hold zero bytes)
  strmap objects;                        // name -> first object of that name
  strmap strings;                        // file names, shared by all positions
  VEC (pending_relocation) relocations;  // names may be declared later
  ir_proc proc;                          // being read
  const char *proc_file;                 // its file: positions leave it out
  unsigned depth;                        // of the expression being read
  bool has_start;
  ir_object start;
  char *error;
  jmp_buf failed;
} parser;

_Noreturn void parse_fail (parser *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

// All of them skip blanks and `//` comments first.
char scan_peek (parser *);                        // next character, 0 at the end
bool scan_char (parser *, char);                  // takes it if it is next
void scan_expect (parser *, const char *text);    // must be next, character by character
bool scan_keyword (parser *, const char *word);   // takes this word if it is the whole next word
const char *scan_peek_word (parser *);            // next word, or "" if there is none
const char *scan_word (parser *);                 // takes a word; must be one
const char *scan_operator (parser *);             // takes everything up to the next blank
const char *scan_string (parser *);               // takes a "..." (its length in ->text.count)
uint32_t scan_number (parser *, uint32_t limit);  // decimal, at most limit
ir_value scan_value (parser *);                   // decimal or hexadecimal, with sign, up to 128 bits
int scan_one_of (parser *, const char *const words[], unsigned count);  // takes one of the words, or -1
bool scan_id (parser *, char letter, uint32_t *id);  // takes r12, L3, t0; ids are at most the length of the text

#endif
