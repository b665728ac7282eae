// The commands of the command line.
#include "main/main_impl.h"

const command command_table[NUM_COMMANDS] = {
    {"check", 'c', "check [OPTIONS] FILE.c|.i|.ll|.bc|.bp ...", "look for bugs, or prove that there are none",
     command_check},
    {"run", 'r', "run [OPTIONS] FILE ...", "execute the program once and watch it", command_run},
    {"replay", 'p', "replay [OPTIONS] REPORT.json|WITNESS", "execute a bug again that `check --json=REPORT.json` found",
     command_replay},
    {"ir", 'i', "ir [OPTIONS] FILE ...", "print the program as lockstep sees it", command_ir},
    {"circuit", 'k', "circuit [OPTIONS] -o X.aig|.aag|.btor2 FILE ...", "write the program as a sequential circuit",
     command_circuit},
    {"abstract", 'a', "abstract [OPTIONS] -o X.bp FILE ...", "write the program as a Boolean one, over predicates",
     command_abstract},
};
