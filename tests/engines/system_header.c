// The header of a library that comes by -isystem is one of a system, by -I one of the program.
#include <assert.h>
#include <library.h>

int main (void) {
  assert (library_count () >= 0);
  return 0;
}
