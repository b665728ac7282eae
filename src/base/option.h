// Rows of options, and the typed records that are made from them.  The owner of options writes one X-macro table:
//
//   #define SEARCH_ORDER_WORDS(WORD) WORD (ORDER_MIXED, "auto") WORD (ORDER_DEPTH, "dfs")
//   typedef enum search_order { SEARCH_ORDER_WORDS (OPTION_WORD_ID) } search_order;
//
//   #define SEARCHER_OPTIONS(OPTION) //       field  type          name       kind    argument
//     OPTION (order, search_order, "--order", CHOICE, OPTION_CHOICES (SEARCH_ORDER_WORDS), ORDER_MIXED, 0, 0, ...)
//
// and makes from it a struct, its initial value, and rows that tell parsing and help where the value is in the struct:
//
//   typedef struct searcher_options { SEARCHER_OPTIONS (OPTION_FIELD) } searcher_options;
//   static const searcher_options initial = {SEARCHER_OPTIONS (OPTION_INITIAL)};
//   #define ROW(...) OPTION_ROW (searcher_options, __VA_ARGS__)
//   static const option_row rows[] = {SEARCHER_OPTIONS (ROW)};
//   const option_table searcher_table = OPTION_TABLE (rows, initial);
//
// option_parse reads a value from the command line, option_store puts it into such a struct.
#ifndef LOCKSTEP_OPTION_H
#define LOCKSTEP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

typedef enum option_kind {
  OPTION_FLAG,                 // given or not: bool
  OPTION_SWITCH,               // "on" or "off": bool
  OPTION_COUNT,                // how often it is given: uint64_t
  OPTION_NUMBER,               // min..max: uint64_t
  OPTION_TIME,                 // 30, 500ms, 5m; uint64_t, in milliseconds
  OPTION_SIZE,                 // 500M, 4G; uint64_t, in bytes.  With the argument "[=SIZE]" it may be left out: `max`
  OPTION_CHOICE,               // one of the words in `argument`: an enum in the order of the words
  OPTION_TEXT,                 // anything not empty: const char *
  OPTION_WORDS,                // words as for a shell, perhaps none: const char *
  // For the command line only:
  OPTION_PROPERTY,             // a list of properties, or a .prp file; as a bit set
  OPTION_CLANG,                // handed to clang as it is (`argument` "": no argument; else joined or next word)
  OPTION_ALIAS,                // stands for `initial`
  OPTION_OFF                   // turns the flag `initial` off
} option_kind;

typedef struct option_row {
  const char *name;            // with its dashes
  option_kind kind;
  const char *argument;        // as help shows it: "FILE", "auto|none"; "": the option takes no argument
  const char *initial;         // as a word; NULL: none, or the table has a record of initial values
  uint64_t min, max;           // of NUMBER
  uint32_t uses;               // bit set of option_use (engine/shared_options.h): which commands know it, ...
  uint32_t ways;               // bit set of engine_way (engine/shared_options.h): where it means something
  size_t offset;               // of its field in the record
  const char *help;
} option_row;

typedef struct option_table {
  const option_row *rows;
  uint32_t count;
  const void *initial;         // record of initial values
  size_t size;                 // of such a record
} option_table;

typedef struct option_setting {
  uint64_t number;             // FLAG, SWITCH: 0 or 1; COUNT, NUMBER, TIME, SIZE, PROPERTY; CHOICE: index of the word
  const char *text;            // SWITCH, CHOICE, TEXT, WORDS; PROPERTY: as a list; NULL: not given
  bool given;                  // by the user
} option_setting;

// False: *allowed says which values there are.  Strings are copied into the arena.  Not for the kinds that only the
// command line has.
bool option_parse (const option_row *, arena *, const char *value, option_setting *, const char **allowed);
// Puts the value into the field of the row.
void option_store (const option_row *, const option_setting *, void *record);
// The initial value of a row of the table, as a word for the command line; NULL: it has none.
const char *option_initial (const option_table *, const option_row *, arena *);
const option_row *option_find (const option_table * /* or NULL */, const char *name);   // NULL: it is not there
// The index of the word among "one|two|three"; UINT32_MAX: it is none of them.
uint32_t option_word_index (const char *words, const char *word);
bool option_argument_is_optional (const option_row *);

// ---- making tables ----
#define OPTION_WORD_ID(ID, WORD) ID,
#define OPTION_WORD_TEXT(ID, WORD) "|" WORD
#define OPTION_CHOICES(LIST) (&LIST (OPTION_WORD_TEXT)[1])
#define OPTION_FIELD(FIELD, TYPE, ...) TYPE FIELD;
#define OPTION_INITIAL(FIELD, TYPE, NAME, KIND, ARGUMENT, INITIAL, ...) .FIELD = INITIAL,
#define OPTION_ROW(RECORD, FIELD, TYPE, NAME, KIND, ARGUMENT, INITIAL, MIN, MAX, USES, WAYS, HELP)       \
  {NAME, OPTION_##KIND, ARGUMENT, NULL, MIN, MAX, USES, WAYS, offsetof (RECORD, FIELD), HELP},
#define OPTION_TABLE(ROWS, INITIAL) {ROWS, sizeof (ROWS) / sizeof *(ROWS), &(INITIAL), sizeof (INITIAL)}

#endif
