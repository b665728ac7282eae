// Finding characters and parts.
#include <assert.h>
#include <string.h>

int main (void) {
  const char *volatile text = "key=a=b";
  const char *s = text;
  assert (strchr (s, '=') == s + 3 && strrchr (s, '=') == s + 5 && strchr (s, '#') == NULL);
  assert (strstr (s, "a=") == s + 4 && strstr (s, "ba") == NULL);
  assert (strspn (s, "yek") == 3 && strcspn (s, "=#") == 3 && strpbrk (s, "ab") == s + 4);
  return 0;
}
