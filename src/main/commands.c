// The commands of the command line.
#include "main/main_impl.h"

const command command_table[NUM_COMMANDS] = {
    {"check", FOR_CHECK, "check [OPTIONS] FILE.c|.i|.ll|.bc|.bp ...", "look for bugs, or prove that there are none",
     command_check},
    {"run", FOR_RUN, "run [OPTIONS] FILE ...", "execute the program once and watch it", command_run},
    {"replay", FOR_REPLAY, "replay [OPTIONS] REPORT.json|WITNESS",
     "execute a bug again that `check --json=REPORT.json` found", command_replay},
    {"ir", FOR_IR, "ir [OPTIONS] FILE ...", "print the program as lockstep sees it", command_ir},
    {"circuit", FOR_CIRCUIT, "circuit [OPTIONS] -o X.aig|.aag|.btor2 FILE ...",
     "write the program as a sequential circuit", command_circuit},
    {"abstract", FOR_ABSTRACT, "abstract [OPTIONS] -o X.bp FILE ...",
     "write the program as a Boolean one, over predicates", command_abstract},
};
