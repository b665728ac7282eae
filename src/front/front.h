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
  bool clang_flags_are_saved;      // they come from a report or a circuit: keep harmless ones only, unless trust_flags
  bool trust_flags;                // use all flags that a file contains
  // -p: folder of the compile_commands.json that has the flags for the files; NULL: none
  const char *build_dir;
  const char *entry;               // "main"
  const word_list *args;           // arguments of main after the program's name; NULL: not given
  bool ilp32;                      // --data-model=ILP32 or -m32
  bool may_fail;                   // library models may fail (--may-fail)
  bool check_overflow;             // add the checks of --property=overflow
  bool check_leak;                 // keep variables in memory, for --property=leak
  bool check_uninit;               // add the checks of --property=uninit
  const char *error_label;         // of --error-label, as in ir_add_error_label; NULL: none
  const char *pair;                // positions of --reach-pair, as in ir_add_pair; NULL: none
  const budget *budget;            // for reading and compiling; NULL: no limits
  strbuf *stopped;                 // set to the reason if the budget ends the work: "time limit of 2 s"; may be NULL
  bool keep_models;                // `lockstep ir --models`: also print library models
} front_options;

// Reads, compiles, links and translates the files.  Returns NULL after diag_error has told the user what is wrong
// (clang's own messages are passed on).  The caller owns the program.
ir_program *front_load (const front_options *);

// Completes a program from any source language: adds the checks and positions that the options ask for, and
// simplifies.  Returns false after diag_error.
bool front_finish (ir_program *, const front_options *);

#endif
