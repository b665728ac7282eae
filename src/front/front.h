// The front end: C, preprocessed C, LLVM assembly or bitcode in; a checked ir_program out.
// The only folder that sees llvm-c.
#ifndef LOCKSTEP_FRONT_H
#define LOCKSTEP_FRONT_H

#include "base/budget.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/words.h"
#include "ir/ir.h"

typedef struct front_options {
  VEC (const char *) files;        // .c .i .ll .bc, one program
  VEC (const char *) clang_flags;  // -I -D -include -std= and what follows `--`, in the user's order
  bool clang_flags_are_saved;      // a report or a circuit said so, not the user: only harmless ones are taken, unless trust_flags
  bool trust_flags;                // take all flags from files
  const char *build_dir;           // -p: compile_commands.json is there; NULL: none.  With files: flags for them come from it
  const char *entry;               // "main"
  const word_list *args;           // of main, behind the name of the program; NULL: not given
  bool ilp32;                      // --data-model=ILP32 or -m32
  bool may_fail;                   // library models may fail (--may-fail)
  bool check_overflow;             // add the checks of --property=overflow
  bool check_leak;                 // leave variables in memory for --property=leak
  bool check_uninit;               // add the checks of --property=uninit
  const char *error_label;         // of --error-label, as in ir_add_error_label; NULL: none
  const char *pair;                // places of --reach-pair, as in ir_add_pair; NULL: none
  const budget *budget;            // for reading and compiling; NULL: no limits
  strbuf *stopped;                 // is set to the reason if they end it: "time limit of 2 s"; may be NULL
  bool keep_models;                // `lockstep ir --models`: also print library models
} front_options;

// Reads, compiles, links and translates.  NULL after diag_error has told the user what is wrong (clang's own
// messages have been passed on).  The caller owns the program.
ir_program *front_load (const front_options *);

// What is done with every program, wherever it comes from: the checks and places that the options ask for, simplification.
// False after diag_error.
bool front_finish (ir_program *, const front_options *);

#endif
