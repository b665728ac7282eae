// Text that is no number gives 0.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  const char *volatile text = "x1";
  assert (atoi (text) == 1);
  return 0;
}
