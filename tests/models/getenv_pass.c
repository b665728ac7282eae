// The same with a test for null.
#include <stdlib.h>

int main (void) {
  char *value = getenv ("LOCKSTEP_NOT_SET");
  return value ? *value & 0 : 0;
}
