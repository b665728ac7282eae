// Runs the passes on the linked module: only mem2reg.
//
// Every other pass that was tried changes racy or undefined programs: it merges racy loads, invents stores, or deletes
// accesses out of bounds.  DESIGN.md, section 3, has the list.  mem2reg itself folds uninitialised locals, so these get
// an arbitrary value first.
#include "front/driver_impl.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

#include "base/diag.h"

// Removes the attribute with which bitcode compiled with -O0 forbids all passes.
static void allow_passes (LLVMModuleRef module) {
  unsigned kind = LLVMGetEnumAttributeKindForName ("optnone", strlen ("optnone"));
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f; f = LLVMGetNextFunction (f))
    LLVMRemoveEnumAttributeAtIndex (f, (LLVMAttributeIndex) LLVMAttributeFunctionIndex, kind);
}

static void run_mem2reg (LLVMModuleRef module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions ();
  LLVMErrorRef error = LLVMRunPasses (module, "mem2reg", NULL, options);
  LLVMDisposePassBuilderOptions (options);
  if (!error) return;
  char *text = LLVMGetErrorMessage (error);
  BUG ("mem2reg should run: %s", text);
}

// With --property=leak variables stay in memory: a pointer in a variable of a function that has not returned keeps
// memory reachable, even if it is not read again.
void passes_run (LLVMModuleRef module, bool check_uninit, bool keep_variables) {
  allow_passes (module);
  // A local whose address was in a promoted local can be promoted in the next round.  Locals that are not promoted
  // after the last round stay in memory, which is correct, too.
  enum { ROUNDS = 16 };
  bool more = !keep_variables || check_uninit;
  for (unsigned round = 0; more && round < ROUNDS; round++) {
    more = insert_uninitialised (module, check_uninit, round > 0) > 0;
    if (more) run_mem2reg (module);
    remove_pins (module);
  }
  LLVMSetIsNewDbgInfoFormat (module, 0);  // debug records cannot be read through the C API, calls can
}
