// Comparing and finding bytes.
#include <assert.h>
#include <string.h>

int main (void) {
  char a[] = "abc", b[] = "abd";
  volatile size_t two = 2, three = 3;
  assert (memcmp (a, b, two) == 0);
  assert (memcmp (a, b, three) < 0 && memcmp (b, a, three) > 0);
  assert (memchr (a, 'c', three) == a + 2 && memchr (a, 'c', two) == NULL);
  return 0;
}
