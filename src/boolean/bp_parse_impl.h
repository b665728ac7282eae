// Reading a Boolean program.  In reading order: lex.c (characters to words), bp_parse_expr.c and bp_parse.c (words to a
// syntax tree), resolve.c (names, numbers of arguments, recursion), flatten.c (the tree to a bp_program), regions.c.
//
// The syntax tree is in one arena, and its lists are linked.  The first error ends the reading with longjmp, so
// everything that owns memory is a field of `reader`.
#ifndef LOCKSTEP_BOOLEAN_PARSE_IMPL_H
#define LOCKSTEP_BOOLEAN_PARSE_IMPL_H

#include <setjmp.h>

#include "base/arena.h"
#include "base/map.h"
#include "boolean/bp_program.h"

typedef struct bp_position { uint32_t line, column; } bp_position;

// ---- words -------------------------------------------------------------------------------------------
typedef enum bp_token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_BAD } bp_token_kind;
typedef struct bp_token {
  bp_token_kind kind;
  const char *text;            // as written; a prime is always "'"
  bp_position at;
  const char *from, *to;       // begin and end in the source
} bp_token;

// ---- the tree ----------------------------------------------------------------------------------------
typedef enum syntax_op {
  SYNTAX_CONST, SYNTAX_NAME, SYNTAX_NEXT, SYNTAX_CHOICE, SYNTAX_NOT, SYNTAX_AND, SYNTAX_OR, SYNTAX_XOR, SYNTAX_EQUAL,
  SYNTAX_IMPLIES, SYNTAX_SCHOOSE, SYNTAX_ITE
} syntax_op;

typedef struct syntax_name {
  const char *text;
  bp_position at;
  bp_var var;                  // name of a variable, after resolve.c; BP_NONE: `_`, a target that discards the value
  struct syntax_label *label;  // name of a label, after resolve.c
  struct syntax_expr *value;   // declaration: initial value; NULL: any value
  struct syntax_name *next;
} syntax_name;

typedef struct syntax_expr {
  syntax_op op;
  bool value;                  // CONST
  uint32_t height;             // 1 for a leaf
  syntax_name name;            // NAME, NEXT; of every expression: its position
  struct syntax_expr *arg[3];
  struct syntax_expr *next;
} syntax_expr;

typedef struct syntax_label {
  const char *text;
  bp_position at;
  bp_loc here;                 // its location in the current copy of the procedure
  bp_loc root;                 // its location in the copy in which threads start
  struct syntax_label *next;
} syntax_label;

typedef enum syntax_kind {
  SYNTAX_SKIP, SYNTAX_ASSIGN, SYNTAX_CALL, SYNTAX_RETURN, SYNTAX_GOTO, SYNTAX_ASSUME, SYNTAX_ASSERT, SYNTAX_IF,
  SYNTAX_WHILE, SYNTAX_START_THREAD, SYNTAX_END_THREAD, SYNTAX_ATOMIC_BEGIN, SYNTAX_ATOMIC_END, SYNTAX_DEAD,
  SYNTAX_BLOCK, SYNTAX_NUM_KINDS
} syntax_kind;

typedef struct syntax_stmt {
  syntax_kind kind;
  bp_position at;
  syntax_label *labels;
  syntax_name *names;          // ASSIGN, CALL: targets; GOTO, START_THREAD: labels; DEAD: variables
  syntax_expr *exprs;          // ASSIGN: values; CALL: arguments; RETURN: results
  syntax_expr *condition;      // ASSUME, ASSERT, IF, WHILE; ASSIGN: the constraint, or NULL
  syntax_name callee;          // CALL
  struct syntax_proc *proc;    // CALL, after resolve.c
  struct syntax_stmt *body, *other;   // body: IF, WHILE, BLOCK; other: IF, the statements after `else`
  struct syntax_stmt *next;
} syntax_stmt;

typedef struct syntax_proc {
  const char *name;
  bp_position at, end;               // positions of its first and last word
  uint32_t number;
  uint32_t num_results;
  syntax_name *params, *locals;
  syntax_expr *enforced;       // list of the conditions of `enforce`
  syntax_stmt *body;
  syntax_label *labels;        // all labels of the procedure, after resolve.c
  bool threads_start;          // the procedure contains `start_thread`
  struct syntax_proc *next;
} syntax_proc;

typedef struct call_arc { uint32_t caller, callee; const syntax_stmt *at; } call_arc;
typedef struct pending_goto { bp_loc loc; syntax_label *label; bool thread; } pending_goto;

typedef VEC (bp_loc) loc_stack;

typedef struct bp_reader {
  // lex.c
  arena *arena;
  const char *file, *at;
  const char *line_start;
  uint32_t line;
  bp_token now, ahead;
  // parse.c
  uint32_t depth;
  syntax_name *globals;
  syntax_expr *enforced;
  syntax_proc *procs;
  uint32_t num_procs;
  // resolve.c
  strmap proc_names, global_names, local_names, label_names, var_names;
  map assigned;                // variables that the current statement assigns
  VEC (call_arc) calls;
  bool next_allowed, names_allowed;
  // flatten.c
  bp_program *program;
  loc_stack open;              // locations whose successor is the next location that is added
  loc_stack returns;           // returns of the procedures that are being inlined
  loc_stack ends;              // last locations of the first branches, while the second branches are translated
  VEC (pending_goto) pending;
  // the first error
  bp_error *error;
  jmp_buf failed;
} bp_reader;

_Noreturn void read_fail (bp_reader *, bp_position, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

// ---- lex.c ----
void lex_start (bp_reader *, const char *text);
void lex_advance (bp_reader *);                     // now = ahead, ahead = the word after it
bool lex_is (const bp_reader *, const char *text);  // is the current word this sign or keyword?
bool lex_accept (bp_reader *, const char *text);
void lex_expect (bp_reader *, const char *text);
bool lex_is_name (const bp_reader *);               // is the current word an identifier and not a keyword?
// `{`: does a name in braces begin here, with an assignment after it?
bool lex_quoted_target (const bp_reader *);
// reads an identifier or a text in braces, or fails: "expected `what`"
syntax_name *lex_name (bp_reader *, const char *what);
syntax_name *lex_label (bp_reader *);               // reads an identifier or a number

// ---- bp_parse_expr.c, bp_parse.c ----
syntax_expr *parse_expr (bp_reader *);
syntax_expr *parse_exprs (bp_reader *);             // a list with commas
void parse_program (bp_reader *);

// ---- resolve.c ----
void resolve_program (bp_reader *);                 // also adds the variables of reader->program
// ---- flatten.c ----
void flatten_program (bp_reader *);

#endif
