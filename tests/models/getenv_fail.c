// A variable that is not set.
#include <stdlib.h>

int main (void) { return *getenv ("LOCKSTEP_NOT_SET"); }
