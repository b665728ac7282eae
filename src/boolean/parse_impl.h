// Reading a Boolean program.  In reading order: lex.c (characters to words), parse_expr.c and parse.c (words to a tree), resolve.c
// (names, numbers of arguments, recursion), flatten.c (the tree to a bp_program), regions.c.
//
// The tree lives in one arena, its lists are linked.  The first error ends everything with longjmp; so whatever owns memory lives in
// `reader`.
#ifndef LOCKSTEP_BOOLEAN_PARSE_IMPL_H
#define LOCKSTEP_BOOLEAN_PARSE_IMPL_H

#include <setjmp.h>

#include "base/arena.h"
#include "base/map.h"
#include "boolean/program.h"

typedef struct place { uint32_t line, column; } place;

// ---- words -------------------------------------------------------------------------------------------
typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_BAD } token_kind;
typedef struct token {
  token_kind kind;
  const char *text;            // as written; a prime is always "'"
  place at;
  const char *from, *to;       // in the source
} token;

// ---- the tree ----------------------------------------------------------------------------------------
typedef enum syntax_op {
  SYNTAX_CONST, SYNTAX_NAME, SYNTAX_NEXT, SYNTAX_CHOICE, SYNTAX_NOT, SYNTAX_AND, SYNTAX_OR, SYNTAX_XOR, SYNTAX_EQUAL, SYNTAX_IMPLIES,
  SYNTAX_SCHOOSE, SYNTAX_ITE
} syntax_op;

typedef struct syntax_name {
  const char *text;
  place at;
  bp_var var;                  // after resolve.c: of a variable; BP_NONE: `_`, which takes a value that nobody wants
  struct syntax_label *label;  // after resolve.c: of a label
  struct syntax_expr *value;   // of a declaration: its initial value; NULL: any
  struct syntax_name *next;
} syntax_name;

typedef struct syntax_expr {
  syntax_op op;
  bool value;                  // CONST
  uint32_t height;             // 1 for a leaf
  syntax_name name;            // NAME, NEXT; of all: where it stands
  struct syntax_expr *arg[3];
  struct syntax_expr *next;
} syntax_expr;

typedef struct syntax_label {
  const char *text;
  place at;
  bp_loc here;                 // in the copy of the procedure that is being made
  bp_loc root;                 // in the copy that threads start in
  struct syntax_label *next;
} syntax_label;

typedef enum syntax_kind {
  SYNTAX_SKIP, SYNTAX_ASSIGN, SYNTAX_CALL, SYNTAX_RETURN, SYNTAX_GOTO, SYNTAX_ASSUME, SYNTAX_ASSERT, SYNTAX_IF, SYNTAX_WHILE,
  SYNTAX_START_THREAD, SYNTAX_END_THREAD, SYNTAX_ATOMIC_BEGIN, SYNTAX_ATOMIC_END, SYNTAX_DEAD, SYNTAX_BLOCK, SYNTAX_NUM_KINDS
} syntax_kind;

typedef struct syntax_stmt {
  syntax_kind kind;
  place at;
  syntax_label *labels;
  syntax_name *names;          // ASSIGN, CALL: targets; GOTO, START_THREAD: labels; DEAD: variables
  syntax_expr *exprs;          // ASSIGN: values; CALL: arguments; RETURN: results
  syntax_expr *condition;      // ASSUME, ASSERT, IF, WHILE; ASSIGN: the constraint, or NULL
  syntax_name callee;          // CALL
  struct syntax_proc *proc;    // CALL, after resolve.c
  struct syntax_stmt *body, *other;   // IF, WHILE, BLOCK; IF: what stands after `else`
  struct syntax_stmt *next;
} syntax_stmt;

typedef struct syntax_proc {
  const char *name;
  place at, end;               // end: of its last word
  uint32_t number;
  uint32_t num_results;
  syntax_name *params, *locals;
  syntax_expr *enforced;       // list
  syntax_stmt *body;
  syntax_label *labels;        // all of them, after resolve.c
  bool threads_start;          // some `start_thread` stands in it
  struct syntax_proc *next;
} syntax_proc;

typedef struct call_arc { uint32_t caller, callee; const syntax_stmt *at; } call_arc;
typedef struct pending_goto { bp_loc loc; syntax_label *label; bool thread; } pending_goto;

typedef VEC (bp_loc) loc_stack;

typedef struct reader {
  // lex.c
  arena *arena;
  const char *file, *at;
  const char *line_start;
  uint32_t line;
  token now, ahead;
  // parse.c
  uint32_t depth;
  syntax_name *globals;
  syntax_expr *enforced;
  syntax_proc *procs;
  uint32_t num_procs;
  // resolve.c
  strmap proc_names, global_names, local_names, label_names, var_names;
  map assigned;                // by the statement at hand
  VEC (call_arc) calls;
  bool next_allowed, names_allowed;
  // flatten.c
  bp_program *program;
  loc_stack open;              // their next location is the one that is made next
  loc_stack returns;           // of the procedures that are being inlined
  loc_stack ends;              // of the branches whose other branch is being made
  VEC (pending_goto) pending;
  // the first error
  bp_error *error;
  jmp_buf failed;
} reader;

_Noreturn void read_fail (reader *, place, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

// ---- lex.c ----
void lex_start (reader *, const char *text);
void lex_advance (reader *);                     // now = ahead, ahead = the word after it
bool lex_is (const reader *, const char *text);  // is the current word this sign or keyword?
bool lex_accept (reader *, const char *text);
void lex_expect (reader *, const char *text);
bool lex_is_name (const reader *);               // a word that is no keyword
bool lex_quoted_target (const reader *);         // `{`: does a name in braces stand here, with an assignment after it?
syntax_name *lex_name (reader *, const char *what);        // an identifier, or a text in braces.  Else fails: "expected `what`"
syntax_name *lex_label (reader *);               // an identifier or a number

// ---- parse_expr.c, parse.c ----
syntax_expr *parse_expr (reader *);
syntax_expr *parse_exprs (reader *);             // with commas between
void parse_program (reader *);

// ---- resolve.c ----
void resolve_program (reader *);                 // also makes the variables of reader->program
// ---- flatten.c ----
void flatten_program (reader *);

#endif
